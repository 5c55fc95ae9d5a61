"""What SQLite files can hold, and what is no database."""

from __future__ import annotations

import os
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from graphmill.decoded import OPTION
from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import node_rows
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.sources.sqlite import SqliteDatabase
from tests.schemagraph.cases import database

pytestmark = pytest.mark.slow


def counting(limit: int) -> str:
    """A table expression with the numbers from 1 to `limit`."""
    return (
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        f"LIMIT {limit}) SELECT i FROM n)"
    )


def rows_of(folder: Path, script: str) -> list[dict[str, object]]:
    """The nodes of the first type that `script` gives."""
    convert(str(database(folder, script)), folder / "graph")
    return list(node_rows(folder / "graph", load_schema(folder / "graph").nodes[0]))


@pytest.mark.parametrize(
    "columns",
    [
        "b AS (zeroblob(9000000)) VIRTUAL",  # one value is too long
        "b AS (zeroblob(300000)) VIRTUAL",
        "b TEXT AS (hex(zeroblob(150000))) VIRTUAL",
        "b TEXT AS (char(0) || hex(zeroblob(150000)))",
        "b AS (zeroblob(90000)) VIRTUAL, c AS (zeroblob(90000)), d AS (b || c)",
        "b AS (zeroblob(9000000)) VIRTUAL NOT NULL",
        "b AS (zeroblob(9000000)), CHECK (length(hex(b)) > 1)",
    ],
)
def test_computed_columns_are_bounded(
    columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = f"CREATE TABLE t (id INTEGER PRIMARY KEY, {columns});"
    script += f"INSERT INTO t (id) SELECT i FROM {counting(8)}"
    path = database(tmp_path, script)
    monkeypatch.setenv(OPTION, "1")
    tracemalloc.start()
    with pytest.raises(SourceError, match=f"decodes to more than 1 MB.*{OPTION}"):
        convert(str(path), tmp_path / "graph")
    assert tracemalloc.get_traced_memory()[1] < 9_000_000
    tracemalloc.stop()


def test_stored_values_are_no_longer_than_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OPTION, "1")
    script = "CREATE TABLE t (b TEXT); INSERT INTO t VALUES (hex(zeroblob(900000)))"
    (row,) = rows_of(tmp_path, script)
    assert len(str(row["b"])) == 1_800_000


