"""Predictions whose LIMIT chooses freely: right where every choice is, and not where one is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engines.ladder import Gold, Rung
from evaluation.execution import Bench
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from schemagraph.folder.serde import load_schema

pytestmark = pytest.mark.slow

KIEL = "MATCH (p:Port) WHERE p.name = 'Kiel' RETURN p.country AS c ORDER BY p.name LIMIT 1"
ANY_TWO = "MATCH (p:Port) RETURN p.name AS n LIMIT 2"
FIRST = "MATCH (p:Port) RETURN p.id AS i ORDER BY p.id LIMIT 1"
SHIP = "MATCH (s:Ship)-[:CALLS_AT]->(p:Port) RETURN s.name AS n ORDER BY s.name LIMIT 1"


@pytest.fixture(scope="module")
def bench(corpus: Path) -> Iterator[Bench]:
    graph = corpus / "graphs" / "ferries"
    with Bench(graph, graph / "instances", load_schema(graph)) as made:
        yield made


def bound(text: str, bench: Bench) -> ir.Statement:
    return bind(parse(text), bench.schema).statement


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        (ANY_TWO, "MATCH (p:Port) RETURN p.name LIMIT 2", True),
        (ANY_TWO, "MATCH (p:Port) RETURN p.name SKIP 1 LIMIT 2", True),
        (ANY_TWO, "MATCH (p:Port) RETURN p.name ORDER BY p.name LIMIT 2", True),
        (ANY_TWO, "MATCH (p:Port) WITH p LIMIT 2 RETURN p.name", True),
        (FIRST, "MATCH (p:Port) RETURN p.id LIMIT 1", False),
        (FIRST, "MATCH (p:Port) WITH p LIMIT 1 RETURN p.id", False),
        (FIRST, "MATCH (p:Port) WITH p ORDER BY p.id LIMIT 1 RETURN p.id", True),
        (FIRST, "MATCH (p:Port) WHERE p.id = 1 RETURN p.id LIMIT 1", True),
        (FIRST, "MATCH (p:Port) RETURN p.id ORDER BY p.id LIMIT 1", True),
        (SHIP, "MATCH (s:Ship)-[:CALLS_AT]->(p:Port) RETURN s.name ORDER BY s.id LIMIT 3", False),
        (SHIP, "MATCH (s:Ship)-[:CALLS_AT]->() RETURN s.name ORDER BY s.name LIMIT 1", True),
        (SHIP, "MATCH (s:Ship)-[:CALLS_AT]->() RETURN s.name LIMIT 1", False),
        (KIEL, "MATCH (p:Port) WHERE p.name = 'Kiel' RETURN p.country LIMIT 1", True),
        (KIEL, "MATCH (p:Port) WHERE p.name STARTS WITH 'K' RETURN p.country LIMIT 1", True),
        (KIEL, "MATCH (p:Port) WHERE p.name >= 'Kiel' RETURN p.country LIMIT 1", False),
    ],
)
def test_a_free_limit_is_right_where_every_choice_is(
    bench: Bench, gold: str, predicted: str, right: bool
) -> None:
    statement = bound(gold, bench)
    answer = bench.gold(statement)
    assert isinstance(answer, Gold)
    judgement = bench.judge(bound(predicted, bench), statement, answer)
    assert (judgement.ran, judgement.right) == (True, right)
    if not right:
        assert judgement.rung is Rung.NONE
