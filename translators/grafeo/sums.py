"""Sums of which grafeo learns the kinds at run time: lists with items, texts with other values.

grafeo has null for a list plus an item, and prints floats otherwise than Cypher: without a point
where they are whole, and never with an exponent. What such a float would be printed as is not
guessed: the query fails there. Dates past the year 9999 are null for grafeo, and fail, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.model import NUMERIC, TEMPORAL, Kind, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    NULL,
    both,
    case,
    either,
    matches,
    own,
    with_value,
)

_STRING = Type(Kind.STRING)
_LISTED = r"(?s)\[.*"
_PLAIN = (
    r"-?[0-9]+|true|false|NaN|P[0-9A-Z]+(?:[.][0-9]+S)?|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|(?:[0-9]{4}-[0-9]{2}-[0-9]{2}T)?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]+)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
"""What both print alike: integers, truth values, days, times to the microsecond, durations of which
no part is negative."""
_SHORT = r"-?[0-9]{1,7}(?:[.][0-9]+)?"
_NO_TEXT = NUMERIC | TEMPORAL | {Kind.BOOLEAN, Kind.DURATION, Kind.LIST, Kind.MAP, Kind.POINT}


def sum_of_unknown(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    """`a + b` where the kind of one is not known before the query runs."""
    kinds = {kind_of(node.left), kind_of(node.right)}
    if kinds & (TEMPORAL | {Kind.DURATION, Kind.MAP, Kind.NULL}):
        return node

    def of_left(a: ir.Expr) -> ir.Expr:
        return with_value(node.right, free, lambda b: _sum(node, a, b), Kind.ANY)

    return with_value(node.left, free, of_left, Kind.ANY)


def _sum(node: ir.Arith, a: ir.Expr, b: ir.Expr) -> ir.Expr:
    listed, texts = [_is_list(side) for side in (a, b)], [_is_text(side) for side in (a, b)]
    missing = [ir.IsNull(side) for side in (a, b) if nullable(side)]
    branches: list[tuple[ir.Expr, ir.Expr]] = [(either(*missing), NULL)] if missing else []
    for test, result in (
        (_all(listed), own("+", a, b, kind=Kind.LIST)),
        (listed[0], own("+", a, ir.ListOf((b,)), kind=Kind.LIST)),
        (listed[1], own("+", ir.ListOf((a,)), b, kind=Kind.LIST)),
        (_all(texts), replace(node, left=a, right=b)),
        (texts[0], replace(node, left=a, right=printed(b), type=_STRING)),
        (texts[1], replace(node, left=printed(a), right=b, type=_STRING)),
    ):
        if test is not None:
            branches.append((test, result))
    numbers = replace(node, left=a, right=b)
    if _may_move(a, b):
        branches.append((matches(own("toString", numbers, kind=Kind.STRING), _FAR), FAILS))
    sure = ir.Call("coalesce", (numbers, FAILS), type=node.type)
    return case(*branches, default=sure, type=node.type)


_FAR = "[+-]?[0-9]{5,}-.*|-[0-9]{4}-.*|0000-.*"
"""Dates that grafeo reckons, but gives as null."""


def difference_of_unknown(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    """`a - b` where a date and a duration may meet."""
    if not _may_move(node.left, node.right):
        return node

    def of_difference(value: ir.Expr) -> ir.Expr:
        far = matches(own("toString", value, kind=Kind.STRING), _FAR)
        return case((far, FAILS), default=value, type=node.type)

    return with_value(node, free, of_difference, Kind.ANY)


def _may_move(*sides: ir.Expr) -> bool:
    """Whether a date and a duration may meet."""
    return all(kind_of(side) is Kind.ANY for side in sides)


def _all(tests: list[ir.Expr | None]) -> ir.Expr | None:
    known = [test for test in tests if test is not None]
    return both(*known) if len(known) == len(tests) else None


def _is_list(value: ir.Expr) -> ir.Expr | None:
    """Whether a value is a list; None where it surely is none."""
    kind = kind_of(value)
    if kind is Kind.LIST:
        return ir.Literal(True)
    if kind is not Kind.ANY:
        return None
    text = own("toString", value, kind=Kind.STRING)
    return both(
        ir.IsNull(ir.Compare(ir.CompareOp.GE, value, ir.Literal(""))), matches(text, _LISTED)
    )


def _is_text(value: ir.Expr) -> ir.Expr | None:
    kind = kind_of(value)
    if kind is Kind.STRING:
        return ir.Literal(True)
    if kind in _NO_TEXT:
        return None
    return ir.Call(
        "coalesce",
        (ir.Compare(ir.CompareOp.GE, value, ir.Literal("")), FALSE),
        type=Type(Kind.BOOLEAN),
    )


def printed(value: ir.Expr) -> ir.Expr:
    """The text of a value that is no text, as Cypher prints it; where that is not known, it
    fails."""
    text = own("toString", value, kind=Kind.STRING)
    if kind_of(value) in (Kind.INTEGER, Kind.BOOLEAN):
        return text
    half = ir.Arith(
        ir.ArithOp.DIV,
        ir.Arith(ir.ArithOp.ADD, ir.Arith(ir.ArithOp.SUB, value, value), ir.Literal(1)),
        ir.Literal(2),
    )
    size = own("abs", value)
    small = ir.Bool(
        ir.BoolOp.OR,
        (
            ir.Compare(ir.CompareOp.EQ, size, ir.Literal(0.0)),
            ir.Compare(ir.CompareOp.GE, size, ir.Literal(0.001)),
        ),
    )
    pointed = ir.Arith(ir.ArithOp.ADD, text, ir.Literal(".0"), type=_STRING)
    of_float = case(
        (ir.Not(both(matches(text, _SHORT), small)), FAILS),
        (ir.Text(ir.TextOp.CONTAINS, text, ir.Literal(".")), text),
        default=pointed,
        type=_STRING,
    )
    of_other = case((matches(text, _PLAIN), text), default=FAILS, type=_STRING)
    if kind_of(value) is Kind.FLOAT:
        return of_float
    if kind_of(value) is not Kind.ANY:
        return of_other
    is_float = both(
        ir.Call("coalesce", (ir.Compare(ir.CompareOp.NE, half, ir.Literal(0)), FALSE)),
        matches(text, "-?(?:[0-9.]+|inf)"),
    )
    return case((is_float, of_float), default=of_other, type=_STRING)
