"""Duplicates in one database: exact by canonical IR, near by answer and text similarity.

Two queries whose answers differ are never duplicates, however alike their texts are. One
question that leads to two different queries is no duplicate but an ambiguity: the second goes.
"""

from __future__ import annotations

from graph_ir.canonical import fingerprint
from graph_ir.cypher.pair import Pair
from graphmill.record import Finding, Record
from graphmill.similarity.texts import Similarity, Trigrams

THRESHOLD = 0.98  # Text2GQL-Bench section 4.4


class Seen:
    """The records of a database so far; each is judged by those before it."""

    def __init__(self, threshold: float = THRESHOLD, similarity: Similarity | None = None) -> None:
        self.threshold = threshold
        self._similarity = similarity or Trigrams()
        self._queries: dict[str, Record] = {}
        self._wordings: dict[str, Record] = {}
        self._answers: dict[str, list[Record]] = {}

    def meanings(self) -> set[str]:
        """The canonical fingerprints of all queries so far."""
        return set(self._queries)

    def judge(self, pair: Pair) -> Finding:
        """Not ok means: drop it, an earlier one says the same. Else it is one of them from now on.

        Codes: `duplicate-query` (same canonical IR), `near-duplicate` (same answer, and query or
        question, in any form, as similar as `threshold`), `same-question` (a wording that an
        earlier record has for another query).
        """
        record, meaning = pair.record, fingerprint(pair.statement)
        finding = self._compare(record, meaning)
        if finding.ok:
            self._queries[meaning] = record
            self._wordings.update((text, record) for text in _wordings(record))
            if record.answer is not None:
                self._answers.setdefault(record.answer.hash, []).append(record)
        return finding

    def _compare(self, record: Record, meaning: str) -> Finding:
        if meaning in self._queries:
            return _drop("duplicate-query", "has the same canonical query", self._queries[meaning])
        for other in self._answers.get(record.answer.hash if record.answer else "", ()):
            theirs = texts_of(other)
            for form, text in texts_of(record).items():
                if self._similarity.of(text, theirs.get(form, "")) >= self.threshold:
                    return _drop("near-duplicate", "has the same answer and nearly its text", other)
        for text in _wordings(record):
            if text in self._wordings:
                what = f"asks “{text}” for another query"
                return _drop("same-question", what, self._wordings[text])
        return Finding("duplicates", ok=True)


def texts_of(record: Record) -> dict[str, str]:
    """The texts by which two records are near duplicates: the query, and the question in each form
    that it has."""
    asked = record.questions
    texts = {
        "query": record.queries["cypher"],
        "question": asked.original,
        "syntactic": asked.syntactic,
        "logical": asked.logical,
        "business": asked.business,
    }
    return {form: text for form, text in texts.items() if text}


def _wordings(record: Record) -> list[str]:
    asked = record.questions
    texts = (asked.original, asked.syntactic, asked.logical, asked.business)
    return [" ".join(text.casefold().split()) for text in texts if text]


def _drop(code: str, what: str, other: Record) -> Finding:
    detail = f"The record {other.id} {what}."
    return Finding("duplicates", ok=False, code=code, detail=detail, evidence={"of": other.id})
