"""Keys and foreign keys that nobody declared: found by names, and proven or not by the data.

A column is a **key** when its name says so (`id`, `film_id` of film, a first column that ends in
`id` or `_code`) and the data has no NULL and no value twice in it.

A column is a **foreign key** when its name names a table or its key (`film_id`, `manager_staff_id`,
`parent_id` of the own table) and its values are found there. Names alone propose; data decides:
all values found, or all but a twentieth where the name is exact. A proposal that the data carries
in part, and one of two that are equally good, is told and not used; one of which no value is found
is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from graphmill.english.names import singular, words
from schemagraph.relational import Reference, SourceTable
from schemagraph.staging.comparison import Stored
from schemagraph.staging.scratch import Scratch
from schemagraph.staging.staging import lane_name
from schemagraph.storage_classes import Lane

_ID_WORDS = frozenset({"id", "key", "code", "uuid", "guid", "no", "nr", "num", "number", "sku"})
_OWN_ROLES = frozenset(
    {
        *("parent", "manager", "supervisor", "boss", "mentor", "reportsto", "predecessor"),
        *("successor", "previous", "next", "referrer", "spouse", "replyto", "prerequisite"),
    }
)
_KEYED = frozenset({Lane.INTEGER, Lane.TEXT, Lane.NUMBER})
_MOST_ORPHANS = 0.05
_EXACT = 4  # the rank of a name that says both table and key


@dataclass(frozen=True, slots=True)
class Proposal:
    """A key (`reference` None) or foreign key of `table`, and why; `holds`: the data carries it."""

    table: str
    columns: tuple[str, ...]
    reference: Reference | None
    evidence: str
    holds: bool

    def __str__(self) -> str:
        named = ", ".join(self.columns)
        if self.reference is None:
            return f"Table {self.table}: key ({named}): {self.evidence}."
        to = f"{self.reference.table} ({', '.join(self.reference.referenced)})"
        return f"Foreign key {self.table} ({named}) to {to}: {self.evidence}."


def propose_keys(scratch: Scratch, tables: Sequence[SourceTable]) -> dict[str, Proposal]:
    """A key for each table that declares none, where one is found."""
    proposals = {}
    for table in tables:
        if table.key or table.unique:
            continue
        ranked = sorted(
            (-rank, n, column.name)
            for n, column in enumerate(table.columns)
            if (rank := _key_rank(table, n))
        )
        for _, _, name in ranked:
            rows = scratch.staged[table.name].rows
            if rows and not _nulls(scratch, table, name) and _different(scratch, table, name):
                evidence = f"no NULL and no value twice in {rows} rows"
                proposals[table.name] = Proposal(table.name, (name,), None, evidence, True)
                break
    return proposals


def _key_rank(table: SourceTable, position: int) -> int:
    parts = _lower(table.columns[position].name)
    own = _nouns(table.name)
    if parts in (["id"], ["uuid"], ["guid"]):
        return 4
    if parts[-1:] and parts[-1] in _ID_WORDS and _stem(parts) == own:
        return 3
    if "".join(parts) == "".join(own) + "id":
        return 3
    named = parts and (parts[-1] in _ID_WORDS or parts[-1].endswith("id") or parts == own)
    return 2 if position == 0 and named else 0


def _nulls(scratch: Scratch, table: SourceTable, name: str) -> int:
    return scratch.staged[table.name].digest.columns[name].nulls


def _single(scratch: Scratch, table: SourceTable, name: str) -> tuple[Stored, str] | None:
    """The column and its staged name, where it holds values of one class that keys are of."""
    stored = scratch.stored(table, name)
    if len(stored.classes) != 1 or not stored.classes <= _KEYED:
        return None
    (lane,) = stored.classes
    return stored, f'"{lane_name(stored.position, lane)}"'


def _different(scratch: Scratch, table: SourceTable, name: str) -> bool:
    cell = _single(scratch, table, name)
    if cell is None:
        return False
    (rows, distinct) = scratch.one(
        f"SELECT count({cell[1]}), count(DISTINCT {cell[1]}) FROM {scratch.view(table.name)}"
    )
    return bool(rows == distinct)


def propose_references(scratch: Scratch, tables: Sequence[SourceTable]) -> list[Proposal]:
    """Foreign keys that are not declared, in the order of tables and columns."""
    proposals = []
    keys = _Keys(tables)
    for table in tables:
        declared = {column for reference in table.references for column in reference.columns}
        for column in table.columns:
            if column.name not in declared:
                proposals += _for_column(scratch, table, column.name, keys)
    return proposals


class _Keys:
    """The keys of one column of all tables, by the words that a column may name them with."""

    def __init__(self, tables: Sequence[SourceTable]) -> None:
        self._keys = [(parent, key) for parent in tables for key in _single_keys(parent)]
        self._own: dict[str, list[int]] = {}
        self._by_table: dict[tuple[str, ...], list[int]] = {}
        self._by_words: dict[tuple[str, ...], list[int]] = {}
        self._by_text: dict[str, list[int]] = {}
        for number, (parent, key) in enumerate(self._keys):
            target, there = tuple(_nouns(parent.name)), _words(key)
            texts = {"".join((*target, *there))}
            self._own.setdefault(parent.name, []).append(number)
            self._by_table.setdefault(target, []).append(number)
            if not _is_generic(there):
                self._by_words.setdefault(there, []).append(number)
                texts.add("".join(there))
            for text in texts:
                self._by_text.setdefault(text, []).append(number)

    def named_by(self, table: SourceTable, name: str) -> list[tuple[int, SourceTable, str]]:
        """The keys that a column names, each with the rank of its name, in the tables' order."""
        parts, stem = _words(name), tuple(_stem(_words(name)))
        numbers = {*self._own.get(table.name, ()), *self._by_text.get("".join(parts), ())}
        for start in range(len(stem)):
            numbers.update(self._by_table.get(stem[start:], ()))
        for start in range(len(parts)):
            numbers.update(self._by_words.get(parts[start:], ()))
        numbers.update(self._by_table.get((), ()) if not stem else ())
        return [
            (rank, parent, key)
            for parent, key in map(self._keys.__getitem__, sorted(numbers))
            if (parent.name, key) != (table.name, name)
            and (rank := _rank(table, name, parent, key))
        ]


