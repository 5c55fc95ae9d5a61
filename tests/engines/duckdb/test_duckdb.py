"""DuckDB as an engine: loading, names that differ in case, limits, and what it must refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from engines.backends.duckdb import DuckDB
from engines.base import MEMORY, Result
from graph_ir.cypher.reader import parse
from graphmill.errors import (
    EngineError,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
    QueryUnsound,
    SchemaError,
)
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


@pytest.mark.parametrize(
    ("cap", "limit"),
    [
        ("", "the 64 MiB that DuckDB has."),
        ("1500", "the 64 MiB that DuckDB has of the memory cap of 1500 MB."),
        ("50", "the memory cap of 50 MB."),
    ],
)
def test_the_limit_that_was_set_is_named(
    cap: str, limit: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number was told that nobody had set."""
    monkeypatch.setenv(MEMORY, cap or "0")
    with DuckDB(memory_mb=64) as engine, pytest.raises(QueryTooLarge, match=f"more than {limit}$"):
        run(engine, "SELECT list(x) FROM range(100000000) t(x)")


def test_other_languages_are_refused(engine: DuckDB) -> None:
    with pytest.raises(EngineError):
        engine.run("RETURN 1", language="cypher", timeout=1)


def test_a_sum_beyond_64_bits_is_told(engine: DuckDB) -> None:
    with pytest.raises(QueryError, match=r"^9223372036854775809 is beyond the 64 bits"):
        cypher(engine, "UNWIND [9223372036854775807, 2] AS x RETURN sum(x) AS s")


def test_a_damaged_graph_is_told(folder: Path) -> None:
    (folder / "nodes" / "person.parquet").unlink()
    with DuckDB() as engine, pytest.raises(SchemaError, match=r"person\.parquet"):
        engine.load(folder)


@pytest.fixture(scope="module")
def with_nan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDB]:
    properties = (Property("id", INTEGER), Property("x", FLOAT), Property("y", FLOAT))
    several = Property("several", Type(Kind.LIST, item=FLOAT))
    schema = SchemaGraph(
        "nan",
        (
            NodeType(("A",), properties, ("id",)),
            NodeType(("B",), properties, ("id",)),
            NodeType(("C",), (properties[0], several), ("id",)),
        ),
    )
    graph = tmp_path_factory.mktemp("nan") / "graph"
    with GraphWriter(graph) as writer:
        a, b, c = schema.nodes
        writer.nodes(a, rows(node_layout(a), (1, float("nan"), 1.5), (2, 2.5, 3.5)))
        writer.nodes(b, rows(node_layout(b), (1, 0.5, 0.5)))
        writer.nodes(c, rows(node_layout(c), (1, [0.5, float("nan")]), (2, [0.5]), (3, None)))
        writer.commit(schema, None, origin={})
    with DuckDB() as engine:
        engine.load(graph)
        yield engine


@pytest.mark.parametrize(
    "text",
    [
        "SELECT x FROM a",
        "SELECT * FROM a",
        "SELECT count(x) FROM A",
        'SELECT y FROM "a" WHERE x > 1',
        "SELECT y FROM a WHERE x IS NULL",
        "SELECT y FROM a ORDER BY x, y",
        "SELECT max(b.y) FROM b JOIN a ON b.x = a.x",
        "SELECT t FROM a AS t",
        "SELECT x FROM main.a",
        "SELECT try(x) FROM a",
        "SELECT x FROM query('SELECT * FROM ' || chr(97))",
        "SELECT * FROM a UNION ALL SELECT * FROM b",
        "CREATE TEMP MACRO f(i) AS (SELECT max(x) FROM a WHERE id = i); SELECT f(id) FROM b",
    ],
)
def test_what_reads_nan_is_refused(with_nan: DuckDB, text: str) -> None:
    with pytest.raises(QueryUnsound, match=r"^A\.x holds NaN, which DuckDB orders unlike Cypher"):
        run(with_nan, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT id, y FROM a ORDER BY id", ((1, 1.5), (2, 3.5))),
        ("SELECT count(*) FROM a", ((2,),)),
        ("SELECT rowid, y FROM a WHERE rowid = 1", ((1, 3.5),)),
        ("SELECT x FROM a WHERE id = 2", ((2.5,),)),
        ("SELECT * FROM a WHERE id = 2", ((2, 2.5, 3.5),)),
        ("SELECT * FROM b", ((1, 0.5, 0.5),)),
        ("SELECT id, several = several FROM c WHERE id = 2", ((2, True),)),
        ("CREATE TEMP MACRO f(i) AS i + 1; SELECT f(id) FROM a WHERE id = 2", ((3,),)),
    ],
)
def test_what_reads_no_nan_runs(
    with_nan: DuckDB, text: str, expected: tuple[tuple[object, ...], ...]
) -> None:
    assert run(with_nan, text).rows == expected


def test_nan_in_lists_is_refused(with_nan: DuckDB) -> None:
    with pytest.raises(QueryUnsound, match=r"C\.several holds NaN"):
        run(with_nan, "SELECT id, several = several FROM c")


def test_errors_of_texts_beside_nan_stay_theirs(with_nan: DuckDB) -> None:
    with pytest.raises(QueryError, match="no_such_column"):
        run(with_nan, "SELECT no_such_column FROM a")
    assert run(with_nan, "SELECT count(*) FROM a").rows == ((2,),)
