"""Prove other dialects of SQL by execution: the dialect's own server against the graph engines.

    python benchmarks/dialect_proof.py DIALECT DATABASE.sqlite [QUERIES.sql] [--url URL]
        [--random 500] [--seed 1] [--work DIR] [--engines cypher,sql] [--show 5]

DIALECT is postgres, mysql or duckdb; the first two need the `--url` of an empty database there
(`postgresql://…`, `mysql://…`). The tables of DATABASE are made there and filled with its rows,
text under a binary collation, as the graph compares it. Then each query of QUERIES (one per
line) and `--random` drawn ones are run there, translated by the dialect's rules, and compared
as `sql_proof` does. What the server rejects is no query of the dialect, and only counted.
Exits with 1 when an answer differs or the translation crashes.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from benchmarks.random_sql import Writer, shape_of
from benchmarks.sql_proof import RUNS, Outcome, prove, report
from engines.base import Result
from engines.isolation import IsolatedEngine
from engines.values import datetime_text, duration_text, time_text
from graphmill.errors import EngineError, GraphmillError, QueryError, QueryTextError, Refused
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import EdgeTable, Mapping, NodeTable
from schemagraph.model import Kind
from translators.from_sql.reader import SqlTranslator

_TYPES = {
    Kind.INTEGER: "BIGINT",
    Kind.FLOAT: "DOUBLE PRECISION",
    Kind.BOOLEAN: "BOOLEAN",
    Kind.DATE: "DATE",
    Kind.DATETIME: "TIMESTAMP",
}
_TEXT = {
    "postgres": 'TEXT COLLATE "C"',
    "duckdb": "VARCHAR",
    "mysql": "VARCHAR(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
}


class Server:
    """A server that runs the source SQL, in the place of an engine."""

    def __init__(self, dialect: str, url: str | None) -> None:
        self.dialect = dialect
        self.quote = "`" if dialect == "mysql" else '"'
        self.mark = "?" if dialect == "duckdb" else "%s"
        self._connection = _connected(dialect, url)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def execute(self, sql: str, values: Iterable[Any] = ()) -> Any:
        """Run a statement; the cursor."""
        given = list(values)
        cursor = self._connection.cursor()
        cursor.execute(sql, given) if given else cursor.execute(sql)
        return cursor

    def run(self, text: str, *, language: str = "sql") -> Result:
        """The answer to a query, in the values of an engine.

        Raises:
            EngineError: the server rejects it.
        """
        try:
            cursor = self.execute(text)
            rows = cursor.fetchall()
        except Exception as problem:
            raise QueryError(str(problem)) from problem
        names = tuple(str(column[0]) for column in cursor.description)
        return Result(names, tuple(tuple(map(_plain, row)) for row in rows))

    def fill(self, database: Path, mapping: Mapping) -> None:
        """Make the tables of a SQLite database here, with its rows."""
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source:
            tables: list[NodeTable | EdgeTable] = [*mapping.nodes, *mapping.edges]
            for table in tables:
                columns = {c.name: c for c in table.columns}
                if isinstance(table, EdgeTable):
                    columns |= {c.name: c for c in table.end_columns}
                cursor = source.execute(f'SELECT * FROM "{table.table}"')
                names = [column[0] for column in cursor.description]
                kinds = [columns[name].type.kind for name in names]
                name = self._quoted(table.table)
                types = [
                    f"{self._quoted(column)} {_TYPES.get(kind, _TEXT[self.dialect])}"
                    for column, kind in zip(names, kinds, strict=True)
                ]
                self.execute(f"DROP TABLE IF EXISTS {name}")
                self.execute(f"CREATE TABLE {name} ({', '.join(types)})")
                marks = ", ".join([self.mark] * len(names))
                for row in cursor.fetchall():
                    values = [_stored(v, k) for v, k in zip(row, kinds, strict=True)]
                    self.execute(f"INSERT INTO {name} VALUES ({marks})", values)

    def _quoted(self, name: str) -> str:
        return f"{self.quote}{name}{self.quote}"


def _connected(dialect: str, url: str | None) -> Any:
    if dialect == "duckdb":
        import duckdb

        return duckdb.connect()
    if url is None:
        raise SystemExit(f"{dialect} needs --url")
    if dialect == "postgres":
        import psycopg

        return psycopg.connect(url, autocommit=True, options="-c timezone=UTC")
    import pymysql

    parts = urlsplit(url)
    return pymysql.connect(
        host=parts.hostname,
        port=parts.port or 3306,
        user=parts.username,
        password=unquote(parts.password or ""),
        database=parts.path.strip("/"),
        autocommit=True,
    )


def _stored(value: Any, kind: Kind) -> Any:
    if value is None or kind in (Kind.DATE, Kind.DATETIME):
        return value
    if kind is Kind.BOOLEAN:
        return bool(value)
    return value if kind in _TYPES else str(value)


def _plain(value: Any) -> Any:
    """A driver's value as engines give it."""
    match value:
        case list():
            return [_plain(item) for item in value]
        case bool() | None | int() | float() | str():
            return value
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case datetime():
            return datetime_text(value)
        case time():
            return time_text(value)
        case date():
            return value.isoformat()
        case timedelta():  # days and a time of one sign
            sign = -1 if value < timedelta(0) else 1
            size = abs(value)
            nanos = size.seconds * 10**9 + size.microseconds * 1000
            return duration_text(0, sign * size.days, sign * nanos)
    return str(value)


