"""Read a DuckDB file: tables, keys, references and rows (duckdb.org/docs/sql/data_types).

The file is opened read-only, and the connection can reach no other file and no network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from graphmill.errors import EmptySourceError, SourceError, is_exhausted, shortened
from graphmill.files import file_digest
from graphmill.regular import check_file
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.mapping import Affinity, Semantics
from schemagraph.relational import Reference, SourceColumn, SourceTable
from schemagraph.sources.formats import carriers
from schemagraph.sources.formats.carriers import Carrier
from schemagraph.sources.formats.checks import declared_by, enumerated
from schemagraph.staging.scratch import quoted_text
from schemagraph.storage_classes import Batch, Lane

_UNKNOWN = "unknown"  # a collation
_MAGIC = slice(8, 12)
_BATCH = 65_536
_BATCH_BYTES = 32 << 20
_WIDE = 1024  # bytes of a row that are taken for granted

_PLAIN: dict[str, Carrier] = {
    "BOOLEAN": carriers.BOOLEAN,
    **dict.fromkeys(
        ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"),
        carriers.INTEGER,
    ),
    **dict.fromkeys(("FLOAT", "DOUBLE"), carriers.REAL),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM", "VARINT"), carriers.BIG_INTEGER),
    **dict.fromkeys(("VARCHAR", "JSON", "UUID", "BIT"), carriers.TEXT),
    "BLOB": carriers.BYTES,
    "DATE": carriers.DATE,
    "TIME": carriers.TIME,
    "TIME WITH TIME ZONE": carriers.ZONED_TIME,
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), carriers.DATETIME
    ),
    "TIMESTAMP WITH TIME ZONE": carriers.ZONED_DATETIME,
    "INTERVAL": carriers.DURATION,
}
_CASTS = {carriers.INTEGER: "BIGINT", carriers.BOOLEAN: "BIGINT", carriers.REAL: "DOUBLE"}
_LISTS = {
    carriers.INTEGER: carriers.INTEGERS,
    carriers.BIG_INTEGER: carriers.INTEGERS,
    carriers.BOOLEAN: carriers.BOOLEANS,
    carriers.REAL: carriers.FLOATS,
    carriers.TEXT: carriers.STRINGS,
}


_SEMANTICS = {
    **dict.fromkeys((*_PLAIN, "DECIMAL"), Semantics.PROPERTY),
    **dict.fromkeys(("BIT", "INTERVAL", "TIME WITH TIME ZONE"), Semantics.OWN),
    "ENUM": Semantics.LABELS,
    "FLOAT": Semantics.SINGLE,
    "UUID": Semantics.UUID,
}


def quoted(name: str) -> str:
    """`name` as an identifier of DuckDB."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class DuckTable:
    """A table, what it is called in the connection, and the carrier and SQL of each column."""

    table: SourceTable
    origin: str
    columns: tuple[tuple[Carrier, str], ...]


