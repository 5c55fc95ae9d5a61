"""`graphmill run`: one engine, many queries, each with a result or a typed error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Self

from engines import ENGINE_OF, ENGINES, SOURCE_ENGINES, default_engines, runnable
from engines.base import Result
from engines.isolation import IsolatedEngine
from graphmill.errors import (
    ConfigError,
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryTextError,
    QueryUnsound,
    did_you_mean,
    shortened,
    unknown_name,
)
from pipelines.configuration.reach import check_limits
from pipelines.engine_texts import EngineText, EngineTexts, Fault
from pipelines.placeholders import filled
from schemagraph.folder.graph import Graph, folder_of
from schemagraph.folder.graphdata import check_tables
from schemagraph.folder.serde import SCHEMA_FILE, no_graph

_PLACED = ("syntax", "semantic")  # kinds of errors that may tell a line of the text


class Runner:
    """Runs texts in one language on one engine, for as long as it is open (`with`).

    `engine` is the language's own unless named; `graph` is a graph or its folder; `source` is the
    database of an engine of sources. `timeout` is in seconds a query, `memory_mb` in megabytes.
    An engine with a dialect of its own gets the text in that dialect; with `as_is` as it is.

    Raises:
        UnknownNameError: there is no such language or engine.
        ConfigError: they do not fit, or the graph or source is missing.
        SchemaError: the folder holds no graph.
        SourceError: a table of it would decode to more than it may (`graphmill.decoded`).
    """

    def __init__(
        self,
        *,
        graph: Graph | str | PathLike[str] | None = None,
        language: str = "cypher",
        engine: str | None = None,
        source: str | None = None,
        timeout: float = 30.0,
        memory_mb: int = 4096,
        neo4j_url: str | None = None,
        gremlin_url: str | None = None,
        as_is: bool = False,
    ) -> None:
        check_limits(timeout, memory_mb)
        folder = folder_of(graph)
        if language not in runnable():
            raise unknown_name("language to run", language, runnable())
        defaults = default_engines()
        if not engine and language not in defaults:
            raise ConfigError(
                f"No engine runs {language} by default: name one with --engine (engine=)."
            )
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
                raise ConfigError(
                    f"The engine {name} runs on a database: give it with --source (source=)."
                )
            options["source"] = source.removeprefix("sqlite:///").removeprefix("duckdb:///")
        elif folder is None:
            raise ConfigError(
                f"The engine {name} runs on a graph: give its folder with --graph (graph=)."
            )
        elif not (folder / SCHEMA_FILE).is_file():
            raise no_graph(folder / SCHEMA_FILE)
        else:
            check_tables(folder)
        url = neo4j_url or os.environ.get("GRAPHMILL_NEO4J_URL")
        if name == "neo4j" and url:
            options["url"] = url
        if name == "tinkergraph" and gremlin_url:
            options["url"] = gremlin_url
        self._fills = name not in ENGINE_OF.values()
        self.language = language
        self.timeout = timeout
        self._texts = EngineTexts(kinds.get(name), language, folder, as_is=as_is)
        self._engine = IsolatedEngine(name, folder, memory_mb=memory_mb, **options)

    def __enter__(self) -> Self:
        self._engine.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.__exit__(*exc)

    def run(self, text: str, parameters: Mapping[str, Any] | None = None) -> Result:
        """The answer of one query; the values of `parameters` are put into its text.

        Its columns are called as in `text`. It has `text` where the engine ran another, and
        `unsound` where the engine is known to answer what it ran wrongly, or that is not known.

        Raises:
            QueryTextError: a parameter has no value, or a value cannot be written.
            QueryError, QueryTimeout, QueryTooLarge: this query; the next one can be run.
            EngineUnavailable: the engine cannot be started.
        """
        given = self._filled(text, parameters)
        try:
            return self._given(given)
        except QueryError as problem:
            if given == text or problem.kind not in _PLACED:
                raise
            # The place that the engine tells is one in a text that nobody has seen.
            message = f"{problem} This is of the text with the values in it: {shortened(given)}"
            raise QueryError(message, problem.kind) from problem

    def _given(self, given: str) -> Result:
        """The answer of a text without parameters; see `run`."""
        own = self._texts.ready(given)
        try:
            answer = self._answer(own.text)
        except (QueryError, QueryUnsound) as problem:
            if own.text == given:
                raise (_unread(own, problem) or problem) from problem
            return self._as_it_is(given, own, problem)
        names = own.columns or answer.columns
        ran = "" if own.text == given else own.text
        return replace(answer, columns=names, text=ran, unsound=own.unsound)

    def _as_it_is(self, given: str, own: EngineText, problem: QueryError | QueryUnsound) -> Result:
        """The answer of the given text after that of its rendering `own` failed with `problem`."""
        try:
            answer = self._answer(given)
        except (QueryError, QueryUnsound) as second:
            # A place in `problem` would be one in a text that nobody has seen; without one it says
            # more than that the engine does not read the given text.
            if second.kind in _PLACED and problem.kind in _PLACED:
                why = f"The engine reads neither this nor what its dialect makes of it: {second}"
                raise QueryError(why, "engine") from None  # graphmill has read it: it is right
            raise (problem if second.kind in _PLACED else second) from None
        return replace(answer, unsound=self._texts.rejected(own, problem))

    def _answer(self, text: str) -> Result:
        return self._engine.run(text, language=self.language, timeout=self.timeout)

    def _filled(self, text: str, parameters: Mapping[str, Any] | None) -> str:
        if parameters and not self._fills:
            raise QueryTextError(
                "The engines of sources take no parameters: write the values into the query.",
                kind="semantic",
                code="bad-parameter",
            )
        return filled(text, self.language, parameters or {})

    def unsound(self, text: str, parameters: Mapping[str, Any] | None = None) -> list[Fault]:
        """The `unsound` of this text's answer, before it is run: `code` and `message` each."""
        return list(self._texts.ready(self._filled(text, parameters)).unsound)

    def result(self, text: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The `result` object of one line, as `run` with its errors as values.

        It has `text` and `unsound` where the answer has.

        Raises:
            EngineUnavailable: the engine cannot be started, so no line can have a result.
        """
        try:
            answer = self.run(text, parameters)
        except EngineUnavailable:
            raise
        except (QueryTextError, EngineError) as problem:
            return {"ok": False, "error": {"kind": problem.kind, "message": str(problem)}}
        result: dict[str, Any] = {
            "ok": True,
            "columns": list(answer.columns),
            "rows": [list(row) for row in answer.rows],
            "ms": round(answer.ms, 3),
        }
        if answer.text:
            result["text"] = answer.text
        if answer.unsound:
            result["unsound"] = list(answer.unsound)
        return result


def _unread(own: EngineText, problem: QueryError | QueryUnsound) -> QueryError | None:
    """The error of a right text that the dialect refuses and that the engine does not read: what is
    wrong is not the text. None where that is no such case."""
    if not own.refusal or problem.kind not in _PLACED:
        return None
    return QueryError(f"{own.refusal} As it is, the engine does not read it: {problem}", "engine")
