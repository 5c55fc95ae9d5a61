"""A runaway query and a memory hog are killed, the caller goes on, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

import engines.backends
from engines import ENGINES
from engines._worker import Worker
from engines.deaths import cause_of_death
from engines.isolation import IsolatedEngine, _Process
from engines.wire import Message, Reader
from graphmill.errors import (
    EngineError,
    EngineLost,
    EngineStarved,
    EngineUnavailable,
    QueryError,
    QueryKilled,
    QueryTimeout,
    QueryTooLarge,
    UnknownNameError,
)

pytestmark = pytest.mark.slow

# It runs for hours in little memory, however quick the machine is.
RUNAWAY = " ".join(f"UNWIND range(1, 300) AS {name}" for name in "abcdef") + " RETURN count(*) AS n"
HOG = "UNWIND range(1, 1000000000) AS x RETURN collect(toString(x)) AS c"


@pytest.fixture
def grafeo() -> Iterator[IsolatedEngine]:
    with IsolatedEngine("grafeo", None, memory_mb=400) as engine:
        yield engine


def one(engine: IsolatedEngine, text: str = "RETURN 1 AS x") -> object:
    return engine.run(text, language="cypher", timeout=20).rows[0][0]


def gone(pid: int) -> bool:
    """Whether the process is gone within a few seconds."""

    def is_gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    return soon(is_gone)


def soon(is_so: Callable[[], bool]) -> bool:
    """Whether something is so within a few seconds."""
    end = monotonic() + 10
    while not is_so():
        if monotonic() > end:
            return False
        sleep(0.05)
    return True


def worker(engine: IsolatedEngine) -> int:
    assert engine._worker is not None
    return engine._worker.process.pid


def test_a_runaway_is_killed_and_the_next_query_works(grafeo: IsolatedEngine) -> None:
    assert one(grafeo) == 1
    pid = worker(grafeo)
    start = monotonic()
    with pytest.raises(QueryTimeout, match=r"0\.5 s"):
        grafeo.run(RUNAWAY, language="cypher", timeout=0.5)
    assert monotonic() - start < 5
    assert gone(pid)
    assert one(grafeo, "RETURN 2 AS x") == 2


def test_a_memory_hog_is_killed_and_the_next_query_works(grafeo: IsolatedEngine) -> None:
    with pytest.raises(QueryTooLarge, match="400 MB"):
        grafeo.run(HOG, language="cypher", timeout=120)
    assert one(grafeo) == 1


def test_a_worker_that_dies_is_an_error_of_one_query(grafeo: IsolatedEngine) -> None:
    one(grafeo)
    os.kill(worker(grafeo), signal.SIGSEGV)
    sleep(0.2)
    assert one(grafeo) == 1


def test_a_worker_that_dies_while_it_works(grafeo: IsolatedEngine) -> None:
    grafeo.version()
    pid = worker(grafeo)
    timer = threading.Timer(0.3, os.kill, (pid, signal.SIGSEGV))
    timer.start()
    try:
        with pytest.raises(EngineError, match="SIGSEGV"):
            grafeo.run(RUNAWAY, language="cypher", timeout=30)
    finally:
        timer.cancel()
        timer.join()
    assert one(grafeo) == 1


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGALRM])
def test_a_worker_that_somebody_kills_says_so(grafeo: IsolatedEngine, by: signal.Signals) -> None:
    one(grafeo)
    timer = threading.Timer(0.3, os.kill, (worker(grafeo), by))
    timer.start()
    try:
        with pytest.raises(QueryKilled, match=by.name):
            grafeo.run(RUNAWAY, language="cypher", timeout=30)
    finally:
        timer.cancel()
        timer.join()
    assert one(grafeo) == 1


def kill_as_it_loads(
    engine: IsolatedEngine, monkeypatch: pytest.MonkeyPatch, kills: int, op: str = "load"
) -> Callable[[], int]:
    """Have the worker killed before it answers to a request to load, so many times."""
    ask = _Process.ask
    left = kills

    def killed(self: _Process, request: Message, deadline: float) -> Message:
        nonlocal left
        if request["op"] == op and left:
            left -= 1
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
        return ask(self, request, deadline)

    monkeypatch.setattr(_Process, "ask", killed)
    return lambda: left


def test_a_worker_that_is_killed_while_it_loads_ends_that_query_only(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with IsolatedEngine("duckdb", graph) as engine:
        kill_as_it_loads(engine, monkeypatch, kills=2)
        for _ in range(2):
            with pytest.raises(QueryKilled, match=r"could not load .* SIGKILL") as caught:
                engine.run("SELECT 1 AS x", language="sql")
            assert caught.value.kind == "killed"
        assert engine.run("SELECT 1 AS x", language="sql").rows == ((1,),)


def test_an_engine_that_persists_asks_again_and_then_gives_up(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with IsolatedEngine("duckdb", graph, persists=True) as engine:
        left = kill_as_it_loads(engine, monkeypatch, kills=1)
        assert engine.run("SELECT 1 AS x", language="sql").rows == ((1,),)
        assert left() == 0
    with IsolatedEngine("duckdb", graph, persists=True) as engine:
        kill_as_it_loads(engine, monkeypatch, kills=2)
        with pytest.raises(EngineLost, match=r"twice. Run this again") as caught:
            engine.run("SELECT 1 AS x", language="sql")
        assert not isinstance(caught.value, EngineError)  # it says nothing of the query
        assert engine.run("SELECT 1 AS x", language="sql").rows == ((1,),)


@pytest.mark.parametrize("kills", [1, 2])
def test_an_engine_that_persists_starts_again_and_then_gives_up(
    monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    with IsolatedEngine("duckdb", None, persists=True) as engine:
        kill_as_it_loads(engine, monkeypatch, kills, "open")
        if kills == 2:
            with pytest.raises(EngineLost, match=r"could not be started: .* SIGKILL"):
                engine.version()
        assert engine.version()


def test_an_engine_that_persists_starts_again_where_it_died(
    mortal: tuple[IsolatedEngine, Path],
) -> None:
    engine, deaths = mortal
    engine._persists = True
    deaths.write_text("load")
    for _ in range(2):
        with pytest.raises(EngineUnavailable, match=r"SIGSEGV.* twice"):
            engine.run("q", language="sql")


MORTAL = """
import os, signal
from pathlib import Path
from engines.base import Engine, Result

