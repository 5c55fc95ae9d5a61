"""Distinct or rows: "which X have a Y" is about different X, once each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from qa.readings.shape import at_end, hides, only, read_by, stages
from schemagraph.model import SchemaGraph


def once_each(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Rows of the things that are shown, once each, however often the rest matches."""
    stage = list(stages(query))[-1]
    last = stage.project
    if last.distinct or last.group is not None:
        return
    kept = read_by(last)
    if kept and hides(stage, kept):
        yield at_end(query, last, only(kept))


def distinct_rows(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """The repair: DISTINCT; the things once each where the order reads what is not shown."""
    last = query.clauses[-1]
    if not isinstance(last, ir.Project):
        return
    shown = {item.alias for item in last.items}
    exprs = {item.expr for item in last.items}
    if all(
        key.expr in exprs or (isinstance(key.expr, ir.Var) and key.expr.name in shown)
        for key in last.order
    ):
        yield at_end(query, replace(last, distinct=True))
    else:
        yield from once_each(query, schema)
