"""Read a PostgreSQL database: tables, keys and references by reflection, rows by COPY.

All of it is read in one read-only transaction on one snapshot (postgresql.org/docs: SET
TRANSACTION). `COPY … TO STDOUT` streams rows as the text of every type's output function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmill.errors import EmptySourceError, SourceError
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.mapping import Semantics
from schemagraph.relational import SourceColumn, SourceTable
from schemagraph.sources.formats import carriers
from schemagraph.sources.formats.carriers import Carrier
from schemagraph.sources.formats.checks import declared_by
from schemagraph.sources.formats.server import Address, with_keys
from schemagraph.storage_classes import Batch, Lane

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SCHEMES = ("postgresql://", "postgres://", "postgresql+")  # whatever driver it names
_BLOCK = 8 << 20
_LARGEST = 256 << 20

_SETTINGS = """
SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'iso_8601';
SET bytea_output = 'hex'; SET extra_float_digits = 1; SET client_encoding = 'UTF8';
SET synchronize_seqscans = off
"""
_TABLES = """
SELECT c.relname, c.relkind, c.relispartition
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.oid
"""
# locales have a column of another name in each of versions 14, 15 and 17
# the type below domains; `e` is the type of an array's elements
_COLUMNS = """
WITH RECURSIVE base (oid, type, modifier) AS (
  SELECT t.oid, t.oid, NULL::int FROM pg_type t WHERE t.typtype <> 'd'
  UNION ALL SELECT t.oid, b.type, coalesce(b.modifier, t.typtypmod)
  FROM pg_type t JOIN base b ON t.typbasetype = b.oid WHERE t.typtype = 'd')
SELECT a.attname, format_type(b.type, coalesce(b.modifier, a.atttypmod)),
  t.typname, coalesce(e.typname, ''), t.typtype = 'c',
  l.collisdeterministic,
  CASE WHEN l.collname = 'default' THEN
    (SELECT coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate)
     FROM pg_database d WHERE d.datname = current_database())
  ELSE coalesce(to_jsonb(l) ->> 'colllocale', to_jsonb(l) ->> 'colliculocale',
    to_jsonb(l) ->> 'collcollate', l.collname) END,
  a.attnotnull,
  (SELECT array_agg(CAST(n.enumlabel AS text) ORDER BY n.enumsortorder) FROM pg_enum n
   WHERE n.enumtypid = t.oid),
  (SELECT array_agg(pg_get_expr(k.conbin, k.conrelid) ORDER BY k.oid) FROM pg_constraint k
   WHERE k.contype = 'c' AND k.convalidated
   AND (k.contypid = a.atttypid OR (k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum])))
FROM pg_attribute a JOIN base b ON b.oid = a.atttypid JOIN pg_type t ON t.oid = b.type
LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
LEFT JOIN pg_collation l ON l.oid = a.attcollation
WHERE a.attrelid = CAST(:name AS regclass) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
"""
# https://www.postgresql.org/docs/current/collation.html
_BY_CHARACTER = re.compile(r"(?i:(C|POSIX)(\.[\w-]+)?|ucs_basic|PG_UNICODE_FAST)")
_FORMS: dict[str, tuple[Carrier, str]] = {
    "bool": (carriers.BOOLEAN, "{c}::int"),
    **dict.fromkeys(("int2", "int4", "int8", "oid"), (carriers.INTEGER, "{c}")),
    "float4": (carriers.REAL, "{c}::float8"),
    "float8": (carriers.REAL, "{c}"),
    "numeric": (carriers.DECIMAL, "{c}"),
    "money": (carriers.DECIMAL, "{c}::numeric"),
    "bytea": (carriers.BYTES, "{c}"),
    "date": (carriers.DATE, "{c}"),
    "time": (carriers.TIME, "{c}"),
    "timetz": (carriers.ZONED_TIME, "{c}"),
    "timestamp": (carriers.DATETIME, "{c}"),
    "timestamptz": (carriers.ZONED_DATETIME, "{c}"),
    "interval": (carriers.DURATION, "{c}"),
}
_SEMANTICS = {
    **dict.fromkeys((*_FORMS, "text", "varchar", "bpchar", "name", "char"), Semantics.PROPERTY),
    **dict.fromkeys(("money", "timetz", "interval"), Semantics.OWN),
    "float4": Semantics.SINGLE,
    "uuid": Semantics.UUID,
}
# a list whose first number is not 1 has no JSON that says so
_LIST = "CASE WHEN array_lower({c}, 1) <> 1 THEN {c}::text ELSE to_json({c})::text END"
_LISTS = {
    **dict.fromkeys(("int2", "int4", "int8"), carriers.INTEGERS),
    **dict.fromkeys(("float8",), carriers.FLOATS),
    **dict.fromkeys(("text", "varchar", "bpchar"), carriers.STRINGS),
    "bool": carriers.BOOLEANS,
}


def quoted(name: str) -> str:
    """`name` as an identifier of PostgreSQL."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class _Part:
    """Where a table's rows are, and the carrier and SQL of each column."""

    origin: str
    columns: tuple[tuple[Carrier, str], ...]


