"""What a build needs is asked before any work, and what a stopped one leaves is in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import ConfigError, LLMError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.reach import check_key

QUIET = Watch(quiet=True)
MODEL = '[author]\nkind = "llm"\nbase_url = "http://127.0.0.1:9"\nmodel = "m"\n'


def with_model(ferries: Path, more: str = "") -> Path:
    ferries.write_text(ferries.read_text(encoding="utf-8") + MODEL + more, encoding="utf-8")
    return ferries


def test_a_key_that_is_not_there_is_told_before_any_work(
    ferries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MY_MODEL_KEY", raising=False)
    config, out = load(with_model(ferries, 'api_key_env = "MY_MODEL_KEY"\n')), tmp_path / "out"
    with pytest.raises(ConfigError, match=r"author\.api_key_env: the variable MY_MODEL_KEY of"):
        run.build(config, out, QUIET)
    assert not out.exists()
    (tmp_path / "replies.jsonl").touch()
    check_key(config, tmp_path)  # what is recorded may be all
    monkeypatch.setenv("MY_MODEL_KEY", "k")
    check_key(config, out)


def test_a_stopped_build_says_what_it_cost(
    ferries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"

    def stopped(*_: Any) -> None:
        (out / ".work" / "replies.jsonl").touch()
        raise LLMError("The budget is spent.", "budget")

    monkeypatch.setattr(run, "_build_with", stopped)
    with pytest.raises(LLMError):
        run.build(load(with_model(ferries)), out, QUIET)
    assert json.loads((out / ".work" / "costs.json").read_text()) == {}


def test_what_killed_builds_left_is_gone_before_the_next_works(
    ferries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    part = tmp_path / "out" / ".work" / f".ferries.spool.{gone.pid}.part"

    def begins(*_: Any) -> None:
        assert not part.exists()
        raise KeyboardInterrupt

    part.parent.mkdir(parents=True)
    part.write_text("half")
    monkeypatch.setattr(run, "_build_with", begins)
    with pytest.raises(KeyboardInterrupt):
        run.build(load(ferries), tmp_path / "out", QUIET)
