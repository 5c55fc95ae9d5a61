"""Sums of floats that are -0.0 are declared where an engine does not begin them with 0.0."""

from __future__ import annotations

import pytest

from engines.backends import jena, tinkergraph
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("WITH x, sum(x * -1) AS s WHERE s >= 0 RETURN x", True),
        ("WITH x, avg(x * -1) AS s RETURN x, s <= 0 AS s", True),
        ("WITH x, sum(x * x) AS s RETURN x, s ORDER BY s, x", False),
        ("WITH x, sum(x * -1) AS s WHERE s > 5 RETURN x", False),
        ("WITH x, sum(x * 2) AS s WHERE s >= 0 RETURN x", False),
        ("WITH x, max(x * -1) AS s WHERE s >= 0 RETURN x", False),
    ],
)
def test_sums_of_zeros(text: str, declared: bool) -> None:
    """A sum that is held against what may be 0; everyday orders by sums are let be."""
    statement = bind(parse(f"UNWIND [0.0, 1.5] AS x {text}")).statement
    for engine in (jena.ENGINE, tinkergraph.ENGINE):
        (fault,) = [fault for fault in engine.unsound if fault.code == "zero-sum"]
        assert fault.applies(statement) is declared
