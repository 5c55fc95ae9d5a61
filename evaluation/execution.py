"""Running gold and predictions of one database: on the shipped graph, and on the small ones.

A statement is run by the referee, as SQL; where SQL cannot say it, by the engine of a language
that can, unless that engine is known to get it wrong. A text is run as it is only where an engine
is named, or where its language has no reader, and never before it parses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from engines import ENGINES, default_engines
from engines.base import Result
from engines.isolation import IsolatedEngine
from engines.ladder import Gold, Rung, every_choice, rung
from evaluation.metrics.elements import elements, provenance
from evaluation.reading import PATIENCE, TooSlow, first_line, patience
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.rewrites import Probe, break_ties, has_inner_window, leaves_lists_open, probe
from graph_ir.walk import find
from graphmill.errors import EngineError, EngineUnavailable, GraphmillError, Refused
from schemagraph.folder.small import keeps_cardinalities, read_rows
from schemagraph.model import SchemaGraph
from translators.render import render

REFEREE = "duckdb"
LANGUAGE = "sql"
_ROWS = (Rung.ORDERED, Rung.BAG)
SPARE = 10_000  # rows beyond ten times the gold's that an answer may have and is still compared


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer: `kind` is that of an engine's error, or `refused`."""

    kind: str
    message: str


type Outcome = Result | Failure


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer, or why there is none, and the rung that it stands on."""

    outcome: Outcome
    rung: Rung = Rung.NONE

    @property
    def ran(self) -> bool:
        """Whether an engine answered."""
        return isinstance(self.outcome, Result)

    @property
    def right(self) -> bool:
        """Whether it is execution accurate: what a certificate asks."""
        return self.rung is Rung.ORDERED


class Kept[Key, Value]:
    """What is kept because it is asked for again: gold for each language and each form of
    question, and predictions repeat each other. `MOST` of units in all, a fiftieth of them for one
    value: memory stays flat. Those that were not asked for longest leave."""

    MOST = 1_000_000

    def __init__(self) -> None:
        self._kept: dict[Key, tuple[Value, int]] = {}
        self._size = 0

    def get(self, key: Key) -> Value | None:
        """A kept value."""
        kept = self._kept.pop(key, None)
        if kept is None:
            return None
        self._kept[key] = kept  # the last to leave
        return kept[0]

    def keep(self, key: Key, value: Value, size: int) -> None:
        """Keep a value, if it is small."""
        if size > self.MOST // 50:
            return
        self._kept[key] = value, size
        self._size += size
        while self._size > self.MOST:
            first = next(iter(self._kept))
            self._size -= self._kept.pop(first)[1]


class Bench:
    """The engines of one database: `graph` is its folder, `instances` the folder of small graphs.

    `timeout` is in seconds a query, `memory_mb` in megabytes a worker.
    """

    def __init__(
        self,
        graph: Path,
        instances: Path,
        schema: SchemaGraph,
        *,
        timeout: float = 10.0,
        memory_mb: int = 1500,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.graph = graph
        self.instances = instances
        self.schema = schema
        self.timeout = timeout
        self._memory = memory_mb
        self._options = dict(options or {})
        self._stack = ExitStack()
        self._engines: dict[tuple[str, bool], IsolatedEngine] = {}
        self._instance = ""
        self._texts: dict[int, tuple[ir.Statement, tuple[str, str, str] | Failure]] = {}
        self._probes: dict[int, tuple[ir.Statement, Probe | None]] = {}
        # cells and letters of texts, a cell eight
        self._answers: Kept[tuple[str, str, str], Result] = Kept()
        # elements that a query touches, fifteen letters or so each
        self._touched: Kept[str, frozenset[str]] = Kept()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()
        self._engines.clear()

    def engine(self, name: str, *, small: bool = False) -> IsolatedEngine:
        """The running engine called `name`, over the shipped graph or the small ones."""
        if (name, small) not in self._engines:
            options: dict[str, Any] = {"reloads": True} if small else {}
            if name == "neo4j":
                options |= self._options
            graph = None if small else self.graph
            engine = IsolatedEngine(name, graph, memory_mb=self._memory, persists=True, **options)
            self._engines[name, small] = self._stack.enter_context(engine)
        return self._engines[name, small]

    def use(self, instance: str) -> None:
        """Put a small graph in the place of the one before."""
        path = self.instances / f"{instance}.json"
        self._instance = instance
        for (_, small), engine in self._engines.items():
            if small:
                engine.use(path)

    def is_possible(self, instance: str) -> bool:
        """Whether a small graph could be a database of the schema: it keeps its cardinalities."""
        return keeps_cardinalities(self.schema, read_rows(self.instances / f"{instance}.json"))

    def gold(self, statement: ir.Statement, *, small: bool = False) -> Gold | Failure:
        """The referee's answer to the probe of a bound gold statement."""
        asked = self._probe(statement)
        if asked is None:
            return Failure("refused", "SKIP and LIMIT of the gold query are no numbers.")
        answer = self.answer(asked.statement, small=small)
        if isinstance(answer, Failure):
            return answer
        return Gold(
            answer, asked.keys, asked.skip, asked.limit, asked.rough, leaves_lists_open(statement)
        )

    def _probe(self, statement: ir.Statement) -> Probe | None:
        known = self._probes.get(id(statement))
        if known is None:
            known = self._probes[id(statement)] = statement, probe(statement)
        return known[1]

    def answer(
        self, statement: ir.Statement, *, small: bool = False, most: int | None = None
    ) -> Outcome:
        """The answer of a statement; with `most`, cut behind the first row that is too many."""
        prepared = self._prepared(statement if most is None else capped(statement, most + 1))
        if isinstance(prepared, Failure):
            return prepared
        try:
            return self._run(*prepared, small)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return Failure(problem.kind, first_line(problem))

    def forget(self) -> None:
        """Drop the texts of the statements so far, which are kept for the small graphs."""
        self._texts.clear()
        self._probes.clear()

    def _prepared(self, statement: ir.Statement) -> tuple[str, str, str] | Failure:
        """The engine that is to answer, the text and its language; once for the same object."""
        known = self._texts.get(id(statement))
        if known is None:
            known = self._texts[id(statement)] = statement, self._translated(statement)
        return known[1]

    def _translated(self, statement: ir.Statement) -> tuple[str, str, str] | Failure:
        try:
            with patience(PATIENCE):
                return self._rendered(statement)
        except (TooSlow, RecursionError):
            return Failure("limit", "Translating it took too long, or nests too deep.")
        except GraphmillError as problem:
            return Failure("refused", first_line(problem))
        except Exception as problem:  # noqa: BLE001 # a fault of one text ends no batch
            return Failure("fault", f"{type(problem).__name__}: {problem}"[:200])

    def _rendered(self, statement: ir.Statement) -> tuple[str, str, str]:
        try:
            return REFEREE, render(statement, LANGUAGE, self.schema).text, LANGUAGE
        except Refused as refused:
            first = refused
        for language, name in sorted(default_engines().items()):
            kind = ENGINES.get(name)
            if name == REFEREE or not kind.family or language not in kind.profiles:
                continue
            profile = kind.profiles[language]
            if any(f.applies(statement) for f in kind.unsound if profile in f.dialects):
                continue
            try:
                return name, render(statement, profile, self.schema).text, language
            except Refused:
                continue
        raise first

    def raw(self, text: str, language: str, engine: str = "") -> Outcome:
        """The answer of a text as it is, by the engine that is named or the language's own.

        Raises:
            EngineUnavailable: the engine cannot be started.
        """
        try:
            name = engine or default_engines()[language]
            return self._run(name, text, language, small=False)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return Failure(problem.kind, first_line(problem))

    def _run(self, name: str, text: str, language: str, small: bool) -> Result:
        if not small:
            kept = self._answers.get((name, language, text))
            if kept is not None:
                return kept
        known = (name, small) in self._engines
        engine = self.engine(name, small=small)
        if small and not known:
            engine.use(self.instances / f"{self._instance}.json")
        answer = engine.run(text, language=language, timeout=self.timeout)
        if not small and not any(_is_large(row) for row in answer.rows):
            size = len(text) + 8 * len(answer.rows) * max(1, len(answer.columns))
            self._answers.keep((name, language, text), answer, size)
        return answer

    def touched(self, statement: ir.Statement) -> frozenset[str] | None:
        """The nodes and edges of the shipped graph that the patterns of a bound statement match;
        None where it cannot be run."""
        texts: set[str] = set()
        for asked in provenance(statement, self.schema):
            key = fingerprint(asked.query)
            own = self._touched.get(key)
            if own is None:
                answer = self.answer(asked.query)
                if isinstance(answer, Failure):
                    return None
                own = elements(asked, answer, self.schema)
                self._touched.keep(key, own, len(key) + 8 * len(own))
            texts |= own
        return frozenset(texts)

    def judge(
        self,
        statement: ir.Statement,
        gold_statement: ir.Statement,
        gold: Gold,
        *,
        small: bool = False,
    ) -> Judgement:
        """Run a bound prediction and hold it against the gold answer.

        Where a window inside the gold query leaves rows open, both are asked again with its ties
        broken, as certificates are judged.
        """
        most = 10 * gold.count + SPARE
        judgement = held(self.answer(statement, small=small, most=most), gold)
        if not judgement.ran or not has_inner_window(gold_statement):
            return self.without_luck(judgement, statement, gold, small=small)
        if judgement.right:
            return judgement
        again = self.gold(break_ties(gold_statement, self.schema), small=small)
        if isinstance(again, Failure):
            return judgement
        decided = self.answer(break_ties(statement, self.schema), small=small)
        second = held(decided, again)
        return replace(judgement, rung=second.rung) if second.right else judgement

    def without_luck(
        self, judgement: Judgement, statement: ir.Statement, gold: Gold, *, small: bool = False
    ) -> Judgement:
        """The judgement of a prediction (`statement`, bound), on no rung where a SKIP or LIMIT of
        it could choose rows that are wrong.

        Its windows before the end choose the first of each tie, and the last.
        """
        if judgement.rung not in _ROWS or not _has_window(statement):
            return judgement
        chosen = [statement]
        if has_inner_window(statement):
            chosen = [break_ties(statement, self.schema, descending=end) for end in (False, True)]
            most = 10 * gold.count + SPARE
            answers = [held(self.answer(each, small=small, most=most), gold) for each in chosen]
            if any(each.ran and each.rung not in _ROWS for each in answers):
                return replace(judgement, rung=Rung.NONE)
        if all(self._is_sure(each, gold, small) for each in chosen):
            return judgement
        return replace(judgement, rung=Rung.NONE)

    def _is_sure(self, statement: ir.Statement, gold: Gold, small: bool) -> bool:
        """Whether all that the last window of a statement can choose is an answer of `gold`."""
        asked = self._probe(statement)
        if asked is None:
            return True
        most = 10 * len(gold.answer.rows) + SPARE
        answer = self.answer(asked.statement, small=small, most=most)
        if isinstance(answer, Failure) or len(answer.rows) > most:
            return False
        mine = Gold(
            answer, asked.keys, asked.skip, asked.limit, asked.rough, leaves_lists_open(statement)
        )
        return mine.width == gold.width and every_choice(mine, gold)


def _has_window(statement: ir.Statement) -> bool:
    projects = find(statement, ir.Project)
    return any(project.skip is not None or project.limit is not None for project in projects)


def held(outcome: Outcome, gold: Gold, *, booleans: bool = True) -> Judgement:
    """An outcome with the rung that it stands on."""
    if isinstance(outcome, Failure):
        return Judgement(outcome)
    return Judgement(outcome, rung(outcome, gold, booleans=booleans))


def _is_large(row: Sequence[object]) -> bool:
    return any(isinstance(value, str | list | dict) and len(value) > 1000 for value in row)


def capped(statement: ir.Statement, most: int) -> ir.Statement:
    """The statement with a limit of `most` rows, where it has no smaller one; a union as it is."""
    if isinstance(statement, ir.Union):
        return statement
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project):
        return statement
    if last.limit is not None:
        own = last.limit.value if isinstance(last.limit, ir.Literal) else None
        if not isinstance(own, int) or own <= most:
            return statement
    last = replace(last, limit=ir.Literal(most))
    return replace(statement, clauses=(*statement.clauses[:-1], last))
