"""What a question must carry, and whether it does."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graph_ir.values import carries, lost, mentioned_values


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("MATCH (n:City) RETURN n.name", ()),
        ("MATCH (n:City) WHERE 1 <> 0 AND n.a > 4 RETURN n.name", (4,)),
        ("MATCH (n:City {name: 'Bath'}) RETURN n.name SKIP 2 LIMIT 1", ("Bath", 2)),
        ("MATCH (n) WHERE n.a IN ['x', 'y'] OR n.b = true RETURN n.c", ("x", "y")),
        ("MATCH (n) WHERE n.d >= date('2020-01-01') RETURN n.d", ("2020-01-01",)),
        ("MATCH (a)-[:R*2..4]->(b) RETURN count(*)", (2, 4)),
        ("MATCH (n) WHERE EXISTS { MATCH (n)--(m) WHERE m.a = 'deep' } RETURN n.a", ("deep",)),
        ("MATCH (n) WITH n.a AS a, count(*) AS c WHERE c > 3 RETURN a", (3,)),
        (
            "MATCH (n) RETURN CASE WHEN count(n.a) = 0 THEN null ELSE sum(n.a * 1.5) END AS s",
            (1.5,),
        ),
        (
            "CALL () { MATCH (n) WHERE n.b = 5 RETURN n.a AS a, 1 AS side UNION ALL "
            "MATCH (m) RETURN m.a AS a, 2 AS side } "
            "WITH a, max(side) AS last WHERE last = 1 RETURN a",
            (5,),
        ),
    ],
)
def test_mentioned_values(query: str, values: tuple[object, ...]) -> None:
    assert mentioned_values(parse(query)) == values


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("more than five", 5, True),
        ("more than 15", 5, False),
        ("above 1.5", 5, False),
        ("above 1,500,000 a year", 1_500_000, True),
        ("on 2020-01-01.", "2020-01-01", True),
        ("a fee of 12.5", 12.5, True),
        ("a fee of 12", 12.0, True),
        ('named "ÅSE"', "Åse", True),
        ("in Bathurst", "Bristol", False),
    ],
)
def test_carries(text: str, value: str | int | float, expected: bool) -> None:
    assert carries(text, value) is expected


def test_lost_names_what_is_missing() -> None:
    query = parse("MATCH (n) WHERE n.a = 'x1' AND n.b > 20 RETURN n.a")
    assert lost(query, "those with more than twenty") == ("x1",)
