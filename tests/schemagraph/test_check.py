"""Every contradiction in a schema, a mapping or graph data has its code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph, check_schema
from schemagraph.folder.check_mapping import check_mapping
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Mapping
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.schema_text import read_schema
from tests.schemagraph.cases import database

TEXT = Type(Kind.STRING)
KEY = Property("id", Type(Kind.INTEGER), nullable=False)
PERSON = NodeType(("Person",), (KEY,), ("id",))


def codes(schema: SchemaGraph) -> list[str]:
    return [finding.code for finding in check_schema(schema)]


@pytest.mark.parametrize(
    ("nodes", "edges", "expected"),
    [
        ((), (), ["no-nodes"]),
        ((PERSON,), (EdgeType("KNOWS", "Person", "Person"),), []),
        ((PERSON, PERSON), (), ["repeated-type"]),
        ((PERSON, replace(PERSON, labels=("PERSON",))), (), ["case-only", "case-only"]),
        ((replace(PERSON, labels=("A&B",)),), (), ["bad-label"]),
        ((replace(PERSON, labels=("A", "A")),), (), ["bad-label"]),
        ((replace(PERSON, key=()),), (), ["no-key"]),
        ((replace(PERSON, key=("idd",)),), (), ["unknown-key"]),
        ((replace(PERSON, properties=(replace(KEY, nullable=True),)),), (), ["nullable-key"]),
        (
            (replace(PERSON, properties=(KEY, Property("ID", TEXT))),),
            (),
            ["case-only"],
        ),
        ((replace(PERSON, properties=(KEY, KEY)),), (), ["repeated-property"]),
        ((replace(PERSON, properties=(KEY, Property("", TEXT))),), (), ["bad-property"]),
        (
            (replace(PERSON, properties=(KEY, Property("x", Type(Kind.NODE)))),),
            (),
            ["bad-type"],
        ),
        ((PERSON,), (EdgeType("KNOWS", "Person", "Persn"),), ["unknown-end"]),
        (
            (PERSON,),
            (EdgeType("KNOWS", "Person", "Person", (Property("source.id", TEXT),)),),
            ["repeated-property"],
        ),
        (
            (PERSON, replace(PERSON, labels=("City",))),
            (EdgeType("TO", "Person", "City"), EdgeType("to", "Person", "Person")),
            ["case-only"],
        ),
    ],
)
def test_schema(
    nodes: tuple[NodeType, ...], edges: tuple[EdgeType, ...], expected: list[str]
) -> None:
    assert codes(SchemaGraph("x", nodes, edges)) == expected


def test_messages_offer_what_exists() -> None:
    schema = read_schema("Person(id!: INTEGER)\nPerson-[KNOWS]->Persn")
    assert "Did you mean 'Person'?" in check_schema(schema)[0].message


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    script = """
    CREATE TABLE port (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE ship (id INTEGER PRIMARY KEY, home INTEGER REFERENCES port);
    CREATE TABLE calls (ship INTEGER REFERENCES ship, port INTEGER REFERENCES port, berth TEXT);
    INSERT INTO port VALUES (1, 'Kiel'), (2, 'Oslo'); INSERT INTO ship VALUES (1, 2);
    INSERT INTO calls VALUES (1, 2, 'a');
    """
    convert(str(database(tmp_path, script)), tmp_path / "graph")
    return tmp_path / "graph"


def test_mapping(graph: Path) -> None:
    schema, mapping = load_schema(graph), load_mapping(graph)
    assert mapping is not None
    port, ship = mapping.nodes
    (calls,) = mapping.edges
    assert check_mapping(mapping, schema) == []

    def found(changed: Mapping) -> list[str]:
        return [finding.code for finding in check_mapping(changed, schema)]

    assert found(replace(mapping, edges=())) == ["unmapped-type"]
    assert found(replace(mapping, edges=(calls, calls))) == ["repeated-table"]
    assert found(replace(mapping, nodes=(port, replace(ship, label="Shop")))) == [
        "unknown-type",
        "unknown-type",
        "unmapped-type",
        "unmapped-type",
        "unmapped-type",
    ]
    other = replace(port.columns[1], property="nam", type=TEXT)
    assert found(
        replace(mapping, nodes=(replace(port, columns=(port.columns[0], other)), ship))
    ) == ["unknown-property"]
    number = replace(port.columns[1], type=Type(Kind.INTEGER))
    assert found(
        replace(mapping, nodes=(replace(port, columns=(port.columns[0], number)), ship))
    ) == ["other-type"]
    assert found(replace(mapping, nodes=(replace(port, key=("nr",)), ship))) == [
        "unknown-column",
        "other-key",
    ]
    assert found(replace(mapping, nodes=(replace(port, row_key="id"), ship))) == ["no-key"]
    gone = replace(calls, target=replace(calls.target, table="gone"))
    assert found(replace(mapping, edges=(gone,))) == ["unknown-table", "unmapped-type"]


def test_data(graph: Path) -> None:
    assert check_graph(graph) == []
    edges = graph / "edges" / "Ship__CALLS__Port.parquet"
    table = pq.read_table(edges)
    pq.write_table(table.set_column(1, table.field(1), pa.array([9])), edges)
    assert [finding.code for finding in check_graph(graph)] == ["changed-file", "dangling-edge"]
    pq.write_table(table.rename_columns(["source.id", "target.id", "b"]), edges)
    assert [finding.code for finding in check_graph(graph)] == ["changed-file", "other-columns"]
    pq.write_table(table.slice(0, 0), edges)
    assert [finding.code for finding in check_graph(graph)] == ["changed-file", "other-rows"]
    edges.write_bytes(b"nothing")
    assert [finding.code for finding in check_graph(graph)] == ["changed-file", "bad-file"]
    edges.unlink()
    assert [finding.code for finding in check_graph(graph)] == ["missing-file"]


def test_keys_that_occur_twice(graph: Path) -> None:
    path = graph / "nodes" / "Port.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take([1, 1]), path)
    assert [finding.code for finding in check_graph(graph)] == ["changed-file", "repeated-key"]
