"""The GQL parser's limits: a text that takes too long is an error of that text only."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import pytest

from engines.judges import gql
from engines.judges.process import Judge

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge("gql", None) as opened:
        yield opened


def nested(depth: int) -> str:
    """CASE in every place of a CASE."""
    if not depth:
        return "1"
    inner = nested(depth - 1)
    return f"CASE {inner} WHEN {inner} THEN {inner} ELSE {inner} END"


SLOW = {
    "case": f"RETURN {nested(6)} AS x",
    "sum": f"RETURN {'1+' * 4_000}1 AS x",
    "parentheses": f"RETURN {'(' * 10_000}1{')' * 10_000} AS x",
    "open": "RETURN " + "(" * 10_000,
    "lists": f"RETURN {'[' * 10_000}{']' * 10_000} AS x",
    "maps": f"RETURN {'{a: ' * 5_000}1{'}' * 5_000} AS x",
    "exists": "MATCH (a) WHERE " + "EXISTS { MATCH (a) WHERE " * 200 + "TRUE" + "}" * 200,
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW)
def test_a_text_that_is_too_complex_ends_alone(judge: Judge, text: str) -> None:
    start = monotonic()
    (found,) = judge.check(text)
    assert monotonic() - start < 20
    assert found.code == "too-complex"
    assert "less deeply" in found.message
    assert judge.check("RETURN 1 AS x") == []


def test_one_worker_judges_all_texts_until_one_ends_it(judge: Judge) -> None:
    judge.check("RETURN 1 AS x")
    first = judge._worker._worker
    assert [d.code for d in judge.check("RETURN (")] == ["parse-error"]
    assert judge.check("MATCH (n) RETURN n.a AS a") == []
    assert judge._worker._worker is first
    judge.check(SLOW["case"])
    assert judge.check("RETURN 1 AS x") == []
    assert judge._worker._worker is not first


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("RETURN\n '\ud800' AS x", "lone-surrogate", (2, 3)),
        (f"RETURN {'9' * 5000} AS x", "integer-overflow", (1, 8)),
        (f"MATCH (n)\nRETURN n.a + {'9' * 5000} AS x", "integer-overflow", (2, 14)),
    ],
)
def test_what_the_parser_has_no_error_for(
    judge: Judge, text: str, code: str, place: tuple[int, int]
) -> None:
    (found,) = judge.check(text)
    assert (found.code, (found.line, found.column)) == (code, place)


def test_a_fault_of_the_parser_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def validate(self, text: str) -> None:
            raise KeyError(text)

    monkeypatch.setattr(gql, "_dialect", Broken)
    assert [d.code for d in gql.check("RETURN 1")] == ["parser-failed"]
