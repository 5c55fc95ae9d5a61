"""Conditions inside patterns that absent properties pass: SPARQL asks for the property behind what
binds the node or edge, wherever the pattern stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from qa.fuzz.graphs import read_graph
from translators.render import render

GRAPH = read_graph("""P(id!: INTEGER, age: INTEGER?, nick: STRING?)
R(id!: INTEGER, age: INTEGER?, nick: STRING?)
P-[K(since: INTEGER?)]->P
P-[K(since: INTEGER?)]->R
P-[L]->R

P [1, 30, "q"]
P [2, null, null]
P [3, 7, "z"]
R [4, null, null]
R [5, 3, "q"]
P-K-P [1, 2, 2001]
P-K-P [2, 3, null]
P-K-P [3, 1, 30]
P-K-R [1, 4, null]
P-K-R [3, 5, 2001]
P-L-R [2, 4]
P-L-R [3, 5]
""")
NONE = "b.age IS NULL OR b.age < 0"
# The rows are those of Neo4j 2026.08.
CASES: list[tuple[str, list[tuple[Any, ...]]]] = [
    (f"MATCH (a:P)-[:K]->(b WHERE {NONE}) RETURN a.id AS x, b.id AS y", [(1, 2), (1, 4)]),
    (f"MATCH (b WHERE {NONE})<-[:K]-(a) RETURN a.id AS x, b.id AS y", [(1, 2), (1, 4)]),
    (
        f"MATCH (a:P)-[:K]-(b WHERE {NONE}) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (3, 2)],
    ),
    (
        f"MATCH (a:P)-[:K|L]->(b WHERE {NONE}) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (2, 4)],
    ),
    (
        f"MATCH (a:P)-[:K*1..2]->(b WHERE {NONE}) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (3, 2), (3, 4)],
    ),
    (f"MATCH p = (a)-[:K]->(b WHERE {NONE}) RETURN b.id AS y, length(p) AS n", [(2, 1), (4, 1)]),
    (
        "MATCH (a:P)-[:K]->(b WHERE coalesce(b.nick, 'q') = 'q')-[:K]->(c)"
        " RETURN a.id AS x, c.id AS z",
        [(1, 3), (3, 2), (3, 4)],
    ),
    (
        "MATCH (a)-[:K]->(b WHERE CASE WHEN b.age IS NULL THEN true ELSE b.age > 20 END)"
        " RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (3, 1)],
    ),
    (
        f"MATCH (a:P) OPTIONAL MATCH (a)-[:K]->(b WHERE {NONE}) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (2, None), (3, None)],
    ),
    (f"MATCH (a:P) WHERE EXISTS {{ (a)-[:K]->(b WHERE {NONE}) }} RETURN a.id AS x", [(1,)]),
    (
        f"MATCH (a:P) RETURN a.id AS x, COUNT {{ (a)-[:K]->(b WHERE {NONE}) }} AS n",
        [(1, 2), (2, 0), (3, 0)],
    ),
    (
        "MATCH (a)-[:K]->(b WHERE b.age = a.age OR b.age IS NULL) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4)],
    ),
    (
        "MATCH (a WHERE a.id < b.id)-[k:K WHERE b.age IS NULL OR k.since IS NULL]->(b)"
        " RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 4), (2, 3)],
    ),
    (
        "MATCH (a)-[:K]->(b {age: coalesce(b.age, 0), id: coalesce(a.age, 3)})"
        " RETURN a.id AS x, b.id AS y",
        [(2, 3)],
    ),
]


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = GRAPH.write(tmp_path_factory.mktemp("inside") / "graph")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize(("query", "rows"), CASES)
def test_absent_properties_pass(
    oxigraph: IsolatedEngine, query: str, rows: list[tuple[Any, ...]]
) -> None:
    text = render(parse(query), "sparql", GRAPH.schema).text
    answer = oxigraph.run(text, language="sparql", timeout=60)
    assert sorted(answer.rows, key=str) == sorted(rows, key=str), text


def test_edges_of_a_length_have_properties_of_their_own() -> None:
    query = "MATCH (a:P)-[:K*1..2 {since: a.id + 2000}]->(b) RETURN a.id AS x, b.id AS y"
    with pytest.raises(Refused, match="hop-predicate"):
        render(parse(query), "sparql", GRAPH.schema)
