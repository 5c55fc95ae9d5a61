"""DuckDB files: every type is kept exactly, keys and references are read."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.sources.duckdb import _collations
from tests.schemagraph.cases import duck_database

# type, SQL literal, the kind of the property, its value
VALUES: list[tuple[str, str, str, Any]] = [
    ("BOOLEAN", "true", "BOOLEAN", True),
    ("UTINYINT", "255", "INTEGER", 255),
    ("BIGINT", "-9223372036854775808", "INTEGER", -(2**63)),
    ("UBIGINT", "9223372036854775807", "INTEGER", 2**63 - 1),
    ("UBIGINT", "18446744073709551615", "STRING", "18446744073709551615"),
    ("HUGEINT", "-170141183460469231731687303715884105728", "STRING", str(-(2**127))),
    ("FLOAT", "1.1", "FLOAT", 1.100000023841858),
    ("DOUBLE", "'-inf'", "FLOAT", float("-inf")),
    ("DECIMAL(10, 2)", "-0.50", "FLOAT", -0.5),
    ("DECIMAL(10, 0)", "7", "INTEGER", 7),
    ("DECIMAL(38, 2)", "123456789012345678.91", "STRING", "123456789012345678.91"),
    ("VARCHAR", "'it''s 日本'", "STRING", "it's 日本"),
    ("ENUM ('a', 'b')", "'b'", "STRING", "b"),
    (
        "UUID",
        "'6b29fc40-ca47-1067-b31d-00dd010662da'",
        "STRING",
        "6b29fc40-ca47-1067-b31d-00dd010662da",
    ),
    ("BLOB", r"'\x00\xFF'::BLOB", "BYTES", b"\x00\xff"),
    ("BIT", "'00101'", "STRING", "00101"),
    ("DATE", "'2024-02-29'", "DATE", date(2024, 2, 29)),
    ("DATE", "'infinity'", "STRING", "infinity"),
    ("DATE", "'0044-03-15 (BC)'", "STRING", "0044-03-15 (BC)"),
    ("TIME", "'12:00:00.5'", "TIME", time(12, 0, 0, 500_000)),
    ("TIME WITH TIME ZONE", "'12:00:00+02'", "ZONED_TIME", "12:00:00+02:00"),
    ("TIMESTAMP", "'2024-02-29 12:00:00.25'", "DATETIME", datetime(2024, 2, 29, 12, 0, 0, 250_000)),
    ("TIMESTAMP_S", "'2024-02-29 12:00:00'", "DATETIME", datetime(2024, 2, 29, 12)),
    ("TIMESTAMP_NS", "'2024-02-29 12:00:00.123456789'", "STRING", "2024-02-29T12:00:00.123456789"),
    ("TIMESTAMPTZ", "'2024-02-29 12:00:00.5+02'", "ZONED_DATETIME", "2024-02-29T10:00:00.500000Z"),
    ("INTERVAL", "INTERVAL '14 months -3 days 90.5 seconds'", "DURATION", "P14M-3DT90.500000S"),
    ("INTEGER[]", "[1, 2]", "LIST<INTEGER>", [1, 2]),
    ("INTEGER[]", "[1, NULL]", "STRING", "[1, null]"),
    ("VARCHAR[2]", "['a\"', 'ü']", "LIST<STRING>", ['a"', "ü"]),
    ("DOUBLE[]", "[]", "LIST<STRING>", []),
    ("STRUCT(a INTEGER, b VARCHAR)", "{'a': 1, 'b': 'x'}", "STRING", "{'a': 1, 'b': x}"),
    ("JSON", "'{\"a\":  1}'", "STRING", '{"a":  1}'),
]


def test_every_type_is_kept(tmp_path: Path) -> None:
    columns = ", ".join(f"c{n} {kind}" for n, (kind, *_) in enumerate(VALUES))
    values = ", ".join(literal for _, literal, *_ in VALUES)
    path = duck_database(tmp_path, f"CREATE TABLE t ({columns}); INSERT INTO t VALUES ({values});")
    out = tmp_path / "graph"
    convert(str(path), out)
    (node,) = load_schema(out).nodes
    (row,) = pq.read_table(out / "nodes" / "T.parquet").to_pylist()
    found = [
        (kind, literal, str(p.type), row[p.name])
        for (kind, literal, *_), p in zip(VALUES, node.properties[1:], strict=True)
    ]
    assert found == VALUES
    assert check_graph(out) == []
    mapping = load_mapping(out)
    assert mapping is not None
    own: dict[str, list[str]] = {}
    for column in mapping.nodes[0].columns:
        own.setdefault(column.semantics, []).append(column.declared.partition("(")[0])
    del own[""]
    assert own == {
        "labels": ["ENUM"],
        "own": [
            *("UBIGINT", "HUGEINT", "DECIMAL", "BIT", "DATE", "DATE", "TIME WITH TIME ZONE"),
            *("TIMESTAMP_NS", "INTERVAL", "INTEGER[]", "INTEGER[]", "VARCHAR[2]", "DOUBLE[]"),
            "STRUCT",
        ],
        "single": ["FLOAT"],
        "uuid": ["UUID"],
    }


def test_collations_of_columns(tmp_path: Path) -> None:
    path = duck_database(
        tmp_path,
        """CREATE TABLE t (a VARCHAR COLLATE NOCASE, "b c" VARCHAR COLLATE NOACCENT.NOCASE,
        d VARCHAR DEFAULT 'COLLATE x', e INTEGER CHECK (e > 1)); INSERT INTO t VALUES
        ('x', 'y', 'z', 2)""",
    )
    convert(str(path), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert [column.collation for column in mapping.nodes[0].columns] == [
        *("nocase", "noaccent.nocase", "BINARY", "BINARY"),
    ]


@pytest.mark.parametrize("text", ["CREATE TABLE t(a VARCHAR COLLATE", "MADE t(a COLLATE nocase)"])
def test_a_definition_that_is_not_read_leaves_collations_unknown(text: str) -> None:
    assert _collations(text) == {"": "unknown"}


def test_a_column_with_a_nan_compares_in_its_own_way(tmp_path: Path) -> None:
    path = duck_database(
        tmp_path, "CREATE TABLE t (a DOUBLE, b DOUBLE); INSERT INTO t VALUES (1, 'nan'), (NULL, 2);"
    )
    convert(str(path), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert [column.semantics for column in mapping.nodes[0].columns] == ["", "own"]


def test_keys_references_views_and_schemas(tmp_path: Path) -> None:
    script = """
    CREATE TABLE city (code VARCHAR UNIQUE, name VARCHAR, PRIMARY KEY (name));
    CREATE TABLE shop (id INTEGER PRIMARY KEY, city VARCHAR REFERENCES city (code));
    CREATE TABLE seat (shop INTEGER REFERENCES shop, "row" INTEGER, PRIMARY KEY (shop, "row"));
    CREATE TABLE note (id INTEGER, s INTEGER, r INTEGER, FOREIGN KEY (s, r) REFERENCES seat);
    CREATE VIEW v AS SELECT 1; CREATE SCHEMA other; CREATE TABLE other.t (i INTEGER);
    INSERT INTO city VALUES ('b', 'Bern'); INSERT INTO shop VALUES (1, 'b'), (2, NULL);
    INSERT INTO seat VALUES (1, 7); INSERT INTO note VALUES (1, 1, 7), (2, NULL, 7);
    """
    out = tmp_path / "graph"
    report = convert(f"duckdb:///{duck_database(tmp_path, script)}", out)
    assert report.edges == {
        "Shop-IN_CITY-City": 1,
        "Seat-HAS_SHOP-Shop": 2 - 1,
        "Note-HAS_SEAT-Seat": 1,
    }
    assert report.notes == ("Schema other is left out: t.", "Views are ignored: v.")
    assert report.kind == "duckdb"
    assert [node.key for node in load_schema(out).nodes] == [
        ("name",),
        ("id",),
        ("shop", "row"),
        ("row_number",),
    ]


def test_decimals_reference_integers(tmp_path: Path) -> None:
    script = """
    CREATE TABLE a (id DECIMAL(10, 2) PRIMARY KEY); INSERT INTO a VALUES (1.00), (2.50);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a DECIMAL(10, 2) REFERENCES a);
    INSERT INTO b VALUES (1, 1), (2, 2.5), (3, NULL);
    """
    out = tmp_path / "graph"
    assert convert(str(duck_database(tmp_path, script)), out).edges == {"B-HAS_A-A": 2}


def test_one_zero(tmp_path: Path) -> None:
    """SQL has one zero, so that the graph must not have -0.0, which it orders before 0.0."""
    script = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, x DOUBLE, y FLOAT);
    INSERT INTO a VALUES (1, -0.0, -0.0), (2, 0.0, 'nan'), (3, -1.5, '-inf');
    """
    convert(str(duck_database(tmp_path, script)), tmp_path / "graph")
    table = pq.read_table(tmp_path / "graph" / "nodes" / "A.parquet")
    assert [str(x) for x in table["x"].to_pylist()] == ["0.0", "0.0", "-1.5"]
    assert [str(y) for y in table["y"].to_pylist()] == ["0.0", "nan", "-inf"]


