"""SQL/PGQ: tables of standard SQL, CREATE PROPERTY GRAPH over them, and COPY statements.

Source: ISO/IEC 9075-16:2023 clause 11.19, property graph definition. COPY is PostgreSQL's and
DuckDB's.
"""

from __future__ import annotations

from schemagraph.model import Kind, SchemaGraph, Type
from schemagraph.targets.base import Export, comment
from schemagraph.targets.relations import Layout, Style, sql_tables

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
        found = Export()
        tables = sql_tables(schema, _LAYOUT, found)
        lost = comment(found.losses, "--")
        made = [_STYLE.table(table, tables) for table in tables.values()]
        found.texts["schema.sql"] = "\n".join([*lost, *made, ""])
        found.texts["graph.sql"] = _STYLE.graph(schema.name, tables) + "\n"
        copies = [
            f"COPY {_quoted(table.name)} FROM '{file.path.replace(chr(39), chr(39) * 2)}' "
            f"(FORMAT csv, HEADER true);"
            for table, file in zip(tables.values(), found.data, strict=True)
        ]
        note = "-- In DuckDB add ALLOW_QUOTED_NULLS false, which tells an empty text from NULL."
        found.texts["load.sql"] = "\n".join([note, *copies, ""])
        return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_STYLE = Style(_quoted, "VERTEX")
TARGET = PgqTarget()
