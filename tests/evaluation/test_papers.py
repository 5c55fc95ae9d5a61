"""The papers' tables (TB 6, 7; AT 1, 2; NS 2, Fig 5, 10; HR 2, 3) from figures worked out by hand.

Four predictions of one database: two of one hop, of which one is right, two of two hops, of which
one does not run and one has a wrong constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engines.ladder import Rung
from evaluation.papers import Row, paper_tables
from evaluation.score import Score
from evaluation.summary import summary

type Tables = dict[str, tuple[Row, list[Row]]]


def score(id: str, hops: str, **values: Any) -> Score:
    groups = {"tier": ("medium",), "hops": (hops,), "database": ("ferries",)}
    return Score(id, "ferries", "cypher", groups=groups, gleu=(1, 2), similarity=0.5, **values)


SCORES = [
    score("a", "1", rung=Rung.ORDERED, ran=True, parses=True, psjs=1.0, gam=True, clauses=True),
    score("b", "1", rung=Rung.NONE, ran=True, parses=True, psjs=0.5, gam=False, category="schema"),
    score("c", "2", parses=True, gam=False, category="condition", twigs=0.25),
    score("d", "2", category="syntax", gam=False, psjs=0.0),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    own = {"cypher": summary(SCORES), "gql": summary(SCORES[:1])}
    return {title: (heads, rows) for title, heads, rows in paper_tables(own)}


def first(tables: Tables, title: str, language: str = "cypher") -> Sequence[Row]:
    return [row[1:] for row in tables[title][1] if row[0] == language]


def test_main_results_by_tier(tables: Tables) -> None:
    """TB-J17: Grammar, GLEU, Sim, EX by tier and in all."""
    assert tables["Text2GQL-Bench, Table 6"][0][4:] == (
        "EX easy",
        "EX medium",
        "EX hard",
        "EX extra_hard",
        "EX Avg",
    )
    row = ("0.750", "0.500", "0.500", "", "0.250", "", "", "0.250")
    assert first(tables, "Text2GQL-Bench, Table 6") == [row]


def test_languages_side_by_side(tables: Tables) -> None:
    """TB-J18."""
    assert tables["Text2GQL-Bench, Table 7"] == (("cypher", "gql"), [["0.250", "1.000"]])


def test_no_em_is_called_em_alone(tables: Tables) -> None:
    """X-2, AT-29, NS-19, HR-14: each paper's EM says what it is."""
    for heads, _ in tables.values():
        assert "EM" not in heads
    assert first(tables, "Adaptive Text2GQL, Table 1") == [("0.00", "25.00", "25.00")]
    assert first(tables, "NAT-NL2GQL, Table 2") == [("25.00", "25.00")]
    assert first(tables, "Hybrid retrieval, Table 2") == [("0.500", "0.250")]


def test_twig_hits_are_a_mean_over_what_was_traced(tables: Tables) -> None:
    """AT-32."""
    assert tables["Adaptive Text2GQL, Table 2"][1] == [("cypher", "25.00")]


def test_accuracy_by_hop(tables: Tables) -> None:
    """NS-26: EM and EX fall with hops, or not; the figures are the run's."""
    assert first(tables, "NAT-NL2GQL, Fig 5") == [
        ("1", "2", "50.00", "50.00"),
        ("2", "2", "0.00", "0.00"),
    ]


def test_errors_by_hop_and_type(tables: Tables) -> None:
    """NS-27."""
    heads, rows = tables["NAT-NL2GQL, Fig 10"]
    assert heads[2:] == ("condition", "schema", "syntax")
    assert [tuple(row[1:]) for row in rows if row[0] == "cypher"] == [
        ("1", "0", "1", "0"),
        ("2", "1", "0", "1"),
    ]


def test_ex_psjs_and_exec_by_graph(tables: Tables) -> None:
    """HR-14, HR-16: PSJS where the gold was touched and the prediction run or not parsed."""
    rows = first(tables, "Hybrid retrieval, Table 3")
    assert rows == [("ferries", "25.00", "50.00", "50.00"), ("all", "25.00", "50.00", "50.00")]
