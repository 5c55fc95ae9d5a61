"""Hostile programs, tried on the sandbox, and whether one of them gets through.

    python -m benchmarks.hostile_programs [--family disk] [--user 65534 --interpreter PYTHON]
        [--plain]

Every family is a file below `benchmarks/sandbox_hostile/`; a program says what it tries, and by
which sign it has got through (`through`, default: it prints `done`). After each of them the
machine is looked at as well: nothing may be left, changed or still running, and who started it has
its priority, its processors, its limits and an answer in time. Prints a JSON line a program,
status 1 when one got through. `--plain` runs them with nothing round them, as a user other than
root, which shows what the sandbox keeps them from.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from generators.sandbox import Limits, Outcome, run_program
from graphmill.errors import GraphmillError

FOLDER = Path(__file__).with_name("sandbox_hostile")
SECRET = "GRAPHMILL_PROBE_SECRET"
MIB = 1 << 20
LIMITS = Limits(
    memory=MIB << 10,
    cpu=2,
    wall=5,
    file=8 * MIB,
    disk=16 * MIB,
    files=50,
    output=MIB,
    open_files=256,
)
SIGNS = ("prints done", "endless", "endless or ends", "ends badly", "leaves", "survives", "control")
PATIENCE = 1.0  # seconds, for programs without an end
LATE = 20.0  # seconds after its time is up, on a machine with other work
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Hostile:
    """A program, what it tries, and by which sign it has got through."""

    family: str
    name: str
    tries: str
    through: str
    script: str

    @property
    def endless(self) -> bool:
        """Whether it has no end of its own."""
        return self.through == "endless"


def families() -> list[str]:
    """The names of all families."""
    return sorted(path.stem for path in FOLDER.glob("*.programs"))


def programs(family: str) -> Iterator[Hostile]:
    """The programs of a family."""
    text = (FOLDER / f"{family}.programs").read_text(encoding="utf-8")
    for part in text.split("==== ")[1:]:
        name, *lines = part.splitlines()
        head: dict[str, str] = {"through": SIGNS[0]}
        while lines and (key := lines[0].partition(": ")[0]) in ("tries", "through"):
            head[key] = lines.pop(0).partition(": ")[2]
        if head["through"] not in SIGNS:
            raise ValueError(f"{family}, {name}: no such sign: {head['through']}")
        script = "\n".join(["from attack import *", *lines, ""])
        yield Hostile(family, name, head["tries"], head["through"], script)


class Machine:
    """What a program is not to reach, and a look at whether it did."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.outside = scratch / "outside"
        self.outside.mkdir()
        (self.outside / "private").write_text("secret", encoding="utf-8")
        self.port = socket.create_server(("127.0.0.1", 0))
        self.abstract = f"graphmill-{os.getpid()}"
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(f"\0{self.abstract}")
        self._unix.listen()
        self._signals: list[int] = []
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGHUP, signal.SIGIO):
            signal.signal(number, lambda found, _: self._signals.append(found))
        # Whoever loses its parent becomes a child of this process.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._before = self._state()

    def fill(self, script: str) -> str:
        """The script with the names of what it is to reach."""
        values = {
            "$OUTSIDE": str(self.outside),
            "$PORT": str(self.port.getsockname()[1]),
            "$PID": str(os.getpid()),
            "$ABSTRACT": self.abstract,
        }
        for name, value in values.items():
            script = script.replace(name, value)
        return script

    def changed(self) -> list[str]:
        """What is not as it was."""
        now = self._state()
        names = [name for name, value in now.items() if value != self._before[name]]
        self._before = now
        self._signals.clear()
        return names

    def _state(self) -> dict[str, object]:
        libc = ctypes.CDLL(None)
        private = (self.outside / "private").lstat()
        return {
            "signals": tuple(self._signals),
            "processors": os.sched_getaffinity(0),
            "priority": os.getpriority(os.PRIO_PROCESS, 0),
            "scheduler": os.sched_getscheduler(0),
            "io priority": libc.syscall(252, 1, 0),
            "limits": [resource.getrlimit(kind) for kind in range(16)],
            "shared memory": self._of_mine("shm"),
            "semaphores": self._of_mine("sem"),
            "queues": self._of_mine("msg"),
            "/dev/shm": Path("/dev/shm/graphmill-hostile").exists(),
            "/tmp": Path("/tmp/graphmill-hostile").exists(),
            "files outside": sorted(os.listdir(self.outside)),
            "a file outside": (
                private.st_mode, private.st_uid, private.st_mtime, private.st_nlink,
                (self.outside / "private").read_bytes(),
            ),
            "processes": _children(),
        }  # fmt: skip

    def _of_mine(self, kind: str) -> list[str]:
        lines = Path(f"/proc/sysvipc/{kind}").read_text(encoding="utf-8").splitlines()
        return [line for line in lines[1:] if line.split()[0] == str(0x67726D)]


