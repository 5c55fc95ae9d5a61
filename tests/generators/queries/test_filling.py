"""Slots are filled as the schema says: labels, directions, names, and every walk of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from generators.queries.archetypes.choosing import Choice, Chooser, Usage
from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.filling import fill, labels_of
from generators.queries.archetypes.load import Archetype, load_archetypes
from graph_ir import nodes as ir
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import Hop, SubSchema, sub_schemas
from tests.generators.queries.choirs import CHOIR, PIECE, SCHEMA, SINGER, Choirs
from translators.render import render

HEAD = 'about = "Own."\n[[archetype]]\nname = "own"\n'


@pytest.fixture(scope="module")
def facets(choirs: Choirs) -> Facets:
    return Facets(choirs.schema, choirs.statistics)


def archetype(folder: Path, text: str) -> Archetype:
    (folder / "own.toml").write_text(HEAD + text, encoding="utf-8")
    return load_archetypes([folder])[0]


def edge(name: str) -> EdgeType:
    return next(each for each in SCHEMA.edges if each.label == name)


def filled(folder: Path, facets: Facets, text: str, choice: Choice, **values: ir.Expr) -> str:
    statement = fill(archetype(folder, text), choice, values, facets)
    return " ".join(render(statement, "cypher", SCHEMA).text.split())


def test_an_edge_is_walked_against_its_direction(tmp_path: Path, facets: Facets) -> None:
    choice = Choice(
        {"A": PIECE, "B": SINGER}, {"R": Hop(edge("LIKES"), False)}, {"q": "stars"}, 1.0
    )
    text = (
        'tier = "medium"\nhops = 1\n'
        'cypher = "MATCH (a:A)-[r:R]->(b:B) WHERE r.q > $v RETURN a.name, b.name, r.q"\n'
        'properties = { q = "number" }\nvalues = { v = { of = "q", at = [0.5, 0.6] } }\n'
    )
    assert filled(tmp_path, facets, text, choice, v=ir.Literal(3)) == (
        "MATCH (p:Piece)<-[l:LIKES]-(s:Singer) WHERE l.stars > 3 "
        "RETURN p.title AS title, s.name AS name, l.stars AS stars"
    )


@pytest.mark.parametrize(
    ("nullable", "where"),
    [(True, "s.voice = 'alto' AND s.fee IS NOT NULL"), (False, "s.voice = 'alto'")],
)
def test_no_condition_asks_whether_what_is_never_null_is_there(
    tmp_path: Path, facets: Facets, nullable: bool, where: str
) -> None:
    properties = tuple(
        replace(each, nullable=nullable) if each.name == "fee" else each
        for each in SINGER.properties
    )
    singer = replace(SINGER, properties=properties)
    choice = Choice({"A": singer}, {}, {"c": "voice", "p": "fee"}, 1.0)
    text = (
        'tier = "medium"\nhops = 0\nconstructs = ["order-by", "limit"]\n'
        'cypher = "MATCH (a:A) WHERE a.c = $v AND a.p IS NOT NULL'
        ' RETURN a.name ORDER BY a.p DESC LIMIT 1"\n'
        'properties = { c = "category", p = "amount" }\n'
        'values = { v = { of = "c", share = [0.1, 0.6] } }\n'
    )
    assert filled(tmp_path, facets, text, choice, v=ir.Literal("alto")) == (
        f"MATCH (s:Singer) WHERE {where} RETURN s.name AS name ORDER BY s.fee DESC LIMIT 1"
    )


def test_columns_and_variables_have_names_of_their_own(tmp_path: Path, facets: Facets) -> None:
    choice = Choice({"A": SINGER, "B": CHOIR}, {"R": Hop(edge("SINGS_IN"), True)}, {}, 1.0)
    text = (
        'tier = "hard"\nhops = 2\n'
        'cypher = "MATCH (a:A)-[:R]->(b:B)<-[:R]-(c:A) WITH a, c, count(b) AS s '
        'RETURN a.name, c.name, s ORDER BY s DESC, a.name, c.id"\n'
    )
    assert filled(tmp_path, facets, text, choice) == (
        "MATCH (s2:Singer)-[:SINGS_IN]->(c:Choir)<-[:SINGS_IN]-(s3:Singer) "
        "WITH s2, s3, count(c) AS s "
        "RETURN s2.name AS name, s3.name AS singer_name, s ORDER BY s DESC, s2.name, s3.id"
    )


def test_a_type_is_told_by_a_label_of_its_own() -> None:
    person, actor = NodeType(("Person",)), NodeType(("Person", "Actor"))
    post, reply = NodeType(("Message", "Text")), NodeType(("Message", "Reply", "Text"))
    schema = SchemaGraph("x", (person, actor, post, reply))
    assert labels_of(actor, schema) == ir.LabelName("Actor")
    assert labels_of(person, schema) == ir.LabelName("Person")
    assert labels_of(reply, schema) == ir.LabelName("Reply")
    both = ir.LabelAnd((ir.LabelName("Message"), ir.LabelName("Text")))
    assert labels_of(post, schema) == both


def walk(choice: Choice, slots: str) -> SubSchema:
    hops = tuple(choice.hops[slot] for slot in slots)
    found = SubSchema(hops[0].ends[0], hops)
    return min(found, found.reversed(), key=str)


@pytest.mark.parametrize(
    ("tier", "hops", "cypher"),
    [
        ("easy", 1, "MATCH (a:A)-[:R]->(b:B) RETURN a.id, b.id"),
        (
            "hard",
            2,
            "MATCH (a:A)-[:R]->(b:B)-[:S]->(c:C) WITH DISTINCT a, c RETURN a.id, c.id LIMIT 9",
        ),
    ],
)
def test_every_walk_over_the_schema_is_reached(
    tmp_path: Path, facets: Facets, tier: str, hops: int, cypher: str
) -> None:
    chain = archetype(tmp_path, f'tier = "{tier}"\nhops = {hops}\ncypher = "{cypher}"\n')
    chooser, usage, rng = Chooser(facets), Usage(), Random(2)
    found = set()
    for _ in range(900 if hops == 2 else 60):
        choice = chooser.choose(chain, usage, rng)
        assert choice is not None
        usage.add(choice)
        found.add(walk(choice, "RS"[:hops]))
    # a relation of equals that is stored one way is not walked with a direction
    walks = {
        min(each, each.reversed(), key=str)
        for each in sub_schemas(SCHEMA, hops)
        if all(hop.edge.label != "KNOWS" for hop in each.hops)
    }
    assert found <= walks
    assert found == walks
