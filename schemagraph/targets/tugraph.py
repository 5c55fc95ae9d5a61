"""TuGraph: `import.json` for `lgraph_import`, and the CSV files that it lists.

Source: TuGraph-DB manual, "Data Importing" (configuration file, data types).
"""

from __future__ import annotations

import json
import re
from typing import Any

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.base import (
    Column,
    DataFile,
    Export,
    column_type,
    renamed,
    single_key,
)
from schemagraph.targets.cells import end_key, node_key, of_property

_TYPES = {
    Kind.BOOLEAN: "BOOL",
    Kind.INTEGER: "INT64",
    Kind.FLOAT: "DOUBLE",
    Kind.STRING: "STRING",
    Kind.DATE: "DATE",
    Kind.DATETIME: "DATETIME",
    Kind.BYTES: "BLOB",
}


class TuGraphTarget:
    """One label a vertex, one primary property; an edge label may join several pairs of labels."""

    name = "tugraph"
    says = "TuGraph"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        return _TYPES.get(of.kind)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ("required", "edge-required"))
        labels = renamed(
            [*(n.name for n in schema.nodes), *schema.edge_labels],
            _legal,
            lambda old: old,
            export,
        )
        entries = [_vertex(node, labels[node.name], export) for node in schema.nodes]
        entries += [
            _edge(label, labels, [e for e in schema.edges if e.label == label], export)
            for label in schema.edge_labels
        ]
        files = [_vertex_file(node, labels[node.name], export) for node in schema.nodes]
        files += [_edge_file(edge, labels, export) for edge in schema.edges]
        config = {"schema": entries, "files": files}
        export.texts["import.json"] = json.dumps(config, ensure_ascii=False, indent=2) + "\n"
        if export.losses:
            losses = "".join(f"- {loss.where}: {loss.what}\n" for loss in export.losses)
            export.texts["LOST.md"] = f"# What TuGraph does not hold as it is\n\n{losses}"
        return export


def _legal(name: str) -> str:
    return re.sub(r"[^\w]", "_", name)


def _property(given: Property, owner: str, export: Export) -> dict[str, Any]:
    kind = column_type(TARGET, given, "STRING", owner, export)
    entry: dict[str, Any] = {"name": given.name, "type": kind}
    return {**entry, "optional": True} if given.nullable else entry


def _vertex(node: NodeType, label: str, export: Export) -> dict[str, Any]:
    key = single_key(node, export)
    properties = [_property(given, node.name, export) for given in node.properties]
    if key.made:
        properties.insert(0, {"name": key.name, "type": "STRING"})
    if len(node.labels) > 1:
        export.lose(node.name, f"a vertex has one label, {label}")
    return {"label": label, "type": "VERTEX", "primary": key.name, "properties": properties}


def _edge(
    label: str, labels: dict[str, str], edges: list[EdgeType], export: Export
) -> dict[str, Any]:
    entry: dict[str, Any] = {"label": labels[label], "type": "EDGE"}
    by_name: dict[str, dict[str, Any]] = {}
    for edge in edges:
        for given in edge.properties:
            made = _property(given, edge.name, export)
            known = by_name.setdefault(given.name, made)
            if known["type"] != made["type"]:
                export.lose(
                    f"{edge.name}.{given.name}", "is stored as text, as a label has one type"
                )
                by_name[given.name] = {"name": given.name, "type": "STRING", "optional": True}
    if len(edges) > 1:
        for name, made in by_name.items():
            if any(edge.property(name) is None for edge in edges):
                made["optional"] = True
    if by_name:
        entry["properties"] = list(by_name.values())
    entry["constraints"] = [[labels[edge.source], labels[edge.target]] for edge in edges]
    return entry


def _listed(file: DataFile, label: str, **more: str) -> dict[str, Any]:
    columns = [column.header for column in file.columns]
    return {
        "path": file.path,
        "format": "CSV",
        "label": label,
        **more,
        "columns": columns,
        "header": 1,
    }


def _vertex_file(node: NodeType, label: str, export: Export) -> dict[str, Any]:
    key = single_key(node, Export())
    columns = [Column(key.name, node_key(node))] if key.made else []
    columns += [Column(p.name, of_property(p.name)) for p in node.properties]
    file = DataFile(f"vertices/{node_table(node)}.csv", node, tuple(columns))
    export.data.append(file)
    return _listed(file, label)


def _edge_file(edge: EdgeType, labels: dict[str, str], export: Export) -> dict[str, Any]:
    columns = [Column("SRC_ID", end_key("source")), Column("DST_ID", end_key("target"))]
    columns += [Column(p.name, of_property(p.name)) for p in edge.properties]
    file = DataFile(f"edges/{edge_table(edge)}.csv", edge, tuple(columns))
    export.data.append(file)
    ends = {"SRC_ID": labels[edge.source], "DST_ID": labels[edge.target]}
    return _listed(file, labels[edge.label], **ends)


TARGET = TuGraphTarget()
