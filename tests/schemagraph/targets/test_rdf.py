"""RDF written from a graph: Oxigraph reads the same triples from both forms, shapes are Turtle."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from schemagraph.rdf.names import decode, encode
from schemagraph.targets.base import export
from tests.engines.graphs import write_graph

PG = "https://graphmill.example/pg#"


def read(path: Path) -> ox.Dataset:
    form = ox.RdfFormat.N_TRIPLES if path.suffix == ".nt" else ox.RdfFormat.TURTLE
    found = ox.Dataset(ox.parse(path=path, format=form))
    found.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return found


def test_turtle_and_n_triples_hold_the_same(tmp_path: Path) -> None:
    """Hostile names, every kind of value, parallel edges and loops."""
    graph = write_graph(tmp_path / "graph")
    made = export("rdf", graph, tmp_path / "out")
    assert set(made.files) == {"data.nt", "data.ttl", "shapes.ttl", "vocabulary.ttl"}
    triples = read(tmp_path / "out" / "data.nt")
    assert set(triples) == set(read(tmp_path / "out" / "data.ttl"))
    # Ann knows Bob by three edges: three resources, one direct triple
    node = ox.NamedNode("https://graphmill.example/node/Person/Ann")
    edges = [quad for quad in triples if (quad.predicate.value, quad.object) == (f"{PG}from", node)]
    known = [
        quad
        for quad in triples
        if quad.subject == node and quad.predicate.value == "https://graphmill.example/edge/KNOWS"
    ]
    assert len(edges) > len(known) == 1


def test_vocabulary_and_shapes_are_turtle(tmp_path: Path) -> None:
    graph = write_graph(tmp_path / "graph")
    export("rdf", graph, tmp_path / "out", data=False)
    for name in ("vocabulary.ttl", "shapes.ttl"):
        assert len(read(tmp_path / "out" / name)) > 20


def test_names_keep_apart_and_come_back() -> None:
    names = ("", "a", "a b", "a%20b", "ü", "日本", "-a", "a-b", "😀", "\0", "a.b", ".", "`")
    assert len({encode(name) for name in names}) == len(names)
    assert [decode(encode(name)) for name in names] == list(names)
