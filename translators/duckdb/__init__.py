"""SQL: written as DuckDB's over the node and edge tables of GraphData, read as a source's own."""

from __future__ import annotations

from translators.language import Language

LANGUAGE = Language(
    name="sql",
    title="SQL",
    dialect="translators.duckdb.dialect:Sql",
    reader="translators.from_sql.reader:reader",
)
