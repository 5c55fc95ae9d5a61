"""Running a system's own queries: what its critics, refiners and executors are told.

The query is handled as a prediction is: read within limits, refused where it writes, run by the
referee (or by the language's own engine) in a worker with limits. Nothing here sees the gold.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal

from engines.base import Result
from evaluation.base import Task
from evaluation.execution import Bench, Failure
from evaluation.languages import Tools, tools
from evaluation.reading import judged, read
from graph_ir import nodes as ir
from graphmill.files import canonical
from graphmill.llm.repeatable import repeatable
from translators.language import Origin

SHOWN = 10  # rows that a prompt shows
MOST = 10_000  # rows that are fetched

# AT-18: syntactic (parser), semantic (valid text; nothing, or against the schema), runtime.
type Outcome = Literal["rows", "empty", "syntactic", "semantic", "runtime"]


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a query. `message` is the error's sentence, as prompts may have it, or says that
    there are no rows; `statement` its meaning, where it was read."""

    outcome: Outcome
    message: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    statement: ir.Statement | None = None

    @property
    def failed(self) -> bool:
        """Whether it is an error (no rows are none)."""
        return self.outcome not in ("rows", "empty")

    def text(self) -> str:
        """The rows as a prompt shows them, the first few; else the message."""
        if not self.rows:
            return self.message
        lines = [" | ".join(self.columns)]
        lines += [" | ".join(map(_cell, row)) for row in self.rows[:SHOWN]]
        more = len(self.rows) - SHOWN
        return "\n".join([*lines, f"… and {more} more rows"] if more > 0 else lines)


class Runner:
    """Runs queries of one language on the graphs of tasks; one graph is open at a time.

    `timeout` is in seconds a query, `memory_mb` in megabytes a worker.
    """

    def __init__(self, language: str, *, timeout: float = 10.0, memory_mb: int = 1500) -> None:
        self._language = language
        self._timeout = timeout
        self._memory = memory_mb
        self._stack = ExitStack()
        self._db = ""
        self._bench: Bench | None = None
        self._tools: Tools | None = None

    def close(self) -> None:
        """End the workers."""
        self._stack.close()
        self._bench = None

    def run(self, task: Task, query: str) -> Ran:
        """Run one query on the task's graph."""
        ran = self._run(task, query)
        return replace(ran, message=repeatable(ran.message))

    def _run(self, task: Task, query: str) -> Ran:
        bench, language_tools = self._open(task)
        if language_tools.read is not None:
            reading = read(query, language_tools.read, task.schema)
        else:
            reading = (
                judged(query, language_tools.check)
                if language_tools.check
                else judged(query, lambda _: [])
            )
        if not reading.parses:
            return Ran("syntactic", f"Syntax error: {reading.message}")
        if reading.kind == "unread" and language_tools.guard is not None:
            errors = [
                each.message for each in language_tools.guard(query) if each.severity == "error"
            ]
            if errors:
                return Ran("semantic", f"Against the schema: {'; '.join(errors)}")
            return _judged(bench.raw(query, self._language), None)
        if reading.kind:
            return Ran("semantic", f"Error: {reading.message}", statement=reading.statement)
        if reading.bound is not None and reading.bound.errors:
            # What the schema lacks has a meaning (it matches nothing); here it is an error.
            messages = "; ".join(error.message for error in reading.bound.errors)
            return Ran("semantic", f"Against the schema: {messages}", statement=reading.statement)
        if reading.statement is not None:
            outcome = bench.answer(reading.statement, most=MOST)
        else:
            outcome = bench.raw(query, self._language)
        return _judged(outcome, reading.statement)

    def parses(self, task: Task, query: str) -> bool:
        """Whether the query is text of the language, whatever it says."""
        _, language_tools = self._open(task)
        if language_tools.read is not None:
            return read(query, language_tools.read, task.schema).parses
        return language_tools.check is None or judged(query, language_tools.check).parses

    def statement(self, task: Task, query: str) -> ir.Statement | None:
        """The meaning of a query; None where it has none, or its language has no reader."""
        _, language_tools = self._open(task)
        return (
            None
            if language_tools.read is None
            else read(query, language_tools.read, task.schema).statement
        )

    def _open(self, task: Task) -> tuple[Bench, Tools]:
        if self._bench is None or self._tools is None or self._db != task.db:
            self._stack.close()
            self._db = task.db
            bench = Bench(
                task.graph,
                task.graph,
                task.schema,
                timeout=self._timeout,
                memory_mb=self._memory,
            )
            self._bench = self._stack.enter_context(bench)
            origin = Origin(task.graph, task.schema)
            self._tools = self._stack.enter_context(tools(self._language, origin))
        self._bench.forget()
        return self._bench, self._tools


def _judged(outcome: Result | Failure, statement: ir.Statement | None) -> Ran:
    if isinstance(outcome, Failure):
        kind: Outcome = "syntactic" if outcome.kind == "syntax" else "runtime"
        return Ran(kind, f"Error: {outcome.message}", statement=statement)
    return _ran(outcome, statement)


def _ran(answer: Result, statement: ir.Statement | None) -> Ran:
    rows = tuple(tuple(row) for row in answer.rows)
    if not rows:
        return Ran("empty", "The query runs and gives no rows.", statement=statement)
    return Ran("rows", "", tuple(answer.columns), rows, statement)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
