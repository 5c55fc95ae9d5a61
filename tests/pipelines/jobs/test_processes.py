"""Workers in processes: the same bytes, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.proposals import Candidate
from pipelines.jobs.executor import InProcess, Stopped, WorkerLost
from pipelines.jobs.processes import Processes
from pipelines.jobs.units import CallUnit, Done, PlanUnit, Unit
from tests.pipelines.jobs.farms import released

pytestmark = pytest.mark.slow
QUIET = Watch(quiet=True)


def test_two_workers_make_the_same_bytes_whoever_is_killed(
    farms: Path, by_one: dict[str, str], tmp_path: Path
) -> None:
    made: list[Processes] = []

    def two() -> Processes:
        made.append(Processes(2, later=0))
        return made[0]

    over = threading.Event()

    def kill() -> None:
        for turn in range(3):
            while not over.wait(1.5):
                pids = made[0].pids() if made else []
                if len(pids) > turn % 2:
                    with suppress(ProcessLookupError):
                        os.kill(pids[turn % 2], signal.SIGKILL)
                    break

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        run.build(load(farms), tmp_path / "two", QUIET, executor=two)
    finally:
        over.set()
        killer.join()
    assert released(tmp_path / "two") == by_one
    summary = json.loads((tmp_path / "two/.work/summary.json").read_text())
    assert summary["jobs"] == 2
    by_worker = [worker["units"] for worker in summary["workers"].values()]
    assert len(by_worker) <= 2  # who is killed may have brought none
    assert sum(by_worker) == sum(kind["units"] for kind in summary["units"].values()) > 0


@contextmanager
def processes(**limits: Any) -> Iterator[Processes]:
    workers = Processes(1, **limits)
    try:
        yield workers
    finally:
        workers.close()


@pytest.mark.parametrize(
    ("function", "argument", "limits", "code"),
    [
        (os._exit, 3, {}, "worker-died"),
        (bytearray, 1 << 60, {}, "worker-out-of-memory"),
        (time.sleep, 60, {"unit_seconds": 0.5}, "worker-hung"),
        (time.sleep, 60, {"memory_mb": 8}, "worker-out-of-memory"),
        (signal.raise_signal, signal.SIGSTOP, {"silence": 3.0}, "worker-hung"),
    ],
)
def test_a_worker_that_is_lost_costs_its_unit_alone(
    function: Callable[..., Any], argument: int, limits: dict[str, Any], code: str
) -> None:
    with processes(**limits) as workers:
        lost = workers.submit(CallUnit(function, (argument,), "a bad unit"))
        with pytest.raises(WorkerLost, match="a bad unit") as raised:
            lost.result(timeout=60)
        assert raised.value.code == code
        workers._limits = (60.0, 0, 60.0)
        assert workers.submit(CallUnit(abs, (-5,), "a good unit")).result(timeout=60).value == 5


def test_a_worker_that_has_grown_gives_its_place_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pipelines.jobs.processes.GROWTH_MB", 48)
    grow = "import time; time.kept = b'x' * (96 << 20)"

    def pid(workers: Processes) -> int:
        answered: int = workers.submit(CallUnit(os.getpid, (), "a pid")).result(60).value
        return answered

    with processes() as workers:
        first = pid(workers)
        assert pid(workers) == first
        workers.submit(CallUnit(exec, (grow,), "grows")).result(60)
        second = pid(workers)
        assert second != first
        assert pid(workers) == second
        assert workers.lost == 0
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)


def test_little_work_starts_one_worker_alone() -> None:
    for later, started in ((60.0, 1), (0.0, 2)):
        workers = Processes(2, later=later)
        try:
            units = [workers.submit(CallUnit(time.sleep, (0.1,), "short")) for _ in range(4)]
            for unit in units:
                unit.result(timeout=60)
            assert len(workers.pids()) == started
        finally:
            workers.close()


def test_closing_stops_what_runs_and_what_waits() -> None:
    with processes() as workers:
        units = [workers.submit(CallUnit(time.sleep, (60,), "long")) for _ in range(2)]
        began = time.monotonic()
        workers.close()
        for unit in units:
            with pytest.raises(Stopped):
                unit.result(timeout=10)
        assert time.monotonic() - began < 10


class Poisoned(InProcess):
    """Loses every unit with one of the given pairs."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def submit(self, unit: Unit) -> Future[Done]:
        items = unit.items if isinstance(unit, PlanUnit) else ()
        if any(isinstance(item, Candidate) and "late" in item.question for item in items):
            self.sizes.append(len(items))
            future: Future[Done] = Future()
            future.set_exception(WorkerLost("The worker died.", "worker-died"))
            return future
        return super().submit(unit)


def test_an_item_that_kills_its_workers_goes_to_the_ledger_alone(
    farms: Path, tmp_path: Path
) -> None:
    config = load(farms)
    config = config.model_copy(
        update={
            "source": config.source[:1],
            "queries": config.queries.model_copy(update={"grow": False}),
        }
    )
    made: list[Poisoned] = []

    def poisoned() -> Poisoned:
        made.append(Poisoned())
        return made[0]

    funnel = run.build(config, tmp_path / "corpus", QUIET, executor=poisoned)
    assert made[0].sizes == [3, 3, 1, 1]  # once more, then alone, and once more
    lines = (tmp_path / "corpus/rejects.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    (lost,) = [row for row in rows if row["code"] == "worker-died"]
    assert (lost["stage"], lost["question"]) == ("work", "Who founded late?")
    assert funnel.stages["work"] == 2
    assert funnel.stages["released"] == 1
    # It is no finished work: the next build tries it again.
    again = run.build(config, tmp_path / "corpus", QUIET)
    assert again.stages["released"] == 2


def _descendants(pid: int) -> set[int]:
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        with suppress(OSError):
            for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
                mine = set(map(int, (task / "children").read_text().split())) - found
                found |= mine
                waiting += mine
    return found


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no /proc to see children in")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_children_end_with_the_coordinator(
    farms: Path, by_one: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "corpus"
    command = [sys.executable, "-m", "pipelines.cli", "build", str(farms), "--out", str(out)]
    with subprocess.Popen(
        [*command, "--jobs", "2", "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as build:
        children: set[int] = set()
        deadline = time.monotonic() + 120
        while len(children) < 4 and build.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)  # two workers, and engines of theirs
            children = _descendants(build.pid)
        assert len(children) >= 4
        build.send_signal(number)
        assert build.wait(timeout=10) == (130 if number is signal.SIGINT else -number)
        deadline = time.monotonic() + 8
        while any(map(_runs, children)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [pid for pid in children if _runs(pid)]
    if number is signal.SIGKILL:
        run.build(load(farms), out, QUIET)
        assert released(out) == by_one
