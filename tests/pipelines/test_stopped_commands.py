"""Commands that are stopped or that memory ends for: one sentence and a status, no traceback."""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.files import read_rows
from pipelines import cli
from pipelines.cli import commands, lines
from pipelines.cli.options import Command
from schemagraph.folder.graphdata import batches


def _command(run: Callable[[argparse.Namespace], int]) -> Command:
    return Command(lambda _: None, run, "test", "graphmill completion")


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], int]:
    """What runs `graphmill init` where it does something else."""

    def run(act: Callable[[], object]) -> int:
        def acting(_: argparse.Namespace) -> int:
            act()
            return 0

        monkeypatch.setitem(commands.COMMANDS, "init", _command(acting))
        return cli.main(["init"])

    return run


def _raising(problem: BaseException) -> Callable[[], object]:
    def act() -> object:
        raise problem

    return act


WANTS = [
    MemoryError(),
    ImportError("libarrow.so.2600: failed to map segment from shared object"),
    duckdb.OutOfMemoryException("Out of Memory Error: Allocation failure"),
    pa.ArrowMemoryError("malloc of size 64 failed"),
    pa.ArrowException("Unknown error: Failed to launch worker thread: Resource unavailable"),
    RuntimeError("can't start new thread"),
    OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
]


@pytest.mark.parametrize("problem", WANTS, ids=lambda problem: type(problem).__name__)
def test_too_little_memory_is_a_sentence(
    problem: Exception,
    replaced: Callable[[Callable[[], object]], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert replaced(_raising(problem)) == 1
    said = capsys.readouterr().err
    assert said.startswith("graphmill: There is too little memory (")
    assert said.count("\n") == 1
    result = lines.attempted(_raising(problem))  # type: ignore[arg-type]
    assert result["error"]["kind"] == "memory"
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (OSError(errno.EROFS, "Read-only file system", "mnt/x"), "mnt/x: Read-only file system."),
        (shutil.Error([("a", "b", "No space left")]), "No space left."),
        (OSError(errno.EIO, "I/O error"), "I/O error. `--debug` shows what was done."),
    ],
)
def test_what_the_system_refuses_is_a_sentence(
    problem: OSError,
    says: str,
    replaced: Callable[[Callable[[], object]], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert replaced(_raising(problem)) == 1
    assert capsys.readouterr().err == f"graphmill: {says}\n"


def test_modules_that_memory_does_not_suffice_for_are_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def importing(name: str) -> object:
        raise ImportError(f"{name}.so: failed to map segment from shared object")

    monkeypatch.setattr(cli, "import_module", importing)
    assert cli.main(["init"]) == 1
    assert capsys.readouterr().err.startswith("graphmill: There is too little memory (")


def test_other_errors_keep_their_traceback(
    replaced: Callable[[Callable[[], object]], int],
) -> None:
    with pytest.raises(ImportError, match="No module"):
        replaced(_raising(ImportError("No module named 'x'")))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_a_library_makes_of_an_interrupt_is_a_stop(
    number: signal.Signals,
    replaced: Callable[[Callable[[], object]], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """DuckDB takes the interrupt for itself and says that its query ended."""

    def act() -> None:
        try:
            os.kill(os.getpid(), number)
        except KeyboardInterrupt:
            raise RuntimeError("Query interrupted") from None

    assert replaced(act) == 128 + number
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "graphmill: stopped; what is finished is kept."
    assert not any("Traceback" in line for line in said)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_in_a_destructor_is_not_lost(
    number: signal.Signals,
    replaced: Callable[[Callable[[], object]], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Python ignores what is raised there, and would print its traceback and go on."""

    class Ending:
        def __del__(self) -> None:
            os.kill(os.getpid(), number)
            for _ in range(1000):
                pass

    def act() -> None:
        Ending()
        for _ in range(200):
            time.sleep(0.05)
        raise AssertionError("it went on")

    assert replaced(act) == 128 + number
    assert capsys.readouterr().err.splitlines() == [
        f"graphmill: stopping; {'Ctrl-C' if number == signal.SIGINT else 'SIGTERM'} again ends "
        "at once.",
        "graphmill: stopped; what is finished is kept.",
    ]


def test_a_file_that_memory_does_not_suffice_for_is_not_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pa.table({"a": [1]})
    pq.write_table(table, tmp_path / "a.parquet")

    def reading(*_: object, **__: object) -> object:
        raise pa.ArrowException("Unknown error: Failed to launch worker thread")

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", reading)
    with pytest.raises(pa.ArrowException):
        list(batches(tmp_path / "a.parquet", table.schema))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", reading)
    with pytest.raises(pa.ArrowException):
        list(read_rows(tmp_path / "a.parquet"))
