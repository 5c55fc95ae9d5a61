"""DuckDB over the node and edge tables of GraphData: the independent referee.

Tables are called as `schemagraph.folder.tables` says. After loading, the database can reach no file
and no network, and its settings are locked; a text may declare temporary macros and must end in one
SELECT. It runs in a transaction that is rolled back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import MAXYEAR
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, Self
from uuid import UUID

import duckdb

from engines.backends._stored_nan import TableWithNaN, ident, refuse_nan, tables_with_nan
from engines.backends._two_zeros import TWO_ZEROS, columns_with_zeros
from engines.base import Engine, Needs, Result, Unsound, memory_cap, over_memory
from engines.deadline import Deadline
from engines.hazards.stored import StoredValues, refuse_hazards
from engines.values import plain
from graphmill.errors import (
    EngineUnavailable,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
    SchemaError,
)
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import Rows, column_types, read_rows, schema_folder, stored
from schemagraph.folder.tables import Table, tables
from schemagraph.model import EdgeType, NodeType, SchemaGraph, Type

_SYNTAX = (duckdb.ParserException, duckdb.SyntaxException)
_SEMANTIC = (duckdb.BinderException, duckdb.CatalogException)
_WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"}
_PLAIN = frozenset({*_WHOLE, "BOOLEAN", "FLOAT", "DOUBLE", "VARCHAR"})
_BEYOND = re.compile(r"Type INT128 with value (-?\d+) can't be cast")
_MACRO = ("create temp macro", "create or replace temp macro")


class DuckDB(Engine):
    """One in-memory DuckDB; one thread, so that the same text gives the same rows again.

    With `reloads` it takes one small graph (`schemagraph.folder.small`) after the other, all of one
    schema, and is locked from the first on: their rows come through memory.
    """

    name: ClassVar[str] = "duckdb"
    languages: ClassVar[tuple[str, ...]] = ("sql",)
    profiles: ClassVar[dict[str, str]] = {"sql": "sql"}
    default_for: ClassVar[tuple[str, ...]] = ("sql",)
    family: ClassVar[str] = "duckdb"
    trust: ClassVar[int] = 3
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ("duckdb",)
    needs: ClassVar[Needs] = Needs(grace=2.0)

    def __init__(self, memory_mb: int = 1024, reloads: bool = False) -> None:
        self._memory_mb = memory_mb
        self._reloads = reloads
        self._tables: SmallTables | None = None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._deadline: Deadline | None = None
        self._with_nan: tuple[TableWithNaN, ...] = ()
        self._stored = StoredValues()

    def __enter__(self) -> Self:
        connection = duckdb.connect(
            ":memory:",
            config={
                "threads": 1,
                "memory_limit": f"{self._memory_mb}MiB",
                "temp_directory": "",
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                # Filters that a join makes for a scan: a tenth of the time of small queries, and
                # on millions of edges little is won by them.
                "disabled_optimizers": "join_filter_pushdown",
            },
        )
        return self._begin(connection)

    def _begin(self, connection: duckdb.DuckDBPyConnection) -> Self:
        """Queries run on this connection from here on, within limits of time."""
        self._connection = connection
        self._deadline = Deadline(connection.interrupt)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._deadline is not None:
            self._deadline.close()
            self._deadline = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def version(self) -> str:
        """DuckDB's version."""
        return duckdb.__version__

    def load(self, graph: Path) -> None:
        """Make a table of every Parquet file of the graph in `graph`, then lock the database.

        Raises:
            SchemaError: a table is missing or its columns are not those of the schema.
        """
        connection = self._open()
        if self._reloads:
            self._reload(connection, graph)
            return
        schema = load_schema(graph)
        for folder, table in _tables(schema):
            _create(connection, graph / folder / f"{table.stem}.parquet", table)
        self._with_nan = tables_with_nan(connection, schema)
        self._stored = columns_with_zeros(connection, schema)
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")

    def _reload(self, connection: duckdb.DuckDBPyConnection, graph: Path) -> None:
        folder = schema_folder(graph)
        if self._tables is not None and self._tables.folder != folder:
            raise SchemaError("Small graphs of one process share a schema.")
        if self._tables is None:
            self._tables = SmallTables(connection, folder)
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
        self._tables.fill(read_rows(graph))

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run the macros and the SELECT of `text`.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge
        """
        if language not in self.languages:
            raise QueryError(f"DuckDB runs sql, not {language}.", "engine")
        refuse_hazards(TWO_ZEROS, self._stored, text)
        connection = self._open()
        assert self._deadline is not None  # noqa: S101 # it is there while the connection is
        self._deadline.begin(timeout)
        try:
            return _run(connection, text, self._with_nan)
        except duckdb.InterruptException as problem:
            if self._deadline.end():
                raise QueryTimeout(f"The query took longer than {timeout:g} s.") from problem
            raise QueryError(str(problem)) from problem
        except duckdb.OutOfMemoryException as problem:
            has_all = 0 < memory_cap() <= self._memory_mb
            own = "" if has_all else f"the {self._memory_mb} MiB that DuckDB has"
            raise QueryTooLarge(over_memory(own)) from problem
        except _SYNTAX as problem:
            raise QueryError(_first(problem), "syntax") from problem
        except _SEMANTIC as problem:
            raise QueryError(_first(problem), "semantic") from problem
        except duckdb.Error as problem:
            raise QueryError(_first(problem)) from problem
        finally:
            self._deadline.end()

    def _open(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            raise EngineUnavailable("DuckDB is used outside its `with` block.")
        return self._connection


ENGINE = DuckDB


class SmallTables:
    """The tables of a schema, filled with the rows of one small graph after the other."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.folder = folder
        schema = load_schema(folder)
        self._connection = connection
        self._types: dict[str, list[Type]] = {}
        self._names: dict[str, str] = {}
        self._filled: list[str] = []
        schema_tables = tables(schema)
        kinds: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
        for kind in kinds:
            own = schema_tables.nodes if isinstance(kind, NodeType) else schema_tables.edges
            table = own[kind.name]
            layout = node_layout(kind) if isinstance(kind, NodeType) else edge_layout(kind, schema)
            self._types[kind.name] = column_types(schema, kind)
            self._names[kind.name] = ident(table.name)
            empty = layout.empty_table()
            names = ", ".join(ident(table.column(name)) for name in layout.names)
            connection.register("empty", empty)
            connection.execute(
                f"CREATE TABLE {ident(table.name)} AS SELECT * FROM empty AS t({names})"
            )
            connection.unregister("empty")

    def fill(self, rows: Rows) -> None:
        """Put these rows in the place of those that are there.

        Raises:
            SchemaError: a type or a row is not of the schema.
        """
        for name in self._filled:
            self._connection.execute(f"DELETE FROM {self._names[name]}")
        self._filled = []
        for name, own in rows.items():
            if name not in self._names:
                raise SchemaError(f"The schema has no type {name}.")
            types = self._types[name]
            if not own:
                continue
            places = ", ".join("?" for _ in types)
            values = [[stored(t, v) for t, v in zip(types, row, strict=True)] for row in own]
            flat = [value for row in values for value in row]
            self._connection.execute(
                f"INSERT INTO {self._names[name]} VALUES " + ", ".join(f"({places})" for _ in own),
                flat,
            )
            self._filled.append(name)


