"""Edges of one type between the same two nodes, and loops: SPARQL counts them as Cypher does.

A direct triple is there once for all of them; where their number matters the edges are asked.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import read_graph
from translators.render import render

TEXT = """A(id!: INTEGER)
B(id!: INTEGER)
A-[R(w: INTEGER?)]->A
A-[S]->A
A-[R]->B
A-[S]->B

A [1]
A [2]
A [3]
B [1]
A-R-A [1, 2, 5]
A-R-A [1, 2, 5]
A-R-A [2, 1, null]
A-R-A [2, 3, 7]
A-R-A [2, 3, 8]
A-R-A [3, 3, 1]
A-R-A [3, 3, 1]
A-S-A [1, 2]
A-S-A [1, 2]
A-R-B [1, 1]
A-R-B [1, 1]
A-S-B [2, 1]
"""
GRAPH = read_graph(TEXT)
# The rows are those of Neo4j 2026.08.
CASES: list[tuple[str, list[tuple[int, ...]]]] = [
    (
        "MATCH (a:A)-[:R]->(b:A) RETURN a.id AS x, b.id AS y",
        [(1, 2), (1, 2), (2, 1), (2, 3), (2, 3), (3, 3), (3, 3)],
    ),
    (
        "MATCH (a:A)-[:R|S]-(b) RETURN a.id AS x, b.id AS y",
        [
            (1, 1),
            (1, 1),
            (1, 2),
            (1, 2),
            (1, 2),
            (1, 2),
            (1, 2),
            (2, 1),
            (2, 1),
            (2, 1),
            (2, 1),
            (2, 1),
            (2, 1),
            (2, 3),
            (2, 3),
            (3, 2),
            (3, 2),
            (3, 3),
            (3, 3),
        ],
    ),
    ("MATCH (a:A)--(b) RETURN a.id AS x, count(*) AS n", [(1, 7), (2, 8), (3, 4)]),
    (
        "MATCH (a:A)-[:R]->(b) RETURN a.id AS x, count(DISTINCT b) AS n, count(*) AS m",
        [(1, 2, 4), (2, 2, 3), (3, 1, 2)],
    ),
    (
        "MATCH (a:A)-[:R]->(b) RETURN DISTINCT a.id AS x, b.id AS y",
        [(1, 1), (1, 2), (2, 1), (2, 3), (3, 3)],
    ),
    ("MATCH (a:A)-[:R]->(b) WITH DISTINCT a, b MATCH (a)-[:R]->(c) RETURN count(*) AS n", [(16,)]),
    (
        "MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:B) RETURN a.id AS x, count(b) AS n",
        [(1, 2), (2, 0), (3, 0)],
    ),
    ("MATCH (a:A)-[r:R]->(b:A) RETURN a.id AS x, sum(r.w) AS s", [(1, 10), (2, 15), (3, 2)]),
    ("MATCH (a:A) WHERE EXISTS { (a)-[:R]->(b)<-[:R]-(a) } RETURN a.id AS x", [(1,), (2,), (3,)]),
    ("MATCH (a:A) WHERE EXISTS { (a)-[:S]->(b:B)<-[:S]-(a) } RETURN a.id AS x", []),
    ("MATCH (a:A) WHERE COUNT { (a)-[:R]->() } > 1 RETURN a.id AS x", [(1,), (2,), (3,)]),
    (
        "MATCH (a:A)-[:R]->(b)<-[:R]-(c) RETURN DISTINCT a.id AS x, c.id AS z",
        [(1, 1), (2, 2), (2, 3), (3, 2), (3, 3)],
    ),
    ("MATCH (a:A)-[:R]->(b), (a)-[:S]->(c) RETURN a.id AS x, count(*) AS n", [(1, 8), (2, 3)]),
    ("MATCH (a:A)-[:S]->(b:B), (a)-[:S]->(b) RETURN DISTINCT a.id AS x", []),
    ("MATCH (a:A)-[:R*0..2]->(b) RETURN a.id AS x, count(*) AS n", [(1, 11), (2, 12), (3, 5)]),
    (
        "MATCH (a:A)-[:R*2..2]->(b) RETURN DISTINCT a.id AS x, b.id AS y",
        [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 3)],
    ),
    (
        "MATCH (a:A)-[:R*]->(b) RETURN DISTINCT a.id AS x, b.id AS y",
        [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 3)],
    ),
    ("MATCH (a:A)-[:R*1..2]-(b) RETURN a.id AS x, count(*) AS n", [(1, 19), (2, 23), (3, 18)]),
    (
        "MATCH (a:A)-[:R]->(b) RETURN a.id AS x UNION ALL MATCH (a:A)-[:S]->(b) RETURN a.id AS x",
        [(1,), (1,), (1,), (1,), (1,), (1,), (2,), (2,), (2,), (2,), (3,), (3,)],
    ),
    (
        "MATCH (a:A)-[:R]->(b) RETURN b.id AS y ORDER BY y SKIP 2",
        [(1,), (2,), (2,), (3,), (3,), (3,), (3,)],
    ),
    ("MATCH (a:A)-[r1:R]->(b) MATCH (a)-[r2:R]->(b) WHERE r1 <> r2 RETURN count(*) AS n", [(8,)]),
    ("MATCH (a:A) RETURN a.id AS x, size([(a)-[:R]->(b) | b.id]) AS n", [(1, 4), (2, 3), (3, 2)]),
]


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = GRAPH.write(tmp_path_factory.mktemp("parallel") / "graph")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize("with_schema", [True, False])
@pytest.mark.parametrize(("query", "rows"), CASES)
def test_parallel_edges(
    oxigraph: IsolatedEngine, query: str, rows: list[tuple[int, ...]], with_schema: bool
) -> None:
    if "sum(" in query and not with_schema:
        return  # refused: what the sum is of is not known
    text = render(parse(query), "sparql", GRAPH.schema if with_schema else None).text
    answer = oxigraph.run(text, language="sparql", timeout=60)
    assert sorted(answer.rows) == rows, text
