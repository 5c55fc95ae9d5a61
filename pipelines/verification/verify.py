"""`graphmill verify`: every gold and every certificate of a corpus again, from its folder alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engines import ENGINE_OF, ENGINES
from engines.isolation import IsolatedEngine
from graphmill.errors import unknown_name
from graphmill.seed import derive
from pipelines.build.context import DatabaseContext
from pipelines.build.suites import FOLDER, LeftOut, run_instances
from pipelines.configuration.certify import Certify
from pipelines.configuration.progress import Watch
from pipelines.release.lock import LOCK, can_not_tell, format_of, load_lock
from pipelines.verification.consistency import consistency, graph_of, has_schema, instances_there
from pipelines.verification.integrity import DAMAGED, MISSING, Problem
from pipelines.verification.promises import Stored
from pipelines.verification.record_fields import repeatable
from pipelines.verification.repetition import NO_GRAPH, Repetition

INSTANCES = 50


class Verified(NamedTuple):
    """The number of executions that were repeated, all that differs, and what was not repeated:
    executions by engine and reason. `note` is what cannot be told of an older corpus, and how many
    records were drawn."""

    runs: int
    problems: list[Problem]
    left_out: Counter[tuple[str, str]]
    note: str = ""

    def __str__(self) -> str:
        text = f"{self.runs} executions repeated, {len(self.problems)} problems."
        text += f" {self.note}" if self.note else ""
        if not self.left_out:
            return text
        each = [f"{n} of {engine} {why}" for (engine, why), n in sorted(self.left_out.items())]
        return f"{text} Left out: {'; '.join(each)}."


def verify(
    folder: Path,
    watch: Watch,
    without: Sequence[str] = (),
    neo4j_url: str = "",
    instances: int | None = INSTANCES,
    sample: float = 1.0,
    seed: int = 0,
) -> Verified:
    """Repeat what can be repeated here; what cannot is counted.

    `without` names engines that are left out; any other that cannot be had is a problem.
    `instances` is the number of small graphs of each database that are run, None for all. Of the
    records, a share of `sample` is run, drawn by `seed`, and one at least; files and rows are read
    whole.

    Raises:
        UnknownNameError: there is no engine of a name in `without`.
        GraphmillError: `folder` is no corpus.
        EngineStarved: the machine lacks what an engine needs.
    """
    known = {*ENGINES.names(), *ENGINE_OF.values()}
    for name in without:
        if name not in known:
            raise unknown_name("engine", name, known)
    lock = load_lock(folder)
    consistent = consistency(folder, lock, without)
    drawn = _drawn(consistent.readable, sample, seed)
    problems = consistent.problems
    runs = 0
    repetition = Repetition(without)
    for record in consistent.unreadable:
        repetition.leave(record, "whose query cannot be read")
    certify = Certify(neo4j_url=neo4j_url)
    damaged = {problem.where for problem in problems if problem.code in (DAMAGED, MISSING)}
    spare: dict[str, IsolatedEngine] = {}  # that go on with the next database
    try:
        for db, records in drawn.items():
            graph = graph_of(folder, db, lock)
            if graph is None or not has_schema(graph):
                for _, record in records:
                    repetition.leave(record, NO_GRAPH)
                continue
            with DatabaseContext(graph, (), certify=certify, spare=spare) as shop:
                if f"graphs/{db}" in damaged:
                    for stored, whole in records:
                        bare = repeatable(whole, ())
                        done, mismatches = repetition.source_alone(stored, bare, shop)
                        runs += done
                        problems += mismatches
                    spare = shop.hand_over()
                    continue
                ran = []  # those that can be run on small graphs, too
                place, there = graph.folder / FOLDER, instances_there(graph)
                with watch.stage(f"{db}: verify", len(records)) as tick:
                    for stored, whole in records:
                        record = repeatable(whole, there)
                        done, mismatches = repetition.record(stored, record, shop)
                        runs += done
                        problems += mismatches
                        ran += [(stored, record)] if done else []
                        tick()
                spare = shop.hand_over()
            for outcome in run_instances(
                place, graph.schema, ran, without, certify.timeout, instances, spare
            ):
                if isinstance(outcome, LeftOut):
                    repetition.left_out[outcome.engine, outcome.why] += outcome.number
                    continue
                runs += 1
                if outcome is not None:
                    problems.append(Problem(*outcome))
    finally:
        for engine in spare.values():
            engine.close()
    notes = []
    if sample < 1:
        run, of = (sum(map(len, each.values())) for each in (drawn, consistent.readable))
        notes.append(f"{run} of {of} records were drawn.")
    if can_not_tell(lock):
        notes.append(
            f"{LOCK} is of format {format_of(lock)} without a hash of its own, so that an edit of "
            "it is not seen."
        )
    return Verified(runs, problems, repetition.left_out, " ".join(notes))


def _drawn(
    records: Mapping[str, Sequence[Stored]], sample: float, seed: int
) -> dict[str, list[Stored]]:
    """A share of the records by database, and one at least: none at all would verify nothing."""
    places = {stored: derive(seed, stored) for each in records.values() for stored, _ in each}
    last = max(int(sample * 2**64) - 1, min(places.values(), default=0))
    some = {db: [one for one in each if places[one[0]] <= last] for db, each in records.items()}
    return {db: each for db, each in some.items() if each}
