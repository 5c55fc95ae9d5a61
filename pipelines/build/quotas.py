"""Which queries a database still takes: tiers, groups of constructs, shapes.

Places are numbers of queries. A query takes a place of its tier; the places that are left must
be enough for the groups that are still short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from random import Random
from typing import Any, Literal

from generators.queries.base import Wanted
from graph_ir import nodes as ir
from graph_ir.canonical import shape
from graph_ir.coverage import GROUPS, groups
from graph_ir.difficulty import tier
from graph_ir.features import features
from graphmill.record import DIFFICULTIES, Difficulty
from pipelines.configuration.targets import Queries

_IN_VAIN = 24  # drafts for a group that brought nothing, after which it is given up
_WORTH = 8  # drafts that one released query of the group makes up for
_SLACK = 0.8  # of the places, what groups that may overlap are taken to need together


@dataclass(frozen=True, slots=True)
class Traits:
    """What places a query takes: its tier, its groups, its shape (values masked)."""

    tier: Difficulty
    groups: frozenset[str]
    shape: str
    constructs: tuple[str, ...]


def traits(statement: ir.Statement) -> Traits:
    """The traits of a query."""
    query_features = features(statement)
    return Traits(
        tier(query_features), groups(query_features), shape(statement), query_features.constructs
    )


def places(total: int, shares: Mapping[Difficulty, float]) -> dict[Difficulty, int]:
    """`total` by shares, in whole numbers: the largest remainders are rounded up.

    >>> places(10, {"easy": 0.25, "medium": 0.25, "hard": 0.5, "extra_hard": 0})
    {'easy': 3, 'medium': 2, 'hard': 5, 'extra_hard': 0}
    """
    exact = {name: total * shares[name] for name in DIFFICULTIES}
    counts = {name: floor(value + 1e-9) for name, value in exact.items()}
    rest = sorted(DIFFICULTIES, key=lambda name: counts[name] - exact[name])
    for name in rest[: total - sum(counts.values())]:
        counts[name] += 1
    return counts


@dataclass
class Quotas:
    """The targets of one database, and what it has of them.

    `kept` says for how many of the groups that are short the last places are kept: for all of
    them, for any (a query that belongs to one may have the place that another one needs), or none.
    `given_up` are groups that the graph, or the words for it, do not bring: no place is kept for
    them, and nobody is asked for them. `relaxed` counts how often nothing came for so long that
    more of the like were let in.
    """

    queries: Queries
    total: int
    tiers: Counter[Difficulty] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    kept: Literal["all", "any", "none"] = "all"
    given_up: set[str] = field(default_factory=set)
    relaxed: int = 0
    in_vain: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, queries: Queries, total: int, given: Iterable[Traits] = ()) -> Quotas:
        """Quotas of `total` queries of which `given` are there already, whatever they are."""
        quotas = cls(queries, total)
        for one in given:
            quotas.take(one)
        return quotas

    def take(self, one: Traits) -> None:
        """Count a query."""
        self.tiers[one.tier] += 1
        self.groups.update(one.groups)
        self.shapes[one.shape] += 1

    def give_back(self, one: Traits) -> None:
        """The opposite of `take`."""
        self.tiers[one.tier] -= 1
        self.groups.subtract(one.groups)
        self.shapes[one.shape] -= 1

    def learn(self, asked: Iterable[str], gained: Iterable[frozenset[str]]) -> None:
        """Give up the groups that are asked for in vain: the schema has no place for them, or
        nobody would ask such queries of it. Asking on would be most of what a build costs.

        `asked` are the groups that a round's drafts were for, `gained` those of each query that it
        brought.
        """
        self.in_vain.update(asked)
        for belongs in gained:
            for name in belongs:
                self.in_vain[name] = max(0, self.in_vain[name] - _WORTH)
        self.given_up |= {name for name, n in self.in_vain.items() if n >= _IN_VAIN}

    @property
    def open(self) -> int:
        """Places that are left."""
        return max(0, self.total - self.tiers.total())

    @property
    def most_alike(self) -> int:
        """Queries of one shape at most."""
        return max(1, floor(self.queries.alike * self.total + 1e-9))

    def wanted_tiers(self) -> dict[Difficulty, int]:
        """Places of each tier that are left.

        Where what is given holds more of one tier than its share, the others get less, each in
        proportion.
        """
        mix = self.queries.mix
        over: set[Difficulty] = set()
        while True:
            free = [name for name in DIFFICULTIES if name not in over]
            room = self.total - sum(self.tiers[name] for name in over)
            whole = sum(mix.share(name) for name in free)
            if not free or room <= 0 or not whole:
                return dict.fromkeys(DIFFICULTIES, 0)
            shares = {n: mix.share(n) / whole if n in free else 0.0 for n in DIFFICULTIES}
            quota = places(room, shares)
            more = {name for name in free if self.tiers[name] > quota[name]}
            if not more:
                return {n: quota[n] - self.tiers[n] if n in free else 0 for n in DIFFICULTIES}
            over |= more

    def wanted_groups(self) -> dict[str, int]:
        """Queries of each group that are missing, as far as there are places for them; without
        groups that are given up."""
        left = self.wanted_tiers()
        missing = {}
        for name, share in sorted(self.queries.shares.items()):
            if name in self.given_up:
                continue
            least = DIFFICULTIES.index(GROUPS[name].least)
            room = sum(left[one] for one in DIFFICULTIES[least:])
            short = _least_count(share, self.total) - self.groups[name]
            missing[name] = max(0, min(short, room))
        return missing

    def pressing(self) -> frozenset[str]:
        """Groups that need every place that they can have."""
        left = self.wanted_tiers()
        return frozenset(
            name
            for name, n in self.wanted_groups().items()
            if n and n >= sum(left[one] for one in DIFFICULTIES[_least(name) :])
        )

    def refuses(self, one: Traits) -> tuple[str, str] | None:
        """Why the query has no place, as code and sentence; None when it has one.

        Codes: `tier-full`, `shape-full`, `place-reserved`.
        """
        left = self.wanted_tiers()
        if left[one.tier] <= 0:
            return "tier-full", f"The database has all its {one.tier} queries."
        if self.shapes[one.shape] >= self.most_alike:
            return "shape-full", f"{self.most_alike} queries differ from it in their values only."
        if self.kept != "none" and (missing := self._reserved(one, left)):
            return "place-reserved", f"The {one.tier} places left are for {' and '.join(missing)}."
        return None

    def _reserved(self, one: Traits, left: Mapping[Difficulty, int]) -> list[str]:
        """Groups that would no longer get their share if this query took its place.

        Those are groups that a query of this tier can belong to. Groups may overlap, so that
        together they are taken to need a part of their sum only; those of harder tiers need no
        more than the places of those.
        """
        wanted, rank = self.wanted_groups(), _rank(one.tier)
        gained = any(wanted.get(name) for name in one.groups)
        if gained and self.kept == "any":
            return []
        short = {name: n for name, n in wanted.items() if n and name not in one.groups}
        harder = min(
            sum(n for name, n in short.items() if _least(name) > rank),
            sum(left[name] for name in DIFFICULTIES[rank + 1 :]),
        )
        for least in range(rank + 1):
            room = sum(left[name] for name in DIFFICULTIES[least:]) - 1
            here = {name: n for name, n in short.items() if least <= _least(name) <= rank}
            if not here:
                continue
            together = (sum(here.values()) + harder) * _SLACK
            if max(here.values()) > room or (not gained and together > room):
                return sorted(here)
        return []

    def group_for(
        self, tier: Difficulty, short: Counter[str], left: Mapping[Difficulty, int], random: Random
    ) -> str:
        """A group that the next query of this tier should belong to; empty where none is pressing.

        One that is found is taken from `short`. The chance is what the group still needs of the
        places that it can have.
        """
        for name in random.sample(sorted(short), len(short)):
            least = _least(name)
            room = sum(left[one] for one in DIFFICULTIES[least:])
            if self.kept == "none" or _rank(tier) < least or short[name] <= 0 or not room:
                continue
            if random.random() < 1.2 * short[name] / room:
                short[name] -= 1
                return name
        return ""

    def to_json(self) -> dict[str, Any]:
        """Targets and what is reached, as numbers of queries."""
        mix = {name: self.queries.mix.share(name) for name in DIFFICULTIES}
        shares = self.queries.shares
        return {
            "total": self.total,
            "tiers": {n: [q, self.tiers[n]] for n, q in places(self.total, mix).items()},
            "groups": {n: [_least_count(s, self.total), self.groups[n]] for n, s in shares.items()},
            "shapes": sum(1 for count in self.shapes.values() if count),
            "most_alike": [self.most_alike, max(self.shapes.values(), default=0)],
        }

    def wanted(self, proposed: Mapping[str, int], released: Mapping[str, int]) -> Wanted:
        """What is missing, for those who propose; the counts are of archetypes and operators."""
        return Wanted(self.wanted_tiers(), self.wanted_groups(), proposed, released)


def _least_count(share: float, total: int) -> int:
    """Queries that are at least this share; none where not even one would be."""
    exact = share * total
    return ceil(exact - 1e-9) if exact >= 1 else 0


def _rank(name: Difficulty) -> int:
    return DIFFICULTIES.index(name)


def _least(group: str) -> int:
    return _rank(GROUPS[group].least)
