"""What both profiles of grafeo 0.6 must not ask it, because it answers wrongly."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import NUMERIC, Kind
from translators.gql.values import item_nullable, kind_of

_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)


def unsound_comparison(node: ir.Compare) -> str:
    """Why grafeo answers a comparison wrongly, or nothing."""
    kinds = {kind_of(node.left), kind_of(node.right)}
    if node.op in _ORDERED and kinds & {Kind.BOOLEAN, Kind.LIST}:
        return "has no order of booleans and lists"
    if Kind.STRING in kinds and kinds & NUMERIC:
        return "takes texts for numbers"
    if Kind.MAP in kinds or any(
        kind_of(side) is Kind.LIST and item_nullable(side) for side in (node.left, node.right)
    ):
        return "takes null for a value in lists and maps"
    return ""
