"""Ranks: is rank 1 the highest or the lowest, and is a filter before or after the limit?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import without_aliases
from graph_ir.variables import introduced
from graph_ir.walk import rewrite
from qa.readings.shape import at_end, stages
from schemagraph.model import NUMERIC, SchemaGraph

_RANKS = ("rank", "ranking", "position", "place", "seed", "priority", "level")
_TURNED = {
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GE: ir.CompareOp.LE,
}


def turned(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Comparisons and orders of ranks the other way round."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, left, right) if op in _TURNED and _ranks(left):
                return ir.Compare(_TURNED[op], left, right)
            case ir.SortKey(expr, descending) if _ranks(expr):
                return ir.SortKey(expr, not descending)
        return node

    changed = rewrite(query, change)
    if changed is not query:
        yield changed


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


def _ranks(expr: ir.Expr) -> bool:
    match expr:
        case ir.Prop(_, key) if expr.type.kind in NUMERIC:
            return key.lower().split("_")[-1] in _RANKS
    return False
