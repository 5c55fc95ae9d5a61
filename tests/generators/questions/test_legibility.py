"""What growth takes: how likely readers find the questions of a query clumsy."""

from __future__ import annotations

import pytest

from generators.questions.realise.legibility import most
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
    assert AUTHOR.risk(parse(EASIER[0][0]), SCHEMA) <= most(0)


def test_what_has_no_words_is_never_taken() -> None:
    no_wording = parse("MATCH (b:Book) WHERE b.price < 10 RETURN b.title, b.pages")
    assert AUTHOR.risk(no_wording, SCHEMA) == 1.0
    assert most(1_000) < 1.0


def test_what_is_allowed_grows_up_to_a_bound() -> None:
    allowed = [most(relaxed) for relaxed in range(10)]
    assert allowed == sorted(allowed)
    assert allowed[0] < allowed[1]
    assert allowed[-1] == allowed[-2]
