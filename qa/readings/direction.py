"""Direction of relations between things of one type: does "knows" hold both ways?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from schemagraph.model import SchemaGraph


def both_ways(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """An edge between things of one type, followed in either direction."""
    for edge in dict.fromkeys(find(query, ir.EdgePattern)):
        own = [schema.edge_by_name[n] for n in edge.type.of if n in schema.edge_by_name]
        if edge.direction is ir.Direction.BOTH or not any(e.source == e.target for e in own):
            continue

        def change(node: ir.Node, edge: ir.EdgePattern = edge) -> ir.Node:
            return replace(edge, direction=ir.Direction.BOTH) if node == edge else node

        yield rewrite(query, change)
