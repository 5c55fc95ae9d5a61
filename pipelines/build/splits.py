"""Splits without leaks: a database lies in one split, or a domain; one database splits by shape.

A shape is the canonical query with its values masked. Groups are dealt out in an order that
depends on the seed only, each to the split that is furthest below its share. What an earlier
release had in a split stays there, so that nobody trains on what was the test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from graphmill.record import SPLITS, Split
from graphmill.seed import derive
from pipelines.configuration.config import Splits

type Unit = Literal["database", "shape", "domain"]


def splits_of(
    queries: Sequence[tuple[str, str]],
    shares: Splits,
    seed: int,
    *,
    by: Unit | Literal[""] = "",
    domains: Mapping[str, str] | None = None,
    synthesised: frozenset[str] = frozenset(),
    synthetic_only: bool = False,
    earlier: Callable[[Unit], Mapping[str, Split]] = lambda _: {},
) -> list[Split]:
    """The split of each query, of which its database and its shape are given.

    `by` is what no two splits share: `database`, `shape`, or the `domain` that `domains` gives of a
    database; unless it is told, databases where there are several, else shapes. Test takes
    databases and domains first that were `synthesised` (Text2GQL-Bench section 5.1), and with
    `synthetic_only` no others. `earlier` gives the splits that databases, shapes or domains have
    in an earlier release.
    """
    by = by or ("database" if len({db for db, _ in queries}) > 1 else "shape")
    groups = [
        {"database": db, "shape": form, "domain": (domains or {}).get(db, "")}[by]
        for db, form in queries
    ]
    sizes = Counter(groups)
    real = {group for group, (db, _) in zip(groups, queries, strict=True) if db not in synthesised}
    first = by != "shape"
    order = sorted(sizes, key=lambda group: (first and group in real, derive(seed, "split", group)))
    closed = real if synthetic_only else set()
    kept = {group: split for group, split in earlier(by).items() if group in sizes}
    kept = {group: s for group, s in kept.items() if s != "test" or group not in closed}
    chosen = _deal(sizes, order, shares, "test" if first else "train", closed, kept)
    return [chosen[group] for group in groups]


def _deal(
    sizes: Counter[str],
    order: Sequence[str],
    shares: Splits,
    preferred: Split,
    closed: set[str],
    kept: Mapping[str, Split],
) -> dict[str, Split]:
    """The split of each group; those that are `closed` are in no test, those that are `kept` where
    they were."""
    total = sizes.total()
    want = {split: getattr(shares, split) * total for split in SPLITS}
    have = dict.fromkeys(SPLITS, 0)
    ranked = sorted(SPLITS, key=lambda split: split != preferred)
    chosen: dict[str, Split] = {**kept}
    for group, split in kept.items():
        have[split] += sizes[group]
    for group in order:
        if group in kept:
            continue
        possible = [split for split in ranked if split != "test" or group not in closed]
        split = max(possible, key=lambda s: (want[s] - have[s]) / (want[s] or 1) if want[s] else -1)
        have[split] += sizes[group]
        chosen[group] = split
    return chosen
