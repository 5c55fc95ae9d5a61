"""DuckDB as an engine: loading, names that differ in case, limits, and what it must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from engines.backends.duckdb import DuckDB
from engines.base import Result
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError, QueryError, QueryTimeout, QueryTooLarge, SchemaError
from schemagraph.folder.graphdata import edge_layout, node_layout
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.render import render

INTEGER, STRING, FLOAT = Type(Kind.INTEGER), Type(Kind.STRING), Type(Kind.FLOAT)

# Labels and properties that differ in case only, reserved words, quotes, a property `rowid`.
SCHEMA = SchemaGraph(
    "names",
    (
        NodeType(
            ("Person",),
            (
                Property("id", INTEGER),
                Property("Name", STRING),
                Property("name", STRING),
                Property("rowid", INTEGER),
                Property('say "hi"; --', STRING),
                Property("tags", Type(Kind.LIST, STRING)),
            ),
            ("id",),
        ),
        NodeType(("person",), (Property("select", STRING), Property("x", FLOAT)), ("select",)),
        NodeType(("Größe 日本",), (Property("id", INTEGER),), ("id",)),
    ),
    (
        EdgeType("order", "Person", "person", (Property("rowid", INTEGER),)),
        EdgeType("ORDER", "Person", "person"),
        EdgeType("a__b", "person", "Größe 日本"),
    ),
)


def rows(layout: pa.Schema, *given: tuple[object, ...]) -> list[pa.RecordBatch]:
    """Rows as the writer wants them."""
    return [
        pa.RecordBatch.from_pylist(
            [dict(zip(layout.names, row, strict=True)) for row in given], layout
        )
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    out = tmp_path / "graph"
    persons, others, sizes = map(node_layout, SCHEMA.nodes)
    first, second, third = (edge_layout(edge, SCHEMA) for edge in SCHEMA.edges)
    with GraphWriter(out) as writer:
        writer.nodes(
            SCHEMA.nodes[0],
            rows(
                persons,
                (1, "A", "a", 70, "it's", ["x"]),
                (2, "B", "b", 80, "\\", []),
                (3, None, "c", 90, "", None),
            ),
        )
        writer.nodes(SCHEMA.nodes[1], rows(others, ("p", 1.5), ("q", 2.5)))
        writer.nodes(SCHEMA.nodes[2], rows(sizes, (1,)))
        writer.edges(SCHEMA.edges[0], SCHEMA, rows(first, (1, "p", 5), (2, "q", 6)))
        writer.edges(SCHEMA.edges[1], SCHEMA, rows(second, (1, "p"), (2, "q")))
        writer.edges(SCHEMA.edges[2], SCHEMA, rows(third, ("p", 1)))
        writer.commit(SCHEMA, None, origin={})
    return out


@pytest.fixture
def engine(folder: Path) -> Iterator[DuckDB]:
    with DuckDB() as opened:
        opened.load(folder)
        yield opened


def run(engine: DuckDB, text: str, timeout: float = 20) -> Result:
    return engine.run(text, language="sql", timeout=timeout)


def cypher(engine: DuckDB, text: str) -> list[tuple[object, ...]]:
    return sorted(run(engine, render(parse(text), "sql", SCHEMA).text).rows, key=repr)


def test_names_that_differ_in_case_only(engine: DuckDB) -> None:
    assert cypher(engine, "MATCH (p:Person) RETURN p.Name, p.name, p.rowid") == [
        ("A", "a", 70),
        ("B", "b", 80),
        (None, "c", 90),
    ]
    assert cypher(engine, "MATCH (n:person)<-[o:order]-(N:Person) RETURN n.`select`, N.id") == [
        ("p", 1),
        ("q", 2),
    ]
    assert cypher(engine, "MATCH ()-[o:order]->() RETURN o.rowid AS a, o.rowid AS A") == [
        (5, 5),
        (6, 6),
    ]
    assert cypher(engine, "MATCH (:Person)-[o]->(:person) RETURN count(DISTINCT o) AS c") == [(4,)]


def test_hostile_names_and_values(engine: DuckDB) -> None:
    query = 'MATCH (p:Person) WHERE p.`say "hi"; --` = \'it\\\'s\' RETURN p.tags AS `drop "x"`'
    result = run(engine, render(parse(query), "sql", SCHEMA).text)
    assert result == Result(('drop "x"',), ((["x"],),))
    assert cypher(engine, "MATCH (:person)-[:a__b]->(z:`Größe 日本`) RETURN z") == [
        ({"labels": ["Größe 日本"], "key": {"id": 1}, "properties": {"id": 1}},)
    ]


def test_values_are_plain(engine: DuckDB) -> None:
    result = run(
        engine,
        "SELECT 1::HUGEINT, 1.50::DECIMAL(5,2), DATE '2024-01-31', TIME '10:00', "
        "TIMESTAMP '2024-01-31 10:00:00.5', 'ab'::BLOB, [1, NULL], {'a': DATE '2024-01-31'}",
    )
    assert result.rows == (
        (
            1,
            1.5,
            "2024-01-31",
            "10:00:00",
            "2024-01-31T10:00:00.500000",
            {"$bytes": "YWI="},
            [1, None],
            {"a": "2024-01-31"},
        ),
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELEC 1", "syntax"),
        ("", "syntax"),
        ("SELECT nope FROM Person", "semantic"),
        ("SELECT * FROM nowhere", "semantic"),
        ("DROP TABLE Person", "semantic"),
        ("SELECT 1; SELECT 2", "semantic"),
        ("INSERT INTO Person (id) VALUES (9)", "semantic"),
        ("CREATE TEMP TABLE t AS SELECT 1; SELECT 1", "semantic"),
        ("SET memory_limit = '10GB'", "semantic"),
        ("COPY (SELECT 1) TO '/tmp/x.csv'", "semantic"),
        ("SELECT * FROM read_csv('/etc/passwd')", "engine"),
        ("SELECT * FROM read_text('/etc/passwd')", "engine"),
        ("FROM glob('/etc/*')", "engine"),
        ("SELECT 1 // 0", "engine"),
        ("SELECT INTERVAL 1 MONTH", "engine"),
    ],
)
def test_refused_texts(engine: DuckDB, text: str, kind: str) -> None:
    with pytest.raises(QueryError) as caught:
        run(engine, text)
    assert caught.value.kind == kind
    assert run(engine, "SELECT count(*) FROM Person").rows == ((3,),)


def test_macros_are_gone_after_the_query(engine: DuckDB) -> None:
    text = "CREATE OR REPLACE TEMP MACRO twice(x) AS x * 2; SELECT twice(21)"
    assert run(engine, text).rows == ((42,),)
    with pytest.raises(QueryError):
        run(engine, "SELECT twice(21)")


def test_limits(folder: Path) -> None:
    with DuckDB(memory_mb=64) as engine:
        engine.load(folder)
        with pytest.raises(QueryTimeout):
            run(engine, "SELECT count(*) FROM range(1000000) a, range(1000000) b", 0.3)
        with pytest.raises(QueryTooLarge):
            run(engine, "SELECT list(x) FROM range(100000000) t(x)")
        assert run(engine, "SELECT 1").rows == ((1,),)


def test_other_languages_are_refused(engine: DuckDB) -> None:
    with pytest.raises(EngineError):
        engine.run("RETURN 1", language="cypher", timeout=1)


def test_a_damaged_graph_is_told(folder: Path) -> None:
    (folder / "nodes" / "person.parquet").unlink()
    with DuckDB() as engine, pytest.raises(SchemaError, match=r"person\.parquet"):
        engine.load(folder)


def test_nan_is_refused(tmp_path: Path) -> None:
    schema = SchemaGraph(
        "nan", (NodeType(("A",), (Property("id", INTEGER), Property("x", FLOAT)), ("id",)),)
    )
    with GraphWriter(tmp_path / "graph") as writer:
        layout = node_layout(schema.nodes[0])
        writer.nodes(schema.nodes[0], rows(layout, (1, float("nan"))))
        writer.commit(schema, None, origin={})
    with DuckDB() as engine, pytest.raises(SchemaError, match=r"A\.x holds NaN"):
        engine.load(tmp_path / "graph")
