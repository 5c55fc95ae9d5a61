"""A corpus's folder belongs to one corpus and to one build at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmill.errors import ConfigError, GraphmillError
from pipelines.claim import claimed, writable
from pipelines.cli.commands import main
from pipelines.configuration.config import load
from pipelines.configuration.lock import held

pytestmark = pytest.mark.slow

HOLD = """
import subprocess, sys, time, os
from pathlib import Path
from pipelines.configuration.lock import held

with held(Path(sys.argv[1])):
    if os.fork() == 0:  # a worker that outlives its coordinator
        time.sleep(20)
        os._exit(0)
    sleep = [sys.executable, "-c", "import time; time.sleep(20)"]
    worker = subprocess.Popen(sleep, close_fds=False)
    print(os.getpid(), worker.pid, flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_told_of_the_first_and_a_killed_one_holds_nothing(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as process:
        try:
            assert process.stdout is not None
            pid, _ = map(int, process.stdout.readline().split())
            with (
                pytest.raises(GraphmillError, match=f"process {pid} on .*, since 20"),
                held(tmp_path),
            ):
                pass
            os.kill(pid, signal.SIGKILL)
            process.wait()
            with held(tmp_path):  # though its workers live
                assert json.loads((tmp_path / "lock").read_text())["pid"] == os.getpid()
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert (tmp_path / "lock").read_text() == ""


def test_one_process_holds_a_folder_once(tmp_path: Path) -> None:
    with (
        held(tmp_path),
        pytest.raises(GraphmillError, match=f"process {os.getpid()} "),
        held(tmp_path),
    ):
        pass
    with held(tmp_path):
        pass


def build(config: Path, out: Path, *options: str) -> int:
    return main(["build", str(config), "--out", str(out), "--limit", "3", "--quiet", *options])


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_another_name_is_refused_and_replace_leaves_nothing_of_the_old(
    ferries: Path, lakes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, alone = tmp_path / "out", tmp_path / "alone"
    assert build(ferries, out) == 0
    assert build(lakes, alone) == 0
    before = files(out)
    capsys.readouterr()
    assert build(lakes, out) == 1
    assert "holds the corpus 'ferries'" in capsys.readouterr().err
    assert files(out) == before
    for foreign in ("notes.md", "data/mine.csv", "graphs/ferries/notes.txt", "graphs/x/y.parquet"):
        (out / foreign).parent.mkdir(exist_ok=True)
        (out / foreign).write_text("mine")
    assert build(lakes, out, "--replace") == 0
    assert files(out) - files(alone) == {
        "notes.md",
        "data/mine.csv",
        "graphs/ferries/notes.txt",
        "graphs/x/y.parquet",
    }
    assert files(alone) <= files(out)
    for name in ("corpus.lock", "rejects.jsonl", "README.md"):
        assert (out / name).read_bytes() == (alone / name).read_bytes()


def test_a_name_is_kept_of_a_build_that_did_not_end(
    ferries: Path, lakes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert build(ferries, out) == 0
    (out / "corpus.lock").unlink()
    assert build(lakes, out) == 1
    (out / ".work" / "corpus.json").write_text("{torn")  # now nothing says whose it was
    assert build(ferries, out) == 0


def test_an_edited_configuration_of_the_name_goes_on(ferries: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert build(ferries, out) == 0
    text = ferries.read_text(encoding="utf-8")
    ferries.write_text(text.replace('also = ["ngql"]', ""), encoding="utf-8")
    assert build(ferries, out) == 0


@pytest.mark.parametrize("there", ["notes.txt", ".work/notes.txt", "README.md"])
def test_a_folder_that_is_no_corpus_is_never_touched(
    there: str, ferries: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (out / there).parent.mkdir(parents=True)
    (out / there).write_text("mine")
    for options in ((), ("--replace",)):
        assert build(ferries, out, *options) == 1
        assert files(out) == {there}
        assert (out / there).read_text() == "mine"


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("to", ["folder", "nothing"])
@pytest.mark.parametrize(
    "name",
    [
        *("data", "graphs", "sources", "figures", "masked", "graphs/shop", "graphs/shop/nodes"),
        *(".work/lock", ".work/replies.jsonl", ".work/.replies.jsonl.count"),
    ],
)
def test_a_link_where_a_build_writes_is_refused(
    name: str, to: str, replace: bool, ferries: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for folder in (out / name).parent, out / ".work", tmp_path / "folder":
        folder.mkdir(parents=True, exist_ok=True)
    (out / name).symlink_to(tmp_path / to)
    with (
        pytest.raises(ConfigError, match=f"{out / name} is a link to .*Put what it leads to"),
        claimed(load(ferries), out, lambda text: None, replace=replace),
    ):
        pass
    assert not any((tmp_path / "folder").iterdir())
    assert not (tmp_path / "nothing").exists()


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "work" / "lock").symlink_to(tmp_path / "mine")
    with pytest.raises(GraphmillError, match="work/lock"), held(tmp_path / "work"):
        pass
    assert (tmp_path / "mine").read_text() == "mine"


def test_two_builds_of_one_folder_do_not_run_at_once(ferries: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert build(ferries, out) == 0
    before = files(out)
    with held(out / ".work"):
        assert build(ferries, out) == 1
    assert files(out) == before


def _with_a_diary(work: Path) -> None:
    work.mkdir()
    (work / "diary.txt").touch()


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file": (
        lambda work: work.write_text("x"),
        "{work} is a file, where the folder of a build's finished work belongs. Put an empty",
    ),
    "a link": (lambda work: work.symlink_to("/nowhere/at/all"), "{work} is a link, where the"),
    "foreign": (
        _with_a_diary,
        "{work} has diary.txt, which is no build's. Move it elsewhere, or give an empty folder",
    ),
    "missing": (
        lambda work: None,
        "{out} has a finished corpus, and no .work with a build's finished work. To build on, make",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_the_finished_work_is_named(name: str, tmp_path: Path) -> None:
    spoil, says = WRONG[name]
    out = tmp_path / "out"
    out.mkdir()
    (out / "corpus.lock").write_text("{}")
    work = out / ".work"
    spoil(work)
    with pytest.raises(ConfigError) as caught:
        writable(out)
    assert says.format(work=work, out=out) in str(caught.value)
    if work.is_dir():
        (work / "diary.txt").unlink()
    else:
        work.unlink(missing_ok=True)
        work.mkdir()
    assert writable(out) == out
