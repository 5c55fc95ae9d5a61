"""What is no lock, manifest, configuration or reply is told without Python's own words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from graphmill.toml_lines import TomlError, parse_toml
from pipelines.release.lock import load_lock
from schemagraph.folder.manifest import MANIFEST, load_manifest

PYTHON = re.compile(r"\w+Error\(|object has no attribute|string conversion|recursion|argument")
DIGITS = "9" * 5_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "no JSON object"),
        ("5", "no JSON object"),
        ("{}", "version None"),
        ('{"version": 1}', "it has no 'tables'"),
        ('{"version": 1, "tables": [5]}', "its parts"),
        ('{"version": 1, "tables": [{"file": "a"}]}', "it has no 'columns'"),
        ('{"version": 1, "tables": [], "other": 1}', "its parts"),
        (f'{{"version": {DIGITS}}}', "too many digits"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_manifest_that_is_none(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(GraphmillError, match=re.escape(said)) as caught:
        load_manifest(tmp_path)
    assert not PYTHON.search(str(caught.value))


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        ([], "no JSON object"),
        ({"graphs": {}}, "it has no 'files'"),
        ({"files": {}}, "it has no 'graphs'"),
    ],
)
def test_a_lock_that_is_none(lock: object, said: str, tmp_path: Path) -> None:
    (tmp_path / "corpus.lock").write_text(json.dumps(lock))
    with pytest.raises(GraphmillError, match=re.escape(said)) as caught:
        load_lock(tmp_path)
    assert not PYTHON.search(str(caught.value))


def test_a_number_of_a_configuration_that_is_too_long() -> None:
    with pytest.raises(TomlError, match="not TOML: a number has too many digits") as caught:
        parse_toml(f"[corpus]\nseed = {DIGITS}\n")
    assert caught.value.line == 2
