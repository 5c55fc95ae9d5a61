"""Numbers of thousands of digits, which Python does not convert, are errors of one query."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.isolation import IsolatedEngine
from graphmill.errors import QueryError
from qa.fuzz.graphs import read_graph

LONG = "9" * 5000
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IsolatedEngine]:
    folder = read_graph("A(id!: INTEGER)\n\nA [1]").write(tmp_path_factory.mktemp("long") / "g")
    with IsolatedEngine("oxigraph", folder) as engine:
        yield engine


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT * {{}} LIMIT {LONG}",
        f"SELECT ({LONG} AS ?x) {{}}",
        f'SELECT ("{LONG}"^^<{INTEGER}> AS ?x) {{}}',
        f"SELECT ({LONG} + 1 AS ?x) {{}}",
    ],
)
def test_they_are_errors_in_our_words(text: str, oxigraph: IsolatedEngine) -> None:
    with pytest.raises(QueryError) as caught:
        oxigraph.run(text, language="sparql", timeout=20)
    said = str(caught.value)
    assert "sys." not in said
    assert "worker died" not in said
    assert len(said) < 300
    assert oxigraph.run("SELECT (1 AS ?x) {}", language="sparql", timeout=20).rows == ((1,),)