def die(phase, words):
    if f"{phase} full" in words:
        raise OSError(28, os.strerror(28))
    if phase in words:
        os.kill(os.getpid(), signal.SIGSEGV)

class Mortal(Engine):
    name, languages, profiles, unsound = "mortal", ("sql",), {}, ()

    def __init__(self, deaths):
        self.deaths, self.count = Path(deaths), 0
        die("init", self.deaths.read_text())

    def __enter__(self):
        die("enter", self.deaths.read_text())
        return self

    def __exit__(self, *exc):
        die("exit", self.deaths.read_text())

    def version(self):
        die("version", self.deaths.read_text())
        return "1"

    def load(self, graph):
        die("load", self.deaths.read_text())

    def run(self, text, *, language, timeout):
        self.count += 1
        die(f"run {self.count}", self.deaths.read_text())
        die("text", text)
        return Result(("n",), ((self.count,), ("x" * 200_000,)))

engine = Mortal
"""


@pytest.fixture
def mortal(
    tmp_path: Path, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[IsolatedEngine, Path]]:
    """An engine whose worker kills itself in the phases that a file names."""
    folder = tmp_path / "engines"
    folder.mkdir()
    (folder / "mortal.py").write_text(MORTAL.replace("engine = ", f"{ENGINES.export} = "))
    monkeypatch.setattr(engines.backends, "__path__", [*engines.backends.__path__, str(folder)])
    deaths = tmp_path / "deaths"
    deaths.write_text("")
    with IsolatedEngine("mortal", graph, deaths=str(deaths)) as engine:
        yield engine, deaths


@pytest.mark.parametrize("phase", ["init", "enter", "version", "load", "run 1"])
def test_a_worker_that_kills_itself_in_any_phase_ends_that_query_only(
    mortal: tuple[IsolatedEngine, Path], phase: str
) -> None:
    engine, deaths = mortal
    deaths.write_text(phase)
    with pytest.raises(EngineError, match="SIGSEGV"):
        engine.run("q", language="sql")
    deaths.write_text("")
    assert engine.run("q", language="sql").rows[0] == (1,)


@pytest.mark.parametrize("phase", ["init", "enter", "version", "load", "run 1"])
def test_a_full_disk_is_no_error_of_a_query(
    mortal: tuple[IsolatedEngine, Path], phase: str
) -> None:
    """Who keeps errors of queries as what is known of them would keep this one for good."""
    engine, deaths = mortal
    deaths.write_text(f"{phase} full")
    for _ in range(3):
        with pytest.raises(EngineStarved, match=r"No space left on device.* see to disk") as caught:
            engine.run("q", language="sql")
        assert not isinstance(caught.value, EngineError)
    deaths.write_text("")
    assert engine.run("q", language="sql").rows[0] == (1,)


def test_a_worker_that_has_no_place_is_told(mortal: tuple[IsolatedEngine, Path]) -> None:
    engine, _ = mortal
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", lambda **_: os.open("/nowhere", os.O_RDONLY))
        with pytest.raises(EngineStarved, match=r"mortal cannot be started: .*No such file"):
            engine.run("q", language="sql")
    assert engine.run("q", language="sql").rows[0] == (1,)


def test_a_text_that_speaks_of_a_full_disk_is_one_like_others() -> None:
    with (
        IsolatedEngine("duckdb", None) as engine,
        pytest.raises(QueryError, match="No space left"),
    ):
        engine.run("SELECT CAST('No space left on device' AS INTEGER)", language="sql")


@pytest.mark.parametrize("phase", ["enter", "load"])
def test_a_worker_that_always_dies_before_it_answers_is_tried_twice(
    mortal: tuple[IsolatedEngine, Path], phase: str
) -> None:
    engine, deaths = mortal
    deaths.write_text(phase)
    with pytest.raises(QueryError, match="SIGSEGV"):
        engine.run("q", language="sql")
    with pytest.raises(EngineUnavailable, match="twice"):
        engine.run("q", language="sql")
    deaths.write_text("")
    with pytest.raises(EngineUnavailable, match="twice"):
        engine.run("q", language="sql")


def test_a_worker_that_dies_as_it_ends_hurts_nobody(mortal: tuple[IsolatedEngine, Path]) -> None:
    engine, deaths = mortal
    engine.run("q", language="sql")
    deaths.write_text("exit")
    engine.close()
    assert engine.run("q", language="sql").rows[0] == (1,)
    deaths.write_text("")


def test_a_worker_that_dies_in_the_middle_of_its_answer(
    mortal: tuple[IsolatedEngine, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _ = mortal
    engine.version()
    read, left = Reader._read, 1

    def cut(self: Reader, size: int) -> bytes:
        nonlocal left
        if size > 100_000 and left:
            left -= 1
            os.kill(worker(engine), signal.SIGSEGV)
            assert engine._worker is not None
            engine._worker.process.wait()
        return read(self, size)

    monkeypatch.setattr(Reader, "_read", cut)
    with pytest.raises(EngineError, match="SIGSEGV"):
        engine.run("q", language="sql")
    assert engine.run("q", language="sql").rows[0] == (1,)


def test_what_earlier_queries_left_behind_is_no_fault_of_the_next(
    mortal: tuple[IsolatedEngine, Path],
) -> None:
    engine, deaths = mortal
    engine.run("q", language="sql")
    deaths.write_text("run 2")
    assert engine.run("q", language="sql").rows[0] == (1,), "a new worker's first query"
    with pytest.raises(EngineError, match="SIGSEGV"):
        engine.run("text", language="sql")
    assert engine.run("q", language="sql").rows[0] == (1,)


@pytest.mark.parametrize(
    ("status", "kills", "kind", "text"),
    [
        (-signal.SIGKILL, (3, 4), "memory", "because memory had ended"),
        (-signal.SIGKILL, (3, 3), "killed", "SIGKILL"),
        (-signal.SIGKILL, (None, None), "killed", "SIGKILL"),
        (-signal.SIGTERM, (3, 4), "killed", "SIGTERM"),
        (-signal.SIGPROF, (3, 3), "timeout", "processor time"),
        (-signal.SIGSEGV, (3, 3), "engine", "SIGSEGV"),
        (-60, (3, 3), "killed", "signal 60"),
        (3, (3, 3), "engine", "exit 3"),
    ],
)
def test_who_killed_a_worker(
    status: int, kills: tuple[int | None, ...], kind: str, text: str
) -> None:
    problem = cause_of_death("grafeo", status, ["its last words"], 400, kills)
    assert problem.kind == kind
    assert text in str(problem)


def test_closing_ends_the_worker_and_its_folder(grafeo: IsolatedEngine) -> None:
    one(grafeo)
    pid, scratch = worker(grafeo), Path(grafeo._worker.scratch if grafeo._worker else "")
    assert scratch.is_dir()
    grafeo.close()
    assert gone(pid)
    assert not scratch.exists()
    grafeo.close()  # twice is no error


def test_many_rows_and_many_bytes_are_refused() -> None:
    with IsolatedEngine("grafeo", None, max_rows=10, max_bytes=10_000) as engine:
        assert len(engine.run("UNWIND range(1, 10) AS x RETURN x", language="cypher").rows) == 10
        with pytest.raises(QueryTooLarge, match="11 rows"):
            engine.run("UNWIND range(1, 11) AS x RETURN x", language="cypher")
        with pytest.raises(QueryTooLarge, match="bytes"):
            engine.run("RETURN range(1, 10000) AS x", language="cypher")
        assert one(engine) == 1


def test_the_worker_sees_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GRAPHMILL_NEO4J_PASSWORD"):
        monkeypatch.setenv(name, "hush")
    with IsolatedEngine("grafeo", None) as engine:
        one(engine)
        seen = Path(f"/proc/{worker(engine)}/environ").read_bytes()
    assert b"hush" not in seen


def test_the_worker_ignores_modules_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('hijacked')\n")
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "__init__.py").write_text("raise SystemExit('hijacked')\n")
    monkeypatch.chdir(tmp_path)
    with IsolatedEngine("grafeo", None) as engine:
        assert one(engine) == 1


def test_several_threads_share_one_engine(grafeo: IsolatedEngine) -> None:
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(one(grafeo, f"RETURN {n} AS x")))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, found)) == [str(n) for n in range(8)]


def test_what_cannot_start() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'grafeo'"):
        IsolatedEngine("grafoe", None)
    with (
        IsolatedEngine("sqlite", None, source="/no/such.sqlite") as engine,
        pytest.raises(EngineUnavailable, match=r"/no/such\.sqlite"),
    ):
        engine.run("SELECT 1", language="sql")
    with (
        IsolatedEngine("grafeo", Path("/no/such/graph")) as engine,
        pytest.raises(EngineUnavailable, match="/no/such/graph"),
    ):
        engine.run("RETURN 1 AS x", language="cypher")


def test_a_graph_that_cannot_be_loaded_is_tried_once() -> None:
    with IsolatedEngine("grafeo", Path("/no/such/graph")) as engine:
        with pytest.raises(EngineUnavailable):
            one(engine)
        start = monotonic()
        for _ in range(100):
            with pytest.raises(EngineUnavailable):
                one(engine)
        assert monotonic() - start < 1  # each new try takes a process of its own, so 100 take many
        engine.use(None)
        assert one(engine) == 1


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_has_a_worker_of_its_own(grafeo: IsolatedEngine) -> None:
    one(grafeo)
    parent = worker(grafeo)
    child = os.fork()
    if not child:
        right = one(grafeo, "RETURN 2 AS x") == 2 and worker(grafeo) != parent
        grafeo.close()
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert one(grafeo, "RETURN 3 AS x") == 3
    assert worker(grafeo) == parent


def test_a_hostile_text_is_an_error_of_one_query(grafeo: IsolatedEngine) -> None:
    for text in ("", "\x00", "\ud800", "(" * 20_000, "RETURN " + "-" * 50_000 + "1 AS x"):
        with pytest.raises(EngineError):
            grafeo.run(text, language="cypher", timeout=20)
    assert one(grafeo) == 1


def test_a_number_of_thousands_of_digits_is_told_with_its_place() -> None:
    for text in ("", "RETURN 1,\n " + "9" * 5000):
        worker = Worker(-1)
        worker.do_run = lambda request: {"rows": int("9" * 5000)}  # type: ignore[method-assign]
        said = worker.handle({"op": "run", "text": text})["message"]
        assert said == (
            "Line 2, column 2: a number has 5,000 digits; more than 4,300 are not read."
            if text
            else "The answer has an integer of more than 4,300 digits, which is not read."
        )


HOLDER = """
import signal, sys, time
from pathlib import Path
from engines.deaths import cause_of_death
from engines.isolation import IsolatedEngine, _Process
from engines.wire import Message, Reader

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by tests in the background
with IsolatedEngine("grafeo", Path(sys.argv[2])) as engine:
    engine.run("RETURN 1 AS x", language="cypher")
    print(engine._worker.process.pid, engine._worker.scratch, flush=True)
    engine.run(sys.argv[1], language="cypher", timeout=60)
    time.sleep(60)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("text", [RUNAWAY, "RETURN 1 AS x"])
