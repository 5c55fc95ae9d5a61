"""Read a SQLite file: tables, keys, references and rows (sqlite.org/pragma.html, datatype3)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path
from typing import Any
from urllib.parse import quote

from graphmill.decoded import limit, too_large
from graphmill.errors import EmptySourceError, SourceError, did_you_mean
from graphmill.files import file_digest
from graphmill.regular import check_file
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.mapping import Affinity
from schemagraph.relational import Reference, SourceColumn, SourceTable
from schemagraph.sources.formats.checks import conditions, declared_by
from schemagraph.storage_classes import Batch, RawText, lanes

_HEADER = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_FAULTS = 3  # of damaged pages that are told
_OF_PAGES = "*** in database "  # how SQLite begins what is wrong with pages, and not with values
_FIRST_BATCH = 256
_BATCH_ROWS = 65_536
_BATCH_BYTES = 32 << 20
_MOST_LENGTH = (1 << 31) - 1  # of a value that SQLite can be asked to allow
_COMPUTED = 2  # what table_xinfo calls a generated column that is VIRTUAL


def affinity(declared: str) -> Affinity:
    """The affinity of a declared type (sqlite.org/datatype3.html, section 3.1).

    >>> [affinity(d).value for d in ("VARCHAR(10)", "BIGINT", "", "DOUBLE", "DECIMAL(5,2)")]
    ['TEXT', 'INTEGER', 'BLOB', 'REAL', 'NUMERIC']
    """
    text = declared.upper()
    if "INT" in text:
        return Affinity.INTEGER
    if any(word in text for word in ("CHAR", "CLOB", "TEXT")):
        return Affinity.TEXT
    if "BLOB" in text or not text.strip():
        return Affinity.BLOB
    if any(word in text for word in ("REAL", "FLOA", "DOUB")):
        return Affinity.REAL
    return Affinity.NUMERIC


def quoted(name: str) -> str:
    """`name` as an SQL identifier.

    >>> print(quoted('say "hi"'))
    "say ""hi\"""
    """
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class SqliteAgain:
    """See `schemagraph.relational.Reopened`."""

    path: Path
    cells: tuple[int, ...]

    def open(self) -> SqliteDatabase:
        """The same file, opened in this process."""
        return SqliteDatabase(self.path)


class SqliteDatabase:
    """An open SQLite file, read in one transaction so that all tables are of one moment.

    With `check`, a file whose pages are damaged is refused: what they held may be gone without an
    error.

    Raises:
        SourceError: the file cannot be read as a database with at least one table, or a foreign
            key names what does not exist.
    """

    dialect = "sqlite"

    def __init__(
        self, path: Path, connection: sqlite3.Connection | None = None, *, check: bool = False
    ) -> None:
        self.path = path
        self.name = path.stem
        self._connection = _connect(path) if connection is None else connection
        self._computed: dict[str, list[str]] = {}  # generated columns that no page holds, by table
        try:
            if check:
                self._check()
            self.tables, self.notes = self._read()
        except sqlite3.DatabaseError as problem:
            self.close()
            raise SourceError(f"{path} cannot be read as a SQLite database: {problem}.") from None
        except SourceError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def again(self) -> SqliteAgain | None:
        """The file in another process: no one can write to it while this one reads."""
        (journal,) = self._query("PRAGMA main.journal_mode")[0]
        if journal in ("wal", "memory"):
            return None  # there a writer and readers of different moments go together
        cells = []
        for table in self.tables:
            order = self._order(table).removeprefix(" ORDER BY ")
            most = f"coalesce(max({order}), 0)" if order else "count(*)"
            try:
                (rows,) = self._query(f"SELECT {most} FROM main.{quoted(table.name)}")[0]
            except sqlite3.DatabaseError:
                return None  # a damaged table, which reading will tell of
            cells.append(rows * len(table.columns))
        return SqliteAgain(self.path, tuple(cells))

    def _check(self) -> None:
        """Refuse a file that is cut, and damaged pages with their first faults."""
        logged = self.path.with_name(f"{self.path.name}-wal").exists()  # newer than the header
        if not logged and (cut := _cut(self.path)):
            raise SourceError(_damaged(self.path, cut))
        try:
            rows = [str(each) for (each,) in self._query(f"PRAGMA main.quick_check({_FAULTS})")]
        except sqlite3.DataError:  # a value longer than `limit`
            raise too_large(self.path, limit(self.path)) from None
        except sqlite3.DatabaseError as problem:
            rows = [f"{_OF_PAGES}main ***\n{problem}"]
        lines = [line for each in rows if each.startswith(_OF_PAGES) for line in each.split("\n")]
        faults = [line for line in lines if not line.startswith(_OF_PAGES)][:_FAULTS]
        if faults:
            raise SourceError(_damaged(self.path, "; ".join(faults)))

    def _query(self, text: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(text).fetchall()

    def _read(self) -> tuple[tuple[SourceTable, ...], tuple[str, ...]]:
        self._connection.execute("BEGIN")
        kinds: dict[str, str] = {}
        strict: set[str] = set()
        for _, name, kind, _, _, is_strict in self._query("PRAGMA main.table_list"):
            if not name.lower().startswith("sqlite_"):
                kinds[name] = kind
                if is_strict:
                    strict.add(name)
        created = {
            name: text or ""
            for name, text in self._query("SELECT name, sql FROM main.sqlite_master ORDER BY rowid")
        }
        names = [name for name in created if kinds.get(name) == "table"]
        views = sorted(name for name, kind in kinds.items() if kind == "view")
        virtual = sorted(name for name, kind in kinds.items() if kind in ("virtual", "shadow"))
        if not names:
            has = "only views" if views else "only virtual tables" if virtual else "no tables"
            raise EmptySourceError(
                f"{self.path} has {has}: a graph is made of the rows of at least one table."
            )
        notes = [
            f"{what} ignored: {', '.join(ignored)}."
            for what, ignored in (("Views are", views), ("Virtual tables are", virtual))
            if ignored
        ]
        self._views = {_fold(name) for name in views}
        bare = [self._table(name, created[name], name in strict) for name in names]
        by_name = {_fold(table.name): table for table in bare}
        return tuple(self._with_references(table, by_name) for table in bare), tuple(notes)

    def _table(self, name: str, created: str, strict: bool) -> SourceTable:
        details = self._query(f"PRAGMA main.table_xinfo({quoted(name)})")
        shown = [row for row in details if row[6] != 1]
        self._computed[name] = [row[1] for row in shown if row[6] == _COMPUTED]
        collations = _collations(name, created, [row[1] for row in shown])
        checks = declared_by(conditions(created), "sqlite")
        columns = tuple(
            SourceColumn(
                row[1],
                row[2],
                Affinity.BLOB if strict and row[2].upper() == "ANY" else affinity(row[2]),
                collations.get(row[1], "BINARY"),
                nullable=not row[3] and row[1].lower() not in checks.needed,
                # other collations equate other texts with those of a check
                values=()
                if collations.get(row[1], "BINARY") != "BINARY"
                else checks.values.get(row[1].lower(), ()),
            )
            for row in shown
        )
        key = tuple(row[1] for row in sorted(shown, key=lambda row: row[5]) if row[5])
        unique = []
        for _, index, is_unique, _, partial in self._query(
            f"PRAGMA main.index_list({quoted(name)})"
        ):
            if is_unique and not partial:
                parts = [row[2] for row in self._query(f"PRAGMA main.index_info({quoted(index)})")]
                if None not in parts and tuple(parts) != key:
                    unique.append(tuple(parts))
        return SourceTable(name, columns, key, tuple(sorted(unique)))

    def _with_references(self, table: SourceTable, by_name: dict[str, SourceTable]) -> SourceTable:
        by_number: dict[int, list[tuple[Any, ...]]] = {}
        for row in self._query(f"PRAGMA main.foreign_key_list({quoted(table.name)})"):
            by_number.setdefault(row[0], []).append(row)
        references = []
        for number in sorted(by_number, reverse=True):  # SQLite lists them from last to first
            parts = sorted(by_number[number], key=lambda row: row[1])
            parent = by_name.get(_fold(parts[0][2]))
            if parent is None:
                is_view = _fold(parts[0][2]) in self._views
                near = did_you_mean(parts[0][2], (t.name for t in by_name.values()))
                raise SourceError(
                    f"{self.path}: a foreign key of table {table.name} references table "
                    f"{parts[0][2]}, which {'is a view.' if is_view else f'does not exist.{near}'}"
                )
            columns = tuple(_resolve(self.path, table, row[3]) for row in parts)
            if parts[0][4] is None:
                referenced = parent.key if len(parent.key) == len(columns) else ()
            else:
                referenced = tuple(_resolve(self.path, parent, row[4]) for row in parts)
            reference = Reference(columns, parent.name, referenced)
            if reference not in references:
                references.append(reference)
        return SourceTable(table.name, table.columns, table.key, table.unique, tuple(references))

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """Rows in the order of rowid, or of the key where there is no rowid.

        Text that is not UTF-8 comes as `RawText`, and then all text of that batch does.

        Raises:
            SourceError: a value cannot be read, or computed columns are larger than a file may
                become.
        """
        listed = ", ".join(quoted(column.name) for column in table.columns)
        text = f"SELECT {listed} FROM main.{quoted(table.name)}{self._order(table)}"
        done = 0
        try:
            self._check_computed(table)
            for length, cells in self._batches(text, 0):
                yield length, cells
                done += length
        except sqlite3.DataError:  # a value longer than `limit`
            raise too_large(self.path, limit(self.path)) from None
        except sqlite3.OperationalError as problem:
            if "decode" not in str(problem).lower():
                raise SourceError(f"{self.path}, table {table.name}: {problem}.") from None
        except sqlite3.DatabaseError as problem:
            raise SourceError(f"{self.path}, table {table.name}: {problem}.") from None
        else:
            return
        self._connection.text_factory = RawText
        try:
            yield from self._batches(text, done)
        finally:
            self._connection.text_factory = str

    def _check_computed(self, table: SourceTable) -> None:
        """Refuse virtual generated columns of more bytes than the file may become: a page bounds
        what is stored, and nothing what is computed. One value is made at a time."""
        if not (computed := self._computed.get(table.name)):
            return
        most, held = limit(self.path), 0
        for name in computed:  # a sum of 2,000 terms would be too deep for SQLite
            # the bytes of a text are those before a NUL, too, which length() alone does not count
            column = quoted(name)
            size = (
                f"CASE typeof({column}) WHEN 'text' THEN length(CAST({column} AS BLOB)) "
                f"WHEN 'blob' THEN length({column}) ELSE 8 END"
            )
            for (length,) in self._connection.execute(
                f"SELECT {size} FROM main.{quoted(table.name)}"
            ):
                held += length
                if held > most:
                    raise too_large(self.path, most)

    def _batches(self, text: str, skip: int) -> Iterator[Batch]:
        cursor = self._connection.execute(text if not skip else f"{text} LIMIT -1 OFFSET {skip}")
        size = _FIRST_BATCH
        while batch := cursor.fetchmany(size):
            yield len(batch), [lanes(values) for values in zip(*batch, strict=True)]
            size = _next_size(batch)

    def _order(self, table: SourceTable) -> str:
        taken = {_fold(column.name) for column in table.columns}
        for name in ("rowid", "_rowid_", "oid"):
            if name in taken:
                continue
            try:
                self._connection.execute(f"SELECT {name} FROM main.{quoted(table.name)} LIMIT 0")
            except sqlite3.OperationalError:
                break  # a table without rowid is stored, and read, in the order of its key
            return f" ORDER BY {name}"
        return ""


def _next_size(batch: Sequence[Sequence[Any]]) -> int:
    """Rows of the next batch, so that wide values do not fill the memory."""
    sample = batch[:: max(1, len(batch) // 64)]
    held = sum(
        len(value) if isinstance(value, str | bytes) else 8 for row in sample for value in row
    )
    return max(1, min(_BATCH_ROWS, _BATCH_BYTES * len(sample) // max(held, 1)))


def _fold(name: str) -> str:
    """SQLite compares names without case in ASCII only."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in name)


