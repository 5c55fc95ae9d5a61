"""A write in GQL leaves the graph that the same write in Cypher leaves, and returns the same."""

from __future__ import annotations

import pytest

from benchmarks.gql_writes import After, Scenario, run
from graph_ir.cypher.reader import parse
from translators.render import render

pytestmark = pytest.mark.slow

GARDEN = """
CREATE (t:Tree {height: 3, kind: 'pear'})-[:NEAR {m: 2}]->(b:Bush {height: 1}),
       (t)-[:NEAR {m: 5}]->(:Bush {height: 2, kind: 'rose'})-[:NEAR {m: 1}]->(b),
       (:Tree {height: 9})
"""

WRITES = (
    "CREATE (a:Tree:Old {height: 1.5, kind: null})-[:NEAR {m: 1}]->(b)<-[:NEAR]-(), (b)-[:OF]->(a)",
    "MATCH (a:Tree), (b:Bush) CREATE (a)-[:SHADES {m: a.height + b.height}]->(:Spot {m: b.height})",
    "UNWIND [1, 2] AS x CREATE (n:Spot {m: x}) WITH n WHERE n.m > 1 CREATE (n)-[:OF]->(:Spot)"
    " RETURN n.m AS m",
    "MATCH (a:Tree) FOREACH (x IN [1, a.height] | CREATE (a)-[:OF]->(:Spot {m: x}))",
    "MATCH (a:Tree) SET a.height = a.height + 1, a.was = a.height, a:Old, a.kind = null",
    "MATCH (a:Tree) SET a = {height: a.height, sort: a.kind}, a += {height: 4, sort: null}",
    "MATCH ()-[r:NEAR]->() SET r.m = r.m * 10 RETURN r.m AS m",
    "MATCH (:Tree)-[:NEAR]->(b) SET b.near = true, b.kind = 'bush'",
    "MATCH ()-[:NEAR]->(b) WITH b, count(*) AS n SET b.n = n RETURN b.n AS n",
    "MATCH (t:Tree) OPTIONAL MATCH (t)-[:NEAR]->(b:Bush {height: 2}) SET b.height = 7",
    "MATCH (t:Tree) REMOVE t.kind, t:Tree RETURN t.height AS h",
    "MATCH (t:Tree {height: 9}) DELETE t",
    "MATCH (t:Tree) OPTIONAL MATCH (t)-[:NEAR]->(b) DETACH DELETE t, b",
    "MATCH (b:Bush)-[r]-() DELETE r DELETE b",
    "MATCH (t:Tree)-[r:NEAR]->() WITH r, r.m AS m DELETE r RETURN m, count(*) AS n",
    "MATCH (t:Tree) DETACH DELETE t CREATE (:Stump) WITH 1 AS one MATCH (n) RETURN count(n) AS n",
    "MATCH (n:Tree {height: 0}) SET n.height = 1",
)


@pytest.mark.parametrize("query", WRITES)
def test_the_graph_is_the_same(url: str, query: str) -> None:
    from neo4j import GraphDatabase

    scenario = Scenario("", [GARDEN], query)
    ours = render(parse(query), "gql-neo4j").text
    with GraphDatabase.driver(url, notifications_min_severity="OFF") as driver:
        try:
            cypher = run(scenario, f"CYPHER 5 {query}", driver)
            gql = run(scenario, f"CYPHER 25 {ours}", driver)
        finally:
            driver.execute_query("MATCH (n) DETACH DELETE n")
    assert not cypher.error
    assert gql == cypher


def test_a_graph_that_differs_is_seen(url: str) -> None:
    from neo4j import GraphDatabase

    seen: list[After] = []
    with GraphDatabase.driver(url, notifications_min_severity="OFF") as driver:
        for text in ("MATCH (b:Bush {height: 1}) SET b:X", "MATCH (b:Bush {height: 2}) SET b:X"):
            seen.append(run(Scenario("", [GARDEN], text), text, driver))
        driver.execute_query("MATCH (n) DETACH DELETE n")
    assert seen[0].graph != seen[1].graph
