"""Comparisons that Neo4j makes in ways of its own, and that other engines cannot follow.

Its planner folds those of computed constants before the query runs: it has an integer and a float
for equal that are so as floats, so that `9007199254740992 + 1 = 9007199254740992.0` is true, and at
run time, where `9007199254740993` is a value, compares by value. Which of the two a comparison
meets is an optimiser's choice. And it has -0.0 before 0.0 in an order (measured with Neo4j
2026.08).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.numbers import picks_zero
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.encoding import EXACT
from schemagraph.model import NUMERIC

_BY_VALUE = frozenset({ir.CompareOp.LE, ir.CompareOp.GE})


def refuse_folded(statement: ir.Statement) -> None:
    """Refuse comparisons whose answer depends on whether they are folded.

    Raises:
        Refused: an integer and a float are compared, both constants that may be beyond 2^53, of
            which at least one is computed.
    """
    for left, right in _compared(statement):
        numbers = {left.type.kind, right.type.kind} == NUMERIC
        if numbers and _is_computed(left, right) and min(map(magnitude, (left, right))) >= EXACT:
            raise Refused(
                "comparison",
                "Compare",
                "Of constants beyond 2^53, Neo4j compares integers with floats in two ways.",
                left.span,
            )


def refuse_picked_zero(statement: ir.Statement, *, extremes: bool = False) -> None:
    """Refuse what shows whether -0.0 or 0.0 comes first; see `picks_zero`.

    Raises:
        Refused: it may.
    """
    picked = picks_zero(statement, extremes=extremes)
    if picked is not None:
        reason = "Cypher orders -0.0 before 0.0, which are one number here."
        raise Refused("comparison", "ORDER BY", reason, picked.span)


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
