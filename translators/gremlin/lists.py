"""Lists: unfolded in a child traversal, tested or changed item by item, and folded again."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.lowerings import whole_number
from graphmill.errors import Refused
from schemagraph.model import ANY, Kind
from translators.gremlin.rows import NOT_NULL, Binding, Compiler, Rows, explicit, inline
from translators.gremlin.steps.text import Label, Step, Traversal, select, step, where


def items(cx: Compiler, name: str, listed: ir.Expr, rows: Rows) -> tuple[Traversal, Rows]:
    """Steps from a list to its items one by one, and the rows in which `name` is an item."""
    if listed.type.kind not in (Kind.LIST, Kind.ANY):
        raise Refused("type", "IN", "This is not known to be a list.", listed.span)
    label = cx.fresh(name)
    inner = rows.child()
    kind = listed.type.item or ANY
    inner.vars[name] = Binding((select(label),), kind, True, explicit=True, label=label)
    inner.here = label
    return (step("unfold"), Step("as", (Label(label),))), inner


def comprehension(cx: Compiler, node: ir.ListComp, rows: Rows) -> Traversal:
    """`[x IN list WHERE … | …]`."""
    steps, inner = items(cx, node.var, node.list, rows)
    if node.where is not None:
        steps = (*steps, *cx.truth(node.where, inner))
    if node.result is not None and node.result != ir.Var(node.var):
        steps = (*steps, *_of_each(cx, node.result, inner))
    made = (*steps, step("fold"))
    own = cx.value(node.list, rows)
    return (*own, Step("map", (made,))) if cx.nullable(node.list, rows) else (*own, *made)


def _of_each(cx: Compiler, result: ir.Expr, rows: Rows) -> Traversal:
    """The value for each of many traversers: `coalesce` has one of them at a time already."""
    own = explicit(cx, result, rows)
    return own if len(own) == 1 and own[0].name == "coalesce" else inline(own)


def quantified(cx: Compiler, node: ir.Quantifier, rows: Rows, *, holds: bool) -> Traversal:
    """`any(x IN list WHERE …)` and its relatives, three-valued."""
    kind = node.kind
    if kind is ir.QuantifierKind.SINGLE:
        raise Refused("single", "single", "Gremlin cannot count what is null.", node.span)
    if kind is ir.QuantifierKind.NONE:
        kind, holds = ir.QuantifierKind.ANY, not holds
    unfolded, inner = items(cx, node.var, node.list, rows)
    steps = (*cx.value(node.list, rows), *unfolded)
    test = cx.truth if kind is ir.QuantifierKind.ANY else cx.falsity
    if (kind is ir.QuantifierKind.ANY) == holds:
        return (where((*steps, *test(node.where, inner))),)
    other = cx.falsity if kind is ir.QuantifierKind.ANY else cx.truth
    unmet = Step("not", (other(node.where, inner) or (step("identity"),),))
    none = Step("not", ((*steps, unmet),))
    if cx.nullable(node.list, rows):
        return (where(cx.value(node.list, rows)), none)
    return (none,)


def index(cx: Compiler, node: ir.Index, rows: Rows) -> Traversal:
    """`list[0]`, `list[-1]`, `map['key']`, `n['key']`."""
    match node.index:
        case ir.Literal(value=str() as key):
            return cx.value(ir.Prop(node.base, key, type=node.type), rows)
        case ir.Literal(value=int() as place) if node.base.type.kind is Kind.LIST:
            base = cx.value(node.base, rows)
            if place >= 0:
                part = step("range", "local", str(place), str(place + 1))
            elif place == -1:
                part = step("tail", "local", "1")
            else:
                raise Refused("index", "[]", "Gremlin counts from one end only.", node.span)
            return (*base, part, step("unfold"), NOT_NULL)
    raise Refused("index", "[]", "The index is no constant, or no list is indexed.", node.span)


def sliced(cx: Compiler, node: ir.Slice, rows: Rows) -> Traversal:
    """`list[1..3]` of constant bounds that are not negative."""
    lo = 0 if node.lo is None else whole_number(node.lo)
    hi = -1 if node.hi is None else whole_number(node.hi)
    if lo is None or hi is None or not 0 <= lo < 2**31 or not (node.hi is None or 0 <= hi < 2**31):
        raise Refused("slice-bound", "[..]", "The bounds are no constants from 0.", node.span)
    if node.base.type.kind is not Kind.LIST:
        raise Refused("type", "[..]", "This is not known to be a list.", node.span)
    base = cx.value(node.base, rows)
    if node.hi is not None and hi <= lo:
        return (*base, step("constant", "[]"))
    if hi == -1:
        return (*base, step("skip", "local", str(lo)))
    if lo == 0:
        return (*base, step("limit", "local", str(hi)))
    return (*base, step("range", "local", str(lo), str(hi)))


def pattern_list(cx: Compiler, node: ir.PatternComp, rows: Rows) -> Traversal:
    """`[(a)-->(b) WHERE … | …]`."""
    inner = rows.child()
    match = ir.Match((node.path,), node.where, span=node.span)
    cx.clauses[ir.Match](cx, match, inner)
    return (*inner.steps, *_of_each(cx, node.result, inner), step("fold"))
