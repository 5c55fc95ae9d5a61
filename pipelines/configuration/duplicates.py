"""`[duplicates]` of a configuration: how alike two pairs may be, and among which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from graphmill.record import Record, Reject
from graphmill.similarity import TRIGRAMS, similarity_named
from qa.dedup import THRESHOLD, Seen


class Duplicates(BaseModel):
    """Pairs with the same answer whose queries or questions are as similar as `threshold` are
    duplicates: of one database, or with the scope `corpus` also those of two.

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

    def across(self, records: Sequence[Record]) -> tuple[list[Record], list[Reject]]:
        """The records without near duplicates of other databases, where the scope says so."""
        if self.scope == "database":
            return list(records), []
        similarity = similarity_named(self.similarity)
        kept: list[Record] = []
        rejects = []
        for record in records:
            twin = next(
                (
                    other
                    for other in kept
                    if other.db != record.db
                    and other.answer is not None
                    and record.answer is not None
                    and other.answer.hash == record.answer.hash
                    and any(
                        similarity.of(mine, theirs) >= self.threshold
                        for mine, theirs in (
                            (record.queries["cypher"], other.queries["cypher"]),
                            (record.questions.original, other.questions.original),
                        )
                    )
                ),
                None,
            )
            if twin is None:
                kept.append(record)
                continue
            rejects.append(
                Reject(
                    "select",
                    "near-duplicate",
                    f"The record {twin.id} of {twin.db} has the same answer and nearly its text.",
                    record.db,
                    question=record.questions.original,
                    query=record.queries["cypher"],
                    line=int(record.meta.get("line", 0)),
                    evidence={"of": twin.id},
                )
            )
        return kept, rejects