def prove_dialect(
    dialect: str,
    database: Path,
    graph: Path,
    texts: Iterable[str],
    names: Iterable[str],
    url: str | None = None,
) -> Iterator[Outcome]:
    """What becomes of each text of a dialect over one SQLite database."""
    if not (graph / "schema.json").is_file():
        convert(str(database), graph)
    mapping, schema = load_mapping(graph), load_schema(graph)
    assert mapping is not None
    translator = SqlTranslator(mapping, schema, dialect)
    runs = {name: RUNS[name] for name in names}
    with ExitStack() as stack:
        server = stack.enter_context(closing(Server(dialect, url)))
        server.fill(database, mapping)
        engines: dict[str, Any] = {"sqlite": server}
        for engine, _, _ in runs.values():
            if engine not in engines:
                engines[engine] = stack.enter_context(IsolatedEngine(engine, graph))
        for sql in texts:
            outcome = Outcome(database.stem, sql, "proven")
            try:
                server.run(sql)
            except EngineError as problem:
                outcome.state, outcome.code = "rejected", "server"
                outcome.detail = str(problem)
                yield outcome
                continue
            try:
                prove(outcome, translator.translate(sql), schema, engines, runs, 30.0)
            except Refused as problem:
                outcome.state, outcome.code = "refused", problem.code
                outcome.detail = problem.reason
            except QueryTextError as problem:
                outcome.state, outcome.code = "refused", f"text:{problem.code}"
                outcome.detail = str(problem)
            except (GraphmillError, Exception) as problem:  # noqa: BLE001 - a crash is looked for
                outcome.state, outcome.code = "crash", type(problem).__name__
                outcome.detail = repr(problem)
            yield outcome


def main() -> int:
    """Prove."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("dialect", choices=sorted(_TEXT))
    arguments.add_argument("database", type=Path)
    arguments.add_argument("queries", type=Path, nargs="?")
    arguments.add_argument("--url")
    arguments.add_argument("--random", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--work", type=Path)
    arguments.add_argument("--engines", default="cypher,sql")
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    texts = options.queries.read_text("utf-8").splitlines() if options.queries else []
    if options.random:
        rng = random.Random(options.seed)
        writer = Writer(rng, shape_of(options.database, rng))
        texts += [writer.query() for _ in range(options.random)]
    with ExitStack() as stack:
        work = options.work or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        outcomes = list(
            prove_dialect(
                options.dialect,
                options.database,
                work / options.database.stem,
                dict.fromkeys(text for text in texts if text.strip()),
                options.engines.split(","),
                options.url,
            )
        )
    report(outcomes, options.show)
    return int(any(outcome.state in ("disagrees", "crash") for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
