"""Draw queries, run them in every way, and shrink what does not agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines.isolation import IsolatedEngine
from graph_ir import nodes as ir
from graph_ir.walk import descend
from graphmill.errors import Refused
from qa.agreement import RUNS, Agreement, State, agree
from qa.fuzz.graphs import SmallGraph, random_graph
from qa.fuzz.shrink import is_valid, shrink
from qa.fuzz.statements import random_statement
from translators.cypher.dialect import Cypher

# Engines that run every text that we say is right: an error of theirs is a fault of ours.
STRICT = frozenset({"duckdb", "neo4j"})
# What DuckDB and Neo4j may refuse while they run: the query asks for it.
_LAWFUL = (
    "division by zero",
    "/ by zero",
    "out of range",
    "overflow",
    "/ by 0",
    "was stopped",
    "longer than",
    "stopped the query",
    "two different nodes",
    "Invalid call signature for Truncate",  # of null
    "end nodes are the same",
    "there is nothing to be truncated",
)
_SHOWN = 900  # characters of a text that a finding prints
_ALIKE = 24  # leading characters that tell one error from another


@dataclass(frozen=True, slots=True)
class Finding:
    """A query on a graph where `run` and `referee` differ, or where `run` raises (no referee)."""

    seed: int
    statement: ir.Statement
    graph: SmallGraph
    run: str
    referee: str
    agreement: Agreement

    def text(self) -> str:
        """Graph, query, both texts and both answers: all that a fixture needs."""
        outcome = self.agreement.outcomes[self.run]
        lines = [f"-- seed {self.seed}: {self.run} against {self.referee or 'no other'}"]
        lines += [self.graph.text(), "", cypher(self.statement), ""]
        lines += [f"-- {self.run}: {outcome.reason}", _shown(outcome.text)]
        if outcome.answer is not None:
            lines.append(_rows(outcome.answer.rows))
        if outcome.verdict is not None:
            lines.append(f"-- {outcome.verdict.reason}")
        if self.referee:
            lines += [f"-- {self.referee}", _shown(self.agreement.outcomes[self.referee].text)]
            lines.append(_rows(self.agreement.rows))
        return "\n".join(lines)


def cypher(statement: ir.Statement) -> str:
    """The statement for people: its Cypher, or its tree where Cypher has no words for it."""
    try:
        return Cypher().generate(statement).text
    except Refused:
        return repr(statement)


def _shown(text: str) -> str:
    """A text without the macros before it, shortened."""
    lines = text.splitlines()
    ends = [n for n, line in enumerate(lines) if line.endswith(";")]
    kept = "\n".join(lines[ends[-1] + 1 :] if ends else lines)
    return kept if len(kept) <= _SHOWN else f"{kept[:_SHOWN]} …"


def _rows(rows: Sequence[tuple[Any, ...]]) -> str:
    return "\n".join(str(list(row)) for row in rows[:12])


@dataclass
class Search:
    """A search over seeds; `counts` says what happened, `produced` which IR nodes occurred."""

    engines: Mapping[str, IsolatedEngine]
    runs: Sequence[str]
    folder: Path
    timeout: float = 15.0
    queries_per_graph: int = 40
    shrink_seconds: float = 60.0
    counts: Counter[str] = field(default_factory=Counter)
    produced: set[str] = field(default_factory=set)
    _loaded: SmallGraph | None = None
    _graphs: int = 0

    def findings(self, seeds: Iterator[int]) -> Iterator[Finding]:
        """Everything that disagrees, shrunk."""
        for seed in seeds:
            graph = random_graph(seed // self.queries_per_graph)
            statement = random_statement(seed, graph.schema)
            if not is_valid(statement, graph.schema):
                self.counts["not valid"] += 1
                continue
            self.produced |= {type(node).__name__ for node in descend(statement)}
            agreement = self.ask(statement, graph)
            self._count(agreement)
            wrong = _wrong(agreement)
            if wrong:
                yield self._shrunk(seed, statement, graph, agreement, wrong)

    def ask(self, statement: ir.Statement, graph: SmallGraph) -> Agreement:
        """What all runs say about a query on a graph."""
        self._load(graph)
        return agree(statement, graph.schema, self.engines, self.runs, timeout=self.timeout)

    def _load(self, graph: SmallGraph) -> None:
        if graph == self._loaded:
            return
        self._graphs += 1
        folder = graph.write(self.folder / f"graph-{self._graphs}")
        for engine in self.engines.values():
            engine.use(folder)
        self._loaded = graph

    def _count(self, agreement: Agreement) -> None:
        self.counts["queries"] += 1
        self.counts["compared"] += agreement.compared
        self.counts["not empty"] += agreement.compared and bool(agreement.rows)
        for run, outcome in agreement.outcomes.items():
            self.counts[f"{run}: {outcome.state.value}"] += 1
            if outcome.state in (State.REFUSED, State.UNSOUND, State.ERROR, State.FAULT):
                self.counts[f"{run}: {outcome.state.value} {outcome.reason[:70]}"] += 1

    def _shrunk(
        self, seed: int, statement: ir.Statement, graph: SmallGraph, agreement: Agreement, run: str
    ) -> Finding:
        outcome = agreement.outcomes[run]
        referee = agreement.referee if outcome.state is State.DIFFERS else ""
        runs = [referee, run] if referee else [run]

        def fails(smaller: ir.Statement, on: SmallGraph) -> bool:
            self._load(on)
            again = agree(smaller, on.schema, self.engines, runs, timeout=self.timeout)
            now = again.outcomes[run]
            if now.state is not outcome.state:
                return False
            return bool(referee) or now.reason[:_ALIKE] == outcome.reason[:_ALIKE]

        statement, graph = shrink(statement, graph, fails, seconds=self.shrink_seconds)
        self._load(graph)
        last = agree(statement, graph.schema, self.engines, runs, timeout=self.timeout)
        return Finding(seed, statement, graph, run, referee, last)


def _wrong(agreement: Agreement) -> str:
    """The run that is to be looked into, or nothing."""
    if agreement.differing:
        return agreement.differing[0]
    for run, outcome in agreement.outcomes.items():
        if outcome.state is State.FAULT:
            return run
        strict = outcome.state is State.ERROR and RUNS[run].engine in STRICT
        if strict and not any(words in outcome.reason for words in _LAWFUL):
            return run
    return ""
