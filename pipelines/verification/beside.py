"""Rows beside the records, which people load as well: held against the records that they are of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import read_rows
from graphmill.record import SPLITS, Record
from graphmill.record_rows import CANARY, EXPORTED, record_of
from pipelines.release.exported_columns import exported_problems
from pipelines.release.hub import CONFIGURATIONS, UNANSWERABLE
from pipelines.release.lock import format_of
from pipelines.release.unanswerable import Row, unanswerable_file, unanswerable_problems
from pipelines.verification.integrity import MISSING, Problem
from pipelines.verification.released import (
    DAMAGED_ROW,
    DAMAGED_ROWS,
    is_told,
    layout_problems,
    null_problems,
)

_LEVELS = ("original", "business", "logical", "syntactic")  # the first that is there is `question`


def beside_problems(
    folder: Path,
    lock: Mapping[str, Any],
    records: Iterable[tuple[str, Record]],
    lost: Collection[str] = (),
) -> Iterator[Problem]:
    """What is wrong with questions without an answer, and with the rows of each language in an
    exported corpus, whose `records` are given with their ids. Of the splits that are `lost` not all
    records are known, which is told of them."""
    known = dict(records)
    hopeless: list[Row] = []
    number = 0
    whole = True
    for split in SPLITS:
        path = unanswerable_file(folder, split)
        whole = whole and not is_told(path, path.relative_to(folder).as_posix(), lock)
        yield from _layout_problems(path, folder, lock)
        for where, row in _rows(path, folder):
            if isinstance(row, Problem):
                yield row
                whole = False
                continue
            number += 1
            try:
                record = record_of(row, format_of(lock))
            except GraphmillError as problem:
                yield Problem(where, DAMAGED_ROW, str(problem))
                continue
            yield from null_problems(where, row)
            if row["discrimination"] is not None and not record.discrimination:
                detail = "It has discrimination, which only a pair with a query has."
                yield Problem(where, UNANSWERABLE, detail)
            hopeless.append((split, where, row["id"], record))
    if not whole:
        number = lock.get(UNANSWERABLE, number)
    faults = unanswerable_problems(folder, lock, hopeless, number, known, lost)
    for fault in (*faults, *exported_problems(folder, lock)):
        yield Problem(*fault)
    yield from _language_problems(folder, lock, known, lost)


def _language_problems(
    folder: Path, lock: Mapping[str, Any], known: Mapping[str, Record], lost: Collection[str]
) -> Iterator[Problem]:
    """Those of the rows of all languages, of which an export has a file where a record has a
    text."""
    place = folder / CONFIGURATIONS
    there = {each.name for each in place.glob("*/")}
    if CANARY in lock:
        there |= {name for each in known.values() for name, text in each.queries.items() if text}
    for language in sorted(there):
        for split in SPLITS:
            mine = {
                stored: record
                for stored, record in known.items()
                if record.split == split and record.queries.get(language)
            }
            path = place / language / unanswerable_file(folder, split).name
            name = path.relative_to(folder).as_posix()
            if path.is_file():
                yield from _in_language(path, name, language, split, mine, split in lost)
            elif mine and not is_told(path, name, lock):
                detail = f"There is no such file, and {len(mine)} records have a {language} text."
                yield Problem(name, MISSING, detail)


def _layout_problems(path: Path, folder: Path, lock: Mapping[str, Any]) -> Iterator[Problem]:
    """Those of a file, if it is there; that it is none is told of its rows."""
    try:
        if path.is_file():
            yield from layout_problems(path, path.relative_to(folder).as_posix(), lock)
    except GraphmillError:
        return


def _rows(path: Path, folder: Path) -> Iterator[tuple[str, dict[str, Any] | Problem]]:
    """The rows of a file, if it is there, each with its place; a problem where it is no file of
    rows."""
    name = path.relative_to(folder).as_posix()
    try:
        for number, row in enumerate(read_rows(path) if path.is_file() else (), 1):
            yield f"{row.get('id') or f'row {number}'} ({name})", row
    except GraphmillError as problem:
        yield name, Problem(name, DAMAGED_ROWS, str(problem))


def _in_language(
    path: Path,
    name: str,
    language: str,
    split: str,
    records: Mapping[str, Record],
    lost: bool,
) -> Iterator[Problem]:
    """Rows of one language and split, of which there is one for each of these records; there may be
    more where records were `lost`."""
    own = {record.id: stored for stored, record in records.items()}  # another id is told of it
    seen: set[object] = set()
    unknown: set[str] = set()
    strange: list[Problem] = []
    whole = True
    for where, row in _rows(path, path.parents[2]):
        if isinstance(row, Problem):
            yield row
            whole = False
            continue
        id = row.get("id")
        id = own.get(id, id) if isinstance(id, str) and id not in records else id
        record = records.get(id) if isinstance(id, str) else None
        if record is None and lost:
            continue
        if record is None or id in seen:
            detail = f"The {split} split has no such record, or its row is there already."
            strange.append(Problem(where, "no-record", detail))
            continue
        seen.add(id)
        wanted = _flat(record, language)
        unknown |= row.keys() - wanted.keys() - {"id", *EXPORTED}
        wrong = [name for name, value in wanted.items() if (row.get(name) or "") != (value or "")]
        if wrong:
            yield Problem(where, "text", f"It is not what its record says: {', '.join(wrong)}.")
    if len(strange) > 1 and not seen:
        detail = f"None of its {len(strange)} rows is of a record of the {split} split."
        strange = [Problem(name, "no-record", detail)]
    yield from strange
    if unknown:
        detail = f"Columns that no row of a language has: {', '.join(sorted(unknown))}."
        yield Problem(name, "columns-unknown", detail)
    for stored in sorted(records.keys() - seen) if whole else ():
        yield Problem(f"{stored} ({name})", "no-row", f"There is no row of its {language} text.")


def _flat(record: Record, language: str) -> dict[str, str | list[str] | None]:
    """What a row says again of its record."""
    questions = {level: getattr(record.questions, level) for level in _LEVELS}
    return {
        "db": record.db,
        "domain": record.domain,
        "subdomain": record.subdomain,
        "difficulty": record.difficulty,
        "constructs": list(record.constructs),
        "external_knowledge": record.external_knowledge,
        "question": next(filter(None, questions.values()), ""),
        **{f"question_{level}": questions[level] for level in _LEVELS[1:]},
        "query": record.queries[language],
        "language": language,
    }
