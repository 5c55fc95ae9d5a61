"""What a node may lack is asked where the node is bound, whatever its edges prove of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import read_graph
from translators.render import render

GRAPH = read_graph(
    "A(id!: INTEGER, age: INTEGER?)\nA-[R]->A\nA-[S]->A\n\n"
    "A [1, 30]\nA [2, null]\nA-R-A [1, 2]\nA-R-A [2, 1]\nA-S-A [1, 1]"
)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "MATCH (a:A) WITH a, a.age AS x MATCH (a)-[:R]->(b:A) RETURN x, b.id AS y",
            {(30, 2), (None, 1)},
        ),
        (
            "MATCH (a:A) OPTIONAL MATCH (a)-[:S]->(c:A) MATCH (b:A)-[:R]->(a) "
            "RETURN c.id AS x, b.id AS y",
            {(1, 2), (None, 1)},
        ),
    ],
)
def test_nodes_without_it_have_their_rows(
    tmp_path: Path, text: str, rows: set[tuple[int | None, int]]
) -> None:
    asked = render(parse(text), "sparql", GRAPH.schema).text
    with IsolatedEngine("oxigraph", GRAPH.write(tmp_path / "graph")) as engine:
        assert set(engine.run(asked, language="sparql", timeout=60).rows) == rows
