"""A name that a projection has dropped and an expression binds again is another variable, and what
subqueries read from outside stays theirs behind a WITH."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graph_ir.scopes import plain_scopes
from translators.render import render


@pytest.mark.parametrize(
    ("query", "apart"),
    [
        (
            "MATCH (p) WITH p.city AS city, count(*) AS n WHERE EXISTS { MATCH (p) "
            "WHERE p.city = city } RETURN city, n",
            "MATCH (p) WITH p.city AS city, count(*) AS n WHERE EXISTS { MATCH (p_1) "
            "WHERE p_1.city = city } RETURN city, n",
        ),
        (
            "MATCH (p) RETURN DISTINCT p.city AS city ORDER BY COUNT { MATCH (p)-[:R]->() "
            "WHERE p.city = city }, city",
            "MATCH (p) RETURN DISTINCT p.city AS city ORDER BY COUNT { MATCH (p_1)-[:R]->() "
            "WHERE p_1.city = city }, city",
        ),
        (  # behind it, too; a name that is taken is passed over
            "MATCH (p)-[p_1]->(q) WITH q MATCH (q) RETURN [p IN [1] | p] AS l, "
            "[(p)-->(q) | p.x] AS m",
            "MATCH (p)-[p_1]->(q) WITH q MATCH (q) RETURN [p_2 IN [1] | p_2] AS l, "
            "[(p_2)-->(q) | p_2.x] AS m",
        ),
        (  # whatever binds it
            "MATCH (p)-[k]->() WITH p.city AS city, count(*) AS n WHERE EXISTS { UNWIND [n] AS p "
            "MATCH k = ()-->() WITH p WHERE p > 1 RETURN p } RETURN city, n",
            "MATCH (p)-[k]->() WITH p.city AS city, count(*) AS n WHERE EXISTS { UNWIND [n] AS p_1 "
            "MATCH k_1 = ()-->() WITH p_1 WHERE p_1 > 1 RETURN p_1 } RETURN city, n",
        ),
        (  # an item and the grouping key that it is
            "MATCH (p) WITH collect(p) AS ps RETURN [p IN ps | p.x] AS xs, count(*) AS n",
            "MATCH (p) WITH collect(p) AS ps RETURN [p_1 IN ps | p_1.x] AS xs, count(*) AS n",
        ),
        (  # a subquery in a subquery
            "MATCH (p) WHERE EXISTS { MATCH (p)-->(q) WITH q.city AS c, count(*) AS n "
            "WHERE EXISTS { MATCH (q)-->(p) WHERE q.city = c } RETURN c } RETURN p",
            "MATCH (p) WHERE EXISTS { MATCH (p)-->(q) WITH q.city AS c, count(*) AS n, p "
            "WHERE EXISTS { MATCH (q_1)-->(p) WHERE q_1.city = c } RETURN c } RETURN p",
        ),
        (  # what clauses behind a WITH read from outside
            "MATCH (p) RETURN COUNT { MATCH (p)-->(q) WITH DISTINCT q MATCH (p)-->(x) RETURN x } "
            "AS n",
            "MATCH (p) RETURN COUNT { MATCH (p)-->(q) WITH DISTINCT q, p MATCH (p)-->(x) "
            "RETURN x } AS n",
        ),
        (  # EXISTS, COUNT and COLLECT group by it, CALL does not
            "MATCH (p) WHERE EXISTS { MATCH (p)-->(q) WITH count(q) AS n WHERE n < p.x RETURN n } "
            "RETURN p",
            "MATCH (p) WHERE EXISTS { MATCH (p)-->(q) WITH count(q) AS n, p WHERE n < p.x "
            "RETURN n } RETURN p",
        ),
        (
            "MATCH (p) CALL (p) { MATCH (p)-->(q) WITH count(q) AS n RETURN n + p.x AS m } "
            "RETURN m",
            "MATCH (p) CALL (p) { CALL (p) { MATCH (p)-->(q) RETURN count(q) AS n } WITH n, p "
            "RETURN n + p.x AS m } RETURN m",
        ),
    ],
)
def test_new_names(query: str, apart: str) -> None:
    statement = plain_scopes(parse(query))
    assert " ".join(render(statement, "cypher").text.split()) == apart
    assert plain_scopes(statement) is statement


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p) WITH p.city AS city WHERE EXISTS { MATCH (p)-->() } RETURN city",
        "MATCH (p) WITH p, count(*) AS n WHERE EXISTS { MATCH (p)-->() } RETURN p, n",
        "MATCH (p) WHERE EXISTS { (p)-->(q) } RETURN COUNT { (p)<--(q) } AS n",
        "MATCH (p) CALL () { MATCH (p) RETURN count(p) AS n } RETURN n",
        "MATCH (p) RETURN [p IN [1, 2] | p] AS l",
    ],
)
def test_what_is_in_scope_or_was_never_keeps_its_name(query: str) -> None:
    statement = parse(query)
    assert plain_scopes(statement) is statement
