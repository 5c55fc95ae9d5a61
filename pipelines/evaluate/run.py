"""Scoring a file of predictions against a corpus, batch by batch, here or in worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any, cast

from engines import ENGINES
from evaluation.corpus_tables import corpus_statistics
from evaluation.languages import evaluable
from evaluation.predictions import Predictions
from evaluation.score import Score
from evaluation.summary import Run, compared, summary
from graphmill.errors import ConfigError, GraphmillError, unknown_name
from graphmill.files import read_records
from graphmill.record import SPLITS, Record
from pipelines.configuration.progress import Watch
from pipelines.configuration.reach import check_limits
from pipelines.evaluate.database import SHOWN, Batch, LeftOut, Options, Scored, Variant
from pipelines.jobs.choose import cores
from pipelines.jobs.executor import Executor, attempted
from pipelines.jobs.processes import Processes
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of
from pipelines.release.unanswerable import unanswerable_file
from pipelines.verification.integrity import intact_lock

BATCH = 512  # records whose small graphs are run together
SMALLEST = 32  # records of a batch of a worker
LEAST = 1000  # records from which workers pay, where nobody said how many


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
        GraphmillError: `folder` is no corpus, or not as it was released.
        UnknownNameError: there is no such language, split or engine.
    """
    lock = intact_lock(folder)
    languages = _languages(predictions, options)
    split_of: dict[str, str] = {}
    by_db = records_of(folder, options.split, lock, split_of)
    left_out = LeftOut()
    scores: list[Score] = []
    for db in sorted(by_db):
        if db not in lock["graphs"]:
            raise GraphmillError(f"graphs/{db} is not in corpus.lock.")
    asked_in = {name: predictions.variants(name) or [("", None)] for name in languages}
    with ExitStack() as stack:
        batches = list(_batches(folder, by_db, predictions, asked_in, options, trace is not None))
        for scored in _scored(batches, options.jobs, watch, stack):
            for line in scored.lines:
                if trace is not None:
                    trace(line)
            scores += scored.scores
            left_out.join(scored.left_out)
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
        "predictions": prediction_notes(predictions, {r.id for own in by_db.values() for r in own}),
    }
    figures["of_records"] = corpus_statistics(
        ((split_of[record.id], record) for own in by_db.values() for record in own),
        {s.id: s.groups["hops"][0] for s in scores if "hops" in s.groups},
    )
    if options.common:
        figures["common"] = list(options.common)
    if against:
        figures["against"] = _against(scores, languages, against)
    return Evaluated(figures, scores)


def _against(
    scores: Sequence[Score], languages: Sequence[str], runs: Mapping[str, Run]
) -> dict[str, Any]:
    """Each other run beside the scores, by language."""
    return {
        name: {
            language: compared((s for s in scores if s.language == language), run)
            for language in languages
        }
        for name, run in runs.items()
    }


def _batches(
    folder: Path,
    by_db: Mapping[str, Sequence[Record]],
    predictions: Predictions,
    asked_in: Mapping[str, Sequence[Variant]],
    options: Options,
    traces: bool,
) -> Iterator[Batch]:
    """The records of each database in batches, each with the predictions for its records."""
    number = _jobs(options.jobs, sum(map(len, by_db.values())))
    for db, records in sorted(by_db.items()):
        size = min(BATCH, max(SMALLEST, len(records) // (4 * number))) if number > 1 else BATCH
        for start in range(0, len(records), size):
            part = records[start : start + size]
            keys = [
                (record.id, language, *variant)
                for record in part
                for language, variants in asked_in.items()
                for variant in variants
            ]
            known = predictions.by_key
            own = Predictions({key: known[key] for key in keys if key in known})
            yield Batch(folder, db, part, own, asked_in, options, traces)


def _scored(
    batches: Sequence[Batch], jobs: int | None, watch: Watch, stack: ExitStack
) -> Iterator[Scored]:
    """What the batches bring, in their order."""
    total = sum(len(batch.records) for batch in batches)
    number = min(_jobs(jobs, total), len(batches))
    if number < 2:
        yield from _scored_here(batches, watch)
        return
    # A unit has no limit of its own: each query has one, and how many units are there is free.
    executor: Executor = Processes(number, unit_seconds=inf)
    stack.callback(executor.close)
    begun = [executor.submit(batch) for batch in batches]
    with watch.stage("evaluate", total) as tick:
        for batch, future in zip(batches, begun, strict=True):
            done = attempted(
                lambda batch=batch: executor.submit(batch),  # type: ignore[misc] # a default binds
                lambda problem: None,
                future,
            )
            yield cast(Scored, done.value)
            for _ in batch.records:
                tick()


def _scored_here(batches: Sequence[Batch], watch: Watch) -> Iterator[Scored]:
    """One database after the other, each open as long as it has batches."""
    for db in dict.fromkeys(batch.db for batch in batches):
        own = [batch for batch in batches if batch.db == db]
        count = sum(len(batch.records) for batch in own)
        with own[0].open() as database, watch.stage(f"{db}: evaluate", count) as tick:
            for batch in own:
                yield batch.scored(database, tick)


def _jobs(given: int | None, records: int) -> int:
    if given is not None:
        return given
    return cores() if records >= LEAST else 1


def _languages(predictions: Predictions, options: Options) -> list[str]:
    wanted = list(dict.fromkeys([*options.languages, *options.common]))
    known = evaluable()
    for name in wanted:
        if name not in known:
            raise unknown_name("language to evaluate", name, known)
    if options.engine and options.engine not in ENGINES.names():
        raise unknown_name("engine", options.engine, ENGINES.names())
    if options.split and options.split not in SPLITS:
        raise unknown_name("split", options.split, SPLITS)
    if wanted:
        return wanted
    languages = [name for name in predictions.languages if name in known]
    for key in [key for key in predictions.by_key if key[1] not in known]:
        name = key[1][:30]
        predictions.refuse(f"{key[0][:40]}: {unknown_name('language', name, known)}")
        del predictions.by_key[key]
    return languages or ["cypher"]


def records_of(
    folder: Path, split: str, lock: dict[str, Any], split_of: dict[str, str] | None = None
) -> dict[str, list[Record]]:
    """The records of a split (empty: of all) by database, with what scoring needs of them.

    `split_of` is given the split of each id.
    """
    by_database: dict[str, list[Record]] = {}
    for name in (split,) if split else SPLITS:
        files = [split_file(folder, name), unanswerable_file(folder, name)]
        for _, record in chain(*(read_records(f, format_of(lock)) for f in files if f.is_file())):
            instances = list(record.discrimination.get("instances", ()))
            lean = replace(record, certificates=(), discrimination={"instances": instances})
            by_database.setdefault(record.db, []).append(lean)
            if split_of is not None:
                split_of[record.id] = name
    return by_database


def prediction_notes(predictions: Predictions, known: set[str]) -> dict[str, Any]:
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


def check_options(options: Options) -> None:
    """Refuse limits that are none.

    Raises:
        ConfigError: one is not positive.
    """
    check_limits(options.timeout, options.memory_mb)
    if options.jobs is not None and options.jobs < 1:
        raise ConfigError("--jobs is at least 1.")
