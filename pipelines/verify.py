"""`graphmill verify`: every gold and every certificate of a corpus again, from its folder alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engines import ENGINE_OF, ENGINES
from graphmill.errors import unknown_name
from graphmill.record import Record
from pipelines.beside import beside_problems
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.suites import FOLDER, LeftOut, run_instances
from pipelines.configuration.config import FILES, Certify
from pipelines.configuration.progress import Watch
from pipelines.integrity import DAMAGED, MISSING, Problem, file_problems, lock_problems
from pipelines.promises import (
    count_problems,
    language_problems,
    mutation_problems,
    promised,
    source_problems,
    split_problems,
)
from pipelines.record_fields import (
    UNREADABLE,
    certificate_problems,
    graph_problems,
    instance_problems,
    mutant_problems,
    place_problems,
    proving_engines,
    query_problems,
    repeatable,
)
from pipelines.release.lock import LOCK, can_not_tell, format_of, load_lock
from pipelines.release.masked import pair_problems
from pipelines.released import DAMAGED_ROW, read_released
from pipelines.repetition import Repetition

INSTANCES = 50


class Verified(NamedTuple):
    """The number of executions that were repeated, all that differs, and what was not repeated:
    executions by engine and reason. `note` is what cannot be told of an older corpus."""

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
) -> Verified:
    """Repeat what can be repeated here; what cannot is counted.

    `without` names engines that are left out; any other that cannot be had is a problem.
    `instances` is the number of small graphs of each database that are run, None for all.

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
    problems = [*lock_problems(lock), *file_problems(folder, lock)]
    by_db: dict[str, list[tuple[str, Record]]] = {}
    rows, unread = read_released(folder, lock)
    problems += unread
    for _, stored, record in rows:
        by_db.setdefault(record.db, []).append((stored, record))
    kept = [each for records in by_db.values() for each in records]
    problems += place_problems(rows)
    problems += [Problem(*each) for each in pair_problems(folder, [each for _, each in kept])]
    problems += beside_problems(folder, lock, kept)
    given, strange = promised(lock)
    problems += strange
    problems += split_problems(lock, given, rows) if given is not None else ()
    problems += mutation_problems(lock, kept)
    problems += language_problems(lock, kept)
    damaged_rows = sum(problem.code == DAMAGED_ROW for problem in unread)
    problems += count_problems(folder, lock, len(kept) + damaged_rows)
    runs = 0
    repetition = Repetition(without)
    certify, engines = Certify(neo4j_url=neo4j_url), proving_engines(lock)
    damaged = {problem.where for problem in problems if problem.code in (DAMAGED, MISSING)}
    for db, records in sorted(by_db.items()):
        problems += source_problems(folder, lock, given, db, [each for _, each in records], without)
        readable = []
        for stored, record in records:
            faults = list(query_problems(stored, record))
            problems += [*faults, *certificate_problems(stored, record, engines)]
            if any(problem.code == UNREADABLE for problem in faults):
                repetition.leave(record, "whose query cannot be read")
            else:
                readable.append((stored, record))
        graph = _graph(folder, db, lock)
        if graph is None:
            detail = f"Its graph, graphs/{db}, is not in {LOCK}."
            problems += [Problem(stored, "no-graph", detail) for stored, _ in records]
        if graph is None or f"graphs/{db}" in damaged:
            for _, record in readable:
                repetition.leave(record, "whose graph cannot be had")
            continue
        with (
            DatabaseContext(graph, (), certify=certify) as shop,
            watch.stage(f"{db}: verify", len(readable)) as tick,
        ):
            ran = []  # those that can be run on small graphs, too
            place = graph.folder / FOLDER
            there = {path.stem for path in place.glob("*.json")}
            for stored, whole in readable:
                problems += graph_problems(stored, whole, graph)
                problems += instance_problems(stored, whole, there)
                problems += mutant_problems(stored, whole, graph)
                record = repeatable(whole, there)
                done, mismatches = repetition.record(stored, record, shop)
                runs += done
                problems += mismatches
                ran += [(stored, record)] if done else []
                tick()
            for outcome in run_instances(
                place, graph.schema, ran, without, certify.timeout, instances
            ):
                if isinstance(outcome, LeftOut):
                    repetition.left_out[outcome.engine, outcome.why] += outcome.number
                    continue
                runs += 1
                if outcome is not None:
                    problems.append(Problem(*outcome))
    note = ""
    if can_not_tell(lock):
        note = (
            f"{LOCK} is of format {format_of(lock)} without a hash of its own, so that an edit of "
            "it is not seen."
        )
    return Verified(runs, problems, repetition.left_out, note)


def _graph(folder: Path, db: str, lock: dict[str, Any]) -> Graph | None:
    entry = lock["graphs"].get(db)
    if entry is None:
        return None
    files = [folder / "sources" / f"{db}{ending}" for ending in FILES]
    source = next((path for path in files if path.is_file()), None)
    domain, subdomain = (str(entry.get(name, "")) for name in ("domain", "subdomain"))
    return Graph(db, folder / "graphs" / db, entry["fingerprint"], domain, subdomain, source)
