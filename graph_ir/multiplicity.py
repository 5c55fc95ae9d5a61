"""Whether it matters how often a row is there: under DISTINCT, and in what counts a value once."""

from __future__ import annotations

from collections.abc import Sequence

from graph_ir import nodes as ir
from graph_ir.walk import find


def counts_once(clauses: Sequence[ir.Clause], after: bool) -> bool:
    """Whether the number of equal rows makes no difference to what these clauses make of them."""
    for clause in clauses:
        decided = _decided(clause)
        if decided is not None:
            return decided
    return after


def counts_once_behind(clauses: Sequence[ir.Clause], after: bool) -> list[bool]:
    """`counts_once` of what stands behind each clause."""
    behind = []
    for clause in reversed(clauses):
        behind.append(after)
        decided = _decided(clause)
        after = after if decided is None else decided
    return behind[::-1]


def _decided(clause: ir.Clause) -> bool | None:
    """The same of one clause; None where it is for those after it to say."""
    match clause:
        case ir.Match() | ir.Unwind():
            return None
        case ir.Project():
            if clause.group is not None:
                return all(once(agg) for agg in _aggregates(clause))
            if clause.distinct:
                return True
            return None if clause.skip is None and clause.limit is None else False
        case _:
            return False


def _aggregates(project: ir.Project) -> list[ir.Agg]:
    parts: list[ir.Node] = [*project.items, *project.order]
    return [agg for part in parts for agg in find(part, ir.Agg)]


def once(agg: ir.Agg) -> bool:
    """Whether an aggregate counts equal values once."""
    return agg.distinct or agg.name in ("min", "max")
