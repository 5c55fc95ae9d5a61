"""Columns of a loaded graph that hold NaN, which DuckDB orders and equates unlike Cypher.

A text that reads such a value is refused. DuckDB itself tells: the text first runs over temporary
views that hide these tables, in which reading NaN is an error; so what no row of the answer hangs
on (another property, a row that a condition leaves out) may be NaN.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import duckdb

from graphmill.errors import QueryUnsound
from schemagraph.folder.tables import RESERVED, Table, tables
from schemagraph.model import Kind, SchemaGraph

_WHY = "holds NaN, which DuckDB orders unlike Cypher: make it null in the source."
# What sees past the views: a table by its full name, an error that is taken for null.
_PAST_VIEWS = re.compile(r"\b(?:memory|main)\b|\btry\s*\(", re.IGNORECASE)
# A table function by which a text names tables that it does not spell.
_COMPUTED = re.compile(r"\bquery(?:_table)?\W*\(", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableWithNaN:
    """A table's name in SQL, its columns, those that hold NaN with their names in the graph, and
    which columns are lists."""

    name: str
    columns: tuple[str, ...]
    doubtful: dict[str, str]
    lists: frozenset[str]

    @property
    def view(self) -> str:
        """The statement that hides the table behind a view."""
        read = ", ".join(map(self._read, (*RESERVED, *self.columns)))
        name = ident(self.name)
        return f"CREATE TEMP VIEW {name} AS SELECT {read} FROM memory.main.{name}"

    def _read(self, column: str) -> str:
        name = ident(column)
        if column not in self.doubtful:
            return name
        test, why = _is_nan(name, column in self.lists), _text(self.why(column))
        return f"CASE WHEN {test} THEN error({why}) ELSE {name} END AS {name}"

    def why(self, column: str) -> str:
        """What is wrong with a column."""
        return f"{self.doubtful[column]} {_WHY}"


def tables_with_nan(
    connection: duckdb.DuckDBPyConnection, schema: SchemaGraph
) -> tuple[TableWithNaN, ...]:
    """The tables of the graph that hold NaN somewhere."""
    named = tables(schema)
    typed = [(named.nodes[n.name], n.properties) for n in schema.nodes]
    typed += [(named.edges[e.name], e.properties) for e in schema.edges]
    made = []
    for table, properties in typed:
        floats = [p for p in properties if (p.type.item or p.type).kind is Kind.FLOAT]
        lists = frozenset(table.column(p.name) for p in floats if p.type.item is not None)
        columns = {table.column(p.name): f"{table.stem}.{p.name}" for p in floats}
        doubtful = {
            column: name
            for column, name in columns.items()
            if _holds_nan(connection, table, column, column in lists)
        }
        if doubtful:
            names = tuple(sql for _, sql in table.columns)
            made.append(TableWithNaN(table.name, names, doubtful, lists))
    return tuple(made)


def _holds_nan(
    connection: duckdb.DuckDBPyConnection, table: Table, column: str, is_list: bool
) -> bool:
    row = connection.execute(
        f"SELECT count(*) FROM {ident(table.name)} WHERE {_is_nan(ident(column), is_list)}"
    ).fetchone()
    return row is not None and row[0] > 0


def _is_nan(column: str, is_list: bool) -> str:
    if not is_list:
        return f"isnan({column})"
    return f"len(list_filter({column}, lambda each: isnan(each))) > 0"


def refuse_nan(
    connection: duckdb.DuckDBPyConnection,
    doubtful: tuple[TableWithNaN, ...],
    macros: list[duckdb.Statement],
    select: duckdb.Statement,
) -> None:
    """Refuse a query that reads NaN.

    Raises:
        QueryUnsound: it does, or whether it does is not known.
        duckdb.Error: the time is over.
    """
    text = "".join(each.query for each in (*macros, select))
    computed = _COMPUTED.search(text) is not None
    read = [each for each in doubtful if computed or _names(text, each.name)]
    if not read:
        return
    first = read[0].why(next(iter(read[0].doubtful)))
    if _PAST_VIEWS.search(text):
        raise QueryUnsound(first)
    connection.execute("BEGIN")
    try:
        for table in read:
            connection.execute(table.view)
        for macro in macros:
            connection.execute(macro)
        connection.execute(select).fetchall()
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except duckdb.Error as problem:
        reasons = [each.why(column) for each in read for column in each.doubtful]
        why = next((each for each in reasons if each in str(problem)), first)
        if why in str(problem) or _runs(connection, macros, select):
            raise QueryUnsound(why) from problem
    finally:
        connection.execute("ROLLBACK")


def _runs(
    connection: duckdb.DuckDBPyConnection,
    macros: list[duckdb.Statement],
    select: duckdb.Statement,
) -> bool:
    """Whether a query that fails over the views runs over the tables."""
    connection.execute("ROLLBACK")
    connection.execute("BEGIN")
    try:
        for macro in macros:
            connection.execute(macro)
        connection.execute(select).fetchall()
    except (duckdb.InterruptException, duckdb.OutOfMemoryException):
        raise
    except duckdb.Error:
        return False
    return True


def _names(text: str, table: str) -> bool:
    """Whether a text may name a table; a name in quotation marks has its own doubled."""
    return table.replace('"', '""').casefold() in text.casefold()


def ident(name: str) -> str:
    """A name of a table or column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
