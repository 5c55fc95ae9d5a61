"""Neo4j: constraints and indexes, and CSV with the headers of `neo4j-admin database import`.

Sources: Neo4j Operations manual, "Import", CSV header format; Cypher manual, "Constraints".
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.base import Column, DataFile, Export, column_type, comment, own_label
from schemagraph.targets.cells import Row, cell, end_key, key_text, of_property

_TYPES = {
    Kind.BOOLEAN: "boolean",
    Kind.INTEGER: "long",
    Kind.FLOAT: "double",
    Kind.STRING: "string",
    Kind.DATE: "date",
    Kind.TIME: "localtime",
    Kind.ZONED_TIME: "time",
    Kind.DATETIME: "localdatetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}
_PROPERTY_TYPES = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.INTEGER: "INTEGER",
    Kind.FLOAT: "FLOAT",
    Kind.STRING: "STRING",
    Kind.DATE: "DATE",
    Kind.TIME: "LOCAL TIME",
    Kind.ZONED_TIME: "ZONED TIME",
    Kind.DATETIME: "LOCAL DATETIME",
    Kind.ZONED_DATETIME: "ZONED DATETIME",
    Kind.DURATION: "DURATION",
}
SEPARATOR = "\x1f"  # of list items: a unit separator is in no sensible text


class Neo4jTarget:
    """Community Edition runs `schema.cypher`; `enterprise.cypher` adds what it has not."""

    name = "neo4j"
    says = "Neo4j"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        if of.kind is Kind.LIST and of.item is not None and of.item.kind in _TYPES:
            return f"LIST<{_PROPERTY_TYPES[of.item.kind]} NOT NULL>"
        return _PROPERTY_TYPES.get(of.kind)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ("required", "unique", "edge-required"))
        for node in schema.nodes:
            export.data.append(_nodes(node, export))
        for edge in schema.edges:
            export.data.append(_edges(schema, edge, export))
        constraints = _constraints(schema, export)
        lost = comment(export.losses, "//")
        export.texts["schema.cypher"] = "\n".join([*lost, *constraints, ""])
        export.texts["enterprise.cypher"] = "\n".join([*_enterprise(schema), ""])
        export.texts["import.sh"] = _import(export)
        return export


def quoted(name: str) -> str:
    """A name in backticks."""
    return "`" + name.replace("`", "``") + "`"


def _constraints(schema: SchemaGraph, export: Export) -> list[str]:
    lines = []
    for node in schema.nodes:
        own = own_label(schema, node, export)
        if own is not None and node.key:
            keys = ", ".join(f"n.{quoted(key)}" for key in node.key)
            keys = f"({keys})" if len(node.key) > 1 else keys
            lines.append(
                f"CREATE CONSTRAINT {quoted('key ' + node.name)} IF NOT EXISTS "
                f"FOR (n:{quoted(own)}) REQUIRE {keys} IS UNIQUE;"
            )
        if own is None:
            continue
        single = [(given.name,) for given in node.properties if given.unique]
        for names in (*single, *node.unique):
            if names == node.key:
                continue
            parts = ", ".join(f"n.{quoted(name)}" for name in names)
            lines.append(
                f"CREATE CONSTRAINT {quoted(f'unique {node.name} ' + ' '.join(names))} "
                f"IF NOT EXISTS FOR (n:{quoted(own)}) REQUIRE ({parts}) IS UNIQUE;"
            )
    return lines


def _enterprise(schema: SchemaGraph) -> list[str]:
    lines = ["// Needs Enterprise Edition."]
    for node in schema.nodes:
        own = own_label(schema, node, Export())
        if own is not None:
            lines += _property_constraints(f"(n:{quoted(own)})", node.name, node.properties)
    for label in schema.edge_labels:
        edges = [edge for edge in schema.edges if edge.label == label]
        if len(edges) == 1:  # a constraint holds for all edges of the label
            pattern = f"()-[n:{quoted(label)}]-()"
            lines += _property_constraints(pattern, label, edges[0].properties)
    return list(dict.fromkeys(lines))


def _property_constraints(pattern: str, owner: str, properties: tuple[Property, ...]) -> list[str]:
    lines = []
    for given in properties:
        where = f"n.{quoted(given.name)}"
        if not given.nullable:
            name = quoted(f"{owner}.{given.name} exists")
            lines.append(
                f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR {pattern} REQUIRE {where} IS NOT NULL;"
            )
        kind = TARGET.type_of(given.type)
        if kind is not None:
            name = quoted(f"{owner}.{given.name} type")
            lines.append(
                f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR {pattern} "
                f"REQUIRE {where} IS :: {kind};"
            )
    return lines


def _nodes(node: NodeType, export: Export) -> DataFile:
    columns = [Column(f":ID({node_table(node)})", _identifier(node))]
    # The identifier of an import is a text; the key is stored again with its own type.
    columns += [_column(given, node.name, export) for given in node.properties]
    columns.append(Column(":LABEL", lambda row: ";".join(node.labels)))
    return DataFile(f"nodes/{node_table(node)}.csv", node, tuple(columns))


def _identifier(node: NodeType) -> Callable[[Row], Any]:
    return lambda row: key_text([row.properties[name] for name in node.key])


def _edges(schema: SchemaGraph, edge: EdgeType, export: Export) -> DataFile:
    # Not parts of the edges' table: long names are cut there, and each table's by itself.
    source, target = (node_table(schema.node_by_name[end]) for end in (edge.source, edge.target))
    columns = [
        Column(f":START_ID({source})", _as_text(end_key("source"))),
        Column(f":END_ID({target})", _as_text(end_key("target"))),
        *(_column(given, edge.name, export) for given in edge.properties),
        Column(":TYPE", lambda row: edge.label),
    ]
    return DataFile(f"edges/{edge_table(edge)}.csv", edge, tuple(columns))


def _as_text(value: Callable[[Row], Any]) -> Callable[[Row], Any]:
    return lambda row: str(value(row))


def _column(given: Property, owner: str, export: Export) -> Column:
    if ":" in given.name:
        export.lose(f"{owner}.{given.name}", "the import's header reads no name with a colon")
    of = given.type
    column_type(TARGET, given, "string", owner, export)
    if of.kind is Kind.LIST and of.item is not None and of.item.kind in _TYPES:
        if of.item.nullable:
            export.lose(f"{owner}.{given.name}", "a NULL in the list becomes an empty item")
        return Column(f"{given.name}:{_TYPES[of.item.kind]}[]", of_property(given.name, listed))
    return Column(f"{given.name}:{_TYPES.get(of.kind, 'string')}", of_property(given.name))


def listed(value: list[Any]) -> str:
    """The items of a list in one cell."""
    return SEPARATOR.join("" if item is None else str(cell(item)) for item in value)


def _import(export: Export) -> str:
    lines = [
        "#!/bin/sh",
        "# Make the database: ./import.sh DATABASE (neo4j-admin on PATH, the server stopped).",
        'cd "$(dirname "$0")" || exit 1',
        'neo4j-admin database import full "${1:-neo4j}" --overwrite-destination \\',
        "    --array-delimiter='U+001F' --multiline-fields=true",
    ]
    for file in export.data:
        word = "nodes" if isinstance(file.of, NodeType) else "relationships"
        lines[-1] += " \\"
        lines.append(f"    --{word}={shlex.quote(file.path)}")
    return "\n".join([*lines, ""])


TARGET = Neo4jTarget()
