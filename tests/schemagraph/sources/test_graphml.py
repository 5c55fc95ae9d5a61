"""GraphML of several programs, and files that are none or mean harm."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

import networkx as nx
import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_schema
from schemagraph.sources.formats.graphml_parse import Reader

EXAMPLE = Path(__file__).parent / "examples" / "graphml" / "trails.graphml"


def test_what_apoc_exports(tmp_path: Path) -> None:
    report = convert(str(EXAMPLE), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    hut, place = schema.nodes[0], schema.nodes[1]
    assert hut.labels == ("Place", "Hut")
    assert [(p.name, str(p.type)) for p in hut.properties] == [
        ("id", "STRING"),
        ("name", "STRING"),
        ("height", "INTEGER"),
        ("tags", "LIST<STRING>"),
        ("open", "BOOLEAN"),
    ]
    assert list(node_rows(tmp_path / "out", hut)) == [
        {"id": "n0", "name": "Höhe & Tal", "height": 2190, "tags": ["wood", "small"], "open": True}
    ]
    assert list(node_rows(tmp_path / "out", place)) == [{"id": "n1", "name": "Tal", "open": False}]
    edges = list(edge_rows(tmp_path / "out", schema.edges[0], schema))
    assert [(e.source, e.target, e.properties) for e in edges] == [
        (("n0",), ("n1",), {"km": 7.5}),
        (("n0",), ("n1",), {"km": 9.0}),
    ]
    assert report.warnings == (
        "1 nodes have no labels and get Node.",
        "1 edges have no type and get RELATED_TO.",
    )


def test_what_networkx_writes(tmp_path: Path) -> None:
    graph: nx.MultiGraph[Any] = nx.MultiGraph()
    graph.add_node("a", labels="Person", id=7, weight=1.5, on=True)
    graph.add_node(5, labels="Person", label="shown")
    graph.add_edge("a", 5, type="KNOWS", since=2001)
    graph.add_edge("a", 5, type="KNOWS", since=2002)
    nx.write_graphml(graph, tmp_path / "g.graphml")
    report = convert(str(tmp_path / "g.graphml"), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert list(node_rows(tmp_path / "out", schema.nodes[0])) == [
        {"graphml_id": "a", "id": 7, "weight": 1.5, "on": True, "label": None},
        {"graphml_id": "5", "id": None, "weight": None, "on": None, "label": "shown"},
    ]
    assert report.edges == {"Person-KNOWS-Person": 2}
    assert report.warnings == ("The graph is undirected: edges keep the direction as written.",)


def test_what_gephi_shows_is_no_type(tmp_path: Path) -> None:
    text = """<?xml version='1.0'?><graphml xmlns='http://graphml.graphdrawing.org/xmlns'
      xmlns:y='http://www.yworks.com/xml/graphml'>
      <key attr.name='label' attr.type='string' for='node' id='label'/>
      <key attr.name='weight' attr.type='double' for='edge' id='weight'/>
      <key id='d0' for='node' yfiles.type='nodegraphics'/>
      <graph edgedefault='undirected'><desc>about</desc>
      <edge source='1' target='2'><data key='weight'>2.0</data></edge>
      <node id='1'><data key='label'>One</data><data key='d0'><y:Shape>x</y:Shape></data></node>
      <node id='2'><data key='label'>Two</data></node></graph></graphml>"""
    (tmp_path / "g.xml").write_text(text)
    report = convert(str(tmp_path / "g.xml"), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert [row["label"] for row in node_rows(tmp_path / "out", schema.nodes[0])] == ["One", "Two"]
    assert report.edges == {"Node-RELATED_TO-Node": 1}
    assert any("y:Shape" in note for note in report.notes)


def whole(body: str, keys: str = "") -> str:
    """A GraphML file around `body`; every line but the first is the body's."""
    return f"<graphml>{keys}<graph edgedefault='directed'>\n{body}</graph></graphml>"


NODE = "<node id='1'/>\n"
KEY = "<key id='k' for='node' attr.name='n' attr.type='int'/>"
LIST = "<key id='k' for='node' attr.name='n' attr.type='string' attr.list='double'/>"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (whole(NODE)[:-12], "line 3: not XML"),
        ("<svg graphml='no'/>", "line 1: the root is svg, not graphml"),
        (whole(""), "has no node"),
        (whole(NODE + NODE), "line 3: the id '1' occurs twice"),
        (whole("<node/>"), 'line 2: a node has an attribute "id"'),
        (whole(NODE + "<edge source='1' target='2'/>"), "line 3: there is no node with the id '2'"),
        (whole(NODE + "<edge source='1'/>"), 'line 3: an edge has attributes "source"'),
        (whole("<node id='1' labels=':A&amp;B'/>"), "line 2: 'A&B' is no label"),
        (
            whole("<node id='1'><data key='j'>1</data></node>", KEY),
            "'j', which is not declared",
        ),
        (whole("<node id='1'><data key='k'>x</data></node>", KEY), "line 2: n: 'x' is no int"),
        (
            whole("<node id='1'><data key='k'>[1e400]</data></node>", LIST),
            r"'\[1e400\]' is no list of double \(too large\)",
        ),
        (
            whole(f"<node id='1'><data key='k'>[{'9' * 5000}]</data></node>", LIST),
            r"…' is no list of double \(too large\)",
        ),
        (
            whole(f"<node id='1'><data key='k'>{'9' * 5000}</data></node>", KEY),
            r"…' is no int \(too large\)",
        ),
        (
            whole("<node id='1'><data key='k'>1</data><data key='k'>1</data></node>", KEY),
            "a second n of one node",
        ),
        (whole(NODE, "<key id='k' attr.type='date'/>"), "unknown attr.type 'date'"),
        (whole(NODE, "<key attr.name='k'/>"), 'a key has an attribute "id"'),
        (whole("<hyperedge/>"), "line 2: an edge between more than two nodes"),
        (whole("<node id='1'><port name='p'/></node>"), "line 2: a port cannot be held"),
        (whole("<node id='1'><graph/></node>"), "line 2: a graph inside a node"),
        ("<!DOCTYPE g [<!ENTITY a 'b'>]><graphml>&a;</graphml>", "entities are not read"),
        ("<!DOCTYPE g [<!ENTITY a SYSTEM '/etc/passwd'>]><graphml>&a;</graphml>", "entities"),
    ],
)
def test_what_is_no_graphml(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "g.graphml").write_text(text)
    with pytest.raises(SourceError, match=said):
        convert(str(tmp_path / "g.graphml"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_deep_elements_and_text_between_them_take_time_by_their_length(tmp_path: Path) -> None:
    """Of each element all that is around it was looked through, and all text before it joined."""
    path, deep = tmp_path / "deep.graphml", 100_000
    text = "<x>" * deep + "</x>" * deep + "<node id='1'/>\n" + "<y>t</y>" * deep
    path.write_text(f"<graphml><graph>{text}</graph></graphml>", encoding="utf-8")
    begun = process_time()
    assert [item.attributes for item in Reader(path, "node").items()] == [{"id": "1"}]
    assert process_time() - begun < 10
