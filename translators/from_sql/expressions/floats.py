"""Which expressions are binary floats for sure, and which may be infinite or no number."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.numbers import HUGE
from graph_ir.walk import find
from schemagraph.mapping import Affinity
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.values import Value


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