class DuckTables:
    """Tables that DuckDB reads, in one read-only transaction of an open connection."""

    def __init__(
        self,
        connection: Any,
        name: str,
        dialect: str,
        tables: Sequence[DuckTable],
        notes: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.dialect = dialect
        self.notes = tuple(notes)
        self.tables = tuple(part.table for part in tables)
        self._parts = {part.table.name: part for part in tables}
        self._connection = connection

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """Rows in the order in which DuckDB stores them.

        Raises:
            SourceError: a value or a file cannot be read.
        """
        import duckdb

        part = self._parts[table.name]
        items = ", ".join(f"{text} AS c{n}" for n, (_, text) in enumerate(part.columns))
        try:
            answer = self._connection.sql(f"SELECT {items} FROM {part.origin}")
            for batch in answer.to_arrow_reader(_batch_rows(len(part.columns))):
                cells = [
                    carrier.lanes(_spelled(array))
                    for (carrier, _), array in zip(part.columns, batch.columns, strict=True)
                ]
                yield batch.num_rows, cells
        except duckdb.Error as problem:
            if is_exhausted(problem):
                raise
            raise SourceError(f"Table {table.name} cannot be read: {first_line(problem)}") from None


def _batch_rows(columns: int) -> int:
    return max(2048, min(_BATCH, _BATCH_BYTES // (_WIDE * max(columns, 1)) // 2048 * 2048))


def first_line(problem: Exception) -> str:
    """The sentence of a DuckDB error."""
    return shortened(str(problem).strip().split("\n")[0])


def _spelled(array: Any) -> Any:
    import pyarrow as pa

    if not pa.types.is_interval(array.type):
        return array
    texts = [
        v if v is None else carriers.duration_text(v.months, v.days, v.nanoseconds // 1000)
        for v in array.to_pylist()
    ]
    return pa.array(texts, pa.string())


def carried(name: str, declared: str) -> tuple[Carrier, str]:
    """How a column of that type is staged, and the SQL that brings its values.

    >>> carried("price", "DECIMAL(10,2)")[1]
    'CAST("price" AS VARCHAR)'
    """
    column = quoted(name)
    if declared.endswith("]") and not declared.endswith("[]"):
        return carried(name, re.sub(r"\[[0-9]+\]$", "[]", declared))
    if declared.endswith("[]"):
        inner = _PLAIN.get(declared.removesuffix("[]"))
        if inner in _LISTS and "JSON" not in declared:
            return _LISTS[inner], f"CAST(to_json({column}) AS VARCHAR)"
        return carriers.TEXT, f"CAST({column} AS VARCHAR)"
    if declared.startswith("DECIMAL"):
        return carriers.DECIMAL, f"CAST({column} AS VARCHAR)"
    carrier = _PLAIN.get(declared, carriers.TEXT)
    if carrier in (carriers.BYTES, carriers.DURATION):
        return carrier, column
    return carrier, f"CAST({column} AS {_CASTS.get(carrier, 'VARCHAR')})"


def _semantics(declared: str) -> Semantics:
    word = declared if declared.endswith("]") else declared.partition("(")[0]
    return _SEMANTICS.get(word, Semantics.OWN)


def typed_columns(
    declared: Sequence[tuple[str, str]],
) -> tuple[tuple[SourceColumn, ...], tuple[tuple[Carrier, str], ...]]:
    """Columns and their ways, by name and DuckDB type."""
    ways = tuple(carried(name, kind) for name, kind in declared)
    columns = tuple(
        replace(carrier.column(name, kind), semantics=_semantics(kind))
        for (name, kind), (carrier, _) in zip(declared, ways, strict=True)
    )
    return columns, ways


def connect(path: Path | None = None) -> Any:
    """A connection with bounded memory: to a file, read-only, or to nothing."""
    import duckdb

    connection = duckdb.connect(
        ":memory:" if path is None else str(path),
        read_only=path is not None,
        config={
            "memory_limit": "400MB",
            "threads": 2,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        },
    )
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute("SET enable_progress_bar = false")  # it goes to standard output
    return connection


class DuckdbSource(TableSource):
    """DuckDB files, and `duckdb:///PATH` addresses."""

    name = "duckdb"
    says = "a DuckDB database"

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the header of the file format (duckdb.org/docs/internals/storage)."""
        return source.startswith("duckdb:///") if path is None else head[_MAGIC] == b"DUCK"

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[DuckTables, dict[str, Any]]]:
        """See `TableSource`."""
        path = Path(source.removeprefix("duckdb:///"))
        check_file(path)
        with opened(path) as database:
            yield database, {"file": path.name, "sha256": file_digest(path)}


@contextmanager
def opened(path: Path) -> Iterator[DuckTables]:
    """The database in a file.

    Raises:
        SourceError: it cannot be read as one with at least one table.
    """
    import duckdb

    try:
        connection = connect(path)
    except duckdb.Error as problem:
        if is_exhausted(problem):
            raise
        raise SourceError(f"{path} cannot be opened: {first_line(problem)}") from None
    try:
        connection.execute("SET enable_external_access = false")
        connection.execute("BEGIN TRANSACTION READ ONLY")
        yield _database(connection, path)
    except duckdb.Error as problem:
        if is_exhausted(problem):
            raise
        raise SourceError(f"{path} cannot be read: {first_line(problem)}") from None
    finally:
        connection.close()


type Query = Callable[[str], list[tuple[Any, ...]]]


def _chosen_schema(query: Query, path: Path) -> tuple[str, list[str], list[str]]:
    """The schema whose tables are read, their names, and notes on what is left out.

    Raises:
        SourceError: it has no tables, or it cannot be told which are meant.
    """
    own = "NOT internal AND database_name = current_database()"
    listed = query(
        f"SELECT schema_name, table_name FROM duckdb_tables() WHERE {own} AND NOT temporary "
        "ORDER BY table_oid"
    )
    views = query(f"SELECT schema_name, view_name FROM duckdb_views() WHERE {own} ORDER BY 1, 2")
    schemas = list(dict.fromkeys(schema for schema, _ in listed))
    if not schemas:
        has = "only views" if views else "no tables"
        raise EmptySourceError(
            f"{path} has {has}: a graph is made of the rows of at least one table."
        )
    if "main" not in schemas and len(schemas) > 1:
        raise SourceError(f"{path} has tables in several schemas, none of them main: {schemas}.")
    schema = "main" if "main" in schemas else schemas[0]
    notes = [
        f"Schema {other} is left out: {', '.join(t for s, t in listed if s == other)}."
        for other in schemas
        if other != schema
    ]
    if views:
        notes.append(f"Views are ignored: {', '.join(name for _, name in views)}.")
    return schema, [name for of, name in listed if of == schema], notes


def _database(connection: Any, path: Path) -> DuckTables:
    def query(text: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = connection.execute(text).fetchall()
        return rows

    schema, names, notes = _chosen_schema(query, path)
    inside = f"database_name = current_database() AND schema_name = {quoted_text(schema)}"
    columns: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    for table, name, kind in query(
        f"SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE {inside} "
        "ORDER BY table_oid, column_index"
    ):
        if table in columns:
            columns[table].append((name, kind))
    needed = set(
        query(
            "SELECT table_name, column_name FROM duckdb_columns() "
            f"WHERE {inside} AND NOT is_nullable"
        )
    )
    tables = []
    for table, declared in columns.items():
        made, ways = typed_columns(declared)
        made = tuple(
            replace(
                column,
                nullable=(table, column.name) not in needed,
                values=enumerated(column.declared),
                measured=carrier.lane in (Lane.NUMBER, Lane.INTEGER),
            )
            for column, (carrier, _) in zip(made, ways, strict=True)
        )
        origin = f"{quoted(schema)}.{quoted(table)}"
        tables.append(DuckTable(SourceTable(table, made), origin, ways))
    constraints = query(
        "SELECT table_name, constraint_type, constraint_column_names, referenced_table, "
        f"referenced_column_names FROM duckdb_constraints() WHERE {inside} "
        "ORDER BY table_oid, constraint_index"
    )
    checks: dict[str, list[str]] = {}
    for table, condition in query(
        "SELECT table_name, expression FROM duckdb_constraints() "
        f"WHERE {inside} AND constraint_type = 'CHECK' ORDER BY table_oid, constraint_index"
    ):
        checks.setdefault(table, []).append(condition)
    collated = {
        table: _collations(text)
        for table, text in query(f"SELECT table_name, sql FROM duckdb_tables() WHERE {inside}")
        if "collate" in text.lower()
    }
    whole = [
        replace(
            part,
            table=_collated(
                _checked(_with_keys(part.table, constraints), checks),
                collated.get(part.table.name, {}),
            ),
        )
        for part in tables
    ]
    return DuckTables(connection, path.stem, "duckdb", whole, notes)


def _collations(definition: str) -> dict[str, str]:
    """The collations of a table's columns by their names in lower case, which only its CREATE
    TABLE tells (https://duckdb.org/docs/stable/sql/expressions/collations).

    >>> _collations("CREATE TABLE t(a VARCHAR COLLATE NOACCENT.NOCASE, b VARCHAR)")
    {'a': 'noaccent.nocase'}

    Every text has an unknown one where it cannot be read: `{"": "unknown"}`.
    """
    try:
        made = sqlglot.parse_one(definition, dialect="duckdb")
    except SqlglotError:
        return {"": _UNKNOWN}
    if not isinstance(made, exp.Create):  # sqlglot keeps what it does not know as a command
        return {"": _UNKNOWN}
    return {
        column.name.lower(): constraint.this.sql(dialect="duckdb").lower()
        for column in made.find_all(exp.ColumnDef)
        for constraint in column.find_all(exp.CollateColumnConstraint)
    }


def _collated(table: SourceTable, collations: Mapping[str, str]) -> SourceTable:
    others = collations.get("", "BINARY")
    columns = (
        replace(column, collation=collations.get(column.name.lower(), others))
        if column.affinity is Affinity.TEXT
        else column
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def _checked(table: SourceTable, checks: Mapping[str, list[str]]) -> SourceTable:
    """The table with what its conditions declare of its columns."""
    columns, known = [], declared_by(checks.get(table.name, ()), "duckdb")
    for column in table.columns:
        name = column.name.lower()
        columns.append(
            replace(
                column,
                nullable=column.nullable and name not in known.needed,
                values=column.values or known.values.get(name, ()),
            )
        )
    return replace(table, columns=tuple(columns))


def _with_keys(table: SourceTable, constraints: Sequence[tuple[Any, ...]]) -> SourceTable:
    key: tuple[str, ...] = ()
    unique, references = [], []
    for name, kind, columns, other, referenced in constraints:
        if name != table.name:
            continue
        if kind == "PRIMARY KEY":
            key = tuple(columns)
        elif kind == "UNIQUE":
            unique.append(tuple(columns))
        elif kind == "FOREIGN KEY":
            references.append(Reference(tuple(columns), other, tuple(referenced)))
    kept = tuple(dict.fromkeys(references))
    return SourceTable(table.name, table.columns, key, tuple(sorted(unique)), kept)


SOURCE = DuckdbSource()
