"""Polarity of ranks: is rank 1 the highest or the lowest?"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
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


def _ranks(expr: ir.Expr) -> bool:
    match expr:
        case ir.Prop(_, key) if expr.type.kind in NUMERIC:
            return key.lower().split("_")[-1] in _RANKS
    return False
