"""Whether it matters how often a row is there: under DISTINCT, and in what counts a value once."""

from __future__ import annotations

from collections.abc import Sequence

from graph_ir import nodes as ir
from graph_ir.walk import find


def counts_once(clauses: Sequence[ir.Clause], after: bool) -> bool:
    """Whether the number of equal rows makes no difference to what these clauses make of them."""
    for clause in clauses:
        match clause:
            case ir.Match() | ir.Unwind():
                continue
            case ir.Project():
                if clause.group is not None:
                    return all(once(agg) for agg in _aggregates(clause))
                if clause.distinct:
                    return True
                if clause.skip is not None or clause.limit is not None:
                    return False
            case _:
                return False
    return after


def _aggregates(project: ir.Project) -> list[ir.Agg]:
    parts: list[ir.Node] = [*project.items, *project.order]
    return [agg for part in parts for agg in find(part, ir.Agg)]


def once(agg: ir.Agg) -> bool:
    """Whether an aggregate counts equal values once."""
    return agg.distinct or agg.name in ("min", "max")
