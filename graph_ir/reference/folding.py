"""Comparisons that Neo4j makes in ways of its own, and that other engines cannot follow.

Its planner folds those of computed constants before the query runs: it has an integer and a float
for equal that are so as floats, so that `9007199254740992 + 1 = 9007199254740992.0` is true, and at
run time, where `9007199254740993` is a value, compares by value. Which of the two a comparison
meets is an optimiser's choice; IN and equal lists always compare by value. And it has -0.0 before
0.0 in an order (measured with Neo4j 2026.08).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from graph_ir import nodes as ir
from graph_ir.numbers import picks_zero
from graph_ir.walk import find
from graphmill.errors import Refused, Span
from schemagraph.encoding import EXACT
from schemagraph.model import NUMERIC, Kind, Type

_LAST, _PAST = 2**63 - 1, 2.0**63
_BY_VALUE = frozenset({ir.CompareOp.LE, ir.CompareOp.GE})


def refuse_folded(statement: ir.Statement) -> None:
    """Refuse comparisons whose answer depends on whether they are folded.

    Raises:
        Refused: an integer and a float are compared, both constants that may be beyond 2^53, of
            which at least one is computed.
    """
    for left, right in _compared(statement):
        _refuse_computed(left, right)


def refuse_near_constants(statement: ir.Statement, *, members: bool) -> None:
    """For languages that compare integers with floats as floats: refuse constants that are one as
    floats and two by value, where the statement compares values that Neo4j does not fold.
    `members`: a constant is looked for in a list of constants by value (`member_test`).

    Raises:
        Refused: it does.
    """
    folded = {
        id(side)
        for compare in find(statement, ir.Compare)
        if compare.op not in _BY_VALUE and folds_as_floats(compare.left, compare.right)
        for side in (compare.left, compare.right)
    }
    tests = [each for each in find(statement, ir.In) if not (members and _of_constants(each))]
    if members:
        listed = [each for each in find(statement, ir.In) if _of_constants(each)]
        folded |= {id(each) for test in listed for each in find(test, ir.Literal)}
    written = [each for each in find(statement, ir.Literal) if id(each) not in folded]
    wholes = [each.value for each in written if type(each.value) is int]
    floats = {each.value for each in written if type(each.value) is float}
    near = any(abs(number) >= EXACT and is_next(number, floats) for number in wholes)
    projects = list(find(statement, ir.Project))
    orders = any(each.order or each.group or each.distinct for each in projects) or any(
        agg.name in ("min", "max") for agg in find(statement, ir.Agg)
    )
    compares = [each for each in find(statement, ir.Compare) if id(each.left) not in folded]
    if near and (orders or compares or tests or next(find(statement, ir.Case), None) is not None):
        reason = "Beyond 2^53 the integer equals the float that is next to it."
        raise Refused("comparison", "Compare", reason)


def _of_constants(test: ir.In) -> bool:
    items = test.list.items if isinstance(test.list, ir.ListOf) else (test.list,)
    return all(isinstance(each, ir.Literal) for each in (test.item, *items))


def is_next(number: int, floats: Collection[float]) -> bool:
    """Whether one of these is the float of an integer that no float is.

    >>> is_next(2**53 + 1, {2.0**53}), is_next(2**53, {2.0**53}), is_next(10**400, {1.0})
    (True, False, False)
    """
    if not -(2**63) <= number < 2**63:
        return False
    return any(each == float(number) and each != number for each in floats)


def folds_as_floats(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether two constants are equal as Neo4j folds them, and unlike by value."""
    sides = [side.value for side in (left, right) if isinstance(side, ir.Literal)]
    whole = next((side for side in sides if type(side) is int), None)
    real = next((side for side in sides if type(side) is float), None)
    return whole is not None and real is not None and is_next(whole, (real,))


def member_test(item: ir.Expr, listed: ir.Expr, span: Span | None) -> ir.Expr:
    """Whether `item` is this one of a list, as a comparison: IN compares two constants by value,
    which `=` of them does not.

    Raises:
        Refused: of these two constants, which are computed, `=` has an answer of its own.
    """
    _refuse_computed(item, listed)
    constants = [
        side.value
        for side in (item, listed)
        if isinstance(side, ir.Literal)
        and isinstance(side.value, int | float)
        and not isinstance(side.value, bool)
    ]
    if len(constants) == 2 and not same_by_value(*constants):
        left, right = constants
        if isinstance(left, int) is not isinstance(right, int) and float(left) == float(right):
            return ir.Literal(False, type=Type(Kind.BOOLEAN), span=span)
    return ir.Compare(ir.CompareOp.EQ, item, listed, span=span)


def same_by_value(left: float, right: float) -> bool:
    """Whether Neo4j has two numbers for equal at run time, where 2^63 - 1 is 2^63 as a float.

    >>> same_by_value(2**53 + 1, 2.0**53), same_by_value(2**60, 2.0**60)
    (False, True)
    >>> same_by_value(2**63 - 1, 2.0**63)
    True
    """
    if isinstance(left, int) is isinstance(right, int):
        return left == right
    return left == right or sorted((left, right)) == [_LAST, _PAST]


def _refuse_computed(left: ir.Expr, right: ir.Expr) -> None:
    numbers = {left.type.kind, right.type.kind} == NUMERIC
    if numbers and _is_computed(left, right) and min(map(magnitude, (left, right))) >= EXACT:
        raise Refused(
            "comparison",
            "Compare",
            "Of constants beyond 2^53, Neo4j compares integers with floats in two ways.",
            left.span,
        )


def refuse_picked_zero(statement: ir.Statement) -> None:
    """Refuse what shows whether -0.0 or 0 is the least or greatest; see `picks_zero`.

    Raises:
        Refused: it may.
    """
    picked = picks_zero(statement)
    if picked is not None:
        reason = "Cypher orders -0.0 before 0.0, which are one number here."
        raise Refused("comparison", "min()", reason, picked.span)


def magnitude(expr: ir.Expr) -> float:
    """What the absolute value of a constant is at most; 0 of what is no arithmetic of constants."""
    match expr:
        case ir.Literal(value=int() | float() as number):
            return abs(number)
        case ir.Neg(arg):
            return magnitude(arg)
        case ir.Arith(op=op, left=left, right=right):
            sizes = magnitude(left), magnitude(right)
            if op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
                return sum(sizes)
            return math.prod(sizes) if op is ir.ArithOp.MUL else math.inf
    return 0


def _is_computed(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether two sides are constants, one of them at least computed."""
    if isinstance(left, ir.Literal) and isinstance(right, ir.Literal):
        return False
    parts = (part for side in (left, right) for part in find(side, ir.Expr))
    return all(isinstance(part, ir.Literal | ir.Neg | ir.Arith) for part in parts)


def _compared(statement: ir.Statement) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    for node in find(statement, ir.Compare, ir.Case, ir.Call):
        match node:
            case ir.Compare(op=op, left=left, right=right) if op not in _BY_VALUE:
                yield left, right
            case ir.Case(operand=ir.Expr() as operand, whens=whens):
                yield from ((operand, when.condition) for when in whens)
            case ir.Call(name="nullIf", args=(left, right)):
                yield left, right
