"""The checks of the question levels, on questions of people and models, good and bad."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.record import Provenance, Questions, Record
from qa.answerability import WORDS, ambiguities, settle
from qa.levels import level_findings
from qa.mentions import Spoken
from tests.blocks import blocks
from tests.schema_text import read_schema

HERE = Path(__file__).parent
LIBRARY = HERE.parent / "generators" / "questions" / "library.schema"
SCHEMA = read_schema(LIBRARY.read_text(encoding="utf-8"))
LEVELS = {"S": "syntactic", "L": "logical", "B": "business"}


@dataclass(frozen=True)
class Case:
    """One block: a query, what is asked at each level, and what the check must find."""

    place: str
    query: str
    said: dict[str, str] = field(hash=False)
    expected: str = "ok"


def cases() -> Iterator[Case]:
    good: dict[str, dict[str, str]] = {}
    for block in blocks(HERE / "levels.pairs"):
        query, *lines, expected = block.lines
        own = {found[1]: found[2] for t in lines if (found := re.fullmatch(r"(\w): (.*)", t))}
        yield Case(block.place, query, {**good.setdefault(query, own), **own}, expected)


CASES = list(cases())


def pair(query: str, said: dict[str, str]) -> Pair:
    record = Record(
        schema="",
        db="library",
        questions=Questions(**{LEVELS[key]: said[key] for key in LEVELS}),
        queries={"cypher": query},
        provenance=Provenance("test", "", 0),
        external_knowledge=said.get("K", ""),
    )
    return Pair.read(record)


@pytest.mark.parametrize("case", CASES, ids=[case.place for case in CASES])
def test_levels(case: Case) -> None:
    found = list(level_findings(pair(case.query, case.said), SCHEMA))
    shown = [f"{each.evidence['level']} {each.code}" for each in found]
    assert shown == ([] if case.expected == "ok" else [case.expected]), found


def test_there_are_good_and_bad_ones() -> None:
    assert 5 < sum(case.expected == "ok" for case in CASES) < len(CASES) - 10


def test_words_of_the_graph_name_a_relation() -> None:
    said = {
        "S": "Match a Member with a FOLLOWS edge to an Author; return full_name.",
        "L": "What are the full names of members who admire an author?",
        "B": "Who are our fans?",
    }
    asked = pair("MATCH (m:Member)-[:FOLLOWS]->(a:Author) RETURN m.full_name", said)
    assert [f.code for f in level_findings(asked, SCHEMA)] == ["relation-missing"]
    words = Spoken(edges={"FOLLOWS": ("admires {}",)})
    assert not list(level_findings(asked, SCHEMA, words))


# --- what a question leaves open ---------------------------------------------------------------

TWO_WAYS = read_schema(
    """
Person(id!: INTEGER, name: STRING, first_name: STRING, home_phone: STRING, work_phone: STRING)
City(name!: STRING, country: STRING)
Person-[BORN_IN]->City
Person-[WORKS_IN]->City
"""
)


def open_ones(query: str, text: str) -> list[tuple[str, str, str]]:
    found = ambiguities(parse(query), text, TWO_WAYS)
    return [(each.code, each.meant, each.other) for each in found]


def test_words_that_fit_another_property_leave_it_open() -> None:
    query = "MATCH (p:Person) WHERE p.name = 'Ada' RETURN p.home_phone"
    wanted = [("ambiguous-property", "home_phone", "work_phone")]
    assert open_ones(query, 'What is the phone of the person "Ada"?') == wanted
    assert open_ones(query, 'What is the home phone of the person "Ada"?') == []
    # A full name is meant before a longer one that holds it.
    assert open_ones("MATCH (p:Person) RETURN p.name", "What are the names of people?") == []


def test_words_that_fit_another_relation_leave_it_open() -> None:
    query = "MATCH (p:Person)-[:BORN_IN]->(c:City) WHERE c.name = 'Lima' RETURN p.name"
    wanted = [("ambiguous-relation", "BORN_IN", "WORKS_IN")]
    assert open_ones(query, 'Which people have to do with the city "Lima"?') == wanted
    assert open_ones(query, 'Which people were born in "Lima"?') == []


def test_what_is_open_is_settled_by_knowledge_where_there_is_room() -> None:
    query = "MATCH (p:Person) WHERE p.name = 'Ada' RETURN p.home_phone"
    said = dict.fromkeys(LEVELS, 'What is the phone of the person named "Ada"?')
    settled, findings = settle(pair(query, said), TWO_WAYS)
    assert [each.ok for each in findings] == [True]
    assert "home phone" in settled.record.external_knowledge
    assert settle(settled, TWO_WAYS) == (settled, findings)
    full = " ".join(["word"] * WORDS)
    kept, findings = settle(pair(query, {**said, "K": full}), TWO_WAYS)
    assert [each.code for each in findings] == ["ambiguous-property"]
    assert kept.record.external_knowledge == full


@pytest.mark.parametrize(
    ("logical", "codes"),
    [
        ("List the names of cities without any authors.", []),
        ("List the names of cities that authors love.", ["relation-missing"]),
    ],
)
def test_what_one_end_has_of_the_other_is_the_only_relation_between_them(
    logical: str, codes: list[str]
) -> None:
    said = {
        "S": "Match a City that no Author has a BORN_IN edge to; return name.",
        "L": logical,
        "B": "Which cities have no authors?",
    }
    query = "MATCH (c:City) WHERE NOT EXISTS { MATCH (c)<-[:BORN_IN]-(:Author) } RETURN c.name"
    found = [f.code for f in level_findings(pair(query, said), SCHEMA)]
    assert [code for code in found if code == "relation-missing"] == codes
