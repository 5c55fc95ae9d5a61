"""Splits hold their shares and never share a shape, or a database, between two of them."""

from __future__ import annotations

from collections import Counter

import pytest

from graphmill.record import Split
from pipelines.build.splits import Unit, splits_of
from pipelines.configuration.config import Splits

DOMAINS = {f"db{n}": f"domain{n // 2}" for n in range(10)}


def homes(names: list[str], splits: list[Split]) -> dict[str, set[Split]]:
    """The splits that each group lies in."""
    groups: dict[str, set[Split]] = {}
    for name, split in zip(names, splits, strict=True):
        groups.setdefault(name, set()).add(split)
    return groups


def test_one_database_splits_by_shape() -> None:
    queries = [("a", f"shape {n % 25}") for n in range(100)]
    splits = splits_of(queries, Splits(), 7)
    assert abs(Counter(splits)["train"] - 80) <= 4
    assert all(len(each) == 1 for each in homes([form for _, form in queries], splits).values())
    assert splits == splits_of(queries, Splits(), 7)
    assert splits != splits_of(queries, Splits(), 8)


def test_a_database_lies_in_one_split_and_test_takes_synthesised_ones_first() -> None:
    queries = [(f"db{n % 10}", "one shape") for n in range(100)]
    splits = splits_of(queries, Splits(), 7, synthesised=frozenset({"db3"}))
    groups = homes([db for db, _ in queries], splits)
    assert all(len(each) == 1 for each in groups.values())
    assert Counter(splits) == {"train": 80, "validation": 10, "test": 10}
    assert groups["db3"] == {"test"}


@pytest.mark.parametrize("by", ["", "database", "shape", "domain"])
def test_test_is_synthetic_only_where_it_is_asked(by: Unit) -> None:
    queries = [(f"db{n % 10}", f"shape {n % 20}") for n in range(200)]
    synthesised = frozenset({"db2", "db3"})  # a tenth is wanted for test, a fifth is there
    splits = splits_of(
        queries,
        Splits(),
        7,
        by=by,
        domains=DOMAINS,
        synthesised=synthesised,
        synthetic_only=True,
    )
    tested = {db for (db, _), split in zip(queries, splits, strict=True) if split == "test"}
    assert tested
    assert tested <= synthesised


def test_test_is_empty_rather_than_real() -> None:
    queries = [(f"db{n % 10}", "one shape") for n in range(100)]
    splits = splits_of(queries, Splits(), 7, synthetic_only=True)
    assert set(splits) == {"train", "validation"}


@pytest.mark.parametrize("by", ["database", "shape", "domain"])
def test_what_an_earlier_release_had_stays_where_it_was(by: Unit) -> None:
    old = [(f"db{n % 8}", f"shape {n % 8}") for n in range(80)]
    places = {"database": 0, "shape": 1}

    def groups(queries: list[tuple[str, str]]) -> list[str]:
        if by == "domain":
            return [DOMAINS[db] for db, _ in queries]
        return [query[places[by]] for query in queries]

    before = splits_of(old, Splits(), 7, by=by, domains=DOMAINS)
    known = dict(zip(groups(old), before, strict=True))
    new = [(f"db{n % 10}", f"shape {n % 10}") for n in range(300)]
    alone = [splits_of(new, Splits(), seed, by=by, domains=DOMAINS) for seed in range(8, 20)]
    after = splits_of(new, Splits(), 8, by=by, domains=DOMAINS, earlier=lambda _: known)
    assert all(known.get(g, s) == s for g, s in zip(groups(new), after, strict=True))
    moved = [known.get(g, s) != s for one in alone for g, s in zip(groups(new), one, strict=True)]
    assert any(moved)
    assert all(len(each) == 1 for each in homes(groups(new), after).values())


def test_synthetic_only_outranks_an_earlier_test() -> None:
    queries = [(f"db{n % 4}", "shape") for n in range(40)]
    drawn = frozenset({"db3"})
    after = splits_of(
        queries,
        Splits(),
        7,
        synthesised=drawn,
        synthetic_only=True,
        earlier=lambda _: {"db0": "test"},
    )
    assert "test" not in homes([db for db, _ in queries], after)["db0"]
