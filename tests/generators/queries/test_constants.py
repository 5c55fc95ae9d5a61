"""Constants keep what they were asked to keep, and those drawn together have a row."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.queries.archetypes.constants import degree, draw, kept, literal
from generators.queries.archetypes.joint import skeleton
from generators.queries.archetypes.load import Value
from generators.queries.archetypes.periods import whole_days
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from schemagraph.folder.statistics import EdgeStatistics, PropertyStatistics
from schemagraph.model import Kind, Type
from translators.render import render

WHOLE, TEXT, DAY = Type(Kind.INTEGER), Type(Kind.STRING), Type(Kind.DATE)


def figures(values: list[int]) -> PropertyStatistics:
    known = sorted(values)
    times = sorted(((v, known.count(v)) for v in set(known)), key=lambda pair: -pair[1])
    quantiles = tuple(known[(len(known) - 1) * step // 20] for step in range(21))
    return PropertyStatistics(len(known), 0, len(times), tuple(times), quantiles, tuple(known[:20]))


@given(st.lists(st.integers(-10_000, 10_000), min_size=25, max_size=200), st.integers(0, 99))
def test_a_place_among_the_values_is_kept(values: list[int], seed: int) -> None:
    way = Value(of="p", at=(0.6, 0.9))
    found = draw(way, figures(values), WHOLE, set(), Random(seed))
    if found is not None:
        below = sum(value < found for value in values) / len(values)
        above = sum(value > found for value in values) / len(values)
        assert above > 0
        assert min(values) < found <= max(values)
        # A rounder value may be two twentieths away.
        assert below >= 0.5 - 1 / len(values) or values.count(found) > 1


@given(st.lists(st.integers(0, 9), min_size=10, max_size=60), st.integers(0, 99))
def test_a_share_of_the_rows_is_kept(values: list[int], seed: int) -> None:
    way = Value(of="c", share=(0.1, 0.4))
    found = draw(way, figures(values), WHOLE, set(), Random(seed))
    fit = [v for v in set(values) if 0.1 <= values.count(v) / len(values) <= 0.4]
    assert (found in fit) if fit else (found is None)


def test_constants_are_round_and_differ() -> None:
    many = figures(list(range(0, 20_000, 13)))
    way = Value(of="p", at=(0.5, 0.6))
    first = draw(way, many, WHOLE, set(), Random(1))
    assert str(first).rstrip("0") in {str(n) for n in range(1, 13)}
    assert draw(Value(of="c", sample=True), figures([1, 1, 2]), WHOLE, {1}, Random(1)) == 2
    few = (650.0,) * 3 + (688.5,) * 10 + (690.0,) * 3 + (720.5,) * 5
    known = PropertyStatistics(21, 0, 4, tuple((v, 1) for v in few), few, few)
    assert draw(way, known, Type(Kind.FLOAT), set(), Random(1)) == 690
    days = tuple(f"20{year:02}-05-17" for year in range(21))
    known = PropertyStatistics(21, 0, 21, tuple((d, 1) for d in days), days, days)
    assert str(draw(way, known, DAY, set(), Random(1))).endswith("-01-01")


def test_text_parts_are_parts() -> None:
    known = PropertyStatistics(2, 0, 2, sample=("Old Harbour Gallery", "Kunsthalle am Wall"))
    prefix = draw(Value(of="t", prefix=(2, 3)), known, TEXT, set(), Random(1))
    suffix = draw(Value(of="t", suffix=(2, 3)), known, TEXT, set(), Random(1))
    word = draw(Value(of="t", word=True), known, TEXT, set(), Random(1))
    assert any(text.startswith(prefix) for text in known.sample)
    assert any(text.endswith(suffix) for text in known.sample)
    assert any(word in text.split() for text in known.sample)


def test_a_degree_leaves_some_nodes() -> None:
    known = EdgeStatistics(40, 20, 9, tuple(range(1, 22)), (1,) * 21)
    way = Value(of="R", degree=(0.5, 1.0))
    found = degree(way, known, True, Random(1))
    assert found is not None
    assert found in (10, 15, 20)  # people ask for more than ten, not for more than eleven
    assert degree(way, known, False, Random(1)) is None  # every target has one edge


def test_long_lists_are_kept_short() -> None:
    assert kept(Value(of="c", share=(0.1, 0.5)), 60_000, None).share == (0.00125, 0.01)
    assert kept(Value(of="p", at=(0.5, 0.8)), 6_000, True).at == (0.9, 0.9)
    assert kept(Value(of="p", at=(0.3, 0.5)), 6_000, False).at == (0.1, 0.1)
    short = Value(of="p", at=(0.3, 0.5))
    assert kept(short, 100, True) == short


def test_literals_are_of_the_propertys_type() -> None:
    assert literal("2024-05-01", DAY) == ir.Call("date", (ir.Literal("2024-05-01"),))
    assert literal(3, WHOLE) == ir.Literal(3)


@pytest.mark.parametrize(
    ("given_text", "asked"),
    [
        (
            "MATCH (a:A)-[:R]->(b:B) WHERE a.n = $x AND b.p > $v AND b.q > 3 RETURN b.n",
            "MATCH (a:A)-[:R]->(b:B) WHERE b.q > 3 RETURN DISTINCT a.n AS x LIMIT 400",
        ),
        (
            "MATCH (a:A)-[:R]->(b:B) WHERE a.n = $x WITH b, count(a) AS c WHERE c >= $k RETURN b.n",
            "MATCH (a:A)-[:R]->(b:B) WITH b, count(a) AS c, a.n AS drawn_x "
            "RETURN DISTINCT drawn_x AS x LIMIT 400",
        ),
        (
            "MATCH (a:A)-[:R]->(b:B), (a)-[:S]->(b) RETURN a.n",
            "MATCH (a:A)-[:R]->(b:B), (a)-[:S]->(b) RETURN 1 AS one LIMIT 1",
        ),
        (
            "MATCH p = shortestPath((a:A)-[:R*1..6]->(b:A)) WHERE a.n = $x AND b.n = $y "
            "RETURN length(p) AS l",
            "MATCH (a:A)-[:R*2]->(b:A) RETURN DISTINCT a.n AS x, b.n AS y LIMIT 400",
        ),
    ],
)
def test_what_is_asked_for_values_that_belong_together(given_text: str, asked: str) -> None:
    made = skeleton(parse(given_text))
    assert made is not None
    assert " ".join(render(made[0], "cypher").text.split()) == asked


def test_a_window_has_no_values_that_belong_together() -> None:
    text = "MATCH (a:A) WITH a ORDER BY a.p LIMIT 3 MATCH (a)-[:R]->(b) WHERE b.n = $x RETURN b.n"
    assert skeleton(parse(text)) is None


@pytest.mark.parametrize(
    ("drawn", "whole"),
    [
        ("o.at > localdatetime('2024-05-01T00:00:00')", ">="),
        ("o.at <= localdatetime('2024-05-01T00:00:00')", "<"),
        ("o.at > localdatetime('2024-05-01T08:30:00')", ">"),
        ("o.on > date('2024-05-01')", ">"),
    ],
)
def test_a_bound_at_midnight_leaves_no_day_open(drawn: str, whole: str) -> None:
    left, _, right = drawn.split(" ")
    query = "MATCH (o:Order) WHERE {} RETURN o.id"
    expected = parse(query.format(f"{left} {whole} {right}"))
    assert whole_days(parse(query.format(drawn))) == expected