def _resolve(path: Path, table: SourceTable, name: str) -> str:
    for column in table.columns:
        if _fold(column.name) == _fold(name):
            return column.name
    raise SourceError(
        f"{path}: a foreign key names the column {name} of table {table.name}, which does not "
        f"exist.{did_you_mean(name, (column.name for column in table.columns))}"
    )


def _collations(name: str, created: str, columns: list[str]) -> dict[str, str]:
    """Collations by column: no pragma tells them of a column, one does of an index on it."""
    if "collate" not in created.lower():
        return {}
    empty = sqlite3.connect(":memory:")
    try:
        empty.execute(created)
        collations = {}
        for column in columns:
            empty.execute(f"CREATE INDEX probe ON {quoted(name)} ({quoted(column)})")
            (row, *_) = empty.execute("PRAGMA index_xinfo(probe)")
            collations[column] = row[4].upper()  # names of collations have no case
            empty.execute("DROP INDEX probe")
        return collations
    except sqlite3.Error:
        return dict.fromkeys(columns, "UNKNOWN")  # a collation or function of an application
    finally:
        empty.close()


def _connect(path: Path) -> sqlite3.Connection:
    location = f"file:{quote(str(path.resolve()))}?mode=ro"
    # a database in WAL mode on a read-only disk opens only when declared immutable
    for suffix in ("", "&immutable=1"):
        connection = sqlite3.connect(location + suffix, uri=True, isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            # of what is computed: what is stored is no longer than the file
            longest = min(max(limit(path), path.stat().st_size), _MOST_LENGTH)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as problem:
            connection.close()
            if suffix or path.with_name(f"{path.name}-wal").exists():
                raise SourceError(f"{path} cannot be opened: {problem}.") from None
        except sqlite3.DatabaseError as problem:
            connection.close()
            raise SourceError(_no_database(path, problem)) from None
        else:
            return connection
    raise SourceError(f"{path} cannot be opened.")  # not reached: the second try raises


def _no_database(path: Path, problem: sqlite3.DatabaseError) -> str:
    """What to say of a file whose schema SQLite cannot read: one with the header of a database is
    damaged."""
    with path.open("rb") as stream:
        if not stream.read(_HEADER_BYTES).startswith(_HEADER):
            return f"{path} is not a SQLite database."
    return _damaged(path, _cut(path) or str(problem))


def _damaged(path: Path, faults: str) -> str:
    remedy = "take a backup, or what `sqlite3 FILE .recover` saves of it"
    return f"{path} is a damaged SQLite database: {faults}; {remedy}."


def _cut(path: Path) -> str:
    """How many bytes a file has of those that its header says, where they are fewer
    (sqlite.org/fileformat.html, section 1.3)."""
    with path.open("rb") as stream:
        head = stream.read(_HEADER_BYTES)
        there = stream.seek(0, SEEK_END)
    size = int.from_bytes(head[16:18], "big")  # of a page; 1 says 65,536
    pages = int.from_bytes(head[28:32], "big") if head[24:28] == head[92:96] else 0
    whole = max((65_536 if size == 1 else size) * pages, _HEADER_BYTES)
    return f"it has {there:,} bytes of {whole:,}" if there < whole else ""


_STRUCTURE = re.compile(
    r"(\s|--[^\n]*\n|/\*.*?\*/)*"
    r"(CREATE\s+TABLE(?!\s+[\"'`]?sqlite_)|CREATE\s+(UNIQUE\s+)?INDEX|ALTER\s+TABLE)\b",
    re.I | re.S,
)
_FORBIDDEN = frozenset((sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_PRAGMA))
_STEPS = 1_000_000  # instructions of one statement that makes a table or an index


def of_ddl(path: Path, text: str) -> tuple[SqliteDatabase, int]:
    """The empty database that the statements of `text` make, and how many make no structure.

    Raises:
        SourceError: SQLite does not take one of them, or none makes a table.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.set_authorizer(_structure_only)
    connection.set_progress_handler(lambda: 1, _STEPS)
    ignored, held = 0, ""
    try:
        for part in re.split(r"(?<=;)", text):
            held += part
            if not sqlite3.complete_statement(held):
                continue
            if _STRUCTURE.match(held):
                connection.execute(held)
            else:
                ignored += 1
            held = ""
        if _STRUCTURE.match(held):
            connection.execute(held)
    except sqlite3.Error as problem:
        connection.close()
        raise SourceError(f"{path} cannot be read as DDL of sqlite: {problem}.") from None
    connection.set_authorizer(None)
    connection.set_progress_handler(None, 0)
    return SqliteDatabase(path, connection), ignored


def _structure_only(action: int, *names: str | None) -> int:
    forbidden = action in _FORBIDDEN or "load_extension" in names
    return sqlite3.SQLITE_DENY if forbidden else sqlite3.SQLITE_OK


class SqliteSource(TableSource):
    """SQLite files, and `sqlite:///PATH` addresses."""

    name = "sqlite"
    says = "a SQLite database"

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the header of the file format (sqlite.org/fileformat.html, section 1.3)."""
        return source.startswith("sqlite:///") if path is None else head.startswith(_HEADER)

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[SqliteDatabase, dict[str, Any]]]:
        """See `TableSource`."""
        path = Path(source.removeprefix("sqlite:///"))
        check_file(path)
        database = SqliteDatabase(path, check=True)
        try:
            yield database, {"file": path.name, "sha256": file_digest(path)}
        finally:
            database.close()


SOURCE = SqliteSource()
