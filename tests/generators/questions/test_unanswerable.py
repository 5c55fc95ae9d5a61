"""Questions without an answer: what is missing is in them, and is not in the graph."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from generators.questions.lexicon.toml_file import parse_lexicon
from generators.questions.realise.unanswerable import REASONS, Reason, Spoiler, Unanswerable
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics
from tests.schema_text import read_schema

SCHEMA = read_schema(
    "Kennel(id!: INTEGER, name: STRING, town: STRING, opened: INTEGER, opening_time: STRING, "
    "closing_time: STRING, cages: INTEGER)\n"
    "Dog(id!: INTEGER, name: STRING, breed: STRING, weight: FLOAT)\n"
    "Dog-[BOARDED_AT]->Kennel"
)
WORDS = """
[things]
Kennel = { singular = "kennel", plural = "kennels", kind = "place", name = ["name"] }
Dog = { singular = "dog", plural = "dogs", kind = "animal", name = ["name"] }
[paths.boards]
along = ["Dog", "BOARDED_AT>", "Kennel"]
forward = { be = "boarded", particle = "at" }
[properties.Kennel]
name = { noun = "name", kind = "name" }
town = { noun = "town", kind = "category", equal = "in {}" }
opened = { noun = "opening year", kind = "year", equal = "opened in {}", above = "opened after {}" }
opening_time = { noun = "opening hour", kind = "category" }
closing_time = { noun = "closing hour", kind = "category" }
cages = { noun = "number of cages", kind = "count" }
[properties.Dog]
name = { noun = "name", kind = "name" }
breed = { noun = "breed", kind = "category" }
weight = { noun = "weight", kind = "measure" }
"""
DATA: dict[tuple[str, str], list[Any]] = {
    ("Kennel", "name"): ["Green Paw Inn", "Red Tail House", "Old Mill Lodge"],
    ("Kennel", "town"): ["Bergen", "Molde", "Molde"],
    ("Kennel", "opened"): [1991, 2004, 2012],
    ("Kennel", "opening_time"): ["7", "8", "9"],
    ("Kennel", "closing_time"): ["17", "18", "18"],
    ("Kennel", "cages"): [20, 30, 40],
    ("Dog", "name"): ["Rex", "Bella"],
    ("Dog", "breed"): ["corgi", "stray"],
    ("Dog", "weight"): [12.0, 14.5],
}
FIGURES = GraphStatistics(
    {"Kennel": 3, "Dog": 2},
    {},
    {
        place: PropertyStatistics(len(v), 0, len(set(v)), common=tuple((x, 1) for x in v))
        for place, v in DATA.items()
    },
)


def spoilt(
    text: str,
    reason: Reason,
    data: dict[tuple[str, str], list[Any]] = DATA,
    seed: int = 1,
) -> Unanswerable | None:
    statement = parse(text)
    assert isinstance(statement, ir.Query)

    def values(owner: str, key: str) -> list[Any]:
        return data.get((owner, key), [])

    lexicon = parse_lexicon(WORDS).lexicon
    return Spoiler(SCHEMA, lexicon, FIGURES, values).spoil(statement, reason, Random(seed))


NAMED = "MATCH (k:Kennel {name: 'Green Paw Inn'}) RETURN k.town AS town"
LATE = "MATCH (k:Kennel) WHERE k.opened > 2000 RETURN k.name AS name"
HEAVY = "MATCH (d:Dog) RETURN avg(d.weight) AS weight"
GUESTS = (
    "MATCH (d:Dog)-[:BOARDED_AT]->(:Kennel {name: 'Old Mill Lodge'}) RETURN DISTINCT d.name AS name"
)
HOURS = "MATCH (k:Kennel {name: 'Old Mill Lodge'}) RETURN k.opening_time AS hour"


@pytest.mark.parametrize("seed", range(8))
def test_a_name_that_looks_like_those_of_the_data_is_none_of_them(seed: int) -> None:
    made = spoilt(NAMED, "no-value", seed=seed)
    assert isinstance(made, Unanswerable)
    assert made.missing not in DATA["Kennel", "name"]
    halves = {half for name in DATA["Kennel", "name"] for half in name.split()}
    assert set(made.missing.split()) <= halves
    assert all(made.missing in text for text in (made.questions.logical, made.questions.business))


def test_a_time_lies_after_the_last_one() -> None:
    made = spoilt(LATE, "no-time")
    assert made is not None
    assert int(made.missing) > 2012
    assert made.questions.business[:-1].endswith(f"opened after {made.missing}")


@pytest.mark.parametrize("seed", range(8))
def test_a_property_is_one_that_neither_words_nor_values_have(seed: int) -> None:
    made = spoilt(HEAVY, "no-property", seed=seed)
    assert made is not None
    assert made.missing in ("litter size", "heart rate", "number of vaccinations")
    assert made.missing in made.questions.business
    assert "weight" not in made.questions.business


@pytest.mark.parametrize("seed", range(8))
def test_a_thing_is_none_that_the_data_have_as_a_value(seed: int) -> None:
    made = spoilt(GUESTS, "no-thing", seed=seed)
    assert made is not None
    assert made.missing in ("guide dog", "foster animal")  # a stray is a breed here


def test_a_word_that_two_properties_share_has_two_readings() -> None:
    made = spoilt(HOURS, "two-readings")
    assert made is not None
    assert made.missing == "hour: opening hour or closing hour"
    assert "opening" not in made.questions.business
    same = DATA | {("Kennel", "closing_time"): DATA["Kennel", "opening_time"]}
    assert spoilt(HOURS, "two-readings", same) is None  # either reading has the same answer
    both = HOURS + ", k.closing_time AS late"
    assert spoilt(both, "two-readings") is None  # the other one is said beside it


def test_what_cannot_be_made_is_not() -> None:
    assert not any(spoilt("MATCH (k:Kennel)-->(d:Dog) RETURN k.id + 1 AS x", r) for r in REASONS)
    assert spoilt(NAMED, "no-value", {("Kennel", "name"): ["Inn"]}) is None  # no halves to swap
    assert spoilt(NAMED, "no-time") is None
