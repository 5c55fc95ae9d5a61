"""An aggregate of what is round a node: a value of each node, where Graph-IR has a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from schemagraph.model import Kind

SHOWN_IN_MAPS = frozenset({Kind.MAP, Kind.ANY, Kind.PATH, Kind.NULL, Kind.POINT})
"""Kinds of the one column of an answer whose rows are maps all the same."""

TOTAL = "sum of something"
"""The name of an aggregate that Graph-IR has not: a sum that is null where there is nothing."""


@dataclass(frozen=True, slots=True)
class Reduction(ir.Expr):
    """An aggregate of the rows of a MATCH round a node that is known.

    `sure`: there is a value wherever it is read, or a row without one is dropped all the same.
    """

    name: str
    args: tuple[ir.Expr, ...]
    distinct: bool
    body: ir.Query
    sure: bool = False


def drops_empty(where: ir.Expr | None, empty: Mapping[str, str]) -> bool:
    """Whether a condition drops a group without rows."""
    return any(_fails_for_nothing(test, empty) for test in conjuncts(where))


_SIGNS: Mapping[ir.CompareOp, Callable[[float, float], bool]] = {
    ir.CompareOp.EQ: lambda a, b: a == b,
    ir.CompareOp.NE: lambda a, b: a != b,
    ir.CompareOp.LT: lambda a, b: a < b,
    ir.CompareOp.LE: lambda a, b: a <= b,
    ir.CompareOp.GT: lambda a, b: a > b,
    ir.CompareOp.GE: lambda a, b: a >= b,
}


def _fails_for_nothing(test: ir.Expr, empty: Mapping[str, str]) -> bool:
    if not isinstance(test, ir.Compare):
        return False
    for side, other, left in ((test.left, test.right, True), (test.right, test.left, False)):
        name = empty.get(side.name) if isinstance(side, ir.Var) else None
        if name in ("min", "max", "avg"):
            return True  # null
        if name in ("count", "sum") and isinstance(other, ir.Literal):
            number = other.value
            if isinstance(number, bool) or not isinstance(number, int | float):
                return False
            pair = (0, number) if left else (number, 0)
            return not _SIGNS[test.op](*pair)
    return False


def aggregate_columns(project: ir.Project) -> Mapping[str, str]:
    """Columns that are an aggregate, by name: which it is."""
    return {i.alias: i.expr.name for i in project.items if isinstance(i.expr, ir.Agg)}
