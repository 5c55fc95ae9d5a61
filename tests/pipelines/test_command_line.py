"""What a new user types: versions, previews, completion, typos, and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from graphmill import __version__
from graphmill.errors import ConfigError
from graphmill.llm.stub import Stub
from graphmill.record_rows import RECORD_TEXTS
from pipelines.cli.commands import COMMANDS, main, parser
from pipelines.cli.completion import SHELLS, commands
from pipelines.configuration.config import load

pytestmark = pytest.mark.slow

BASE = """
[corpus]
name = "a"
[[source]]
kind = "graph"
path = "."
domain = "a"
subdomain = "b"
"""


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        (BASE.replace("name", "nmae"), "corpus.nmae", "name"),
        (BASE + "[querys]\ngrow = false", "querys", "queries"),
        (BASE + "[queries]\ngro = false", "queries.gro", "grow"),
        (BASE + "[queries.difficulty]\nmedum = 1", "queries.difficulty.medum", "medium"),
        (BASE.replace("subdomain", "subdomian"), "source.1.subdomian", "subdomain"),
        (BASE.replace('"graph"', '"grpah"'), "source.1.kind", "graph"),
        (BASE + '[author]\nkind = "lm"', "author.kind", "llm"),
        (BASE + '[duplicates]\nscope = "databse"', "duplicates.scope", "database"),
        (BASE + '[certify]\nengines = ["grafo", "duckdb"]', "certify.engines", "grafeo"),
        (BASE.replace('"a"', '"a"\nsplits = { trian = 1 }', 1), "corpus.splits.trian", "train"),
        (
            BASE
            + '[author]\nkind = "llm"\nbase_url = "http://h"\nmodel = "m"\nprices = { inptu = 1 }',
            "author.prices.inptu",
            "input",
        ),
    ],
)
def test_a_typo_is_told_what_was_meant(text: str, place: str, meant: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert any(
        each.startswith(f"{place}: ") and each.endswith(f"Did you mean '{meant}'?")
        for each in caught.value.violations
    ), caught.value.violations


def test_one_table_for_a_list_of_them(tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_text(BASE.replace("[[source]]", "[source]"), encoding="utf-8")
    with pytest.raises(ConfigError, match=re.escape("source: write it as [[source]]")):
        load(path)


@pytest.mark.parametrize("module", ["graphmill", "pipelines.cli"])
def test_the_version(module: str) -> None:
    command = [sys.executable, "-m", module, "--version"]
    assert subprocess.check_output(command, text=True) == f"graphmill {__version__}\n"


def test_help_needs_no_extra() -> None:
    program = (
        "import sys\n"
        "for name in ('prefect', 'openai', 'httpx2', 'neo4j', 'tokenizers', 'sqlalchemy'):\n"
        "    sys.modules[name] = None\n"
        "from pipelines.cli.commands import COMMANDS, main\n"
        "for name in COMMANDS:\n"
        "    try:\n        main([name, '--help'])\n"
        "    except SystemExit as end:\n        assert not end.code\n"
        "sys.exit(main(['build', 'example:museum_loans', '--flow', '--out', sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", program, os.devnull + "x"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "--flow needs the package prefect: pip install 'graphmill[prefect]'" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_preview_is_read_by_people_or_by_programs(
    ferries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["preview", str(ferries), "--limit", "2", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows
    assert set(RECORD_TEXTS) | {"queries", "answer", "certificates", "provenance"} <= set(rows[0])
    assert main(["preview", str(ferries), "--limit", "2"]) == 0
    shown = capsys.readouterr().out
    for row in rows:
        assert f"id: {row['id']}\n" in shown
        assert f"question: {row['question']}\n" in shown
        assert all(line in shown for line in row["queries"]["cypher"].splitlines())
    assert not shown.startswith("{")


def test_a_preview_of_nothing_says_why_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "q.sqlite")) as database:
        database.execute("CREATE TABLE xq (q1 INTEGER PRIMARY KEY, q2 BLOB)")
        database.execute("INSERT INTO xq VALUES (1, x'00'), (2, x'01')")
        database.commit()
    config = tmp_path / "q.toml"
    source = '[[source]]\nkind = "relational"\nurl = "q.sqlite"\ndomain = "a"\nsubdomain = "b"\n'
    config.write_text(f'[corpus]\nname = "q"\n{source}')
    assert main(["preview", str(config), "--limit", "1", "--quiet"]) == 1
    problem = capsys.readouterr().err
    assert "No pair was released: " in problem
    assert "graphmill-preview" not in problem


@pytest.mark.parametrize("number", ["-3", "0", "1.5", "ten", "\u0663"])
def test_a_limit_is_a_number_from_one_up(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["build", "example:museum_loans", f"--limit={number}"])
    assert ended.value.code == 2
    assert "is no whole number from 1 up" in capsys.readouterr().err


def test_every_command_and_option_is_completed() -> None:
    found = commands(parser())
    assert set(found) == {"", *COMMANDS}
    for text in (emit(found) for emit in SHELLS.values()):
        assert all(name in text for name in COMMANDS)
        assert "api-key-env" in text


def test_fish_offers_files_where_files_are_asked() -> None:
    lines = SHELLS["fish"](commands(parser())).splitlines()
    build = [line for line in lines if '"__fish_seen_subcommand_from build"' in line]
    assert any("-l out -r" in line for line in build)
    assert any("-l size -x" in line for line in build)
    assert any("-l without -x -a '" in line for line in build)
    assert any("example:bench" in line for line in build)


BASH = shutil.which("bash")


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("verif", {"verify"}),
        ("build --rep", {"--replace"}),
        ("check --language sp", {"spanner", "sparql"}),
        ("completion z", {"zsh"}),
        ("--deb", {"--debug"}),
        ("run --engine gr", {"grafeo"}),
        ("run --engine du", {"duckdb", "duckdb-file"}),
        ("build --without ox", {"oxigraph"}),
        ("evaluate --split t", {"train", "test"}),
        ("evaluate --engine file", set()),
        ("translate --dialect s", {"sqlite"}),
        ("build --size file", set()),
        ("build --jobs file", set()),
        ("build --out file", {"file.toml"}),
        ("build file", {"file.toml"}),
        ("build example:be", {"example:bench"}),
        ("build example : be", {"bench"}),
    ],
)
def test_bash_completes(typed: str, offered: set[str], tmp_path: Path) -> None:
    (tmp_path / "file.toml").touch()
    words = ["graphmill", *typed.split()]
    script = SHELLS["bash"](commands(parser()))
    line = f"graphmill {typed}".replace(" : ", ":")
    script += f"COMP_LINE='{line}'; COMP_POINT={len(line)}\n"
    script += f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}\n"
    script += '_graphmill; printf "%s\\n" "${COMPREPLY[@]}"\n'
    found = subprocess.check_output([str(BASH), "-c", script], text=True, cwd=tmp_path)
    assert set(found.split()) == offered


@pytest.mark.parametrize(
    ("times", "number"), [(1, signal.SIGINT), (2, signal.SIGINT), (1, signal.SIGTERM)]
)
def test_ctrl_c_and_sigterm_stop_a_build_that_waits_for_a_model(
    times: int, number: signal.Signals, ferries: Path, tmp_path: Path
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    with Stub(lambda messages: "{}", lambda text, number: "drip", apart=0.5) as server:
        text = ferries.read_text(encoding="utf-8")
        limit = 3 if times == 1 else 60
        text += (
            f'[author]\nkind = "llm"\nbase_url = "{server.url}"\nmodel = "m"\ntimeout = {limit}\n'
        )
        ferries.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "graphmill", "build", str(ferries)]
        command += ["--out", str(tmp_path / "out"), "--limit", "1"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            while not server.calls and process.poll() is None:
                time.sleep(0.05)
            start = time.monotonic()
            for _ in range(times):
                process.send_signal(number)
                time.sleep(0.5)
            try:
                assert process.wait(60) == 128 + number
            finally:
                process.kill()  # else the test itself would wait for ever
            assert time.monotonic() - start < 20
            assert process.stderr is not None
            assert ("ended" if times == 2 else "stopped") in process.stderr.read()


def test_a_schema_without_english_words_points_to_the_lexicon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "vhs.sqlite")) as database:
        database.execute("CREATE TABLE dozent (dozent_nr INTEGER PRIMARY KEY, nachname TEXT)")
        database.execute(
            "CREATE TABLE lehrgang (lehrgang_nr INTEGER PRIMARY KEY, gebuehr REAL, "
            "dozent_nr INTEGER REFERENCES dozent)"
        )
        names = [(n, f"Maier{n}") for n in range(9)]
        database.executemany("INSERT INTO dozent VALUES (?, ?)", names)
        fees = [(n, 10.5 * n, n % 9) for n in range(40)]
        database.executemany("INSERT INTO lehrgang VALUES (?, ?, ?)", fees)
        database.commit()
    config = tmp_path / "vhs.toml"
    source = '[[source]]\nkind = "relational"\nurl = "vhs.sqlite"\ndomain = "a"\nsubdomain = "b"\n'
    config.write_text(f'[corpus]\nname = "vhs"\n{source}[queries]\nper_database = 10\n')
    assert main(["build", str(config), "--out", str(tmp_path / "out"), "--quiet"]) == 1
    problem = capsys.readouterr().err
    graph = tmp_path / "out" / "graphs" / "vhs"
    assert f"`graphmill lexicon --graph {graph}`" in problem
    assert main(["lexicon", "--graph", str(graph)]) == 0  # it is there, though nothing was released


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("bild x", "invalid choice: 'bild' .*Did you mean 'build'"),
        ("--debgu build x", "no option --debgu. Did you mean '--debug'"),
        ("build x --limti 3", "no option --limti. Did you mean '--limit'"),
        ("build x --limti=3", "no option --limti. Did you mean '--limit'"),
        ("lexicon --grahp x", "no option --grahp. Did you mean '--graph'"),
        ("synth --lst", "no option --lst. Did you mean '--list'"),
        ("export x --to hugingface y", "invalid choice: 'hugingface' .*Did you mean 'huggingface'"),
        ("build x --debug", "--debug stands before the command: graphmill --debug build"),
    ],
)
def test_what_does_not_exist_is_told_with_the_nearest_that_does(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == 2
    assert re.search(said, capsys.readouterr().err)


def test_what_the_system_refuses_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "c/data")

    monkeypatch.setattr("pipelines.verification.integrity.os.scandir", refused)
    files = {"data/train-00000-of-00001.parquet": "x"}
    (tmp_path / "corpus.lock").write_text(json.dumps({"files": files, "graphs": {}}))
    assert main(["verify", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "graphmill: c/data: Permission denied.\n"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["verify", "x" * 5_000], 1, "more characters. .* is too long as a name"),
        (["diff", "x" * 5_000, "y"], 2, "is too long as a name"),
        (["diff", "there", "is none"], 2, "is no finished corpus"),
        (["export", "c", "x" * 5_000], 1, "is too long as a name"),
        (["convert", "a\udcff.csv", "--out", "g"], 1, r"a\\xff\.csv .source. is not UTF-8"),
        (["convert", "a.csv", "--out", "g\udcff"], 1, r"g\\xff .* is not UTF-8|is not UTF-8"),
        (["verify", "c", "--instances", "9" * 5_000], 1, "takes a number or 'all', not '9+…"),
        (["verify", "c", "--without", "grafo"], 1, "Unknown engine 'grafo'. Did you mean 'grafeo'"),
        (["serve", "c", "--port", "99999"], 1, "Cannot listen on 127.0.0.1, port 99999"),
        (["serve", "c", "--host", "x" * 300], 1, "Cannot listen on x+…"),
        (["run", "--graph", "g", "--language", "cypher", "--timeout", "nan"], 1, "above 0"),
        (["check", "/dev/zero"], 1, "/dev/zero is a device, and no file of lines"),
        (["check", "/dev/null"], 0, ""),
        (["convert", "x" * 5_000, "--out", "g"], 1, "is too long as a name"),
    ],
)
def test_arguments_that_nothing_could_be_called_or_take_are_told(
    arguments: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    problem = capsys.readouterr().err
    assert re.search(said, problem)
    assert len(problem) < 1_000
