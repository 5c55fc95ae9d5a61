"""Two processes stage a source as one does."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from graphmill.errors import SourceError
from schemagraph.convert import beside
from schemagraph.convert.service import convert
from schemagraph.sources.sqlite import SqliteDatabase
from tests.schemagraph.cases import database

pytestmark = pytest.mark.slow

SCRIPT = """
CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a);
CREATE TABLE c (a INTEGER REFERENCES a, b INTEGER REFERENCES b, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO a VALUES (1, 'x'), (2, NULL), (3, 'ü'); INSERT INTO b VALUES (1, 2), (2, 9);
INSERT INTO c VALUES (1, 1), (2, 1), (3, 2);
"""


def test_the_same_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(database(tmp_path, SCRIPT))
    one = convert(path, tmp_path / "one")
    monkeypatch.setattr(beside, "_LARGE", 1)
    two = convert(path, tmp_path / "two")
    assert two.checks == one.checks
    assert two.fingerprint == one.fingerprint
    for name in ("manifest.json", "mapping.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_an_error_of_the_second_process_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """
    CREATE TABLE small (id INTEGER PRIMARY KEY); INSERT INTO small VALUES (1);
    CREATE TABLE bad (x TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
      INSERT INTO bad SELECT printf('%0500d', i) FROM n;
    """
    path = database(tmp_path, script)
    with path.open("r+b") as file:  # a page in the middle of the table
        file.seek(100 * 4096)
        file.write(b"\xff" * 4096)
    # As if it had been damaged after it was looked through.
    monkeypatch.setattr(SqliteDatabase, "_check", lambda _: None)
    monkeypatch.setattr(beside, "_LARGE", 1)
    monkeypatch.setattr(beside, "_halves", lambda cells: ([0], [1]))
    with pytest.raises(SourceError, match="table bad: database disk image is malformed"):
        convert(str(path), tmp_path / "graph")
    assert not (tmp_path / "graph").exists()


def test_a_database_with_a_log_is_read_by_one_process(tmp_path: Path) -> None:
    path = database(tmp_path, SCRIPT)
    source = SqliteDatabase(path)
    again = source.again()
    source.close()
    assert again is not None
    assert again.cells == (6, 4, 6)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    source = SqliteDatabase(path)
    assert source.again() is None
    source.close()
    connection.close()


def test_halves_are_about_as_large() -> None:
    million = 1_000_000
    assert beside._halves([6 * million, 5 * million, million, 2]) == ([0, 3], [1, 2])
    assert beside._halves([9 * million, million]) == ([0, 1], [])
