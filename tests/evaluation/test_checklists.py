"""What the papers name in passing: definitions, cases that fail, engines, costs by the clock."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FrameType

import pytest

from engines import ENGINES
from engines.isolation import IsolatedEngine
from evaluation.answering.evolving import Entry, Evolution, ShotStore
from evaluation.answering.twigs import Linker, Linking
from evaluation.metrics.difference import classify
from evaluation.metrics.elements import twigs
from evaluation.score import Score
from evaluation.summary import summary
from evaluation.tables import tables
from generators.queries.archetypes.load import load_archetypes
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.files import data_folder
from schemagraph.folder.serde import load_schema
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


def test_a_graph_has_labels_properties_and_paths_of_edge_labels(corpus: Path) -> None:
    """MA-1: N, E, ρ, λ, σ; a path alternates nodes and edges and is as long as its edges."""
    own = load_schema(corpus / "graphs" / "ferries")
    for edge in own.edges:
        assert {edge.source, edge.target} <= set(own.node_by_name)
    query = (
        "MATCH p = (:Ship)-[:CALLS_AT]->(:Port)<-[:CALLS_AT]-(:Ship) RETURN [r IN relationships(p) "
        "| type(r)] AS labels, size(nodes(p)) AS nodes, length(p) AS length LIMIT 1"
    )
    with IsolatedEngine("grafeo", corpus / "graphs" / "ferries", memory_mb=1500) as engine:
        ((types, nodes, edges),) = engine.run(query, language="cypher", timeout=60.0).rows
    assert (types, nodes, edges) == (["CALLS_AT", "CALLS_AT"], 3, 2)


def test_the_loop_needs_no_framework() -> None:
    """MA-8: plain code; neither LangGraph nor Memgraph's driver is imported by any system."""
    code = (
        "import sys; import evaluation.systems.multi_agent; "
        "used = {m.split('.')[0] for m in sys.modules}; "
        "print(sorted(used & {'langgraph', 'gqlalchemy', 'openai'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_linking_compares_each_name_once_and_each_twig_once() -> None:
    """AT-42: n·m similarities, N_twig·(m + n) for scores: with twice the words twice the work."""
    schema = read_schema(SCHEMA)
    linker = Linker(schema, "cypher", Linking(values=False), None)
    counts = []
    for words in ("films actors", "films actors years roles", "films actors years roles " * 2):
        lines = 0

        def count(frame: FrameType, event: str, _: object) -> None:
            nonlocal lines
            lines += event == "call"

        linker.link(words)  # what is made once is made
        before = sys.getprofile()
        sys.setprofile(count)
        linker.link(words)
        sys.setprofile(before)
        counts.append(lines)
    assert counts[0] < counts[1] < 3 * counts[0]
    assert counts[2] < 3 * counts[1]


def test_choice_and_eviction_look_at_each_shot_once() -> None:
    """AT-43: O(L) scores for a choice, O(L) worths for an eviction, a step of age each."""

    class Counted(ShotStore):
        scored = worthed = 0

        def score(self, entry: Entry, elements: frozenset[str]) -> float:
            self.scored += 1
            return super().score(entry, elements)

        def worth(self, entry: Entry) -> float:
            self.worthed += 1
            return super().worth(entry)

    for size in (10, 100):
        store = Counted(Evolution(capacity=size))
        for number in range(size):
            store.add(Entry(str(number), "d", "?", "…", frozenset({str(number)}), 0.5))
        assert store.worthed == 0  # not full yet
        store.best(frozenset({"3"}), 3)
        assert (store.scored, store.worthed) == (size, size)
        store.add(Entry("more", "d", "?", "…", frozenset(), 0.5))
        assert store.worthed == 2 * size
        store.learn((), valid=True)
        assert [entry.age for entry in store.entries] == [1] * size


def test_capabilities_are_kinds_of_queries_that_can_be_asked_for() -> None:
    """NS-29: multi-hop, cycles, recursion, dynamic patterns, time, sets, nested aggregation are
    families of archetypes, of which every build has queries."""
    archetypes = load_archetypes([data_folder() / "archetypes"])
    families = {each.family for each in archetypes}
    assert families >= {
        *("chain", "cycle", "variable-length", "shortest-path", "temporal", "set-operation"),
        *("nested-aggregation", "multi-stage", "optional"),
    }


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
