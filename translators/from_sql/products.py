"""SQL multiplies from left to right, where Neo4j multiplies the constants of a product first.

`x * 0.7 * 10` has other last digits there (`graph_ir.cypher.operators.constant_factors`), and
another floor. A constant that a function gives is none to Neo4j.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.cypher.operators import as_written, constant_factors
from graph_ir.walk import find, rewrite
from schemagraph.model import Kind, SchemaGraph


def in_order(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement whose products are computed as they are written; of integers alone it is all
    the same."""
    if not any(map(constant_factors, find(statement, ir.Arith))):
        return statement
    return rewrite(bound(statement, schema).statement, _in_order)


def _in_order(node: ir.Node) -> ir.Node:
    factors = constant_factors(node) if isinstance(node, ir.Arith) else None
    if factors is None:
        return node
    assert isinstance(node, ir.Arith)  # noqa: S101 - nothing else has factors
    numbers = (*find(factors.first, ir.Literal), *find(factors.last, ir.Literal))
    whole = not any(isinstance(number.value, float) for number in numbers)
    if whole and factors.varying.type.kind is Kind.INTEGER:
        return replace(factors.product(node.span), type=node.type)
    return as_written(node)
