"""A sum of no floats is the integer 0, which Gremlin tells from 0.0 among keys."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from tests.schema_text import read_schema
from translators.render import render

SCHEMA = read_schema("""A(id!: INTEGER, w: FLOAT, n: INTEGER)
A-[R(q: FLOAT)]->A
""")
OPTIONAL = "MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->(b) WITH a, sum(r.q) AS s"


@pytest.mark.parametrize(
    "end",
    [
        "RETURN DISTINCT s",
        "RETURN s, count(*) AS c",
        "RETURN count(DISTINCT s) AS c",
        "WITH DISTINCT s RETURN count(*) AS c",
    ],
)
def test_a_sum_of_nothing_is_no_key(end: str) -> None:
    with pytest.raises(Refused) as caught:
        render(parse(f"{OPTIONAL} {end}"), "gremlin", SCHEMA)
    assert caught.value.code == "mixed-keys"


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (a:A)-[r:R]->(b) WITH a, sum(r.q) AS s RETURN DISTINCT s",
        "MATCH (a:A) RETURN DISTINCT sum(a.w) AS s",
        "MATCH (a:A) OPTIONAL MATCH (a)-[r:R]->(b) WITH a, sum(b.n) AS s RETURN DISTINCT s",
        f"{OPTIONAL} RETURN a.id AS i, s",
    ],
)
def test_a_sum_of_something_is_one(query: str) -> None:
    assert render(parse(query), "gremlin", SCHEMA).text
