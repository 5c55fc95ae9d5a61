"""Which floats may be -0.0, in some engine or in Neo4j."""

from __future__ import annotations

import pytest

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.numbers import below_zero_names, with_one_zero
from translators.render import render


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


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("WITH x WHERE x * -1 = 0 RETURN x", "x * -1 + 0.0 = 0"),
        ("WITH x WHERE x * -1 = 5 RETURN x", ""),
        ("WITH x WHERE x = 0 RETURN x", ""),
        ("WITH x WHERE -x = 0 RETURN x", ""),
        ("WITH x WHERE x * -1 < 0 RETURN x", ""),
        ("WITH x WHERE x * -1 IN [0, 1] RETURN x", "x * -1 + 0.0 IN [0, 1]"),
        ("RETURN CASE x * -1 WHEN 0 THEN 1 END AS c", "CASE x * -1 + 0.0 WHEN 0 THEN 1 END"),
        (
            "RETURN nullIf(x * -1, 0) AS n",
            "CASE WHEN x * -1 + 0.0 = 0 THEN null ELSE x * -1 END AS n",
        ),
        ("RETURN sign(x * -1) AS s", "sign(x * -1 + 0.0)"),
        ("RETURN DISTINCT x * -1 AS s", "x * -1 + 0.0 AS s"),
        ("WITH x * -1 AS s RETURN s, count(*) AS n", "RETURN s + 0.0 AS s, count(*) AS n"),
        ("RETURN count(DISTINCT x * -1) AS n", "count(DISTINCT x * -1 + 0.0)"),
        ("MATCH (b {w: x * -1}) RETURN b", "{w: x * -1 + 0.0}"),
        ("RETURN x * -1 AS s UNION RETURN 0.0 AS s", "x * -1 + 0.0 AS s"),
        ("RETURN x * -1 AS s UNION ALL RETURN 0.0 AS s", ""),
    ],
)
def test_with_one_zero(text: str, changed: str) -> None:
    """0.0 is added where -0.0 would be told from 0.0, and nowhere else."""
    statement = bind(parse(f"UNWIND [0.0, 1.5] AS x {text}")).statement
    made = with_one_zero(statement)
    assert (made is not statement) is bool(changed)
    assert changed in render(made, "cypher").text.replace("\n", " ")
    assert with_one_zero(bind(made).statement) == made
