"""No text that graphmill quotes commands a terminal, or passes for a message of its own."""

from __future__ import annotations

import argparse
import ast
import io
import json
import warnings
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.house import ROOT
from graphmill.errors import ConfigError
from pipelines.cli import commands
from pipelines.cli.commands import main
from pipelines.cli.options import Command
from pipelines.configuration.progress import Watch

FORGED = "a\ngraphmill: forged\x1b[31m\x1b]0;own\x07\u202e\u2028graphmill: forged\x85\r"
CONFIG = """
[corpus]
name = "a"
[[source]]
kind = "relational"
url = {url}
domain = "a"
subdomain = "b"
pairs = {url}
"""


def refused(text: str) -> list[str]:
    """Lines that no message may have."""
    return [
        line
        for line in text.split("\n")
        if not line.replace("\t", " ").isprintable() or line.startswith("graphmill: forged")
    ]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a graph with such labels, types, properties and values."""
    node = {"labels": [f"Lamp{FORGED}"], f"p{FORGED}": FORGED}
    link = {"type": f"KNOWS{FORGED}", f"w{FORGED}": 3}
    nodes = [{"id": name, **node} for name in ("a", "b")]
    value = {"directed": True, "multigraph": True, "nodes": nodes}
    value["links"] = [{"source": "a", "target": "b", **link}]
    path = tmp_path_factory.mktemp("graph") / "m.json"
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["convert", FORGED, "--out", "g"],
        ["convert", "m.json", "--out", "g", f"--{FORGED}"],
        ["convert", "m.json", "--out", "g", FORGED],
        ["lexicon", "--graph", FORGED],
        ["build", FORGED],
        ["build", "c.toml"],
        ["verify", FORGED],
        ["translate", "--from", "cypher", "--to", FORGED],
        [FORGED],
    ],
    ids=lambda arguments: " ".join(arguments).partition("\n")[0],
)
def test_what_is_typed_or_configured_is_told_escaped(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text(CONFIG.format(url=json.dumps(f"sqlite:///{FORGED}*")))
    assert _status(arguments) in (1, 2)
    printed = capsys.readouterr().err
    assert refused(printed) == []
    assert "forged" in printed


def _status(arguments: list[str]) -> object:
    try:
        return main(arguments)
    except SystemExit as ended:  # of argparse
        return ended.code


def test_names_of_a_graph_are_told_escaped(
    graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "g")
    assert main(["convert", str(graph), "--out", folder]) == 0
    for arguments in (
        ["lexicon", "--graph", folder],
        ["lexicon", "--graph", folder, "--check"],
        ["schema", "--to", "neo4j", "--graph", folder, "--out", str(tmp_path / "neo4j")],
    ):
        assert main(arguments) == 0
        printed = capsys.readouterr()
        assert refused(printed.err) == []
        assert all(json.loads(line) for line in printed.out.split("\n") if line)
    words = tmp_path / "g" / "lexicon.toml"
    words.write_text(words.read_text().replace("sure =", "sre =").replace("along =", "alon ="))
    assert main(["lexicon", "--graph", folder]) == 1
    assert refused(capsys.readouterr().err) == []


def test_warnings_and_tracebacks_are_told_escaped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: argparse.Namespace) -> int:
        raise ConfigError(FORGED)

    command = Command(lambda sub: None, run, "text", "")
    monkeypatch.setitem(commands.COMMANDS, "init", command)
    assert main(["init"]) == 1
    shown = warnings.formatwarning(FORGED, RuntimeWarning, "a.py", 1, "")
    assert "forged" in capsys.readouterr().err
    commands._clean_traceback(ConfigError, ConfigError(FORGED), None)
    for text in (shown, capsys.readouterr().err):
        assert not {"\x1b", "\u202e"} & {*text}


@pytest.mark.parametrize("terminal", [True, False])
def test_notes_and_stages_are_told_escaped(terminal: bool) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=120, soft_wrap=True)
    watch = Watch(console=console)
    watch.note(FORGED)
    watch.warn(FORGED)
    with watch.stage(FORGED, 1) as tick:
        tick()
    text = screen.getvalue()
    assert "]0;own" in text
    assert "\x1b]0;own" not in text
    assert "\u202e" not in text
    assert not any(line.startswith("graphmill: forged") for line in text.splitlines())


def test_json_lines_are_as_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    screen = io.StringIO()
    Watch(console=Console(file=screen), log_format="json").note(FORGED)
    assert json.loads(screen.getvalue())["text"] == FORGED


def test_messages_leave_in_one_place() -> None:
    """What writes to standard error itself is not held to any of this."""
    packages = ("pipelines", "engines", "generators", "evaluation", "schemagraph", "translators")
    writers = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        if "stderr.write" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "sys.stderr.write"
        and not ast.unparse(node).startswith("sys.stderr.write(plain(")
    ]
    assert writers == []
