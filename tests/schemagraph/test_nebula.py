"""How a schema lies in a space: tags and their properties, vertex ids, what can be stored."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from schemagraph.nebula import Tags, vid
from tests.schema_text import read_schema
from translators.render import render

SHARED = read_schema(
    "Person(id!: INTEGER, name: STRING)\n"
    "Person&Actor(id!: INTEGER, name: STRING, fee: FLOAT)\n"
    "Actor&Robot(id!: INTEGER, fee: FLOAT, model: STRING)\n"
    "City(name!: STRING)"
)


def test_a_tag_holds_what_all_its_node_types_have() -> None:
    tags = Tags(SHARED)
    assert [p.name for p in tags.properties("Person")] == ["id", "name"]
    # `Actor` is on people and robots: both have an id and a fee, only robots a model.
    assert [p.name for p in tags.properties("Actor")] == ["id", "fee"]
    assert [p.name for p in tags.properties("Robot")] == ["id", "fee", "model"]
    actor = SHARED.node_by_name["Person&Actor"]
    assert tags.holders(actor, "id") == ("Person", "Actor")
    assert tags.holders(actor, "name") == ("Person",)
    assert tags.holders(actor, "nothing") == ()


def test_a_property_without_such_a_tag_is_held_by_the_first_label() -> None:
    tags = Tags(read_schema("A&B(x: INTEGER)\nA&C(y: INTEGER)\nB&C(z: INTEGER)"))
    assert [p.name for p in tags.properties("A")] == ["x", "y"]
    assert [p.name for p in tags.properties("B")] == ["z"]
    assert tags.properties("C") == ()


def test_one_tag_covers_several_types_where_one_does() -> None:
    tags = Tags(SHARED)
    people = ["Person", "Person&Actor"]
    assert tags.cover(people, "id") == ("Person",)
    assert tags.cover(["Person&Actor"], "id", wanted=["Actor"]) == ("Actor",)
    assert tags.cover([*people, "Actor&Robot"], "id") == ("Person", "Actor")
    assert tags.cover([*people, "City"], "name") == ("Person", "City")
    assert tags.cover(people, "model") == ()


@given(st.lists(st.text(max_size=6), min_size=1, max_size=3), st.data())
def test_vertex_ids_of_different_keys_differ(key: list[str], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.text(max_size=6), min_size=len(key), max_size=len(key)))
    assert (vid("T", key) == vid("T", other)) == (key == other)


def test_vertex_ids_keep_the_parts_apart() -> None:
    parts = ["", "/", "%", "%2F", "a"]
    assert len({vid("T", pair) for pair in product(parts, parts)}) == 25


@pytest.mark.parametrize(
    "kind", ["BYTES", "POINT", "MAP", "ZONED_TIME", "LIST<DATE>", "LIST<BOOLEAN>"]
)
def test_properties_that_cannot_be_stored_are_refused(kind: str) -> None:
    schema = read_schema(f"A(id!: INTEGER, x: {kind})\nA-[T(y: {kind})]->A")
    for query in ("MATCH (a:A) RETURN a.x", "MATCH (a:A)-[e:T]->() RETURN e.y"):
        with pytest.raises(Refused) as caught:
            render(parse(query), "ngql", schema)
        assert caught.value.code == "property-type"


@pytest.mark.parametrize("kind", ["LIST<STRING>", "LIST<INTEGER>", "LIST<FLOAT>", "DURATION"])
def test_properties_that_can_be_stored_are_read(kind: str) -> None:
    schema = read_schema(f"A(id!: INTEGER, x: {kind})")
    assert render(parse("MATCH (a:A) RETURN a.x AS x"), "ngql", schema).text == (
        "MATCH (a:A)\nRETURN a.A.x AS x"
    )
