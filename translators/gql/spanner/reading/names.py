"""Names of Spanner's tables as those of the graph: case does not matter, and some have numbers."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from schemagraph.model import SchemaGraph
from schemagraph.spanner import SpannerNames


def renamed(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """`statement` with the labels and properties of `schema`; others stay as they are written."""
    names = SpannerNames(schema)
    labels, properties = names.labels_meant, names.properties_meant

    def meant(key: str) -> str:
        return properties.get(key.casefold(), key)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.LabelName(name):
                return replace(node, name=labels.get(name.casefold(), name))
            case ir.Prop(ir.Var() | ir.Index(), key):
                return replace(node, key=meant(key))
            case (
                ir.NodePattern(props=ir.MapOf() as asked)
                | ir.EdgePattern(props=ir.MapOf() as asked)
            ):
                entries = tuple(replace(each, key=meant(each.key)) for each in asked.entries)
                return replace(node, props=replace(asked, entries=entries))
        return node

    return rewrite(statement, change)
