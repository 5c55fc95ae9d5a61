"""Alignment of names, completion of schemas, a schema in an answer (NS-11 to NS-13)."""

from __future__ import annotations

import pytest

from evaluation.answering.alignment import Dictionary, Hashing
from evaluation.answering.linking import completed, named
from evaluation.answering.schema_text import schema_text
from evaluation.answering.values import Values
from evaluation.systems.three_agents import linked, patterns_in
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

TEXT = Type(Kind.STRING)
FUNDS = SchemaGraph(
    "funds",
    (
        NodeType(("Stock",), (Property("name", TEXT),)),
        NodeType(("Fund",), (Property("name", TEXT), Property("founded", TEXT))),
        NodeType(("Manager",), (Property("name", TEXT),)),
        NodeType(("Industry",), (Property("name", TEXT),)),
        NodeType(("Weather",), (Property("wind", TEXT),)),
    ),
    (
        EdgeType("HOLDS", "Fund", "Stock", (Property("position_ratio", TEXT),)),
        EdgeType("MANAGES", "Manager", "Fund"),
        EdgeType("BELONGS_TO", "Stock", "Industry"),
    ),
)


YARD = SchemaGraph(
    "yard",
    (
        NodeType(("Worker",), (Property("given_name", TEXT),)),
        NodeType(("Project",), (Property("name", TEXT), Property("budget", TEXT))),
        NodeType(("Firm",), (Property("grade", TEXT),)),
    ),
    (
        EdgeType("WITH", "Project", "Firm"),
        EdgeType("LIVES_NEAR", "Worker", "Project"),
        EdgeType("LIVES_NEAR", "Worker", "Firm"),
    ),
)


@pytest.mark.parametrize(
    ("question", "nodes", "edges"),
    [
        ("the names of the workers", {"Worker"}, set()),
        ("workers and their budget", {"Worker", "Project"}, set()),
        ("projects with a budget above 5", {"Project"}, set()),
        ("projects with a firm", {"Project", "Firm"}, {"Project-WITH-Firm"}),
        ("workers who live near a firm", {"Worker", "Firm"}, set()),
        ("which worker lives near a firm", {"Worker", "Firm"}, {"Worker-LIVES_NEAR-Firm"}),
        (
            "which worker lives near it",
            {"Worker"},
            {"Worker-LIVES_NEAR-Firm", "Worker-LIVES_NEAR-Project"},
        ),
    ],
)
def test_words_that_several_could_mean_are_whose_ends_are_named(
    question: str, nodes: set[str], edges: set[str]
) -> None:
    assert named(YARD, question) == (nodes, edges)


def test_ns_28_the_edge_between_is_not_skipped() -> None:
    """NS-28: funds that hold a stock, and their managers: both edges are needed."""
    nodes, edges = named(FUNDS, "Which managers are behind the position ratio of the stock?")
    assert nodes == {"Manager", "Stock"}
    assert edges == {"Fund-HOLDS-Stock"}
    assert completed(FUNDS, nodes, edges) == (
        {"Manager", "Stock", "Fund"},
        {"Fund-HOLDS-Stock", "Manager-MANAGES-Fund"},
    )


@pytest.mark.parametrize(
    ("nodes", "joined"),
    [
        ({"Stock"}, {"Stock"}),
        ({"Manager", "Industry"}, {"Manager", "Fund", "Stock", "Industry"}),
        ({"Manager", "Weather"}, {"Manager", "Weather"}),  # no way: they stay apart
        (set(), set()),
    ],
)
def test_completion_is_the_shortest_way(nodes: set[str], joined: set[str]) -> None:
    assert completed(FUNDS, nodes, ())[0] == joined


@pytest.mark.parametrize(
    ("question", "nodes"),
    [
        ("How many funds?", {"Fund"}),
        ("Which were founded in 1999?", {"Fund"}),  # a property that only funds have
        ("What are the names?", set()),  # one that many have says nothing
        ("Tell me about refunds", set()),
    ],
)
def test_names_of_the_schema_in_a_question(question: str, nodes: set[str]) -> None:
    assert named(FUNDS, question)[0] == nodes


def test_alignment_exact_first_then_near_then_none() -> None:
    values = Values()
    for name, owner in (("Kiel", "Port"), ("Kiel", "Ship"), ("Frederikshavn", "Port")):
        values._add(name, (owner, "name"))
    dictionary = Dictionary(values)
    assert dictionary.aligned("KIEL", "Port") == "Kiel"
    assert dictionary.aligned("Frederikshaven", "Port") == "Frederikshavn"
    assert dictionary.aligned("Frederikshaven", "Ship") is None  # of another type
    assert dictionary.aligned("Valparaíso", "Port") is None


def test_hashing_rises_around_the_threshold_of_the_paper() -> None:
    """NS-11: γ = 0.6. Texts of a hundred pairs, of which a known share is common."""
    letters = [chr(0x4E00 + n) for n in range(220)]
    base = letters[:101]
    shares = {}
    for kept in (40, 60, 90):
        hits = 0
        for seed in range(40):
            hashing = Hashing(["".join(base)], seed)
            other = "".join(base[:kept] + letters[120 : 120 + 101 - kept])
            hits += bool(hashing.candidates(other))
        shares[kept] = hits / 40
    # Of 102 pairs each, about `kept` are common: Jaccard 0.25, 0.42, 0.79.
    assert shares[40] <= 0.1
    assert shares[60] <= 0.5
    assert shares[90] >= 0.9


def test_the_schema_in_an_answer() -> None:
    answer = "(:Fund {name: STRING})\n(:Fund) -[:HOLDS {position_ratio: STRING}]-> (:`Stock`)"
    found = patterns_in(answer, FUNDS)
    assert found is not None
    assert linked(found) == ["Fund", "HOLDS", "Stock"]
    assert patterns_in(schema_text(FUNDS), FUNDS) == FUNDS
    assert patterns_in("I am not sure.", FUNDS) is None
