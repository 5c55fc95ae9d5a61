"""MySQL and MariaDB: the source SQL of a graph's pairs, on the server it was made of, read-only.

Every text runs in a session whose transactions are read-only, in UTC, within the server's own
limit of time. One text is one statement: the driver does not ask for more.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import unquote, urlsplit

from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound
from engines.values import plain
from graphmill.errors import EngineError, EngineUnavailable, QueryError, QueryTimeout

_LATE = frozenset((1317, 1969, 3024))
_GONE = frozenset((2003, 2006, 2013, 2055))
_SYNTAX = frozenset((1064, 1065))
_SEMANTIC = frozenset((1046, 1052, 1054, 1055, 1066, 1111, 1140, 1142, 1146, 1305, 1582, 1792))


class MySQL(Engine):
    """Runs SQL on the database at the address `source`."""

    name: ClassVar[str] = "mysql"
    languages: ClassVar[tuple[str, ...]] = ("sql",)
    profiles: ClassVar[dict[str, str]] = {"sql": "mysql"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs(grace=2.0)

    def __init__(self, source: str = "") -> None:
        self.source = source
        self._connection: Any = None
        self._version = ""

    def __enter__(self) -> Self:
        try:
            import pymysql
            from pymysql.constants import FIELD_TYPE
            from pymysql.converters import conversions
        except ImportError:
            raise EngineUnavailable(
                "MySQL needs an extra: pip install 'graphmill[mysql]'."
            ) from None
        parts = urlsplit(self.source)
        reading: Any = {**conversions, FIELD_TYPE.BIT: lambda raw: int.from_bytes(raw)}
        try:
            self._connection = pymysql.connect(
                host=parts.hostname or "localhost",
                port=parts.port or 3306,
                user=unquote(parts.username) if parts.username else None,
                password=unquote(parts.password or ""),
                database=unquote(parts.path.removeprefix("/")),
                charset="utf8mb4",
                conv=reading,
                connect_timeout=20,
            )
            with self._connection.cursor() as cursor:
                cursor.execute("SET SESSION time_zone = '+00:00'")
                cursor.execute("SET SESSION TRANSACTION READ ONLY")
                cursor.execute("SELECT version()")
                self._version = cursor.fetchone()[0]
        except pymysql.Error as problem:
            raise EngineUnavailable(f"MySQL: {_message(problem)}") from None
        return self

    def __exit__(self, *exc: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def version(self) -> str:
        """The server's version."""
        return self._version

    def load(self, graph: Path) -> None:
        """Nothing: the source is the data."""

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one SELECT; column names may repeat."""
        import pymysql

        connection = self._connection
        if connection is None:
            raise EngineUnavailable("The connection is closed.")
        maria = "mariadb" in self._version.lower()
        limit = (
            f"max_statement_time = {timeout}"
            if maria
            else f"max_execution_time = {max(1, int(timeout * 1000))}"
        )
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET SESSION {limit}")
                cursor.execute("START TRANSACTION READ ONLY")
                cursor.execute(text)
                if cursor.description is None:
                    raise QueryError("The text holds no query.", "syntax")
                rows = tuple(tuple(map(_value, row)) for row in cursor.fetchmany(MAX_ROWS + 1))
                return Result(tuple(column[0] for column in cursor.description), rows)
        except pymysql.Error as problem:
            raise _error(problem, timeout) from problem
        finally:
            if connection.open:
                connection.rollback()


def _value(value: Any) -> Any:
    """A TIME is a time of day where it is one."""
    if isinstance(value, timedelta) and timedelta() <= value < timedelta(days=1):
        return plain((datetime.min + value).time())
    return plain(value)


def _message(problem: Any) -> str:
    return str(problem.args[-1] if problem.args else problem).splitlines()[0]


def _error(problem: Any, timeout: float) -> EngineError:
    """By error number (mariadb.com/kb: mariadb-error-codes)."""
    number = problem.args[0] if problem.args else 0
    if number in _LATE:
        return QueryTimeout(f"mysql stopped the query after {timeout:g} s.")
    if number in _GONE:
        return EngineUnavailable(f"MySQL: {_message(problem)}")
    if number in _SYNTAX:
        return QueryError(_message(problem), "syntax")
    if number in _SEMANTIC:
        return QueryError(_message(problem), "semantic")
    return QueryError(_message(problem))


ENGINE = MySQL
