"""Which floats may be -0.0, in some engine or in Neo4j."""

from __future__ import annotations

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.numbers import below_zero_names


@pytest.mark.parametrize(
    ("expression", "engines", "neo4j"),
    [
        ("x * -1", True, True),
        ("x * y", True, True),
        ("x * 2", False, False),
        ("x * -1 * 2", True, True),
        ("x / -2", True, True),
        ("x % 2", True, True),
        ("2 % x", False, False),
        ("ceil(x)", True, True),
        ("round(x * -1)", False, False),
        ("abs(x * -1)", False, False),
        ("-x", True, False),
        ("x * -1 + 0.0", False, False),
        ("x * -1 + y", False, False),
        ("x * -1 + y * -1", True, True),
        ("x * -1 - y", True, True),
        ("x - y * -1", False, False),
        ("sum(x * -1)", True, False),
        ("max(x * -1)", True, True),
        ("CASE WHEN x * -1 < 0 THEN x END", False, False),
        ("CASE WHEN x < 0 THEN x * -1 END", True, True),
        ("coalesce(x * -1, y)", True, True),
        ("[x * -1, y][0]", True, True),
        ("head(collect(x * -1))", True, True),
        ("-0.0", True, True),
    ],
)
def test_may_be_below_zero(expression: str, engines: bool, neo4j: bool) -> None:
    """What is computed of floats is -0.0 where its last step can make it so."""
    text = f"UNWIND [0.0, 1.5] AS x UNWIND [0.0, 2.5] AS y RETURN {expression} AS z"
    statement = bind(parse(text)).statement
    assert isinstance(statement, ir.Query)
    assert ("z" in below_zero_names(statement)) is engines
    assert ("z" in below_zero_names(statement, reference=True)) is neo4j
