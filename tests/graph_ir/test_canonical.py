"""Canonical forms and JSON over every query of the fixtures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_ir.canonical import canonical, fingerprint, shape
from graph_ir.cypher.reader import parse
from graph_ir.serde import from_json, to_json
from tests.blocks import blocks
from translators.cypher.dialect import Cypher

FIXTURES = Path(__file__).parents[1] / "translators" / "cypher"
QUERIES = [
    block.lines[0]
    for name in ("identity.pairs", "spelling.pairs")
    for block in blocks(FIXTURES / name)
    if not block.lines[-1].startswith("!")
]


@pytest.mark.parametrize("query", QUERIES)
def test_json_comes_back(query: str) -> None:
    statement = parse(query)
    text = json.dumps(to_json(statement))
    back = from_json(json.loads(text))
    assert back == statement
    assert json.dumps(to_json(back)) == text


@pytest.mark.parametrize("query", QUERIES)
def test_the_canonical_form_is_its_own(query: str) -> None:
    form = canonical(parse(query))
    assert canonical(form) == form
    assert fingerprint(parse(query)) == fingerprint(form)


@pytest.mark.parametrize("query", QUERIES)
def test_spelling_does_not_change_the_fingerprint(query: str) -> None:
    statement = parse(query)
    printed = parse(Cypher().generate(statement).text)
    assert fingerprint(printed) == fingerprint(statement)
    assert shape(printed) == shape(statement)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "MATCH (a) WHERE (a)-->() RETURN a.x",
            "MATCH (b) WHERE EXISTS { (b)-->() } RETURN b.x AS y",
        ),
        ("MATCH (a:A:B) RETURN a", "MATCH (n:B&A) RETURN n"),
        ("MATCH (a)-->(b), (c) RETURN a.x", "MATCH (c), (b)<--(a) RETURN a.x"),
        (
            "RETURN 1 AS a, 2 AS b UNION RETURN 3 AS b, 4 AS a",
            "RETURN 1 AS x, 2 AS y UNION RETURN 3 AS y, 4 AS x",
        ),
    ],
)
def test_same(one: str, other: str) -> None:
    assert fingerprint(parse(one)) == fingerprint(parse(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MATCH (a)-->(b) RETURN a.x", "MATCH (a)<--(b) RETURN a.x"),
        ("MATCH (a) RETURN a.x ORDER BY a.x", "MATCH (a) RETURN a.x ORDER BY a.x DESC"),
        ("MATCH (a) RETURN a.x - a.y", "MATCH (a) RETURN a.y - a.x"),
        (
            "RETURN 1 AS a, 2 AS b UNION RETURN 3 AS b, 4 AS a",
            "RETURN 1 AS a, 2 AS b UNION RETURN 3 AS a, 4 AS b",
        ),
        ("MATCH p = (a)-->(b) RETURN p", "MATCH p = (b)<--(a) RETURN p"),
        ("RETURN 1 = true", "RETURN 1.0 = true"),
        ("RETURN 1", "RETURN true"),
    ],
)
def test_different(one: str, other: str) -> None:
    assert fingerprint(parse(one)) != fingerprint(parse(other))
