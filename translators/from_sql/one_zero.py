"""SQL has one zero: floats that may be -0.0 are held and sorted as 0.0.

In Cypher -0.0 is before 0.0 (`graph_ir.numbers`); a number to which 0.0 is added is never -0.0.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.numbers import ORDERED, below_zero_names, may_be_below_zero, may_be_zero
from graph_ir.walk import find, rewrite
from schemagraph.model import SchemaGraph


def with_one_zero(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement in which no order tells -0.0 from 0.0.

    What is ordered against what cannot be zero stays as it is, and so does the last sort key: SQL
    leaves open which of its ties comes first.
    """
    if not any(find(statement, ir.Arith, ir.Call, ir.Literal)):
        return statement
    typed = bound(statement, schema).statement
    computed = below_zero_names(typed, reference=True)

    def change(node: ir.Node) -> ir.Node:
        sides: list[ir.Expr] = []
        if isinstance(node, ir.Compare) and node.op in ORDERED:
            both = [node.left, node.right]
            sides = both if all(map(may_be_zero, both)) else []
        elif isinstance(node, ir.Project):
            sides = [key.expr for key in node.order[:-1]]
        if not any(may_be_below_zero(side, computed, reference=True) for side in sides):
            return node
        exact = [_at_least_zero(side, computed) for side in sides]
        if isinstance(node, ir.Compare):
            return replace(node, left=exact[0], right=exact[1])
        assert isinstance(node, ir.Project)  # noqa: S101 - nothing else has sides
        keys = [replace(key, expr=e) for key, e in zip(node.order[:-1], exact, strict=True)]
        return replace(node, order=(*keys, node.order[-1]))

    changed = rewrite(typed, change)
    return statement if changed is typed else changed


def _at_least_zero(expr: ir.Expr, computed: Container[str]) -> ir.Expr:
    """The number, or 0.0 where it is -0.0."""
    if not may_be_below_zero(expr, computed, reference=True):
        return expr
    if isinstance(expr, ir.Literal):
        return replace(expr, value=0.0)
    return ir.Arith(ir.ArithOp.ADD, expr, ir.Literal(0.0), type=expr.type)
