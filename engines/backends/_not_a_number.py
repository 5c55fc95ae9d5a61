"""Constructs that several engines get wrong: what is no number, and the zero below zero."""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.numbers import (
    ORDERED,
    below_zero_names,
    holds_below_zero,
    may_be_below_zero,
    may_be_nan,
    may_be_zero,
    nan_names,
    with_one_zero,
)
from graph_ir.walk import find
from schemagraph.model import Kind

_NO_NUMBERS = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.STRING})


def uses_quotients(statement: ir.Statement) -> bool:
    """Whether a quotient by what may be zero, which may be NaN, is searched for, given to a
    function or tells rows apart, here or under a name. Comparisons and orders are worded so that
    they have no NaN."""
    tainted = nan_names(statement)
    return any(_uses(statement, ir.In, ir.Call, ir.Agg)) or any(
        key.type.kind not in _NO_NUMBERS and may_be_nan(key, tainted) for key in _keys(statement)
    )


def extremes_of_quotients(statement: ir.Statement) -> bool:
    """Whether the least or greatest is looked for among what may be NaN."""
    uses = _uses(statement, ir.Agg)
    return any(isinstance(use, ir.Agg) and use.name in ("min", "max") for use in uses)


def _uses(statement: ir.Statement, *kinds: type[ir.Node]) -> Iterator[ir.Node]:
    """The parts of these kinds that hold a value which may be NaN."""
    tainted = nan_names(statement)
    yield from (use for use in find(statement, *kinds) if may_be_nan(use, tainted))


def tells_zeros_apart(statement: ir.Statement) -> bool:
    """Whether rows are told apart by a computed float, which may be 0.0 here and -0.0 there.

    Where the text adds 0.0 to it, an order of such rows has no -0.0 before 0.0.
    """
    if not _tells_zeros_apart(statement):
        return False
    if _tells_zeros_apart(with_one_zero(statement)):
        return True
    return orders_zeros(statement) or sorts_zeros(statement)


def sorts_zeros(statement: ir.Statement) -> bool:
    """Whether rows are sorted by what may be -0.0, but by the only key of their groups."""
    computed = below_zero_names(statement)
    for project in find(statement, ir.Project):
        distinct = [item.expr for item in project.items] if project.distinct else []
        alone = len(project.group or distinct) == 1
        if not alone and any(may_be_below_zero(key.expr, computed) for key in project.order):
            return True
    return False


def _tells_zeros_apart(statement: ir.Statement) -> bool:
    computed = below_zero_names(statement)
    return any(may_be_below_zero(key, computed) for key in _keys(statement))


def _keys(statement: ir.Statement) -> list[ir.Expr]:
    """What rows, groups and distinct values are told apart by."""
    keys: list[ir.Expr] = []
    for project in find(statement, ir.Project):
        if project.distinct:
            keys += [item.expr for item in project.items]
        keys += project.group or ()
    for agg in find(statement, ir.Agg):
        keys += agg.args if agg.distinct else ()
    for union in find(statement, ir.Union):
        if not union.all:
            keys += [item.expr for item in find(union, ir.Item)]
    return keys


def equates_zeros(statement: ir.Statement) -> bool:
    """Whether a computed float that may be -0.0 is held against what may be 0.0, by itself or in a
    list or map, and the text adds no 0.0 to it."""
    statement = with_one_zero(statement)
    computed = below_zero_names(statement)
    held = [
        (compare.left, compare.right)
        for compare in find(statement, ir.Compare)
        if compare.op not in ORDERED
    ]
    held += [(test.item, test.list) for test in find(statement, ir.In)]
    held += [
        (case.operand, when.condition)
        for case in find(statement, ir.Case)
        if case.operand is not None
        for when in case.whens
    ]
    return any(
        any(holds_below_zero(side, computed) for side in sides) and all(map(may_be_zero, sides))
        for sides in held
    )


def orders_zeros(statement: ir.Statement) -> bool:
    """Whether a computed float that may be -0.0 is ordered beside what may be 0: Neo4j has -0.0
    before 0."""
    computed = below_zero_names(statement)
    return any(
        any(may_be_below_zero(side, computed) for side in (compare.left, compare.right))
        and all(map(may_be_zero, (compare.left, compare.right)))
        for compare in find(statement, ir.Compare)
        if compare.op in ORDERED
    )


def orders_sums_of_zeros(statement: ir.Statement) -> bool:
    """Whether a sum or mean of floats that may all be -0.0 is held against what may be 0: Neo4j
    begins with 0.0, and others with the first of them."""
    computed = below_zero_names(statement)
    there = below_zero_names(statement, reference=True)
    if not any(
        agg.name in ("sum", "avg") and any(may_be_below_zero(arg, computed) for arg in agg.args)
        for agg in find(statement, ir.Agg)
    ):
        return False
    sides: list[ir.Expr] = []
    for compare in find(statement, ir.Compare):
        both = (compare.left, compare.right)
        sides += both if compare.op in ORDERED and all(map(may_be_zero, both)) else ()
    return any(
        may_be_below_zero(side, computed) and not may_be_below_zero(side, there, reference=True)
        for side in sides
    )


def tells_durations_apart(statement: ir.Statement) -> bool:
    """Whether rows are told apart by durations, of which one is written in several ways."""
    return any(key.type.kind is Kind.DURATION for key in _keys(statement))
