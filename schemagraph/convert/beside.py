"""Stage some tables of a source in a second process, beside the first: Python reads rows in one.

The second process runs `python -m schemagraph.convert.beside PID`, with that of the first, gets the
source and the tables' positions on standard input and gives the staged tables back on standard
output, pickled both ways.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from graphmill.errors import GraphmillError, SourceError
from graphmill.processes import leave_with, module_path
from schemagraph.relational import RelationalSource, Reopenable, Reopened
from schemagraph.staging.staging import StagedTable, stage

_LARGE = 5_000_000  # cells from where on a second process is worth its start


def stage_all(source: RelationalSource, folder: Path) -> list[StagedTable]:
    """Stage every table of the source under `folder`.

    Raises:
        SourceError: a table cannot be read.
    """
    folders = [folder / str(n) for n in range(len(source.tables))]
    here = list(range(len(folders)))
    again = source.again() if isinstance(source, Reopenable) else None
    there: list[int] = []
    if again is not None and (os.cpu_count() or 1) > 1:
        here, there = _halves(again.cells)
    if again is None or not there:
        return [stage(source, t, f) for t, f in zip(source.tables, folders, strict=True)]
    staged: dict[int, StagedTable] = {}
    with _Second(again, there, folder) as second:
        for n in here:
            staged[n] = stage(source, source.tables[n], folders[n])
        staged |= dict(zip(there, second.result(), strict=True))
    return [staged[n] for n in range(len(folders))]


def _halves(cells: Sequence[int]) -> tuple[list[int], list[int]]:
    """Positions for both processes, the second's empty where it would not pay."""
    loads: tuple[list[int], list[int]] = ([], [])
    sums = [0, 0]
    for n in sorted(range(len(cells)), key=lambda n: -cells[n]):
        side = 0 if sums[0] <= sums[1] else 1
        loads[side].append(n)
        sums[side] += cells[n]
    if min(sums) < _LARGE:
        return sorted(range(len(cells))), []
    return sorted(loads[0]), sorted(loads[1])


class _Second:
    """The second process, killed when the first leaves early."""

    def __init__(self, again: Reopened, positions: Sequence[int], folder: Path) -> None:
        code = [sys.executable, "-P", "-m", "schemagraph.convert.beside", str(os.getpid())]
        self._process = subprocess.Popen(  # noqa: S603 - our own module, no text of a user
            code,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": module_path()},
        )
        self._job = pickle.dumps((again, list(positions), folder))

    def __enter__(self) -> _Second:
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        self._process.stdin.write(self._job)
        self._process.stdin.close()
        self._process.stdin = None
        return self

    def __exit__(self, *exc: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def result(self) -> list[StagedTable]:
        """The staged tables, or the error that the second process met."""
        assert self._process.stdout is not None  # noqa: S101 - it is a pipe
        answer = self._process.stdout.read()
        if self._process.wait() or not answer:
            raise GraphmillError("The process that reads half of the tables has died.")
        staged: list[StagedTable] | SourceError = pickle.loads(answer)  # noqa: S301 - our own
        if isinstance(staged, SourceError):
            raise staged
        return staged


def _main() -> None:
    Thread(target=leave_with, args=(int(sys.argv[1]),), daemon=True).start()
    again: Reopened
    again, positions, folder = pickle.load(sys.stdin.buffer)  # noqa: S301 - our own
    answer: list[StagedTable] | SourceError
    try:
        source = again.open()
        try:
            answer = [stage(source, source.tables[n], folder / str(n)) for n in positions]
        finally:
            source.close()
    except SourceError as problem:
        answer = SourceError(str(problem))
    sys.stdout.buffer.write(pickle.dumps(answer))


if __name__ == "__main__":
    _main()
