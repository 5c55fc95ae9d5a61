"""Candidates: the (question, query) pairs that a source brings, with the line they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines
from graphmill.record import Reject


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question (may be empty) with its source SQL or its Cypher."""

    db: str
    line: int
    question: str
    sql: str = ""
    cypher: str = ""

    @property
    def query(self) -> str:
        """The text that the source brought."""
        return self.sql or self.cypher


def read_pairs(path: Path, db: str) -> Iterator[Candidate | Reject]:
    """The pairs of a JSON-lines file: {"question", "sql"} or {"question", "cypher"}.

    A line that is no such object is a reject with its number; the other lines go on.

    Raises:
        GraphmillError: the file cannot be read.
    """
    for line, raw in read_json_lines(path):
        if isinstance(raw, GraphmillError):
            yield _broken(db, line, str(raw))
            continue
        yield _candidate(raw, db, line)


def _candidate(raw: Any, db: str, line: int) -> Candidate | Reject:
    if not isinstance(raw, dict):
        return _broken(db, line, f"Line {line} is {type(raw).__name__}, not an object.")
    question = raw.get("question") or ""
    queries = {key: raw[key] for key in ("sql", "cypher") if raw.get(key)}
    if len(queries) != 1 or not isinstance(question, str):
        keys = ", ".join(map(str, raw)) or "none"
        return _broken(
            db, line, f'Line {line} needs "question" and one of "sql", "cypher"; it has {keys}.'
        )
    (language, text), *_ = queries.items()
    if not isinstance(text, str):
        return _broken(db, line, f'Line {line}: "{language}" is no text.')
    return Candidate(db, line, question.strip(), **{language: text})


def _broken(db: str, line: int, reason: str) -> Reject:
    return Reject("propose", "broken-line", reason, db, line=line)
