"""One meaning, run by several engines in several languages: who agrees, and who does not.

The referee is the first run that answers the probe of the query (`graph_ir.rewrites.probe`);
with it, ties under LIMIT are ties. A run that its engine declares unsound is not held against
anyone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from engines import ENGINES, default_engines
from engines.base import Result
from engines.compare import Verdict, allowed
from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.rewrites import Probe, break_ties, has_inner_window, leaves_lists_open, probe
from graphmill.errors import EngineError, EngineUnavailable, GraphmillError, QueryUnsound, Refused
from schemagraph.model import SchemaGraph
from translators.render import render

MEMORY_MB = {"neo4j": 2048}


@dataclass(frozen=True, slots=True)
class Run:
    """A language on an engine, rendered by a dialect or profile."""

    engine: str
    language: str
    dialect: str


def _runs() -> dict[str, Run]:
    """Every way to execute a meaning here: by its language, or `engine-language` where the engine
    is not the language's first. A server of the user's is one where its URL is given."""
    kinds = sorted(map(ENGINES.get, ENGINES.names()), key=lambda kind: -kind.trust)
    defaults = default_engines()
    return {
        language if defaults.get(language) == kind.name else f"{kind.name}-{language}": Run(
            kind.name, language, kind.profiles[language]
        )
        for kind in kinds
        if kind.family and (not kind.url_variable or os.environ.get(kind.url_variable))
        for language in kind.languages
    }


RUNS: Mapping[str, Run] = _runs()
"""Every way to execute a meaning here, the most trusted first."""


class State(StrEnum):
    """What became of a run."""

    SAME = "same"
    DIFFERS = "differs"
    REFUSED = "refused"  # by the dialect
    UNSOUND = "unsound"  # the engine declares that it gets this wrong
    ERROR = "error"  # of the engine
    FAULT = "fault"  # the translator fell over
    TIE = "tie"  # another choice among rows that an inner window leaves open, proven so
    OPEN = "open"  # the same may be, but with more sort keys it gave no answer
    ALONE = "alone"  # it answered, and no other did


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """One run of a query: its text, and its answer or why there is none.

    `reason` is a code of refusal or fault, or an error's first line.
    """

    state: State
    text: str = ""
    reason: str = ""
    answer: Result | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The outcomes of all runs of one query, by run, and the referee's rows."""

    outcomes: Mapping[str, RunOutcome] = field(default_factory=dict)
    referee: str = ""
    rows: tuple[tuple[Any, ...], ...] = ()

    @property
    def differing(self) -> tuple[str, ...]:
        """Runs whose answer is not the referee's."""
        return tuple(
            name for name, outcome in self.outcomes.items() if outcome.state is State.DIFFERS
        )

    @property
    def compared(self) -> bool:
        """Whether at least two runs answered."""
        judged = (State.SAME, State.DIFFERS, State.TIE)
        return any(outcome.state in judged for outcome in self.outcomes.values())


@contextmanager
def engines_of(runs: Sequence[str], graph: Path | None) -> Iterator[dict[str, IsolatedEngine]]:
    """The engines that these runs need, over one graph; they are ended at the end."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(
                IsolatedEngine(name, graph, memory_mb=MEMORY_MB.get(name, 1500))
            )
            for name in dict.fromkeys(RUNS[run].engine for run in runs)
        }


def agree(
    statement: ir.Statement,
    schema: SchemaGraph,
    engines: Mapping[str, IsolatedEngine],
    runs: Sequence[str],
    *,
    timeout: float = 10.0,
) -> Agreement:
    """Run `statement` in every way of `runs` and compare the answers.

    Raises:
        EngineUnavailable: an engine cannot be started or cannot load the graph.
        QueryTextError: the statement is wrong.
    """
    bound = bind(statement, schema).statement
    asked = probe(statement)
    by_run: dict[str, RunOutcome] = {}
    referee, rows = "", None
    for name in sorted(runs, key=list(RUNS).index):
        outcome = _run(name, statement, bound, schema, engines, timeout)
        if outcome.state is State.ALONE and rows is None and asked is not None:
            rows = _probe(name, outcome, asked, schema, engines, timeout)
            referee = name if rows is not None else ""
        by_run[name] = outcome
    if rows is None or asked is None:
        return Agreement(by_run)
    open_lists = leaves_lists_open(statement)
    answered = [name for name, outcome in by_run.items() if outcome.answer is not None]
    if len(answered) < 2:
        return Agreement(by_run, referee, rows.rows)
    for name in answered:
        by_run[name] = _judged(by_run[name], rows, asked, open_lists)
    whole = Agreement(by_run, referee, rows.rows)
    if not whole.differing or not has_inner_window(statement):
        return whole
    decided = break_ties(bound, schema)
    if decided == bound:
        return whole
    again = agree(decided, schema, engines, (referee, *whole.differing), timeout=timeout)
    for name in whole.differing:
        if again.outcomes[name].state is State.SAME:
            by_run[name] = replace(by_run[name], state=State.TIE)
        elif again.outcomes[name].answer is None:
            by_run[name] = replace(by_run[name], state=State.OPEN)
    return whole


def _run(
    name: str,
    statement: ir.Statement,
    bound: ir.Statement,
    schema: SchemaGraph,
    engines: Mapping[str, IsolatedEngine],
    timeout: float,
) -> RunOutcome:
    run = RUNS[name]
    for fault in ENGINES.get(run.engine).unsound:
        if run.dialect in fault.dialects and fault.applies(bound):
            return RunOutcome(State.UNSOUND, reason=fault.code)
    text = ""
    try:
        text = render(statement, run.dialect, schema).text
    except Refused as problem:
        return RunOutcome(State.REFUSED, reason=problem.code)
    except GraphmillError:
        raise
    except Exception as problem:  # noqa: BLE001 # whatever it is, it is a fault to be shown
        return RunOutcome(State.FAULT, reason=f"{type(problem).__name__}: {problem}")
    try:
        answer = engines[run.engine].run(text, language=run.language, timeout=timeout)
    except EngineUnavailable:
        raise
    except QueryUnsound as problem:
        return RunOutcome(State.UNSOUND, text, str(problem))
    except EngineError as problem:
        return RunOutcome(State.ERROR, text, str(problem).splitlines()[0])
    return RunOutcome(State.ALONE, text, answer=answer)


def _probe(
    name: str,
    outcome: RunOutcome,
    asked: Probe,
    schema: SchemaGraph,
    engines: Mapping[str, IsolatedEngine],
    timeout: float,
) -> Result | None:
    if not asked.keys and not asked.skip and asked.limit is None:
        return outcome.answer
    run = RUNS[name]
    try:
        text = render(asked.statement, run.dialect, schema).text
        return engines[run.engine].run(text, language=run.language, timeout=timeout)
    except EngineUnavailable:
        raise
    except (Refused, EngineError):
        return None


def _judged(outcome: RunOutcome, rows: Result, asked: Probe, open_lists: bool) -> RunOutcome:
    assert outcome.answer is not None  # noqa: S101 # only those that answered are judged
    verdict = allowed(
        outcome.answer,
        rows,
        keys=asked.keys,
        skip=asked.skip,
        limit=asked.limit,
        rough=asked.rough,
        unordered_lists=open_lists,
    )
    state = State.SAME if verdict else State.DIFFERS
    return RunOutcome(state, outcome.text, outcome.reason, outcome.answer, verdict)
