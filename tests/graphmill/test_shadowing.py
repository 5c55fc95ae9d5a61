"""A file with the name of one of our packages, in front of it on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphmill.shadowing import PACKAGES, sentence, shadows

COMMANDS = [
    [sys.executable, "-m", "graphmill", "--version"],
    [str(Path(sys.executable).parent / "graphmill"), "--version"],
]


def started(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, check=False
    )


def test_nothing_hides_our_packages_here() -> None:
    assert shadows() == []


@pytest.mark.parametrize("name", PACKAGES)
def test_a_file_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text("")
    done = started([sys.executable, "-c", "import graphmill"], tmp_path)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("graphmill.errors.ShadowedError: graphmill cannot work: ")
    assert f"{tmp_path / name}.py hides its package '{name}'" in last


def test_a_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "qa").mkdir()
    (tmp_path / "qa" / "__init__.py").write_text("")
    done = started([sys.executable, "-c", "import graphmill"], tmp_path)
    assert f"{tmp_path / 'qa' / '__init__.py'} hides its package 'qa'" in done.stderr


def test_a_module_that_is_loaded_already_is_named() -> None:
    program = "import sys, types\nsys.modules['qa'] = types.ModuleType('qa')\nimport graphmill"
    done = started([sys.executable, "-c", program], Path(__file__).parents[2])
    assert "a module made in this program hides its package 'qa'" in done.stderr


def test_a_folder_without_a_module_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "mine.py").write_text("")
    assert started([sys.executable, "-c", "import graphmill"], tmp_path).returncode == 0


@pytest.mark.parametrize("command", COMMANDS, ids=["module", "script"])
def test_the_commands_say_it_in_one_sentence(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "engines.py").write_text("")
    done = started(command, tmp_path)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("graphmill: graphmill cannot work: ")
    assert "engines.py hides its package 'engines'" in line


def test_what_is_not_there_is_named() -> None:
    assert sentence([("qa", "")]) == (
        "graphmill cannot work: its package 'qa' is not installed; install graphmill again."
    )
