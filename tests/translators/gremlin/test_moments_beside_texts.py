"""TinkerGraph has a date as its text: where texts stand beside dates Gremlin refuses what would
take one for the other."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from tests.schema_text import read_schema
from translators.render import render

SCHEMA = read_schema("""A(id!: INTEGER, d: DATE, k: STRING)
B(id!: INTEGER, d: STRING, k: STRING)
C(id!: INTEGER, d: DURATION, n: INTEGER)
""")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n:A) RETURN n.d AS k UNION MATCH (n:B) RETURN n.d AS k", "mixed-keys"),
        ("MATCH (n:B) RETURN n.k AS k UNION MATCH (n:C) RETURN n.d AS k", "mixed-keys"),
        ("MATCH (n:C) RETURN n.d AS k UNION RETURN 'P1D' AS k", "mixed-keys"),
        ("MATCH (n:A|B) WHERE n.d STARTS WITH '2020' RETURN n.id AS i", "dynamic-value"),
        ("MATCH (n:A|B) WHERE NOT n.d CONTAINS '2020' RETURN n.id AS i", "dynamic-value"),
        ("MATCH (n:A|B) WITH n.d AS d WHERE d =~ '2.*' RETURN d", "dynamic-value"),
        ("MATCH (n:B) WHERE n.k ENDS WITH coalesce(n.d, n.n) RETURN n.id AS i", "dynamic-value"),
    ],
)
def test_dates_are_no_texts(query: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        render(parse(query), "gremlin", SCHEMA)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:A) RETURN n.d AS k UNION ALL MATCH (n:B) RETURN n.d AS k",
        "MATCH (n:A) RETURN n.k AS k UNION MATCH (n:B) RETURN n.d AS k",
        "MATCH (n:A) RETURN n.d AS k UNION MATCH (n:A) RETURN n.d AS k",
        "MATCH (n) WHERE n.k STARTS WITH 'a' RETURN n.id AS i",
    ],
)
def test_texts_alone_and_dates_alone_are_said(query: str) -> None:
    assert render(parse(query), "gremlin", SCHEMA).text
