"""A construct that several engines get wrong: an integer held against a float beyond 2^53.

Cypher compares by value (openCypher, CIP2016-06-14); as floats, neighbours are one.
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind

_EXACT = 2**53
_NUMBERS = frozenset({Kind.INTEGER, Kind.FLOAT})


def compares_wide_numbers(statement: ir.Statement) -> bool:
    """Whether an integer is compared with a float, and both may be beyond 2^53."""
    return any(
        {left.type.kind, right.type.kind} == _NUMBERS and _may_be_wide(left) and _may_be_wide(right)
        for left, right in _compared(statement)
    )


def compares_wide_constants(statement: ir.Statement) -> bool:
    """Whether it is so, and one of the two is a constant beyond 2^53."""
    return any(
        {left.type.kind, right.type.kind} == _NUMBERS
        and _may_be_wide(left)
        and _may_be_wide(right)
        and (isinstance(left, ir.Literal) or isinstance(right, ir.Literal))
        for left, right in _compared(statement)
    )


def _compared(statement: ir.Statement) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """What is held against one another: by operators, IN and CASE, item by item in lists."""
    for compare in find(statement, ir.Compare):
        yield from _pairs(compare.left, compare.right)
    for member in find(statement, ir.In):
        yield from ((member.item, item) for item in _items(member.list))
    for case in find(statement, ir.Case):
        if case.operand is not None:
            yield from ((case.operand, when.condition) for when in case.whens)


def _pairs(left: ir.Expr, right: ir.Expr) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    yield left, right
    if left.type.kind is right.type.kind is Kind.LIST:
        for one in _items(left):
            yield from ((one, other) for other in _items(right))


def _items(expr: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.ListOf):
        yield from expr.items
    elif expr.type.item is not None:
        yield ir.Var("item", type=expr.type.item)


def _may_be_wide(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int | float):
        return not abs(expr.value) < _EXACT
    # a count is never so large
    return not (isinstance(expr, ir.Agg) and expr.name == "count")
