"""Texts of SQL/PGQ, judged by GoogleSQL's analyser."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import pytest

from engines.judges.process import Judge
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from tests.translators.test_pairs import CASES, schema_of
from translators.render import render

TEXTS = [case for case in CASES if case.dialect == "pgq" and not case.expected.startswith("!")]
# What the fixtures of the other dialects ask, too.
OTHERS = sorted({case.query for case in CASES if case.schema == "music"})


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge("pgq", None) as running:
        yield running


def test_fixtures_are_accepted(judge: Judge) -> None:
    rejected = []
    for name, cases in groupby(TEXTS, key=lambda case: case.schema):
        judge.use(schema_of(name))
        rejected += [(c.place, found) for c in cases if (found := judge.check(c.expected))]
    assert rejected == []
    assert len(TEXTS) > 10


def test_what_is_said_of_other_queries_is_accepted(judge: Judge) -> None:
    schema = schema_of("music")
    judge.use(schema)
    said = {}
    for query in OTHERS:
        try:
            said[query] = render(parse(query), "pgq", schema).text
        except (Refused, QueryTextError):
            continue
    assert len(said) > 60
    assert {query: found for query, text in said.items() if (found := judge.check(text))} == {}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("SELECT g.nam FROM GRAPH_TABLE (fixture MATCH (p IS Person) COLUMNS (p.name)) AS g", 10),
        ("SELECT g.name FROM GRAPH_TABLE (fixture MATCH (p IS Persn) COLUMNS (p.name)) AS g", 53),
        ("SELECT g.name FROM GRAPH_TABLE (fixture MATCH (p IS Person) COLUMNS (p.name) AS g", 78),
        ("SELECT `g` FROM GRAPH_TABLE (fixture MATCH (p IS Person) COLUMNS (p.name)) AS g", 8),
    ],
)
def test_what_is_wrong_has_a_place(judge: Judge, text: str, place: int) -> None:
    judge.use(schema_of("music"))
    (problem,) = judge.check(text)
    assert (problem.line, problem.column) == (1, place)


def test_a_schema_is_needed() -> None:
    with pytest.raises(Refused) as caught:
        render(parse("MATCH (p:Person) RETURN p.name AS name"), "pgq")
    assert caught.value.code == "schema-needed"
    assert "Spanner" not in caught.value.reason