class PostgresDatabase:
    """The tables of the connection's schema, in one transaction."""

    dialect = "postgres"

    def __init__(self, connection: Connection, address: Address) -> None:
        import sqlalchemy

        self.name = address.database
        self._address = address
        self._connection = connection
        self._parts: dict[str, _Part] = {}
        for setting in _SETTINGS.split(";"):
            connection.execute(sqlalchemy.text(setting.strip()))
        self.version = str(connection.execute(sqlalchemy.text("SHOW server_version")).scalar_one())
        self.tables, self.notes = self._read()

    def close(self) -> None:
        """Nothing: the connection is closed by who opened it."""

    def _read(self) -> tuple[tuple[SourceTable, ...], tuple[str, ...]]:
        import sqlalchemy

        notes: list[str] = []
        kinds: dict[str, list[str]] = {}
        columns: dict[str, Any] = {}
        schema = self._connection.execute(sqlalchemy.text("SELECT current_schema()")).scalar()
        if schema is None:
            raise SourceError(f"{self._address.shown}: the search path names no schema.")
        for name, kind, is_partition in self._connection.execute(sqlalchemy.text(_TABLES)):
            if is_partition:
                continue  # its rows are read with the table that it is a part of
            if kind not in ("r", "p"):
                kinds.setdefault(kind, []).append(name)
                continue
            only = "ONLY " if kind == "r" else ""  # rows of an heir are the heir's
            read_columns = self._columns(f"{quoted(schema)}.{quoted(name)}")
            if not read_columns:
                notes.append(f"Table {name} has no columns and is left out.")
                continue
            columns[name] = [column for column, _, _ in read_columns]
            self._parts[name] = _Part(
                f"{only}{quoted(schema)}.{quoted(name)}",
                tuple((carrier, text) for _, carrier, text in read_columns),
            )
        for kind, what in (("v", "Views"), ("m", "Materialised views"), ("f", "Foreign tables")):
            if kind in kinds:
                notes.append(f"{what} are ignored: {', '.join(sorted(kinds[kind]))}.")
        if not columns:
            has = "only views" if kinds else "no tables"
            raise EmptySourceError(
                f"{self._address.shown} has {has} in the schema {schema}: a graph is made of the "
                "rows of at least one table."
            )
        inspector = sqlalchemy.inspect(self._connection)
        tables = with_keys(inspector, columns, notes)
        others = [
            name
            for name in inspector.get_schema_names()
            if name not in (schema, "information_schema") and inspector.get_table_names(name)
        ]
        if others:
            notes.append(
                f"Schemas are left out: {', '.join(others)}. The address names another one with "
                "?options=-csearch_path=NAME."
            )
        return tables, tuple(notes)

    def _columns(self, table: str) -> list[tuple[SourceColumn, Carrier, str]]:
        import sqlalchemy

        columns = []
        for (
            name,
            declared,
            base,
            element,
            composite,
            plain,
            ordered_by,
            needed,
            labels,
            checks,
        ) in self._connection.execute(sqlalchemy.text(_COLUMNS), {"name": table}):
            carrier, form = _FORMS.get(base, (carriers.TEXT, "{c}"))
            if element in _LISTS:
                carrier, form = _LISTS[element], _LIST
            collation = "BINARY" if plain is not False else "ICU"
            if base == "bpchar" and plain is not False:
                collation = "RTRIM"
            own = Semantics.ROW if composite else Semantics.OWN
            folds = collation != "BINARY"  # which equates other texts with those of a check
            # they speak of this column alone, and call it VALUE where its domain has them
            known = declared_by(checks or (), self.dialect)
            closed = () if folds else next(iter(known.values.values()), ())
            column = replace(
                carrier.column(name, declared, collation),
                ordering=_ordering(ordered_by),
                pads=base == "bpchar" and plain is not False,
                nullable=not needed and not known.needed,
                values=tuple(labels or ()) or closed,
                semantics=Semantics.LABELS if labels else _SEMANTICS.get(base, own),
                counts_digits=base in ("int8", "numeric", "float8"),
                measured=carrier.lane in (Lane.NUMBER, Lane.INTEGER),
            )
            columns.append((column, carrier, form.replace("{c}", quoted(name))))
        return columns

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """Rows in the order of the key, or as they are stored where there is none."""
        import psycopg
        import pyarrow as pa

        part = self._parts[table.name]
        driver: Any = self._connection.connection.driver_connection
        done = 0
        try:
            with driver.cursor() as cursor:
                cursor.execute("SAVEPOINT before")
                try:
                    for batch in self._copied(cursor, table, _BLOCK):
                        done += batch.num_rows
                        yield _cells(part, batch)
                    return
                except pa.ArrowInvalid as problem:
                    if "straddl" not in str(problem):
                        raise
                cursor.execute("ROLLBACK TO before")  # a value is larger than a block: once more
                for batch in self._copied(cursor, table, _LARGEST):
                    fresh = batch.slice(max(0, min(done, batch.num_rows)))
                    done -= batch.num_rows - fresh.num_rows
                    if fresh.num_rows:
                        yield _cells(part, fresh)
        except (psycopg.Error, pa.ArrowInvalid) as problem:
            raise SourceError(f"Table {table.name}: {self._address.clean(problem)}") from None

    def _copied(self, cursor: Any, table: SourceTable, block: int) -> Iterator[Any]:
        """What COPY sends of a table as record batches, read in blocks of so many bytes."""
        import pyarrow as pa
        import pyarrow.csv as pc

        part = self._parts[table.name]
        items = ", ".join(f"{text} AS c{n}" for n, (_, text) in enumerate(part.columns))
        order = f" ORDER BY {', '.join(map(quoted, table.key))}" if table.key else ""
        query = f"SELECT {items} FROM {part.origin}{order}"
        types = {f"c{n}": _arrow(carrier) for n, (carrier, _) in enumerate(part.columns)}
        with cursor.copy(f"COPY ({query}) TO STDOUT CSV") as copy:
            stream = _Stream(copy)
            if not stream.has_more():
                return
            yield from pc.open_csv(
                pa.PythonFile(stream, "r"),
                pc.ReadOptions(column_names=list(types), block_size=block, use_threads=False),
                pc.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
                pc.ConvertOptions(
                    column_types=types,
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )


def _cells(part: _Part, batch: Any) -> Batch:
    arrays = zip(part.columns, batch.columns, strict=True)
    return batch.num_rows, [
        carrier.lanes(_bytes(array) if carrier.lane is Lane.BLOB else array)
        for (carrier, _), array in arrays
    ]


def _arrow(carrier: Carrier) -> Any:
    import pyarrow as pa

    return {Lane.INTEGER: pa.int64(), Lane.REAL: pa.float64()}.get(carrier.lane, pa.string())


def _bytes(array: Any) -> Any:
    """`\\x00ff` as bytes."""
    import pyarrow as pa

    decoded = [None if v is None else bytes.fromhex(v[2:]) for v in array.to_pylist()]
    return pa.array(decoded, pa.binary())


class _Stream(RawIOBase):
    """What COPY sends, as a file to read."""

    def __init__(self, copy: Any) -> None:
        super().__init__()
        self._blocks = iter(copy)
        self._held = bytearray()

    def readable(self) -> bool:
        """Yes."""
        return True

    def has_more(self) -> bool:
        """Whether anything comes."""
        self._held += next(self._blocks, b"")
        return bool(self._held)

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes, fewer at the end."""
        held = self._held
        while size < 0 or len(held) < size:
            block = next(self._blocks, None)
            if block is None:
                break
            held += block
        taken = bytes(held) if size < 0 else bytes(held[:size])
        del held[: len(taken)]
        return taken


class PostgresSource(TableSource):
    """Addresses `postgresql://USER@HOST:PORT/DATABASE`."""

    name = "postgresql"
    says = "a PostgreSQL address"

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the scheme."""
        return path is None and source.startswith(_SCHEMES)

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[PostgresDatabase, dict[str, Any]]]:
        """See `TableSource`."""
        address = Address(source, "postgresql+psycopg", "postgresql")
        with address.connected(isolation_level="REPEATABLE READ") as connection:
            connection = connection.execution_options(postgresql_readonly=True)
            database = PostgresDatabase(connection, address)
            yield database, {"url": address.shown, "version": database.version}


SOURCE = PostgresSource()


def _ordering(collation: str | None) -> str:
    """The collation that orders texts otherwise than by their characters' numbers, or BINARY."""
    return "BINARY" if not collation or _BY_CHARACTER.fullmatch(collation) else collation
