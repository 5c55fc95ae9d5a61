"""Duplicates in one database: exact by canonical IR, near by answer and text similarity.

Two queries whose answers differ are never duplicates, however alike their texts are. One
question that leads to two different queries is no duplicate but an ambiguity: the second goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt

from graph_ir.canonical import fingerprint
from graph_ir.cypher import parse
from graphmill.record import Finding, Record

THRESHOLD = 0.98  # Text2GQL-Bench section 4.4


def similarity(left: str, right: str) -> float:
    """Cosine of the two texts' character trigrams, case and spaces folded: 0 to 1.

    >>> round(similarity("Which lines are there?", "which lines  are there?"), 3)
    1.0
    """
    a, b = _trigrams(left), _trigrams(right)
    if not a or not b:
        return 0.0
    dot = sum(count * b[gram] for gram, count in a.items())
    length = sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return float(dot / length)


def _trigrams(text: str) -> Counter[str]:
    folded = f"  {' '.join(text.casefold().split())} "
    return Counter(folded[i : i + 3] for i in range(len(folded) - 2)) if text.strip() else Counter()


def duplicates(
    records: Iterable[Record], threshold: float = THRESHOLD
) -> Iterator[tuple[Record, Finding]]:
    """Each record with a finding; not ok means: drop it, an earlier one says the same.

    Codes: `duplicate-query` (same canonical IR), `near-duplicate` (same answer, and query or
    question as similar as `threshold`), `same-question` (a wording that an earlier record has
    for another query).
    """
    queries: dict[str, Record] = {}
    wordings: dict[str, Record] = {}
    answers: dict[str, list[Record]] = {}
    for record in records:
        meaning = fingerprint(parse(record.queries["cypher"]))
        finding = _compare(record, meaning, queries, wordings, answers, threshold)
        if finding.ok:
            queries[meaning] = record
            wordings.update((text, record) for text in _wordings(record))
            if record.answer is not None:
                answers.setdefault(record.answer.hash, []).append(record)
        yield record, finding


def _compare(
    record: Record,
    meaning: str,
    queries: dict[str, Record],
    wordings: dict[str, Record],
    answers: dict[str, list[Record]],
    threshold: float,
) -> Finding:
    if meaning in queries:
        return _drop("duplicate-query", "has the same canonical query", queries[meaning])
    for other in answers.get(record.answer.hash if record.answer else "", ()):
        for mine, theirs in (
            (record.queries["cypher"], other.queries["cypher"]),
            (record.questions.original, other.questions.original),
        ):
            if similarity(mine, theirs) >= threshold:
                return _drop("near-duplicate", "has the same answer and nearly its text", other)
    for text in _wordings(record):
        if text in wordings:
            return _drop("same-question", f"asks “{text}” for another query", wordings[text])
    return Finding("duplicates", ok=True)


def _wordings(record: Record) -> list[str]:
    asked = record.questions
    texts = (asked.original, asked.syntactic, asked.logical, asked.business)
    return [" ".join(text.casefold().split()) for text in texts if text]


def _drop(code: str, what: str, other: Record) -> Finding:
    detail = f"The record {other.id} {what}."
    return Finding("duplicates", ok=False, code=code, detail=detail, evidence={"of": other.id})
