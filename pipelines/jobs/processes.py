"""Units in processes of this machine, which may die, hang or run out of memory one by one.

Each worker has a thread here that gives it units and watches it. A worker is a process in a
session of its own (`pipelines.jobs.worker`), so that Ctrl-C reaches the coordinator alone, which
ends them all; a worker whose coordinator is gone ends itself.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic

from engines.deaths import oom_kills
from graphmill.processes import module_path
from pipelines.jobs.executor import Stopped, WorkerLost
from pipelines.jobs.frames import Ended, Frames, write_frame
from pipelines.jobs.memory import resident_mb
from pipelines.jobs.units import CallUnit, Done, Unit

SILENCE = 60.0  # seconds without a sign of life from which a worker counts as hung
UNIT_SECONDS = 1800.0  # that a unit may take; its own limits are much shorter
MEMORY_MB = 12_288  # of a worker with its engines
LOOK = 1.0  # seconds between two looks at a worker's memory
GROWTH_MB = 768  # of a worker without its engines, beyond what it had after its first unit
GOODBYE = 10.0  # seconds in which a worker closes what it has open
START = 120.0  # seconds that a start may take
LATER = 5.0  # seconds that units wait before one more worker starts for them: what its start costs


@dataclass
class _Task:
    unit: Unit
    future: Future[Done] = field(default_factory=Future)
    since: float = field(default_factory=monotonic)


class Processes:
    """`jobs` worker processes, each with its own engines. `hidden` are names of variables of the
    environment that workers do not get; limits are in seconds and megabytes a worker.

    Beside the first, a worker starts only for units that have waited for `later` seconds: little
    work is done sooner, and for less, by those that run."""

    kind = "processes"
    remote = False

    def __init__(
        self,
        jobs: int,
        *,
        hidden: tuple[str, ...] = (),
        unit_seconds: float = UNIT_SECONDS,
        memory_mb: int = MEMORY_MB,
        silence: float = SILENCE,
        later: float = LATER,
    ) -> None:
        self.jobs = jobs
        self.lost = 0
        self._limits = unit_seconds, memory_mb, silence
        self._hidden = hidden
        self._later = later
        self._waiting: list[_Task] = []
        self._changed = threading.Condition()
        self._closed = False
        self._places: dict[int, list[str]] = {number: [] for number in range(jobs)}
        self._busy: set[int] = set()
        self._workers: dict[int, _Worker] = {}
        self._threads = [
            threading.Thread(
                target=self._serve, args=(number,), daemon=True, name=f"worker {number}"
            )
            for number in range(jobs)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, unit: Unit) -> Future[Done]:
        """Let the next free worker do a unit, if one can be had that has its database open."""
        task = _Task(unit)
        with self._changed:
            if self._closed:
                task.future.set_exception(Stopped("The build was stopped."))
                return task.future
            self._waiting.append(task)
            self._changed.notify_all()
        return task.future

    def call[T](self, function: Callable[..., T], *arguments: object, label: str) -> Future[Done]:
        """Call a function in a worker."""
        return self.submit(CallUnit(function, arguments, label))

    def pids(self) -> list[int]:
        """The processes of the workers that run."""
        return [worker.process.pid for worker in list(self._workers.values())]

    def close(self) -> None:
        """Kill all workers; units that wait or run are stopped."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            self._changed.notify_all()
        for task in waiting:
            task.future.set_exception(Stopped("The build was stopped."))
        for worker in list(self._workers.values()):
            worker.kill()
        for thread in self._threads:
            thread.join(5.0)

    def _serve(self, number: int) -> None:
        """Give one worker its units, for as long as there are any."""
        while True:
            task = self._next(number)
            if task is None:
                break
            try:
                done = self._do(number, task.unit)
            except BaseException as problem:  # noqa: BLE001 - it is raised where it is waited for
                if isinstance(problem, WorkerLost):
                    self.lost += 1
                if self._closed:
                    problem = Stopped("The build was stopped.")
                task.future.set_exception(problem)
            else:
                task.future.set_result(done)
            finally:
                with self._changed:
                    self._busy.discard(number)
                    self._changed.notify_all()
        worker = self._workers.pop(number, None)
        if worker is not None:
            worker.kill()

    def _next(self, number: int) -> _Task | None:
        with self._changed:
            while not self._closed:
                task = self._choice(number)
                if task is not None:
                    self._waiting.remove(task)
                    self._busy.add(number)
                    place = task.unit.place
                    if place:
                        mine = [each for each in self._places[number] if each != place]
                        self._places[number] = [*mine, place][-2:]
                    return task
                self._changed.wait(self._later / 4 if self._waiting and self._later else None)
        return None

    def _choice(self, number: int) -> _Task | None:
        """What this worker does next: what its open databases wait for, then what no worker has
        open, then what others have too much of."""
        if number not in self._workers and (self._workers or self._busy):
            oldest = min((task.since for task in self._waiting), default=monotonic())
            if monotonic() - oldest < self._later:
                return None
        mine = set(self._places[number])
        theirs = {
            name for other, names in self._places.items() if other != number for name in names
        }
        counts: dict[str, int] = {}
        for task in self._waiting:
            if not task.unit.place or task.unit.place in mine:
                return task
            counts[task.unit.place] = counts.get(task.unit.place, 0) + 1
        for task in self._waiting:
            if task.unit.place not in theirs:
                return task
        for task in self._waiting:
            owners = {n for n, names in self._places.items() if task.unit.place in names}
            if counts[task.unit.place] > 1 or not owners & self._busy:
                if owners - self._busy - {number} and counts[task.unit.place] == 1:
                    continue  # an idle worker that has it open takes it
                return task
        return None

    def _do(self, number: int, unit: Unit) -> Done:
        worker = self._workers.get(number)
        if worker is None or not worker.alive():
            if worker is not None:
                worker.kill()
            self._places[number] = [unit.place] if unit.place else []
            worker = self._workers[number] = _Worker(number, self._hidden)
            if self._closed:
                worker.kill()
        try:
            done = worker.do(unit, *self._limits)
        except WorkerLost:
            self._end(number, worker)
            raise
        if worker.has_grown(done):
            worker.retire()
            self._end(number, worker)
        return done

    def _end(self, number: int, worker: _Worker) -> None:
        worker.kill()
        self._workers.pop(number, None)
        self._places[number] = []


