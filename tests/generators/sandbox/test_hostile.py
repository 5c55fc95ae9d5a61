"""Hostile programs by the family: none of them gets through, as this user and as another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.hostile_programs import SIGNS, families, programs
from tests.generators.sandbox.interpreters import NOBODY, interpreter_for_all

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def through(*arguments: str) -> tuple[list[str], list[str]]:
    """The programs that were run, and what got through."""
    command = [sys.executable, "-m", "benchmarks.hostile_programs", *arguments]
    environment = {**os.environ, "GRAPHMILL_PROBE_SECRET": "1"}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, done.stderr
    wrong = [f"{line['program']}: {line['through']}" for line in lines if line["through"]]
    return [line["program"] for line in lines], wrong


@pytest.mark.parametrize("family", families())
def test_nothing_gets_through(family: str) -> None:
    names, wrong = through("--family", family)
    assert names == [hostile.name for hostile in programs(family)]
    assert wrong == []


@pytest.mark.parametrize("family", families())
def test_nothing_gets_through_of_a_user_without_rights(family: str) -> None:
    user = ("--user", str(NOBODY), "--interpreter", interpreter_for_all())
    names, wrong = through("--family", family, *user)
    assert names == [hostile.name for hostile in programs(family)]
    assert wrong == []


def test_the_programs_are_many_and_say_what_they_try() -> None:
    known = [hostile for family in families() for hostile in programs(family)]
    assert len(known) >= 100
    assert len({hostile.name for hostile in known}) == len(known)
    for hostile in known:
        assert hostile.tries
        assert hostile.through in SIGNS
        script = hostile.script.replace("$PID", "1").replace("$PORT", "1")
        compile(script, hostile.name, "exec")


@pytest.mark.parametrize("name", ["loopback", "endless sleep", "shared anonymous memory"])
def test_a_program_gets_through_where_nothing_stops_it(name: str) -> None:
    user = ("--user", str(NOBODY), "--interpreter", interpreter_for_all())
    _, wrong = through("--plain", "--name", name, *user)
    assert len(wrong) == 1
