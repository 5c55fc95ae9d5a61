"""How near the pairs of one split lie to those of train: what a system could copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graph_ir.walk import rewrite
from graphmill.record import Record
from graphmill.similarity.neighbours import NearestTexts
from graphmill.similarity.texts import TRIGRAMS


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A pair and its nearest of train by the question: cosine, and how the queries are alike.

    `query` is `same` (equal meaning), `shape` (equal but for constants), or `other`; `known` says
    whether any pair of train, however it is asked, has the same query or shape.
    """

    id: str
    nearest: str
    cosine: float
    same_database: bool
    query: str
    known: str

    def to_json(self) -> dict[str, Any]:
        """One line of output."""
        return {
            "id": self.id,
            "nearest": self.nearest,
            "cosine": round(self.cosine, 6),
            "same_database": self.same_database,
            "query": self.query,
            "known": self.known,
        }


def neighbours(
    train: Sequence[Record], test: Sequence[Record], form: str, encoder: str = TRIGRAMS
) -> Iterator[Neighbour]:
    """The nearest pair of train for each pair of test that has a question in the form.

    Raises:
        ConfigError: the encoder cannot be had.
        QueryTextError: the Cypher of a record is damaged.
    """
    known = [record for record in train if getattr(record.questions, form) and _cypher(record)]
    if not known:
        return
    index = NearestTexts([getattr(record.questions, form) for record in known], encoder)
    meanings = [_meanings(record) for record in known]
    same = {meaning for meaning, _ in meanings}
    shapes = {shape for _, shape in meanings}
    asked = [record for record in test if getattr(record.questions, form) and _cypher(record)]
    nearest = index.nearest([getattr(record.questions, form) for record in asked])
    for record, (best, cosine) in zip(asked, nearest, strict=True):
        meaning, shape = _meanings(record)
        yield Neighbour(
            record.id,
            known[best].id,
            cosine,
            known[best].db == record.db,
            _alike(meaning == meanings[best][0], shape == meanings[best][1]),
            _alike(meaning in same, shape in shapes),
        )


def _cypher(record: Record) -> str:
    return record.queries.get("cypher", "")


def _meanings(record: Record) -> tuple[tuple[str, str], tuple[str, str]]:
    """The canonical query on its database, and the same without its constants."""
    statement = parse(_cypher(record))
    blank = ir.Literal("")
    shape = rewrite(statement, lambda node: blank if isinstance(node, ir.Literal) else node)
    return (record.db, fingerprint(statement)), (record.db, fingerprint(shape))


def _alike(same: bool, shape: bool) -> str:
    return "same" if same else "shape" if shape else "other"
