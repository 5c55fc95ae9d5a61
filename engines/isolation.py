"""The worker process that every engine runs in: start, limits, kill, restart.

Engines have no query timeout that holds and abort the process when memory ends, so each lives
in a process of its own that can be killed. A query that runs into a limit, or that takes the
worker down, is an error of that query only: the next one gets a new worker with the graph loaded
again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import IO, Any, NoReturn, Self

from engines import ENGINES
from engines.base import AGAIN, MAX_ROWS, MEMORY, Engine, Needs, Result
from engines.deadline import left, processor_seconds
from engines.deaths import (
    DiedAtStart,
    DiedOfQuery,
    SystemOutOfMemory,
    cause_of_death,
    is_starved,
    lacks_room,
    oom_kills,
    over_cap,
    starved,
)
from engines.wire import Closed, Late, Message, Reader, encode, error_of, send
from graphmill.errors import (
    EngineError,
    EngineLost,
    EngineUnavailable,
    QueryError,
    QueryKilled,
    QueryTimeout,
    QueryTooLarge,
    SchemaError,
    SourceError,
)
from graphmill.messages import write_message
from graphmill.processes import module_path
from graphmill.registry import Registry
from schemagraph.folder.small import is_small
from schemagraph.folder.tables_check import check_loadable

MAX_BYTES = 256 << 20
START_LIMIT = 1200.0  # seconds; a first start may download an engine
EXIT_LIMIT = 5.0
PAGE = 1 << 20

# Variables without secrets that programs need to find their files and to write text.
HARMLESS = (
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
)


class IsolatedEngine:
    """One engine over one graph, in a worker process that starts with the first query.

    `memory_mb` caps what the worker needs beside its own code, the graph included; 0 is no cap.
    `options` go to the engine; `kinds` is where its name is looked up. Where `persists`, what a
    worker that somebody killed, or that died at its start, was to do is done by another, once; and
    always a query that took down a worker which had answered others, for what they left behind may
    be why it died. Safe to call from several
    threads; queries run one by one.
    """

    def __init__(
        self,
        name: str,
        graph: Path | None,
        memory_mb: int = 4096,
        *,
        max_rows: int = MAX_ROWS,
        max_bytes: int = MAX_BYTES,
        kinds: Registry[type[Engine]] = ENGINES,
        persists: bool = False,
        **options: Any,
    ) -> None:
        kind = kinds.get(name)
        self.name = name
        self._needs: Needs = getattr(kind, "needs", Needs())
        self._reloads = self._needs.reloads or bool(options.get("reloads"))
        self._persists = persists
        self._graph = graph
        self._memory = memory_mb
        self._open: Message = {
            "op": "open",
            "engine": name,
            "kinds": kinds.package,
            "folders": kinds.folders(),
            "options": options,
            "memory_mb": memory_mb,
            "max_rows": max_rows,
            "max_bytes": max_bytes,
        }
        self._lock = threading.RLock()
        self._worker: _Process | None = None
        self._loaded = False
        self._again = False
        self._broken: EngineUnavailable | None = None
        self._died = False  # before it could answer
        self._version: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def version(self) -> str:
        """The engine's own version.

        Raises:
            EngineUnavailable: it cannot be started.
            EngineLost: it persists, and somebody killed two workers.
        """
        with self._lock:
            if self._version is None:
                self._persistent(self._start)
            return self._version or ""

    def run(self, text: str, *, language: str, timeout: float = 30.0) -> Result:
        """Run one read query; the time for starting and loading does not count.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge, QueryKilled: this query; the next one can be
                run.
            EngineUnavailable: the engine cannot be started or cannot load the graph.
            EngineStarved: the machine lacks what the engine needs.
            EngineLost: it persists, and somebody killed two workers.
        """
        return self._persistent(lambda: self._run(text, language, timeout))

    def _persistent[T](self, work: Callable[[], T]) -> T:
        if not self._persists:
            try:
                return work()
            except QueryKilled as problem:
                raise QueryKilled(f"{problem} Run the query again.") from problem
        with contextlib.suppress(QueryKilled, DiedAtStart):
            return work()
        try:
            return work()
        except (QueryKilled, DiedAtStart) as problem:
            text = f"{problem} It happened twice. Run this again: what is finished is kept."
            raise EngineLost(text) from problem

    def _run(self, text: str, language: str, timeout: float) -> Result:
        with self._lock:
            self._load()
            request = {"op": "run", "text": text, "language": language, "timeout": timeout}
            limit = timeout + self._needs.grace
            try:
                answer = self._run_or_again(request, limit)
            except Late as problem:
                raise QueryTimeout(f"{self.name} was stopped after {timeout:g} s.") from problem
            except EngineError as problem:
                if is_starved(str(problem)) and not is_starved(text):
                    raise starved(f"{self.name} cannot run a query: {problem}") from problem
                raise
            rows = tuple(map(tuple, answer["rows"]))
            return Result(tuple(answer["columns"]), rows, answer.get("ms", 0.0))

    def _run_or_again(self, request: Message, limit: float) -> Message:
        worked = self._worker is not None and self._worker.answered
        try:
            answer = self._ask(request, limit)
        except DiedOfQuery:
            if not worked:
                raise
            self._load()
            answer = self._ask(request, limit)
        if self._worker is not None:
            self._worker.answered = True
        return answer

    def use(self, graph: Path | None) -> None:
        """Go on with another graph; the next `run` loads it."""
        with self._lock:
            self._graph, self._loaded, self._broken = graph, False, None
            if graph is None or not self._reloads:
                self._drop()  # a worker that reloads keeps what it has, until it gets another
            self._again = False

    def close(self) -> None:
        """End the worker; the next `run` would start another one."""
        with self._lock:
            if self._worker is not None:
                self._worker.close()
            self._worker, self._loaded, self._again, self._broken = None, False, False, None

    def _start(self) -> None:
        if self._broken is not None:
            raise self._broken
        if self._worker is not None and self._worker.owner != os.getpid():
            self._worker, self._loaded = None, False  # of the process that this one was forked from
        if self._worker is not None and self._worker.alive():
            return
        self._drop()
        try:
            self._worker = _Process(self._needs, self._memory, self._again)
        except OSError as problem:
            raise starved(f"{self.name} cannot be started: {problem}") from problem
        self._version = self._prepare("be started", self._open)["version"]

    def _load(self) -> None:
        self._start()
        if self._loaded or self._graph is None:
            return
        if self._open["kinds"] == ENGINES.package and not is_small(self._graph):
            try:
                check_loadable(self._graph)
            except (SchemaError, SourceError) as problem:
                self._broken = EngineUnavailable(f"{self.name} cannot load the graph: {problem}")
                raise self._broken from problem
        self._prepare(f"load {self._graph}", {"op": "load", "graph": str(self._graph)})
        self._loaded = self._again = True

    def _prepare(self, what: str, request: Message) -> Message:
        """Ask for something without which no query runs; that it failed is remembered.

        That the worker was killed from outside is no reason why the next one should fail, nor
        that it died once, nor that the machine lacked what it needs.
        """
        try:
            answer = self._ask(request, START_LIMIT)
        except QueryKilled as problem:
            raise QueryKilled(f"{self.name} could not {what}: {problem}") from problem
        except EngineError as problem:
            if isinstance(problem, SystemOutOfMemory) or lacks_room(str(problem)):
                self._drop()
                said_so = isinstance(problem, EngineUnavailable)
                words = problem if said_so else f"{self.name} cannot {what}: {problem}"
                raise starved(words) from problem
            self._failed(what, problem)
        self._died = self._died and request["op"] != "load"
        return answer

    def _failed(self, what: str, problem: EngineError) -> NoReturn:
        """Remember why no query runs.

        Raises:
            DiedAtStart: it died once, and may be tried again.
            EngineUnavailable: it will not run.
        """
        if isinstance(problem, DiedOfQuery):
            words = f"{self.name} could not {what}: {problem}"
            self._died = not self._died
            if self._died:
                raise DiedAtStart(words) from problem
            self._broken = EngineUnavailable(f"{words} It happened twice.")
        elif isinstance(problem, EngineUnavailable):
            self._broken = problem
            raise problem
        else:
            self._broken = EngineUnavailable(f"{self.name} cannot {what}: {problem}")
        raise self._broken from problem

    def _ask(self, request: Message, limit: float) -> Message:
        """Send and wait; unless a whole answer arrives, the worker is killed."""
        worker = self._worker
        if worker is None:
            raise EngineUnavailable(f"{self.name} has no worker.")
        try:
            answer = worker.ask(request, limit)
        except Closed:
            problem = worker.post_mortem(self.name)
            self._drop()
            raise problem from None
        except BaseException:  # an interrupt of the caller, too, leaves a worker mid-query
            self._drop()
            raise
        if "error" in answer:
            if answer.get("stop"):
                self._drop()
            raise error_of(answer)
        return answer

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
        self._worker, self._loaded = None, False


class _Process:
    """One worker process in a process group of its own, with its pipes and scratch folder."""

    def __init__(self, needs: Needs, memory_mb: int, again: bool) -> None:
        self.needs = needs
        self.memory_mb = memory_mb
        self.oom_kills = oom_kills()
        self.owner = os.getpid()
        self.answered = False  # a query
        self.scratch = tempfile.mkdtemp(prefix="graphmill-")
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        code = (sys.executable, "-P", "-m", "engines._worker", str(os.getpid()))
        self.process = subprocess.Popen(  # noqa: S603 - our own module, no text of a user
            code,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=self._environment(again),
            start_new_session=True,
            bufsize=0,
        )
        if self.process.stdin is None or self.process.stdout is None:
            raise EngineUnavailable("The worker has no pipes.")
        self.requests = self.process.stdin
        self.answers = self.process.stdout
        self.reader = Reader(self.answers.fileno(), tick=self.check_memory)

    def _environment(self, again: bool) -> dict[str, str]:
        """The worker's variables: no keys, no tokens, and the modules that the caller sees."""
        names = (*HARMLESS, *self.needs.environment)
        kept = {name: os.environ[name] for name in names if name in os.environ}
        return {
            **kept,
            **({AGAIN: "1"} if again else {}),
            "PYTHONPATH": module_path(),
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": self.scratch,
            MEMORY: str(self.memory_mb),
            "MALLOC_ARENA_MAX": "2",  # each arena reserves address space
            # Planning a query takes thousands of small pieces; glibc keeps only seven of a size.
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=2000",
        }

    def ask(self, request: Message, limit: float) -> Message:
        """Send and wait, so many seconds in which the worker could compute."""
        began, computed = monotonic(), processor_seconds(self.process.pid)

        def more() -> float:
            now = processor_seconds(self.process.pid)
            if now is None or computed is None:
                return 0
            return left(limit, monotonic() - began, now - computed)

        send(self.requests.fileno(), encode(request))
        while True:
            answer = self.reader.receive(began + limit, more)
            if "progress" not in answer:
                return answer
            write_message(str(answer["progress"]))

    def alive(self) -> bool:
        return self.process.poll() is None

    def check_memory(self) -> None:
        """Where the system tells, stop a worker that is over its cap."""
        if not self.memory_mb:
            return
        try:
            with open(f"/proc/{self.process.pid}/statm") as status:
                pages = int(status.read().split()[1])
        except (OSError, IndexError, ValueError):
            return
        if pages * os.sysconf("SC_PAGE_SIZE") > self.memory_mb * PAGE:
            raise QueryTooLarge(over_cap(self.memory_mb))

    def post_mortem(self, name: str) -> EngineError:
        """Why a worker that closed its pipe is dead."""
        try:
            status = self.process.wait(EXIT_LIMIT)
        except subprocess.TimeoutExpired:
            return QueryError(f"{name} closed its pipe and went on.")
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 4000))
        lines = self.errors.read().decode(errors="replace").strip().splitlines()
        kills = (self.oom_kills, oom_kills())
        return cause_of_death(name, status, lines, self.memory_mb, kills)

    def close(self) -> None:
        """Ask the worker to end, and see to it that it does."""
        try:
            send(self.requests.fileno(), encode({"op": "close"}))
            self.reader.tick = None
            self.reader.receive(monotonic() + self.needs.farewell)
            self.process.wait(EXIT_LIMIT)
        except (Closed, Late, subprocess.TimeoutExpired):
            pass
        finally:
            self.kill()

    def kill(self) -> None:
        """End the whole process group now, and leave nothing behind."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it is gone already
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.requests.close()
        self.answers.close()
        self.errors.close()
        shutil.rmtree(self.scratch, ignore_errors=True)
