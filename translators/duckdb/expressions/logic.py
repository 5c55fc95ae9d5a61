"""Conditions: connectives, comparisons, membership, null tests, label and text tests."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import numbers
from translators.duckdb.expressions.compare import UNKNOWN, compare, equal, negated
from translators.duckdb.expressions.regex import NoPattern, translate
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.iterate import each
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import (
    CONNECTIVE,
    IS_NOT_NULL,
    IS_NULL,
    OPERATORS,
    Element,
    Scope,
    Sql,
    Value,
    composed,
    infix,
)
from translators.duckdb.model.types import ANY, BOOLEAN
from translators.printing import ATOM, Code, wrap

EMITS = Emits()

_FUNCTIONS = {
    ir.TextOp.STARTS: "starts_with",
    ir.TextOp.ENDS: "suffix",
    ir.TextOp.CONTAINS: "contains",
}


def truth(cx: Compiler, node: ir.Expr, scope: Scope) -> Sql:
    """An expression where a truth value is wanted."""
    sql = cx.expr(node, scope)
    if sql.type.kind is Kind.BOOLEAN:
        return sql
    if sql.type.kind is Kind.NULL:
        return UNKNOWN
    if sql.type.kind is Kind.ANY:
        return tags.truth(cx, sql)
    raise Refused(
        "type",
        type(node).__name__,
        f"A {sql.type.kind.value} value is no truth value.",
        node.span,
    )


def condition(cx: Compiler, node: ir.Expr, scope: Scope) -> str:
    """The text of a condition that stands beside others, joined by AND."""
    sql = truth(cx, node, scope)
    if isinstance(node, ir.Bool) and node.op is not ir.BoolOp.AND:
        return f"({sql.text})"
    return sql.text


@EMITS.of(ir.Bool)
def _bool(cx: Compiler, node: ir.Bool, scope: Scope) -> Sql:
    args = [truth(cx, arg, scope) for arg in node.args]
    null = any(arg.null for arg in args)
    if node.op is ir.BoolOp.XOR:
        shown = args[0]
        for arg in args[1:]:
            shown = Sql(Code(infix("<>", shown, arg, BOOLEAN).text, CONNECTIVE), BOOLEAN, null=null)
        return shown
    parts = [arg.text for arg in args]
    if node.op is ir.BoolOp.OR:  # no AND stands bare beside it, however deep
        parts = [wrap(part, ATOM) if " AND " in part else part for part in parts]
    return Sql(OPERATORS[node.op].chain(parts), BOOLEAN, null=null)


@EMITS.of(ir.Not)
def _not(cx: Compiler, node: ir.Not, scope: Scope) -> Sql:
    return negated(truth(cx, node.arg, scope))


@EMITS.of(ir.Compare)
def _compare(cx: Compiler, node: ir.Compare, scope: Scope) -> Sql:
    ids = _identities(cx, node, scope)
    if ids is not None:
        return ids
    return compare(cx, node.op, cx.expr(node.left, scope), cx.expr(node.right, scope))


def _identities(cx: Compiler, node: ir.Compare, scope: Scope) -> Sql | None:
    """`a = b` of two element variables by identity, without building their structs."""
    if node.op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
        return None
    sides = []
    for arg in (node.left, node.right):
        bound = scope.env.get(arg.name) if isinstance(arg, ir.Var) else None
        if not isinstance(bound, Element | Value) or not bound.type.element:
            return None
        sides.append(bound)
    if sides[0].type.kind is not sides[1].type.kind:
        return None
    a, b = (values.identity(cx.catalog, side) for side in sides)
    sign = "=" if node.op is ir.CompareOp.EQ else "<>"
    return infix(sign, a, b, BOOLEAN)


@EMITS.of(ir.IsNull)
def _is_null(cx: Compiler, node: ir.IsNull, scope: Scope) -> Sql:
    bound = scope.env.get(node.arg.name) if isinstance(node.arg, ir.Var) else None
    if isinstance(bound, Element):
        return values.TRUE if node.negated else values.FALSE
    sql = cx.expr(node.arg, scope)
    return Sql((IS_NOT_NULL if node.negated else IS_NULL)(sql.text), BOOLEAN, null=False)


@EMITS.of(ir.In)
def _in(cx: Compiler, node: ir.In, scope: Scope) -> Sql:
    item = cx.expr(node.item, scope)
    if isinstance(node.list, ir.ListOf):
        return _in_items(cx, item, [cx.expr(i, scope) for i in node.list.items])
    inside = cx.expr(node.list, scope)
    if inside.type.kind is Kind.NULL:
        return UNKNOWN
    if inside.type.kind is Kind.ANY:
        inside = tags.items(cx, inside)
    if inside.type.kind is not Kind.LIST:
        raise Refused("type", "In", "IN needs a list.", node.span)
    tests, _ = each(
        cx,
        inside.text,
        inside.type.item or ANY,
        "x",
        Scope(),
        lambda inner: equal(cx, item, cx.expr(ir.Var("x"), inner)),
    )
    return Sql(f"{cx.macro('cy_any')}({tests})", BOOLEAN)


def _in_items(cx: Compiler, item: Sql, items: list[Sql]) -> Sql:
    if not items:
        return values.FALSE
    simple = item.type.kind in (Kind.BOOLEAN, Kind.STRING, Kind.DATE) or (
        item.type.number and not item.type.nan
    )
    known = [i for i in items if i.type.kind is not Kind.NULL]
    # One float among the items makes floats of the integers, which are not exact beyond 2^53.
    widened = item.type.kind is Kind.INTEGER and any(i.type.kind is Kind.FLOAT for i in known)
    if (
        simple
        and not widened
        and all(
            numbers.alike(item, i)
            if item.type.number and i.type.number
            else i.type.kind is item.type.kind
            for i in known
        )
    ):
        shown = ", ".join(i.text for i in items)
        return Sql(OPERATORS["IN"](item.text, f"({shown})"), BOOLEAN)
    tests = [_equal_item(cx, item, i) for i in items]
    return Sql(f"({' OR '.join(test.operand for test in tests)})", BOOLEAN)


def _equal_item(cx: Compiler, item: Sql, other: Sql) -> Sql:
    """As `=`, but that Neo4j compares two constants in IN as it compares other numbers."""
    if item.type.number and other.type.number:
        return numbers.equal(cx, item, other, folds=False)
    return equal(cx, item, other)


@EMITS.of(ir.LabelTest)
def _label_test(cx: Compiler, node: ir.LabelTest, scope: Scope) -> Sql:
    catalog = cx.catalog
    bound = scope.env.get(node.arg.name) if isinstance(node.arg, ir.Var) else None
    if not isinstance(bound, Element | Value):
        bound = Value(cx.expr(node.arg, scope))
    of = bound.type
    if of.kind is Kind.NULL:
        return UNKNOWN
    if not of.element:
        raise Refused(
            "dynamic-element", "LabelTest", "The tested value may be no element.", node.span
        )
    identity = values.identity(catalog, bound)
    allowed = [name for name in of.of if catalog.has_label(of.kind, name, node.labels)]
    if len(allowed) in (0, len(of.of)):
        answer = values.TRUE if allowed else values.FALSE
        if not identity.null:
            return answer
        return Sql(f"(CASE WHEN {identity.operand} IS NOT NULL THEN {answer.text} END)", BOOLEAN)
    order = catalog.order(of.kind)
    positions = ", ".join(str(order[name]) for name in allowed)
    return composed(
        f"{catalog.position(of.kind, identity.operand)} IN ({positions})",
        BOOLEAN,
        null=identity.null,
    )


@EMITS.of(ir.Text)
def _text(cx: Compiler, node: ir.Text, scope: Scope) -> Sql:
    sides = [cx.expr(side, scope) for side in (node.left, node.right)]
    if any(side.type.kind is Kind.ANY for side in sides):
        sides = [tags.if_string(cx, side) for side in sides]
    if any(side.type.kind is not Kind.STRING for side in sides):
        return UNKNOWN
    null = any(side.null for side in sides)
    if node.op is ir.TextOp.REGEX:
        return _regex(cx, sides, node.right, null=null)
    shown = ", ".join(side.text for side in sides)
    return Sql(f"{_FUNCTIONS[node.op]}({shown})", BOOLEAN, null=null)


def _regex(cx: Compiler, sides: list[Sql], pattern: ir.Expr, *, null: bool) -> Sql:
    """A regular expression: translated where it is a constant, else as simple as a macro knows."""
    source, given = sides
    if not isinstance(pattern, ir.Literal) or not isinstance(pattern.value, str):
        shown = f"{cx.macro('cy_matches')}({source.text}, {given.text})"
        return Sql(shown, BOOLEAN, null=null)
    try:
        made = translate(pattern.value)
    except NoPattern as problem:
        message = f"DuckDB has no equal regular expression ({problem})."
        raise Refused("regular-expression", pattern.value, message, pattern.span) from problem
    searched = f"{cx.macro('cy_unmarked')}({source.text})" if made.marks else source.text
    return Sql(f"regexp_full_match({searched}, {text(made.text)})", BOOLEAN, null=null)
