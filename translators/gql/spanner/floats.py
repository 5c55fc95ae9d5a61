"""Floats at the edges of what a FLOAT64 of GoogleSQL does as Cypher's: beside integers beyond 2^53,
and where one is too great.

Sources: GoogleSQL, "Conversion rules" (INT64 becomes FLOAT64 beside one) and "Mathematical
functions" (an overflow is an error, where Cypher has Infinity).
"""

from __future__ import annotations

import math
import operator

from graph_ir import nodes as ir
from graph_ir.reference.signs import nans_apart, zeros_apart
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.base import Caveat
from translators.gql.emit.dialect import Gql
from translators.gql.emit.values import kind_of

_CODE = "float-range"
_SAME = "this is the same up to 2^53"
_EXACT = 2**53
_PAST = 2.0**63  # the first float that is no INT64
_SMALL = frozenset({"size", "length", "char_length", "character_length"})
_COMPUTED = {
    ir.ArithOp.ADD: operator.add,
    ir.ArithOp.SUB: operator.sub,
    ir.ArithOp.MUL: operator.mul,
    ir.ArithOp.DIV: operator.truediv,
    ir.ArithOp.POW: operator.pow,
}


def beside(gql: Gql, side: ir.Expr, other: ir.Expr) -> ir.Expr:
    """`side` of a comparison with `other`, so that an integer and a float are compared by value.

    A constant float beyond 2^53 is whole, so that an integer says it. Of two values that are not
    known, a caveat tells.

    Raises:
        Refused: an integer beyond 2^53 that no float is, beside a float.
    """
    kinds = (kind_of(side), kind_of(other))
    number, its = constant(side), constant(other)
    if kinds == (Kind.FLOAT, Kind.INTEGER):
        if its is None and number is not None and _EXACT <= abs(number) < _PAST:
            return ir.Literal(int(number), type=other.type)
        if its is None and number is not None and abs(number) == _PAST and not _is_small(other):
            reason = "The last integers become this float beside it, and are less."
            raise Refused(_CODE, str(number), reason, side.span)
        if number is None and its is None and not _is_small(other):
            _warn(gql, side)
    elif (
        kinds == (Kind.INTEGER, Kind.FLOAT)
        and number is not None
        and its is None
        and float(number) != number
    ):
        raise Refused(
            _CODE,
            str(number),
            "The integer becomes a FLOAT64 beside a float, and is none.",
            side.span,
        )
    return side


def meet_as_floats(*values: ir.Expr) -> bool:
    """Whether all values of an IN would become FLOAT64, and one of them may be no float's.

    "Operators", IN: its values are coerced to one type; comparisons are so two by two.
    """
    numbers = [number for value in values if (number := constant(value)) is not None]
    wide = any(abs(number) >= _EXACT for number in numbers)
    return wide and {kind_of(value) for value in values} >= NUMERIC


def in_one_type(*values: ir.Expr) -> None:
    """Refuse a column of integers and floats with a constant beyond 2^53: all become FLOAT64.

    Raises:
        Refused
    """
    if meet_as_floats(*values):
        reason = "Integers beside a float become FLOAT64, and may be none."
        raise Refused(_CODE, "coalesce()", reason, values[0].span)


def not_a_number(gql: Gql, side: ir.Expr) -> None:
    """Say that MIN of a NaN is NaN, which is the greatest of numbers in Cypher."""
    if all(known.construct != "min()" for known in gql.caveats):
        reason = "MIN of values with a NaN is NaN: this is the same where no value is one."
        gql.caveats.append(Caveat(_CODE, "min()", reason, side.span))


def zeros_and_nans(statement: ir.Statement) -> tuple[Caveat, ...]:
    """What must hold of zeros and NaN: "Data types", floating point types, has all zeros for equal
    and NaN for the least in an order, and groups all NaN together."""
    zero = "Spanner has -0.0 and 0.0 for one: this is the same where no two such zeros meet."
    nan = "Spanner has one NaN, before all numbers: this is the same where no value is NaN."
    known: dict[tuple[str, str], Caveat] = {}
    for reason, values in ((zero, zeros_apart(statement)), (nan, nans_apart(statement))):
        for construct, value in values:
            known.setdefault((construct, reason), Caveat(_CODE, construct, reason, value.span))
    return tuple(known.values())


def mixed(gql: Gql, what: str, *values: ir.Expr) -> None:
    """Say that integers beside floats become floats, where one of them may be beyond 2^53.

    "Conversion rules", supertypes: INT64 and FLOAT64 have FLOAT64.
    """
    if len(NUMERIC & {kind_of(value) for value in values}) < len(NUMERIC):
        return
    wide = (v for v in values if kind_of(v) is Kind.INTEGER and not _is_small(v))
    if any(number is None or abs(number) > _EXACT for number in map(constant, wide)):
        _warn(gql, values[0], what, f"Integers beside a float become FLOAT64: {_SAME}.")


def _warn(
    gql: Gql,
    side: ir.Expr,
    what: str = "comparison",
    reason: str = f"Beside a float, integers are compared as FLOAT64: {_SAME}.",
) -> None:
    if all((known.code, known.construct) != (_CODE, what) for known in gql.caveats):
        gql.caveats.append(Caveat(_CODE, what, reason, side.span))


def in_range(node: ir.Arith) -> None:
    """Refuse a constant that overflows: Cypher has Infinity, GoogleSQL an error.

    Raises:
        Refused
    """
    left, right = constant(node.left), constant(node.right)
    if left is None or right is None or node.op not in _COMPUTED or not right:
        return
    if node.op is not ir.ArithOp.POW and isinstance(left, int) and isinstance(right, int):
        return
    try:
        value = _COMPUTED[node.op](float(left), float(right))
    except OverflowError:
        value = math.inf
    except ZeroDivisionError:
        return
    if isinstance(value, float) and math.isinf(value):
        raise Refused(_CODE, node.op.value, "A FLOAT64 overflows to an error.", node.span)


def in_integers(node: ir.Call) -> None:
    """Refuse a constant float that is no INT64: Cypher has the last integer, GoogleSQL an error.

    Raises:
        Refused
    """
    value = constant(node.args[0])
    if value is not None and not -_PAST <= value < _PAST:
        raise Refused(_CODE, f"{node.name}()", "The float is no INT64.", node.span)


def constant(node: ir.Expr) -> int | float | None:
    """The number that a literal is, with its sign or without."""
    if isinstance(node, ir.Neg):
        positive = constant(node.arg)
        return None if positive is None else -positive
    value = node.value if isinstance(node, ir.Literal) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_small(node: ir.Expr) -> bool:
    """Whether an integer counts something."""
    match node:
        case ir.Agg("count") | ir.CountOf():
            return True
        case ir.Call(name):
            return name in _SMALL
    return False
