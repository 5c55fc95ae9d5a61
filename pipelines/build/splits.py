"""Splits without leaks: a database lies in one split; one database splits by query shape.

A shape is the canonical query with its values masked. Groups are dealt out in an order that
depends on the seed only, each to the split that is furthest below its share.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.record import SPLITS, Record, Split
from graphmill.seed import derive
from pipelines.configuration.config import Splits


def assign(
    records: Sequence[Record], shares: Splits, seed: int, synthesised: frozenset[str] = frozenset()
) -> list[Record]:
    """The records, in their order, with their split set.

    `synthesised` names databases that test takes first (Text2GQL-Bench section 5.1).
    """
    if len({record.db for record in records}) > 1:
        groups = _grouped(records, lambda record: record.db)
        order = sorted(groups, key=lambda db: (db not in synthesised, derive(seed, "split", db)))
        # Test is filled first, and so gets the synthesised databases.
        return _deal(records, groups, order, shares, preferred="test")
    groups = _grouped(records, lambda record: shape(parsed(record.queries["cypher"])))
    order = sorted(groups, key=lambda form: derive(seed, "split", form))
    return _deal(records, groups, order, shares, preferred="train")


def _grouped(
    records: Sequence[Record], key: Callable[[Record], Hashable]
) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for index, record in enumerate(records):
        groups.setdefault(key(record), []).append(index)
    return groups


def _deal(
    records: Sequence[Record],
    groups: dict[Hashable, list[int]],
    order: list[Hashable],
    shares: Splits,
    preferred: Split,
) -> list[Record]:
    want = {split: getattr(shares, split) * len(records) for split in SPLITS}
    have = dict.fromkeys(SPLITS, 0)
    ranked = sorted(SPLITS, key=lambda split: split != preferred)
    chosen: dict[int, Split] = {}
    for group in order:
        split = max(ranked, key=lambda s: (want[s] - have[s]) / (want[s] or 1) if want[s] else -1)
        have[split] += len(groups[group])
        chosen.update(dict.fromkeys(groups[group], split))
    return [replace(record, split=chosen[index]) for index, record in enumerate(records)]
