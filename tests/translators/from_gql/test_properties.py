"""Properties of GQL's readers over random queries with hostile names and constants."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from tests.translators.random_queries import queries, schemas
from translators.language import Origin, reader
from translators.render import render

pytestmark = pytest.mark.slow

PROFILES = ("gql", "gql-neo4j", "gql-grafeo", "spanner")
# grafeo's texts have what stands for what it gets wrong, which is written anew.
ROUND = tuple(name for name in PROFILES if name != "gql-grafeo")


@pytest.mark.parametrize("profile", ROUND)
@settings(deadline=None)
@given(data=st.data())
def test_what_is_written_is_read_as_what_writes_the_same(profile: str, data: st.DataObject) -> None:
    schema = data.draw(schemas())
    try:
        text = render(parse(data.draw(queries(schema))), profile, schema).text
    except (Refused, QueryTextError):
        return
    read = reader(profile, Origin(schema=schema))
    again = render(read(text), profile, schema).text
    assert again == text or render(read(again), profile, schema).text == again


@pytest.mark.parametrize("profile", PROFILES)
@settings(deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_is_read_or_gets_a_typed_error(profile: str, text: str) -> None:
    with suppress(QueryTextError, Refused):
        reader(profile, Origin())(text)
