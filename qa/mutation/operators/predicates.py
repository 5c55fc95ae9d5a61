"""Conditions: dropped, relaxed, negated, with another constant, joined otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.temporal.arithmetic import plus
from graph_ir.temporal.construct import moment
from graph_ir.temporal.values import Span, TemporalError
from qa.mutation.operators.context import Context, Variant
from schemagraph.model import Kind

NAMES = (
    "dropped-predicate",
    "relaxed-comparison",
    "negated-comparison",
    "changed-constant",
    "changed-text-test",
    "changed-connective",
    "dropped-negation",
    "negated-existence",
    "changed-null-test",
    "changed-quantifier",
    "changed-arithmetic",
)

_RELAXED = {
    ir.CompareOp.GT: ir.CompareOp.GE,
    ir.CompareOp.GE: ir.CompareOp.GT,
    ir.CompareOp.LT: ir.CompareOp.LE,
    ir.CompareOp.LE: ir.CompareOp.LT,
}
_NEGATED = {
    ir.CompareOp.GT: ir.CompareOp.LE,
    ir.CompareOp.GE: ir.CompareOp.LT,
    ir.CompareOp.LT: ir.CompareOp.GE,
    ir.CompareOp.LE: ir.CompareOp.GT,
    ir.CompareOp.EQ: ir.CompareOp.NE,
    ir.CompareOp.NE: ir.CompareOp.EQ,
}
_TEXT = {
    ir.TextOp.STARTS: ir.TextOp.CONTAINS,
    ir.TextOp.ENDS: ir.TextOp.CONTAINS,
    ir.TextOp.CONTAINS: ir.TextOp.STARTS,
}
_QUANTIFIED = {
    ir.QuantifierKind.ALL: ir.QuantifierKind.ANY,
    ir.QuantifierKind.ANY: ir.QuantifierKind.ALL,
    ir.QuantifierKind.NONE: ir.QuantifierKind.ANY,
    ir.QuantifierKind.SINGLE: ir.QuantifierKind.ANY,
}
_ARITHMETIC = {
    ir.ArithOp.ADD: ir.ArithOp.SUB,
    ir.ArithOp.SUB: ir.ArithOp.ADD,
    ir.ArithOp.MUL: ir.ArithOp.DIV,
    ir.ArithOp.DIV: ir.ArithOp.MUL,
}
_NUMBERS = (Kind.INTEGER, Kind.FLOAT)
_UNITS = {
    "date": (Kind.DATE, Span(days=1)),
    "datetime": (Kind.ZONED_DATETIME, Span(days=1)),
    "localdatetime": (Kind.DATETIME, Span(days=1)),
    "localtime": (Kind.TIME, Span(nanos=3_600_000_000_000)),
    "time": (Kind.ZONED_TIME, Span(nanos=3_600_000_000_000)),
}


def variants(node: ir.Node, context: Context) -> Iterator[Variant]:
    """What this family makes of one node."""
    match node:
        case ir.Match(where=where) | ir.Project(where=where) if where is not None:
            yield from _dropped(node, where)
        case ir.Compare():
            yield from _comparison(node, context)
        case ir.Text():
            if node.op in _TEXT:
                yield "changed-text-test", replace(node, op=_TEXT[node.op])
            for other in _others(node.right, _property(node.left), context):
                yield "changed-constant", replace(node, right=other)
        case ir.In(list=ir.ListOf(items)):
            yield from _listed(node, items, context)
        case ir.Bool(op=ir.BoolOp.AND | ir.BoolOp.OR):
            joined = ir.BoolOp.OR if node.op is ir.BoolOp.AND else ir.BoolOp.AND
            yield "changed-connective", replace(node, op=joined)
        case ir.Not():
            yield "dropped-negation", node.arg
        case ir.Exists() if not context.negated:
            yield "negated-existence", ir.Not(node)
        case ir.IsNull():
            yield "changed-null-test", replace(node, negated=not node.negated)
        case ir.Quantifier():
            yield "changed-quantifier", replace(node, kind=_QUANTIFIED[node.kind])
        case ir.Arith() if node.op in _ARITHMETIC and _numeric(node):
            yield "changed-arithmetic", replace(node, op=_ARITHMETIC[node.op])
    if isinstance(node, ir.NodePattern | ir.EdgePattern):
        yield from _inline(node, context)


def _dropped(node: Any, where: ir.Expr) -> Iterator[Variant]:
    """The node without one of the conjuncts of its condition."""
    if not isinstance(where, ir.Bool) or where.op is not ir.BoolOp.AND:
        yield "dropped-predicate", replace(node, where=None)
        return
    for number in range(len(where.args)):
        left = (*where.args[:number], *where.args[number + 1 :])
        rest = left[0] if len(left) == 1 else replace(where, args=left)
        yield "dropped-predicate", replace(node, where=rest)


def _inline(node: ir.NodePattern | ir.EdgePattern, context: Context) -> Iterator[Variant]:
    """Entries of a property map, and the condition inside a pattern."""
    if node.where is not None:
        yield from _dropped(node, node.where)
    if not isinstance(node.props, ir.MapOf):
        return
    entries = node.props.entries
    for number, entry in enumerate(entries):
        before, after = entries[:number], entries[number + 1 :]
        left = ir.MapOf((*before, *after)) if before or after else None
        yield "dropped-predicate", replace(node, props=left)
        owner = (node.type.of, entry.key)
        for other in _others(entry.value, owner, context):
            changed = ir.MapOf((*before, replace(entry, value=other), *after))
            yield "changed-constant", replace(node, props=changed)


def _comparison(node: ir.Compare, context: Context) -> Iterator[Variant]:
    if node.op in _RELAXED:
        yield "relaxed-comparison", replace(node, op=_RELAXED[node.op])
    yield "negated-comparison", replace(node, op=_NEGATED[node.op])
    for other in _others(node.right, _property(node.left), context):
        yield "changed-constant", replace(node, right=other)
    for other in _others(node.left, _property(node.right), context):
        yield "changed-constant", replace(node, left=other)


def _listed(node: ir.In, items: tuple[ir.Expr, ...], context: Context) -> Iterator[Variant]:
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        if before or after:
            yield "changed-constant", replace(node, list=ir.ListOf((*before, *after)))
        for other in _others(item, _property(node.item), context):
            if other not in items:
                yield "changed-constant", replace(node, list=ir.ListOf((*before, other, *after)))


def _property(expr: ir.Expr) -> tuple[tuple[str, ...], str] | None:
    if isinstance(expr, ir.Prop):
        return expr.base.type.of, expr.key
    return None


def _others(
    expr: ir.Expr, owner: tuple[tuple[str, ...], str] | None, context: Context
) -> Iterator[ir.Expr]:
    """Other constants that an author could have written for this one."""
    match expr:
        case ir.Literal(bool() as value):
            yield ir.Literal(not value)
        case ir.Literal(int() as value):
            if owner is not None or value not in (0, 1):
                yield ir.Literal(value - 1)
            yield ir.Literal(value + 1)
        case ir.Literal(float() as value):
            yield ir.Literal(value + 1.0)
            yield ir.Literal(value - 1.0)
        case ir.Literal(str() as value):
            yield ir.Literal(_other_text(value, owner, context))
        case ir.Call(name, (ir.Literal(str() as value),)) if name in _UNITS:
            kind, unit = _UNITS[name]
            for sign in (1, -1):
                try:
                    text = str(plus(moment(kind, value), unit, sign))
                except TemporalError:
                    return
                yield replace(expr, args=(ir.Literal(text),))


def _other_text(value: str, owner: tuple[tuple[str, ...], str] | None, context: Context) -> str:
    """Another value of the property, or the text with one character more."""
    if owner is not None:
        for name in owner[0]:
            for other in context.values(name, owner[1]):
                if isinstance(other, str) and other != value:
                    return other
    return f"{value}x"


def _numeric(node: ir.Arith) -> bool:
    """Whether both sides are numbers, and the right one changes something."""
    idle = isinstance(node.right, ir.Literal) and node.right.value in (0, 1)
    return not idle and node.left.type.kind in _NUMBERS and node.right.type.kind in _NUMBERS
