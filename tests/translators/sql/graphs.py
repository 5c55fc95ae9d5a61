"""A small graph per fixture schema, written in text, loaded into DuckDB table by table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb

from engines.backends.duckdb import untagged
from schemagraph.folder.graphdata import SOURCE, TARGET
from schemagraph.folder.tables import Table, tables
from schemagraph.model import Kind, SchemaGraph, Type

COLUMNS = {
    Kind.BOOLEAN: "BOOLEAN",
    Kind.INTEGER: "BIGINT",
    Kind.FLOAT: "DOUBLE",
    Kind.DATE: "DATE",
    Kind.TIME: "TIME",
    Kind.DATETIME: "TIMESTAMP",
    Kind.BYTES: "BLOB",
}


def load(schema: SchemaGraph, path: Path) -> duckdb.DuckDBPyConnection:
    """The graph in `path`: a table's name in a line, then a JSON list a row."""
    connection = duckdb.connect(config={"threads": 1})
    found = tables(schema)
    by_stem: dict[str, Table] = {}
    for node in schema.nodes:
        kinds = {p.name: p.type for p in node.properties}
        create(connection, found.nodes[node.name], kinds)
        by_stem[found.nodes[node.name].stem] = found.nodes[node.name]
    for edge in schema.edges:
        kinds = {p.name: p.type for p in edge.properties}
        for prefix, end in ((SOURCE, edge.source), (TARGET, edge.target)):
            node = schema.node_by_name[end]
            for key in node.key:
                given = node.property(key)
                assert given is not None
                kinds[prefix + key] = given.type
        create(connection, found.edges[edge.name], kinds)
        by_stem[found.edges[edge.name].stem] = found.edges[edge.name]
    table = None
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            assert table is not None
            row = json.loads(line)
            places = ", ".join("?" * len(table.columns))
            connection.execute(f"INSERT INTO {ident(table.name)} VALUES ({places})", row)
        elif line and not line.startswith("--"):
            table = by_stem[line]
    return connection


def create(connection: duckdb.DuckDBPyConnection, table: Table, kinds: dict[str, Type]) -> None:
    """An empty table."""
    columns = [f"{ident(sql)} {column_type(kinds[own])}" for own, sql in table.columns]
    connection.execute(f"CREATE TABLE {ident(table.name)} ({', '.join(columns)})")


def column_type(of: Type) -> str:
    """DuckDB's type for a property, as GraphData stores it."""
    if of.kind is Kind.LIST and of.item is not None:
        return f"{column_type(of.item)}[]"
    return COLUMNS.get(of.kind, "VARCHAR")


def ident(name: str) -> str:
    """A quoted identifier."""
    return '"' + name.replace('"', '""') + '"'


def answer(connection: duckdb.DuckDBPyConnection, text: str) -> list[list[Any]]:
    """The rows of a text, with JSON columns read and temporal values as ISO text."""
    cursor = connection.execute(text)
    kinds = [str(column[1]) for column in cursor.description or ()]
    return [
        [shown(value, kind) for value, kind in zip(row, kinds, strict=True)]
        for row in cursor.fetchall()
    ]


def shown(value: Any, kind: str) -> Any:
    """A value as JSON has it."""
    if kind == "JSON" and value is not None:
        return untagged(json.loads(value))
    if isinstance(value, list):
        return [shown(item, "") for item in value]
    if isinstance(value, dict):
        return {key: shown(item, "") for key, item in value.items()}
    return value.isoformat() if hasattr(value, "isoformat") else value
