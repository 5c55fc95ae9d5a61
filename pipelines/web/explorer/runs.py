"""Run a query of a corpus again, or one of a visitor's own, on the engines that are here.

What a visitor wrote reaches no engine: it is read, bound to the graph's schema, held to reading,
and rendered anew for the engine. Engines are processes of their own, within limits.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines import ENGINES
from engines.compare import answer_hash
from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, bound
from graph_ir.walk import find
from graphmill.errors import (
    EngineUnavailable,
    GraphmillError,
    QueryTextError,
    Refused,
    unknown_name,
)
from pipelines.build.context import DatabaseContext, Graph, engine_class, refuse_unsound
from pipelines.configuration.certify import Certify
from translators.language import Origin, reader

ROWS = 200  # of an answer that are shown
LONGEST = 20_000  # characters of a query
_OPEN = 2  # databases whose engines run at a time
_TIMEOUT = 20.0  # seconds a query
_MEMORY = 2_048  # megabytes of an engine
_PATIENCE = 15.0  # seconds that a visitor waits for others


@dataclass(frozen=True, slots=True)
class Ran:
    """What an engine was given, and what it answered."""

    engine: str
    version: str
    dialect: str
    text: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    number: int
    hash: str
    ms: float
    warnings: tuple[str, ...] = ()


def engines_here() -> list[str]:
    """Engines that can be asked without more than is installed; Neo4j where its address is set."""
    absent = set() if os.environ.get("GRAPHMILL_NEO4J_URL") else {"neo4j"}
    return [name for name in ("grafeo", "duckdb", "neo4j") if name in set(ENGINES.names()) - absent]


class Bench:
    """The engines of one corpus's databases; started when first asked, the least used stopped."""

    def __init__(self, corpus: Path, databases: list[str]) -> None:
        self._corpus = corpus
        self.databases = databases
        self._open: OrderedDict[str, DatabaseContext] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Stop all engines."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].__exit__()

    def run(self, db: str, text: str, language: str, engine: str) -> Ran:
        """The answer of a query, and the text that the engine was given.

        Raises:
            GraphmillError: there is no such database, language or engine; or the query is wrong,
                refused, no reading one, or fails.
        """
        if db not in self.databases:
            raise unknown_name("database", db, self.databases)
        if engine not in engines_here():
            raise unknown_name("engine", engine, engines_here())
        if len(text) > LONGEST:
            raise GraphmillError(f"A query has at most {LONGEST:,} characters here.")
        with self._database(db) as database:
            graph = database.graph
            read = reader(language, Origin(graph.folder, graph.schema))
            statement = read(text)
            _only_reads(statement)
            warnings = _bound(statement, graph)
            kind = engine_class(engine)
            own = "cypher" if "cypher" in kind.languages else kind.languages[0]
            dialect = kind.profiles.get(own, own)
            refuse_unsound(kind, dialect, statement)
            rendered = database.text(statement, dialect)
            answer = database.run(engine, rendered, own)
            version = database.engine(engine).version()
        return Ran(
            engine,
            version,
            dialect,
            rendered,
            answer.columns,
            answer.rows[:ROWS],
            len(answer.rows),
            answer_hash(answer, ordered=False),
            answer.ms,
            warnings,
        )

    @contextmanager
    def _database(self, db: str) -> Iterator[DatabaseContext]:
        """The database, for one visitor at a time."""
        if not self._lock.acquire(timeout=_PATIENCE):
            raise EngineUnavailable("Another query is running; try again in a moment.")
        try:
            known = self._open.get(db)
            if known is None:
                while len(self._open) >= _OPEN:
                    self._open.popitem(last=False)[1].__exit__()
                url = os.environ.get("GRAPHMILL_NEO4J_URL", "")
                limits = Certify(neo4j_url=url, timeout=_TIMEOUT, memory_mb=_MEMORY)
                graph = Graph(db, self._corpus / "graphs" / db, "")
                known = self._open[db] = DatabaseContext(graph, (), certify=limits)
            self._open.move_to_end(db)
            yield known
        finally:
            self._lock.release()


def _bound(statement: ir.Statement, graph: Graph) -> tuple[str, ...]:
    """What the schema says against a query that can be run all the same.

    Raises:
        QueryTextError: it is wrong in itself.
    """
    diagnostics = bound(statement, graph.schema).diagnostics
    for each in diagnostics:
        if each.severity == "error" and each.code not in TOLERATED:
            raise QueryTextError(
                each.message,
                kind="semantic",
                code=each.code,
                line=each.line,
                column=each.column,
            )
    return tuple(dict.fromkeys(each.message for each in diagnostics))


def _only_reads(statement: ir.Statement) -> None:
    for part in find(statement, *ir.WRITES, ir.Procedure):
        reason = "Only queries that read can be run here."
        raise Refused("write", type(part).__name__, reason, part.span)
