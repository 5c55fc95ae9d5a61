"""`graphmill run`: one engine, many queries, each with a result or a typed error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from engines import ENGINE_OF, ENGINES, SOURCE_ENGINES, default_engines, runnable
from engines.isolation import IsolatedEngine
from graphmill.errors import (
    ConfigError,
    EngineError,
    EngineUnavailable,
    QueryTextError,
    did_you_mean,
    unknown_name,
)
from pipelines.placeholders import filled
from schemagraph.folder.serde import SCHEMA_FILE, no_graph


class Runner:
    """Runs texts in one language on one engine; a query's failure is its result."""

    def __init__(
        self,
        *,
        engine: str | None,
        language: str,
        graph: Path | None,
        source: str | None,
        timeout: float,
        memory_mb: int,
        neo4j_url: str | None,
    ) -> None:
        if language not in runnable():
            raise unknown_name("language to run", language, runnable())
        defaults = default_engines()
        if not engine and language not in defaults:
            raise ConfigError(f"No engine runs {language} by default: name one with --engine.")
        name = engine or defaults[language]
        kinds = SOURCE_ENGINES if name in SOURCE_ENGINES.names() else ENGINES
        known = kinds.get(name).languages
        if language not in known:
            raise ConfigError(
                f"The engine {name} does not run {language}.{did_you_mean(language, known)}"
            )
        options: dict[str, Any] = {"kinds": kinds}
        if name in ENGINE_OF.values():
            if source is None:
                raise ConfigError(f"The engine {name} runs on a database: give it with --source.")
            options["source"] = source.removeprefix("sqlite:///").removeprefix("duckdb:///")
        elif graph is None:
            raise ConfigError(f"The engine {name} runs on a graph: give its folder with --graph.")
        elif not (graph / SCHEMA_FILE).is_file():
            raise no_graph(graph / SCHEMA_FILE)
        url = neo4j_url or os.environ.get("GRAPHMILL_NEO4J_URL")
        if name == "neo4j" and url:
            options["url"] = url
        self._fills = name not in ENGINE_OF.values()
        self.language = language
        self.timeout = timeout
        self._engine = IsolatedEngine(name, graph, memory_mb=memory_mb, **options)

    def __enter__(self) -> Self:
        self._engine.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.__exit__(*exc)

    def result(self, text: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The `result` object of one line; the values of `parameters` are put into its text.

        Raises:
            EngineUnavailable: the engine cannot be started, so no line can have a result.
        """
        try:
            if parameters and not self._fills:
                raise QueryTextError(
                    "The engines of sources take no parameters: write the values into the query.",
                    kind="semantic",
                    code="bad-parameter",
                )
            text = filled(text, self.language, parameters or {})
        except QueryTextError as problem:
            return {"ok": False, "error": {"kind": problem.kind, "message": str(problem)}}
        try:
            answer = self._engine.run(text, language=self.language, timeout=self.timeout)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return {"ok": False, "error": {"kind": problem.kind, "message": str(problem)}}
        return {
            "ok": True,
            "columns": list(answer.columns),
            "rows": [list(row) for row in answer.rows],
            "ms": round(answer.ms, 3),
        }
