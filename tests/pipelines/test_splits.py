"""Splits hold their shares and never share a shape, or a database, between two of them."""

from __future__ import annotations

from collections import Counter

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parse
from graphmill.record import Provenance, Questions, Record
from pipelines.build.splits import assign
from pipelines.configuration.config import Splits


def _record(db: str, number: int, label: str) -> Record:
    query = f"MATCH (n:{label}) WHERE n.x = {number} RETURN n.y AS y"
    return Record("fp", db, Questions(f"{db} {number}"), {"cypher": query}, Provenance("t", "1", 1))


def test_one_database_splits_by_shape() -> None:
    records = [_record("a", n, f"L{n % 25}") for n in range(100)]
    found = assign(records, Splits(), seed=7)
    assert Counter(r.split for r in found) == {"train": 80, "validation": 8, "test": 12} or (
        abs(Counter(r.split for r in found)["train"] - 80) <= 4
    )
    homes: dict[str, set[str | None]] = {}
    for record in found:
        homes.setdefault(shape(parse(record.queries["cypher"])), set()).add(record.split)
    assert all(len(splits) == 1 for splits in homes.values())
    assert found == assign(records, Splits(), seed=7)
    assert [r.split for r in found] != [r.split for r in assign(records, Splits(), seed=8)]


def test_a_database_lies_in_one_split() -> None:
    records = [_record(f"db{n % 10}", n, "L") for n in range(100)]
    found = assign(records, Splits(), seed=7, synthesised=frozenset({"db3"}))
    homes: dict[str, set[str | None]] = {}
    for record in found:
        homes.setdefault(record.db, set()).add(record.split)
    assert all(len(splits) == 1 for splits in homes.values())
    assert Counter(r.split for r in found) == {"train": 80, "validation": 10, "test": 10}
    assert homes["db3"] == {"test"}
