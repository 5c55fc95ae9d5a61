"""Which of two dates, or of two relations between the same things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from qa.readings.shape import types_of
from schemagraph.model import TEMPORAL, EdgeType, SchemaGraph


def other_date(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Another date of the same things, where one is compared or ordered by."""
    asked = [
        prop
        for test in find(query, ir.Compare, ir.SortKey)
        for prop in find(test, ir.Prop)
        if prop.type.kind in TEMPORAL and isinstance(prop.base, ir.Var)
    ]
    for prop in dict.fromkeys(asked):
        own = types_of(prop.base, schema)
        others = [
            p.name
            for p in (own[0].properties if len(own) == 1 else ())
            if p.type.kind is prop.type.kind and p.name != prop.key
        ]
        for other in others:

            def change(node: ir.Node, prop: ir.Prop = prop, other: str = other) -> ir.Node:
                return replace(prop, key=other) if node == prop else node

            yield _inside_tests(query, change)


def other_relation(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Another relation that joins things of the same two types in the same direction."""
    for edge in dict.fromkeys(find(query, ir.EdgePattern)):
        if not isinstance(edge.types, ir.LabelName) or edge.props or edge.where:
            continue
        own = [schema.edge_by_name[n] for n in edge.type.of if n in schema.edge_by_name]
        ends = {(each.source, each.target) for each in own}
        for label in sorted({e.label for e in _beside(schema, ends)} - {edge.types.name}):

            def change(node: ir.Node, edge: ir.EdgePattern = edge, label: str = label) -> ir.Node:
                return replace(edge, types=ir.LabelName(label)) if node == edge else node

            yield rewrite(query, change)


def _beside(schema: SchemaGraph, ends: set[tuple[str, str]]) -> Iterator[EdgeType]:
    return (each for each in schema.edges if (each.source, each.target) in ends)


def _inside_tests(query: ir.Query, change: object) -> ir.Query:
    def tests(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Compare | ir.SortKey):
            return rewrite(node, change)  # type: ignore[arg-type] # the closure above
        return node

    return rewrite(query, tests)
