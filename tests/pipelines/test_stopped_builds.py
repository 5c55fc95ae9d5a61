"""What a build needs is asked before any work, and what a stopped one leaves is in order."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import ConfigError, GraphmillError, LLMError
from pipelines import run
from pipelines.claim import claimed
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.reach import check_key
from pipelines.configuration.store import Store
from pipelines.jobs.executor import InProcess
from pipelines.prepare import prepare
from pipelines.release.earlier import Earlier
from pipelines.release.folder import release, split_file
from pipelines.release.lock import LOCK, lay_aside, load_lock, write_lock
from tests.pipelines.pages.corpora import record, write_corpus

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


def _stopped() -> Iterator[str]:
    raise KeyboardInterrupt
    yield ""


def _in_release(config: Any, out: Path, ledger: str) -> None:
    (out / "rejects.jsonl").unlink()
    release(config, out, [], _stopped(), [ledger], {})  # type: ignore[arg-type]


STOPS: dict[str, tuple[bool, Callable[[Any, Path], object]]] = {
    "before the release": (True, lambda config, out: next(_stopped())),
    "with the first file": (True, lambda config, out: release(config, out, [], [], _stopped(), {})),
    "with other files": (False, lambda config, out: _in_release(config, out, '{"code": "c"}\n')),
    "with the same files": (True, lambda config, out: _in_release(config, out, "")),
    "without a pair": (False, lambda config, out: release(config, out, [], [], ["{}\n"], {})),
    "with a new source": (False, lambda config, out: split_file(out, "test").write_bytes(b"new")),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_release_that_is_replaced_in_part_is_no_finished_corpus(
    ferries: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stop: str,
) -> None:
    """The old lock stood beside new files, and nobody said so."""
    out = write_corpus(tmp_path / "out", [record(n) for n in range(3)], name="ferries", pages=False)
    (out / ".work").mkdir()
    is_whole, act = STOPS[stop]

    def stopped(_: Any, config: Any, out: Path, *rest: Any) -> None:
        act(config, out)
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "_build_with", stopped)
    for _ in range(2):  # a second stop changes nothing
        with pytest.raises((KeyboardInterrupt, GraphmillError)):
            run.build(load(ferries), out, Watch(quiet=True))
        assert (out / LOCK).exists() is is_whole
        told = f"The release in {out} is replaced in part"
        assert (told.lower() in capsys.readouterr().err.lower()) is not is_whole
    if not is_whole:
        with pytest.raises(GraphmillError, match=r"no finished corpus: .* or was stopped at that"):
            load_lock(out)


def test_a_stopped_build_goes_on_from_the_release_that_it_replaces(tmp_path: Path) -> None:
    out = write_corpus(tmp_path / "out", [record(n) for n in range(3)], pages=False)
    work = out / ".work"
    work.mkdir()
    before = Earlier.of(out, work)
    lay_aside(out)
    split_file(out, "train").write_bytes(b"new")
    assert Earlier.of(out, work) == before


def test_what_was_damaged_before_is_not_replaced_by_a_build_that_stops(
    ferries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that could not go on took the release apart, whose files it had not touched."""
    out = write_corpus(tmp_path / "out", [record(n) for n in range(3)], name="ferries", pages=False)
    (out / ".work").mkdir()
    (out / "rejects.jsonl").write_text("edited")
    monkeypatch.setattr(run, "_build_with", lambda *_: next(_stopped()))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run.build(load(ferries), out, QUIET)
        assert (out / LOCK).exists()


def _folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()
    (path / "file").touch()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _file(path: Path) -> None:
    shutil.rmtree(path)
    path.touch()


type Harm = Callable[[Path], None]


def _of(name: str, harm: Harm) -> Harm:
    return lambda graph: harm(graph / name)


JSON = ("manifest.json", "schema.json", "mapping.json")
RUINS: dict[str, Harm] = {
    **{f"no {name}": _of(name, Path.unlink) for name in JSON},
    **{f"{name} a folder": _of(name, _folder) for name in JSON},
    **{f"{name} a pipe": _of(name, _pipe) for name in JSON},
    "nodes a file": _of("nodes", _file),
    "a file": _file,
}


@pytest.mark.parametrize(
    ("ruin", "locked"),
    [*((ruin, True) for ruin in RUINS), *((f"no {name}", False) for name in JSON)],
)
def test_what_is_left_of_a_graph_is_made_anew(
    ferries: Path, tmp_path: Path, ruin: str, locked: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """It was told that it is made anew, and refused because it was no graph."""
    config, out = load(ferries), tmp_path / "out"

    def prepared() -> str:
        with claimed(config, out, lambda _: None):
            store = Store(out / ".work", lambda _: None)
            made = prepare(config, config.source[0], out, store, Watch(quiet=True), InProcess())
        return made.fingerprint

    fingerprint = prepared()
    graph = out / "graphs" / "ferries"
    if locked:
        write_lock(out, {"graphs": {"ferries": {"fingerprint": fingerprint}}})
    RUINS[ruin](graph)
    capfd.readouterr()
    is_ours = locked or (graph / "manifest.json").is_file()
    if is_ours:
        assert prepared() == fingerprint
        assert "graphs/ferries is damaged" in capfd.readouterr().err
        assert (graph / "schema.json").is_file()
    else:
        left = sorted(path.name for path in graph.rglob("*"))
        with pytest.raises(GraphmillError, match="is no graph, so it is not replaced"):
            prepared()
        assert sorted(path.name for path in graph.rglob("*")) == left


OBSTACLES: dict[str, Callable[[Path], object]] = {
    **{
        name: lambda path: _folder(path)
        for name in (
            *("README.md", "report.html", "funnel.json", "rejects.jsonl", "nearest.jsonl", LOCK),
            *("data/test-00000-of-00001.parquet", "figures/schema-1.svg", "figures/other.svg"),
            "unanswerable/test-00000-of-00001.parquet",
        )
    },
    **dict.fromkeys(("data", "graphs", "sources", "figures", "unanswerable"), Path.touch),
}


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", OBSTACLES)
def test_what_cannot_be_replaced_is_refused_before_any_work(
    ferries: Path, tmp_path: Path, name: str, replace: bool
) -> None:
    out = tmp_path / "out"
    (out / ".work").mkdir(parents=True)
    (out / name).parent.mkdir(exist_ok=True)
    OBSTACLES[name](out / name)
    before = sorted(out.rglob("*"))
    with pytest.raises(ConfigError, match=rf"{out / name} is a f\w+, where a .* Move it elsewhere"):
        run.build(load(ferries), out, QUIET, replace=replace)
    assert sorted(out.rglob("*")) == before
