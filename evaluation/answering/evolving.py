"""The evolving shot store (AT-3, AT-11 to AT-16): verified pairs with a utility and an age.

It is empty at the start. Which pairs it holds depends on the order of questions, so figures of a
system with such a store are the mean over several orders, and their spread.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp


@dataclass(slots=True)
class Entry:
    """A verified pair: `elements` are the schema elements that its question maps to, `utility` is
    ρ in [0, 1], `age` is τ in questions."""

    id: str
    db: str
    question: str
    query: str
    elements: frozenset[str]
    utility: float
    age: int = 0


@dataclass(frozen=True, slots=True)
class Evolution:
    """The settings: α, β, λ (eq 8), η (eq 10), ρ_init and |L|_max. The last two are not stated,
    but for capacities of 100 to 500."""

    alpha: float = 1.0
    beta: float = 1.0
    decay: float = 0.001
    eta: float = 0.3
    initial: float = 0.5
    capacity: int = 200


class ShotStore:
    """Pairs by their worth for a question.

    >>> store = ShotStore(Evolution(capacity=2))
    >>> for name in ("Ship", "Port", "Crew"):
    ...     store.add(Entry(name, "db", f"all of {name}?", "…", frozenset({name}), 0.5))
    >>> [entry.id for entry in store.entries]  # one of equal worth left: the oldest
    ['Port', 'Crew']
    >>> [entry.id for entry in store.best(frozenset({"Crew"}), 1)]
    ['Crew']
    """

    def __init__(self, settings: Evolution) -> None:
        self.settings = settings
        self.entries: list[Entry] = []

    def score(self, entry: Entry, elements: frozenset[str]) -> float:
        """eq 8."""
        own = self.settings
        return own.alpha * jaccard(elements, entry.elements) + own.beta * self.worth(entry)

    def worth(self, entry: Entry) -> float:
        """ρ · e^(−λτ), by which entries are kept."""
        return entry.utility * exp(-self.settings.decay * entry.age)

    def best(self, elements: frozenset[str], number: int) -> list[Entry]:
        """The K entries with the highest scores (Alg 2); the newer of equals first."""
        order = sorted(
            range(len(self.entries)),
            key=lambda place: (-self.score(self.entries[place], elements), -place),
        )
        return [self.entries[place] for place in order[:number]]

    def learn(self, used: Iterable[Entry], *, valid: bool) -> None:
        """eq 10 for the shots that were used, and a step of age for all."""
        eta = self.settings.eta
        for entry in used:
            entry.utility += eta * (1 - entry.utility) if valid else -eta * entry.utility
        for entry in self.entries:
            entry.age += 1

    def add(self, entry: Entry) -> None:
        """Take a verified pair in; at capacity the entry of the lowest worth leaves first."""
        if len(self.entries) >= self.settings.capacity:
            least = min(range(len(self.entries)), key=lambda at: (self.worth(self.entries[at]), at))
            del self.entries[least]
        self.entries.append(entry)


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of what either has that both have; 0 of nothing."""
    return len(left & right) / len(left | right) if left | right else 0.0
