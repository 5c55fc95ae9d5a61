"""A read said in GQL answers on Neo4j as the Cypher does: names, groups, values of many types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graph_ir.cypher.reader import parse
from translators.render import render

pytestmark = pytest.mark.slow

GARDEN = """
CREATE (t:Tree {id: 1, height: 3, kind: 'pear', marks: [1, 2]}),
       (b:Bush {id: 2, height: 1, kind: 7, marks: []}), (c:Bush {id: 3, height: 1.5}),
       (t)-[:NEAR {m: 2}]->(b), (t)-[:NEAR {m: 5}]->(c), (c)-[:NEAR {m: 1}]->(b),
       (b)-[:NEAR]->(b)
"""

READS = (
    # Columns called like variables.
    "MATCH (n) RETURN n.height AS a, count(*) AS n",
    "MATCH (n)-[r]->(m) RETURN n.id AS m, count(r) AS r, sum(m.id) AS n ORDER BY n DESC, m",
    "MATCH (n) RETURN n.kind AS `a b`, collect(n.id) AS n",
    "MATCH (n) RETURN CASE WHEN count(*) > 1 THEN 'many' ELSE 'one' END AS n, n.marks AS marks",
    "MATCH (n) RETURN n.id AS i, count(*) AS n UNION MATCH (n) RETURN n.id AS i, 1 AS n",
    "MATCH (n) WITH n.height AS h, max(n.id) AS n WHERE n > 1 RETURN h, n",
    "MATCH (n) UNWIND n.marks AS x RETURN x AS n, count(*) AS x",
    "MATCH (n)-[k]->(m) RETURN max(m.id) AS k, count(*) AS m, n.id AS b ORDER BY m, k DESC, b",
    "MATCH (n)-[k]->(m) RETURN n.id AS k, m.id AS n, n.id - m.id AS m ORDER BY m, n",
    # Variables called like names of ours.
    "MATCH (one) WHERE EXISTS { MATCH (one)-->(x) WITH x WHERE x.id > 2 RETURN x } RETURN one.id",
    "MATCH (one), (one_1) WHERE EXISTS { UNWIND one.marks AS x RETURN x } RETURN one.id, one_1.id",
    "MATCH (item) RETURN [(item)-->(x) | [(x)-->(y) | y.id]] AS item",
    "MATCH (total) RETURN total.id AS id ORDER BY COUNT { (total)-->() } DESC, id",
    "MATCH (items) RETURN COLLECT { MATCH (items)-->(x) RETURN DISTINCT x.height } AS total",
    "MATCH (node)-[edge*1..2]->(element) RETURN node.id, element.id, size(edge) AS result",
    "MATCH (row_count) RETURN row_count.kind AS k, count(*) + 1 AS c",
    # Properties of several types.
    "MATCH (n) RETURN n.kind STARTS WITH '7' AS s, n.kind ENDS WITH 'r' AS e, n.height / 2 AS h",
    "UNWIND [1, '10', true, null, 1.5, [1]] AS v RETURN v STARTS WITH '1', v CONTAINS '1'",
    "MATCH (n) RETURN n.kind STARTS WITH n.kind AS s, n.kind STARTS WITH n.id AS t",
    # LET and FILTER.
    "MATCH (n) LET h = n.height, k = n.kind FILTER h > 1 RETURN h, k",
    "UNWIND [1, 2] AS x LET y = x * 2 FILTER WHERE y > 2 RETURN *",
    "MATCH (n) LET k = COUNT { MATCH (n)-->(m) FILTER m.id > 1 } FILTER k > 0 RETURN n.id, k",
    "FILTER 1 = 2 MATCH (n) RETURN *",
    "MATCH (n) CALL (n) { MATCH (n)-->(m) LET k = m.id RETURN sum(k) AS s } FILTER s > 2 RETURN s",
    "RETURN EXISTS { LET x = 1 } AS yes, EXISTS { FILTER false } AS no",
)

WRONG = (
    "MATCH (n) LET a = 1, b = a + 1 RETURN b",
    "WITH 1 AS a LET a = 2 RETURN a",
    "LET a = 1, a = 2 RETURN a",
    "MATCH (n) LET a = count(*) RETURN a",
    "UNWIND [1] AS x FILTER count(x) > 0 RETURN x",
    "MATCH (x) RETURN COLLECT { LET x = 2 RETURN x } AS y",
    "LET x = 1",
    "MATCH (n) LET n.x = 1 RETURN n",
)


@pytest.fixture(scope="module")
def session(url: str) -> Iterator[Any]:
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver(url, notifications_min_severity="OFF") as driver,
        driver.session() as session,
    ):
        session.run(GARDEN).consume()
        yield session
        session.run("MATCH (n) DETACH DELETE n").consume()


def rows(session: Any, text: str) -> tuple[list[str], list[str]]:
    result = session.run(text)
    names = result.keys()
    values = [repr(record.values()) for record in result]
    return names, values if "ORDER BY" in text else sorted(values)


@pytest.mark.parametrize("query", READS)
def test_rows_are_the_same(session: Any, query: str) -> None:
    expected = rows(session, f"CYPHER 25 {query}")
    assert rows(session, f"CYPHER 25 {render(parse(query), 'gql-neo4j').text}") == expected
    assert rows(session, f"CYPHER 5 {render(parse(query), 'cypher').text}") == expected


@pytest.mark.parametrize("query", WRONG)
def test_what_neo4j_refuses_is_refused(session: Any, query: str) -> None:
    from neo4j.exceptions import CypherSyntaxError

    from graphmill.errors import QueryTextError

    with pytest.raises(CypherSyntaxError):
        rows(session, f"CYPHER 25 {query}")
    with pytest.raises(QueryTextError):
        render(parse(query), "cypher")
