"""Questions without an answer, held against the pairs that they are made of (docs/questions.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generators.questions.realise.unanswerable import REASONS
from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines
from graphmill.record import Record
from graphmill.record_rows import record_of
from pipelines.integrity import Problem
from pipelines.release.hub import UNANSWERABLE
from pipelines.release.ledger import LEDGER
from pipelines.release.lock import LOCK, format_of
from pipelines.released import DAMAGED_ROW

_LIKE_PARENT = ("db", "schema", "domain", "subdomain")
_OF_PAIRS = ("difficulty", "constructs", "source_sql", "external_knowledge", "readings")
"""What is of a query, which such a question has none of."""

type Row = tuple[str, str, Mapping[str, Any]]
"""The split of a row's file, the row's place, and its fields."""


def unanswerable_problems(
    folder: Path, lock: Mapping[str, Any], rows: Iterable[Row], known: Mapping[str, Record]
) -> Iterator[Problem]:
    """What is wrong with the rows of `unanswerable/`, given the released records by their ids."""
    seen: Counter[str] = Counter()
    number = 0
    reviewed = _reviewed(folder)
    for split, where, row in rows:
        number += 1
        try:
            record = record_of(row, format_of(lock))
        except GraphmillError as problem:
            yield Problem(where, DAMAGED_ROW, str(problem))
            continue
        seen[row["id"]] += 1
        yield from _of_row(where, row["id"], record, split)
        yield from _of_parent(where, record, split, known, reviewed)
    for stored, times in seen.items():
        if times + (stored in known) > 1:
            place = f"{stored} ({UNANSWERABLE}/)"
            detail = f"The id stands in the corpus {times + (stored in known)} times."
            yield Problem(place, "twice", detail)
    counted = lock.get(UNANSWERABLE, number)  # which locks of before have not
    if counted != number:
        detail = f"{LOCK} counts {counted} questions without an answer, and there are {number}."
        yield Problem(UNANSWERABLE, "records", detail)


def _of_row(where: str, stored: str, record: Record, split: str) -> Iterator[Problem]:
    if stored != record.id:
        yield Problem(where, "id", "The id is not the hash of the record's content.")
    why = record.unanswerable
    if why.get("reason") not in REASONS or not why.get("missing"):
        given = f"reason {why.get('reason', '')!r}, missing {why.get('missing', '')!r}"
        detail = f"It does not say why it has no answer ({given}); reasons: {', '.join(REASONS)}."
        yield Problem(where, UNANSWERABLE, detail)
    if record.queries or record.answer is not None or record.certificates or record.discrimination:
        yield Problem(where, UNANSWERABLE, "It has a query, an answer or a certificate.")
    if strange := [name for name in _OF_PAIRS if getattr(record, name)]:
        detail = f"It has {', '.join(strange)}, which only a pair with a query has."
        yield Problem(where, UNANSWERABLE, detail)
    if record.split != split:
        detail = f"It lies in the file of {split}, and says that its split is {record.split}."
        yield Problem(where, "split", detail)


def _of_parent(
    where: str,
    record: Record,
    split: str,
    known: Mapping[str, Record],
    reviewed: Collection[str],
) -> Iterator[Problem]:
    parent = record.provenance.parent
    pair = known.get(parent)
    if pair is None:
        if parent not in reviewed:
            detail = f"The pair that it is made of ({parent or 'none is named'}) is not released."
            yield Problem(where, "parent", detail)
        return
    if pair.split != split:
        detail = f"It is in {split}, and the pair that it is made of is in {pair.split}."
        yield Problem(where, "splits", detail)
    wrong = [name for name in _LIKE_PARENT if getattr(record, name) != getattr(pair, name)]
    if wrong:
        detail = f"Of the pair that it is made of it has another {', '.join(wrong)}."
        yield Problem(where, "parent", detail)


def _reviewed(folder: Path) -> set[str]:
    """The pairs that experts took out, of which questions without an answer stay."""
    gone: set[str] = set()
    path = folder / LEDGER
    for _, line in read_json_lines(path) if path.is_file() else ():
        if isinstance(line, dict) and line.get("stage") == "review":
            evidence = line.get("evidence")
            if isinstance(evidence, dict):
                gone.add(str(evidence.get("record")))
    return gone
