"""A pair on its way through a build: what is stored of it comes back as it was."""

from __future__ import annotations

import json

import pytest

from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError
from graphmill.record import Finding, Provenance, Questions, Record


def pair(query: str) -> Pair:
    made = Provenance("test", "1", 7)
    return Pair.read(Record("s", "library", Questions("Which?"), {"cypher": query}, made))


QUERIES = [
    "MATCH (n:P) WHERE n.x > 1.0 AND n.y = 1 AND n.z <> true RETURN n.x AS x ORDER BY x LIMIT 3",
    "MATCH p = (a:P)-[:R*1..3]->(b) RETURN length(p) AS n, [x IN nodes(p) | x.id] AS ids",
    "OPTIONAL MATCH (n:P {name: 'Ada \\u00e9'}) RETURN count(DISTINCT n) AS n UNION RETURN 1 AS n",
    "RETURN date('2024-02-29') AS d, -0.0 AS z, null AS nothing, [1, 'a', {k: 2}] AS mixed",
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_pair_comes_back_from_its_json(query: str) -> None:
    one = pair(query).judged(Finding("levels", ok=True)).changed(difficulty="easy")
    again = Pair.from_json(json.loads(json.dumps(one.to_json())))
    assert again == one
    assert repr(again.statement) == repr(parse(query))  # equality takes 1 for 1.0 and for true


def test_the_gold_of_a_record_must_be_cypher() -> None:
    with pytest.raises(QueryTextError):
        pair("SELECT 1")
