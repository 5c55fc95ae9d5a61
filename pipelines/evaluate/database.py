"""Scoring the predictions of one database: with the engines open, batch after batch of records."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engines import ENGINE_OF, ENGINES, NUMBERS_AS_BOOLEANS, SERVERS, SOURCE_ENGINES
from engines.base import Result
from engines.isolation import IsolatedEngine
from engines.sources._texts import as_typed
from evaluation.base import Metric
from evaluation.execution import Bench, Failure
from evaluation.groups import groups, question_groups
from evaluation.languages import tools
from evaluation.predictions import Predictions
from evaluation.reading import first_line
from evaluation.score import Prediction, Score
from evaluation.scoring import Golds, Scorer, finish, missing
from graph_ir.bind.statements import Bound
from graphmill.errors import EngineError, EngineUnavailable
from graphmill.record import Record
from pipelines.build.suites import FOLDER as INSTANCES
from pipelines.configuration.config import FILES
from pipelines.jobs.units import Desk
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.model import SchemaGraph
from translators.language import Origin

SHOWN = 20  # ids that are listed of what is left out
SQL = "sql"

type Variant = tuple[str, bool | None]
"""A form of question, and whether it came with knowledge."""


@dataclass(frozen=True, slots=True)
class Options:
    """How predictions are scored.

    `languages` are those to be scored (none: all that are predicted); `common` those that a
    record must have, and be run in, to be scored at all. `engine` runs texts as they are.
    `split` is one of `SPLITS` or empty for all. `timeout` is in seconds a query. `asked` are the
    ids of the records whose question was asked, where not all were, and `unasked` says why not.
    `jobs` are processes (None: as many as there are processors where that pays).
    """

    languages: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    split: str = ""
    engine: str = ""
    neo4j_url: str = ""
    timeout: float = 10.0
    memory_mb: int = 1500
    seed: int = 7
    suites: bool = True
    second_opinion: bool = False
    metrics: tuple[Metric, ...] = ()
    asked: frozenset[str] | None = None
    unasked: str = "no question in the form"
    jobs: int | None = None


@dataclass(slots=True)
class LeftOut:
    """Records that are not scored in a language: how many for each reason, and the first ids."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    ids: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, language: str, why: str, id: str) -> None:
        """Count one record."""
        key = (language, why)
        self.counts[key] += 1
        if len(self.ids[key]) < SHOWN:
            self.ids[key].append(id)

    def join(self, other: LeftOut) -> None:
        """Count what another has counted."""
        self.counts += other.counts
        for key, ids in other.ids.items():
            self.ids[key] += ids[: SHOWN - len(self.ids[key])]

    def to_json(self) -> list[dict[str, Any]]:
        """One object for each language and reason."""
        return [
            {"language": language, "why": why, "records": number, "ids": self.ids[language, why]}
            for (language, why), number in sorted(self.counts.items())
        ]


class _Source:
    """The database that a graph came from, which runs predictions in its SQL."""

    def __init__(self, engine: IsolatedEngine, timeout: float) -> None:
        self._engine = engine
        self._timeout = timeout
        self.numbers_as_booleans = engine.name in NUMBERS_AS_BOOLEANS

    def answer(self, text: str, bound: Bound) -> Result | Failure:
        """The answer of a text, with the types that the gold's columns have in the graph."""
        try:
            answer = self._engine.run(text, language=SQL, timeout=self._timeout)
        except EngineUnavailable:
            raise
        except EngineError as problem:
            return Failure(problem.kind, first_line(problem))
        return as_typed(answer, [of.kind for _, of in bound.columns])


