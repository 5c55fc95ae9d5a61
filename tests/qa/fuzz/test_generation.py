"""The generator draws all of Graph-IR, the same for the same seed, and mostly what is valid."""

from __future__ import annotations

from pathlib import Path

from graph_ir import nodes as ir
from graph_ir.walk import descend, find
from qa.fuzz.graphs import random_graph, read_graph
from qa.fuzz.shrink import is_steady, is_valid, shrink
from qa.fuzz.statements import random_statement
from schemagraph.folder.graphdata import edge_rows, node_rows

SEEDS = range(200)  # the seeds of the search in CI
NOT_DRAWN = {
    **dict.fromkeys(
        ("Create", "Set", "SetItem", "Remove", "Merge", "Delete", "Foreach", "LoadCsv"),
        "writes are recognised and never run",
    ),
    "Param": "an engine that gets a text alone has no value for it",
    "Procedure": "procedures belong to one product",
    "ServerOption": "options belong to one server",
    "Yield": "procedures belong to one product",
}


def test_every_node_of_the_ir_is_drawn_within_the_seeds_of_ci() -> None:
    drawn: set[str] = set()
    for seed in SEEDS:
        statement = random_statement(seed, random_graph(seed // 40).schema)
        drawn |= {type(node).__name__ for node in descend(statement)}
    assert set(ir.NODE_CLASSES) - drawn == set(NOT_DRAWN)


def test_what_is_drawn_is_valid_steady_and_repeatable() -> None:
    valid = 0
    for seed in range(300):
        schema = random_graph(seed // 40).schema
        statement = random_statement(seed, schema)
        assert statement == random_statement(seed, schema)
        assert is_steady(statement)
        valid += is_valid(statement, schema)
    assert valid >= 290


def test_graphs_have_what_queries_trip_over() -> None:
    graphs = [random_graph(seed) for seed in range(40)]
    assert any("&" in node.name for g in graphs for node in g.schema.nodes)
    edges = [g.rows[e.name] for g in graphs for e in g.schema.edges]
    assert any(len(set(rows)) < len(rows) for rows in edges), "parallel equal edges"
    assert any(row[0] == row[1] for rows in edges for row in rows), "loops"
    assert any(value is None for rows in edges for row in rows for value in row)


def test_a_graph_is_read_back_from_its_text_and_its_files(tmp_path: Path) -> None:
    for seed in range(8):
        graph = random_graph(seed)
        assert read_graph(graph.text()) == read_graph(read_graph(graph.text()).text())
        folder = graph.write(tmp_path / str(seed))
        for node in graph.schema.nodes:
            assert len(list(node_rows(folder, node))) == len(graph.rows[node.name])
        for edge in graph.schema.edges:
            found = list(edge_rows(folder, edge, graph.schema))
            assert [(*r.source, *r.target) for r in found] == [r[:2] for r in graph.rows[edge.name]]


def test_what_fails_is_shrunk_to_what_makes_it_fail() -> None:
    graph = random_graph(3)
    seed = next(n for n in range(2000) if _has_reduce(n))
    statement = random_statement(seed, graph.schema)

    def fails(smaller: ir.Statement, on: object) -> bool:
        return any(find(smaller, ir.Reduce))

    small, left = shrink(statement, graph, fails, seconds=20)
    assert isinstance(small, ir.Query)
    assert len(small.clauses) == 1
    assert is_valid(small, graph.schema)
    assert len(list(descend(small))) <= 12
    assert len(left) == 0


def _has_reduce(seed: int) -> bool:
    schema = random_graph(3).schema
    statement = random_statement(seed, schema)
    return is_valid(statement, schema) and any(find(statement, ir.Reduce))
