"""One duration that is written in two ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.backends.jena import Jena
from engines.backends.oxigraph import Oxigraph
from engines.isolation import IsolatedEngine
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from qa.fuzz.graphs import read_graph
from translators.render import render

GRAPH = 'P(id!: INTEGER, lasts: DURATION)\n\nP [1, "P1Y"]\nP [2, "P12M"]'


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (p:P) RETURN DISTINCT p.lasts AS x",
        "MATCH (p:P) RETURN p.lasts AS x, count(*) AS n",
        "MATCH (p:P) RETURN p.lasts AS x UNION MATCH (p:P) RETURN p.lasts AS x",
    ],
)
def test_what_is_declared_unsound_is_wrong(tmp_path: Path, text: str) -> None:
    graph = read_graph(GRAPH)
    statement = bind(parse(text), graph.schema).statement
    for kind in (Oxigraph, Jena):
        fault = next(each for each in kind.unsound if each.code == "duration-forms")
        assert fault.applies(statement)
        plain = bind(parse(text.replace("lasts", "id")), graph.schema).statement
        assert not fault.applies(plain)
    sparql = render(parse(text), "sparql", graph.schema).text
    with IsolatedEngine("oxigraph", graph.write(tmp_path / "graph")) as engine:
        assert len(engine.run(sparql, language="sparql", timeout=60).rows) == 2
