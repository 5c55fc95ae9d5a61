"""SQLite: the source SQL of relational origins, on the source database, read-only.

The file is opened read-only, `query_only` is set, and an authorizer denies everything but
reading (https://sqlite.org/c3ref/set_authorizer.html): no write, no ATTACH, no PRAGMA, no
loading of extensions.
"""

from __future__ import annotations

import sqlite3
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import ClassVar, Self
from urllib.parse import quote

from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound, memory_cap, over_memory
from engines.values import plain
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
)

STEPS = 20_000  # virtual machine instructions between two looks at the clock
LONGEST = 64 << 20  # bytes of one string or blob

_READS = frozenset(
    (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION)
)
_SEMANTIC = ("no such ", "ambiguous ", "misuse of ", "wrong number of arguments", "not authorized")
_SYNTAX = ("syntax error", "unrecognized token", "incomplete input", "only execute one statement")


class Sqlite(Engine):
    """Runs SQL on the database file `source`."""

    name: ClassVar[str] = "sqlite"
    languages: ClassVar[tuple[str, ...]] = ("sql",)
    profiles: ClassVar[dict[str, str]] = {"sql": "sqlite"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    by_name: ClassVar[bool] = True
    needs: ClassVar[Needs] = Needs(grace=1.0)

    def __init__(self, source: str = "") -> None:
        self.source = source
        self._deadline = 0.0
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        path = Path(self.source)
        if not self.source or not path.is_file():
            raise EngineUnavailable(f"There is no database file '{self.source}'.")
        uri = f"file:{quote(str(path.resolve()))}?mode=ro"
        try:
            connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA temp_store = MEMORY")  # sorting fills no disk
            if memory_cap():
                connection.execute(f"PRAGMA hard_heap_limit = {memory_cap() << 20}")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as problem:
            raise EngineUnavailable(f"{self.source} is no SQLite database: {problem}") from problem
        connection.text_factory = _text
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(self._late, STEPS)
        self._connection = connection
        return self

    def __exit__(self, *exc: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def version(self) -> str:
        """The version of the SQLite library."""
        return sqlite3.sqlite_version

    def load(self, graph: Path) -> None:
        """Nothing: the source is the data."""

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one SELECT; column names may repeat."""
        if self._connection is None:
            raise EngineUnavailable("The database is closed.")
        self._deadline = monotonic() + timeout
        try:
            cursor = self._connection.execute(text)
            rows = tuple(tuple(map(plain, row)) for row in islice(cursor, MAX_ROWS + 1))
        except (sqlite3.Error, sqlite3.Warning) as problem:
            raise _error(problem, timeout) from problem
        except ValueError as problem:  # an embedded null character
            raise QueryError(f"SQLite cannot read this text: {problem}", "syntax") from problem
        except MemoryError as problem:
            raise QueryTooLarge(over_memory()) from problem
        if cursor.description is None:
            raise QueryError("The text holds no query.", "syntax")
        return Result(tuple(column[0] for column in cursor.description), rows)

    def _late(self) -> int:
        return int(monotonic() > self._deadline)


def _text(raw: bytes) -> str | bytes:
    """Text that is no UTF-8 is bytes, as it is in the graph."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _authorize(
    action: int, first: str | None, second: str | None, database: str | None, inner: str | None
) -> int:
    allowed = action in _READS and second != "load_extension"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _error(problem: Exception, timeout: float) -> EngineError:
    """SQLite's error with its kind; SQLite itself tells all of them apart by text alone."""
    message = str(problem)
    code = getattr(problem, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_INTERRUPT:
        return QueryTimeout(f"sqlite stopped the query after {timeout:g} s.")
    if code == sqlite3.SQLITE_NOMEM:
        return QueryTooLarge(over_memory())
    if code == sqlite3.SQLITE_TOOBIG:
        return QueryTooLarge(f"SQLite ran out of memory: {message}")
    if code == sqlite3.SQLITE_AUTH:
        return QueryError(f"Only reads are run, and this is none: {message}.", "semantic")
    if any(word in message for word in _SYNTAX):
        return QueryError(message, "syntax")
    if any(word in message for word in _SEMANTIC):
        return QueryError(message, "semantic")
    return QueryError(message)


ENGINE = Sqlite
