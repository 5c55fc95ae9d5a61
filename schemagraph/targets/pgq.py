"""SQL/PGQ: tables of standard SQL, CREATE PROPERTY GRAPH over them, and COPY statements.

Source: ISO/IEC 9075-16:2023 clause 11.19, property graph definition. COPY is PostgreSQL's and
DuckDB's.
"""

from __future__ import annotations

import hashlib

from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type
from schemagraph.targets.base import Export, comment
from schemagraph.targets.relations import Layout, SqlTable, Style, sql_tables

_LONGEST = 63  # bytes of a name in PostgreSQL (NAMEDATALEN - 1); longer ones are cut
_LAYOUT = Layout(
    legal=lambda name: name,
    types={
        Kind.BOOLEAN: "BOOLEAN",
        Kind.INTEGER: "BIGINT",
        Kind.FLOAT: "DOUBLE PRECISION",
        Kind.STRING: "VARCHAR",
        Kind.DATE: "DATE",
        Kind.TIME: "TIME",
        Kind.DATETIME: "TIMESTAMP",
        Kind.ZONED_DATETIME: "TIMESTAMP WITH TIME ZONE",
    },
    fallback="VARCHAR",
    array="",
)


class PgqTarget:
    """`schema.sql` makes the tables, `graph.sql` the graph, `load.sql` copies the CSV files."""

    name = "pgq"
    says = "SQL/PGQ"

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
        _declare_short_names(schema, tables, export)
        _declare_clashes(schema, export)
        lost = comment(export.losses, "--")
        made = [_STYLE.table(table, tables) for table in tables.values()]
        export.texts["schema.sql"] = "\n".join([*lost, *made, ""])
        export.texts["graph.sql"] = _STYLE.graph(schema.name, tables) + "\n"
        copies = [
            f"COPY {_quoted(table.name)} FROM '{file.path.replace(chr(39), chr(39) * 2)}' "
            f"(FORMAT csv, HEADER true);"
            for table, file in zip(tables.values(), export.data, strict=True)
        ]
        note = "-- In DuckDB add ALLOW_QUOTED_NULLS false, which tells an empty text from NULL."
        export.texts["load.sql"] = "\n".join([note, *copies, ""])
        return export


def _quoted(name: str) -> str:
    return '"' + _short(name).replace('"', '""') + '"'


def _short(name: str) -> str:
    """PostgreSQL cuts longer names, so that two can become one; a hash keeps them apart."""
    raw = name.encode()
    if len(raw) <= _LONGEST:
        return name
    mark = hashlib.sha256(raw).hexdigest()[:8]
    return f"{raw[: _LONGEST - 9].decode(errors='ignore')}_{mark}"


def _declare_short_names(schema: SchemaGraph, tables: dict[str, SqlTable], export: Export) -> None:
    names = [schema.name]
    for table in tables.values():
        of = table.of
        names += of.labels if isinstance(of, NodeType) else [of.label]
        names += [table.name, *(column.name for column in table.columns)]
        names += [given.name for given in of.properties]
    for name in dict.fromkeys(names):
        if _short(name) != name:
            export.lose(name, f"is called {_short(name)}: PostgreSQL's names have {_LONGEST} bytes")


def _declare_clashes(schema: SchemaGraph, export: Export) -> None:
    """What PostgreSQL 19 refuses, where other engines have it: a label of nodes and edges that have
    not the same properties, a property with another type under another label (its regression
    tests, create_property_graph.sql)."""
    of_nodes = {label: {p.name for n in schema.with_label(label) for p in n.properties}
                for label in schema.labels}  # fmt: skip
    for edge in schema.edges:
        names = {p.name for e in schema.edges if e.label == edge.label for p in e.properties}
        if of_nodes.get(edge.label, names) != names:
            export.lose(edge.label, "is a label of nodes and of edges, which PostgreSQL refuses")
    kinds: dict[str, str] = {}
    types: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    for of in types:
        for given in of.properties:
            kind = _LAYOUT.known(given.type) or _LAYOUT.fallback
            if kinds.setdefault(given.name, kind) != kind:
                what = f"is {kind} here and {kinds[given.name]} elsewhere, which PostgreSQL refuses"
                export.lose(f"{of.name}.{given.name}", what)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_STYLE = Style(_quoted, "VERTEX", unique=True, literal=_literal)
TARGET = PgqTarget()
