"""Turtle and N-Triples: what we write comes back, other files are read or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.errors import SourceError
from qa.fuzz.graphs import read_graph
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_schema
from schemagraph.rdf.triples import triples

GRAPH = """\
A(id!: INTEGER, f: FLOAT?, s: STRING?, b: BOOLEAN?, d: DATE?, t: DATETIME?, z: ZONED_DATETIME?, \
xs: LIST<INTEGER>)
A&B(id!: INTEGER, name: STRING?)
A-[R(w: INTEGER?)]->A
A-[odd_type]->A&B

A [1, 1.5, "q\\"\\\\x", true, "2020-02-29", "2020-01-31T10:30:00", \
"2020-01-31T12:30:00+02:00", [2, 1]]
A [2, null, null, null, null, null, null, []]
A&B [3, "Zo\\u00eb"]
A-R-A [1, 2, 7]
A-R-A [1, 2, 7]
A-R-A [2, 2, null]
A-odd_type-A&B [1, 3]
"""


def test_what_we_write_comes_back(tmp_path: Path) -> None:
    graph = read_graph(GRAPH)
    source = graph.write(tmp_path / "graph")
    file = tmp_path / "graph.nt"
    file.write_text("".join(triples(source, graph.schema)), "utf-8")
    convert(str(file), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert [node.labels for node in schema.nodes] == [("A",), ("A", "B")]
    for node, other in zip(graph.schema.nodes, schema.nodes, strict=True):
        mine = [
            {name: value for name, value in row.items() if value is not None}
            for row in node_rows(source, node)
        ]
        theirs = [
            {name: value for name, value in row.items() if value is not None and name != "iri"}
            for row in node_rows(tmp_path / "out", other)
        ]
        assert theirs == mine
    counts = {}
    for edge in schema.edges:
        rows = list(edge_rows(tmp_path / "out", edge, schema))
        counts[edge.label] = (
            sorted(
                (str(row.source[0])[-1], str(row.target[0])[-1], row.properties.get("w"))
                for row in rows[:2]
            ),
            len(rows),
        )
    assert counts["R"] == ([("1", "2", 7), ("1", "2", 7)], 3)
    assert counts["odd_type"][1] == 1


def test_a_foreign_file(tmp_path: Path) -> None:
    file = tmp_path / "people.ttl"
    file.write_text(
        """
        @prefix foaf: <http://xmlns.com/foaf/0.1/> .
        @prefix ex: <https://x.example/> .
        ex:ann a foaf:Person ; foaf:name "Ann" ; foaf:age 30 ; foaf:nick "A", "Annie" ;
            foaf:knows ex:bob, [ a foaf:Person ; foaf:name "Cid" ] .
        ex:bob a foaf:Person ; foaf:name "Bob" ; foaf:weight 70.5 ; foaf:nick "B" .
        """,
        "utf-8",
    )
    report = convert(str(file), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    (person,) = schema.nodes
    assert [(p.name, str(p.type)) for p in person.properties if p.name != "iri"] == [
        ("name", "STRING"),
        ("age", "INTEGER"),
        ("nick", "LIST<STRING>"),
        ("weight", "FLOAT"),
    ]
    assert report.edges == {"Person-knows-Person": 2}
    origin = load_manifest(tmp_path / "out").origin
    assert origin["names"]["edge knows"] == "http://xmlns.com/foaf/0.1/knows"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('<a:1> <a:p> "x"@en .', "language"),
        ('<a:1> <a:p> "x"^^<a:T> .', "no type"),
        ('<a:1> <b:x/p> "x" ; <b:y/p> "y" .', "both be called 'p'"),
        ("<a:1> <a:p> ( 1 2 ) , 3 .", "a list beside"),
        ("<a:1> <a:p> ( 1 <a:2> ) .", "holds no values"),
        ("( 1 2 ) <a:p> 3 .", "no value of a property"),
        ("<a:1> <a:p> 0.1000000000000000000000001 .", "no float"),
        ("<a:1> <a:p> .", "no ttl"),
        ("@prefix a: <a:> .", "no triple"),
        ('<a:1> <a:iri> "x" .', "called 'iri'"),
    ],
)
def test_what_a_graph_cannot_hold_is_refused(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "odd.ttl"
    file.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=why):
        convert(str(file), tmp_path / "out")
    assert not (tmp_path / "out").exists()
