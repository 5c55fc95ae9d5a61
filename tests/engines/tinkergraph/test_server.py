"""TinkerGraph by the URL of a server, against a fake one that speaks TinkerPop's protocol.

The fake takes requests of the driver by WebSocket, keeps their arguments, and answers in
GraphBinary (https://tinkerpop.apache.org/docs/3.8.0/dev/provider/#_graph_driver_provider_requirements).
"""

from __future__ import annotations

import asyncio
import io
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType, web
from gremlin_python.structure.graph import Edge, Vertex
from gremlin_python.structure.io.graphbinaryV1 import GraphBinaryReader, GraphBinaryWriter

from engines.backends.tinkergraph import URL, TinkerGraph
from engines.base import Result
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout
from pipelines.execution import Runner
from tests.engines.graphs import write_graph

ANN, BO = Vertex(1, "Person"), Vertex(2, "Person")
KNOWS = Edge(7, ANN, "KNOWS", BO)
ANSWERS: dict[str, tuple[int, str, list[Any]]] = {
    "g.inject(0)": (200, "", [0]),
    "g.V().hasLabel('Person').count()": (200, "", [2]),
    "g.V().project('name', 'age').by('name').by('age')": (
        200,
        "",
        [{"name": "Ann", "age": 30}, {"name": "Bo"}],
    ),
    "g.V().limit(1)": (200, "", [ANN]),
    "g.E()": (200, "", [KNOWS]),
    "g.V().values('age').mean()": (204, "", []),
    "g.V().values('age')": (204, "", []),
    "g.V().both().both()": (500, "evaluationTimeout exceeded", []),
    "g.V().math('_')": (500, "The variable _ is no number", []),
}


class Fake:
    """A server on loopback in a thread; `requests` are the arguments that came."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.loop = asyncio.new_event_loop()
        self.port = 0
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()
        assert self.ready.wait(20)

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gremlin"

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        runner = self.loop.run_until_complete(self._begin())
        self.loop.run_forever()
        self.loop.run_until_complete(runner.cleanup())
        self.loop.close()

    async def _begin(self) -> web.AppRunner:
        application = web.Application()
        application.router.add_get("/gremlin", self._answer)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self.ready.set()
        return runner

    async def _answer(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                identity, arguments = _read(message.data)
                self.requests.append(arguments)
                code, status, rows = ANSWERS[arguments["gremlin"]]
                await socket.send_bytes(_written(identity, code, status, rows))
        return socket

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)


def _read(data: bytes) -> tuple[bytes, dict[str, Any]]:
    """The identity of a request and its arguments."""
    stream = io.BytesIO(data)
    stream.read(stream.read(1)[0] + 1)  # the kind of message, the version
    identity = stream.read(16)
    for _ in ("operation", "processor"):
        stream.read(struct.unpack(">i", stream.read(4))[0])
    reader = GraphBinaryReader()
    many = struct.unpack(">i", stream.read(4))[0]
    return identity, {reader.to_object(stream): reader.to_object(stream) for _ in range(many)}


def _written(identity: bytes, code: int, status: str, rows: list[Any]) -> bytes:
    text = status.encode()
    head = b"\x81\x00" + identity + struct.pack(">i", code)
    told = b"\x00" + struct.pack(">i", len(text)) + text
    nothing = struct.pack(">i", 0)
    body = bytearray()
    GraphBinaryWriter().to_dict(rows, body)
    return head + told + nothing + nothing + bytes(body)


@pytest.fixture(scope="module")
def fake() -> Iterator[Fake]:
    server = Fake()
    yield server
    server.close()


@pytest.fixture
def engine(fake: Fake) -> Iterator[TinkerGraph]:
    with TinkerGraph(fake.url) as opened:
        yield opened


def ask(engine: TinkerGraph, text: str) -> Result:
    return engine.run(text, language="gremlin", timeout=5.0)


def test_texts_are_asked_in_gremlins_own_grammar_with_a_limit(
    engine: TinkerGraph, fake: Fake
) -> None:
    assert ask(engine, "g.V().hasLabel('Person').count()") == Result(("value",), ((2,),))
    asked = fake.requests[-1]
    assert asked["language"] == "gremlin-lang"
    assert asked["evaluationTimeout"] == 5000


def test_columns_are_those_of_project_and_absent_entries_null(engine: TinkerGraph) -> None:
    answer = ask(engine, "g.V().project('name', 'age').by('name').by('age')")
    assert answer == Result(("name", "age"), (("Ann", 30), ("Bo", None)))


def test_elements_have_the_servers_ids(engine: TinkerGraph) -> None:
    ((node,),) = ask(engine, "g.V().limit(1)").rows
    assert node == {"labels": ["Person"], "key": {"id": 1}, "properties": {}}
    ((edge,),) = ask(engine, "g.E()").rows
    assert edge["type"] == "KNOWS"
    assert edge["target"]["key"] == {"id": 2}
    assert edge["source"]["labels"] == ["Person"]


def test_a_reduction_of_nothing_is_null_and_no_values_are_no_rows(engine: TinkerGraph) -> None:
    assert ask(engine, "g.V().values('age').mean()") == Result(("value",), ((None,),))
    assert ask(engine, "g.V().values('age')").rows == ()


def test_errors_and_limits_have_their_kind(engine: TinkerGraph) -> None:
    with pytest.raises(QueryTimeout):
        ask(engine, "g.V().both().both()")
    with pytest.raises(QueryError, match="no number"):
        ask(engine, "g.V().math('_')")


def test_what_writes_is_never_sent(engine: TinkerGraph, fake: Fake) -> None:
    before = len(fake.requests)
    for text in ("g.V().drop()", "g.addV('x')", "g.io('/etc/passwd').read()"):
        with pytest.raises(QueryError):
            ask(engine, text)
    assert len(fake.requests) == before


def test_the_url_may_be_in_the_environment(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL, fake.url)
    with TinkerGraph() as engine:
        assert engine.version() == fake.url


def test_a_command_asks_the_server_that_it_is_given(fake: Fake, tmp_path: Path) -> None:
    folder = write_graph(tmp_path / "graph")
    with Runner(graph=folder, language="gremlin", gremlin_url=fake.url) as runner:
        assert runner.run("g.V().hasLabel('Person').count()").rows == ((2,),)


def test_no_server_is_told(fake: Fake) -> None:
    with pytest.raises(EngineUnavailable), TinkerGraph("ws://127.0.0.1:1/gremlin"):
        pass
