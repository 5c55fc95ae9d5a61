"""Products and quotients of durations, part by part in 64-bit floats as Neo4j reckons them.

What is no whole month is days, no whole day seconds, no whole second nanoseconds, each cut towards
zero; grafeo goes through nanoseconds, and rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.primitives import (
    FAILS,
    NULL,
    ONE,
    both,
    case,
    either,
    equal,
    matches,
    own,
)

_FLOAT = Type(Kind.FLOAT)
_MONTH = 2_629_746e9  # nanoseconds, as the next
_DAY = 86_400e9
type Body = Callable[[ir.Expr], ir.Expr]

_MOST = ir.Literal(9e15)  # beyond it, parts are no whole numbers of 64-bit floats
_ALL = ir.Literal(9.2e18)  # seconds of all parts together, of which Java has no more
_LONGEST = ir.Literal(9e9)  # seconds; more nanoseconds are no 64-bit integers


def scaled(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    """A duration times a float, or divided by a number."""
    span, factor = node.left, node.right
    if isinstance(factor, ir.Literal):
        if not factor.value:
            return node
        return _named(span, free, lambda value: _made(node, value, factor, free))

    def of_span(value: ir.Expr) -> ir.Expr:
        return _named(factor, free, lambda by: _of_unknown(node, value, by, free))

    return _named(span, free, of_span)


def _of_unknown(node: ir.Arith, span: ir.Expr, by: ir.Expr, free: Iterator[str]) -> ir.Expr:
    none: ir.Expr = replace(ir.Call("duration", (ir.Literal("PT0S"),)), type=node.type)
    if kind_of(by) is Kind.INTEGER:
        none = FAILS  # an error in Neo4j
    elif kind_of(by) is Kind.ANY and node.op is ir.ArithOp.DIV:
        none = case((is_integer(by), FAILS), default=none, type=node.type)
    zero: ir.Expr = ir.Compare(ir.CompareOp.EQ, by, ir.Literal(0.0))
    if node.op is ir.ArithOp.DIV:  # months by 0 are an error of overflow
        months = matches(own("toString", span, kind=Kind.STRING), "-?P[^T]*[YM].*")
        zero = both(zero, ir.Not(months))
    missing = [ir.IsNull(side) for side in (span, by) if nullable(side)]
    branches = [(either(*missing), NULL)] if missing else []
    return case(
        *branches, (zero, none), default=_made(node, span, by, free), type=Type(Kind.DURATION)
    )


def is_integer(value: ir.Expr) -> ir.Expr:
    """Whether a 0 is the integer: half of 1 is 0 there."""
    one = ir.Arith(ir.ArithOp.ADD, value, ONE)
    return equal(ir.Arith(ir.ArithOp.DIV, one, ir.Literal(2)), ir.Literal(0))


def _made(node: ir.Arith, span: ir.Expr, by: ir.Expr, free: Iterator[str]) -> ir.Expr:
    if kind_of(by) is not Kind.FLOAT:
        if isinstance(by, ir.Literal):
            by = ir.Literal(float(str(by.value)))
        else:
            by = own("toFloat", by, kind=Kind.FLOAT)
    seconds = _part(span, "seconds")
    rest = _arith("-", _part(span, "nanoseconds"), _arith("*", seconds, ir.Literal(10**9)))

    def part(value: ir.Expr) -> ir.Expr:
        return ir.Arith(node.op, own("toFloat", value, kind=Kind.FLOAT), by, type=_FLOAT)

    def of_months(months: ir.Expr) -> ir.Expr:
        below = _arith("/", _arith("*", _fraction(months), ir.Literal(_MONTH)), ir.Literal(_DAY))
        days = _arith("+", part(_part(span, "days")), below)
        return _named(days, free, lambda value: of_days(months, value))

    def of_days(months: ir.Expr, days: ir.Expr) -> ir.Expr:
        below = _arith("/", _arith("*", _fraction(days), ir.Literal(_DAY)), ir.Literal(1e9))
        return _named(
            _arith("+", part(seconds), below), free, lambda value: of_seconds(months, days, value)
        )

    def of_seconds(months: ir.Expr, days: ir.Expr, value: ir.Expr) -> ir.Expr:
        nanos = _arith("+", part(rest), _arith("*", _fraction(value), ir.Literal(1e9)))
        names = ("months", "days", "seconds", "nanoseconds")
        entries = zip(names, map(_whole, (months, days, value, nanos)), strict=True)
        made = own("duration", ir.MapOf(tuple(ir.Entry(k, v) for k, v in entries)))
        most = ir.Compare(ir.CompareOp.LT, own("abs", nanos), ir.Literal(9.2e18))
        whole = _arith(
            "+",
            _arith("*", months, ir.Literal(_MONTH / 1e9)),
            _arith("*", days, ir.Literal(_DAY / 1e9)),
        )
        small = both(
            most,
            ir.Compare(ir.CompareOp.LT, own("abs", whole), _ALL),
            *(
                ir.Compare(ir.CompareOp.LT, own("abs", each), bound)
                for each, bound in ((months, _MOST), (days, _MOST), (value, _LONGEST))
            ),
        )
        return case((small, made), default=FAILS, type=node.type)

    made = _named(part(_part(span, "months")), free, of_months)
    if not nullable(span):
        return made
    return case((ir.IsNull(span), NULL), default=made, type=node.type)


def _named(value: ir.Expr, free: Iterator[str], body: Body) -> ir.Expr:
    """What `body` makes of a value that is computed once: `[x IN [v] | body][0]`."""
    if isinstance(value, ir.Var | ir.Prop | ir.Literal | ir.Param):
        return body(value)
    name = ir.Var(next(free), type=value.type)
    return ir.Call("=let", (name, value, body(name)), type=Type(Kind.DURATION))


def _part(span: ir.Expr, name: str) -> ir.Expr:
    return own(".", span, ir.Literal(name), kind=Kind.INTEGER)


def _whole(value: ir.Expr) -> ir.Expr:
    return own("toInteger", value, kind=Kind.INTEGER)


def _fraction(value: ir.Expr) -> ir.Expr:
    return _arith("-", value, _whole(value))


def _arith(operator: str, left: ir.Expr, right: ir.Expr) -> ir.Arith:
    return ir.Arith(ir.ArithOp(operator), left, right, type=_FLOAT)
