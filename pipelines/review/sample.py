"""Which pairs are rated: a sample stratified by tier, level and database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmill.seed import rng
from pipelines.release.figures import LEVELS


@dataclass(frozen=True, slots=True)
class Item:
    """A question at one level with its query, as it is rated."""

    record: str
    level: str
    db: str
    tier: str
    question: str
    query: str
    knowledge: str


def items_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Item]:
    """Every pair of the rows: each written level of a question with its query; where none is
    written (masked pairs), the question as it is, at the level `original`."""
    for row in rows:
        written = {level for level, column in LEVELS.items() if row[column]} - {"original"}
        for level, column in LEVELS.items():
            asked = level in written or (level == "original" and not written)
            if asked and row[column] and row["queries"].get("cypher"):
                yield Item(
                    row["id"],
                    level,
                    row["db"],
                    row["difficulty"] or "",
                    row[column],
                    row["queries"]["cypher"],
                    row["external_knowledge"] or "",
                )


def drawn(rows: Iterable[Mapping[str, Any]], size: int, seed: int) -> list[Item]:
    """At most `size` pairs. Each stratum (tier, level, database) gets its share of them, as near
    as whole numbers allow; the same rows and seed give the same pairs in the same order.
    """
    strata: dict[tuple[str, str, str], list[Item]] = defaultdict(list)
    for item in items_of(rows):
        strata[item.tier, item.level, item.db].append(item)
    whole = sum(map(len, strata.values()))
    size = min(size, whole)
    random = rng(seed, "review", size)
    exact = {name: size * len(items) / whole for name, items in sorted(strata.items())}
    shares = {name: int(value) for name, value in exact.items()}
    rest = sorted(exact, key=lambda name: (shares[name] - exact[name], random.random()))
    for name in rest[: size - sum(shares.values())]:
        shares[name] += 1
    chosen = [
        item
        for name in exact
        for item in random.sample(sorted(strata[name], key=lambda i: i.record), shares[name])
    ]
    random.shuffle(chosen)
    return chosen