def _tables(schema: SchemaGraph) -> list[tuple[str, Table]]:
    schema_tables = tables(schema)
    return [("nodes", t) for t in schema_tables.nodes.values()] + [
        ("edges", t) for t in schema_tables.edges.values()
    ]


def _create(connection: duckdb.DuckDBPyConnection, path: Path, table: Table) -> None:
    """Make one table; columns are named by position, because DuckDB's names ignore case."""
    if not path.is_file():
        raise SchemaError(f"The graph has no file {path}.")
    stored = _columns(connection, path)
    if sorted(stored) != sorted(own for own, _ in table.columns):
        raise SchemaError(
            f"{path} has the columns {', '.join(stored)}; "
            f"the schema says {', '.join(own for own, _ in table.columns)}."
        )
    left = list(table.columns)
    names = []
    for name in stored:
        pair = next(pair for pair in left if pair[0] == name)
        left.remove(pair)
        names.append(ident(pair[1]))
    connection.execute(
        f"CREATE TABLE {ident(table.name)} AS "
        f"SELECT * FROM read_parquet({_text(str(path))}) AS t({', '.join(names)})"
    )


def _columns(connection: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    """The names of a Parquet file's columns; the file lists them as a tree, parents first."""
    tree = connection.execute(
        f"SELECT name, num_children FROM parquet_schema({_text(str(path))})"
    ).fetchall()
    names, below = [], 0
    for name, children in tree[1:]:
        if not below:
            names.append(str(name))
            below = 1
        below += (children or 0) - 1
    return names


def _run(
    connection: duckdb.DuckDBPyConnection, text: str, with_nan: tuple[TableWithNaN, ...]
) -> Result:
    statements = connection.extract_statements(text)
    if not statements:
        raise QueryError("The text holds no statement.", "syntax")
    *macros, select = statements
    for macro in macros:
        if not macro.query.strip().lower().startswith(_MACRO):
            raise QueryError(
                f"Before the SELECT only CREATE TEMP MACRO is allowed, not {macro.type.name}.",
                "semantic",
            )
    if select.type is not duckdb.StatementType.SELECT:
        raise QueryError(f"Only SELECT is allowed, not {select.type.name}.", "semantic")
    refuse_nan(connection, with_nan, macros, select)
    connection.execute("BEGIN")
    try:
        for macro in macros:
            connection.execute(macro)
        cursor = connection.execute(select)
        kinds = [(str(column[0]), str(column[1])) for column in cursor.description or ()]
        readers = [_reader(kind) for _, kind in kinds]
        rows = cursor.fetchall()
    finally:
        connection.execute("ROLLBACK")
    names = tuple(name for name, _ in kinds)
    if not any(readers):
        return Result(names, tuple(rows))
    shown = tuple(
        tuple(
            value if read is None or value is None else read(value)
            for read, value in zip(readers, row, strict=True)
        )
        for row in rows
    )
    return Result(names, shown)


def _reader(kind: str) -> Callable[[Any], Any] | None:
    """What makes values of a column plain; nothing where they come so."""
    if kind in _PLAIN:
        return None
    if kind == "JSON":
        return lambda value: untagged(json.loads(value))
    if kind == "INTERVAL":
        raise QueryError("Cast INTERVAL columns to VARCHAR: Python's durations have no months.")
    if kind.rstrip("[]") in ("DATE", "TIMESTAMP"):
        return _beyond_python
    return _value


def _beyond_python(value: Any) -> Any:
    """A date or local date-time, also of years that Python has not and DuckDB gives as texts.

    >>> _beyond_python("10000-01-01"), _beyond_python("0001-02-29 (BC)")
    ('+10000-01-01', '0000-02-29')
    """
    if isinstance(value, list):
        return [_beyond_python(item) for item in value]
    if not isinstance(value, str):
        return _value(value)
    day, _, rest = value.partition(" ")
    clock, _, before = rest.rpartition("(BC)") if rest.endswith("(BC)") else (rest, "", None)
    year, date = day.split("-", 1)
    number = int(year) if before is None else 1 - int(year)
    sign = "-" if number < 0 else "+" if number > MAXYEAR else ""
    moment = f"T{clock.strip()}" if clock.strip() else ""
    return f"{sign}{abs(number):04}-{date}{moment}"


def untagged(value: Any) -> Any:
    """Tagged JSON (`translators.duckdb.expressions.dynamic`) as a plain value.

    >>> untagged({"a": {"$float": "1.0"}, "$$b": {"$node": 1, "value": '{"labels": []}'}})
    {'a': 1.0, '$b': {'labels': []}}
    """
    match value:
        case list():
            return [untagged(item) for item in value]
        case {"$float": str(text)}:
            return float(text)
        case {"$temporal": str(), "shown": str(text)}:
            return text
        case {"$node": _, "value": str(inner)} | {"$edge": _, "value": str(inner)}:
            return untagged(json.loads(inner))
        case {"$path": _, "value": str(inner)}:
            return untagged(json.loads(inner))
        case dict():
            return {_key(key): untagged(item) for key, item in value.items()}
    return value


def _key(key: str) -> str:
    return key[1:] if key.startswith("$$") else key


def _value(value: Any) -> Any:
    """A value as `engines.base.Result` has it."""
    match value:
        case Decimal() if value == value.to_integral_value():
            return int(value)
        case list() | tuple():
            return [_value(item) for item in value]
        case dict():
            return {str(key): _value(item) for key, item in value.items()}
        case UUID():
            return str(value)
        case _:
            return plain(value)


def _first(problem: duckdb.Error) -> str:
    """The message without DuckDB's advice and its copy of the line, and what a sum ran into."""
    if beyond := _BEYOND.search(str(problem)):
        return f"{beyond[1]} is beyond the 64 bits of integers; Neo4j makes such a sum a float."
    return str(problem).split("\n\n")[0].strip()


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
