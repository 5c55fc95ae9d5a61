"""Sub-schemas are counted and drawn as they are listed; shapes of known graphs."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import (
    as_networkx,
    count_sub_schemas,
    sample_sub_schemas,
    shape,
    sub_schemas,
)
from tests.schema_text import read_schema

SHOP = read_schema(
    "Person(id!: INTEGER)\nBand(name!: STRING)\nRecord(id!: INTEGER)\n"
    "Person-[KNOWS]->Person\nPerson-[MEMBER_OF]->Band\nBand-[MADE]->Record\n"
)


@st.composite
def schemas(draw: st.DrawFn) -> SchemaGraph:
    """Small schemas, with several edges between a pair and edges to a type itself."""
    names = [f"N{number}" for number in range(draw(st.integers(1, 4)))]
    pairs = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=5))
    edges = tuple(EdgeType(f"E{number}", a, b) for number, (a, b) in enumerate(pairs))
    return SchemaGraph("s", tuple(NodeType((name,)) for name in names), edges)


def test_paths_of_a_known_schema() -> None:
    assert [str(path) for path in sub_schemas(SHOP, 0)] == ["(Person)", "(Band)", "(Record)"]
    assert {str(path) for path in sub_schemas(SHOP, 1)} == {
        "(Person)-[KNOWS]->(Person)",
        "(Band)<-[MEMBER_OF]-(Person)",
        "(Band)-[MADE]->(Record)",
    }
    two = {str(path) for path in sub_schemas(SHOP, 2)}
    assert "(Person)-[KNOWS]->(Person)-[KNOWS]->(Person)" in two
    assert "(Person)-[MEMBER_OF]->(Band)-[MADE]->(Record)" in two
    assert "(Person)-[MEMBER_OF]->(Band)<-[MEMBER_OF]-(Person)" in two


@settings(max_examples=80)
@given(schemas(), st.integers(0, 4))
def test_each_path_once_and_as_many_as_counted(schema: SchemaGraph, hops: int) -> None:
    found = list(sub_schemas(schema, hops))
    assert len(found) == count_sub_schemas(schema, hops)
    texts = {frozenset((str(path), str(path.reversed()))) for path in found}
    assert len(texts) == len(found)
    graph = as_networkx(schema)
    for path in found:
        assert len(path.nodes) == hops + 1
        for hop, (a, b) in zip(path.hops, pairwise(path.nodes), strict=True):
            assert hop.ends == (a, b)
            assert graph.has_edge(hop.edge.source, hop.edge.target, key=hop.edge.name)


@settings(max_examples=30)
@given(schemas(), st.integers(1, 6), st.integers(1, 20), st.integers())
def test_samples_are_different_paths(schema: SchemaGraph, hops: int, count: int, seed: int) -> None:
    found = sample_sub_schemas(schema, hops, count, Random(seed))
    assert len(set(found)) == len(found) == min(count, count_sub_schemas(schema, hops))
    assert found == sample_sub_schemas(schema, hops, count, Random(seed))


@pytest.mark.parametrize(
    ("edges", "wanted"),
    [
        ([], "chain"),
        ([(1, 2), (3, 2)], "chain"),
        ([(1, 2), (1, 3), (4, 1)], "star"),
        ([(1, 2), (1, 3), (1, 4), (4, 5)], "tree"),
        ([(1, 2), (2, 3), (1, 3)], "dag"),
        ([(1, 2), (2, 1)], "cyclic_or_dense"),
        ([(1, 1)], "cyclic_or_dense"),
    ],
)
def test_shapes(edges: list[tuple[int, int]], wanted: str) -> None:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph([(str(a), str(b)) for a, b in edges])
    assert shape(graph) == wanted
