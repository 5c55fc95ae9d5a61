"""Lists with -0.0 and 0.0, which DuckDB has for one value, and Neo4j for two, in groups."""

from __future__ import annotations

import duckdb

from engines.backends._stored_nan import ident
from engines.hazards.stored import Hazard, StoredValues
from schemagraph.folder.tables import Table, tables
from schemagraph.model import Kind, Property, SchemaGraph

TWO_ZEROS = (
    Hazard(
        "two_zeros",
        r'(?i:\."?NAME(?!\w))',
        r"(?i:\b(?:DISTINCT|UNION|EXCEPT|INTERSECT|GROUP\s+BY)\b)",
        "DuckDB has lists with -0.0 and 0.0 for one value where rows are told apart.",
        anywhere="(?!)",  # a text names the tables that it reads
    ),
)
_ZEROS = "list_filter({column}, lambda each: each = 0 AND {test} signbit(each))"


def lists_with_zeros(connection: duckdb.DuckDBPyConnection, schema: SchemaGraph) -> StoredValues:
    """The columns of lists of floats that hold a zero, by their names and tables in SQL."""
    named = tables(schema)
    owners: list[tuple[Table, tuple[Property, ...]]] = [
        *((named.nodes[node.name], node.properties) for node in schema.nodes),
        *((named.edges[edge.name], edge.properties) for edge in schema.edges),
    ]
    stored = StoredValues()
    for table, properties in owners:
        for each in properties:
            if each.type.item is None or each.type.item.kind is not Kind.FLOAT:
                continue
            column = table.column(each.name)
            for zero, test in ((0.0, "NOT"), (-0.0, "")):
                holds = f"len({_ZEROS.format(column=ident(column), test=test)}) > 0"
                query = f"SELECT count(*) FROM {ident(table.name)} WHERE {holds}"
                row = connection.execute(query).fetchone()
                if row is not None and row[0]:
                    stored.see_listed_zero(((table.name,), column), zero)
    return stored
