"""Splits without leaks: a database lies in one split, or a domain; one database splits by shape.

A shape is the canonical query with its values masked. Groups are dealt out in an order that
depends on the seed only, each to the split that is furthest below its share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.record import SPLITS, Record, Split
from graphmill.seed import derive
from pipelines.configuration.config import Splits


def splits_of(
    queries: Sequence[tuple[str, str]],
    shares: Splits,
    seed: int,
    synthesised: frozenset[str] = frozenset(),
    by: str = "",
    domains: Mapping[str, str] | None = None,
) -> list[Split]:
    """The split of each query, of which its database and its shape are given.

    `synthesised` names databases that test takes first (Text2GQL-Bench section 5.1). `by` is what
    no two splits share: `database`, `shape`, or the `domain` that `domains` gives of a database;
    unless it is told, databases where there are several, else shapes.
    """
    if by == "domain" and domains is not None:
        sizes = Counter(domains[db] for db, _ in queries)
        order = sorted(sizes, key=lambda domain: derive(seed, "split", domain))
        chosen = _deal(sizes, order, shares, preferred="test")
        return [chosen[domains[db]] for db, _ in queries]
    if by == "database" or (not by and len({db for db, _ in queries}) > 1):
        sizes = Counter(db for db, _ in queries)
        order = sorted(sizes, key=lambda db: (db not in synthesised, derive(seed, "split", db)))
        # Test is filled first, and so gets the synthesised databases.
        chosen = _deal(sizes, order, shares, preferred="test")
        return [chosen[db] for db, _ in queries]
    sizes = Counter(form for _, form in queries)
    order = sorted(sizes, key=lambda form: derive(seed, "split", form))
    chosen = _deal(sizes, order, shares, preferred="train")
    return [chosen[form] for _, form in queries]


def assign(
    records: Sequence[Record], shares: Splits, seed: int, synthesised: frozenset[str] = frozenset()
) -> list[Record]:
    """The records, in their order, with their split set."""
    queries = [(r.db, shape(parsed(r.queries["cypher"]))) for r in records]
    splits = splits_of(queries, shares, seed, synthesised)
    return [replace(record, split=split) for record, split in zip(records, splits, strict=True)]


def _deal(
    sizes: Counter[str], order: Sequence[str], shares: Splits, preferred: Split
) -> dict[str, Split]:
    """The split of each group."""
    total = sizes.total()
    want = {split: getattr(shares, split) * total for split in SPLITS}
    have = dict.fromkeys(SPLITS, 0)
    ranked = sorted(SPLITS, key=lambda split: split != preferred)
    chosen: dict[str, Split] = {}
    for group in order:
        split = max(ranked, key=lambda s: (want[s] - have[s]) / (want[s] or 1) if want[s] else -1)
        have[split] += sizes[group]
        chosen[group] = split
    return chosen