class _Worker:
    """One process, with its pipes."""

    def __init__(self, number: int, hidden: tuple[str, ...]) -> None:
        environment = {k: v for k, v in os.environ.items() if k not in hidden}
        environment["PYTHONPATH"] = module_path()
        self.number = number
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self.kills = oom_kills()
        self._first_mb = 0.0
        command = [sys.executable, "-m", "pipelines.jobs.worker", str(os.getpid()), str(number)]
        self.process = subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )
        if self.process.stdin is None or self.process.stdout is None:
            raise WorkerLost("A worker has no pipes.", "worker-died")
        self.requests = self.process.stdin
        self.answers = self.process.stdout
        self.frames = Frames(self.answers.fileno())

    def alive(self) -> bool:
        return self.process.poll() is None

    def do(self, unit: Unit, seconds: float, memory_mb: int, silence: float) -> Done:
        """Send a unit and wait for what it brings.

        Raises:
            WorkerLost: the process died, hangs, or has more memory than it may.
            BaseException: whatever the unit raised.
        """
        ends, heard, looked = monotonic() + seconds, monotonic(), monotonic()
        try:
            write_frame(self.requests.fileno(), pickle.dumps(unit, pickle.HIGHEST_PROTOCOL))
            while True:
                frame = self.frames.next(LOOK)
                now = monotonic()
                if frame == b"":
                    heard = now
                elif frame is not None:
                    ok, value = pickle.loads(frame)  # noqa: S301 - of a process that we started
                    if ok:
                        assert isinstance(value, Done)  # noqa: S101
                        return value
                    raise value
                if now > ends:
                    text = f"{unit.label}: its worker was stopped after {seconds:g} s."
                    raise WorkerLost(text, "worker-hung")
                if now > heard + silence:
                    text = f"{unit.label}: its worker gave no sign of life for {silence:g} s."
                    raise WorkerLost(text, "worker-hung")
                if now > looked + LOOK:
                    looked = now
                    if memory_mb and resident_mb(self.process.pid) > memory_mb:
                        text = f"{unit.label}: its worker had more than {memory_mb} MB."
                        raise WorkerLost(text, "worker-out-of-memory")
        except (Ended, OSError) as problem:
            raise self._death(unit) from problem

    def has_grown(self, done: Done) -> bool:
        """Whether the memory of many databases has stayed with it: what libraries for columns keep
        for reuse is not given back."""
        self._first_mb = self._first_mb or done.own_mb
        return done.own_mb > self._first_mb + GROWTH_MB

    def retire(self) -> None:
        """Let it close its databases and engines, and end."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            write_frame(self.requests.fileno(), pickle.dumps(None))
            self.process.wait(GOODBYE)

    def _death(self, unit: Unit) -> WorkerLost:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5.0)
        status = self.process.poll()
        kills = oom_kills()
        if status == -signal.SIGKILL and None not in (kills, self.kills) and kills != self.kills:
            text = f"{unit.label}: the system killed its worker because memory had ended."
            return WorkerLost(text, "worker-out-of-memory")
        code, by = "worker-died", f"exit {status}"
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):
                by = signal.Signals(-status).name
            if -status in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                code = "worker-killed"
        self.errors.seek(0)
        lines = self.errors.read()[-2000:].decode(errors="replace").strip().splitlines()
        last = f": {lines[-1]}" if lines else ""
        return WorkerLost(f"{unit.label}: its worker died ({by}){last}.", code)

    def kill(self) -> None:
        """End the process group now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5.0)
        for pipe in (self.requests, self.answers, self.errors):
            with contextlib.suppress(OSError, ValueError):
                pipe.close()
