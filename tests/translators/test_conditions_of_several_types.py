"""A property that is a truth value of some nodes only is no condition: Cypher raises an error,
where SPARQL and Gremlin would take the others for false."""

from __future__ import annotations

import pytest

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from tests.schema_text import read_schema
from translators.render import render

SCHEMA = read_schema("R(id!: INTEGER, v: STRING)\nZ(id!: INTEGER, v: BOOLEAN)\n")


@pytest.mark.parametrize("language", ["gremlin", "sparql"])
@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) WHERE n.v RETURN n.id AS i",
        "MATCH (n WHERE NOT n.v) RETURN n.id AS i",
        "MATCH (n) WHERE n.v OR n.id = 1 RETURN n.id AS i",
        "MATCH (n) RETURN CASE WHEN n.v THEN 1 ELSE 2 END AS i",
    ],
)
def test_what_may_be_a_text_is_no_condition(language: str, query: str) -> None:
    with pytest.raises(Refused) as caught:
        render(parse(query), language, SCHEMA)
    assert caught.value.code == "type"
    assert render(parse(query.replace("(n", "(n:Z")), language, SCHEMA).text
    assert render(parse(query), language, None).text
