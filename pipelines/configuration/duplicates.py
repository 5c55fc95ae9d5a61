"""`[duplicates]` of a configuration: how alike two pairs may be, and among which."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from graphmill.record import Record, Reject
from graphmill.settings import Part, Text
from graphmill.similarity.neighbours import alike_vectors, encoder_of
from graphmill.similarity.texts import TRIGRAMS, folded, similarity_named
from qa.dedup import THRESHOLD, Seen, texts_of


@dataclass(frozen=True, slots=True)
class _Held:
    """What is held of a record while it is compared."""

    id: str
    db: str
    texts: Mapping[str, str]


class Duplicates(Part):
    """Pairs with the same answer whose queries or questions (in any form) are as similar as
    `threshold` are duplicates: of one database, or with the scope `corpus` also those of two.

    `similarity` is `trigrams`, `minilm`, a folder with a BERT model, or
    `sentence-transformers/NAME` (`graphmill.similarity.embeddings`). Of the pairs of the whole
    corpus whose queries differ in their values only, `per_shape` stay at most, and all that were
    given.
    """

    similarity: Text = TRIGRAMS
    threshold: Annotated[float, Field(gt=0, le=1)] = THRESHOLD
    scope: Literal["database", "corpus"] = "database"
    per_shape: Annotated[int, Field(ge=1)] | None = None

    def seen(self) -> Seen:
        """What tells the duplicates of one database.

        Raises:
            ConfigError: the encoder cannot be had.
        """
        return Seen(self.threshold, similarity_named(self.similarity))

    def across(
        self, records: Callable[[], Iterable[Record]], shapes: Sequence[str]
    ) -> dict[int, Reject]:
        """The near duplicates of records of other databases, where the scope says so, and those
        that `per_shape` others of their shape precede: the ledger's line of each by its number.

        `records` gives them all, in their order, as often as it is called: what is held is the
        texts of those whose answers two databases have. `shapes` are their canonical queries with
        values masked.

        Raises:
            ConfigError: the encoder cannot be had.
        """
        gone = self._near_duplicates(records) if self.scope == "corpus" else {}
        if self.per_shape is None:
            return gone
        return gone | _too_many(self.per_shape, records, shapes, gone)

    def _near_duplicates(self, records: Callable[[], Iterable[Record]]) -> dict[int, Reject]:
        groups: dict[str, list[int]] = defaultdict(list)
        databases: dict[str, set[str]] = defaultdict(set)
        for number, record in enumerate(records()):
            if record.answer is not None:
                groups[record.answer.hash].append(number)
                databases[record.answer.hash].add(record.db)
        wanted = {n for answer, mine in groups.items() if len(databases[answer]) > 1 for n in mine}
        held = {
            n: _Held(record.id, record.db, texts_of(record))
            for n, record in enumerate(records())
            if n in wanted
        }
        near = self._near(held, groups.values())
        twins: dict[int, _Held] = {}
        for number in sorted(near):
            first = min((one for one in near[number] if one not in twins), default=None)
            if first is not None:
                twins[number] = held[first]
        gone: dict[int, Reject] = {}
        for number, record in enumerate(records()) if twins else ():
            if twin := twins.get(number):
                why = f"The record {twin.id} of {twin.db} has the same answer and nearly its text."
                gone[number] = _reject(record, "near-duplicate", why, of=twin.id)
        return gone

    def _near(
        self, held: Mapping[int, _Held], groups: Iterable[Sequence[int]]
    ) -> dict[int, set[int]]:
        """Records by number, each with the earlier ones of other databases that it is near to."""
        encoder = encoder_of(self.similarity)
        place = {number: row for row, number in enumerate(held)}
        texts = [each.texts for each in held.values()]
        near: dict[int, set[int]] = defaultdict(set)
        for form in dict.fromkeys(form for each in texts for form in each):
            column = [each.get(form, "") for each in texts]
            vectors = encoder.encode([folded(text) for text in column])
            for group in groups:
                numbers = [number for number in group if number in held]
                rows = [place[number] for number in numbers]
                pairs = alike_vectors(
                    vectors[rows],
                    [column[row] for row in rows],
                    self.threshold,
                    exact=encoder.name == TRIGRAMS,
                )
                for one, other, _ in pairs:
                    if held[numbers[one]].db != held[numbers[other]].db:
                        near[numbers[other]].add(numbers[one])
        return near


def _too_many(
    most: int,
    records: Callable[[], Iterable[Record]],
    shapes: Sequence[str],
    gone: Collection[int],
) -> dict[int, Reject]:
    """The grown records that `most` others of their shape precede."""
    counts: Counter[str] = Counter()
    too_many: dict[int, Reject] = {}
    frequent = {form for form, number in Counter(shapes).items() if number > most}
    for number, record in enumerate(records()) if frequent else ():
        form = shapes[number]
        if number in gone or form not in frequent:
            continue
        if counts[form] >= most and record.meta.get("grown"):
            why = f"{most} queries of the corpus differ from it in their values only."
            too_many[number] = _reject(record, "shape-full", why)
        else:
            counts[form] += 1
    return too_many


def _reject(record: Record, code: str, why: str, **evidence: Any) -> Reject:
    return Reject(
        "select",
        code,
        why,
        record.db,
        question=record.questions.original,
        query=record.queries["cypher"],
        line=int(record.meta.get("line", 0)),
        evidence=evidence,
    )
