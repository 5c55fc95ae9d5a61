"""Which records came, went and changed, field by field, without holding their texts.

Of each record a digest of every field is kept, so that memory grows with the number of records and
not with their length.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from graphmill.files import canonical
from graphmill.record_rows import EXPORTED

_ADDED = ("id", *EXPORTED)
_STRUCTS = ("queries", "answer", "provenance", "discrimination")
QUESTIONS = ("question", "question_business", "question_logical", "question_syntactic")


@dataclass(frozen=True, slots=True)
class Known:
    """What is kept of a record: where it stands, and a digest of each field."""

    id: str
    db: str
    split: str
    fields: Mapping[str, bytes]
    source: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Known:
        """That of a row as its file has it."""
        fields = {name: _digest(value) for name, value in flat(row).items() if name not in _ADDED}
        made = row["provenance"] or {}
        source = f"{made.get('maker', '')} {made.get('source', '')}"
        return cls(row["id"], row["db"], row["split"] or "", fields, source)

    def same(self, name: str) -> bytes:
        """The digest of a field; empty where there is none."""
        return self.fields.get(name, b"")


@dataclass(frozen=True, slots=True)
class Change:
    """A record that is there (`new`), was there (`old`), or both with these fields changed."""

    old: Known | None
    new: Known | None
    fields: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`added`, `gone` or `changed`."""
        return "changed" if self.old and self.new else "added" if self.new else "gone"

    def to_json(self) -> dict[str, Any]:
        """A line of output."""
        some = self.new or self.old
        line: dict[str, Any] = {"what": "record", "change": self.kind, "db": some and some.db}
        line["id"] = some and some.id
        if self.old and self.new:
            line["fields"] = list(self.fields)
            if self.old.id != self.new.id:
                line["old_id"] = self.old.id
        return line


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record, those of its structs as `queries.cypher`.

    >>> flat({"db": "x", "queries": {"cypher": "RETURN 1", "gql": None}, "answer": None})
    {'db': 'x', 'queries.cypher': 'RETURN 1'}
    """
    fields = {}
    for name, value in row.items():
        if name in _STRUCTS:
            inner = {f"{name}.{part}": each for part, each in (value or {}).items()}
            fields.update({part: each for part, each in inner.items() if each is not None})
        elif value is not None:
            fields[name] = value
    return fields


def _digest(value: object) -> bytes:
    return blake2b(canonical(value).encode("utf-8", "surrogatepass"), digest_size=12).digest()


def changes(old: Iterable[Known], new: Iterable[Known]) -> list[Change]:
    """What differs; records with one id are the same record, and of the others those that have
    a query, a place in their source, or a question in common that nobody else has."""
    before, after = list(old), list(new)
    pairs: list[tuple[Known, Known]] = []
    for key in (_by_id, _by_query, _by_source, *map(_by_question, QUESTIONS)):
        pairs += _paired(before, after, key)
    made = [Change(a, b, _differing(a, b)) for a, b in pairs]
    changed = [change for change in made if change.fields]
    changed += [Change(record, None) for record in before]
    changed += [Change(None, record) for record in after]
    return sorted(changed, key=_order)


def _order(change: Change) -> tuple[str, str, str]:
    some = change.new or change.old
    return (change.kind, some.db if some else "", some.id if some else "")


def _by_id(record: Known) -> object:
    return record.id


def _by_query(record: Known) -> object:
    query = record.same("queries.cypher")
    return (record.db, query) if query else None


def _by_source(record: Known) -> object:
    line = record.source.rpartition(":")[2]  # a pair's own place; what is grown shares its place
    given = record.source.startswith("pairs ") and line.isdecimal()
    return (record.db, record.source) if given else None


def _by_question(name: str) -> Callable[[Known], object]:
    empty = _digest("")

    def key(record: Known) -> object:
        text = record.same(name)
        return (record.db, text) if text and text != empty else None

    return key


def _paired(
    before: list[Known], after: list[Known], key: Callable[[Known], object]
) -> Iterator[tuple[Known, Known]]:
    """Records of both that alone have a key; they leave the lists."""
    places: dict[object, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, records in enumerate((before, after)):
        for number, record in enumerate(records):
            known = key(record)
            if known is not None:
                places[known][side].append(number)
    pairs = [(a[0], b[0]) for a, b in places.values() if len(a) == len(b) == 1]
    paired = [(before[a], after[b]) for a, b in pairs]
    for records, gone in ((before, {a for a, _ in pairs}), (after, {b for _, b in pairs})):
        records[:] = [record for number, record in enumerate(records) if number not in gone]
    yield from paired


def _differing(old: Known, new: Known) -> tuple[str, ...]:
    names = sorted({*old.fields, *new.fields})
    return tuple(name for name in names if old.same(name) != new.same(name))


def multiset(lines: Iterable[Any]) -> Counter[tuple[str, bytes]]:
    """How often each line is there, by its reject code and its digest."""
    return Counter((f"{line.get('stage')}: {line.get('code')}", _digest(line)) for line in lines)
