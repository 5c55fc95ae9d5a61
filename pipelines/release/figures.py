"""Figures of a corpus for card and report: constructs, lengths, words, lineage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import mean
from typing import Any

from graph_ir.coverage import groups
from graph_ir.cypher.reader import parsed
from graph_ir.features import features
from graphmill.record import DIFFICULTIES, Record

LEVELS = ("original", "syntactic", "logical", "business")


def words(text: str) -> list[str]:
    """The words of a question, without case and punctuation around them."""
    found = (word.strip(".,;:?!()'\"“”‘’").casefold() for word in text.split())
    return [word for word in found if word]


def vocabulary(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """For each question level its questions, their mean length in words, and distinct words."""
    found: dict[str, dict[str, Any]] = {}
    for level in LEVELS:
        asked = [words(text) for r in records if (text := getattr(r.questions, level))]
        if asked:
            distinct = {word for text in asked for word in text}
            length = round(mean(map(len, asked)), 1)
            found[level] = {"questions": len(asked), "words": length, "distinct": len(distinct)}
    known = [words(r.external_knowledge) for r in records if r.external_knowledge]
    if known:
        length = round(mean(map(len, known)), 1)
        distinct = {word for text in known for word in text}
        found["knowledge"] = {"questions": len(known), "words": length, "distinct": len(distinct)}
    return found


def lengths(records: Sequence[Record]) -> list[tuple[str, int, float, float]]:
    """Each tier with its records, their share, and the mean length of their Cypher."""
    found: list[tuple[str, int, float, float]] = []
    for tier in DIFFICULTIES:
        texts = [len(r.queries["cypher"]) for r in records if r.difficulty == tier]
        share = len(texts) / len(records) if records else 0.0
        found.append((tier, len(texts), share, mean(texts) if texts else 0.0))
    return found


def covered(records: Sequence[Record]) -> Counter[str]:
    """How many records belong to each group of constructs."""
    return Counter(name for r in records for name in groups(features(parsed(r.queries["cypher"]))))


def depths(records: Sequence[Record]) -> Counter[int]:
    """How many records have a lineage of so many steps of evolution."""
    return Counter(len(_evolution(record)) for record in records)


def _evolution(record: Record) -> list[str]:
    steps = [step.operation for step in record.provenance.trace]
    return [name for name in steps if name not in ("bind-parameters", "write-questions")]
