"""How far raters agree, and what share of pairs passes, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

RESAMPLES = 2_000
_Z = 1.959963984540054  # the normal distribution's quantile of 95 %


@dataclass(frozen=True, slots=True)
class Agreement:
    """Fleiss' kappa of `n` items, with a 95 % bootstrap interval over items; None where it is not
    defined, which is so where all ratings are alike."""

    kappa: float | None
    low: float | None
    high: float | None
    n: int


def fleiss(counts: Sequence[Sequence[int]]) -> float | None:
    """Fleiss' kappa (1971) of a table: how many raters put each item into each category.

    None where there are no items, fewer than two raters, or one category alone was used.

    Raises:
        ValueError: items have different numbers of raters.

    >>> fleiss([[2, 0], [0, 2]]), fleiss([[2, 0], [2, 0]])
    (1.0, None)
    """
    if not len(counts):
        return None
    table = np.asarray(counts, dtype=float)
    raters = table.sum(1)
    if (raters != raters[0]).any():
        raise ValueError("All items need the same number of raters.")
    return _kappa(table, raters[0])


def _kappa(table: np.ndarray, raters: float) -> float | None:
    if raters < 2:
        return None
    observed = ((table * (table - 1)).sum(1) / (raters * (raters - 1))).mean()
    chance = float(((table.sum(0) / table.sum()) ** 2).sum())
    if chance >= 1 - 1e-12:
        return None
    return float((observed - chance) / (1 - chance))


def agreement(counts: Sequence[Sequence[int]], seed: int = 7) -> Agreement:
    """Kappa with its interval; samples in which it is not defined are left out of that."""
    kappa = fleiss(counts)
    if kappa is None:
        return Agreement(None, None, None, len(counts))
    table = np.asarray(counts, dtype=float)
    rng = np.random.default_rng(seed)
    drawn = (table[rng.integers(0, len(table), len(table))] for _ in range(RESAMPLES))
    values = [each for each in (_kappa(rows, table[0].sum()) for rows in drawn) if each is not None]
    low, high = np.quantile(values, (0.025, 0.975))
    return Agreement(kappa, float(low), float(high), len(counts))


def cohen(one: Sequence[bool], two: Sequence[bool]) -> float | None:
    """Cohen's kappa of two raters who say yes or no; None where there is nothing, or both say the
    same of everything.

    >>> cohen([True, True, False, False], [True, False, False, False])
    0.5
    """
    if not one:
        return None
    alike = sum(a == b for a, b in zip(one, two, strict=True)) / len(one)
    yes = sum(one) * sum(two) / len(one) ** 2
    chance = yes + (1 - sum(one) / len(one)) * (1 - sum(two) / len(two))
    return None if chance >= 1 else (alike - chance) / (1 - chance)


def wilson(passed: int, number: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) where there is nothing.

    >>> tuple(round(x, 4) for x in wilson(9, 10))
    (0.5958, 0.9821)
    """
    if not number:
        return 0.0, 1.0
    share, z2 = passed / number, _Z * _Z / number
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z * sqrt(share * (1 - share) / number + z2 / number / 4) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)
