"""One node has an edge of each of several types to another: each counts, where the schema lets an
edge be a direct triple.

Oxigraph (0.5.13) has what both steps of `a|b` reach once, where SPARQL has it twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import SmallGraph, read_graph
from translators.render import render

TEXT = """Sale(id!: INTEGER)
Lot(id!: INTEGER)
User(id!: INTEGER)
Shop(id!: INTEGER)
Lot-[OF]->Sale
Sale-[BUYER]->User
Sale-[SELLER]->User
Sale-[SENT]->User
Sale-[SENT]->Shop

Sale [1]
Sale [2]
Sale [3]
Lot [1]
Lot [2]
User [1]
User [2]
Shop [1]
Lot-OF-Sale [1, 1]
Lot-OF-Sale [2, 1]
Sale-BUYER-User [1, 1]
Sale-BUYER-User [2, 1]
Sale-SELLER-User [1, 1]
Sale-SELLER-User [2, 2]
Sale-SELLER-User [3, 1]
Sale-SENT-User [1, 1]
Sale-SENT-Shop [1, 1]
"""
# The rows are those of Neo4j 2026.08.
CASES: list[tuple[str, list[tuple[object, ...]]]] = [
    ("MATCH (:Sale)-[:BUYER|SELLER]->(u) RETURN u.id AS u", [(1,), (1,), (1,), (1,), (2,)]),
    ("MATCH (u:User)<-[:BUYER|SELLER]-() RETURN count(*) AS n", [(5,)]),
    (
        "MATCH (u:User) OPTIONAL MATCH (u)<-[:BUYER|SELLER]-(s) RETURN u.id AS u, count(s) AS n",
        [(1, 4), (2, 1)],
    ),
    ("MATCH (u:User) RETURN u.id AS u, COUNT { (u)<-[:BUYER|SELLER]-() } AS n", [(1, 4), (2, 1)]),
    (
        "MATCH (u:User) RETURN u.id AS u, size([(u)<-[:BUYER|SELLER]-(s) | s.id]) AS n",
        [(1, 4), (2, 1)],
    ),
    ("MATCH (l:Lot)-[:OF]->()-[:BUYER|SELLER]->(u) RETURN u.id AS u, count(l) AS n", [(1, 4)]),
    ("MATCH (u:User) WHERE EXISTS { (u)<-[:BUYER|SELLER]-({id: 1}) } RETURN u.id AS u", [(1,)]),
    ("MATCH (:Lot)-[:OF|BUYER|SELLER*1..2]->(u) RETURN count(*) AS n", [(6,)]),
    # two edges of two types lead to one user: the keys of both do not decide the row
    (
        "MATCH (s:Sale)-[:BUYER|SELLER]->(u) RETURN DISTINCT s.id AS s, u.id AS u",
        [(1, 1), (2, 1), (2, 2), (3, 1)],
    ),
    ("MATCH (s:Sale)-[:BUYER|SELLER]->(u) RETURN DISTINCT s.id AS s", [(1,), (2,), (3,)]),
    ("MATCH (s:Sale)-[:SENT]->(x) RETURN DISTINCT s.id AS s", [(1,)]),
    ("MATCH (s:Sale)-[:SENT]->(x) RETURN s.id AS s", [(1,), (1,)]),
]


@pytest.fixture(scope="module")
def graph() -> SmallGraph:
    """Each sale has at most one of each type."""
    read = read_graph(TEXT)
    edges = tuple(replace(edge, targets="0..1") for edge in read.schema.edges)
    return replace(read, schema=replace(read.schema, edges=edges))


@pytest.fixture(scope="module")
def oxigraph(
    graph: SmallGraph, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[IsolatedEngine]:
    folder = graph.write(tmp_path_factory.mktemp("types") / "graph")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize(("query", "rows"), CASES)
def test_types_between_two_nodes(
    oxigraph: IsolatedEngine, graph: SmallGraph, query: str, rows: list[tuple[object, ...]]
) -> None:
    text = render(parse(query), "sparql", graph.schema).text
    answer = oxigraph.run(text, language="sparql", timeout=60)
    assert sorted(answer.rows) == rows, text
