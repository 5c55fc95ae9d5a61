"""Sums of floats that are -0.0 are declared where an engine does not begin them with 0.0."""

from __future__ import annotations

import pytest

from engines.backends import jena, oxigraph, tinkergraph
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


@pytest.mark.parametrize(
    ("text", "code", "declared"),
    [
        ("WITH x WHERE x * -1 = 0 RETURN x", "zero-equality", False),
        ("WITH x WHERE x * -1 IN [0, 1] RETURN x", "zero-equality", False),
        ("RETURN count(DISTINCT x * -1) AS n", "negative-zero", False),
        ("RETURN x * -1 AS s, count(*) AS n ORDER BY s, n", "negative-zero", False),
        ("RETURN DISTINCT x * -1 AS s, x ORDER BY s, x", "negative-zero", True),
        ("WITH DISTINCT x * -1 AS s WHERE s < 0 RETURN s", "negative-zero", True),
    ],
)
def test_added_zeros(text: str, code: str, declared: bool) -> None:
    """What has 0.0 added to it in the text is sound, unless an order tells zeros apart after it."""
    statement = bind(parse(f"UNWIND [0.0, 1.5] AS x {text}")).statement
    for engine in (jena.ENGINE, tinkergraph.ENGINE):
        (fault,) = [fault for fault in engine.unsound if fault.code == code]
        assert fault.applies(statement) is declared


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("WITH x / 0.0 AS q WHERE q > 1 RETURN q ORDER BY q", False),
        ("RETURN CASE WHEN x / 0.0 > 1 THEN 1 ELSE 2 END AS c, count(*) AS n", False),
        ("RETURN x / 0.0 AS q, count(*) AS n", True),
        ("RETURN DISTINCT x / 0.0 AS q", True),
        ("RETURN max(x / 0.0) AS q", True),
        ("WITH x WHERE x / 0.0 IN [1, 2] RETURN x", True),
    ],
)
def test_quotients(text: str, declared: bool) -> None:
    """Comparisons and orders have words for NaN in SPARQL; groups and searches have not."""
    statement = bind(parse(f"UNWIND [0.0, 1.5] AS x {text}")).statement
    for engine in (jena.ENGINE, oxigraph.ENGINE):
        (fault,) = [fault for fault in engine.unsound if fault.code == "nan"]
        assert fault.applies(statement) is declared
