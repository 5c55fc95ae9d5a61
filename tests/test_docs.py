"""Documents that fail the build: README names every command, and each has help and a chapter."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from pipelines.cli.commands import COMMANDS, parser

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_documentation(name: str) -> None:
    assert f"| `graphmill {name}` |" in README
    assert f"\n## graphmill {name}\n" in (ROOT / "docs" / "commands.md").read_text()
    text = subprocess.run(
        [sys.executable, "-m", "pipelines.cli", name, "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout
    assert "example: graphmill" in text


def test_every_option_is_in_the_documentation() -> None:
    chapters = (ROOT / "docs" / "commands.md").read_text()
    actions = parser()._subparsers
    assert actions is not None
    for name, sub in actions._group_actions[0].choices.items():  # type: ignore[union-attr]
        chapter = chapters.split(f"\n## graphmill {name}\n")[1].split("\n## ")[0]
        for action in sub._actions:
            for option in action.option_strings:
                if option.startswith("--") and option != "--help":
                    assert f"`{option}" in chapter, f"{name} {option} is not documented"


def test_links_lead_somewhere() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_an_error_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    from pipelines.cli.commands import main

    assert main(["build", "nowhere.toml"]) == 1
    error = capsys.readouterr().err
    assert "graphmill: Cannot read the configuration nowhere.toml" in error
    assert "Traceback" not in error
    with pytest.raises(GraphmillError):
        main(["--debug", "build", "nowhere.toml"])


def test_generated_documents_are_current() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    for name, text in made["DOCUMENTS"].items():
        path = ROOT / "docs" / name
        assert path.read_text(encoding="utf-8") == text(), f"run: python docs/generate.py ({name})"


def test_every_code_that_the_sources_raise_is_listed() -> None:
    from translators.refusals import CODES

    raised = set()
    for path in [*ROOT.glob("translators/**/*.py"), *ROOT.glob("graph_ir/**/*.py")]:
        raised |= set(re.findall(r'\bRefused\(\s*"([\w-]+)"', path.read_text(encoding="utf-8")))
    assert raised
    assert raised <= set(CODES)


UNREACHABLE = {
    "empty-name": "the front end reads no empty name",
    "grouping-sets": "sqlglot reads no grouping sets in SQLite's dialect",
    "nesting": "its text would be too long for a table",
    "no-result": "the checker wants a RETURN before",
    "not-cypher": "met when nGQL is read back",
    "number": "the front end reads no infinity",
    "part": "parts have no text of their own",
    "read-back": "no text of ours is read back as another query",
    "repeated-edge": "the checker refuses it before",
    "scope": "the checker refuses it before",
    "text-too-long": "its text would be too long for a table",
    "several-rows": "reserved for dialects in which it is an error",
}
GENERIC = "unsupported"  # the languages here declare every node; a new one may show it


def test_every_refusal_code_has_an_example() -> None:
    from translators.refusals import CODES, OPEN

    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    shown = set(made["examples"]())
    assert set(CODES) - shown - {GENERIC} == set(UNREACHABLE), (
        "write a fixture that is refused with the code"
    )
    assert set(CODES) >= OPEN


def test_the_coverage_table_has_every_construct_and_function() -> None:
    from graph_ir.cypher.reader import parse
    from graph_ir.features import features
    from graph_ir.functions import signatures
    from tests.blocks import blocks

    folder = ROOT / "tests" / "translators"
    lines = (folder / "constructs.cypher").read_text("utf-8").splitlines()
    rows = [line.split(": ", 1)[1] for line in lines if line and not line.startswith("//")]
    shown = {name for row in rows for name in features(parse(row)).constructs}
    known = {name for name in signatures() if name != "exists"}
    assert {f"function-{name.lower()}" for name in known} <= shown | {
        name.replace("aggregate-", "function-") for name in shown
    }
    used = {
        name
        for block in blocks(folder / "cypher" / "identity.pairs")
        for name in features(parse(block.lines[0])).constructs
        if not name.startswith("function-apoc")
    }
    assert used <= shown
