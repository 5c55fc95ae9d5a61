"""networkx graphs come in through node-link JSON, whole."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.report import ConversionReport

pytestmark = pytest.mark.slow


def converted(folder: Path, data: Any) -> tuple[Path, ConversionReport]:
    """The graph made of `data` as JSON."""
    path = folder / "graph.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return folder / "out", convert(str(path), folder / "out")


def test_a_networkx_multigraph(tmp_path: Path) -> None:
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph(name="films")
    graph.add_node("a", labels=["Person", "Actor"], born=1964, tags=["x", "y"])
    graph.add_node("b", labels=["Person"], born=None)
    graph.add_node(7, labels=["Film"], score=8, title="Ü")
    graph.add_node(8, labels=["Film"], score=8.5)
    graph.add_edge("a", 7, type="ACTED_IN", roles=["Neo"])
    graph.add_edge("a", 7, type="ACTED_IN", roles=[])
    graph.add_edge("b", "a", type="KNOWS", since=2001)
    out, report = converted(tmp_path, nx.node_link_data(graph, edges="links"))
    schema = load_schema(out)
    assert (schema.name, load_mapping(out)) == ("films", None)
    assert [node.name for node in schema.nodes] == ["Person&Actor", "Person", "Film"]
    assert [edge.name for edge in schema.edges] == [
        "Person&Actor-ACTED_IN-Film",
        "Person-KNOWS-Person&Actor",
    ]
    film = schema.node_by_name["Film"]
    assert [(p.name, str(p.type), p.nullable) for p in film.properties] == [
        ("id", "INTEGER", False),
        ("score", "FLOAT", True),  # never missing here, and not declared
        ("title", "STRING", True),
    ]
    assert list(node_rows(out, film)) == [
        {"id": 7, "score": 8.0, "title": "Ü"},
        {"id": 8, "score": 8.5, "title": None},
    ]
    acted = list(edge_rows(out, schema.edges[0], schema))
    assert [(row.source, row.target, row.properties) for row in acted] == [
        (("a",), (7,), {"roles": ["Neo"]}),
        (("a",), (7,), {"roles": []}),
    ]
    assert report.warnings == ()
    assert check_graph(out) == []


def test_edges_and_a_simple_graph(tmp_path: Path) -> None:
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_node(1, labels=["A"])
    graph.add_edge(1, 1, type="T", key="a property here")
    out, report = converted(tmp_path, nx.node_link_data(graph, edges="edges"))
    schema = load_schema(out)
    assert next(edge_rows(out, schema.edges[0], schema)).properties == {"key": "a property here"}
    assert report.warnings == ("The graph is undirected: links keep the direction as written.",)


def test_what_has_no_type_of_its_own_is_text(tmp_path: Path) -> None:
    nodes = [
        {"id": 1, "labels": ["A"], "m": 1, "j": "1", "o": {"b": [1], "a": None}, "big": 2**64},
        {"id": 2, "labels": ["A"], "m": "one", "j": 1, "o": {}, "big": 1},
    ]
    out, report = converted(tmp_path, {"nodes": nodes, "links": [], "directed": True})
    rows = list(node_rows(out, load_schema(out).nodes[0]))
    assert rows == [
        {"id": 1, "m": "1", "j": '"1"', "o": '{"a": null, "b": [1]}', "big": str(2**64)},
        {"id": 2, "m": "one", "j": "1", "o": "{}", "big": "1"},
    ]
    assert len(report.warnings) == 4


def test_names_that_engines_confuse_are_changed(tmp_path: Path) -> None:
    data = {
        "directed": True,
        "nodes": [{"id": 1, "labels": ["City"], "Name": "x", "name": "y", "ID": 3},
                  {"id": 2, "labels": ["CITY"]}, {"id": 3}],
        "links": [{"source": 1, "target": 2, "type": "to", "source.id": 1},
                  {"source": 1, "target": 2, "type": "TO"}, {"source": 1, "target": 3}],
    }  # fmt: skip
    out, report = converted(tmp_path, data)
    schema = load_schema(out)
    assert schema.labels == ("CITY_2", "City", "Node")
    assert schema.edge_labels == ("RELATED_TO", "TO_2", "to")
    assert [p.name for p in schema.nodes[0].properties] == ["id", "Name", "name_2", "ID_2"]
    assert [p.name for p in schema.edges[0].properties] == ["source.id_2"]
    assert len(report.warnings) == 7
    assert check_graph(out) == []


NODE = {"id": 1, "labels": ["A"]}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"nodes": [}', "line 1, column 12: not JSON"),
        ('{"nodes": [{"id": ' + "9" * 5000 + '}], "links": []}', "column 19: the number 9999"),
        ('{"nodes": ' + "[" * 100_000, "nested deeper than 200 levels"),
        (
            '{"nodes": [{"id": 1, "x": ' + "[" * 3_000 + "]" * 3_000 + '}], "links": []}',
            "nested deeper than 200 levels",
        ),
        (
            '{"nodes": [{"id": 1, "y": {"x": 1},\n "x": 1, "\\u0078": ":"}], "links": []}',
            "json, line 2, column 10: the key 'x' is there twice in one object",
        ),
        (
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "source": 1}]}',
            "line 1, column 61: the key 'source' is there twice",
        ),
        ('{"nodes": [{"id": 1}], "nodes": [], "links": []}', "column 24: the key 'nodes'"),
        ('{"nodes": [{"id": 1, "\\ud800": 2}], "links": []}', "half of a surrogate pair"),
        (
            '{"nodes": [{"id": 1, "1e400": "1e400",\n "x": [2.5, -1e400]}], "links": []}',
            "line 2, column 13: the number -1e400 is beyond what a float holds",
        ),
        (
            '{"nodes": [{"id": 1,\n "x": -' + "9" * 5000 + '}], "links": []}',
            "line 2, column 7: the number -9999",
        ),
        ({"links": []}, 'no list "nodes"'),
        ({"nodes": [NODE]}, 'no list "links" or "edges"'),
        ({"nodes": [NODE], "links": [], "edges": []}, 'both lists "links" and "edges"'),
        ({"nodes": [], "links": []}, "no node"),
        ({"nodes": [NODE, NODE], "links": []}, "node 2: the id 1 occurs twice"),
        ({"nodes": [NODE, {"id": 1.0}], "links": []}, "node 2: the id 1.0 occurs twice"),
        ({"nodes": [{"id": [True]}, {"id": [True]}], "links": []}, r"the id \[True\] occurs twice"),
        ({"nodes": [NODE], "links": [{"source": 1, "target": True}]}, "no node with the id True"),
        ({"nodes": ["a"], "links": []}, 'node 1: a node is an object with an "id"'),
        ({"nodes": [{"id": None}], "links": []}, 'node 1: a node is an object with an "id"'),
        ({"nodes": [{"id": {}}], "links": []}, 'node 1: an object is no "id"'),
        ('{"nodes": [{"id": NaN}], "links": []}', 'node 1: NaN is no "id"'),
        ('{"nodes": [{"id": [NaN]}], "links": []}', 'node 1: NaN is no "id"'),
        (
            '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": NaN}]}',
            'item 1 of links: NaN is no "id"',
        ),
        ({"nodes": [{"id": 1, "labels": ["A&B"]}], "links": []}, 'node 1: "labels"'),
        ({"nodes": [{"id": 1, "labels": 5}], "links": []}, 'node 1: "labels"'),
        (
            {"nodes": [NODE], "links": [{"source": 1, "target": 2, "type": "T"}]},
            r"item 1 of links: there is no node with the id 2 \(target\)",
        ),
        ({"nodes": [NODE], "edges": [{"source": 1}]}, "item 1 of edges: a link is an object"),
        (
            {"nodes": [NODE], "links": [{"source": 1, "target": 1, "type": 3}]},
            'item 1 of links: "type" is a text',
        ),
    ],
)
def test_what_is_no_node_link_graph(tmp_path: Path, data: Any, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        converted(tmp_path, data)
    assert not (tmp_path / "out").exists()


def test_true_is_another_id_than_1(tmp_path: Path) -> None:
    ids = [True, 1, "1", False, 0]
    links = [{"source": True, "target": 1}, {"source": 0, "target": False}]
    data = {"nodes": [{"id": each, "labels": ["A"]} for each in ids], "links": links}
    out, report = converted(tmp_path, data)
    assert (report.nodes, report.edges) == ({"A": 5}, {"A-RELATED_TO-A": 2})
    assert check_graph(out) == []


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["1", "true", "null", "1.0", '"a"', "[]", "{}", "NaN", "\ud800"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)
NAMES = st.sampled_from(["a", "A", "", "source.id", "ü", "labels ", "rowid"])
PROPERTIES = st.dictionaries(NAMES, JSON, max_size=3)
IDS = st.one_of(st.integers(), st.text(max_size=3), st.floats(allow_nan=False), st.booleans())


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(IDS, st.tuples(st.sampled_from(["A", "a", "B"]), PROPERTIES), min_size=1),
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), PROPERTIES), max_size=5),
)
def test_any_graph_comes_back(
    nodes: dict[Any, tuple[str, dict[str, Any]]],
    links: list[tuple[int, int, dict[str, Any]]],
) -> None:
    """`convert` compares every value with the source; this gives it all that JSON can say."""
    ids = list(nodes)
    data = {
        "nodes": [
            {**properties, "id": key, "labels": [label]}
            for key, (label, properties) in nodes.items()
        ],
        "links": [
            {**properties, "source": ids[a % len(ids)], "target": ids[b % len(ids)], "type": "T"}
            for a, b, properties in links
        ],
    }
    with TemporaryDirectory() as folder:
        _, report = converted(Path(folder), data)
    assert sum(report.nodes.values()) == len(nodes)
    assert sum(report.edges.values()) == len(links)
