"""Whole floats in lists and maps are floats, beside integers that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import read_graph
from translators.render import render

GRAPH = read_graph("""P(id!: INTEGER, v: FLOAT?, n: INTEGER)

P [1, 2.0, 2]
P [2, -0.5, 3]
P [3, null, 0]
P [4, 1e+20, 1]
""")


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = GRAPH.write(tmp_path_factory.mktemp("floats") / "graph")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("MATCH (p:P) RETURN [p.v] AS l ORDER BY p.id", "[2.0] [-0.5] [null] [1e+20]"),
        ("MATCH (p:P {id: 1}) RETURN {f: p.v * 2, i: p.n} AS m", '{"f": 4.0, "i": 2}'),
        ("MATCH (p:P {id: 1}) RETURN [toFloat(p.n), p.n / 2.0, p.n] AS l", "[2.0, 1.0, 2]"),
        ("MATCH (p:P) WHERE p.n = 2 RETURN collect(p.v + 1) AS l", "[3.0]"),
        ("UNWIND [1.0, 3.0] AS x RETURN {l: [x]} AS m", '{"l": [1.0]} {"l": [3.0]}'),
        ("RETURN [1.0, 2, -1e21] AS l", "[1.0, 2, -1e+21]"),
        # an integer or a float
        (
            "MATCH (p:P) RETURN [CASE WHEN p.n > 1 THEN p.v ELSE p.n END] AS l ORDER BY p.id",
            "[2.0] [-0.5] [0] [1]",
        ),
        ("MATCH (p:P) WHERE p.id > 4 RETURN [sum(p.v)] AS l", "[0]"),
        ("MATCH (p:P) WHERE p.id = 1 RETURN [sum(p.v), avg(p.n), sum(p.n)] AS l", "[2.0, 2.0, 2]"),
    ],
)
def test_floats_in_lists(oxigraph: IsolatedEngine, query: str, answer: str) -> None:
    text = render(parse(query), "sparql", GRAPH.schema).text
    rows = oxigraph.run(text, language="sparql", timeout=60).rows
    assert " ".join(json.dumps(value) for (value,) in rows) == answer, text
