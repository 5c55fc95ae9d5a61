"""Small graphs beside a graph."""

from __future__ import annotations

import pytest

from schemagraph.folder.small import Rows, keeps_cardinalities
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

_ID = Property("id", Type(Kind.INTEGER))
SCHEMA = SchemaGraph(
    "s",
    (NodeType(("A",), (_ID,), ("id",)), NodeType(("B",), (_ID,), ("id",))),
    (EdgeType("HAS", "A", "B", targets="0..1"), EdgeType("OWNS", "A", "B", sources="1")),
)


@pytest.mark.parametrize(
    ("rows", "keeps"),
    [
        ({}, True),
        ({"A-HAS-B": [[1, 1], [2, 1]]}, True),  # a target may have several sources
        ({"A-HAS-B": [[1, 1], [1, 2]]}, False),
        ({"A-HAS-B": [[1, 1], [1, 1]]}, False),  # one edge to each target that it has
        ({"A-OWNS-B": [[1, 1], [1, 2]]}, True),
        ({"A-OWNS-B": [[1, 1], [2, 1]]}, False),
    ],
)
def test_declared_cardinalities_are_kept(rows: Rows, keeps: bool) -> None:
    assert keeps_cardinalities(SCHEMA, rows) is keeps
