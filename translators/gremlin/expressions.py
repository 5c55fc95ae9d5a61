"""Values as traversals of at most one result: one small function for each kind of expression."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gremlin.arithmetic import arith, negated
from translators.gremlin.dates import component
from translators.gremlin.functions import call
from translators.gremlin.groups import reduction
from translators.gremlin.lists import comprehension, index, pattern_list, sliced
from translators.gremlin.paths import whole
from translators.gremlin.reductions import Reduction
from translators.gremlin.rows import Compiler, Rows, explicit
from translators.gremlin.steps.text import Label, Step, Traversal, by, quoted, step, where

TEMPORAL = frozenset(
    {Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.ZONED_DATETIME, Kind.ZONED_TIME, Kind.DURATION}
)


def _literal(cx: Compiler, node: ir.Literal, _: Rows) -> Traversal:
    if node.value is None:
        return (step("not", (step("identity"),)),)
    return cx.constant(node.value)


def _var(cx: Compiler, node: ir.Var, rows: Rows) -> Traversal:
    known = rows.vars.get(node.name)
    if known is not None and known.pieces:
        return whole(known)
    return cx.access(node.name, rows)


def _prop(cx: Compiler, node: ir.Prop, rows: Rows) -> Traversal:
    kind = node.base.type.kind
    if isinstance(node.base, ir.MapOf):
        own = next((each.value for each in node.base.entries if each.key == node.key), None)
        return cx.value(own if own is not None else ir.Literal(None), rows)
    base = cx.value(node.base, rows)
    if kind in TEMPORAL:
        return (*base, *component(kind, node.key))
    if kind is Kind.MAP:
        return (*base, Step("select", (Label(node.key),)), step("is", "neq(null)"))
    if kind is Kind.ANY and not _element(node.base, rows):
        raise Refused(
            "untyped-property",
            node.key,
            "Whether this is the property of an element or the entry of a map is not known.",
            node.span,
        )
    if kind is Kind.POINT:
        raise Refused("unsupported-expression", node.key, "Gremlin has no points.", node.span)
    return (*base, step("values", quoted(node.key)))


def _element(node: ir.Expr, rows: Rows) -> bool:
    """Whether the value is a node or an edge, though it has no type."""
    match node:
        case ir.Var(name=name):
            known = rows.vars.get(name)
            return known is not None and known.type.kind in (Kind.NODE, Kind.EDGE)
        case ir.Call(name=name):
            return name in ("startNode", "endNode")
    return False


def truth_value(cx: Compiler, node: ir.Expr, rows: Rows) -> Traversal:
    """A condition as a value: true, false, or nothing where it is null."""
    yes, no = (step("constant", "true"),), (step("constant", "false"),)
    if not cx.nullable(node, rows):
        return (Step("choose", (cx.truth(node, rows), yes, no)),)
    false = cx.falsity(node, rows)
    return (Step("choose", (cx.truth(node, rows), yes, (*false, *no))),)


def _case(cx: Compiler, node: ir.Case, rows: Rows) -> Traversal:
    last = node.default if node.default is not None else ir.Literal(None)
    made = cx.value(last, rows)
    for when in reversed(node.whens):
        test = when.condition
        if node.operand is not None:
            test = ir.Compare(ir.CompareOp.EQ, node.operand, test)
        made = (Step("choose", (cx.truth(test, rows), cx.value(when.result, rows), made)),)
    return made


def _list(cx: Compiler, node: ir.ListOf, rows: Rows) -> Traversal:
    if all(isinstance(each, ir.Literal) for each in node.items):
        values = [each.value for each in node.items if isinstance(each, ir.Literal)]
        return cx.constant(values)
    items = tuple(explicit(cx, each, rows) for each in node.items)
    return (Step("union", items), step("fold"))


def _map(cx: Compiler, node: ir.MapOf, rows: Rows) -> Traversal:
    if not node.entries:
        return (step("constant", "[:]"),)
    keys = tuple(Label(each.key) for each in node.entries)
    return (Step("project", keys), *(by(explicit(cx, each.value, rows)) for each in node.entries))


def _projection(cx: Compiler, node: ir.MapProjection, rows: Rows) -> Traversal:
    if node.all_properties:
        raise Refused("map-projection", ".*", "Properties that nobody names.", node.span)
    made = _map(cx, ir.MapOf(node.entries), rows)
    if cx.nullable(node.base, rows):
        return (where(cx.value(node.base, rows)), *made)
    return made


def _count(cx: Compiler, node: ir.CountOf, rows: Rows) -> Traversal:
    inner = rows.child()
    cx.statement(cx, node.query, inner)
    return (*inner.steps, step("count"))


def _collect(cx: Compiler, node: ir.CollectOf, rows: Rows) -> Traversal:
    inner = rows.child()
    (column,) = cx.statement(cx, node.query, inner)
    key = Step("select", (Label(column),))
    return (*inner.steps, step("coalesce", (key,), (step("constant", "null"),)), step("fold"))


def _reduction(cx: Compiler, node: Reduction, rows: Rows) -> Traversal:
    inner = rows.child()
    cx.statement(cx, node.body, inner)
    agg = ir.Agg(node.name, node.args, node.distinct, type=node.type)
    own = _short((*inner.steps, *reduction(cx, agg, inner)), len(inner.steps))
    if node.name == "sum" and not node.sure:
        return (Step("coalesce", (own, cx.constant(0))),)
    return own


def _short(own: Traversal, at: int) -> Traversal:
    """Without the step to the end of an edge, from which only the edge is read again."""
    walk = [each for each in own[:at] if each.name != "as"]
    if not walk or walk[-1].name not in ("inV", "outV", "otherV") or len(own) == at:
        return own
    place = max(n for n, each in enumerate(own[:at]) if each is walk[-1])
    before, after = own[place - 1], own[at]
    if before.name != "as" or after.name != "select" or before.args != after.args:
        return own
    return (*own[:place], *own[at + 1 :])


VALUES: dict[type[ir.Node], Callable[..., Traversal]] = {
    ir.Literal: _literal,
    ir.Var: _var,
    ir.Prop: _prop,
    ir.Arith: arith,
    ir.Neg: negated,
    ir.Call: call,
    ir.Case: _case,
    ir.ListOf: _list,
    ir.MapOf: _map,
    ir.MapProjection: _projection,
    ir.Index: index,
    ir.Slice: sliced,
    ir.ListComp: comprehension,
    ir.PatternComp: pattern_list,
    ir.CountOf: _count,
    ir.CollectOf: _collect,
    Reduction: _reduction,
    **dict.fromkeys(
        (ir.Compare, ir.Bool, ir.Not, ir.Text, ir.In, ir.IsNull, ir.LabelTest), truth_value
    ),
    **dict.fromkeys((ir.Exists, ir.Quantifier), truth_value),
}
