"""Scoring a file of predictions against a corpus, database by database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engines import ENGINE_OF, ENGINES, NUMBERS_AS_BOOLEANS, SERVERS, SOURCE_ENGINES
from engines.base import Result
from engines.isolation import IsolatedEngine
from engines.sources._texts import as_typed
from evaluation.base import Metric
from evaluation.execution import Bench, Failure
from evaluation.groups import asked, groups
from evaluation.languages import evaluable, tools
from evaluation.predictions import Predictions
from evaluation.reading import first_line
from evaluation.score import Prediction, Score
from evaluation.scoring import Golds, Scorer, finish, missing
from evaluation.summary import Run, compared, summary
from graph_ir.bind.statements import Bound
from graphmill.errors import (
    ConfigError,
    EngineError,
    EngineUnavailable,
    GraphmillError,
    unknown_name,
)
from graphmill.files import read_records
from graphmill.record import SPLITS, Record
from pipelines.build.suites import FOLDER as INSTANCES
from pipelines.configuration.config import FILES
from pipelines.configuration.progress import Watch
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.model import SchemaGraph
from translators.language import Origin

BATCH = 512  # records whose small graphs are run together
SHOWN = 20  # ids that are listed of what is left out
SQL = "sql"


@dataclass(frozen=True, slots=True)
class Options:
    """How predictions are scored.

    `languages` are those to be scored (none: all that are predicted); `common` those that a
    record must have, and be run in, to be scored at all. `engine` runs texts as they are.
    `split` is one of `SPLITS` or empty for all. `timeout` is in seconds a query. `asked` are the
    ids of the records whose question was asked, where not all were.
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

    def to_json(self) -> list[dict[str, Any]]:
        """One object for each language and reason."""
        return [
            {"language": language, "why": why, "records": number, "ids": self.ids[language, why]}
            for (language, why), number in sorted(self.counts.items())
        ]


@dataclass(slots=True)
class Evaluated:
    """The figures of a run, and what was left out of it."""

    figures: dict[str, Any]
    scores: list[Score]


def evaluate(
    folder: Path,
    predictions: Predictions,
    options: Options,
    watch: Watch,
    *,
    trace: Callable[[dict[str, Any]], None] | None = None,
    against: Mapping[str, Run] | None = None,
) -> Evaluated:
    """Score predictions against the corpus in `folder`, which is only read.

    `trace` is given one object for each prediction, in the order of databases and records.
    `against` are other runs by name.

    Raises:
        GraphmillError: `folder` is no corpus, or one of its files is damaged.
        UnknownNameError: there is no such language, split or engine.
    """
    lock = load_lock(folder)
    languages = _languages(predictions, options)
    by_db = _records(folder, options.split, lock)
    left_out = LeftOut()
    scores: list[Score] = []
    for db, records in sorted(by_db.items()):
        graph = folder / "graphs" / db
        if db not in lock["graphs"]:
            raise GraphmillError(f"graphs/{db} is not in corpus.lock.")
        work = _Database(folder, db, graph, load_schema(graph), options, left_out)
        with work, watch.stage(f"{db}: evaluate", len(records)) as tick:
            for score in work.scores(records, predictions, languages, tick):
                if trace is not None:
                    trace(score.to_json())
                score.message, score.details, score.repair = "", (), ()
                scores.append(score)
    figures: dict[str, Any] = {
        "corpus": str(lock.get("config", {}).get("corpus", {}).get("name", folder.name)),
        "split": options.split or "all",
        "seed": options.seed,
        "records": sum(map(len, by_db.values())),
        "languages": {
            language: summary([s for s in scores if s.language == language], seed=options.seed)
            for language in languages
        },
        "left_out": left_out.to_json(),
        "predictions": told(predictions, {r.id for own in by_db.values() for r in own}),
    }
    if options.common:
        figures["common"] = list(options.common)
    if against:
        figures["against"] = {
            name: {
                language: compared((s for s in scores if s.language == language), run)
                for language in languages
            }
            for name, run in against.items()
        }
    return Evaluated(figures, scores)


def _languages(predictions: Predictions, options: Options) -> list[str]:
    wanted = list(dict.fromkeys([*options.languages, *options.common]))
    for name in wanted:
        if name not in evaluable():
            raise unknown_name("language to evaluate", name, evaluable())
    if options.engine and options.engine not in ENGINES.names():
        raise unknown_name("engine", options.engine, ENGINES.names())
    if options.split and options.split not in SPLITS:
        raise unknown_name("split", options.split, SPLITS)
    if wanted:
        return wanted
    found = [name for name in predictions.languages if name in evaluable()]
    for key in [key for key in predictions.by_key if key[1] not in evaluable()]:
        name = key[1][:30]
        predictions.refuse(f"{key[0][:40]}: {unknown_name('language', name, evaluable())}")
        del predictions.by_key[key]
    return found or ["cypher"]


