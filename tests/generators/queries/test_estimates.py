"""What figures tell of a pattern: relations of equals, rings in dense and sparse relations."""

from __future__ import annotations

from math import inf

import pytest

from generators.queries.archetypes.estimates import Estimates
from generators.queries.archetypes.load import own_archetypes
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.cypher.reader import parse
from schemagraph.folder.statistics import EdgeStatistics, GraphStatistics
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.views import Hop

NODE = NodeType(("Stop",), (Property("id", Type(Kind.INTEGER), nullable=False),), ("id",))
RING = next(each for each in own_archetypes() if each.name == "cycle-ring")
MUTUAL = next(each for each in own_archetypes() if each.name == "cycle-mutual")


def estimates(label: str, nodes: int, count: int, mutual: int) -> tuple[Estimates, Hop]:
    edge = EdgeType(label, "Stop", "Stop")
    each = (round(count / nodes),) * 21
    known = EdgeStatistics(count, nodes, nodes, each, each, mutual)
    schema = SchemaGraph("stops", (NODE,), (edge,))
    return Estimates(schema, GraphStatistics({"Stop": nodes}, {edge.name: known}, {})), Hop(
        edge, True
    )


@pytest.mark.parametrize(
    ("label", "count", "mutual", "symmetric"),
    [
        ("FEEDS", 60, 60, True),  # each is stored both ways
        ("FEEDS", 60, 58, False),
        ("FEEDS", 4, 4, False),  # too few to say so
        ("RIVAL_OF", 60, 0, True),  # the name says it
        ("TRAVELS_WITH", 60, 0, True),
        ("REPLACED_WITH", 60, 0, False),
    ],
)
def test_relations_of_equals(label: str, count: int, mutual: int, symmetric: bool) -> None:
    found, hop = estimates(label, 20, count, mutual)
    assert (hop.edge.name in found.symmetric) is symmetric
    assert found.is_mirrored(hop.edge) is (mutual == count)


def test_pairs_both_ways_need_edges_both_ways() -> None:
    for mutual in (0, 30):
        found, hop = estimates("FEEDS", 20, 60, mutual)
        assert bool(found.rows(MUTUAL, {"A": NODE}, {"R": hop})) is bool(mutual)


def test_rings_are_looked_for_where_there_may_be_some_and_not_too_many() -> None:
    for nodes, count, fits in ((400, 1600, True), (20_000, 60_000, True), (2_000, 200_000, False)):
        found, hop = estimates("FEEDS", nodes, count, 0)
        assert bool(found.rows(RING, {"A": NODE}, {"R": hop})) is fits, nodes


@pytest.mark.parametrize(
    ("patterns", "number"),
    [
        # 20 stops, each with three edges out and three in; conditions are not looked at.
        ("MATCH (a:Stop) WHERE a.id = 1", 20),
        ("MATCH (a:Stop)-[:FEEDS]->(b:Stop)", 60),
        ("MATCH (a:Stop)-[:FEEDS]->(b:Stop), (b)-[:FEEDS]->(c:Stop)", 180),
        ("MATCH (a:Stop)-[:FEEDS]->(b:Stop) MATCH (c:Stop)", 1_200),
        ("MATCH (a:Stop)-[:FEEDS]->(b:Stop)<-[:FEEDS]-(a)", 60),  # a step back leads nowhere new
        ("MATCH (a:Stop)-[:FEEDS]-(b:Stop)", 120),
        ("MATCH (a:Stop)-[:FEEDS*1..3]->(b:Stop)", 20 * (3 + 9 + 27)),
        ("MATCH p = shortestPath((a:Stop)-[:FEEDS*1..3]->(b:Stop))", inf),
    ],
)
def test_matches_of_patterns(patterns: str, number: float) -> None:
    found, _ = estimates("FEEDS", 20, 60, 0)
    own = bound(parse(f"{patterns} RETURN a.id AS x"), found.schema).statement
    assert isinstance(own, ir.Query)
    first = [clause for clause in own.clauses if isinstance(clause, ir.Match)]
    assert found.matches(first) == number
