"""A language is one folder and an engine one file: here both come from a temporary folder."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pyarrow.parquet import read_table

import engines.backends
import translators
from pipelines.cli.commands import main

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[1]
LANGUAGE = '''
"""A toy: Cypher behind the word ASK."""

from translators.language import Language

LANGUAGE = Language(
    name="ask",
    title="Ask",
    dialect="translators.ask.dialect:Ask",
    reader="translators.ask.dialect:reader",
    checker="translators.ask.dialect:checker",
)
'''
DIALECT = """
from dataclasses import replace

from graph_ir.cypher.reader import parse
from graphmill.errors import Diagnostic
from translators.cypher.dialect import Cypher


class Ask(Cypher):
    name = "ask"

    def generate(self, query):
        text = super().generate(query)
        return replace(text, text="ASK " + text.text)


def reader(origin):
    return lambda text: parse(text.removeprefix("ASK "))


def checker(schema):
    def check(text):
        if text.startswith("ASK "):
            return []
        return [Diagnostic("error", "no-ask", "The text does not begin with ASK.")]

    return check
"""
ENGINE = """
from engines.backends.grafeo import Grafeo


class Oracle(Grafeo):
    name = "oracle"
    languages = ("ask",)
    profiles = {"ask": "ask"}
    unsound = ()
    default_for = ("ask",)
    family = "oracle"

    def run(self, text, *, language, timeout):
        return super().run(text.removeprefix("ASK "), language="cypher", timeout=timeout)


ENGINE = Oracle
"""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folders of languages and of engines have one more place each."""
    (tmp_path / "languages" / "ask").mkdir(parents=True)
    (tmp_path / "languages" / "ask" / "__init__.py").write_text(dedent(LANGUAGE))
    (tmp_path / "languages" / "ask" / "dialect.py").write_text(dedent(DIALECT))
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "oracle.py").write_text(dedent(ENGINE))
    for package, folder in ((translators, "languages"), (engines.backends, "engines")):
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / folder)])
    yield
    for name in [
        n for n in sys.modules if n.startswith(("translators.ask", "engines.backends.or"))
    ]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of two ferries."""
    folder = tmp_path_factory.mktemp("toy")
    nodes = [{"id": 1, "labels": ["Ferry"], "name": "Isar"}, {"id": 2, "labels": ["Ferry"]}]
    (folder / "ferries.json").write_text(json.dumps({"nodes": nodes, "links": []}))
    assert main(["convert", str(folder / "ferries.json"), "--out", str(folder / "graph")]) == 0
    return folder / "graph"


def answers(
    arguments: list[str],
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> list[dict[str, Any]]:
    """What a command prints for these queries."""
    given = "".join(json.dumps({"query": text}) + "\n" for text in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    capsys.readouterr()
    assert main(arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.usefixtures("toys")
def test_commands_know_the_language_and_the_engine(
    graph: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "MATCH (f:Ferry) RETURN count(*) AS n"
    to = ["translate", "--from", "cypher", "--to", "ask", "--graph", str(graph)]
    (line,) = answers(to, [query], monkeypatch, capsys)
    text = line["result"]["text"]
    assert text.startswith("ASK MATCH")
    back = ["translate", "--from", "ask", "--to", "gql", "--graph", str(graph)]
    (line,) = answers(back, [text], monkeypatch, capsys)
    assert line["result"]["text"].startswith("MATCH (f:Ferry)")
    check = ["check", "--language", "ask"]
    right, wrong = answers(check, [text, query], monkeypatch, capsys)
    assert right["diagnostics"] == []
    assert [found["code"] for found in wrong["diagnostics"]] == ["no-ask"]
    run = ["run", "--language", "ask", "--graph", str(graph)]
    (line,) = answers(run, [text], monkeypatch, capsys)
    assert line["result"]["rows"] == [[2]]


@pytest.mark.usefixtures("toys")
def test_a_corpus_ships_the_language_with_a_certificate_of_the_engine(tmp_path: Path) -> None:
    example = Path("data/sources/museum_loans")
    config = (ROOT / example / "corpus.toml").read_text()
    config = config.replace('["cypher", "gql"]', '["cypher", "ask"]')
    for file in (ROOT / example).iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "corpus.toml").write_text(
        config + '\n[certify]\nengines = ["grafeo", "oracle", "duckdb"]\n'
    )
    out = tmp_path / "corpus"
    build = ["build", str(tmp_path / "corpus.toml"), "--out", str(out), "--limit", "3", "--quiet"]
    assert main(build) == 0
    rows = [row for file in out.glob("data/*.parquet") for row in read_table(file).to_pylist()]
    assert rows
    for row in rows:
        assert row["queries"]["ask"].startswith("ASK ")
        assert any(c["engine"] == "oracle" and c["agrees"] for c in row["certificates"])
