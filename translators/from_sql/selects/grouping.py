"""Aggregation in one projection where nothing else is asked for, else in stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from translators.from_sql.joins.functional_dependencies import Facts
from translators.from_sql.selects.stages import Stages, gathering
from translators.from_sql.statement.names import Names
from translators.from_sql.statement.selection import BareColumnError, Selection, final
from translators.from_sql.statement.terms import variables


def projections(
    selection: Selection, facts: Facts, names: Names, late: Sequence[ir.Clause] = ()
) -> list[ir.Clause]:
    """The clauses that end a SELECT, the last one final.

    `late` are clauses that must run after the aggregation.

    Raises:
        BareColumnError
    """
    if selection.keys is None and not selection.aggregated():
        return _ungrouped(selection, facts, names)
    if selection.keys is None:
        selection = replace(selection, order=())  # one row needs no order
    simple = _one_projection(selection, facts, names) if not late else None
    if simple is not None:
        return simple
    return Stages(selection, facts, names).clauses(late)


def _ungrouped(selection: Selection, facts: Facts, names: Names) -> list[ir.Clause]:
    """Rows as they are; distinct ones may be sorted by what each of them settles."""
    items = selection.items
    exprs = [item.expr for item in items]
    hidden = [sort.expr for sort in selection.order if not _made_of(sort.expr, exprs)]
    if not selection.distinct or not hidden:
        return final(selection, items, selection.order, names)
    settled = facts.settled(exprs)
    for expr in hidden:
        if not settled.has(expr):
            raise BareColumnError(expr)
    keys = replace(selection, keys=tuple(exprs))
    return Stages(keys, facts, names).clauses(())


def _made_of(expr: ir.Expr, parts: Sequence[ir.Expr]) -> bool:
    """Whether an expression reads nothing but the parts."""
    known = set(parts)
    rest = substitute(expr, lambda node: ir.Literal(None) if node in known else None)
    return not variables(rest)


def _one_projection(selection: Selection, facts: Facts, names: Names) -> list[ir.Clause] | None:
    """RETURN keys and aggregates at once, where nothing else is asked for."""
    if selection.having is not None:
        return None
    exprs = [item.expr for item in selection.items]
    if any(gathering(part) for expr in exprs for part in find(expr, ir.CollectOf)):
        return None
    plain = [expr for expr in exprs if not has_aggregate(expr)]
    keys = selection.keys or ()
    settled = facts.settled(plain)
    kept = [key for key in keys if not isinstance(key, ir.Literal)]
    if keys and all(isinstance(expr, ir.Literal) for expr in plain):
        return None  # without a key, no rows would be a group
    if any(key not in plain and not settled.has(key) for key in kept):
        return None
    by_keys = facts.settled(kept)
    for expr in plain:
        if expr not in kept and not by_keys.has(expr):
            return None
    for expr in exprs:
        if has_aggregate(expr) and not _self_contained(expr):
            return None
    for sort in selection.order:
        if sort.expr not in exprs and not isinstance(sort.expr, ir.Literal):
            return None
    if not selection.aggregated():
        if selection.keys is not None:
            distinct = replace(selection, distinct=True)
            return final(distinct, selection.items, selection.order, names)
        return None
    *before, last = final(selection, selection.items, selection.order, names)
    assert not before  # noqa: S101 - all sort keys are output columns
    assert isinstance(last, ir.Project)  # noqa: S101 - a RETURN
    return [replace(last, group=tuple(plain))]


def _self_contained(expr: ir.Expr) -> bool:
    """Whether all that an expression reads stands inside its aggregates."""
    rest = substitute(expr, lambda node: ir.Literal(None) if isinstance(node, ir.Agg) else None)
    return not variables(rest)
