"""Memgraph and TuGraph over Bolt, with a server of our own: what is sent, what comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from engines.backends.memgraph import Memgraph
from engines.backends.tugraph import Tugraph
from engines.bolt_servers import Served
from graphmill.errors import EngineUnavailable, QueryError
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.engines.bolt_server import BEGIN, BoltServer, Rows, ServerError

INTEGER, STRING = Type(Kind.INTEGER), Type(Kind.STRING)
PERSON = NodeType(
    ("Person",),
    (Property("id", INTEGER, nullable=False), Property("name", STRING, nullable=True)),
    ("id",),
)
SCHEMA = SchemaGraph(
    "people", (PERSON,), (EdgeType("KNOWS", "Person", "Person", (Property("since", INTEGER),)),)
)
PEOPLE: list[list[Any]] = [[7, "Ann"], [9, "Bob"]]
IDS = {7: 1000, 9: 2000}  # the server's own


def graph_of(folder: Path, schema: SchemaGraph = SCHEMA) -> Path:
    """Two people, of whom Ann knows Bob twice."""
    with GraphWriter(folder) as writer:
        (node,), (edge,) = schema.nodes, schema.edges
        writer.nodes(node, batches(node_layout(node), PEOPLE if schema is SCHEMA else []))
        knows = [(7, 9, 1999), (7, 9, 2005)] if schema is SCHEMA else []
        writer.edges(edge, schema, batches(edge_layout(edge, schema), knows))
        writer.commit(schema, None, origin={"kind": "test"})
    return folder


def batches(layout: Any, rows: Sequence[Sequence[Any]]) -> list[Any]:
    dicts = [dict(zip(layout.names, row, strict=True)) for row in rows]
    made: list[Any] = pa.Table.from_pylist(dicts, schema=layout).to_batches()
    return made


def answers(text: str, given: Mapping[str, Any]) -> Rows:
    """What a server with those ids says."""
    if text == "RETURN wrong":
        raise ServerError("Memgraph.ClientError.MemgraphError.MemgraphError", "Unbound variable")
    if text.startswith("UNWIND range") and "RETURN" in text:
        ids = [IDS[number] for number in given["p0"]]
        return ["i", "a", "b"], [[list(range(len(ids))), ids, ids]]
    if text.startswith("MATCH (n:`Person`) RETURN n.`id` AS key"):
        return ["key", "id"], [[key, own] for key, own in IDS.items()]
    if text == "MATCH (p:Person) RETURN p, p.name AS name":
        rows = [[SERVER[0].node(IDS[k], ["Person"], {"id": k, "name": n}), n] for k, n in PEOPLE]
        return ["p", "name"], rows
    return ["x"], []


SERVER: list[BoltServer] = []


@pytest.fixture(params=[(Memgraph, (5, 0)), (Memgraph, (4, 4)), (Tugraph, (4, 4))], ids=str)
def served(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An engine of a running server, and the server."""
    kind, version = request.param
    with BoltServer(answers, f"{kind.name}/1", version) as server:
        SERVER[:] = [server]
        monkeypatch.setenv(f"GRAPHMILL_{kind.name.upper()}_URL", server.url)
        with kind() as engine:
            yield engine, server


def test_a_graph_is_loaded_and_its_nodes_are_told_by_key(
    served: tuple[Served, BoltServer], tmp_path: Path
) -> None:
    engine, server = served
    engine.load(graph_of(tmp_path))
    found = engine.run("MATCH (p:Person) RETURN p, p.name AS name", language="cypher", timeout=5)
    assert found.columns == ("p", "name")
    assert found.rows == tuple(
        (
            {"labels": ["Person"], "key": {"id": k}, "properties": {"id": k, "name": name}},
            name,
        )
        for k, name in PEOPLE
    )
    assert engine.version() == f"{engine.name}/1"
    assert BEGIN not in server.messages, "not every server has transactions"


def test_parallel_edges_are_sent_each(served: tuple[Served, BoltServer], tmp_path: Path) -> None:
    engine, server = served
    engine.load(graph_of(tmp_path))
    ((text, given),) = [(text, given) for text, given in server.asked if "KNOWS" in text][-1:]
    if engine.name == "tugraph":
        assert given["rows"] == [
            {"a": 7, "b": 9, "p": {"since": 1999}},
            {"a": 7, "b": 9, "p": {"since": 2005}},
        ]
        assert "MATCH (a:`Person` {`id`: row.a}), (b:`Person` {`id`: row.b}) CREATE" in text
    else:
        assert (given["a"], given["b"], given["p0"]) == ([1000, 1000], [2000, 2000], [1999, 2005])


def test_what_was_loaded_is_taken_out_by_the_servers_ids(
    served: tuple[Served, BoltServer], tmp_path: Path
) -> None:
    engine, server = served
    engine.load(graph_of(tmp_path))
    engine.__exit__()
    text, given = server.asked[-1]
    assert text == "UNWIND $ids AS id MATCH (n) WHERE id(n) = id DETACH DELETE n"
    assert given == {"ids": [1000, 2000]}


def test_tugraph_declares_labels_before_it_has_nodes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with BoltServer(answers, "TuGraph") as server, Tugraph(server.url) as engine:
        engine.load(graph_of(tmp_path))
        calls = [text for text, _ in server.asked]
        declared = [n for n, text in enumerate(calls) if text.startswith("CALL db.create")]
        assert [calls[n].split("(")[0] for n in declared] == [
            "CALL db.createVertexLabelByJson",
            "CALL db.createEdgeLabelByJson",
        ]
        assert max(declared) < min(n for n, text in enumerate(calls) if " CREATE " in text)
        vertex, edge = (json.loads(server.asked[n][1]["json"]) for n in declared)
        assert (vertex["label"], vertex["primary"]) == ("Person", "id")
        assert edge["constraints"] == [["Person", "Person"]]


@pytest.mark.parametrize(
    ("kind", "of"),
    [(Memgraph, Type(Kind.ZONED_TIME)), (Tugraph, Type(Kind.LIST, INTEGER))],
    ids=["memgraph", "tugraph"],
)
def test_what_a_server_has_no_values_for_is_told(
    kind: type[Served], of: Type, tmp_path: Path
) -> None:
    odd = NodeType(("Person",), (PERSON.properties[0], Property("odd", of)), ("id",))
    with BoltServer(answers, kind.name) as server, kind(server.url) as engine:
        with pytest.raises(EngineUnavailable, match=r"Person\.odd"):
            engine.load(graph_of(tmp_path, SchemaGraph("odd", (odd,), SCHEMA.edges)))
        assert not [text for text, _ in server.asked if "CREATE" in text]


def test_an_error_of_the_server_is_one_of_the_query(served: tuple[Served, BoltServer]) -> None:
    engine, _ = served
    with pytest.raises(QueryError, match="Unbound variable"):
        engine.run("RETURN wrong", language="cypher", timeout=5)


def test_without_a_url_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHMILL_MEMGRAPH_URL", raising=False)
    with pytest.raises(EngineUnavailable, match="GRAPHMILL_MEMGRAPH_URL"):
        Memgraph().__enter__()
