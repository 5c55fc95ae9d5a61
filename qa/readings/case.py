"""Case: is "art" the same text as "Art"?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from schemagraph.model import Kind, SchemaGraph

_PLAIN = (ir.TextOp.STARTS, ir.TextOp.ENDS, ir.TextOp.CONTAINS)


def any_case(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Constants that are compared with texts without regard to case."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Text(op, ir.Prop() as left, ir.Literal(str(text)) as right) if op in _PLAIN:
                return replace(node, left=_lower(left), right=_lowered(right, text))
            case ir.Compare(
                ir.CompareOp.EQ | ir.CompareOp.NE, ir.Prop() as left, ir.Literal(str(text)) as right
            ) if left.type.kind is Kind.STRING:
                return replace(node, left=_lower(left), right=_lowered(right, text))
        return node

    changed = rewrite(query, change)
    if changed is not query:
        yield changed


def _lower(expr: ir.Expr) -> ir.Expr:
    return ir.Call("toLower", (expr,))


def _lowered(literal: ir.Literal, text: str) -> ir.Literal:
    return replace(literal, value=text.lower())