def test_no_orphan_when_the_caller_is_killed_or_interrupted(
    end: signal.Signals, text: str, graph: Path
) -> None:
    """Neither the worker is left, busy or idle, nor the folder of its sealed graph."""
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, text, str(graph)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as caller:
        assert caller.stdout is not None
        pid, scratch = caller.stdout.readline().split()
        sleep(0.5)
        caller.send_signal(end)
        caller.wait(20)
    assert gone(int(pid))
    assert soon(lambda: not Path(scratch).exists())


def test_the_caller_imports_no_driver() -> None:
    code = (
        "import sys, engines.isolation as i; from engines import ENGINES\n"
        "[ENGINES.get(name) for name in ('grafeo', 'neo4j', 'sqlite')]\n"
        "heavy = {'grafeo', 'duckdb', 'pyarrow', 'neo4j', 'jpype', 'lark'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"


def test_sqlite_stops_by_itself_and_keeps_its_worker(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    sqlite3.connect(path).close()
    runaway = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
    with IsolatedEngine("sqlite", None, source=str(path)) as engine:
        engine.run("SELECT 1", language="sql")
        pid = worker(engine)
        with pytest.raises(QueryTimeout):
            engine.run(runaway, language="sql", timeout=0.5)
        assert worker(engine) == pid


def test_a_report_of_leaks_is_no_reason() -> None:
    leaks = [
        "nanobind: leaked 2 instances!",
        ' - leaked instance 0x7f1 of type "x.Y"',
        "nanobind: this is likely caused by a reference counting issue in the binding code.",
        "See https://nanobind.readthedocs.io/en/latest/refleaks.html",
    ]
    died = cause_of_death("e", 1, ["ValueError: this is why", *leaks], 100, (None, None))
    assert str(died).endswith("(exit 1): ValueError: this is why")
    mapped = ["ImportError: x.so: failed to map segment from shared object", *leaks]
    assert isinstance(cause_of_death("e", 1, mapped, 100, (None, None)), QueryTooLarge)
    assert str(cause_of_death("e", 1, leaks, 100, (None, None))).endswith("no message")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_a_cap_above_what_the_process_may_have_is_that() -> None:
    """As of `ulimit -v`, which the system does not let a process raise."""
    program = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
from engines._worker import _cap_address_space
_cap_address_space(64 << 30)
print(resource.getrlimit(resource.RLIMIT_AS) == (8 << 30, 8 << 30))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "True\n", ran.stderr


def test_an_engine_that_lacks_memory_to_load_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """That would drop pairs for good, which a machine with more memory proves."""
    engine = IsolatedEngine("duckdb", None)

    def ask(*_: object) -> Message:
        raise EngineUnavailable("ArrowException: Failed to launch worker thread")

    monkeypatch.setattr(engine, "_ask", ask)
    with pytest.raises(EngineStarved, match="too little room"):
        engine._prepare("load a graph", {"op": "load"})
    assert engine._broken is None
