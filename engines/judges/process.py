"""Ask a judge (`engines.judges`): it lives in a worker process, each text has a time limit."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Self

from engines import JUDGES
from engines.deaths import DiedOfQuery
from engines.isolation import IsolatedEngine
from graphmill.errors import (
    Diagnostic,
    QueryError,
    QueryKilled,
    QueryTextError,
    QueryTimeout,
    QueryTooLarge,
)
from graphmill.query_text import check_text
from schemagraph.folder.serde import save_schema
from schemagraph.model import SchemaGraph

TIMEOUT = 10.0  # seconds a text; an analysis takes milliseconds
MEMORY_MB = 1024
_ADVICE = "Nest it less deeply, or split it into several queries."


class Judge:
    """One judge over the schema of one graph, or over none: then it checks the grammar only.

    The worker starts with the first text; the first start of all downloads the judge.
    """

    def __init__(self, name: str, schema: SchemaGraph | None, *, timeout: float = TIMEOUT) -> None:
        self._timeout = timeout
        self._limits = f"{timeout:g} s and {MEMORY_MB} MB"
        self._folder = tempfile.TemporaryDirectory(prefix="graphmill-judge-")
        self._worker = IsolatedEngine(name, self._schema(schema), memory_mb=MEMORY_MB, kinds=JUDGES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def check(self, text: str) -> list[Diagnostic]:
        """What is wrong with `text`; empty where the judge takes it.

        Raises:
            EngineUnavailable: the judge cannot be started, or does not take the schema.
        """
        try:
            check_text(text)
            findings = self._worker.run(text, language="", timeout=self._timeout)
        except QueryTextError as problem:
            return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]
        except QueryKilled as problem:
            return [Diagnostic("error", problem.kind, str(problem))]
        except (QueryTimeout, QueryTooLarge, DiedOfQuery) as problem:
            message = f"The text is too complex to be judged within {self._limits}: {problem} "
            return [Diagnostic("error", "too-complex", message + _ADVICE)]
        except QueryError as problem:
            return [Diagnostic("error", problem.kind, str(problem))]
        return [Diagnostic("error", *row) for row in findings.rows]

    def use(self, schema: SchemaGraph | None) -> None:
        """Go on with another schema."""
        self._worker.use(self._schema(schema))

    def close(self) -> None:
        """End the worker."""
        self._worker.close()
        self._folder.cleanup()

    def _schema(self, schema: SchemaGraph | None) -> Path | None:
        if schema is None:
            return None
        folder = Path(self._folder.name)
        save_schema(folder, schema)
        return folder
