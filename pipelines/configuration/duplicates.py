"""`[duplicates]` of a configuration: how alike two pairs may be, and among which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphmill.embeddings import Encoder
from graphmill.neighbours import alike, encoder_of
from graphmill.record import Record, Reject
from graphmill.similarity import TRIGRAMS, similarity_named
from qa.dedup import THRESHOLD, Seen, texts_of


class Duplicates(BaseModel):
    """Pairs with the same answer whose queries or questions (in any form) are as similar as
    `threshold` are duplicates: of one database, or with the scope `corpus` also those of two.

    `similarity` is `trigrams`, `minilm`, a folder with a BERT model, or
    `sentence-transformers/NAME` (`graphmill.embeddings`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    similarity: Annotated[str, Field(min_length=1)] = TRIGRAMS
    threshold: Annotated[float, Field(gt=0, le=1)] = THRESHOLD
    scope: Literal["database", "corpus"] = "database"

    def seen(self) -> Seen:
        """What tells the duplicates of one database.

        Raises:
            ConfigError: the encoder cannot be had.
        """
        return Seen(self.threshold, similarity_named(self.similarity))

    def across(self, records: Callable[[], Iterable[Record]]) -> dict[int, Reject]:
        """The near duplicates of records of other databases, where the scope says so: the ledger's
        line of each by its number.

        `records` gives them all, in their order, as often as it is called: what is held is the
        texts of those whose answers two databases have.

        Raises:
            ConfigError: the encoder cannot be had.
        """
        if self.scope == "database":
            return {}
        groups: dict[str, list[int]] = defaultdict(list)
        databases: dict[str, set[str]] = defaultdict(set)
        for number, record in enumerate(records()):
            if record.answer is not None:
                groups[record.answer.hash].append(number)
                databases[record.answer.hash].add(record.db)
        wanted = {n for answer, mine in groups.items() if len(databases[answer]) > 1 for n in mine}
        held = {n: record for n, record in enumerate(records()) if n in wanted}
        encoder = encoder_of(self.similarity)
        gone: dict[int, Reject] = {}
        for answer, mine in groups.items():
            if len(databases[answer]) > 1:
                gone |= self._twins({number: held[number] for number in mine}, encoder)
        return gone

    def _twins(self, group: Mapping[int, Record], encoder: Encoder) -> dict[int, Reject]:
        """Of records with one answer those that are near an earlier one of another database."""
        numbers = list(group)
        near: dict[int, set[int]] = defaultdict(set)
        texts = {number: texts_of(record) for number, record in group.items()}
        for form in dict.fromkeys(form for each in texts.values() for form in each):
            column = [texts[number].get(form, "") for number in numbers]
            for one, other, _ in alike(column, self.threshold, encoder):
                if group[numbers[one]].db != group[numbers[other]].db:
                    near[numbers[other]].add(numbers[one])
        gone: dict[int, Reject] = {}
        for number in sorted(near):
            first = min((one for one in near[number] if one not in gone), default=None)
            if first is not None:
                gone[number] = _reject(group[number], group[first])
        return gone


def _reject(record: Record, twin: Record) -> Reject:
    return Reject(
        "select",
        "near-duplicate",
        f"The record {twin.id} of {twin.db} has the same answer and nearly its text.",
        record.db,
        question=record.questions.original,
        query=record.queries["cypher"],
        line=int(record.meta.get("line", 0)),
        evidence={"of": twin.id},
    )
