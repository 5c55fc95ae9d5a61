"""Names with characters of all kinds in the text of a query: Oxigraph reads them."""

from __future__ import annotations

import pyoxigraph
import pytest

from graph_ir.cypher.reader import parse
from translators.render import render


@pytest.mark.parametrize(
    "name",
    ["𝄞", "a𝄞b", "😀→", "\U000effff", "⌘ x", "·", "a·", "€", "ª", "\u0301x", "٣", "größe", "-"],
)
def test_names_are_read(name: str) -> None:
    query = f"MATCH (n:`{name}`)-[:`{name}`]->(m) WHERE m.`{name}` = 1 RETURN n.`{name}` AS v"
    text = render(parse(query), "sparql", None).text
    assert isinstance(pyoxigraph.Store().query(text), pyoxigraph.QuerySolutions)
