"""Columns with -0.0 and 0.0: Neo4j has lists with them for two values in groups, DuckDB for one; of
min() and max(), DuckDB has either."""

from __future__ import annotations

import duckdb

from engines.backends._stored_nan import ident
from engines.hazards.stored import Hazard, StoredValues
from schemagraph.folder.tables import Table, tables
from schemagraph.model import Kind, Property, SchemaGraph

_SORTED = r"\bORDER\s+BY\b(?:(?!\b(?:SELECT|FROM|LIMIT|OFFSET)\b)[\s\S])*?"
# Of what a column is made besides: no condition, of which the sign of a zero is none.
_MORE = r"(?!\b(?:FROM|WHERE|ON|JOIN|SELECT|GROUP|IS|IN)\b)"
_MADE = rf"(?:(?:{_MORE}[^()<>=])*\)){{0,3}}(?:{_MORE}[^,()<>=]|\([^()]*\))*?"
_INSIDE = r"(?:(?!\bFROM\b)[^()]|\([^()]*\))"
TWO_ZEROS = (
    Hazard(
        "two_zeros",
        r'(?i:\."?NAME(?!\w))',
        r"(?i:\b(?:DISTINCT|UNION|EXCEPT|INTERSECT|GROUP\s+BY)\b)",
        "DuckDB has lists with -0.0 and 0.0 for one value where rows are told apart.",
        anywhere="(?!)",  # a text names the tables that it reads
    ),
    Hazard(  # in the branches of a CASE stands what tells the zeros apart
        "both_zeros",
        r'(?i:(?<!WHEN )(?<!AND )(?<!ELSE )\b(?:min|max)\s*\([^()]*\."?NAME(?!\w))',
        # The sign of a column of a part before, where min() and max() are made, or of what is made
        # of them; of one by itself, bool_or() and bool_and() tell.
        r"(?i:\bORDER\s+BY\b)[\s\S]*?(?<!bool_or\()(?<!bool_and\()\bsignbit\((?:_|\(*[^(),]*\b(?:min|max)\s*\()",
        "DuckDB has either of -0.0 and 0.0 for the least or greatest, which is sorted by here.",
        anywhere="(?!)",
    ),
    Hazard(
        "both_zeros",
        rf'(?i:{_SORTED}\."?NAME(?!\w)|\."?NAME"?(?!\w){_MADE}\s+AS\s+("?\w+"?)(?!\w)[\s\S]*?{_SORTED}(?<![\w.])\1(?!\w))',
        r"\A(?![\s\S]*\bsignbit\()[\s\S]*(?i:\bORDER\s+BY\b)",
        "DuckDB has -0.0 and 0.0 for one value where rows are sorted.",
        anywhere="(?!)",
    ),
    Hazard(
        "both_zeros",
        rf'(?i:\bunnest\s*\({_INSIDE}*|\bLATERAL\s*\(\s*SELECT\s{_INSIDE}*)\."?NAME(?!\w){_INSIDE}*\)',
        r"\bsignbit\(|\bcy_less\(|/ \(*_",
        "DuckDB has -0.0 and 0.0 for one where a part of the text is made anew for each of them.",
        anywhere="(?!)",
    ),
)


def columns_with_zeros(connection: duckdb.DuckDBPyConnection, schema: SchemaGraph) -> StoredValues:
    """The columns of floats, and of lists of them, that hold a zero, by their names and tables in
    SQL."""
    named = tables(schema)
    owners: list[tuple[Table, tuple[Property, ...]]] = [
        *((named.nodes[node.name], node.properties) for node in schema.nodes),
        *((named.edges[edge.name], edge.properties) for edge in schema.edges),
    ]
    stored = StoredValues()
    for table, properties in owners:
        for each in properties:
            if (each.type.item or each.type).kind is not Kind.FLOAT:
                continue
            listed, column = each.type.item is not None, table.column(each.name)
            see = stored.see_listed_zero if listed else stored.see_zero
            signs = ", ".join(
                f"bool_or({_holds(ident(column), below, listed)})" for below in (0, 1)
            )
            row = connection.execute(f"SELECT {signs} FROM {ident(table.name)}").fetchone()
            for zero, seen in zip((0.0, -0.0), row or (), strict=False):
                if seen:
                    see(((table.name,), column), zero)
    return stored


def _holds(column: str, below: int, listed: bool) -> str:
    """Whether there is a zero of this sign in a column of a row."""
    test = "{0} = 0 AND signbit({0})" if below else "{0} = 0 AND NOT signbit({0})"
    if not listed:
        return test.format(column)
    return f"len(list_filter({column}, lambda each: {test.format('each')})) > 0"
