"""Structure as 21 numbers, feedback and kinds of failure of hybrid retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evaluation.answering.library import judged
from evaluation.answering.running import Outcome, Ran
from evaluation.answering.structure import NUMBERS, cosine, structure
from evaluation.systems.hybrid import failure
from graph_ir.cypher.reader import parse

HALF = 0.5  # n / (n + 1) of one


def test_hr_6_the_fifteen_features_are_twenty_one_numbers() -> None:
    plain = structure(parse("MATCH (a:A) RETURN a.x AS x"))
    assert len(plain) == NUMBERS
    # 7 of clauses, path length, 1 node, edges, conditions, WITH, 1 field; aggregates; path; chain
    assert plain == (*[0.0] * 7, 0, HALF, 0, 0, 0, HALF, 0, 0, 0, 1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("query", "place", "value"),
    [
        ("MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) RETURN a.x AS x", 0, 1.0),
        ("MATCH (a:A) WHERE a.x = 1 AND a.y = 2 RETURN a.x AS x", 1, 1.0),
        ("MATCH (a:A) WHERE a.x = 1 OR a.y = 2 RETURN a.x AS x", 2, 1.0),
        ("MATCH (a:A) WHERE NOT a.x = 1 RETURN a.x AS x", 3, 1.0),
        ("MATCH (a:A) RETURN a.x AS x ORDER BY x", 4, 1.0),
        ("MATCH (a:A) RETURN a.x AS x LIMIT 1", 5, 1.0),
        ("UNWIND [1] AS x MATCH (a:A) RETURN a.x AS y", 6, 1.0),
        ("MATCH (a:A)-[:R]->(b)-[:R]->(c) RETURN a.x AS x", 7, 2 / 3),
        ("MATCH (a:A)-[:R]->(b)-[:R]->(c) RETURN a.x AS x", 8, 3 / 4),
        ("MATCH (a:A)-[:R]->(b)-[:R]->(c) RETURN a.x AS x", 9, 2 / 3),
        ("MATCH (a:A) WHERE a.x = 1 AND a.y = 2 RETURN a.x AS x", 10, 2 / 3),
        ("MATCH (a:A) WITH a MATCH (a)-[:R]->(b) RETURN a.x AS x", 11, HALF),
        ("MATCH (a:A) RETURN a.x AS x, a.y AS y", 12, 2 / 3),
        ("MATCH (a:A) RETURN count(*) AS n", 13, 1.0),
        ("MATCH (a:A) RETURN count(*) AS n, max(a.x) AS m", 14, 2 / 3),
        ("MATCH (a:A)-[:R*1..3]->(b) RETURN a.x AS x", 15, 1.0),
        ("MATCH (a)-[:R]->(b), (a)-[:R]->(c), (a)-[:R]->(d) RETURN a.x AS x", 17, 1.0),
        ("MATCH (a)-[:R]->(b)-[:R]->(c), (b)-[:R]->(d)-[:R]->(e) RETURN a.x AS x", 18, 1.0),
        ("MATCH (a)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) RETURN a.x AS x", 19, 1.0),
        ("MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(a) RETURN a.x AS x", 20, 1.0),
    ],
)
def test_each_feature_has_its_place(query: str, place: int, value: float) -> None:
    assert structure(parse(query))[place] == pytest.approx(value)


def test_cosine_of_structures() -> None:
    one = structure(parse("MATCH (a:A) RETURN a.x AS x"))
    assert cosine(one, one) == pytest.approx(1.0)
    assert cosine(one, (0.0,) * NUMBERS) == 0.0


def ran(outcome: Outcome, query: str = "MATCH (a:Port) RETURN a.x AS x", *rows: Any) -> Ran:
    return Ran(outcome, "", ("x",), tuple((row,) for row in rows), parse(query))


def test_hr_4_four_kinds_of_feedback() -> None:
    expected = ran("rows", "MATCH (a:Port) RETURN a.x AS x", 1, 2)
    told = "It reads Port."
    assert judged(expected, ran("rows", "MATCH (b:Port) RETURN b.x AS x", 2, 1), told) == "success"
    assert judged(expected, Ran("syntactic"), told) == "syntax"
    assert judged(expected, ran("rows", "MATCH (a:Port) RETURN a.x AS x", 1), told) == "result"
    assert judged(expected, ran("empty"), told) == "result"
    assert judged(expected, expected, "It reads Ship.") == "reasoning"


@pytest.mark.parametrize(
    ("trace", "score", "kind"),
    [
        ({}, {"ex": True}, ""),
        ({"meaning": 1, "structure": 1}, {"grammar": False}, "syntax error"),
        ({"meaning": 0.4, "structure": 1}, {"grammar": True}, "low semantic similarity"),
        ({"meaning": 0.9, "structure": 0.2}, {"grammar": True}, "low structural similarity"),
        (
            {"meaning": 0.9, "structure": 0.9},
            {"grammar": True, "related_schema": False},
            "reasoning failure",
        ),
        (
            {"meaning": 0.9, "structure": 0.9},
            {"grammar": True, "related_schema": True},
            "misunderstanding",
        ),
    ],
)
def test_hr_19_five_kinds_of_failure(
    trace: Mapping[str, Any], score: Mapping[str, Any], kind: str
) -> None:
    assert failure(trace, score) == kind