def _for_column(scratch: Scratch, table: SourceTable, name: str, keys: _Keys) -> list[Proposal]:
    least = _EXACT if name in _single_keys(table) else 1  # a key that references is called so
    named = [candidate for candidate in keys.named_by(table, name) if candidate[0] >= least]
    doubtful: list[Proposal] = []
    for best in sorted({rank for rank, _, _ in named}, reverse=True):
        made = [
            proposal
            for rank, parent, key in named
            if rank == best
            for proposal in _weighed(scratch, table, name, parent, key, rank)
        ]
        winners = [proposal for proposal in made if proposal.holds]
        if len(winners) == 1:
            return winners
        if winners:
            return [
                Proposal(p.table, p.columns, p.reference, f"{p.evidence}; so do others", False)
                for p in winners
            ]
        doubtful = doubtful or made[:1]
    return doubtful


def _single_keys(table: SourceTable) -> Iterator[str]:
    for key in dict.fromkeys((table.key, *table.unique)):
        if len(key) == 1:
            yield key[0]


def _rank(table: SourceTable, name: str, parent: SourceTable, key: str) -> int:
    """How well a column's name names another table's key: 0 not at all, 4 exactly."""
    parts, there, target = _lower(name), _lower(key), _nouns(parent.name)
    stem = _stem(parts)
    if not parts or (table.name != parent.name and _names_itself(table, name)):
        return 0
    generic = _is_generic(there)
    if table.name == parent.name:
        role = "".join(stem)
        return 2 if role in _OWN_ROLES or role.removesuffix("".join(target)) in _OWN_ROLES else 0
    if stem == target or "".join(parts) == "".join(target) + "".join(there):
        return 4 if len(stem) < len(parts) or not generic or parts == target else 3
    if not generic and "".join(parts) == "".join(there):
        return 3
    if not generic and len(parts) > len(there) and parts[-len(there) :] == there:
        return 2
    if len(stem) < len(parts) and len(stem) > len(target) and stem[-len(target) :] == target:
        return 2
    return 0


def _is_generic(key: Sequence[str]) -> bool:
    """Whether a key's name says nothing but that it is one."""
    return not key or (len(key) == 1 and key[0] in _ID_WORDS)


def _names_itself(table: SourceTable, name: str) -> bool:
    """Whether a column is called after its own table, whose key it then is."""
    own = _nouns(table.name)
    return _stem(_lower(name)) == own or "".join(_lower(name)) == "".join(own) + "id"


def _weighed(
    scratch: Scratch, table: SourceTable, name: str, parent: SourceTable, key: str, rank: int
) -> Iterator[Proposal]:
    reference = Reference((name,), parent.name, (key,))
    own, there = _single(scratch, table, name), _single(scratch, parent, key)
    rows = scratch.staged[table.name].rows
    if rows == _nulls(scratch, table, name):
        if rank > 2:
            evidence = "the name says so; there is no value"
            yield Proposal(table.name, (name,), reference, evidence, True)
        return
    if own is None or there is None or own[0].classes != there[0].classes:
        return
    if not _different(scratch, parent, key):
        return
    (values, matched) = scratch.one(
        f"SELECT count(*), count(*) FILTER (WHERE v IN "
        f"(SELECT {there[1]} FROM {scratch.view(parent.name)})) FROM "
        f"(SELECT DISTINCT {own[1]} AS v FROM {scratch.view(table.name)} "
        f"WHERE {own[1]} IS NOT NULL)"
    )
    if not matched:
        return  # where there are data, a name alone proposes nothing
    share = matched / values
    evidence = f"the name says so, and {matched} of {values} different values are found"
    yield Proposal(
        table.name,
        (name,),
        reference,
        evidence,
        matched == values or (rank > 2 and share >= 1 - _MOST_ORPHANS),
    )


@cache  # every name is compared with those of all tables
def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in words(name))


def _lower(name: str) -> list[str]:
    return list(_words(name))


def _nouns(name: str) -> list[str]:
    return list(_table_words(name))


@cache
def _table_words(name: str) -> list[str]:
    name_words = [singular(word).lower() for word in words(name)]
    return (
        name_words[1:]
        if len(name_words) > 1 and name_words[0] in ("tbl", "dim", "fact")
        else name_words
    )


def _stem(parts: Sequence[str]) -> list[str]:
    """The words of a column's name before those that say that it is a key."""
    stem = list(parts)
    while stem and stem[-1] in _ID_WORDS:
        stem.pop()
    return [*stem[:-1], singular(stem[-1])] if stem else []
