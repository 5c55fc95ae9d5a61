"""What queries touch, worked out by hand on the ferries: five calls of ships at ports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.execution import Bench, capped
from evaluation.metrics.elements import hit_rate, jaccard, related, touch_the_same, twigs
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from schemagraph.folder.serde import load_schema

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bench(corpus: Path) -> Iterator[Bench]:
    graph = corpus / "graphs" / "ferries"
    with Bench(graph, graph / "instances", load_schema(graph)) as made:
        yield made


def bound(text: str, bench: Bench) -> ir.Statement:
    return bind(parse(text), bench.schema).statement


def touched(text: str, bench: Bench) -> frozenset[str]:
    elements = bench.touched(bound(text, bench))
    assert elements is not None
    return elements


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("MATCH (p:Port) RETURN p.name", 4, 0),
        ("MATCH (p:Port) RETURN count(*)", 4, 0),
        ("MATCH (p:Port) WHERE p.name = 'Kiel' RETURN p.country", 1, 0),
        ("MATCH (s:Ship)-[:CALLS_AT]->(p:Port) RETURN s.name", 6, 5),  # 2 ships, 4 ports
        ("MATCH (:Ship)-[:CALLS_AT]->(p:Port {name: 'Kiel'}) RETURN p.name", 2, 1),
        ("MATCH (s:Ship) OPTIONAL MATCH (s)-[:CALLS_AT]->(p:Port) RETURN s.name", 7, 5),
        ("MATCH (s:Ship)-[:CALLS_AT*1..1]->(p:Port) RETURN s.name", 6, 5),
        ("MATCH (p:Port) RETURN p.name AS n UNION MATCH (s:Ship) RETURN s.name AS n", 7, 0),
        ("MATCH (p:Port) WITH p WHERE p.name = 'Kiel' MATCH (s:Ship)-->(p) RETURN s.name", 5, 1),
        ("RETURN 1 AS one", 0, 0),
    ],
)
def test_elements_that_patterns_match(bench: Bench, text: str, nodes: int, edges: int) -> None:
    found = touched(text, bench)
    names = bench.schema.node_by_name
    assert sum(each.split()[0] in names for each in found) == nodes
    assert sum(each.split()[0] not in names for each in found) == edges


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("MATCH (p:Port) RETURN p.name", "MATCH (x:Port) RETURN count(*)", 1.0),
        ("MATCH (p:Port) RETURN p.name", "MATCH (s:Ship) RETURN s.name", 0.0),
        ("MATCH (p:Port) RETURN p.name", "MATCH (p:Port {name: 'Kiel'}) RETURN p.name", 1 / 4),
        ("MATCH (p:Port) RETURN p.name", "MATCH (n) WHERE n:Port OR n:Ship RETURN n.name", 4 / 7),
        ("RETURN 1 AS a", "RETURN 2 AS a", 1.0),
        # the same elements, once by their keys and once as they are
        ("MATCH (c:Crossing)-->(s:Ship) RETURN c.id", "MATCH (c:Crossing)--(s:Ship) RETURN c", 1.0),
        ("MATCH (s:Ship)-->(p:Port) RETURN s.id", "MATCH x = (s:Ship)-->(p:Port) RETURN x", 1.0),
    ],
)
def test_psjs(bench: Bench, gold: str, predicted: str, expected: float) -> None:
    assert jaccard(touched(gold, bench), touched(predicted, bench)) == pytest.approx(expected)


def test_related_schema_and_twigs(bench: Bench) -> None:
    statement = bound(
        "MATCH (s:Ship)-[c:CALLS_AT]->(p:Port {name: 'Kiel'}) WHERE c.berth = 'A1' RETURN s.name",
        bench,
    )
    found = related(statement)
    assert found.nodes == {"Ship", "Port"}
    assert found.edges == {"Ship-CALLS_AT-Port"}
    assert twigs(statement, bench.schema) == {
        "(Ship)-[:CALLS_AT]->(Port)",
        "Ship.name",
        "Port.name",
        "CALLS_AT.berth",
    }
    assert hit_rate(["Ship.name", "Ship.built"], {"Ship.name"}) == 0.5
    assert hit_rate([], {"Ship.name"}) is None


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("MATCH (n) RETURN n", 5),
        ("MATCH (n) RETURN n LIMIT 3", 3),
        ("MATCH (n) RETURN n LIMIT 9", 5),
    ],
)
def test_an_answer_is_cut(text: str, limit: int) -> None:
    query = capped(parse(text), 5)
    assert isinstance(query, ir.Query)
    last = query.clauses[-1]
    assert isinstance(last, ir.Project)
    assert last.limit == ir.Literal(limit)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("MATCH (x:Ship)-[:CALLS_AT]->(y:Port) WHERE y.name = 'Kiel' RETURN count(*)", True),
        ("MATCH (a:Ship)-[:CALLS_AT]->(p:Port) WHERE p.name = 'Kiel' RETURN a.name LIMIT 1", True),
        ("MATCH (s:Ship)-[:CALLS_AT]->(p:Port) WHERE p.name = 'Oslo' RETURN s.name", False),
        ("MATCH (s:Ship)-[:CALLS_AT]->(p:Port) RETURN s.name", False),
        ("MATCH (p:Port) WHERE p.name = 'Kiel' RETURN p.name", False),
    ],
)
def test_what_touches_the_same_whatever_is_returned_needs_no_run(
    bench: Bench, text: str, same: bool
) -> None:
    gold = "MATCH (s:Ship)-[:CALLS_AT]->(p:Port) WHERE p.name = 'Kiel' RETURN s.name"
    assert touch_the_same(bound(text, bench), bound(gold, bench), bench.schema) is same
    assert (touched(text, bench) == touched(gold, bench)) >= same
