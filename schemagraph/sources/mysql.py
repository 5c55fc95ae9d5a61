"""Read a MySQL or MariaDB database: tables, keys and references by reflection, rows streamed.

All of it is read in one read-only transaction on one consistent snapshot (dev.mysql.com: START
TRANSACTION), which holds for tables of transactional engines. A TIMESTAMP is read in UTC and, as
the server shows it, without a zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmill.errors import EmptySourceError, SourceError
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.mapping import Semantics
from schemagraph.relational import SourceColumn, SourceTable
from schemagraph.sources.formats import carriers
from schemagraph.sources.formats.carriers import Carrier
from schemagraph.sources.formats.checks import enumerated
from schemagraph.sources.formats.server import Address, with_keys
from schemagraph.storage_classes import Batch, Lane

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SCHEMES = ("mysql://", "mariadb://", "mysql+", "mariadb+")  # whatever driver it names
_BATCH_ROWS = 16_384
_BATCH_BYTES = 32 << 20
_FIRST = 256
_LARGEST = 1 << 30  # bytes of a row, which the server's own limit is the smaller of

# Collations under which blanks at the end of a text count, by their names: the server knows it of
# each (PAD_ATTRIBUTE), but MariaDB does not say it.
_NO_PAD = re.compile("^binary$|_nopad_|_0900_")
_SETTINGS = """
SET SESSION time_zone = '+00:00';
SET SESSION net_write_timeout = 600;
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ;
START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY
"""
_COLUMNS = """
SELECT COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, COLLATION_NAME, IS_NULLABLE
FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = :name ORDER BY ORDINAL_POSITION
"""
# Whether no two texts of a column are equal but the same; of long ones, no more may be compared
# than max_sort_length bytes, which are 1,024 (dev.mysql.com: Server System Variables).
_ONE_SPELLING = (
    "COUNT(DISTINCT {c}) = COUNT(DISTINCT CAST({c} AS BINARY))"
    " AND COALESCE(MAX(CHAR_LENGTH({c})), 0) <= 255"
)
_TABLES = """
SELECT TABLE_NAME, TABLE_TYPE, coalesce(ENGINE, '') FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME
"""
_FORMS: dict[str, tuple[Carrier, str]] = {
    **dict.fromkeys(
        ("tinyint", "smallint", "mediumint", "int", "bigint", "year"), (carriers.INTEGER, "{c}")
    ),
    "decimal": (carriers.DECIMAL, "{c}"),
    "float": (carriers.REAL, "CAST({c} AS DOUBLE)"),  # which is printed with six digits
    "double": (carriers.REAL, "{c}"),
    "date": (carriers.DATE, "{c}"),
    "time": (carriers.TIME, "{c}"),
    **dict.fromkeys(("datetime", "timestamp"), (carriers.DATETIME, "{c}")),
    **dict.fromkeys(
        (
            *("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "vector"),
            *("geometry", "point", "linestring", "polygon", "multipoint", "multilinestring"),
            *("multipolygon", "geometrycollection", "geomcollection"),
        ),
        (carriers.BYTES, "{c}"),
    ),
}


_SEMANTICS = {
    "enum": Semantics.LABELS,
    "year": Semantics.YEAR,
    **dict.fromkeys(("set", "json", "uuid", "inet4", "inet6"), Semantics.OWN),
}


def quoted(name: str) -> str:
    """`name` as an identifier of MySQL."""
    return "`" + name.replace("`", "``") + "`"


def _carried(declared: str, kind: str) -> tuple[Carrier, str]:
    if declared.startswith("tinyint(1)"):  # what BOOLEAN is declared as
        return carriers.BOOLEAN, "{c}"
    if kind == "bit":
        one = carriers.BOOLEAN if declared == "bit(1)" else carriers.BIG_INTEGER
        return one, "CAST({c} AS UNSIGNED)"
    if kind == "bigint" and "unsigned" in declared:
        return carriers.BIG_INTEGER, "{c}"
    return _FORMS.get(kind, (carriers.TEXT, "{c}"))


def _semantics(declared: str, kind: str) -> Semantics:
    if "zerofill" in declared or (kind == "float" and "(" in declared):
        return Semantics.OWN  # printed with zeros, and rounded to digits
    return _SEMANTICS.get(kind, Semantics.PROPERTY)


class MysqlDatabase:
    """The tables of one database, in one transaction."""

    dialect = "mysql"

    def __init__(self, connection: Connection, address: Address) -> None:
        import sqlalchemy

        self.name = address.database
        self._address = address
        self._connection = connection
        self._ways: dict[str, list[tuple[Carrier, str]]] = {}
        for setting in _SETTINGS.split(";"):
            connection.execute(sqlalchemy.text(setting.strip()))
        self.version = str(connection.execute(sqlalchemy.text("SELECT version()")).scalar_one())
        self.tables, self.notes = self._read()

    def close(self) -> None:
        """Nothing: the connection is closed by who opened it."""

    def _read(self) -> tuple[tuple[SourceTable, ...], tuple[str, ...]]:
        import sqlalchemy

        notes: list[str] = []
        columns: dict[str, Any] = {}
        kinds: dict[str, list[str]] = {}
        unsafe = []
        for name, kind, engine in self._connection.execute(sqlalchemy.text(_TABLES)).fetchall():
            if kind not in ("BASE TABLE", "SYSTEM VERSIONED"):
                kinds.setdefault(kind, []).append(name)
                continue
            columns[name] = self._columns(name)
            if engine.lower() not in ("innodb", "rocksdb"):
                unsafe.append(name)
        for kind, names in sorted(kinds.items()):
            what = "Views are" if kind == "VIEW" else f"Of the kind {kind.lower()} are and"
            notes.append(f"{what} ignored: {', '.join(names)}.")
        if unsafe:
            notes.append(
                f"Tables of an engine without transactions may have changed while the others were "
                f"read: {', '.join(unsafe)}."
            )
        if not columns:
            has = "only views" if kinds else "no tables"
            raise EmptySourceError(
                f"{self._address.shown} has {has}: a graph is made of the rows of at least one "
                "table."
            )
        tables = with_keys(sqlalchemy.inspect(self._connection), columns, notes)
        return tables, tuple(notes)

    def _columns(self, table: str) -> list[SourceColumn]:
        import sqlalchemy

        columns = []
        self._ways[table] = []
        for name, declared, kind, collation, needed in self._connection.execute(
            sqlalchemy.text(_COLUMNS), {"name": table}
        ).fetchall():
            carrier, form = _carried(declared.lower(), kind.lower())
            binary = collation is None or collation.endswith("_bin")
            column = carrier.column(name, declared, "BINARY" if binary else collation)
            pads = collation is not None and not _NO_PAD.search(collation)
            nullable, values = needed != "NO", enumerated(declared)
            semantics = _semantics(declared.lower(), kind.lower())
            column = replace(column, nullable=nullable, values=values, pads=pads, folds=not binary)
            measured = carrier.lane in (Lane.NUMBER, Lane.INTEGER)
            columns.append(replace(column, semantics=semantics, measured=measured))
            self._ways[table].append((carrier, form.replace("{c}", quoted(name))))
        return self._with_spelling(table, columns)

    def _with_spelling(self, table: str, columns: list[SourceColumn]) -> list[SourceColumn]:
        """The columns, of which the server says whether it takes texts that differ for equal."""
        import sqlalchemy

        large = ("mediumtext", "longtext")  # which nobody groups by
        folding = [c.name for c in columns if c.folds and c.declared.lower() not in large]
        if not folding:
            return columns
        tests = ", ".join(_ONE_SPELLING.replace("{c}", quoted(name)) for name in folding)
        query = sqlalchemy.text(f"SELECT {tests} FROM {quoted(table)}".replace(":", "\\:"))
        answers = self._connection.execute(query).one()
        single = {name for name, yes in zip(folding, answers, strict=True) if yes}
        return [replace(column, one_spelling=column.name in single) for column in columns]

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """Rows in the order of the key, or as they are stored where there is none."""
        import pyarrow as pa
        import pymysql
        from pymysql.cursors import SSCursor

        ways = self._ways[table.name]
        items = ", ".join(text for _, text in ways)
        query = f"SELECT {items} FROM {quoted(table.name)}"
        if table.key:
            query += f" ORDER BY {', '.join(map(quoted, table.key))}"
        driver: Any = self._connection.connection.driver_connection
        decoders, driver.decoders = driver.decoders, {}  # values as the server prints them
        size = _FIRST
        try:
            with driver.cursor(SSCursor) as cursor:
                cursor.execute(query)
                while rows := cursor.fetchmany(size):
                    cells = [
                        carrier.lanes(_array(carrier, values))
                        for (carrier, _), values in zip(ways, zip(*rows, strict=True), strict=True)
                    ]
                    yield len(rows), cells
                    held = sum(len(v) for row in rows[:64] for v in row if v is not None)
                    mean = max(held // min(len(rows), 64), 1)
                    size = max(1, min(_BATCH_ROWS, _BATCH_BYTES // mean))
        except (pymysql.Error, pa.ArrowInvalid, UnicodeDecodeError) as problem:
            raise SourceError(f"Table {table.name}: {self._address.clean(problem)}") from None
        finally:
            driver.decoders = decoders


def _array(carrier: Carrier, values: Any) -> Any:
    import pyarrow as pa

    return pa.array(values, pa.binary() if carrier.lane is Lane.BLOB else pa.string())


class MysqlSource(TableSource):
    """Addresses `mysql://USER@HOST:PORT/DATABASE` and `mariadb://…`."""

    name = "mysql"
    says = "a MySQL or MariaDB address"

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the scheme."""
        return path is None and source.startswith(_SCHEMES)

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[MysqlDatabase, dict[str, Any]]]:
        """See `TableSource`."""
        address = Address(source, "mysql+pymysql", "mysql")
        arguments = {"charset": "utf8mb4", "max_allowed_packet": _LARGEST}
        with address.connected(connect_args=arguments, isolation_level="AUTOCOMMIT") as connection:
            database = MysqlDatabase(connection, address)
            yield database, {"url": address.shown, "version": database.version}


SOURCE = MysqlSource()
