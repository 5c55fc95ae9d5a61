"""Ranges round a number: bounds that people say, or none."""

from __future__ import annotations

import pytest

from generators.queries.evolution.operators.widening import _around
from generators.queries.rewriting.site import Observed
from schemagraph.model import Kind, Property, Type

PRICE = Property("price", Type(Kind.FLOAT))


@pytest.mark.parametrize(
    ("value", "seen", "bounds"),
    [
        (50.0, (12.5, 44.0, 50.0, 52.9, 75.0), (40.0, 60.0)),
        (52.9, (12.5, 44.0, 50.0, 52.9, 75.0), (50.0, 60.0)),
        (52.9, (52.9,), (None, None)),
    ],
)
def test_bounds_round_a_number_are_round(
    value: float, seen: tuple[float, ...], bounds: tuple[float | None, float | None]
) -> None:
    observed = Observed(tuple((each, 1) for each in seen), 0, whole=False)
    assert _around(PRICE, value, observed) == bounds
