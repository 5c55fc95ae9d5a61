"""How sure a figure is: intervals over databases, and paired comparison of two runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

RESAMPLES = 2_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % percentile interval of a mean."""

    low: float
    high: float

    def to_json(self) -> list[float]:
        """Low and high, rounded."""
        return [round(self.low, 6), round(self.high, 6)]


def clustered(
    values: Sequence[float], clusters: Sequence[Hashable], *, seed: int = 7
) -> Interval | None:
    """The bootstrap interval of the mean of `values`, by drawing whole clusters with replacement.

    Questions of one database share its schema and are no independent trials, so databases are
    drawn. Where all are of one database, its questions are drawn: the interval then says nothing
    of other databases. None for fewer than two values.
    """
    if len(values) < 2:
        return None
    names = list(dict.fromkeys(clusters))
    if len(names) < 2:
        sums, counts = np.asarray(values, dtype=float), np.ones(len(values))
    else:
        place = {name: at for at, name in enumerate(names)}
        sums, counts = np.zeros(len(names)), np.zeros(len(names))
        for value, cluster in zip(values, clusters, strict=True):
            sums[place[cluster]] += value
            counts[place[cluster]] += 1
    size = len(sums)
    rng = np.random.default_rng(seed)
    if counts.max() == 1 and np.isin(sums, (0, 1)).all():  # then a drawn sum is binomial
        means = rng.binomial(size, sums.mean(), RESAMPLES) / size
        return _interval(means)
    means = np.empty(RESAMPLES)
    step = max(1, 4_000_000 // size)  # drawn numbers that are held at once
    for start in range(0, RESAMPLES, step):
        drawn = rng.integers(0, size, (min(step, RESAMPLES - start), size))
        means[start : start + len(drawn)] = sums[drawn].sum(1) / counts[drawn].sum(1)
    return _interval(means)


def _interval(means: np.typing.NDArray[np.float64]) -> Interval:
    low, high = np.quantile(means, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class Paired:
    """Two runs on the same questions: how many both got right, only one, neither; and the p value
    of McNemar's exact test that they err equally often."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """McNemar's exact (binomial, two-sided) test of two runs, question by question."""
    pairs = list(zip(first, second, strict=True))
    counts = {
        kind: pairs.count(kind)
        for kind in ((True, True), (True, False), (False, True), (False, False))
    }
    b, c = counts[True, False], counts[False, True]
    n = b + c
    tail = sum(comb(n, k) for k in range(min(b, c) + 1))
    p = min(1.0, 2 * tail / 2**n) if n else 1.0
    return Paired(counts[True, True], b, c, counts[False, False], p)
