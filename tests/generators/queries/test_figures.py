"""Bounds on the figures of groups: some pass, others do not, whatever an engine's last digit is."""

from __future__ import annotations

from random import Random

import pytest

from generators.queries.rewriting.figures import bound
from graph_ir.nodes import CompareOp

PASSES = {
    CompareOp.GT: lambda value, limit: value > limit,
    CompareOp.GE: lambda value, limit: value >= limit,
    CompareOp.LT: lambda value, limit: value < limit,
}


@pytest.mark.parametrize(
    "seen",
    [
        [3, 4, 5, 5, 9],
        [1, 1, 2],
        [1.5, 2.5, 800.5, 800.5000000000001, 900.25],
        [1.0, 1.0, 1.0000000000000002, 2.0],
        [0.1, 0.1000000001, 0.2, 0.2, 0.2],
        [-2.5, -1.5, 0.0, 7.0],
        [1, 2.25, 2.25, 3],
    ],
)
def test_some_pass_and_others_do_not(seen: list[int | float]) -> None:
    for seed in range(20):
        found = bound(seen, Random(seed))
        assert found is not None
        operator, limit = found
        passed = [PASSES[operator](value, limit) for value in seen]
        assert any(passed)
        assert not all(passed)
        if any(isinstance(value, float) for value in seen):
            shaken = [value * (1 + 1e-13 * (-1) ** place) for place, value in enumerate(seen)]
            assert [PASSES[operator](value, limit) for value in shaken] == passed


@pytest.mark.parametrize("seen", [[], [1, 2], [5, 5, 5], [5.0, 5.0, 5.0], [1.0, 1.0000001, 1.0]])
def test_figures_that_no_short_number_parts(seen: list[int | float]) -> None:
    assert bound(seen, Random(0)) is None
