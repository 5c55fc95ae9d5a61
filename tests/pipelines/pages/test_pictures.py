"""Drawings and plots: legible, whole, the same twice, and right about what they show."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from pipelines.pictures import plots
from pipelines.pictures.answers import drawn_answer
from pipelines.pictures.patterns import drawn, types_of
from schemagraph.drawing import as_svg
from schemagraph.layout import placed
from schemagraph.model import EdgeType, NodeType, SchemaGraph

SVG = "{http://www.w3.org/2000/svg}"


def large() -> SchemaGraph:
    """25 node types: a ring, a hub, and edges that lead back."""
    names = [f"Type{number}" for number in range(25)]
    pairs = [(names[n], names[(n + 1) % 25]) for n in range(25)]
    pairs += [(name, names[0]) for name in names[5:15]] + [(names[3], names[3])]
    nodes = tuple(NodeType((name,)) for name in names)
    return SchemaGraph("large", nodes, tuple(EdgeType(f"E{n}", *p) for n, p in enumerate(pairs)))


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    """The rectangles of node types: left, top, right, bottom."""
    found = []
    for one in ElementTree.fromstring(picture).iter(f"{SVG}rect"):
        if one.get("stroke"):
            x, y, wide, high = (float(one.get(k, 0)) for k in ("x", "y", "width", "height"))
            found.append((x, y, x + wide, y + high))
    return found


def test_25_types_are_legible() -> None:
    schema = large()
    picture = as_svg(schema, {"Type1": 1_234})
    drawn_boxes = boxes(picture)
    assert len(drawn_boxes) == 25
    for a, b in combinations(drawn_boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    root = ElementTree.fromstring(picture)
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for x, y, u, v in drawn_boxes:
        assert left <= x <= u <= left + width
        assert top <= y <= v <= top + height
    assert width <= 1240, "a page of 1,400 pixels shows it without a scroll bar"
    texts = "".join(root.itertext())
    assert "1,234" in texts
    assert all(edge.label in texts for edge in schema.edges)
    assert picture == as_svg(schema, {"Type1": 1_234})


def test_labels_hide_no_box_and_no_label() -> None:
    root = ElementTree.fromstring(as_svg(large(), {"Type1": 1_234}))
    rectangles = [
        tuple(float(each.get(name, 0)) for name in ("x", "y", "width", "height"))
        for each in root.iter(f"{SVG}rect")
    ]
    for (a, b, c, d), (u, v, w, x) in combinations(rectangles, 2):
        assert min(a + c, u + w) - max(a, u) <= 0 or min(b + d, v + x) - max(b, v) <= 0


@pytest.mark.parametrize("name", ["\u4e3b\u516c\u5c06\u519b" * 5, "\N{UNICORN FACE}" * 12])
def test_a_box_is_as_wide_as_its_name(name: str) -> None:
    ((left, _, right, _),) = boxes(as_svg(SchemaGraph("s", (NodeType((name,)),), ())))
    assert right - left >= 12 * len(name), "12 pixels a letter"


def test_what_is_not_marked_is_pale() -> None:
    picture = as_svg(large(), None, {"Type1", "E1"})
    groups = [g for g in ElementTree.fromstring(picture).iter(f"{SVG}g") if g.get("opacity")]
    assert len(groups) == 24 + 35


@pytest.mark.parametrize("count", [1, 2, 3, 7, 60])
def test_every_box_has_a_cell_of_its_own(count: int) -> None:
    names = [str(n) for n in range(count)]
    cells = placed(names, pairwise(names))
    assert len(set(cells.values())) == count
    assert min(x for x, _ in cells.values()) == min(y for _, y in cells.values()) == 0


def test_a_chain_of_three_crosses_no_box() -> None:
    cells = placed(["a", "b", "c"], [("a", "b"), ("b", "c")])
    for one, other in (("a", "b"), ("b", "c")):
        (x, y), (u, v) = cells[one], cells[other]
        assert abs(x - u) <= 1
        assert abs(y - v) <= 1


@pytest.mark.parametrize(
    ("cypher", "nodes", "arrows", "words"),
    [
        ("MATCH (a:City) RETURN a", 1, 0, "Pattern: City"),
        ("MATCH (a:City)<-[:IN]-(m:Museum) RETURN a", 2, 1, "Museum to City by IN"),
        ("MATCH (a)-[:IN]-(m) RETURN a", 2, 0, "a with m by IN"),
        ("MATCH (a) OPTIONAL MATCH (a)-[:R]->(b) RETURN b", 2, 1, "by R (optional)"),
        ("MATCH (a) WHERE NOT EXISTS { (a)-[:R]->() } RETURN a", 2, 1, "by R (must not exist)"),
        ("MATCH (a) WHERE EXISTS { (a)-[:R]->() } RETURN a", 2, 1, "by R (must exist)"),
        ("MATCH (a)-[:R*1..3]->(b) RETURN b", 2, 1, "by R ×1–3"),
        ("MATCH (a)-[:R|S]->(a) RETURN a", 1, 1, "by R|S"),
        ("MATCH (a)-[:R]->(b) MATCH (a)-[:R]->(b) RETURN a", 2, 1, "by R"),
    ],
)
def test_a_pattern_is_what_the_query_looks_for(
    cypher: str, nodes: int, arrows: int, words: str
) -> None:
    root = ElementTree.fromstring(drawn(cypher))
    assert len(list(root.iter(f"{SVG}circle"))) == nodes
    assert len(list(root.iter(f"{SVG}polygon"))) == arrows
    assert words in (root.findtext(f"{SVG}title") or "")


@pytest.mark.parametrize("cypher", ["", "RETURN 1 AS one", "MATCH (", "\x00"])
def test_what_has_no_pattern_has_no_drawing(cypher: str) -> None:
    assert drawn(cypher) == ""


def test_the_types_that_a_query_names() -> None:
    assert types_of("MATCH (a:A|B)-[:R]->() WHERE a:C RETURN a") == {"A", "B", "C", "R"}


def test_an_answer_of_nodes_edges_and_paths_is_a_graph() -> None:
    def node(number: int) -> dict[str, object]:
        return {"labels": ["A"], "key": {"id": number}, "properties": {"name": f"n{number}"}}

    def end(number: int) -> dict[str, object]:
        return {"labels": ["A"], "key": {"id": number}}

    edge = {"type": "R", "source": end(1), "target": end(2), "properties": {}}
    path = {"nodes": [node(2), node(3)], "edges": [{**edge, "source": end(2), "target": end(3)}]}
    root = ElementTree.fromstring(drawn_answer([[node(1), edge, [path], 7, None]]))
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    assert len(list(root.iter(f"{SVG}polygon"))) == 2
    assert drawn_answer([[1, "a", None, {"a": 1}]]) == ""


def test_a_plot_is_the_same_whatever_was_drawn_before() -> None:
    rows = [{"a": "x & <b>", "n": 3}, {"a": "\u202ey", "n": 5}]
    first = plots.bars(rows, label="a", value="n", title="T")
    plots.histogram(rows, label="a", value="n", title="U")
    assert plots.bars(rows, label="a", value="n", title="T") == first
    assert "style=" not in first
    assert "\u202e" not in first
    assert "x &amp; &lt;b&gt;" in first
    assert re.search(r'aria-label="T"', first)
    ElementTree.fromstring(first)
