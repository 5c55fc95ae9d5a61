"""Intervals and paired tests against scipy, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap

from evaluation.statistics import RESAMPLES, clustered, mcnemar


def test_intervals_are_those_of_scipy() -> None:
    rng = np.random.default_rng(3)
    clusters = [f"db{n}" for n in rng.integers(0, 9, 200)]
    values = [float(v) for v in rng.integers(0, 2, 200)]
    names = list(dict.fromkeys(clusters))
    sums = np.array(
        [sum(v for v, c in zip(values, clusters, strict=True) if c == n) for n in names]
    )
    counts = np.array([clusters.count(n) for n in names])

    def mean(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        found: np.ndarray = a.sum(axis) / b.sum(axis)
        return found

    theirs = bootstrap(
        (sums, counts),
        mean,
        n_resamples=RESAMPLES,
        paired=True,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(7),
    ).confidence_interval
    mine = clustered(values, clusters, seed=7)
    assert mine is not None
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_clusters_make_intervals_wider() -> None:
    """Two databases, one all right and one all wrong: a resample has 0, 1 or 2 of the good one."""
    values, clusters = [1.0] * 50 + [0.0] * 50, ["a"] * 50 + ["b"] * 50
    wide, narrow = clustered(values, clusters), clustered(values, ["a"] * 100)
    assert wide is not None
    assert narrow is not None
    assert (wide.low, wide.high) == (0.0, 1.0)
    assert 0.38 < narrow.low < 0.42  # 0.5 ± 1.96 · 0.05
    assert 0.58 < narrow.high < 0.62


def test_the_seed_decides_and_one_value_has_no_interval() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    clusters = list("abcdefg")
    assert clustered(values, clusters, seed=1) == clustered(values, clusters, seed=1)
    assert clustered([1.0], ["a"]) is None


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (2, 0), (5, 1), (10, 10), (3, 17), (40, 12)])
def test_mcnemar_is_the_binomial_test(b: int, c: int) -> None:
    first = [True] * b + [False] * c + [True, False, True]
    second = [False] * b + [True] * c + [True, False, True]
    found = mcnemar(first, second)
    assert (found.only_first, found.only_second, found.both, found.neither) == (b, c, 2, 1)
    theirs = binomtest(b, b + c).pvalue if b + c else 1.0
    assert found.p == pytest.approx(theirs, abs=1e-12)