def test_computed_columns_within_the_limit_are_read(tmp_path: Path) -> None:
    script = "CREATE TABLE t (id INTEGER PRIMARY KEY, b AS (id * 2), c TEXT AS ('n' || id));"
    rows = rows_of(tmp_path, script + "INSERT INTO t (id) VALUES (1), (2)")
    assert [(row["b"], row["c"]) for row in rows] == [(2, "n1"), (4, "n2")]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("PRAGMA user_version = 1", "has no tables"),
        ("CREATE VIEW v AS SELECT 1 AS x", "has only views"),
        ("CREATE VIRTUAL TABLE f USING fts5(x)", "has only virtual tables"),
        ("CREATE TABLE ab (x REFERENCES abc)", "table abc, which does not exist. Did you mean"),
        (
            "CREATE VIEW v AS SELECT 1 AS x; CREATE TABLE a (x REFERENCES v (x))",
            "v, which is a view",
        ),
        ("CREATE TABLE a (xy); CREATE TABLE b (y REFERENCES a (xz))", "the column xz of table a"),
    ],
)
def test_databases_without_a_graph(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(SourceError, match=said):
        convert(str(database(tmp_path, script)), tmp_path / "graph")


def test_a_damaged_page_is_an_error(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        "CREATE TABLE t (x TEXT); INSERT INTO t SELECT hex(zeroblob(900)) || i FROM "
        + counting(99),
    )
    content = bytearray(path.read_bytes())
    for page in range(4, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"damaged SQLite database: Page \d+: "):
        convert(str(path), tmp_path / "graph")


@pytest.mark.parametrize(
    ("start", "filling", "said"),
    [
        (
            2 * 4096,
            bytes(4096),
            "damaged SQLite database: ",
        ),  # rows of it were gone without an error
        (3 * 4096 + 5, b"\x01\x01", "damaged SQLite database: Fragmentation of"),
        (100, b"\xff" * 900, "damaged SQLite database: "),
    ],
)
def test_a_damaged_page_that_hides_rows_is_an_error(
    tmp_path: Path, start: int, filling: bytes, said: str
) -> None:
    script = "CREATE TABLE t (x TEXT); INSERT INTO t SELECT hex(zeroblob(900)) || i FROM "
    path = database(tmp_path, script + counting(99))
    content = bytearray(path.read_bytes())
    content[start : start + len(filling)] = filling
    path.write_bytes(content)
    with pytest.raises(SourceError, match=said):
        convert(str(path), tmp_path / "graph")
    assert not (tmp_path / "graph").exists()


@pytest.mark.parametrize("bytes_there", [60, 100, 4096, -4096, -1])
def test_a_file_that_is_cut_says_so(tmp_path: Path, bytes_there: int) -> None:
    """Of a few bytes it said that it was no SQLite database."""
    path = database(
        tmp_path, "CREATE TABLE t (x TEXT); INSERT INTO t SELECT i FROM " + counting(99)
    )
    path.write_bytes(path.read_bytes()[:bytes_there])
    with pytest.raises(SourceError, match=r"is a damaged SQLite database: it has [\d,]+ bytes of"):
        convert(str(path), tmp_path / "graph")


def test_values_that_a_constraint_forbids_are_no_damage(tmp_path: Path) -> None:
    """The check of pages tells of them as well."""
    path = database(tmp_path, "CREATE TABLE t (x TEXT, y INT); INSERT INTO t VALUES (NULL, 1)")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        text = "CREATE TABLE t (x TEXT NOT NULL, y INT CHECK (y > 5))"
        connection.execute("UPDATE sqlite_master SET sql = ?", (text,))
    convert(str(path), tmp_path / "graph")


def test_views_and_virtual_tables_are_noted(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t; CREATE VIRTUAL TABLE f USING "
        "fts5(x); INSERT INTO t VALUES (1)"
    )
    report = convert(str(database(tmp_path, script)), tmp_path / "graph")
    assert report.notes[0] == "Views are ignored: v."
    assert report.notes[1].startswith("Virtual tables are ignored: f, f_config")


def test_rows_come_in_the_order_of_rowid(tmp_path: Path) -> None:
    # the index covers all columns, so that SQLite would read it instead of the table
    script = (
        "CREATE TABLE t (x, rowid); CREATE INDEX i ON t (x, rowid);"
        "INSERT INTO t VALUES (3, 1), (1, 2), (2, 3)"
    )
    assert [row["x"] for row in rows_of(tmp_path, script)] == [3, 1, 2]


def test_a_table_without_rowid(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE t (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;"
        "INSERT INTO t VALUES ('x', 2), ('y', 1)"
    )
    assert rows_of(tmp_path, script) == [{"b": 1, "a": "y"}, {"b": 2, "a": "x"}]


def test_generated_columns_are_columns(tmp_path: Path) -> None:
    script = "CREATE TABLE t (x INT, y INT AS (x * 2), z INT AS (x + 1) STORED);"
    script += "INSERT INTO t VALUES (4)"
    assert rows_of(tmp_path, script) == [{"row_number": 1, "x": 4, "y": 8, "z": 5}]


def test_any_name_goes(tmp_path: Path) -> None:
    script = (
        'CREATE TABLE "a ""b"" `c`" ("select" INTEGER PRIMARY KEY, "" TEXT, "x\'y" TEXT, "{t}" INT,'
        '"source.id" INT, "#" INT); INSERT INTO "a ""b"" `c`" VALUES (1, \'p\', \'q\', 2, 3, 4)'
    )
    assert rows_of(tmp_path, script) == [
        {"select": 1, "p": "p", "x_y": "q", "t": 2, "source_id": 3, "p_2": 4}
    ]


def test_long_names_are_cut(tmp_path: Path) -> None:
    long = "warehouse_" * 20
    script = f"CREATE TABLE {long}a (x); CREATE TABLE {long}b (x)"
    convert(str(database(tmp_path, script)), tmp_path / "graph")
    labels = [node.name for node in load_schema(tmp_path / "graph").nodes]
    assert [len(label) for label in labels] == [60, 62]


def test_collations_are_known(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT, c TEXT COLLATE RTRIM UNIQUE);"
        "CREATE TABLE u (a TEXT COLLATE own); INSERT INTO u VALUES ('x')"
    )
    path = tmp_path / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.create_collation("own", lambda one, two: (one > two) - (one < two))
    connection.executescript(script)
    connection.close()
    convert(str(path), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    found = [[column.collation for column in node.columns] for node in mapping.nodes]
    assert found == [["NOCASE", "BINARY", "RTRIM"], ["UNKNOWN"]]


def test_text_that_is_not_utf8_after_many_rows(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t SELECT i, 'v' || i FROM "
        f"{counting(1000)};"
        "UPDATE t SET x = CAST(X'61FF' AS TEXT) WHERE id = 700"
    )
    rows = rows_of(tmp_path, script)
    assert [rows[0]["x"], rows[699]["x"], rows[999]["x"]] == [b"v1", b"a\xff", b"v1000"]


def test_wide_values_come_in_small_batches(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        "CREATE TABLE t (x BLOB); INSERT INTO t SELECT zeroblob(1000000) FROM " + counting(400),
    )
    source = SqliteDatabase(path)
    sizes = [length for length, _ in source.batches(source.tables[0])]
    source.close()
    assert sum(sizes) == 400
    assert max(sizes[1:]) <= 33


def test_a_database_in_wal_mode_on_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere: run as another user")
    path = database(tmp_path, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    tmp_path.chmod(0o500)
    try:
        SqliteDatabase(path).close()
    finally:
        tmp_path.chmod(0o700)


def test_an_address_is_a_source(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE t (x INTEGER PRIMARY KEY)")
    assert convert(f"sqlite:///{path}", tmp_path / "graph").nodes == {"T": 0}
    with pytest.raises(SourceError, match="There is no file"):
        convert("sqlite:///nowhere.sqlite", tmp_path / "graph")
    with pytest.raises(SourceError, match="none of the sources"):
        convert("oracle://host/db", tmp_path / "graph")


@pytest.mark.parametrize(
    "name", ["chinook/chinook.sqlite", "northwind/northwind.sqlite", "sakila/sakila.sqlite"]
)
def test_real_databases(name: str, shared: Path, tmp_path: Path) -> None:
    path = shared / "data" / name
    report = convert(str(path), tmp_path / "graph")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    counts = {
        check.table: connection.execute(f'SELECT count(*) FROM "{check.table}"').fetchone()[0]
        for check in report.checks
    }
    connection.close()
    assert {check.table: check.rows for check in report.checks} == counts
    assert report.warnings == ()
