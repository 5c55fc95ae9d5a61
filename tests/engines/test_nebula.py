"""NebulaGraph by URL, with a server of our own: what is sent, what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.backends.nebula import Nebula
from graphmill.errors import EngineUnavailable, QueryError
from schemagraph.model import Kind, NodeType, Property, SchemaGraph, Type
from tests.engines.nebula_server import NebulaServer, Refusal, Rows
from tests.engines.test_bolt_servers import PERSON, SCHEMA, graph_of

pytest.importorskip("nebula3", reason="needs nebula3-python (the extra nebula)")


def answers(text: str) -> Rows:
    """What a server with the two people says."""
    if text.startswith("RETURN wrong"):
        raise Refusal("E_SEMANTIC_ERROR", "`wrong' is not defined")
    if text.startswith("RETURN (("):
        raise Refusal("E_SYNTAX_ERROR", "syntax error near `(('")
    if text == "MATCH p = (a)-[e]->(b) RETURN a, e, p":
        return ["a", "e", "p"], [[vertex(7, "Ann"), edge(), path()]]
    if text == "SHOW HOSTS GRAPH":
        return ["Host", "Version"], [["127.0.0.1", "3.8.0"]]
    return ["x", "y"], [[1, "a"], [None, 2.5]]


def vertex(key: int, name: str, *, value: bool = True) -> Any:
    """A person as the server has it."""
    from nebula3.common.ttypes import Tag, Value, Vertex

    props = {b"id": Value(iVal=key), b"name": Value(sVal=name.encode())}
    made = Vertex(vid=Value(sVal=b"Person/%d" % key), tags=[Tag(name=b"Person", props=props)])
    return Value(vVal=made) if value else made


def edge() -> Any:
    """Ann knows Bob, passed from Bob: the type is negative."""
    from nebula3.common.ttypes import Edge, Value

    ends = (Value(sVal=b"Person/9"), Value(sVal=b"Person/7"))
    props = {b"since": Value(iVal=1999)}
    return Value(
        eVal=Edge(src=ends[0], dst=ends[1], type=-2, name=b"KNOWS", ranking=0, props=props)
    )


def path() -> Any:
    """Ann, who knows Bob."""
    from nebula3.common.ttypes import Path as Walk
    from nebula3.common.ttypes import Step, Value

    step = Step(dst=vertex(9, "Bob", value=False), type=2, name=b"KNOWS", ranking=0, props={})
    return Value(pVal=Walk(src=vertex(7, "Ann", value=False), steps=[step]))


@pytest.fixture
def server() -> Iterator[NebulaServer]:
    with NebulaServer(answers) as running:
        yield running


def test_a_graph_gets_a_space_of_its_own_which_is_dropped(
    server: NebulaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMILL_NEBULA_USER", "ann")
    monkeypatch.setenv("GRAPHMILL_NEBULA_PASSWORD", "secret")
    with Nebula(server.url) as engine:
        engine.load(graph_of(tmp_path))
        assert engine.version() == "3.8.0"
    assert server.users == [("ann", "secret")]
    create, use, *rest = server.asked
    space = use.removeprefix("USE ")
    assert create.startswith(f"CREATE SPACE {space}(")
    assert "vid_type = FIXED_STRING(" in create
    assert rest == [
        "CREATE TAG IF NOT EXISTS `Person`(`id` int64 NOT NULL, `name` string NULL)",
        "CREATE EDGE IF NOT EXISTS `KNOWS`(`since` int64 NULL)",
        "CREATE TAG INDEX IF NOT EXISTS `index_Person` ON `Person`()",
        'INSERT VERTEX `Person`(`id`, `name`) VALUES "Person/7":(7, "Ann"), "Person/9":(9, "Bob")',
        'INSERT EDGE `KNOWS`(`since`) VALUES "Person/7"->"Person/9"@0:(1999), '
        '"Person/7"->"Person/9"@1:(2005)',
        "SHOW HOSTS GRAPH",
        f"DROP SPACE IF EXISTS {space}",
    ]


def test_what_is_new_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nebula, "PAUSE", 0.0)
    early = {"USE": 2, "INSERT": 1}

    def late(text: str) -> Rows:
        word = text.split()[0]
        if early.get(word, 0):
            early[word] -= 1
            raise Refusal("E_SEMANTIC_ERROR", "SpaceNotFound")
        return answers(text)

    with NebulaServer(late) as server, Nebula(server.url) as engine:
        engine.load(graph_of(tmp_path))
        assert [text.split()[0] for text in server.asked].count("USE") == 3
    assert early == {"USE": 0, "INSERT": 0}


def test_what_never_comes_is_an_error_that_names_the_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Nebula, "PAUSE", 0.0)
    monkeypatch.setattr(Nebula, "PATIENCE", 0.0)

    def never(text: str) -> Rows:
        if text.startswith("USE"):
            raise Refusal("E_SEMANTIC_ERROR", "SpaceNotFound")
        return answers(text)

    graph = graph_of(tmp_path)
    with (
        NebulaServer(never) as server,
        Nebula(server.url) as engine,
        pytest.raises(EngineUnavailable, match=r"USE .*SpaceNotFound"),
    ):
        engine.load(graph)


def test_values_come_back_plain_and_elements_by_key(server: NebulaServer, tmp_path: Path) -> None:
    with Nebula(server.url) as engine:
        engine.load(graph_of(tmp_path))
        found = engine.run("RETURN 1 AS x", language="ngql", timeout=5)
        assert (found.columns, found.rows) == (("x", "y"), ((1, "a"), (None, 2.5)))
        text = "MATCH p = (a)-[e]->(b) RETURN a, e, p"
        ((node, knows, walk),) = engine.run(text, language="ngql", timeout=5).rows
    ann, bob = ({"labels": ["Person"], "key": {"id": key}} for key in (7, 9))
    assert node == {**ann, "properties": {"id": 7, "name": "Ann"}}
    assert knows == {"type": "KNOWS", "source": ann, "target": bob, "properties": {"since": 1999}}
    assert [each["key"] for each in walk["nodes"]] == [{"id": 7}, {"id": 9}]
    assert [(each["source"], each["target"]) for each in walk["edges"]] == [(ann, bob)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("RETURN wrong", "semantic"),
        ("RETURN ((", "syntax"),
        ('INSERT VERTEX Person() VALUES "x":()', "semantic"),
        ("RETURN 1; DROP SPACE people", "semantic"),
        ("GO FROM 'a' OVER KNOWS YIELD dst(edge) AS d | DELETE VERTEX $-.d", "semantic"),
        ("PROFILE INSERT VERTEX Person() VALUES 'x':()", "semantic"),
        ("$x = UPDATE VERTEX ON Person 'a' SET name = 'b'", "semantic"),
    ],
)
def test_errors_and_writes_are_errors_of_the_query(
    server: NebulaServer, text: str, kind: str
) -> None:
    with Nebula(server.url) as engine, pytest.raises(QueryError) as caught:
        engine.run(text, language="ngql", timeout=5)
    assert caught.value.kind == kind
    sent = [asked for asked in server.asked if asked == text]
    assert len(sent) == text.startswith("RETURN ") - (";" in text)


@pytest.mark.parametrize(
    "text",
    [
        'MATCH (v) WHERE id(v) == "; DROP SPACE x" RETURN v',
        "MATCH (v:Person) RETURN v.Person.name AS `a; DELETE`",
        "GO FROM 'a' OVER KNOWS YIELD dst(edge) AS d | LIMIT 3 # ; DROP SPACE x",
        "$x = GO FROM 'a' OVER KNOWS YIELD dst(edge) AS d; GO FROM $x.d OVER KNOWS YIELD dst(edge)",
        "MATCH (v:Person{id: 7})-[e:KNOWS|LIKES]->(w) RETURN [x IN [1] | x + 1] AS l",
    ],
)
def test_reads_are_sent_as_they_are(server: NebulaServer, text: str) -> None:
    with Nebula(server.url) as engine:
        engine.run(text, language="ngql", timeout=5)
    assert server.asked == [text]


@pytest.mark.parametrize("of", [Type(Kind.DURATION), Type(Kind.LIST, Type(Kind.STRING))], ids=str)
def test_what_the_server_has_no_values_for_is_told(
    server: NebulaServer, of: Type, tmp_path: Path
) -> None:
    odd = NodeType(("Person",), (PERSON.properties[0], Property("odd", of)), ("id",))
    with Nebula(server.url) as engine, pytest.raises(EngineUnavailable, match=r"Person\.odd"):
        engine.load(graph_of(tmp_path, SchemaGraph("odd", (odd,), SCHEMA.edges)))
    assert server.asked == []


def test_without_a_url_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHMILL_NEBULA_URL", raising=False)
    with pytest.raises(EngineUnavailable, match="GRAPHMILL_NEBULA_URL"):
        Nebula().__enter__()


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(EngineUnavailable, match=r"127\.0\.0\.1:1"):
        Nebula("nebula://127.0.0.1:1").__enter__()
