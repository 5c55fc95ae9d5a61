"""Names that an engine takes for one, or cuts: the export keeps them apart and says so."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from graphmill.errors import SchemaError
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.ladybugdb import TARGET as LADYBUGDB
from schemagraph.targets.nebula import TARGET as NEBULA
from schemagraph.targets.neo4j import TARGET as NEO4J
from schemagraph.targets.pgq import TARGET as PGQ

KEY = Property("id", Type(Kind.INTEGER), nullable=False)


def graph(nodes: list[str], edges: list[tuple[str, str, str]], *more: str) -> SchemaGraph:
    properties = (KEY, *(Property(name, Type(Kind.STRING)) for name in more))
    return SchemaGraph(
        name="g",
        nodes=tuple(NodeType((name,), properties, ("id",)) for name in nodes),
        edges=tuple(EdgeType(label, source, target) for label, source, target in edges),
    )


@pytest.mark.parametrize(
    ("nodes", "edges", "tables"),
    [
        (["A", "KNOWS"], [("KNOWS", "A", "A")], ["A", "KNOWS", "KNOWS_edge"]),
        (["A", "Knows"], [("KNOWS", "A", "Knows")], ["A", "Knows", "KNOWS_edge"]),
        (["A", "a"], [("R", "A", "a")], ["A", "a_node", "R"]),
        (
            ["KNOWS", "KNOWS_edge"],
            [("KNOWS", "KNOWS", "KNOWS_edge")],
            ["KNOWS", "KNOWS_edge", "KNOWS_edge_2"],
        ),
        (["A"], [("R", "A", "A")], ["A", "R"]),
    ],
)
def test_tables_of_ladybugdb_share_one_space_of_names(
    nodes: list[str], edges: list[tuple[str, str, str]], tables: list[str]
) -> None:
    found = LADYBUGDB.export(graph(nodes, edges))
    made = re.findall(r"CREATE (?:NODE|REL) TABLE `?(\w+)`?", found.texts["schema.cypher"])
    assert made == tables
    copied = re.findall(r"COPY `?(\w+)`?", found.texts["load.cypher"])
    assert sorted(copied) == sorted(tables)
    changed = set(tables) - {*nodes, *(label for label, _, _ in edges)}
    assert {name for name in changed if any(name in loss.what for loss in found.losses)} == changed
    assert bool(found.losses) == bool(changed)


LONG = "a_name_that_is_longer_than_the_names_of_postgresql_may_be_in_bytes_"


@pytest.mark.parametrize("stem", [LONG, "é" * 40, "日" * 30])
def test_names_of_postgresql_are_short_and_different(stem: str) -> None:
    schema = graph([f"{stem}1", f"{stem}2"], [(f"{stem}3", f"{stem}1", f"{stem}2")], f"{stem}4")
    found = PGQ.export(schema)
    text = "\n".join(line for line in found.texts["schema.sql"].split("\n") if line[:2] != "--")
    for script in (text, found.texts["graph.sql"], found.texts["load.sql"]):
        names = re.findall(r'"((?:[^"]|"")*)"', script)
        assert names
        assert max(len(name.encode()) for name in names) <= 63
    assert len(set(re.findall(r'CREATE TABLE "([^"]*)"', text))) == 3
    declared = {loss.where for loss in found.losses}
    assert {f"{stem}1", f"{stem}2", f"{stem}3", f"{stem}4"} <= declared


def test_names_of_63_bytes_are_kept() -> None:
    name = "x" * 63
    found = PGQ.export(graph(["A"], [], name))
    assert f'"{name}"' in found.texts["schema.sql"]
    assert found.losses == []


@pytest.mark.parametrize("length", [1, 40, 80, 210])
def test_ends_of_neo4j_are_the_spaces_of_its_nodes(length: int) -> None:
    """The table of edges is cut behind 200 bytes, and its parts are no names of tables."""
    ends = ("A" * length, "B" * length)
    found = NEO4J.export(graph([*ends], [("TYPE_" * (length // 5 + 1), *ends)]))
    spaces = [file.columns[0].header for file in found.data[:2]]
    assert [space[:3] for space in spaces] == [":ID", ":ID"]
    headers = [column.header for column in found.data[2].columns[:2]]
    assert headers == [
        spaces[0].replace(":ID", ":START_ID"),
        spaces[1].replace(":ID", ":END_ID"),
    ]


def test_nebula_has_one_set_of_names_for_tags_and_edge_types() -> None:
    with pytest.raises(SchemaError, match="`KNOWS` would be in it twice"):
        NEBULA.export(graph(["A", "KNOWS"], [("KNOWS", "A", "A")]))
    assert NEBULA.export(graph(["A", "Knows"], [("KNOWS", "A", "Knows")])).texts


def test_what_postgresql_refuses_of_labels_and_properties_is_told() -> None:
    found = PGQ.export(graph(["A", "R"], [("R", "A", "A")]))
    assert {loss.where for loss in found.losses} == {"R"}
    other = NodeType(("B",), (replace(KEY, type=Type(Kind.STRING)),), ("id",))
    one = graph(["A"], [("R", "A", "A")])
    found = PGQ.export(replace(one, nodes=(*one.nodes, other)))
    assert [loss.where for loss in found.losses] == ["B.id"]
