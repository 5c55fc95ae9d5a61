"""Walks in SQL are the trails that a search edge by edge finds, whatever their SQL looks like."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.backends.duckdb import DuckDB
from graph_ir.cypher.reader import parsed
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

KEY = (Property("id", Type(Kind.INTEGER)),)
N, M = NodeType(("N",), KEY, key=("id",)), NodeType(("M",), KEY, key=("id",))
SCHEMA = SchemaGraph("walks", (N, M), (EdgeType("K", "N", "N"), EdgeType("R", "M", "N")))
LENGTHS = ((2, 2), (3, 3), (4, 4), (1, 2), (1, 3), (0, 2))

type Node = tuple[str, int]
type Edge = tuple[Node, Node]


def trails(edges: list[Edge], start: Node, most: int, ways: str) -> list[tuple[Node, int]]:
    """Where each walk from `start` ends that uses no edge twice, and how long it is."""
    found = [(start, 0)]

    def walk(here: Node, used: frozenset[int]) -> None:
        for number, (source, target) in enumerate(edges):
            if number in used or len(used) == most:
                continue
            ends = [target] if source == here and ways != "in" else []
            if target == here and ways != "out" and not (source == target and ends):
                ends.append(source)
            for end in ends:
                found.append((end, len(used) + 1))
                walk(end, used | {number})

    walk(start, frozenset())
    return found


@pytest.mark.parametrize("seed", range(2))
def test_walks(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    pairs = {
        name: tuple(dict.fromkeys((rng.randint(1, 4), rng.randint(1, 4)) for _ in range(7)))
        for name in ("N-K-N", "M-R-N")
    }
    nodes = tuple((n,) for n in range(1, 5))
    graph = SmallGraph(SCHEMA, {"N": nodes, "M": nodes, **pairs}).write(tmp_path / "graph")
    all_edges = {
        "K": [(("N", a), ("N", b)) for a, b in pairs["N-K-N"]],
        "R": [(("M", a), ("N", b)) for a, b in pairs["M-R-N"]],
    }
    all_edges["K|R"] = all_edges["K"] + all_edges["R"]
    compared = 0
    with DuckDB() as engine:
        engine.load(graph)
        for types, edges in all_edges.items():
            for ways, arrows in (("out", "-{}->"), ("in", "<-{}-"), ("both", "-{}-")):
                for least, most in LENGTHS:
                    wanted = Counter(
                        (a, end[1])
                        for a in range(1, 5)
                        for end, length in trails(edges, ("N", a), most, ways)
                        if end[0] == "N" and length >= least
                    )
                    hops = f"*{least}" if least == most else f"*{least}..{most}"
                    pattern = arrows.format(f"[:{types}{hops}]")
                    query = f"MATCH (a:N){pattern}(b:N) RETURN a.id, b.id, count(*)"
                    text = render(parsed(query), "sql", SCHEMA).text
                    rows = engine.run(text, language="sql", timeout=10).rows
                    assert {(a, b): n for a, b, n in rows} == dict(wanted), text
                    compared += len(wanted)
    assert compared > 100


def test_edges_beside_a_walk_are_others(tmp_path: Path) -> None:
    """a to b along two edges, and back: a triangle is no answer, as its edges are walked."""
    rows = {"N": ((1,), (2,), (3,)), "M": (), "N-K-N": ((1, 2), (2, 3), (3, 1), (3, 3))}
    graph = SmallGraph(SCHEMA, {**rows, "M-R-N": ()}).write(tmp_path / "graph")
    asked = {
        "MATCH (a)-[:K*2]->(b)-[:K]->(a) RETURN a.id, b.id": {(1, 3), (2, 1), (3, 2)},
        "MATCH (a)-[:K*2]->(b)-[:K]->(c) WHERE c.id = 3 RETURN a.id, b.id": {
            (1, 3),  # by the loop
            (3, 2),
        },
        "MATCH (a)-[:K*1..2]->(b), (c)-[:K*2]->(d) WHERE a.id = 1 AND b.id = 2 RETURN c.id, d.id": {
            (2, 1),
            (2, 3),
            (3, 1),
        },
    }
    with DuckDB() as engine:
        engine.load(graph)
        for query, wanted in asked.items():
            text = render(parsed(query), "sql", SCHEMA).text
            assert set(engine.run(text, language="sql", timeout=10).rows) == wanted, text


def test_walks_begin_at_nodes_and_not_at_pairs_of_edges() -> None:
    """What keeps edges of an earlier MATCH apart is no condition of where a walk begins."""
    pattern = "MATCH (x:N)<-[:R]-(y:M), (x)<-[:R]-(z:M) WHERE y.id > 1"
    query = parsed(f"{pattern} MATCH (x)-[:K*1..9]->(w:N) RETURN count(*) AS n")
    text = render(query, "sql", SCHEMA).text
    start, _, after = text.partition("AS ids WHERE")[2].partition("UNION ALL")
    assert "y.id > 1" in start
    assert "rowid <>" not in start
    assert "rowid <>" in after
