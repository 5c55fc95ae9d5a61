"""A construct that several engines get wrong: an integer held against a float beyond 2^53.

Cypher compares by value (openCypher, CIP2016-06-14); as floats, neighbours are one.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind

_EXACT = 2**53


def compares_wide_numbers(statement: ir.Statement) -> bool:
    """Whether an integer is compared with a float, and both may be beyond 2^53."""
    for compare in find(statement, ir.Compare):
        kinds = {compare.left.type.kind, compare.right.type.kind}
        if kinds == {Kind.INTEGER, Kind.FLOAT} and all(
            map(_may_be_wide, (compare.left, compare.right))
        ):
            return True
    return False


def _may_be_wide(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int | float):
        return not abs(expr.value) < _EXACT
    # a count is never so large
    return not (isinstance(expr, ir.Agg) and expr.name == "count")
