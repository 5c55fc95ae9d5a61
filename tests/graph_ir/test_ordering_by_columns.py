"""What a subquery in ORDER BY reads of the columns is made before it."""

from __future__ import annotations

import pytest

from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.ordering import columns_first
from graph_ir.rewrites import probe
from translators.render import render


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("query", "staged"),
    [
        (
            "MATCH (p) RETURN head(collect(p)) AS x, p.city AS c "
            "ORDER BY COUNT { MATCH (x)-->() }, p.city, c SKIP 1 LIMIT 2",
            "MATCH (p) WITH head(collect(p)) AS x, p.city AS c RETURN x, c "
            "ORDER BY COUNT { MATCH (x)-->() }, c, c SKIP 1 LIMIT 2",
        ),
        (  # names that change places: in a key they are columns
            "MATCH (p)-->(q) RETURN DISTINCT p AS q, q AS p ORDER BY COUNT { MATCH (p)-->() }, p.x",
            "MATCH (p)-->(q) WITH DISTINCT p AS q, q AS p RETURN q, p "
            "ORDER BY COUNT { MATCH (p)-->() }, p.x",
        ),
        (  # a name that the groups have dropped is another variable in the subquery
            "MATCH (c) RETURN c.x AS x, c AS y, count(*) AS n "
            "ORDER BY COUNT { MATCH (c)-->() WHERE c.x = n }, c.x, x",
            "MATCH (c) WITH c.x AS x, c AS y, count(*) AS n RETURN x, y, n "
            "ORDER BY COUNT { MATCH (c)-->() WHERE c.x = n }, x, x",
        ),
        (  # where no row is lost, variables from before are read beside the columns
            "MATCH (p) WITH p.x AS x ORDER BY [y IN [x] WHERE y > p.y], x LIMIT 2 WHERE p.z "
            "RETURN x",
            "MATCH (p) WITH p.x AS x, p WITH x ORDER BY [y IN [x] WHERE y > p.y], x LIMIT 2 "
            "WHERE p.z RETURN x",
        ),
        (  # in a subquery, too
            "MATCH (p) RETURN COLLECT { MATCH (q) RETURN q.x AS x "
            "ORDER BY COUNT { MATCH (q)-->(p) WHERE p.y = x } } AS l",
            "MATCH (p) RETURN COLLECT { MATCH (q) WITH q.x AS x, q RETURN x "
            "ORDER BY COUNT { MATCH (q)-->(p) WHERE p.y = x } } AS l",
        ),
    ],
)
def test_columns_that_a_subquery_reads_come_first(query: str, staged: str) -> None:
    changed = columns_first(parse(query))
    assert flat(render(changed, "cypher").text) == staged
    assert columns_first(changed) is changed


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (p) RETURN p.x AS x ORDER BY COUNT { (p)-->() }, x",
        "MATCH (p) RETURN p, COUNT { (p)-->() } AS n ORDER BY COUNT { (p)-->() }, n",
        "MATCH (p) RETURN DISTINCT p ORDER BY COUNT { (p)-->() }",
    ],
)
def test_keys_that_read_no_new_column_stay(query: str) -> None:
    statement = parse(query)
    assert columns_first(statement) is statement


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (
            "MATCH (p) RETURN p AS x ORDER BY COUNT { MATCH (x)-->() } LIMIT 1",
            "MATCH (p) WITH p AS x RETURN x, COUNT { MATCH (x)-->() } AS sort_key_1 "
            "ORDER BY COUNT { MATCH (x)-->() }",
        ),
        (  # nor is a name that DISTINCT has dropped met in one
            "MATCH (p)-->(n) RETURN DISTINCT p.x AS p ORDER BY COUNT { MATCH (n)-->() }",
            "MATCH (p)-->(n) WITH DISTINCT p.x AS p RETURN p, COUNT { MATCH (n)-->() } "
            "AS sort_key_1 ORDER BY COUNT { MATCH (n)-->() }",
        ),
        (  # no aggregate gets into a subquery
            "MATCH (p) RETURN p.x AS x, count(*) AS n ORDER BY EXISTS { MATCH (q) WHERE q.y = n }",
            "MATCH (p) WITH p.x AS x, count(*) AS n "
            "RETURN x, n, EXISTS { MATCH (q) WHERE q.y = n } AS sort_key_1 "
            "ORDER BY EXISTS { MATCH (q) WHERE q.y = n }",
        ),
    ],
)
def test_a_probe_asks_for_the_key_that_is_meant(query: str, asked: str) -> None:
    found = probe(parse(query))
    assert found is not None
    assert flat(render(found.statement, "cypher").text) == asked
    assert not bind(found.statement).errors
