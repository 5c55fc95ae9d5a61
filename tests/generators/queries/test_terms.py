"""Limits that the glossary has a term for take the place of those that chance drew."""

from __future__ import annotations

from random import Random

import pytest

from generators.queries.archetypes.terms import with_terms
from generators.questions.lexicon.model import Term
from generators.questions.lexicon.terms import comparison
from graph_ir.cypher.reader import parse
from translators.render import render

VETERANS = Term(term="veteran actors", of="Actor", holds="n.age > 60")
FAMOUS = Term(term="stars", of="Actor", holds="n.fans >= 1000 AND n.active")


@pytest.mark.parametrize(
    ("holds", "asked"),
    [
        ("n.age > 60", ("age", ">", 60)),
        ("n.status = 'paid'", ("status", "=", "paid")),
        ("n.active", ("active", "=", True)),
        ("n.age <> 60", None),
        ("n.fans >= 1000 AND n.active", None),
        ("COUNT { (n)-[:PLAYED]->() } > 3", None),
    ],
)
def test_only_one_comparison_has_a_place_in_a_sentence(holds: str, asked: object) -> None:
    assert comparison(Term(holds=holds)) == asked


def changed(text: str, *terms: Term) -> set[str]:
    made = {render(with_terms(parse(text), terms, Random(n)), "cypher").text for n in range(20)}
    return {each.replace("\n", " ") for each in made}


def test_a_limit_of_the_same_side_becomes_that_of_the_term() -> None:
    drawn = "MATCH (a:Actor) WHERE a.age > 47 RETURN a.name AS name"
    assert changed(drawn, VETERANS, FAMOUS) == {drawn, drawn.replace("47", "60")}


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Actor) WHERE a.age < 47 RETURN a.name AS name",
        "MATCH (a:Author) WHERE a.age > 47 RETURN a.name AS name",
        "MATCH (a:Actor) WHERE a.age > 47 RETURN a.name AS name ORDER BY name LIMIT 3",
    ],
)
def test_other_conditions_and_windows_stay(text: str) -> None:
    assert changed(text, VETERANS) == {text}


def test_what_has_no_condition_may_be_asked_of_those_alone() -> None:
    made = changed("MATCH (a:Actor) RETURN avg(a.fans) AS fans", VETERANS, FAMOUS)
    narrowed = "MATCH (a:Actor) WHERE a.age > 60 RETURN avg(a.fans) AS fans"
    assert made == {"MATCH (a:Actor) RETURN avg(a.fans) AS fans", narrowed}
