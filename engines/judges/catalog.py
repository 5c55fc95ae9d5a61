"""A SchemaGraph as the catalogue of GoogleSQL's analyser: tables and one property graph.

The messages are those of `zetasql/proto/simple_catalog.proto` and
`zetasql/public/simple_property_graph.proto` (Maven: com.google.zetasql), as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.spanner import SpannerNames, spanner_type

_KINDS = {"FLOAT64": "TYPE_DOUBLE"}


def catalog(schema: SchemaGraph) -> dict[str, Any]:
    """The tables and the property graph of `schema`, called as the schema is."""
    names = SpannerNames(schema)
    graph = schema.name
    nodes = {node.name: _Table(f"node_{n}", node) for n, node in enumerate(schema.nodes)}
    tables = [*nodes.values()]
    elements: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for node in schema.nodes:
        element = _element(nodes[node.name], node, names, graph)
        elements[False].append({**element, "kind": "NODE", "keyColumns": nodes[node.name].key})
    for number, edge in enumerate(schema.edges):
        table = _Table(f"edge_{number}", edge)
        source = _reference(table, "source", nodes[edge.source])
        target = _reference(table, "target", nodes[edge.target])
        tables.append(table)
        ends = {"sourceNodeTable": source, "destNodeTable": target}
        element = {**_element(table, edge, names, graph), **ends}
        elements[True].append({**element, "kind": "EDGE", "keyColumns": table.key})
    labels = [
        {
            "name": names.label(label, edge=edge),
            "propertyGraphNamePath": [graph],
            "propertyDeclarationNames": names.of_label(label, edge=edge),
        }
        for edge, element_labels in ((False, schema.labels), (True, schema.edge_labels))
        for label in element_labels
    ]
    declared = [
        {"name": name, "propertyGraphNamePath": [graph], "type": _type(held)}
        for name, held in names.declared.items()
    ]
    return {
        "name": "graphmill",
        "table": [table.json(number) for number, table in enumerate(tables, 1)],
        "propertyGraph": [
            {
                "name": graph,
                "namePath": [graph],
                "nodeTables": elements[False],
                "edgeTables": elements[True],
                "labels": labels,
                "propertyDeclarations": declared,
            }
        ],
    }


class _Table:
    """The table behind a node or edge type: its columns, and those that are its key."""

    def __init__(self, name: str, element: NodeType | EdgeType) -> None:
        self.name = name
        self.columns: dict[str, str] = {}
        held = ((prop.name, spanner_type(prop.type)) for prop in element.properties)
        self.of = {
            prop: self.add(f"property_{n}", kind) for n, (prop, kind) in enumerate(held) if kind
        }
        keys = element.key if isinstance(element, NodeType) else ()
        if not keys or any(key not in self.of for key in keys):
            self.key = [self.index(self.add("element_key", "STRING"))]
        else:
            self.key = [self.index(self.of[key]) for key in keys]

    def add(self, name: str, kind: str) -> str:
        """One more column; its name."""
        self.columns[name] = kind
        return name

    def index(self, column: str) -> int:
        return [*self.columns].index(column)

    def json(self, number: int) -> dict[str, Any]:
        """`SimpleTableProto`."""
        columns = [{"name": name, "type": _type(kind)} for name, kind in self.columns.items()]
        return {"name": self.name, "serializationId": number, "column": columns}


def _element(
    table: _Table, element: NodeType | EdgeType, names: SpannerNames, graph: str
) -> dict[str, Any]:
    """What the element tables of nodes and of edges have in common."""
    edge = isinstance(element, EdgeType)
    labels = (element.label,) if isinstance(element, EdgeType) else element.labels
    own = {declared: table.of[name] for name, declared in names.own(element).items()}
    wanted = dict.fromkeys(name for label in labels for name in names.of_label(label, edge=edge))
    return {
        "name": table.name,
        "propertyGraphNamePath": [graph],
        "inputTableName": table.name,
        "labelNames": [names.label(label, edge=edge) for label in labels],
        "propertyDefinitions": _definitions(wanted, own, names.declared),
    }


def _definitions(
    wanted: Mapping[str, None], own: Mapping[str, str], declared: Mapping[str, str]
) -> list[dict[str, str]]:
    return [
        {
            "propertyDeclarationName": name,
            "valueExpressionSql": own.get(name, f"CAST(NULL AS {declared[name]})"),
        }
        for name in wanted
    ]


def _reference(table: _Table, end: str, node: _Table) -> dict[str, Any]:
    """The columns of an edge's table that hold the key of one end."""
    kinds = [*node.columns.values()]
    columns = [table.add(f"{end}_{n}", kinds[index]) for n, index in enumerate(node.key)]
    return {
        "nodeTableName": node.name,
        "edgeTableColumns": [table.index(name) for name in columns],
        "nodeTableColumns": node.key,
    }


def _type(name: str) -> dict[str, Any]:
    """`TypeProto` of a column type."""
    if name.startswith("ARRAY<"):
        item = {"elementType": _type(name.removeprefix("ARRAY<").removesuffix(">"))}
        return {"typeKind": "TYPE_ARRAY", "arrayType": item}
    return {"typeKind": _KINDS.get(name, f"TYPE_{name}")}
