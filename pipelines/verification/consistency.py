"""What a corpus says, held against itself: its files, its rows and each of its records, as far as
that needs no execution. `verify` begins with it, and `publish` sends nothing that fails it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graphmill.errors import GraphmillError
from graphmill.record import SPLITS, Record
from pipelines.build.context import Graph
from pipelines.build.suites import FOLDER
from pipelines.configuration.config import FILES
from pipelines.release.lock import LOCK
from pipelines.release.masked import pair_problems
from pipelines.verification.beside import beside_problems
from pipelines.verification.integrity import Problem, file_problems, lock_problems
from pipelines.verification.promises import (
    Promised,
    Stored,
    count_problems,
    language_problems,
    mutation_problems,
    promised,
    source_problems,
    split_problems,
    without_records,
)
from pipelines.verification.record_fields import (
    UNREADABLE,
    answer_problems,
    certificate_problems,
    graph_problems,
    instance_problems,
    mutant_problems,
    place_problems,
    proving_engines,
    query_problems,
    repeatable,
)
from pipelines.verification.record_texts import source_text_problems, text_problems
from pipelines.verification.released import (
    DAMAGED_ROW,
    DAMAGED_ROWS,
    is_told,
    lost_splits,
    read_released,
)


class Consistency(NamedTuple):
    """All that is wrong, and the records by database: those whose Cypher text can be read, and
    those where it cannot. Of each is given the id that stands in its row."""

    problems: list[Problem]
    readable: dict[str, list[Stored]]
    unreadable: list[Record]


def consistency(folder: Path, lock: dict[str, Any], without: Sequence[str] = ()) -> Consistency:
    """Hold the corpus in `folder` against itself; what engines `without` need is not asked for."""
    problems = [*lock_problems(lock), *file_problems(folder, lock)]
    by_db: dict[str, list[Stored]] = {}
    rows, unread = read_released(folder, lock)
    problems += unread
    for _, stored, record in rows:
        by_db.setdefault(record.db, []).append((stored, record))
    kept = [each for records in by_db.values() for each in records]
    problems += place_problems(rows)
    lost = lost_splits(folder, lock, unread)
    pairs = pair_problems(folder, [each for _, each in kept], lost)
    problems += [Problem(*each) for each in pairs]
    problems += beside_problems(folder, lock, kept, lost)
    given, strange = promised(lock)
    problems += strange
    problems += split_problems(lock, given, rows, not lost) if given is not None else ()
    problems += mutation_problems(lock, kept)
    problems += language_problems(lock, kept)
    problems += count_problems(folder, lock, _number(folder, lock, len(kept), unread))
    problems += _source_problems(folder, lock, given, by_db, without)
    engines = {split: proving_engines(lock, split) for split in (*SPLITS, None)}
    readable: dict[str, list[Stored]] = {}
    unreadable = []
    for db, records in sorted(by_db.items()):
        mine = readable.setdefault(db, [])
        for stored, record in records:
            faults = list(query_problems(stored, record))
            problems += [*faults, *certificate_problems(stored, record, engines[record.split])]
            problems += source_text_problems(stored, record)
            problems += answer_problems(stored, repeatable(record, ()))
            if any(problem.code == UNREADABLE for problem in faults):
                unreadable.append(record)
            else:
                mine.append((stored, record))
        graph = graph_of(folder, db, lock)
        if graph is None:
            detail = f"Its graph, graphs/{db}, is not in {LOCK}."
            problems += [Problem(stored, "no-graph", detail) for stored, _ in records]
        else:
            problems += _graph_problems(graph, mine)
    return Consistency(problems, readable, unreadable)


def _number(
    folder: Path, lock: Mapping[str, Any], readable: int, unread: Sequence[Problem]
) -> int | None:
    """How many records there are; None where a file with some cannot be read, which is told."""
    gone = any(
        is_told(folder / name, name, lock) for name in lock["files"] if name.startswith("data/")
    )
    if gone or any(problem.code == DAMAGED_ROWS for problem in unread):
        return None
    return readable + sum(problem.code == DAMAGED_ROW for problem in unread)


def _source_problems(
    folder: Path,
    lock: Mapping[str, Any],
    given: Promised | None,
    by_db: Mapping[str, Sequence[Stored]],
    without: Sequence[str],
) -> Iterator[Problem]:
    for db in sorted({*by_db, *without_records(folder, given, by_db)}):
        records = [record for _, record in by_db.get(db, ())]
        yield from source_problems(folder, lock, given, db, records, without)


def _graph_problems(graph: Graph, records: Sequence[Stored]) -> Iterator[Problem]:
    """What needs of a graph no more than its schema, its mapping and the names of its small
    graphs."""
    there = instances_there(graph)
    for stored, record in records:
        yield from instance_problems(stored, record, there)
    if not has_schema(graph):
        return  # which is told of the graph
    for stored, record in records:
        yield from graph_problems(stored, record, graph)
        yield from mutant_problems(stored, record, graph)
        yield from text_problems(stored, record, graph)


def has_schema(graph: Graph) -> bool:
    """Whether a graph's schema and mapping can be read, whatever became of its data."""
    try:
        graph.schema, graph.mapping  # noqa: B018 - kept once they are read
    except (GraphmillError, OSError):
        return False
    return True


def instances_there(graph: Graph) -> set[str]:
    """The names of a graph's small graphs."""
    return {path.stem for path in (graph.folder / FOLDER).glob("*.json")}


def graph_of(folder: Path, db: str, lock: Mapping[str, Any]) -> Graph | None:
    """A database's graph in the corpus, with its source where its file is there; None where the
    lock has none."""
    entry = lock["graphs"].get(db)
    if entry is None:
        return None
    files = [folder / "sources" / f"{db}{ending}" for ending in FILES]
    source = next((path for path in files if path.is_file()), None)
    domain, subdomain = (str(entry.get(name, "")) for name in ("domain", "subdomain"))
    return Graph(db, folder / "graphs" / db, entry["fingerprint"], domain, subdomain, source)
