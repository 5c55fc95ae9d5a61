"""Reading nGQL back: what is no MATCH form, or means nothing in Cypher, is refused."""

from __future__ import annotations

import pytest

from graphmill.errors import QueryTextError, Refused
from tests.timing import processor_seconds
from translators.ngql.grammar.check import MAX_DEPTH, check
from translators.ngql.read.reader import read_back

pytestmark = pytest.mark.slow


NOT_CYPHER = {
    "a native statement": "GO FROM 'x' OVER e YIELD edge AS e",
    "a lookup": "LOOKUP ON t WHERE t.x == 1 YIELD id(vertex) AS v",
    "a pipe": "YIELD 1 AS x | YIELD $-.x AS y",
    "a variable": "$a = YIELD 1 AS x; YIELD $a.x",
    "a definition": "CREATE TAG t(x int)",
    "a difference": "MATCH (v:t) RETURN v MINUS MATCH (v:t) RETURN v",
    "an intersection": "MATCH (v:t) RETURN v INTERSECT MATCH (v:t) RETURN v",
    "every column": "MATCH (v:t) RETURN *",
    "a test for emptiness": "MATCH (v:t) WHERE v.t.x IS EMPTY RETURN v",
    "a simple CASE": "MATCH (v:t) RETURN CASE v.t.x WHEN 1 THEN 2 END AS y",
    "a property without tag": "MATCH (v:t) RETURN v.x AS x",
    "an aggregate that Cypher has not": "MATCH (v:t) RETURN bit_and(v.t.x) AS x",
    "a function that Cypher has not": "RETURN hash('x') AS x",
}


@pytest.mark.parametrize("text", NOT_CYPHER.values(), ids=NOT_CYPHER)
def test_what_cypher_has_not_is_refused(text: str) -> None:
    assert check(text) == []
    with pytest.raises((Refused, QueryTextError)) as caught:
        read_back(text)
    assert isinstance(caught.value, Refused | QueryTextError)
    assert caught.value.code in ("not-cypher", "statement-count")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MATCH (v:t RETURN v", "unexpected-token"),
        ("RETURN 'open", "open-string"),
        ("RETURN nosuch(1) AS x", "unknown-function"),
        ("", "statement-count"),
        ("RETURN 1 AS x; RETURN 2 AS x", "statement-count"),
    ],
)
def test_what_nebula_refuses_is_an_error(text: str, code: str) -> None:
    with pytest.raises(QueryTextError) as caught:
        read_back(text)
    assert caught.value.code == code


DEEP = [
    ("[", "1", "]"),
    ("(", "1", ")"),
    ("{a: ", "1", "}"),
    ("abs(", "1", ")"),
    ("- ", "1", ""),
    ("NOT ", "true", ""),
    ("1 + ", "1", ""),
    ("1 < ", "1", ""),
    ("CASE WHEN true THEN ", "1", " END"),
    ("[x IN [1] | ", "x", "]"),
]


@pytest.mark.parametrize(("before", "middle", "after"), DEEP, ids=[case[0] for case in DEEP])
@pytest.mark.parametrize("depth", [MAX_DEPTH, 5000])
def test_deep_texts_are_refused_before_reading(
    before: str, middle: str, after: str, depth: int
) -> None:
    text = f"RETURN {before * depth}{middle}{after * depth} AS x"
    with pytest.raises(QueryTextError) as caught:
        read_back(text)
    assert caught.value.code == "nesting-too-deep"


@pytest.mark.parametrize(("before", "middle", "after"), DEEP, ids=[case[0] for case in DEEP])
def test_texts_just_below_are_read(before: str, middle: str, after: str) -> None:
    depth = MAX_DEPTH // 2 - 10
    read_back(f"RETURN {before * depth}{middle}{after * depth} AS x")


def test_long_conditions_are_not_deep() -> None:
    read_back(f"RETURN {' AND '.join(['true'] * 5000)} AS x")


@pytest.mark.parametrize(
    "text",
    [
        *(f"RETURN {before * 5000}{middle}{after * 5000} AS x" for before, middle, after in DEEP),
        "MATCH (n) RETURN " + "n.x." * 20_000 + "y AS x",
        "MATCH (n) RETURN n" + ".x" * 160 + " AS x",
        "MATCH (n) RETURN " + "{a: " * 30_000 + "1" + "}" * 30_000 + " AS x",
        "MATCH (n) RETURN " + "[x, " * 30_000,
    ],
)
def test_deep_texts_are_refused_by_the_check(text: str) -> None:
    assert [each.code for each in check(text)] == ["nesting-too-deep"]
    assert processor_seconds(lambda: check(text), limit=2) < 2


def test_brackets_side_by_side_are_not_deep() -> None:
    assert check(f"MATCH (n) RETURN [{', '.join(['(n.a.b + [1, {a: 2}][0])'] * 400)}] AS x") == []
