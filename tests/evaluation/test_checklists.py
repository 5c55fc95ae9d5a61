"""What the papers name in passing: definitions, cases that fail, engines, costs by the clock."""

from __future__ import annotations

import pytest

from engines import ENGINES
from evaluation.metrics.difference import classify
from evaluation.metrics.elements import twigs
from evaluation.score import Score
from evaluation.summary import summary
from evaluation.tables import tables
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from schemagraph.model import SchemaGraph
from tests.schema_text import read_schema

SCHEMA = """
Person(name: STRING, born: INTEGER)
Film(title: STRING, year: INTEGER)
Person-[ACTED_IN(role: STRING)]->Film
Person-[MARRIED_TO]->Person
"""


@pytest.fixture(scope="module")
def schema() -> SchemaGraph:
    return read_schema(SCHEMA)


def meaning(text: str, schema: SchemaGraph) -> ir.Statement:
    return bind(parse(text), schema).statement


def test_a_twig_is_a_triplet_or_a_property_binding(schema: SchemaGraph) -> None:
    """AT-2: (n_h, r, n_t) or (n, p)."""
    text = "MATCH (p:Person)-[r:ACTED_IN]->(f:Film) WHERE r.role = 'x' RETURN p.name"
    expected = {"(Person)-[:ACTED_IN]->(Film)", "ACTED_IN.role", "Person.name"}
    assert twigs(meaning(text, schema), schema) == expected


FAILURES = {
    "disjunction by UNION": (
        "MATCH (p:Person) WHERE p.born < 1950 RETURN p.name AS x "
        "UNION MATCH (f:Film) WHERE f.year < 1950 RETURN f.title AS x",
        "MATCH (p:Person) WHERE p.born < 1950 RETURN p.name AS x",
        "structure",
    ),
    "symmetric relation": (
        "MATCH (p:Person {name: 'A'})-[:MARRIED_TO]-(q:Person) RETURN q.name",
        "MATCH (p:Person {name: 'A'})-[:MARRIED_TO]->(q:Person) RETURN q.name",
        "schema",
    ),
    "several intents": (
        "MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p.name, f.title, f.year",
        "MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p.name",
        "returned",
    ),
    "truth of a comparison for its values": (
        "MATCH (p:Person {name: 'A'}), (q:Person {name: 'B'}) RETURN p.born, q.born",
        "MATCH (p:Person {name: 'A'}), (q:Person {name: 'B'}) RETURN p.born < q.born",
        "returned",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_known_failures_have_a_class(failure: str, schema: SchemaGraph) -> None:
    """MA-15, MA-16: the failures that the paper discusses, and the habit that it found useful."""
    gold, predicted, expected = FAILURES[failure]
    difference = classify(
        meaning(gold, schema), meaning(predicted, schema), right=False, code="", parses=True
    )
    assert difference.category == expected
    assert difference.repair


def test_the_engines_of_the_paper_are_here() -> None:
    """AT-26: Neo4j, TinkerPop and Jena, each for its language."""
    for name, language in {"neo4j": "cypher", "tinkergraph": "gremlin", "jena": "sparql"}.items():
        assert language in ENGINES.get(name).languages


def test_seconds_of_predictions_are_a_mean_by_language() -> None:
    """AT-40: naive and full are two runs; each has its mean, where predictions say seconds."""
    naive = [
        Score(str(n), "d", "cypher", calls=1, prompt_tokens=100, completion_tokens=9, usd=0.5,
              seconds=seconds)
        for n, seconds in enumerate((2.0, 3.0))
    ]  # fmt: skip
    figures = {"languages": {"cypher": summary(naive)}, "left_out": []}
    costs = next(rows for title, _, rows in tables(figures) if title.startswith("Costs"))
    assert costs[0][:4] == ("cypher", "2", "2", "100.0")
    assert costs[0][7] == "2.500"
