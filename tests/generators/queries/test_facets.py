"""What answers show of a node."""

from __future__ import annotations

import pytest

from generators.queries.facets import Facets
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.statistics import GraphStatistics, PropertyStatistics


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["motto", "city"], ("city",)),
        (["city_name", "motto"], ("city_name",)),
        (["motto"], ("city_id",)),
        (["last_name", "first_name"], ("first_name", "last_name")),
    ],
)
def test_name(texts: list[str], shown: tuple[str, ...]) -> None:
    """A node is shown by its name, which may be called as the node is, else by its key."""
    key = Property("city_id", Type(Kind.INTEGER))
    node = NodeType(
        ("City",), (key, *(Property(t, Type(Kind.STRING)) for t in texts)), ("city_id",)
    )
    figures = PropertyStatistics(9, 0, 9, sample=("Ulm", "Oslo"))
    known = {(node.name, p.name): figures for p in node.properties}
    facets = Facets(SchemaGraph("s", (node,)), GraphStatistics({node.name: 9}, {}, known))
    assert facets.shown["City"].name == shown
