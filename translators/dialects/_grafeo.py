"""What both profiles of grafeo 0.6 must not ask it, because it answers wrongly."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from schemagraph.model import NUMERIC, Kind
from translators.gql.values import item_nullable, kind_of

NO_SUBQUERY = "drops the rows of an OPTIONAL MATCH whose WHERE has a subquery that fails"

_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)


def unsound_comparison(node: ir.Compare) -> str:
    """Why grafeo answers a comparison wrongly, or nothing."""
    kinds = {kind_of(node.left), kind_of(node.right)}
    if node.op in _ORDERED and kinds & {Kind.BOOLEAN, Kind.LIST}:
        return "has no order of booleans and lists"
    if Kind.STRING in kinds and kinds & NUMERIC:
        return "takes texts for numbers"
    if Kind.MAP in kinds or any(
        kind_of(side) is Kind.LIST and _holds_null(side) for side in (node.left, node.right)
    ):
        return "takes null for a value in lists and maps"
    return ""


def _holds_null(expr: ir.Expr) -> bool:
    """Whether a null can stand anywhere inside the list `expr`."""
    if isinstance(expr, ir.ListOf):
        return item_nullable(expr) or any(
            _holds_null(item) for item in expr.items if kind_of(item) is Kind.LIST
        )
    found = expr.type
    while found.kind is Kind.LIST:
        if found.item is None or found.item.nullable:
            return item_nullable(expr)
        found = found.item
    return found.kind is Kind.ANY and item_nullable(expr)


def unsound_membership(node: ir.In) -> str:
    """Why grafeo answers `item IN list` wrongly, or nothing."""
    items = node.list.items if isinstance(node.list, ir.ListOf) else ()
    tests = (ir.Compare(ir.CompareOp.EQ, node.item, item) for item in items)
    return next(filter(None, map(unsound_comparison, tests)), "")


def null_properties(statement: ir.Statement) -> ir.Statement:
    """`{key: null}` matches nothing, but grafeo takes it for "is missing": a WHERE says it."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and isinstance(node.props, ir.MapOf):
            kept = tuple(e for e in node.props.entries if e.value != ir.Literal(None))
            if len(kept) < len(node.props.entries):
                props = replace(node.props, entries=kept) if kept else None
                return replace(node, props=props, where=ir.Literal(False))
        return node

    return rewrite(statement, change)


def subquery_in(where: ir.Expr | None) -> bool:
    """Whether a condition asks a subquery or a pattern."""
    kinds = (ir.Exists, ir.CountOf, ir.CollectOf, ir.PatternComp, ir.PathExpr)
    return where is not None and next(find(where, *kinds), None) is not None
