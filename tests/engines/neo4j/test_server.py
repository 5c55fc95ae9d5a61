"""Neo4j by Bolt URL: the server is the user's, and stays as it was; the local one starts anew."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic, sleep

import pyarrow as pa
import pytest

from engines.bolt import Bolt
from engines.isolation import IsolatedEngine
from graphmill.errors import EngineUnavailable
from schemagraph.folder.graphdata import node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.engines.graphs import NODES

pytestmark = pytest.mark.slow

COUNT = "MATCH (n) RETURN count(n) AS n"
COUNTED = sum(map(len, NODES.values()))


def count(url: str) -> int:
    """What the server holds, seen by another client."""
    bolt = Bolt(url)
    (n,) = bolt.run(COUNT, 60.0).rows[0]
    bolt.close()
    return int(n)


def ask(engine: IsolatedEngine, text: str = COUNT) -> object:
    return engine.run(text, language="cypher", timeout=60).rows[0][0]


def test_an_empty_server_is_filled_and_emptied_again(url: str, graph: Path) -> None:
    with IsolatedEngine("neo4j", graph, url=url) as engine:
        assert ask(engine) == COUNTED == count(url)
        assert engine.run("LET x = 1 RETURN x", language="gql", timeout=60).rows == ((1,),)
    assert count(url) == 0


def test_a_graph_that_is_there_already_is_used_and_left(url: str, graph: Path) -> None:
    with IsolatedEngine("neo4j", graph, url=url) as first:
        ask(first)
        with IsolatedEngine("neo4j", graph, url=url) as second:
            node = ask(second, "MATCH (n:`Order Line` {price: 9.99}) RETURN n")
            assert isinstance(node, dict)
            assert node["key"] == {"order": 1, "line no": "a"}
        assert ask(first) == COUNTED
    assert count(url) == 0


def test_what_a_killed_worker_loaded_is_taken_out_too(url: str, graph: Path) -> None:
    with IsolatedEngine("neo4j", graph, url=url) as engine:
        ask(engine)
        assert engine._worker is not None
        os.kill(engine._worker.process.pid, signal.SIGKILL)
        sleep(0.2)
        assert count(url) == COUNTED
        assert ask(engine) == COUNTED
    assert count(url) == 0


def test_a_server_with_other_data_is_refused_and_left(url: str, graph: Path) -> None:
    from neo4j import GraphDatabase

    with GraphDatabase.driver(url) as driver, driver.session() as session:
        session.run("CREATE (:Mine {x: 1})").consume()
        try:
            with (
                IsolatedEngine("neo4j", graph, url=url) as engine,
                pytest.raises(EngineUnavailable, match="not empty"),
            ):
                ask(engine)
            assert count(url) == 1
        finally:
            session.run("MATCH (n) DETACH DELETE n").consume()


def test_a_server_without_a_graph_is_only_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMILL_NEO4J_URL", url)
    with IsolatedEngine("neo4j", None) as engine:
        assert ask(engine, "RETURN 7 AS x") == 7
        assert engine.version()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("bolt://127.0.0.1:9", "No Bolt server answers at bolt://127.0.0.1:9"),
        ("http://example.org", "no Bolt URL"),
        ("nonsense", "no Bolt URL"),
    ],
)
def test_no_server(address: str, says: str, graph: Path) -> None:
    start = monotonic()
    with (
        IsolatedEngine("neo4j", graph, url=address) as engine,
        pytest.raises(EngineUnavailable, match=says),
    ):
        ask(engine)
    assert monotonic() - start < 30


@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)
def test_another_graph_takes_the_place_of_the_first(
    engine: IsolatedEngine, graph: Path, tmp_path: Path
) -> None:
    node = NodeType(("Only",), (Property("id", Type(Kind.INTEGER)),), ("id",))
    schema = SchemaGraph("other", (node,))
    with GraphWriter(tmp_path / "other") as writer:
        layout = node_layout(node)
        batches = pa.Table.from_pylist([{"id": 1}, {"id": 2}], schema=layout).to_batches()
        writer.nodes(node, batches)
        writer.commit(schema, None, origin={})
    assert ask(engine) == COUNTED
    engine.use(tmp_path / "other")
    assert ask(engine) == 2
    assert ask(engine, "CALL db.labels() YIELD label RETURN collect(label)") == ["Only"]
    engine.use(graph)
    assert ask(engine) == COUNTED
