"""Keys and distinct values among which 1 and 1.0 may stand beside texts and truth values: one value
in Cypher and two terms in RDF, so SPARQL refuses them; where they cannot meet it answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from qa.fuzz.graphs import read_graph
from translators.render import render

GRAPH = read_graph("""P(id!: INTEGER, v: INTEGER, l: LIST<INTEGER>, t: STRING)
M(id!: INTEGER, v: FLOAT, l: LIST<FLOAT>)
R(id!: INTEGER, v: STRING, l: LIST<STRING>, t: LIST<STRING>)
Z(id!: INTEGER, v: BOOLEAN)
P-[K(w: INTEGER)]->M
P-[K(w: FLOAT)]->P
P-[K(w: STRING)]->R

P [1, 1, [1], "x"]
P [2, 2, [2], "x"]
P [3, 1, [], "y"]
M [4, 1.0, [1.0]]
M [5, 2.5, [1.0]]
R [6, "1", ["x"], ["x"]]
R [8, "2", ["x"], ["x"]]
Z [7, true]
P-K-M [1, 4, 1]
P-K-P [1, 2, 1.0]
P-K-R [1, 6, "1"]
""")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) RETURN count(DISTINCT n.v) AS c",
        "MATCH (n) WITH DISTINCT n.v AS v RETURN count(*) AS c",
        "MATCH (n) RETURN DISTINCT n.v AS v",
        "MATCH (n) RETURN n.v AS v, count(*) AS c",
        "MATCH (n) RETURN collect(DISTINCT n.v) AS c",
        "MATCH (n) WITH n.v AS v WHERE v <> 'x' RETURN v, count(*) AS c",
        "MATCH (:P)-[k:K]->() RETURN k.w AS w, count(*) AS c",
        "MATCH (n:P) RETURN n.v AS v UNION MATCH (n) RETURN n.v AS v",
        "MATCH (n:P) RETURN n.v AS v UNION MATCH (n:M|R) RETURN n.v AS v",
        "MATCH (n:P|M) RETURN n.v AS v UNION MATCH (n:P|M) RETURN n.v AS v",
        "MATCH (n:P) RETURN [n.v] AS v UNION MATCH (n:M) RETURN [n.v] AS v",
        "MATCH (n:P|R) RETURN DISTINCT coalesce(n.v, 1.0) AS v",
        "MATCH (n) RETURN DISTINCT CASE WHEN n.id > 2 THEN n.v ELSE 'x' END AS v",
        "MATCH (n) RETURN DISTINCT [n.v] AS v",
        "MATCH (n) RETURN count(DISTINCT {v: n.v}) AS v",
        "MATCH (n) UNWIND n.l AS x RETURN DISTINCT x",
        # a sum of no floats is the integer 0
        "MATCH (n:P) OPTIONAL MATCH (n)-[:K]->(m:M) WITH n, sum(m.v) AS s RETURN DISTINCT s",
        "MATCH (n:P) OPTIONAL MATCH (n)-[:K]->(m:M) WITH n, sum(m.v) AS s RETURN s, count(*) AS c",
        "MATCH (n:M) RETURN sum(n.v) AS s UNION MATCH (n:M) WHERE n.v < 0 RETURN sum(n.v) AS s",
    ],
)
def test_numbers_of_two_forms_are_no_keys(query: str) -> None:
    with pytest.raises(Refused) as caught:
        render(parse(query), "sparql", GRAPH.schema)
    assert caught.value.code in ("mixed-numbers", "mixed-keys", "distinct-order", "aggregate")


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:P|R) RETURN DISTINCT n.t AS t",
        "MATCH (n:P|R) RETURN n.t AS t, count(*) AS c",
        "MATCH (n:P|R) RETURN count(DISTINCT n.t) AS c",
        "MATCH (n:P|R) RETURN collect(n.t) AS c",
        "MATCH (n:P|R) RETURN [n.t] AS l",
    ],
)
def test_lists_beside_texts_are_no_keys(query: str) -> None:
    """Equal lists have different heads, of which nothing tells that they are lists."""
    with pytest.raises(Refused) as caught:
        render(parse(query), "sparql", GRAPH.schema)
    assert caught.value.code in ("distinct-order", "unsupported-expression", "nested-list")


# The rows are those of Neo4j 2026.08.
CASES: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("MATCH (n:P|R) RETURN n.v AS v, count(*) AS c", [(1, 2), (2, 1), ("1", 1), ("2", 1)]),
    ("MATCH (n:M|Z) RETURN DISTINCT n.v AS v", [(1.0,), (2.5,), (True,)]),
    ("MATCH (n:P|R) RETURN count(DISTINCT n.v) AS c", [(4,)]),
    (
        "MATCH (n:P|R) RETURN n.v AS v UNION MATCH (n:P|Z) RETURN n.v AS v",
        [(1,), (2,), ("1",), ("2",), (True,)],
    ),
    (
        "MATCH (n) WITH n, n.v AS v, count(*) AS c RETURN v, c",
        [
            *[(1, 1), (1, 1), (2, 1), (1.0, 1), (2.5, 1), ("1", 1), ("2", 1), (True, 1)],
        ],
    ),
    ("MATCH (n:M) RETURN DISTINCT sum(n.v) AS s", [(3.5,)]),
    ("MATCH (n:M) WITH n, sum(n.v) AS s RETURN DISTINCT s", [(1.0,), (2.5,)]),
    ("MATCH (n:P|M) WITH DISTINCT n, n.v AS v RETURN v", [(1,), (1,), (2,), (1.0,), (2.5,)]),
    (
        "MATCH (n:P|R) WITH DISTINCT n, n.t AS t RETURN n.id AS i, t",
        [(1, "x"), (2, "x"), (3, "y"), (6, ["x"]), (8, ["x"])],
    ),
    ("MATCH (n:M) RETURN DISTINCT [n.id, n.v] AS l", [([4, 1.0],), ([5, 2.5],)]),
]


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = GRAPH.write(tmp_path_factory.mktemp("keys") / "graph")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize(("query", "rows"), CASES)
def test_numbers_of_one_form_are_keys(
    oxigraph: IsolatedEngine, query: str, rows: list[tuple[Any, ...]]
) -> None:
    text = render(parse(query), "sparql", GRAPH.schema).text
    answer = oxigraph.run(text, language="sparql", timeout=60)
    assert sorted(answer.rows, key=str) == sorted(rows, key=str), text