@pytest.mark.parametrize(
    ("script", "part"), [("SELECT 1", "no tables"), ("CREATE VIEW v AS SELECT 1", "only views")]
)
def test_nothing_to_convert(tmp_path: Path, script: str, part: str) -> None:
    with pytest.raises(SourceError) as caught:
        convert(str(duck_database(tmp_path, script)), tmp_path / "graph")
    assert part in str(caught.value)


def test_damaged_and_missing_files(tmp_path: Path) -> None:
    path = duck_database(tmp_path, "CREATE TABLE t AS SELECT range FROM range(100000)")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(SourceError) as caught:
        convert(str(path), tmp_path / "graph")
    assert str(path) in str(caught.value)
    with pytest.raises(SourceError, match="There is no file"):
        convert("duckdb:///nowhere.duckdb", tmp_path / "graph")


def test_the_source_is_not_written(tmp_path: Path) -> None:
    path = duck_database(tmp_path, "CREATE TABLE t AS SELECT 1 AS id")
    before = path.read_bytes()
    convert(str(path), tmp_path / "graph")
    assert path.read_bytes() == before
    with duckdb.connect(str(path)) as connection:  # and no lock is left
        assert connection.sql("SELECT * FROM t").fetchall() == [(1,)]


def test_closed_sets_that_duckdb_declares(tmp_path: Path) -> None:
    path = duck_database(
        tmp_path,
        "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE t (id INTEGER PRIMARY KEY, m mood, "
        "a VARCHAR CHECK (a IN ('x', 'it''s, y')), b VARCHAR CHECK (b = 'z'), "
        "n INTEGER CHECK (n IN (1, 2)), e VARCHAR CHECK (e = 'p' OR 'q' = e OR e IS NULL), "
        "f VARCHAR CHECK (f IS NOT NULL AND f IN ('u', 'v')), h INTEGER CHECK (h IS NOT NULL), "
        "o VARCHAR CHECK (o IN ('x') OR n > 1), "
        "w VARCHAR CHECK (w IN ('x', NULL)), l VARCHAR CHECK (lower(l) IN ('x')));",
    )
    convert(str(path), tmp_path / "graph")
    (node,) = load_schema(tmp_path / "graph").nodes
    assert {p.name: p.values for p in node.properties if p.values} == {
        "m": ("sad", "ok"),
        "a": ("x", "it's, y"),
        "b": ("z",),
        "n": (1, 2),
        "e": ("p", "q"),
        "f": ("u", "v"),
    }
    assert {p.name for p in node.properties if not p.nullable} == {"id", "f", "h"}
