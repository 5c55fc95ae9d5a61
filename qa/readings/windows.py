"""Filter before or after the limit: the top ones of all, or of those that are asked about?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import without_aliases
from graph_ir.variables import introduced
from qa.readings.shape import at_end, stages
from schemagraph.model import SchemaGraph


def filter_after(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """The first of all things, and of these the ones that meet the condition."""
    stage = list(stages(query))[-1]
    last, match = stage.project, stage.match
    if match is None or match.where is None or last.limit is None or not last.order:
        return
    if last.group is not None or last.distinct or len(query.clauses) != 2:
        return
    order = tuple(replace(key, expr=without_aliases(key.expr, last)) for key in last.order)
    names = introduced(match)
    cut = ir.Project(
        tuple(ir.Item(ir.Var(name), name) for name in names),
        order=order,
        skip=last.skip,
        limit=last.limit,
        where=match.where,
    )
    shown = replace(last, skip=None, limit=None)
    yield at_end(replace(query, clauses=(replace(match, where=None), last)), shown, cut)