def _children() -> list[int]:
    """Processes that are children of this one, after those that have ended were taken in."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(pid) for pid in path.read_text(encoding="utf-8").split()]


def left(out: Path) -> list[str]:
    """What lies beside and in the output folder and should not."""
    wrong = [path.name for path in out.parent.iterdir() if path.name != "out"]
    length = 0
    for place, folders, names in os.walk(out):
        for name in (*folders, *names):
            status = Path(place, name).lstat()
            plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
            if not plain or not name.isprintable():
                wrong.append(repr(name))
            length += status.st_size * stat.S_ISREG(status.st_mode)
    return [*wrong, *(["too much"] if length > LIMITS.disk else [])]


def attack(
    hostile: Hostile, machine: Machine, interpreter: str, *, plain: bool
) -> tuple[list[str], Outcome | None]:
    """Run one program: the signs that it got through, and how it ended."""
    with tempfile.TemporaryDirectory(dir=machine.scratch) as place:
        out = Path(place, "out")
        shared = (FOLDER / "attack.py.txt").read_bytes()
        shared = shared.replace(b"$PID", str(os.getpid()).encode())
        script = machine.fill(hostile.script)
        signs: list[str] = []
        outcome: Outcome | None = None
        start = time.monotonic()
        try:
            if plain:
                outcome = plainly(script, shared, Path(place), interpreter)
            else:
                inputs: dict[str, bytes | Path] = {"attack.py": shared}
                limits = replace(LIMITS, wall=PATIENCE / 2) if hostile.endless else LIMITS
                outcome = run_program(script, inputs, out, limits, interpreter=interpreter)
        except (GraphmillError, OSError, ValueError) as problem:
            signs.append(f"no outcome: {problem}")
        if time.monotonic() - start > LIMITS.wall + LATE:
            signs.append("too late")
        if outcome is not None:
            signs += _signs(hostile, outcome)
        if not plain:
            signs += [f"left: {name}" for name in left(out)]
        signs += [f"changed: {name}" for name in machine.changed()]
    return signs, outcome


def _signs(hostile: Hostile, outcome: Outcome) -> list[str]:
    printed = outcome.stdout + outcome.stderr
    shown = {
        "prints done": "done" in outcome.stdout.split(),
        "endless": not outcome.stopped,
        "ends badly": outcome.ok,
        "control": any(not c.isprintable() and c not in "\n\t" for c in printed),
    }
    return [hostile.through] if shown.get(hostile.through) else []


def plainly(script: str, shared: bytes, folder: Path, interpreter: str) -> Outcome:
    """Run a program with nothing round it but a limit of time."""
    (folder / "attack.py").write_bytes(shared)
    (folder / "out").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with (folder / "seen").open("w+b") as seen:
        process = subprocess.Popen(
            [interpreter, "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=seen,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        try:
            status, stopped = process.wait(PATIENCE), False
        except subprocess.TimeoutExpired:
            status, stopped = -9, True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        seen.seek(0)
        text = seen.read(1000).decode("utf-8", "replace")
    # Plainly, what runs for ever has got through: nothing but our patience ended it.
    return Outcome(status, "", "done" if stopped else text, "", 0, 0, 0, ())


def main() -> int:
    """Print each program with the signs that it got through; status 1 when one did."""
    ask = argparse.ArgumentParser(description="Try the sandbox with hostile programs.")
    ask.add_argument("--family", choices=families(), help="only these; default: all")
    ask.add_argument("--name", help="only the program of this name")
    ask.add_argument("--user", type=int, help="become this user first (needs root)")
    ask.add_argument("--interpreter", default=sys.executable, help="a Python, 3.11 or later")
    ask.add_argument("--plain", action="store_true", help="without a sandbox, not as root")
    given = ask.parse_args()
    chosen = [
        hostile
        for family in ([given.family] if given.family else families())
        for hostile in programs(family)
        if given.name in (None, hostile.name)
    ]
    if given.user is not None:
        os.setgroups([])
        os.setgid(given.user)
        os.setuid(given.user)
        os.chdir("/")
    if given.plain and os.getuid() == 0:
        ask.error("as root, these programs do harm to the machine: --plain needs --user")
    os.environ[SECRET] = "1"
    through = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        machine = Machine(Path(scratch))
        for hostile in chosen:
            signs, outcome = attack(hostile, machine, given.interpreter, plain=given.plain)
            through += bool(signs)
            line: dict[str, object] = {
                "family": hostile.family,
                "program": hostile.name,
                "through": signs,
            }
            if outcome is not None:
                ending = outcome.stopped or outcome.stderr.strip().split("\n")[-1][:120]
                line |= {"exit": outcome.exit, "how": ending, "wall": round(outcome.wall, 2)}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    return 1 if through else 0


if __name__ == "__main__":
    sys.exit(main())
