"""What a model is told: every key that a validator demands, and only what still has a place."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel

from generators.prompts import prompt
from generators.queries.base import Wanted
from generators.queries.model.context import lacking, named_part
from generators.queries.model.evolution import Step
from generators.queries.model.seeds import Pairs
from generators.questions.levels.model import Known, Said
from generators.schemas.author import SchemaRequest
from generators.schemas.draft import Draft, parse
from generators.schemas.model import REMEDIES
from generators.taxonomy import load_taxonomy, subdomain
from graph_ir.cypher.reader import parse as read
from graph_ir.difficulty import tier
from graph_ir.features import features
from tests.pipelines.drafts import DRAFT, PATH
from tests.schema_text import read_schema

REQUEST = SchemaRequest(subdomain(load_taxonomy(()), PATH), level=1)


def keys_of(shape: type[BaseModel]) -> set[str]:
    """Every key of an answer of this shape, at any depth."""
    whole = shape.model_json_schema()
    parts = [whole, *whole.get("$defs", {}).values()]
    return {key for part in parts for key in part.get("properties", {})}


def text_of(name: str) -> str:
    made = prompt(name)
    blank = dict.fromkeys(made.variables, "")
    return "\n".join(message.text for message in made.render(**blank))


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("schema", Draft),
        ("seeds", Pairs),
        ("evolution", Step),
        ("question-syntactic", Said),
        ("question-logical", Said),
        ("question-business", Said),
        ("knowledge", Known),
    ],
)
def test_a_prompt_names_every_key_of_its_answer(name: str, shape: type[BaseModel]) -> None:
    said = set(re.findall(r"\w+", text_of(name)))
    assert keys_of(shape)
    assert keys_of(shape) - said == set()


def test_the_example_in_the_prompt_of_schemas_is_a_draft() -> None:
    text = text_of("schema")
    example = text[text.index("A small answer") :]
    shown = example[example.index("{") : example.index("Rules:")]
    draft = Draft.model_validate_json(shown)
    proposal, findings = parse(draft, REQUEST)
    assert {finding.code for finding in findings} == {"node-count", "edge-count"}
    assert proposal is not None


def test_all_that_is_wrong_with_a_schema_is_told_at_once_with_what_helps() -> None:
    wrong = {
        "nodes": [
            DRAFT["nodes"][0] | {"name": "bad name"},
            *DRAFT["nodes"][1:],
            *({"name": f"Lone{n}", "singular": "x", "plural": "xs",
               "properties": [{"name": "No", "type": "INTEGER", "key": True, "null": 0.5,
                               "values": {"kind": "sequence"}}]} for n in range(30)),
        ],
        "edges": [{"type": "LINKS", "source": "Account", "target": "Account", "forward": "links",
                   "backward": "is linked by", "cardinality": "n:1", "parallel": True}],
    }  # fmt: skip
    _, findings = parse(Draft.model_validate(wrong), REQUEST)
    codes = {finding.code for finding in findings}
    assert {"bad-name", "nullable-key", "node-count", "wrong-edges", "isolated-node"} <= codes
    assert codes - {"edges", "nodes"} <= REMEDIES.keys()


LIBRARY = read_schema(
    "Branch(id!: INTEGER, name: STRING)\nBook(id!: INTEGER, title: STRING)\n"
    "Author(id!: INTEGER, name: STRING)\nBook-[HELD_BY]->Branch\nBook-[BY]->Author"
)


def test_a_question_s_prompt_shows_what_its_query_names_and_no_more() -> None:
    query = "MATCH (b:Book)-[:HELD_BY]->(r:Branch) RETURN r.name, count(b) AS books"
    part = named_part(LIBRARY, read(query))
    assert [node.name for node in part.nodes] == ["Branch", "Book"]
    assert [edge.label for edge in part.edges] == ["HELD_BY"]
    assert named_part(LIBRARY, read("MATCH (n) RETURN count(n) AS number")) == LIBRARY


def test_only_open_tiers_and_kinds_are_asked_for() -> None:
    wanted = Wanted(
        {"easy": 2, "medium": 0, "hard": 5, "extra_hard": 0},
        {"three-hops": 3, "optional": 0, "negation": 1},
    )
    assert [line.split(":")[0] for line in lacking(wanted).splitlines()] == [
        "- 5 hard",
        "- 2 easy",
        "- of these, 1 with NOT EXISTS { } or <>",  # three edges are extra hard, which is full
    ]
    assert "easy" not in lacking(wanted, "medium")  # a harder form is none
    deep = Wanted({"extra_hard": 2}, {"three-hops": 2})
    assert "three edges in one" in lacking(deep, hops=3)
    assert "three edges in one" not in lacking(deep, hops=1)  # no such path is shown
    assert lacking(Wanted()) == "- whatever fits"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (a)-[:X]->(b) RETURN a.n", "easy"),
        ("MATCH (a) RETURN count(a) AS n", "medium"),
        ("MATCH (a) WHERE NOT EXISTS { (a)-[:X]->() } RETURN a.n", "hard"),
        ("MATCH (a)-[:X]->(b)-[:X]->(c)-[:X]->(d) RETURN a.n", "extra_hard"),
        ("MATCH (a) WITH a LIMIT 3 MATCH (a)-->(b) RETURN b.n", "extra_hard"),
    ],
)
def test_what_prompts_say_of_tiers_is_how_they_are_told(text: str, expected: str) -> None:
    assert tier(features(read(text))) == expected