def _records(folder: Path, split: str, lock: dict[str, Any]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for name in (split,) if split else SPLITS:
        path = split_file(folder, name)
        if not path.is_file():
            continue
        for _, record in read_records(path, format_of(lock)):
            instances = list(record.discrimination.get("instances", ()))
            lean = replace(record, certificates=(), discrimination={"instances": instances})
            found.setdefault(record.db, []).append(lean)
    return found


def told(predictions: Predictions, known: set[str]) -> dict[str, Any]:
    """What is to be said of the file of predictions; `known` are the ids that there are."""
    unknown = sorted({key[0] for key in predictions.by_key if key[0] not in known})
    return {
        "lines": len(predictions.by_key),
        "bad": predictions.broken,
        "messages": predictions.bad,
        "repeated": predictions.repeated,
        "unknown_ids": len(unknown),
        "unknown": [id[:40] for id in unknown[:SHOWN]],
    }


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


class _Database:
    """All that one database's predictions are scored with."""

    def __init__(
        self,
        folder: Path,
        db: str,
        graph: Path,
        schema: SchemaGraph,
        options: Options,
        left_out: LeftOut,
    ) -> None:
        self.folder = folder
        self.db = db
        self.graph = graph
        self.schema = schema
        self.options = options
        self.left_out = left_out
        self._stack = ExitStack()

    def __enter__(self) -> _Database:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def scores(
        self,
        records: Sequence[Record],
        predictions: Predictions,
        languages: Sequence[str],
        tick: Callable[[], None],
    ) -> Iterator[Score]:
        """The scores of every expected prediction, record after record."""
        records = self._common(records)
        bench = self._stack.enter_context(
            Bench(
                self.graph,
                self.graph / INSTANCES,
                self.schema,
                timeout=self.options.timeout,
                memory_mb=self.options.memory_mb,
                options={"url": self.options.neo4j_url} if self.options.neo4j_url else None,
            )
        )
        golds: Golds = {}
        scorers: dict[str, Scorer] = {}
        for language in languages:
            scorer = self._scorer(bench, language, golds)
            if scorer is not None:
                scorers[language] = scorer
                continue
            for record in records:
                self.left_out.add(language, "its source is not in the corpus", record.id)
        asked_in = {name: predictions.variants(name) or [("", None)] for name in scorers}
        for start in range(0, len(records), BATCH):
            found: list[Score] = []
            for record in records[start : start + BATCH]:
                for language, scorer in scorers.items():
                    variants = asked_in[language]
                    found += self._scores(record, language, variants, predictions, scorer)
                tick()
            finish(bench, scorers.values())
            golds.clear()
            yield from found

    def _scores(
        self,
        record: Record,
        language: str,
        variants: Sequence[tuple[str, bool | None]],
        predictions: Predictions,
        scorer: Scorer,
    ) -> Iterator[Score]:
        text = _gold(record, language)
        if self.options.asked is not None and record.id not in self.options.asked:
            self.left_out.add(language, "no question in the form", record.id)
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
                score.groups = own | asked(Prediction("", language, "", form, knowledge))
            else:
                case.groups = own | asked(prediction)
                score = scorer.score(prediction, case)
            yield score

    def _unanswerable(
        self,
        record: Record,
        language: str,
        variants: Sequence[tuple[str, bool | None]],
        predictions: Predictions,
    ) -> Iterator[Score]:
        """A question that the graph cannot answer is answered rightly by an abstention."""
        for form, knowledge in variants:
            prediction = predictions.by_key.get((record.id, language, form, knowledge))
            score = Score(record.id, record.db, language, form, answerable=False)
            score.missing = prediction is None
            score.abstained = prediction is not None and prediction.query is None
            score.groups = {"tier": ("unanswerable",), "database": (record.db,)}
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
        found = self._stack.enter_context(tools(language, origin, second=second))
        return Scorer(
            bench,
            found,
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


def check_options(options: Options) -> None:
    """Refuse limits that are none.

    Raises:
        ConfigError: one is not positive.
    """
    if options.timeout <= 0 or options.memory_mb <= 0:
        raise ConfigError("--timeout and --memory-mb are more than 0.")
