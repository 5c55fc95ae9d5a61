"""What an operator of query evolution is: a precondition, and steps to harder queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from graph_ir.features import Features

AGGREGATES = "aggregates"


@dataclass(frozen=True, slots=True)
class Effect:
    """What an operator promises of its results, seen from the parent.

    `adds` are constructs (`graph_ir.features`) that the result has. `grows` are counts of
    `Features` with the least by which they grow. `turns` are truths of `Features` that hold;
    `aggregates` among them says that there is one. `closes`: the pattern has a cycle.
    """

    adds: frozenset[str] = frozenset()
    grows: Mapping[str, int] = field(default_factory=dict)
    turns: frozenset[str] = frozenset()
    closes: bool = False

    def applied(self, parent: Features) -> Features:
        """The least that the features of a result are, from those of the parent."""
        changes: dict[str, Any] = {
            name: getattr(parent, name) + least for name, least in self.grows.items()
        }
        changes |= dict.fromkeys(self.turns - {AGGREGATES}, True)
        if AGGREGATES in self.turns:
            changes[AGGREGATES] = (*parent.aggregates, "one more")
        if self.closes:
            changes["shape"] = "cyclic_or_dense"
        constructs = tuple(sorted({*parent.constructs, *self.adds}))
        return replace(parent, constructs=constructs, **changes)


@dataclass(frozen=True, slots=True)
class Step:
    """One harder query, and what was observed that led to it."""

    statement: ir.Query | ir.Union
    evidence: str
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """One way to make a query harder.

    `says` is what the question gains, as a short phrase. `fits` looks at the query and the schema
    only and asks the graph nothing; `steps` may ask, and yields the most natural step first.
    `weight` is how often it comes first among those that fit.
    """

    name: str
    says: str
    effect: Effect
    fits: Callable[[Site], bool]
    steps: Callable[[Site, Random], Iterator[Step]]
    weight: float = 1.0


def effect(*adds: str, turns: tuple[str, ...] = (), closes: bool = False, **grows: int) -> Effect:
    """An effect from its constructs, truths and counts."""
    return Effect(frozenset(adds), grows, frozenset(turns), closes)


def shuffled[T](rng: Random, items: Sequence[T]) -> list[T]:
    """The items in a random order."""
    return rng.sample(items, len(items))
