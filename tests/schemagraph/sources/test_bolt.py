"""A live Neo4j is read whole, by introspection alone, and is not changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_schema
from schemagraph.sources.formats import bolt_read as _bolt_read

pytestmark = pytest.mark.slow

FILMS = """
CREATE (a:Person:Actor {name: 'Ann', born: date('1970-02-28'), tags: ['x', 'y']})
CREATE (b:Person {name: 'Bo', born: 1980})
CREATE (m:Film {code: 7, title: 'Ü', seen: datetime('2024-01-31T12:00:00+01:00')})
CREATE (n:Film {code: 8, length: duration('P1DT2H'), at: point({x: 1.5, y: 2})})
CREATE (x:Tag {of: 'a'}), (y:Tag {of: 'a'}), (z {free: true})
CREATE (q:`odd ``label` {`a b`: 1, t: localdatetime('2024-01-01T00:00:00.123456789')})
CREATE (a)-[:ACTED_IN {roles: ['Neo'], pay: 1}]->(m), (a)-[:ACTED_IN {pay: 2.5}]->(m)
CREATE (b)-[:ACTED_IN]->(n), (b)-[:KNOWS {since: 2001}]->(a), (a)-[:KNOWS]->(a)
CREATE (x)-[:KNOWS]->(y), (z)-[:`is in`]->(q)
"""


@pytest.fixture
def films(neo4j_server: str) -> Iterator[str]:
    """The server with a few nodes of all kinds."""
    server = neo4j_server
    ask(server, "CREATE CONSTRAINT film IF NOT EXISTS FOR (f:Film) REQUIRE f.code IS UNIQUE")
    ask(server, FILMS)
    yield server
    ask(server, "MATCH (n) DETACH DELETE n")
    ask(server, "DROP CONSTRAINT film IF EXISTS")


def ask(url: str, text: str) -> list[tuple[Any, ...]]:
    """The rows of a query, by another client."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(url) as driver, driver.session() as session:
        return [tuple(record.values()) for record in session.run(text)]


def test_all_of_it_arrives(films: str, tmp_path: Path) -> None:
    counted = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n), count(r)"
    before = ask(films, counted)
    report = convert(films, tmp_path / "out")
    assert (
        ask(films, "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n), count(r)")
        == before
    )
    assert report.nodes == {
        "Film": 2,
        "Node": 1,
        "Person": 1,
        "Person&Actor": 1,
        "Tag": 2,
        "odd `label": 1,
    }
    assert report.edges == {
        "Node-is in-odd `label": 1,
        "Person-ACTED_IN-Film": 1,
        "Person-KNOWS-Person&Actor": 1,
        "Person&Actor-ACTED_IN-Film": 2,
        "Person&Actor-KNOWS-Person&Actor": 1,
        "Tag-KNOWS-Tag": 1,
    }
    assert [d.message for d in check_graph(tmp_path / "out")] == []
    schema = load_schema(tmp_path / "out")
    keys = {node.name: node.key for node in schema.nodes}
    assert keys == {
        "Film": ("code",),  # by the constraint
        "Person": ("name",),  # by its name, as it is unique
        "Person&Actor": ("name",),
        "Tag": ("node_id",),  # nothing else tells them apart
        "Node": ("node_id",),
        "odd `label": ("node_id",),
    }
    assert any("key code, by a constraint on Film" in text for text in report.decisions)
    assert "1 nodes have no labels and get Node." in report.warnings
    film = schema.node_by_name["Film"]
    assert {p.name: str(p.type) for p in film.properties} == {
        "code": "INTEGER",
        "title": "STRING",
        "seen": "ZONED_DATETIME",
        "length": "DURATION",
        "at": "STRING",
    }
    rows = {row["code"]: row for row in node_rows(tmp_path / "out", film)}
    assert rows[7]["seen"] == "2024-01-31T12:00:00+01:00"
    assert (rows[8]["length"], rows[8]["at"]) == ("P1DT2H", "SRID=7203;POINT(1.5 2.0)")
    (odd,) = node_rows(tmp_path / "out", schema.node_by_name["odd `label"])
    assert (odd["a b"], odd["t"]) == (1, "2024-01-01T00:00:00.123456789")
    acted = edge_rows(tmp_path / "out", schema.edge_by_name["Person&Actor-ACTED_IN-Film"], schema)
    found = sorted((row.target, row.properties["pay"], row.properties["roles"]) for row in acted)
    assert found == [((7,), 1.0, ["Neo"]), ((7,), 2.5, None)]


def test_again_with_the_same_bytes(films: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        convert(films, tmp_path / name)
    for path in sorted((tmp_path / "one").rglob("*.parquet")):
        other = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == other.read_bytes()


def test_a_database_that_changes_meanwhile_is_refused(
    films: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = _bolt_read._read_edges
    begun = threading.Event()

    def disturbed(*arguments: Any) -> None:
        if not begun.is_set():
            begun.set()
            ask(films, "CREATE (:Film {code: 9})")
        read(*arguments)

    monkeypatch.setattr(_bolt_read, "_read_edges", disturbed)
    with pytest.raises(SourceError, match="changed while it was read"):
        convert(films, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_empty_database(neo4j_server: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="has no node"):
        convert(neo4j_server, tmp_path / "out")


def test_a_label_that_no_type_can_have(neo4j_server: str, tmp_path: Path) -> None:
    ask(neo4j_server, "CREATE (:`A&B`)")
    try:
        with pytest.raises(SourceError, match="label 'A&B' cannot be held"):
            convert(neo4j_server, tmp_path / "out")
    finally:
        ask(neo4j_server, "MATCH (n) DELETE n")


def test_a_database_of_another_name(neo4j_server: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot be read: .*nowhere"):
        convert(f"{neo4j_server}/nowhere", tmp_path / "out")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("bolt://127.0.0.1:9", "cannot be read: "),
        ("bolt://me:secret@127.0.0.1:9", "set NEO4J_USERNAME and NEO4J_PASSWORD"),
        ("gopher://127.0.0.1:9", "none of the sources"),
    ],
)
def test_no_server(address: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=said) as caught:
        convert(address, tmp_path / "out")
    assert "secret" not in str(caught.value)
