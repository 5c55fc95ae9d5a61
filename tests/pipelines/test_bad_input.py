"""Bad input to the command line: one clear sentence and status 1, never a traceback."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from graphmill.json_lines import parse_json
from pipelines.cli.commands import main
from translators.service import Translator


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


GOOD = b'{"query": "RETURN 1 AS x"}'
BAD_LINES = (
    b"\x00",
    b"[1]",
    b'"RETURN 1"',
    b'{"query": 1}',
    b'{"query": "RETURN \xff"}',
    b'{"query": "RETURN \'\\ud800\' AS x"}',
    b'{"query": "RETURN 1", "n": ' + b"9" * 5000 + b"}",
    b'{"query": "RETURN 1", "n": NaN}',
    b'{"query": "RETURN 1", "query": "RETURN 2"}',
    b'{"query": "RETURN 1", "n": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
)
BAD_TEXTS = (
    "",
    "\x00",
    f"RETURN {'9' * 5000} AS x",
    f"MATCH (a)-[*1..{'9' * 5000}]->(b) RETURN a.x AS x",
    f"MATCH (a) RETURN a.x AS x LIMIT {'9' * 5000}",
    f"MATCH (a)-->{{{'9' * 5000}}}(b) RETURN a.x AS x",
    f"RETURN {'(' * 10_000}1{')' * 10_000} AS x",
)


@pytest.mark.parametrize(
    "command",
    [
        ["check"],
        ["check", "--language", "gql"],
        ["check", "--language", "ngql"],
        ["translate", "--from", "cypher", "--to", "gql"],
        ["translate", "--from", "cypher", "--to", "ngql"],
    ],
    ids=" ".join,
)
def test_one_bad_line_never_ends_a_batch(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [json.dumps({"query": text}).encode() for text in BAD_TEXTS]
    content = b"\n".join([GOOD, *BAD_LINES, *texts, GOOD])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main([*command, "-"]) == 0
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(results) == len(BAD_LINES) + len(BAD_TEXTS) + 2
    codes = [code_of(result) for result in results]
    assert (codes[0], codes[-1]) == ("", "")
    assert set(codes[1 : len(BAD_LINES) + 1]) == {"broken-line"}
    if command[-1] == "ngql" and command[0] == "check":
        codes[len(BAD_LINES) + 1] = codes[-2] = "none"  # an empty text and nesting are nGQL
    assert all(codes[len(BAD_LINES) + 1 : -1])


def code_of(result: dict[str, Any]) -> str:
    """The first code of a result or of diagnostics; empty where nothing is wrong."""
    if "diagnostics" in result:
        return next((str(d["code"]) for d in result["diagnostics"]), "")
    found = result["result"]
    return "" if found["ok"] else str((found.get("error") or found["refused"])["code"])


def test_a_bad_line_does_not_end_a_run(
    ferries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["convert", _database(tmp_path / "a.sqlite", _ONE), "--out", str(tmp_path / "graph")])
    capsys.readouterr()
    texts = [json.dumps({"query": text}).encode() for text in BAD_TEXTS[2:3]]
    (tmp_path / "lines.jsonl").write_bytes(b"\n".join([GOOD, *BAD_LINES, *texts, GOOD]))
    assert main(["run", "--graph", str(tmp_path / "graph"), str(tmp_path / "lines.jsonl")]) == 0
    results = [json.loads(line)["result"] for line in capsys.readouterr().out.splitlines()]
    assert [result["ok"] for result in results] == [
        True,
        *[False] * (len(BAD_LINES) + len(texts)),
        True,
    ]


_ONE = "CREATE TABLE a (x INTEGER PRIMARY KEY); INSERT INTO a VALUES (1)"


@pytest.mark.parametrize("beside", ["", "-wal", "-journal"])
def test_a_pipe_is_no_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], beside: str
) -> None:
    path = tmp_path / "a.sqlite"
    if beside:
        _database(path, _ONE)
    os.mkfifo(f"{path}{beside}")
    assert main(["convert", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "named pipe" in _error(capsys)


@pytest.mark.parametrize("name", ["b.csv", "b.parquet", "b.csv.gz", "tables.toml"])
def test_a_pipe_in_a_folder_of_tables_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("x,y\n1,2\n")
    os.mkfifo(tmp_path / "in" / name)
    assert main(["convert", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 1
    assert "named pipe" in _error(capsys)


@pytest.mark.parametrize("name", ["schema.json", "nodes/A.parquet"])
def test_a_pipe_in_a_graph_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    graph = tmp_path / "graph"
    main(["convert", _database(tmp_path / "a.sqlite", _ONE), "--out", str(graph)])
    capsys.readouterr()
    (graph / name).unlink()
    os.mkfifo(graph / name)
    arguments = ["schema", "--to", "neo4j", "--graph", str(graph), "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "named pipe" in _error(capsys)


def test_what_json_has_no_number_for_is_told_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "graph"
    main(["convert", _database(tmp_path / "a.sqlite", _ONE), "--out", str(graph)])
    capsys.readouterr()
    texts = ["0.0 / 0.0 AS x", "-(2.0 ^ 100000) AS x", "duration('P999999999999999999999Y') AS x"]
    lines = [json.dumps({"query": f"RETURN {text}"}) for text in texts]
    (tmp_path / "lines.jsonl").write_text("\n".join(lines), "utf-8")
    assert main(["run", "--graph", str(graph), str(tmp_path / "lines.jsonl")]) == 0
    results = [parse_json(line)["result"] for line in capsys.readouterr().out.splitlines()]
    assert [result["rows"] for result in results[:2]] == [
        [[{"$float": "nan"}]],
        [[{"$float": "-inf"}]],
    ]
    assert [each["code"] for each in results[2]["unsound"]] == ["duration-overflow"]


def test_an_error_of_our_own_is_one_lines_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: Translator, text: str, _: object = None) -> dict[str, Any]:
        if text == "bad":
            raise KeyError("n1")
        return {"ok": True, "text": text}

    monkeypatch.setattr(Translator, "result", failing)
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"query": "bad", "id": 1}\n{"query": "RETURN 1"}\n', "utf-8")
    assert main(["translate", "--from", "cypher", "--to", "gql", str(lines)]) == 0
    captured = capsys.readouterr()
    first, second = map(json.loads, captured.out.splitlines())
    assert first["id"] == 1
    error = first["result"]["error"]
    assert (error["kind"], error["code"]) == ("internal", "internal")
    assert "KeyError: 'n1'" in error["message"]
    assert "report" in error["message"]
    assert second["result"]["ok"]
    assert "Traceback" in captured.err


def _shop(tmp_path: Path) -> Path:
    script = (
        "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT); INSERT INTO a VALUES (1, 'b'), (2, 'c')"
    )
    return Path(_database(tmp_path / "shop.sqlite", script).removeprefix("sqlite:///"))


def test_what_is_read_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = _shop(tmp_path)
    before = shop.read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    convert = ["convert", str(shop), "--out", str(tmp_path / "graph")]
    assert main([*convert, "--propose", str(shop)]) == 1
    assert "is read here" in _error(capsys)
    assert main([*convert, "--propose", str(pipe)]) == 1
    assert "it is a named pipe" in _error(capsys)
    assert main([*convert, "--propose", str(tmp_path)]) == 1
    assert "it is a folder" in _error(capsys)
    assert shop.read_bytes() == before
    assert pipe.is_fifo()
    assert not (tmp_path / "graph").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", ""], "argument --out: it is empty"),
        (["--out", "/"], "/ exists and is no graph"),
        (["--out", "g", "--propose", ""], "argument --propose: it is empty"),
    ],
)
def test_a_place_has_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    try:
        status = main(["convert", str(_shop(tmp_path)), *options])
    except SystemExit as end:
        status = int(end.code or 0)
    assert status != 0
    assert said in capsys.readouterr().err


def test_a_graph_is_written_to_the_folder_that_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = _shop(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["convert", str(shop), "--out", "."]) == 0
    assert (tmp_path / "here" / "schema.json").is_file()


def test_a_graph_that_is_not_its_manifests_is_not_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "graph"
    assert main(["convert", str(_shop(tmp_path)), "--out", str(graph)]) == 0
    (table,) = (graph / "nodes").iterdir()
    pq.write_table(pq.read_table(table).slice(0, 1), table)
    capsys.readouterr()
    assert main(["schema", "--to", "neo4j", "--graph", str(graph), "--out", str(tmp_path)]) == 1
    assert "has 1 rows; manifest.json says 2" in _error(capsys)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--timeout", "0"], "A timeout is above 0"),
        (["--timeout", "nan"], "A timeout is above 0"),
        (["--memory", "99999999999999999999"], "A memory limit is above 0 and at most"),
    ],
)
def test_limits_that_are_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    graph = tmp_path / "graph"
    assert main(["convert", str(_shop(tmp_path)), "--out", str(graph)]) == 0
    capsys.readouterr()
    assert main(["run", "--graph", str(graph), *options, "/dev/null"]) == 1
    assert said in _error(capsys)
