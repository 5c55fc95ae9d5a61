"""Memgraph: constraints and indexes, and LOAD CSV clauses for the data files.

Nodes get a label and a property of the import while it runs, by which edges find their ends.

Source: Memgraph documentation, "Constraints", "Indexes", "LOAD CSV Cypher clause".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.base import Column, DataFile, Export, column_type, comment, own_label
from schemagraph.targets.cells import Row, key_text, of_property
from schemagraph.targets.neo4j import SEPARATOR, listed, quoted

_READ = {
    Kind.BOOLEAN: "toBoolean({})",
    Kind.INTEGER: "toInteger({})",
    Kind.FLOAT: "toFloat({})",
    Kind.STRING: "{}",
    Kind.DATE: "date({})",
    Kind.TIME: "localTime({})",
    Kind.DATETIME: "localDateTime({})",
    Kind.ZONED_DATETIME: "datetime({})",
    Kind.DURATION: "duration({})",
}
_TYPES = {
    Kind.BOOLEAN: "Boolean",
    Kind.INTEGER: "Integer",
    Kind.FLOAT: "Float",
    Kind.STRING: "String",
    Kind.DATE: "Date",
    Kind.TIME: "LocalTime",
    Kind.DATETIME: "LocalDateTime",
    Kind.ZONED_DATETIME: "ZonedDateTime",
    Kind.DURATION: "Duration",
}
_LABEL, _KEY = "_Import", "_import"


class MemgraphTarget:
    """`schema.cypher` first, then `load.cypher`, which reads the CSV files from one folder."""

    name = "memgraph"
    says = "Memgraph"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        if of.kind is Kind.LIST and of.item is not None and of.item.kind in _READ:
            return f"List of {_TYPES[of.item.kind]}"
        return _TYPES.get(of.kind)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ("required", "unique"))
        load = [_load_nodes(node, export) for node in schema.nodes]
        load += [_load_edges(edge, export) for edge in schema.edges]
        constraints = [line for node in schema.nodes for line in _constraints(node, schema, export)]
        lines = [*comment(export.losses, "//"), *dict.fromkeys(constraints)]
        export.texts["schema.cypher"] = "\n".join([*lines, ""])
        export.texts["load.cypher"] = "\n".join(
            [
                "// Copy the folders nodes/ and edges/ to /import of the server first.",
                f"CREATE INDEX ON :{_LABEL}({_KEY});",
                *load,
                f"MATCH (n:{_LABEL}) REMOVE n:{_LABEL} REMOVE n.{_KEY};",
                f"DROP INDEX ON :{_LABEL}({_KEY});",
                "",
            ]
        )
        return export


def _constraints(node: NodeType, schema: SchemaGraph, export: Export) -> list[str]:
    own = own_label(schema, node, export)
    if own is None:
        return []
    label = quoted(own)
    lines = [f"CREATE INDEX ON :{label};"]
    if node.key:
        keys = ", ".join(f"n.{quoted(key)}" for key in node.key)
        lines.append(f"CREATE INDEX ON :{label}({quoted(node.key[0])});")
        lines.append(f"CREATE CONSTRAINT ON (n:{label}) ASSERT {keys} IS UNIQUE;")
    for names in (*((p.name,) for p in node.properties if p.unique), *node.unique):
        if names != node.key:
            listed = ", ".join(f"n.{quoted(name)}" for name in names)
            lines.append(f"CREATE CONSTRAINT ON (n:{label}) ASSERT {listed} IS UNIQUE;")
    lines += [
        f"CREATE CONSTRAINT ON (n:{label}) ASSERT EXISTS (n.{quoted(given.name)});"
        for given in node.properties
        if not given.nullable
    ]
    return lines


def _load_nodes(node: NodeType, export: Export) -> str:
    key = _identifier(node.name, lambda row: [row.properties[name] for name in node.key])
    columns = [Column(_KEY, key), *map(_column, node.properties)]
    file = DataFile(f"nodes/{node_table(node)}.csv", node, tuple(columns))
    export.data.append(file)
    labels = "".join(f":{quoted(label)}" for label in (*node.labels, _LABEL))
    values = _values(node.properties, node.name, export)
    return _clause(file, f"CREATE (n{labels} {{{', '.join([f'{_KEY}: row.{_KEY}', *values])}}});")


def _load_edges(edge: EdgeType, export: Export) -> str:
    ends = [
        Column("_source", _identifier(edge.source, lambda row: row.source)),
        Column("_target", _identifier(edge.target, lambda row: row.target)),
    ]
    columns = [*ends, *map(_column, edge.properties)]
    file = DataFile(f"edges/{edge_table(edge)}.csv", edge, tuple(columns))
    export.data.append(file)
    values = ", ".join(_values(edge.properties, edge.name, export))
    match = f"MATCH (a:{_LABEL} {{{_KEY}: row._source}}), (b:{_LABEL} {{{_KEY}: row._target}})"
    return _clause(file, f"{match} CREATE (a)-[:{quoted(edge.label)} {{{values}}}]->(b);")


def _identifier(type_name: str, values: Callable[[Row], Any]) -> Callable[[Row], str]:
    return lambda row: f"{type_name}/{key_text(values(row))}"


def _clause(file: DataFile, rest: str) -> str:
    path = file.path.replace("'", "\\'")
    return f"LOAD CSV FROM '/import/{path}' WITH HEADER AS row NULLIF '' {rest}"


def _column(given: Property) -> Column:
    form = listed if given.type.kind is Kind.LIST else None
    return Column(given.name, of_property(given.name, form) if form else of_property(given.name))


def _values(properties: tuple[Property, ...], owner: str, export: Export) -> list[str]:
    values = []
    for given in properties:
        raw = f"row.{quoted(given.name)}"
        kind = given.type.item if given.type.kind is Kind.LIST else given.type
        read = _READ.get(kind.kind) if kind is not None else None
        column_type(TARGET, given, "String", owner, export)
        if given.type.kind is Kind.LIST:
            items = f"[x IN split({raw}, '{SEPARATOR}') | {(read or '{}').format('x')}]"
            value = f"CASE WHEN {raw} IS NULL THEN NULL ELSE {items} END"
        else:
            value = (read or "{}").format(raw)
        if given.type.kind in (Kind.STRING, Kind.LIST):
            export.lose_empty(owner, given.name, "an empty text or list becomes null")
        values.append(f"{quoted(given.name)}: {value}")
    return values


TARGET = MemgraphTarget()
