"""Spanner Graph: tables, CREATE PROPERTY GRAPH over them, and the manifest of the CSV import.

Sources: Spanner documentation, "GoogleSQL data definition language", "Spanner Graph schema
statements", "Import data from CSV files" (manifest).
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from schemagraph.folder.tables import distinct
from schemagraph.model import EdgeType, Kind, SchemaGraph, Type
from schemagraph.spanner import SpannerNames
from schemagraph.targets.base import Export, comment
from schemagraph.targets.relations import Layout, SqlTable, Style, sql_tables

_LAYOUT = Layout(
    legal=lambda name: _legal(name),
    types={
        Kind.BOOLEAN: "BOOL",
        Kind.INTEGER: "INT64",
        Kind.FLOAT: "FLOAT64",
        Kind.STRING: "STRING(MAX)",
        Kind.DATE: "DATE",
        Kind.DATETIME: "TIMESTAMP",
        Kind.ZONED_DATETIME: "TIMESTAMP",
        Kind.BYTES: "BYTES(MAX)",
    },
    fallback="STRING(MAX)",
    array="ARRAY<{}>",
)


class SpannerTarget:
    """`schema.sql` makes tables and graph; `manifest.json` lists the CSV files, without headers."""

    name = "spanner"
    says = "Spanner Graph"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        return _LAYOUT.known(of)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(
            schema, ("values", "required", "unique", "edge-required", "edge-unique", "one")
        )
        tables = sql_tables(schema, _LAYOUT, export)
        statements = [_STYLE.table(table, tables) for table in tables.values()]
        statements += _unique_indexes(tables)
        statements.append(_graph(schema, tables, export))
        lost = comment(export.losses, "--")
        export.data = [replace(file, header=False) for file in export.data]
        export.texts["schema.sql"] = "\n".join([*lost, *statements, ""])
        export.texts["manifest.json"] = _manifest(export)
        return export


def _legal(name: str) -> str:
    """Letters, digits and underscores, a letter first.

    >>> _legal("Order Line"), _legal("2nd")
    ('Order_Line', 't_2nd')
    """
    legal = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return legal if re.match(r"[A-Za-z]", legal) else f"t_{legal.lstrip('_')}"


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("`", "\\`").replace("\n", "\\n")
    return f"`{escaped}`"


def _unique_indexes(tables: dict[str, SqlTable]) -> list[str]:
    """A table has no clause UNIQUE; an index without NULL lets them repeat, as in sources."""
    taken = set(tables)
    statements = []
    for table in tables.values():
        for columns in table.unique:
            (name,) = distinct([_legal("_".join(("unique", table.name, *columns)))], [*taken])
            taken.add(name)
            listed = ", ".join(map(_quoted, columns))
            statements.append(
                f"CREATE UNIQUE NULL_FILTERED INDEX {_quoted(name)} "
                f"ON {_quoted(table.name)} ({listed});"
            )
    return statements


def _graph(schema: SchemaGraph, tables: dict[str, SqlTable], export: Export) -> str:
    """The property graph by the convention of `schemagraph.spanner`, as the dialect writes."""
    names = SpannerNames(schema)

    def label(name: str, edge: bool) -> str:
        called = names.label(name, edge=edge) or name
        if called != name:
            export.lose(name, f"the label is called {called}")
        return called

    def exposed(table: SqlTable, name: str) -> list[tuple[str, str]]:
        edge = isinstance(table.of, EdgeType)
        own = names.own(table.of)
        for given in table.of.properties:
            where = f"{table.of.name}.{given.name}"
            if given.name not in own:
                export.lose(where, "is a column of the table and no property of the graph")
            elif own[given.name] != given.name:
                export.lose(where, f"the property is called {own[given.name]}")
        columns = {called: _quoted(table.column_of(old)) for old, called in own.items()}
        return [
            (columns.get(each, f"CAST(NULL AS {names.declared[each]})"), each)
            for each in names.of_label(name, edge=edge)
        ]

    return _STYLE.graph(_legal(schema.name), tables, label, exposed)


def _manifest(export: Export) -> str:
    entries = []
    for file in export.data:
        columns = [{"column_name": column.header} for column in file.columns]
        name = file.path.rpartition("/")[2].removesuffix(".csv")
        entries.append({"table_name": name, "file_patterns": [file.path], "columns": columns})
    return json.dumps({"tables": entries}, indent=2) + "\n"


def _literal(text: str) -> str:
    """A text in double quotes, whose escapes GoogleSQL shares with JSON."""
    return json.dumps(text, ensure_ascii=False)


_STYLE = Style(_quoted, "NODE", unique=False, literal=_literal)
TARGET = SpannerTarget()
