"""What growth takes: how likely readers find the questions of a query clumsy."""

from __future__ import annotations

import pytest

from generators.questions.realise.legibility import is_taken
from graph_ir.cypher.reader import parse
from tests.generators.questions.test_rules import AUTHOR, SCHEMA

# Pairs of queries of which readers would find the second the harder one to read.
EASIER = [
    (
        "MATCH (b:Book) WHERE b.title = 'Dune' RETURN b.price",
        "MATCH (m:Member)-[:FOLLOWS]->(a:Author)-[:BORN_IN]->(c:City) WHERE c.country = 'Chile'"
        " RETURN DISTINCT m.full_name",
    ),
    (
        "MATCH (b:Book) WHERE b.pages > 300 RETURN count(b) AS n",
        "MATCH (b:Book)-[:HAS_BRANCH]->(r:Branch) WHERE b.price > 50 AND r.name = 'East'"
        " RETURN DISTINCT b.title",
    ),
]


@pytest.mark.parametrize(("plain", "hard"), EASIER)
def test_what_is_harder_to_read_has_the_higher_risk(plain: str, hard: str) -> None:
    assert AUTHOR.risk(parse(plain), SCHEMA) < AUTHOR.risk(parse(hard), SCHEMA)


def test_growth_takes_what_is_plain_at_once() -> None:
    risk = AUTHOR.risk(parse(EASIER[0][0]), SCHEMA)
    assert is_taken(risk, risk, 0, rare=False)


def test_what_has_no_words_is_never_taken() -> None:
    no_wording = parse("MATCH (b:Book) WHERE b.price < 10 RETURN b.title, b.pages")
    assert AUTHOR.risk(no_wording, SCHEMA) == 1.0
    assert AUTHOR.first_risk(no_wording, SCHEMA) == 1.0
    assert not is_taken(1.0, 1.0, 1_000, rare=True)


# Of what readers find harder to read or nobody asks, beside as many words that are plain.
TRAITS = [
    ("MATCH (b:Book) RETURN avg(b.price) AS n", "MATCH (b:Book) RETURN max(b.price) AS n"),
    ("MATCH (b:Book) RETURN avg(b.pages) AS n", "MATCH (b:Book) RETURN sum(b.pages) AS n"),
    (
        "MATCH (b:Book) WHERE b.genre = 'poetry' RETURN count(b) AS n",
        "MATCH (b:Book) WHERE b.genre = 'poetry' RETURN avg(b.price) AS n",
    ),
]


def test_parts_of_the_names_of_people_have_the_higher_risk() -> None:
    book = AUTHOR.risk(parse("MATCH (b:Book) WHERE b.title CONTAINS 'Moon' RETURN b.title"), SCHEMA)
    author = "MATCH (a:Author) WHERE a.name CONTAINS 'Moon' RETURN a.name"
    assert book < AUTHOR.risk(parse(author), SCHEMA)


@pytest.mark.parametrize(("plain", "odd"), TRAITS)
def test_extremes_sums_and_narrow_figures_have_the_higher_risk(plain: str, odd: str) -> None:
    assert AUTHOR.risk(parse(plain), SCHEMA) < AUTHOR.risk(parse(odd), SCHEMA)


@pytest.mark.parametrize(
    ("first", "worst", "relaxed", "rare", "taken"),
    [
        (0.3, 0.45, 0, False, False),
        (0.3, 0.45, 2, False, True),
        (0.3, 0.75, 100, False, False),
        (0.45, 0.8, 0, True, True),
        (0.75, 0.8, 0, True, False),
    ],
)
def test_more_is_taken_where_nothing_else_comes_and_of_what_is_rare(
    first: float, worst: float, relaxed: int, rare: bool, taken: bool
) -> None:
    assert is_taken(first, worst, relaxed, rare=rare) is taken
