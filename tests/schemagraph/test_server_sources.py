"""PostgreSQL and MariaDB, real servers: every type is kept, keys are read, secrets are not told."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Mapping
from schemagraph.sources.mysql import MysqlSource
from schemagraph.sources.postgresql import PostgresSource
from tests.schemagraph.cases import database as sqlite_database
from tests.schemagraph.cases import duck_database
from tests.servers import PASSWORD, execute

pytestmark = pytest.mark.slow

type Value = tuple[str, str, str, Any]

POSTGRES: list[Value] = [
    ("boolean", "true", "BOOLEAN", True),
    ("smallint", "-32768", "INTEGER", -32768),
    ("bigint", "9223372036854775807", "INTEGER", 2**63 - 1),
    ("posint", "7", "INTEGER", 7),  # a domain
    ("real", "1.1", "FLOAT", 1.100000023841858),
    ("double precision", "'-Infinity'", "FLOAT", float("-inf")),
    ("numeric(10, 2)", "-0.5", "FLOAT", -0.5),
    ("numeric", "1.10", "FLOAT", 1.1),
    ("numeric", "1e30", "STRING", "1" + 30 * "0"),
    ("numeric", "'NaN'", "STRING", "NaN"),
    ("money", "'$1,234.50'", "FLOAT", 1234.5),
    ("text", "E'it''s \"q\"\\n,日本\\\\'", "STRING", 'it\'s "q"\n,日本\\'),
    ("text", "''", "STRING", ""),
    ("char(4)", "'ab'", "STRING", "ab  "),
    ("mood", "'b'", "STRING", "b"),
    (
        "uuid",
        "'6B29FC40-CA47-1067-B31D-00DD010662DA'",
        "STRING",
        "6b29fc40-ca47-1067-b31d-00dd010662da",
    ),
    ("bytea", r"'\x00ff'", "BYTES", b"\x00\xff"),
    ("bit(3)", "B'101'", "STRING", "101"),
    ("date", "'2024-02-29'", "DATE", date(2024, 2, 29)),
    ("date", "'infinity'", "STRING", "infinity"),
    ("time", "'12:00:00.5'", "TIME", time(12, 0, 0, 500_000)),
    ("timetz", "'12:00:00+05:30'", "ZONED_TIME", "12:00:00+05:30"),
    ("timestamp", "'2024-02-29 12:00:00.25'", "DATETIME", datetime(2024, 2, 29, 12, 0, 0, 250_000)),
    ("timestamptz", "'2024-02-29 12:00:00+02'", "ZONED_DATETIME", "2024-02-29T10:00:00Z"),
    ("interval", "'1 year 2 days -3.5 seconds'", "DURATION", "P1Y2DT-3.5S"),
    ("integer[]", "'{1,2}'", "LIST<INTEGER>", [1, 2]),
    ("integer[]", "'[0:1]={1,2}'", "STRING", "[0:1]={1,2}"),
    ("integer[]", "'{{1},{2}}'", "STRING", "[[1], [2]]"),
    ("text[]", "'{\"a,b\",c}'", "LIST<STRING>", ["a,b", "c"]),
    ("jsonb", '\'{"b": 1, "a": [1.50]}\'', "STRING", '{"a": [1.50], "b": 1}'),
    ("inet", "'10.0.0.1/8'", "STRING", "10.0.0.1/8"),
    ("int4range", "'[1,5)'", "STRING", "[1,5)"),
    ("spot", "ROW(1, NULL)", "STRING", "(1,)"),
]
MYSQL: list[Value] = [
    ("BOOLEAN", "true", "BOOLEAN", True),
    ("TINYINT(1)", "5", "INTEGER", 5),
    ("INT UNSIGNED", "4294967295", "INTEGER", 2**32 - 1),
    ("BIGINT UNSIGNED", "18446744073709551615", "STRING", "18446744073709551615"),
    ("DECIMAL(10, 2)", "-0.5", "FLOAT", -0.5),
    ("DECIMAL(30, 10)", "12345678901234567890.1", "STRING", "12345678901234567890.1000000000"),
    ("FLOAT", "1.1", "FLOAT", 1.100000023841858),
    ("DOUBLE", "0.1", "FLOAT", 0.1),
    ("BIT(1)", "1", "BOOLEAN", True),
    ("BIT(64)", "18446744073709551615", "STRING", "18446744073709551615"),
    ("YEAR", "2024", "INTEGER", 2024),
    ("VARCHAR(20)", r"'it''s 日本\\'", "STRING", "it's 日本\\"),
    ("ENUM('a', 'b')", "'b'", "STRING", "b"),
    ("SET('x', 'y')", "'y,x'", "STRING", "x,y"),
    ("BINARY(3)", "x'01'", "BYTES", b"\x01\x00\x00"),
    ("BLOB", "x'00FF'", "BYTES", b"\x00\xff"),
    ("DATE", "'2024-02-29'", "DATE", date(2024, 2, 29)),
    ("DATE", "'0000-00-00'", "STRING", "0000-00-00"),
    ("TIME(3)", "'12:00:00.5'", "TIME", time(12, 0, 0, 500_000)),
    ("TIME", "'-100:00:00'", "STRING", "-100:00:00"),
    (
        "DATETIME(6)",
        "'2024-02-29 12:00:00.25'",
        "DATETIME",
        datetime(2024, 2, 29, 12, 0, 0, 250_000),
    ),
    ("TIMESTAMP", "'2024-02-29 12:00:00'", "DATETIME", datetime(2024, 2, 29, 12)),
    ("JSON", "'{\"a\":  1}'", "STRING", '{"a":  1}'),
    (
        "UUID",
        "'6B29FC40-CA47-1067-B31D-00DD010662DA'",
        "STRING",
        "6b29fc40-ca47-1067-b31d-00dd010662da",
    ),
    (
        "POINT",
        "ST_GeomFromText('POINT(1 1)')",
        "BYTES",
        bytes(4) + bytes.fromhex("0101000000") + 2 * bytes.fromhex("000000000000f03f"),
    ),
]


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The server's database, emptied."""
    execute(postgres_server, ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"])
    return postgres_server


@pytest.fixture
def mysql(mariadb_server: str) -> str:
    """The server's database, emptied."""
    execute(mariadb_server, ["DROP DATABASE shop", "CREATE DATABASE shop"])
    return mariadb_server


def check_values(url: str, values: list[Value], out: Path) -> None:
    columns = ", ".join(f"c{n} {kind} NULL" for n, (kind, *_) in enumerate(values))
    literals = ", ".join(literal for _, literal, *_ in values)
    execute(
        url,
        [
            f"CREATE TABLE t (id integer PRIMARY KEY, {columns})",
            f"INSERT INTO t VALUES (1, {literals})".replace("%", "%%"),
            "INSERT INTO t (id) VALUES (2)",
        ],
    )
    convert(url, out)
    (node,) = load_schema(out).nodes
    first, second = pq.read_table(out / "nodes" / "T.parquet").to_pylist()
    found = [
        (kind, literal, str(p.type), first[p.name])
        for (kind, literal, *_), p in zip(values, node.properties[1:], strict=True)
    ]
    assert found == values
    assert set(list(second.values())[1:]) == {None}
    assert check_graph(out) == []


def semantics(mapping: Mapping) -> dict[str, list[str]]:
    """The declared types of one table that compare in ways of their own, by how."""
    listed: dict[str, list[str]] = {}
    for column in mapping.nodes[0].columns:
        if column.semantics:
            listed.setdefault(column.semantics, []).append(column.declared)
    return dict(sorted(listed.items()))


def test_every_type_of_postgresql_is_kept(postgres: str, tmp_path: Path) -> None:
    execute(
        postgres,
        [
            "CREATE TYPE mood AS ENUM ('a', 'b')",
            "CREATE TYPE spot AS (x integer, y integer)",
            "CREATE DOMAIN posint AS integer CHECK (value > 0)",
        ],
    )
    check_values(postgres, POSTGRES, tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert mapping.dialect == "postgres"
    assert semantics(mapping) == {
        "labels": ["mood"],
        "own": [
            *("numeric", "numeric", "money", "bit(3)", "date", "time with time zone", "interval"),
            *("integer[]", "integer[]", "integer[]", "text[]", "jsonb", "inet", "int4range"),
        ],
        "row": ["spot"],
        "single": ["real"],
        "uuid": ["uuid"],
    }
    columns = {column.name: column.declared for column in mapping.nodes[0].columns}
    assert columns["c3"] == "integer"  # of the domain, which computes as the type below it


def test_every_type_of_mysql_is_kept(mysql: str, tmp_path: Path) -> None:
    check_values(mysql, MYSQL, tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert mapping.dialect == "mysql"
    assert semantics(mapping) == {
        "labels": ["enum('a','b')"],
        "own": [
            *("bigint(20) unsigned", "decimal(30,10)", "bit(64)", "set('x','y')", "date", "time"),
            "uuid",
        ],
        "year": ["year(4)"],
    }


SHOP = [
    "CREATE TABLE city (code VARCHAR(5) NOT NULL UNIQUE, name VARCHAR(20), PRIMARY KEY (name))",
    "CREATE TABLE shop (id INTEGER PRIMARY KEY, city VARCHAR(5), "
    "FOREIGN KEY (city) REFERENCES city (code))",
    "CREATE TABLE seat (shop INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (shop, place), "
    "FOREIGN KEY (shop) REFERENCES shop (id))",
    "CREATE TABLE note (id INTEGER PRIMARY KEY, s INTEGER, r INTEGER, text VARCHAR(10), "
    "FOREIGN KEY (s, r) REFERENCES seat (shop, place))",
    "CREATE TABLE person (id INTEGER PRIMARY KEY, boss INTEGER, "
    "FOREIGN KEY (boss) REFERENCES person (id))",
    "CREATE TABLE person_shop (person INTEGER, shop INTEGER, since DATE, "
    "PRIMARY KEY (person, shop), FOREIGN KEY (person) REFERENCES person (id), "
    "FOREIGN KEY (shop) REFERENCES shop (id))",
    "INSERT INTO city VALUES ('b', 'Bern'), ('c', 'Chur')",
    "INSERT INTO shop VALUES (1, 'b'), (2, NULL)",
    "INSERT INTO seat VALUES (1, 7), (2, 7)",
    "INSERT INTO note VALUES (1, 1, 7, 'x'), (2, NULL, 7, '')",
    "INSERT INTO person VALUES (1, NULL)",
    "INSERT INTO person VALUES (2, 1)",
    "INSERT INTO person_shop VALUES (2, 1, '2024-02-29')",
]


def test_every_engine_gives_the_same_graph(postgres: str, mysql: str, tmp_path: Path) -> None:
    execute(postgres, SHOP)
    execute(mysql, SHOP)
    script = ";\n".join(SHOP)
    sources = [
        str(sqlite_database(tmp_path, script)),
        str(duck_database(tmp_path, script)),
        postgres,
        mysql,
    ]
    found = []
    for n, source in enumerate(sources):
        out = tmp_path / f"graph{n}"
        report = convert(source, out)
        assert report.warnings == ()
        schema = load_schema(out)
        rows = {
            path.name: sorted(map(repr, pq.read_table(path).to_pylist()))
            for path in out.glob("*/*.parquet")
        }
        found.append(({n.name: n for n in schema.nodes}, {e.name: e for e in schema.edges}, rows))
    assert found[1:] == found[:1] * 3
    assert set(found[0][1]) == {
        "Shop-IN_CITY-City",
        "Seat-HAS_SHOP-Shop",
        "Note-HAS_SEAT-Seat",
        "Person-HAS_BOSS-Person",
        "Person-HAS_SHOP-Shop",
    }


def test_what_postgresql_leaves_out_is_said(postgres: str, tmp_path: Path) -> None:
    execute(
        postgres,
        [
            "CREATE SCHEMA other",
            "CREATE TABLE other.far (id integer PRIMARY KEY)",
            "CREATE TABLE a (id integer PRIMARY KEY, far integer REFERENCES other.far)",
            "CREATE TABLE parted (id integer, y integer) PARTITION BY RANGE (y)",
            "CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (9)",
            "CREATE TABLE heir (more integer) INHERITS (a)",
            "CREATE TABLE nothing ()",
            "CREATE VIEW v AS SELECT 1",
            "CREATE MATERIALIZED VIEW m AS SELECT 1",
            "INSERT INTO parted VALUES (1, 1), (2, 2)",
            "INSERT INTO heir VALUES (1, NULL, 2)",
        ],
    )
    report = convert(postgres, tmp_path / "graph")
    assert report.nodes == {"A": 0, "Parted": 2, "Heir": 1}
    assert report.notes == (
        "Table nothing has no columns and is left out.",
        "Views are ignored: v.",
        "Materialised views are ignored: m.",
        "Foreign key a (far) is left out: other.far is in no schema that is read.",
        "Schemas are left out: other. The address names another one with "
        "?options=-csearch_path=NAME.",
    )
    other = convert(f"{postgres}?options=-csearch_path=other", tmp_path / "other")
    assert other.nodes == {"Far": 0}
    execute(postgres, ["DROP SCHEMA other CASCADE"])


def test_collations_that_fold_case_make_no_wrong_edges(mysql: str, tmp_path: Path) -> None:
    execute(
        mysql,
        [
            "CREATE TABLE p (code VARCHAR(5) PRIMARY KEY) COLLATE utf8mb4_general_ci",
            "CREATE TABLE c (id INTEGER PRIMARY KEY, code VARCHAR(5), "
            "FOREIGN KEY (code) REFERENCES p (code)) COLLATE utf8mb4_general_ci",
            "INSERT INTO p VALUES ('ab'), ('cd')",
            "INSERT INTO c VALUES (1, 'AB'), (2, 'cd')",
        ],
    )
    report = convert(mysql, tmp_path / "graph")
    assert report.edges == {}
    assert "the collation of the columns equates values that differ" in report.warnings[0]


def test_collations_that_fold_other_letters_make_no_wrong_edges(mysql: str, tmp_path: Path) -> None:
    """What finds no row letter by letter may have one where `ß` is `ss` and `é` is `e`."""
    execute(
        mysql,
        [
            "CREATE TABLE p (code VARCHAR(9) PRIMARY KEY) COLLATE utf8mb4_uca1400_ai_ci",
            "CREATE TABLE c (id INTEGER PRIMARY KEY, code VARCHAR(9), "
            "FOREIGN KEY (code) REFERENCES p (code)) COLLATE utf8mb4_uca1400_ai_ci",
            "INSERT INTO p VALUES ('strasse'), ('caf\u00e9')",
            "INSERT INTO c VALUES (1, 'stra\u00dfe'), (2, 'caf\u00e9')",
        ],
    )
    assert convert(mysql, tmp_path / "graph").edges == {}
    execute(mysql, ["DELETE FROM c WHERE id = 1"])
    assert convert(mysql, tmp_path / "other").edges == {"C-HAS_P-P": 1}


@pytest.mark.parametrize("kind", [PostgresSource, MysqlSource])
def test_all_tables_are_of_one_moment(
    kind: type[PostgresSource | MysqlSource], postgres: str, mysql: str
) -> None:
    url = postgres if kind is PostgresSource else mysql
    execute(url, [f"CREATE TABLE {t} (id INTEGER PRIMARY KEY)" for t in "ab"])
    with kind().opened(url, TableOptions()) as (database, _):
        execute(url, ["INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (1)"])
        counts = [sum(n for n, _ in database.batches(table)) for table in database.tables]
        assert counts == [0, 0]


def test_many_rows_come_in_batches(postgres: str, mysql: str, tmp_path: Path) -> None:
    execute(
        postgres,
        [
            "CREATE TABLE t AS SELECT n AS id, repeat('x', 500) AS x "
            "FROM generate_series(1, 50000) n"
        ],
    )
    execute(
        mysql, ["CREATE TABLE t AS SELECT seq AS id, repeat('x', 500) AS x FROM seq_1_to_50000"]
    )
    for kind, url in ((PostgresSource(), postgres), (MysqlSource(), mysql)):
        with kind.opened(url, TableOptions()) as (database, _):
            lengths = [length for length, _ in database.batches(database.tables[0])]
        assert sum(lengths) == 50_000
        assert len(lengths) > 3


def test_a_value_larger_than_a_block(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schemagraph.sources.postgresql._BLOCK", 50_000)
    script = """CREATE TABLE t AS SELECT n AS id,
        repeat('x', CASE n WHEN 900 THEN 400000 ELSE 500 END) AS x
        FROM generate_series(1, 1000) n"""
    execute(postgres, [script, "ALTER TABLE t ADD PRIMARY KEY (id)"])
    convert(postgres, tmp_path / "graph")
    rows = pq.read_table(tmp_path / "graph" / "nodes" / "T.parquet").to_pylist()
    assert [row["id"] for row in rows] == list(range(1, 1001))
    assert [len(row["x"]) for row in rows] == 899 * [500] + [400_000] + 100 * [500]


@pytest.mark.parametrize("server", ["postgres_server", "mariadb_server"])
def test_secrets_are_told_to_nobody(
    server: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = request.getfixturevalue(server)
    execute(
        url, ["DROP TABLE IF EXISTS only_one", "CREATE TABLE only_one (id INTEGER PRIMARY KEY)"]
    )
    report = convert(url, tmp_path / "graph")
    written = b"".join(p.read_bytes() for p in (tmp_path / "graph").rglob("*") if p.is_file())
    for secret in (PASSWORD, "s3cret", "tester"):
        assert secret.encode() not in written
        assert secret not in report.text() + repr(report)
    wrong = url.replace("s3cret", "wr0ng")
    gone = url.replace("127.0.0.1:", "127.0.0.1:1")
    for bad in (wrong, gone[: gone.rindex("/")] + "/nowhere", url[: url.rindex("/")]):
        with pytest.raises(SourceError) as caught:
            convert(bad, tmp_path / "other")
        assert "s3cret" not in str(caught.value)
        assert "wr0ng" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_an_empty_database(postgres: str, mysql: str, tmp_path: Path) -> None:
    for url in (postgres, mysql):
        with pytest.raises(SourceError, match="has no tables"):
            convert(url, tmp_path / "graph")
    execute(postgres, ["CREATE VIEW v AS SELECT 1"])
    with pytest.raises(SourceError, match="has only views"):
        convert(postgres, tmp_path / "graph")


def test_closed_sets_that_postgresql_declares(postgres: str, tmp_path: Path) -> None:
    execute(
        postgres,
        [
            "CREATE TYPE mood AS ENUM ('sad', 'it''s ok')",
            "CREATE DOMAIN tier AS text CHECK (VALUE IN ('gold', 'basic'))",
            "CREATE TABLE t (id int PRIMARY KEY, m mood, d tier, "
            "a text CHECK (a IN ('x', 'y, z')), v varchar(9) NOT NULL CHECK (v IN ('p', 'q')), "
            "one text CHECK (one = 'only'), "
            "c char(4) CHECK (c IN ('ab')), n int CHECK (n IN (1, 2)), "
            "o text CHECK (o IN ('x') OR length(o) > 3), w text CHECK (w IN ('x', NULL)))",
            "ALTER TABLE t ADD COLUMN late text",
            "ALTER TABLE t ADD CONSTRAINT later CHECK (late IN ('x')) NOT VALID",
        ],
    )
    convert(postgres, tmp_path / "graph")
    (node,) = load_schema(tmp_path / "graph").nodes
    assert {p.name: p.values for p in node.properties if p.values} == {
        "m": ("sad", "it's ok"),
        "d": ("gold", "basic"),
        "a": ("x", "y, z"),
        "v": ("p", "q"),
        "one": ("only",),
        "n": (1, 2),
    }


@pytest.mark.parametrize(
    ("collation", "ordering"), [("C", "BINARY"), ("ucs_basic", "BINARY"), ("und-x-icu", "und")]
)
def test_a_collation_that_orders_otherwise_is_said(
    collation: str, ordering: str, postgres: str, tmp_path: Path
) -> None:
    execute(postgres, [f'CREATE TABLE w (id int PRIMARY KEY, a text COLLATE "{collation}")'])
    execute(postgres, ["INSERT INTO w VALUES (1, 'in'), (2, 'IN')"])
    convert(postgres, tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert mapping.ordering == ordering
