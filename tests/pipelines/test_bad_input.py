"""Bad input to the command line: one clear sentence and status 1, never a traceback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from pipelines.cli.commands import main


def _database(path: Path, script: str) -> str:
    database = sqlite3.connect(path)
    database.executescript(script)
    database.commit()
    database.close()
    return str(path)


def _error(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.strip().splitlines()
    assert lines[-1].startswith("graphmill: ")
    assert "Traceback" not in captured.err
    return lines[-1]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.sqlite", None, "There is no file"),
        ("notes.sqlite", b"these are my notes\n" * 100, "none of the sources"),
        ("empty.sqlite", b"", "is empty"),
        ("torn.sqlite", b"SQLite format 3\x00" + b"\x07" * 3000, "torn.sqlite"),
        ("broken.json", b'{"nodes": [', "broken.json"),
    ],
)
def test_files_that_are_no_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main(["convert", str(path), "--out", str(tmp_path / "out")]) == 1
    assert said in _error(capsys)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("PRAGMA user_version = 1", "no table"),
        ("CREATE VIEW v AS SELECT 1 AS x", "view"),
        (
            "CREATE TABLE a (x INTEGER PRIMARY KEY, y INTEGER REFERENCES gone (z));"
            "INSERT INTO a VALUES (1, 2)",
            "gone",
        ),
    ],
)
def test_databases_that_hold_no_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, said: str
) -> None:
    path = _database(tmp_path / "bad.sqlite", script)
    assert main(["convert", path, "--out", str(tmp_path / "out")]) == 1
    assert said in _error(capsys)


def test_a_table_without_rows_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _database(
        tmp_path / "thin.sqlite",
        "CREATE TABLE a (x INTEGER PRIMARY KEY); CREATE TABLE b (y TEXT);INSERT INTO a VALUES (1)",
    )
    assert main(["convert", path, "--out", str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert "b" in captured.err
    assert json.loads(captured.out)["nodes"]["B"] == 0


def test_an_unwritable_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _database(tmp_path / "a.sqlite", "CREATE TABLE a (x); INSERT INTO a VALUES (1)")
    (tmp_path / "file").touch()
    assert main(["convert", path, "--out", str(tmp_path / "file" / "out")]) == 1
    assert "file" in _error(capsys)


def test_an_unwritable_corpus(
    ferries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    arguments = ["build", str(ferries), "--quiet", "--out", str(tmp_path / "file" / "corpus")]
    assert main(arguments) == 1
    assert "Cannot write the corpus" in _error(capsys)


def test_sql_with_a_syntax_error_is_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _database(tmp_path / "a.sqlite", "CREATE TABLE a (x INT); INSERT INTO a VALUES (1)")
    main(["convert", path, "--out", str(tmp_path / "graph")])
    capsys.readouterr()
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"query": "SELECT x FRM a WHERE"}\nnonsense\n{"query": "SELECT x FROM a"}\n')
    command = ["translate", "--from", "sql", "--to", "cypher", "--graph", str(tmp_path / "graph")]
    assert main([*command, str(lines)]) == 0
    results = [json.loads(line)["result"] for line in capsys.readouterr().out.splitlines()]
    assert [result["ok"] for result in results] == [False, False, True]
    assert results[0]["error"]["kind"] == "syntax"
    assert results[0]["error"]["line"] == 1


def test_unknown_names_are_answered_with_the_closest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["translate", "--from", "cypher", "--to", "cyphr", "-"]) == 1
    assert "Did you mean 'cypher'?" in _error(capsys)
    assert main(["run", "--engine", "grafoe", "--graph", str(tmp_path), "-"]) == 1
    assert "Did you mean 'grafeo'?" in _error(capsys)
