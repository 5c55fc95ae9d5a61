"""Checks of WITH and RETURN: grouping, and what ORDER BY and WHERE can see.

Source: openCypher 9, "Aggregation" and the TCK features Return6, ReturnOrderBy6 and WithOrderBy4.
"""

from __future__ import annotations

from collections.abc import Iterable

from graph_ir import nodes as ir
from graph_ir.bind.report import Report
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import SUBQUERIES, bound_inside, pattern_names, read_names
from graph_ir.walk import children, find


def check_grouping(report: Report, items: Iterable[ir.Item]) -> None:
    """In an item that aggregates, whatever is outside of the aggregates is a grouping key.

    Keys that can be recognised are variables and properties that stand as items of their own.
    """
    items = tuple(items)
    keys = _simple(item.expr for item in items)
    for item in items:
        if has_aggregate(item.expr):
            _check_outside(report, item.expr, keys, frozenset())


def _simple(exprs: Iterable[ir.Expr]) -> list[ir.Expr]:
    return [expr for expr in exprs if isinstance(expr, ir.Var | ir.Prop)]


def _check_outside(
    report: Report, expr: ir.Node, keys: list[ir.Expr], local: frozenset[str]
) -> None:
    """Report variables in `expr`, outside of its aggregates, that no key fixes."""
    if isinstance(expr, ir.Agg | ir.Exists | ir.CountOf | ir.CollectOf) or expr in keys:
        return
    if isinstance(expr, ir.Var):
        if expr.name not in local:
            report.error(
                expr,
                "ambiguous-aggregation",
                f"'{expr.name}' is mixed with an aggregate and is no grouping key: project it"
                " as a column of its own.",
            )
        return
    if isinstance(expr, ir.ListComp | ir.Quantifier):
        local = local | {expr.var}
    elif isinstance(expr, ir.Reduce):
        local = local | {expr.var, expr.acc}
    elif isinstance(expr, ir.PatternComp):
        local = local.union(pattern_names(expr.path))
    for child in children(expr):
        _check_outside(report, child, keys, local)


def check_visible(
    report: Report, expr: ir.Expr, items: tuple[ir.Item, ...], clause: str, outer: Iterable[str]
) -> None:
    """Behind DISTINCT or aggregation, only columns and projected expressions can be read.

    `outer` are the variables of an enclosing query, which stay visible.
    """
    names = frozenset((*(item.alias for item in items), *outer))
    exprs = [item.expr for item in items]
    if has_aggregate(expr):
        exprs = [e for e in exprs if has_aggregate(e) or isinstance(e, ir.Var | ir.Prop)]
    _check_reads(report, expr, exprs, names, clause)


def _check_reads(
    report: Report, expr: ir.Node, known: list[ir.Expr], names: frozenset[str], clause: str
) -> None:
    if expr in known:
        return
    if isinstance(expr, (ir.PatternComp, *SUBQUERIES)):
        for read in _outside(expr):
            if read.name not in names:
                _invisible(report, read, clause)
        return
    if isinstance(expr, ir.Var):
        if expr.name not in names:
            _invisible(report, expr, clause)
        return
    if isinstance(expr, ir.Agg):
        report.error(
            expr,
            "misplaced-aggregate",
            f"{clause} can only use aggregates that are projected: give {expr.name}() a column.",
        )
        return
    if isinstance(expr, ir.ListComp | ir.Quantifier):
        names = names | {expr.var}
    elif isinstance(expr, ir.Reduce):
        names = names | {expr.var, expr.acc}
    for child in children(expr):
        _check_reads(report, child, known, names, clause)


def _outside(expr: ir.Expr) -> list[ir.Var]:
    """What a subquery reads and nothing in it binds; a pattern as a predicate binds nothing."""
    if isinstance(expr, ir.Exists) and expr.form is not ir.ExistsForm.SUBQUERY:
        return [ir.Var(name, span=expr.span) for name in sorted(read_names(expr))]
    own = bound_inside(expr)
    return [read for read in find(expr, ir.Var) if read.name not in own]


def _invisible(report: Report, read: ir.Var, clause: str) -> None:
    report.error(
        read,
        "undefined-variable",
        f"'{read.name}' is not visible in {clause}: behind an aggregation or DISTINCT only"
        " the projected columns are.",
    )
