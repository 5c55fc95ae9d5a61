"""Which expressions are binary floats for sure, which are exact, and which may be infinite or no
number."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.numbers import HUGE
from graph_ir.walk import find
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.exactness import (
    Exactness,
    at_scale,
    has_more_digits,
    is_small,
    nearest,
    of_constant,
)
from translators.from_sql.statement.values import (
    Value,
    as_float,
    microseconds_of,
    number,
    parsed_number,
)


def binary(site: Site, *values: Value, some: bool = False) -> Affinity | None:
    """The affinity REAL, where all of the values have it, or `some` do.

    In SQLite, only columns have an affinity.
    """
    real = [value.affinity is Affinity.REAL for value in values]
    sure = any(real) if some else bool(real) and all(real)
    return Affinity.REAL if sure and not site.house.rules.affinity else None


def makes_no_number(op: ir.ArithOp, left: ir.Expr, right: ir.Expr) -> bool:
    """Whether huge constants may make a sum or product one of infinite numbers that is NaN."""
    huge = [_may_be_infinite(side) for side in (left, right)]
    if op is ir.ArithOp.MUL:
        finite = [side for side, each in zip((left, right), huge, strict=True) if not each]
        return any(huge) and any(not _is_nonzero(side) for side in finite)
    return op in (ir.ArithOp.ADD, ir.ArithOp.SUB) and all(huge)


def _may_be_infinite(expr: ir.Expr) -> bool:
    """Whether it is an infinite constant, or computed with a huge one."""
    constants = [abs(c.value) for c in find(expr, ir.Literal) if isinstance(c.value, float)]
    if isinstance(expr, ir.Literal):
        return float("inf") in constants
    return any(value >= HUGE for value in constants)


def _is_nonzero(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and expr.value != 0


def exactness(site: Site, value: Value) -> Exactness | None:
    """What is known of a number that is exact in the source; None of what may be a float."""
    if site.house.rules.affinity or not value.numeric:
        return None
    if value.exact is not None and (value.kind is Kind.FLOAT or value.exact.constant is not None):
        return value.exact
    if value.affinity is Affinity.REAL and value.kind is Kind.FLOAT:
        return None
    literal = value.expr.value if isinstance(value.expr, ir.Literal) else None
    if isinstance(literal, int | float) and not isinstance(literal, bool):
        return of_constant(Decimal(repr(literal))) if _is_finite(literal) else None
    if value.kind is Kind.INTEGER:
        known = value.exact or Exactness()
        return Exactness(0, wide=known.wide, large=known.large, most=known.most)
    return None


def _is_finite(constant: int | float) -> bool:
    return abs(constant) != float("inf") and constant == constant


def constant_number(word: str) -> Value:
    """The number of a text, with all of its digits.

    >>> str(constant_number(" 0.30000000000000000001").exact.constant)
    '0.30000000000000000001'
    """
    constant = Decimal(word.strip(" \t\n\v\f\r"))
    exact, parsed = of_constant(constant), parsed_number(word)
    if exact.wide and exact.scale:
        return replace(number(float(constant)), exact=exact)
    return number(float(constant) if parsed is None else parsed)


def decimal(site: Site, node: exp.Expr, value: Value) -> Value:
    """A number of which the float is the nearest to it.

    Raises:
        Refused: there is no way to have that.
    """
    check_settled(site, node, value)
    known = exactness(site, value)
    if known is None or value.kind is not Kind.FLOAT or not known.drifts:
        return value
    expr = None if known.wide or known.long else nearest(value.expr, known)
    if expr is None:
        raise _no_nearest(site, node)
    return settled(value, expr)


_ENDS = "is a quotient, which PostgreSQL ends after digits that depend on its sides"
_UNSETTLED = {
    "decimal-scale": f"compares or rounds as a double what {_ENDS}",
    "open-order": "compares or rounds doubles that are added up in an order that SQL leaves open",
}


def check_settled(site: Site, node: exp.Expr, *values: Value) -> None:
    """See that the last digits of doubles are known.

    Raises:
        Refused: one is a sum or mean of doubles, which depends on the order of the rows
            (https://www.postgresql.org/docs/current/datatype-numeric.html, 8.1.3), or a quotient of
            decimals that is made a double.
    """
    code = next((value.unsettled for value in values if value.unsettled), "")
    if code:
        raise site.refused(code, node, _UNSETTLED[code])


def ends_open(site: Site, value: Value) -> bool:
    """Whether it is a quotient that PostgreSQL may have for another than an equal one."""
    known = exactness(site, value)
    return known is not None and known.cut and known.divisor is None


def as_key(site: Site, node: exp.Expr, value: Value) -> Value:
    """The same of a number that is told from others, as keys of groups and distinct rows are.

    Raises:
        Refused: equal numbers may be several in the source.
    """
    if ends_open(site, value):
        raise site.refused("decimal-scale", node, f"tells apart what {_ENDS}")
    return decimal(site, node, value)


def check_ties(site: Site, node: exp.Expr, value: Value) -> None:
    """See that rows are peers of an order here where they are so in the source.

    Raises:
        Refused: equal numbers may be several in the source.
    """
    check_settled(site, node, value)
    if ends_open(site, value):
        raise site.refused("decimal-scale", node, f"orders with another key what {_ENDS}")


def as_real(site: Site, node: exp.Expr, value: Value) -> Value:
    """A number as the double that PostgreSQL makes of it: of decimals, the nearest.

    Raises:
        Refused: it has 15 digits of a double already.
    """
    known = exactness(site, value)
    if not value.numeric or value.affinity is Affinity.REAL or known is None:
        return as_float(value)
    if known.of_double:
        raise site.refused("decimal-scale", node, "has 15 digits of a float")
    near = replace(as_float(if_decimal(site, value)), exact=None, affinity=Affinity.REAL)
    return replace(near, unsettled="decimal-scale" if known.cut else "")


def if_decimal(site: Site, value: Value) -> Value:
    """The same, or the value as it is."""
    known = exactness(site, value)
    if known is None or value.kind is not Kind.FLOAT or not known.drifts or known.wide:
        return value
    if known.rough:
        return value
    expr = nearest(value.expr, known)
    if expr is not None:
        return settled(value, expr)
    ratio = known.ratio
    if ratio is None or ratio.expr != value.expr:
        return value
    return replace(value, expr=ratio.nearest, exact=replace(known, ratio=None, rounds=True))


def to_round(site: Site, node: exp.Expr, value: Value) -> ir.Expr:
    """The float that has, when it is rounded, the digits that the number has then.

    Raises:
        Refused: there is no way to have that.
    """
    known = exactness(site, value)
    if known is None or value.kind is not Kind.FLOAT or not known.drifts or known.rounds:
        return value.expr
    if microseconds_of(value.expr) is not None:  # the quotient of whole numbers
        return value.expr
    if known.rough:
        raise _no_nearest(site, node)
    ratio = known.ratio
    if ratio is not None and ratio.expr == value.expr and not (known.near and not known.wide):
        return ratio.nearest
    if known.wide:
        if known.scale is None or known.cancels:
            raise _no_nearest(site, node)
        # Of few digits, it is as near as others are; of more than a float has, none is rounded.
        expr = nearest(value.expr, replace(known, wide=False))
        if expr is None:
            raise _no_nearest(site, node)
        return expr
    near = if_decimal(site, value)
    if near is value:
        raise _no_nearest(site, node)
    return near.expr


def _no_nearest(site: Site, node: exp.Expr) -> Exception:
    sentence = "is a decimal, of which the float may not be the nearest"
    return site.refused("decimal-scale", node, f"compares or rounds what {sentence}")


def settled(value: Value, expr: ir.Expr) -> Value:
    """A number as the expression that gives the nearest float."""
    known = value.exact
    exact = known and replace(known, drifts=False, near=None, long=False)
    return replace(value, expr=expr, exact=exact)


_TESTS: dict[ir.CompareOp, Callable[[Decimal, Decimal], bool]] = {
    ir.CompareOp.EQ: operator.eq,
    ir.CompareOp.NE: operator.ne,
    ir.CompareOp.LT: operator.lt,
    ir.CompareOp.LE: operator.le,
    ir.CompareOp.GT: operator.gt,
    ir.CompareOp.GE: operator.ge,
}
_FLIPPED = {
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}
type Sides = tuple[ir.CompareOp, Value, Value]
"""The operator and the sides of a comparison."""


def as_exact(
    site: Site, node: exp.Expr, op: ir.CompareOp, left: Value, right: Value
) -> Sides | bool:
    """A comparison of floats that is that of the numbers in the source, or its answer for all that
    are not null.

    Raises:
        Refused: there is no such comparison.
    """
    if site.house.rules.affinity or not (left.numeric and right.numeric):
        return op, left, right
    facts = [exactness(site, side) for side in (left, right)]
    if left.expr != right.expr or facts[0] != facts[1]:
        check_settled(site, node, left, right)
        _check_ends(site, node, left, right)
    if any(
        known is None and side.affinity is Affinity.REAL and side.kind is Kind.FLOAT
        for known, side in zip(facts, (left, right), strict=True)
    ):
        return op, _beside_float(site, node, left), _beside_float(site, node, right)
    if left.constant and not right.constant:
        op, left, right = _FLIPPED.get(op, op), right, left
        facts.reverse()
    known, other = facts
    if not right.constant or known is None or other is None or other.constant is None:
        return op, decimal(site, node, left), decimal(site, node, right)
    return _against(site, node, op, left, known, right, other.constant)


def _check_ends(site: Site, node: exp.Expr, left: Value, right: Value) -> None:
    """See that a quotient stands beside itself, a number of few digits, or one by the same
    constant.

    Raises:
        Refused: it is compared with another quotient, or as a double.
    """
    one, other = (exactness(site, side) for side in (left, right))
    cut = any(known is not None and known.cut for known in (one, other))
    if not cut:
        return
    if one is None or other is None:
        raise site.refused("decimal-scale", node, _UNSETTLED["decimal-scale"])
    if one.cut and other.cut and (one.divisor is None or one.divisor != other.divisor):
        raise site.refused("decimal-scale", node, f"compares with another what {_ENDS}")


def _beside_float(site: Site, node: exp.Expr, value: Value) -> Value:
    """A number that is compared with a float, for which it is made one."""
    known = exactness(site, value)
    if known is not None and known.wide and (value.kind is Kind.INTEGER or value.integers):
        return as_float(value)
    return decimal(site, node, value)


def _against(
    site: Site,
    node: exp.Expr,
    op: ir.CompareOp,
    left: Value,
    known: Exactness,
    right: Value,
    constant: Decimal,
) -> Sides | bool:
    """A comparison with a constant, which may have more digits than a float."""
    if known.constant is not None:
        if not (has_more_digits(constant) or has_more_digits(known.constant)):
            return op, left, right
        return _TESTS[op](known.constant, constant)
    if (left.kind is Kind.INTEGER or left.integers) and not -(2**63) <= constant < 2**63:
        if left.kind is not Kind.INTEGER:
            raise site.refused("decimal-scale", node, "compares more digits than a float has")
        return _TESTS[op](Decimal(0), constant)  # as every integer of 64 bits
    if left.kind is Kind.FLOAT and known.drifts and (known.wide or known.long):
        # Near a small constant, the number is small too, and off by less than a digit.
        if known.cancels or not is_small(constant, known.scale):
            raise site.refused("decimal-scale", node, "compares more digits than a float has")
        plain = replace(known, wide=False, long=False)
        expr = nearest(left.expr, plain) if known.scale else left.expr
        return op, settled(left, expr or left.expr), right
    if right.kind is Kind.FLOAT and has_more_digits(constant):
        if known.scale is None or (known.drifts and known.scale and known.near):
            raise site.refused("decimal-scale", node, "compares more digits than a float has")
        near = at_scale(constant, known.scale, up=op in (ir.CompareOp.GE, ir.CompareOp.LT))
        if near != constant and op in (ir.CompareOp.EQ, ir.CompareOp.NE):
            return op is ir.CompareOp.NE
        right = _shortened(site, node, near, known)
    return op, decimal(site, node, left), right


def _shortened(site: Site, node: exp.Expr, constant: Decimal, known: Exactness) -> Value:
    """A constant with as many digits as the numbers that it is compared with."""
    if not known.scale and abs(constant) < 2**63:
        return number(int(constant))
    if has_more_digits(constant) and known.drifts:
        raise site.refused("decimal-scale", node, "compares more digits than a float has")
    return number(float(constant))


_ALL_WHOLE = 2.0**52
"""From it on, floats have no fraction."""


def half_even(expr: ir.Expr) -> ir.Expr:
    """A float rounded to a whole one, halves to the even neighbour."""
    below = ir.Arith(ir.ArithOp.SUB, expr, ir.Call("floor", (expr,)))
    half = ir.Compare(ir.CompareOp.EQ, below, ir.Literal(0.5))
    above = ir.Arith(ir.ArithOp.ADD, expr, ir.Literal(0.5))
    pairs = ir.Call("floor", (ir.Arith(ir.ArithOp.DIV, above, ir.Literal(2)),))
    even = ir.Arith(ir.ArithOp.MUL, pairs, ir.Literal(2))
    whens = (all_whole(expr), ir.When(half, even))
    return ir.Case(whens, ir.Call("round", (expr,)))


def all_whole(expr: ir.Expr) -> ir.When:
    """A float that has no fraction for its size, as it is."""
    size = ir.Call("abs", (expr,))
    return ir.When(ir.Compare(ir.CompareOp.GE, size, ir.Literal(_ALL_WHOLE)), expr)