class Database:
    """All that one database's predictions are scored with."""

    def __init__(
        self,
        folder: Path,
        db: str,
        graph: Path,
        schema: SchemaGraph,
        options: Options,
        asked_in: Mapping[str, Sequence[Variant]],
    ) -> None:
        self.folder = folder
        self.db = db
        self.graph = graph
        self.schema = schema
        self.options = options
        self.asked_in = asked_in
        self.left_out = LeftOut()
        self._golds: Golds = {}
        self._stack = ExitStack()
        self._bench: Bench | None = None
        self._scorers: dict[str, Scorer | None] = {}

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def scores(
        self, records: Sequence[Record], predictions: Predictions, tick: Callable[[], None]
    ) -> list[Score]:
        """The scores of every expected prediction for some records, record after record.

        Records that are not scored are counted in `left_out`.
        """
        records = self._common(records)
        scorers: dict[str, Scorer] = {}
        for language in self.asked_in:
            scorer = self._opened(language)
            if scorer is not None:
                scorers[language] = scorer
                continue
            for record in records:
                self.left_out.add(language, "its source is not in the corpus", record.id)
        scores: list[Score] = []
        for record in records:
            for language, scorer in scorers.items():
                scores += self._scores(
                    record, language, self.asked_in[language], predictions, scorer
                )
            tick()
        if self._bench is not None:
            finish(self._bench, scorers.values())
        self._golds.clear()
        return scores

    def _opened(self, language: str) -> Scorer | None:
        """The scorer of a language, made once: engines stay open from batch to batch."""
        if self._bench is None:
            self._bench = self._stack.enter_context(
                Bench(
                    self.graph,
                    self.graph / INSTANCES,
                    self.schema,
                    timeout=self.options.timeout,
                    memory_mb=self.options.memory_mb,
                    options={"url": self.options.neo4j_url} if self.options.neo4j_url else None,
                )
            )
        if language not in self._scorers:
            self._scorers[language] = self._scorer(self._bench, language, self._golds)
        return self._scorers[language]

    def _scores(
        self,
        record: Record,
        language: str,
        variants: Sequence[Variant],
        predictions: Predictions,
        scorer: Scorer,
    ) -> Iterator[Score]:
        text = _gold(record, language)
        if self.options.asked is not None and record.id not in self.options.asked:
            self.left_out.add(language, self.options.unasked, record.id)
            return
        if not record.queries:
            yield from self._unanswerable(record, language, variants, predictions)
            return
        if not text:
            self.left_out.add(language, "no text in the language", record.id)
            return
        case = scorer.case(record, text)
        if isinstance(case.gold, Failure):
            self.left_out.add(language, f"its gold is not run: {case.gold.kind}", record.id)
            return
        own = groups(record, text, case.statement, self.schema)
        for form, knowledge in variants:
            prediction = predictions.by_key.get((record.id, language, form, knowledge))
            if prediction is None:
                score = missing(record, language, text, form)
                score.groups = own | question_groups(
                    Prediction("", language, "", form, knowledge), record.domain
                )
            else:
                case.groups = own | question_groups(prediction, record.domain)
                score = scorer.score(prediction, case)
            yield score

    def _unanswerable(
        self,
        record: Record,
        language: str,
        variants: Sequence[Variant],
        predictions: Predictions,
    ) -> Iterator[Score]:
        """Whether a question that the graph cannot answer was abstained from."""
        for form, knowledge in variants:
            prediction = predictions.by_key.get((record.id, language, form, knowledge))
            score = Score(record.id, record.db, language, form, answerable=False)
            score.missing = prediction is None
            score.abstained = prediction is not None and prediction.query is None
            score.groups = {"database": (record.db,)}
            yield score

    def _common(self, records: Sequence[Record]) -> Sequence[Record]:
        """The records that every compared language has; why the others fell out is kept."""
        if not self.options.common:
            return records
        kept = []
        for record in records:
            lacking = [name for name in self.options.common if not _gold(record, name)]
            for name in lacking:
                self.left_out.add(name, "not common: no text in the language", record.id)
            if not lacking:
                kept.append(record)
        return kept

    def _scorer(self, bench: Bench, language: str, golds: Golds) -> Scorer | None:
        source = None
        dialect = None
        if language == SQL:
            source, dialect = self._source()
            if source is None:
                return None
        origin = Origin(self.graph, self.schema, dialect)
        second = self.options.second_opinion
        toolbox = self._stack.enter_context(tools(language, origin, second=second))
        return Scorer(
            bench,
            toolbox,
            engine="" if language == SQL else self._engine(language),
            source=source,
            metrics=self.options.metrics,
            suites=self.options.suites,
            golds=golds,
        )

    def _engine(self, language: str) -> str:
        name = self.options.engine
        return name if name and language in ENGINES.get(name).languages else ""

    def _source(self) -> tuple[_Source | None, str | None]:
        mapping = load_mapping(self.graph)
        name = ENGINE_OF.get(mapping.dialect, "") if mapping is not None else ""
        files = [self.folder / "sources" / f"{self.db}{ending}" for ending in FILES]
        path = next((path for path in files if path.is_file()), None)
        if mapping is None or not name or name in SERVERS or path is None:
            return None, None
        kinds = SOURCE_ENGINES if name in SOURCE_ENGINES.names() else ENGINES
        engine = IsolatedEngine(
            name,
            self.graph,
            memory_mb=self.options.memory_mb,
            persists=True,
            kinds=kinds,
            source=str(path),
        )
        return _Source(self._stack.enter_context(engine), self.options.timeout), mapping.dialect


def _gold(record: Record, language: str) -> str:
    return record.source_sql if language == SQL else record.queries.get(language, "")


@dataclass(frozen=True, slots=True)
class Scored:
    """What a batch brings: scores without what only the trace has, its lines, what was left out."""

    scores: list[Score]
    lines: list[dict[str, Any]]
    left_out: LeftOut


@dataclass(frozen=True)
class Batch:
    """A unit of work: some records of a database with their predictions."""

    folder: Path
    db: str
    records: Sequence[Record]
    predictions: Predictions
    asked_in: Mapping[str, Sequence[Variant]]
    options: Options
    traces: bool

    @property
    def place(self) -> str:
        """The database, which a worker keeps open."""
        return self.db

    @property
    def label(self) -> str:
        """What it is, for people."""
        return f"{self.db}: evaluate"

    def work(self, desk: Desk) -> tuple[Any, Sequence[tuple[str, bytes]]]:
        """Score it with the database that this process has open."""
        return self.scored(_opened(self), lambda: None), ()

    def open(self) -> Database:
        """Its database."""
        graph = self.folder / "graphs" / self.db
        return Database(
            self.folder, self.db, graph, load_schema(graph), self.options, self.asked_in
        )

    def scored(self, database: Database, tick: Callable[[], None]) -> Scored:
        """Score it."""
        database.left_out = LeftOut()
        scores = database.scores(self.records, self.predictions, tick)
        lines = [score.to_json() for score in scores] if self.traces else []
        for score in scores:
            score.message, score.details, score.repair = "", (), ()
        return Scored(scores, lines, database.left_out)


_open: dict[tuple[int, Path, str], Database] = {}
"""The database that a worker has open; a process has one at a time."""


def _opened(batch: Batch) -> Database:
    key = (os.getpid(), batch.folder, batch.db)
    if key not in _open:
        for database in _open.values():
            database.__exit__(None, None, None)
        _open.clear()
        _open[key] = batch.open()
    return _open[key]
