"""PostgreSQL: the source SQL of a graph's pairs, on the server it was made of, read-only.

Every text runs alone in a read-only transaction that is rolled back, in UTC, within the server's
own statement_timeout (postgresql.org/docs: runtime-config-client).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound
from engines.values import parse_duration, plain
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
)

# Types that a graph keeps as PostgreSQL prints them, of which the driver makes objects of its own.
_AS_TEXT = (
    *("uuid", "inet", "cidr", "json", "jsonb"),
    *("daterange", "int4range", "int8range", "numrange", "tsrange", "tstzrange"),
    *("datemultirange", "int4multirange", "int8multirange", "nummultirange"),
    *("tsmultirange", "tstzmultirange"),
)
_SETTINGS = ("TimeZone = 'UTC'", "DateStyle = 'ISO, YMD'", "IntervalStyle = 'iso_8601'")


class PostgreSQL(Engine):
    """Runs SQL on the database at the address `source`."""

    name: ClassVar[str] = "postgresql"
    languages: ClassVar[tuple[str, ...]] = ("sql",)
    profiles: ClassVar[dict[str, str]] = {"sql": "postgres"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs(grace=2.0, environment=("PGPASSWORD", "PGPASSFILE"))

    def __init__(self, source: str = "") -> None:
        self.source = f"postgresql://{source.partition('://')[2]}"  # whatever driver it names
        self._connection: Any = None

    def __enter__(self) -> Self:
        try:
            import psycopg
        except ImportError:
            raise EngineUnavailable(
                "PostgreSQL needs an extra: pip install 'graphmill[postgresql]'."
            ) from None
        try:
            self._connection = psycopg.connect(self.source, connect_timeout=20)
            self._connection.read_only = True
            with self._connection.transaction():
                for setting in _SETTINGS:
                    self._connection.execute(f"SET SESSION {setting}")
            _register(self._connection.adapters)
        except psycopg.Error as problem:
            raise EngineUnavailable(f"PostgreSQL: {_first(problem)}") from None
        return self

    def __exit__(self, *exc: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def version(self) -> str:
        """The server's version."""
        return str(self._open().info.parameter_status("server_version"))

    def _open(self) -> Any:
        if self._connection is None:
            raise EngineUnavailable("The connection is closed.")
        return self._connection

    def load(self, graph: Path) -> None:
        """Nothing: the source is the data."""

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one SELECT; column names may repeat."""
        import psycopg

        connection = self._open()
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {max(1, int(timeout * 1000))}")
                cursor.execute(text, prepare=True)  # which takes one statement only
                if cursor.description is None:
                    raise QueryError("The text holds no query.", "syntax")
                rows = tuple(tuple(map(plain, row)) for row in cursor.fetchmany(MAX_ROWS + 1))
                return Result(tuple(column.name for column in cursor.description), rows)
        except psycopg.Error as problem:
            raise _error(problem, timeout) from problem
        except (ValueError, OverflowError) as problem:  # a date that Python does not have
            raise QueryError(f"The answer cannot be read: {problem}") from problem
        finally:
            if not connection.closed:
                connection.rollback()


def _register(adapters: Any) -> None:
    """Read values as a graph has them: a month of an interval is no number of days."""
    from psycopg.adapt import Loader
    from psycopg.types.string import TextLoader

    class IntervalLoader(Loader):
        def load(self, data: Any) -> str:
            return str(parse_duration(bytes(data).decode()))

    for name in _AS_TEXT:
        adapters.register_loader(name, TextLoader)
    adapters.register_loader("interval", IntervalLoader)


def _first(problem: Exception) -> str:
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0]


def _error(problem: Any, timeout: float) -> EngineError:
    """By SQLSTATE (postgresql.org/docs: errcodes-appendix)."""
    state = problem.sqlstate or ""
    if state == "57014":
        return QueryTimeout(f"postgresql stopped the query after {timeout:g} s.")
    if state.startswith("53"):
        return QueryTooLarge(f"PostgreSQL ran out of memory: {_first(problem)}")
    if state == "42601":
        return QueryError(_first(problem), "syntax")
    if state.startswith("42") or state == "25006":
        return QueryError(_first(problem), "semantic")
    if not state:
        return EngineUnavailable(f"PostgreSQL: {_first(problem)}")
    return QueryError(_first(problem))


ENGINE = PostgreSQL
