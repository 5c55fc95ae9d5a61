"""Why a worker process died: of its text, of the system's want of memory, or of a signal."""

from __future__ import annotations

import errno
import os
import re
import signal
import tempfile
from pathlib import Path

from graphmill.errors import (
    MEMORY_MARKS,
    EngineError,
    EngineStarved,
    QueryError,
    QueryKilled,
    QueryTimeout,
    QueryTooLarge,
)

# Signals that a process gets of its own doing; all others somebody sent.
_OWN = frozenset({"SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS"})
_LIMITS = frozenset({"SIGPROF", "SIGVTALRM", "SIGXCPU"})
# What nanobind's modules print at the end of any process that did not end well.
_LEAKS = re.compile(r"nanobind: |\s*- leaked |\s*- \.\.\. skipped|See https://nanobind\.")

# How systems, Rust, Python, SQLite and DuckDB say that disk or open files have ended.
_WANTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.EROFS)
_STARVED = re.compile(
    "|".join(
        [
            *(re.escape(os.strerror(number)) for number in _WANTS),
            rf"os error ({'|'.join(map(str, _WANTS))})\b",
            "database or disk is full",
            "max_temp_directory_size",
        ]
    ),
    re.IGNORECASE,
)


class DiedOfQuery(QueryError):
    """The engine's process ended by itself, in the middle of the query."""


class DiedAtStart(DiedOfQuery):
    """The engine's process ended by itself before it had a query, for the first time."""


class SystemOutOfMemory(QueryTooLarge):
    """The system killed the worker because memory had ended, which may be another's doing."""


def is_starved(message: str) -> bool:
    """Whether an engine's message says that the machine lacks disk or open files.

    >>> is_starved("I/O error: cannot write: No space left on device (os error 28)")
    True
    """
    return _STARVED.search(message) is not None


def lacks_room(message: str) -> bool:
    """The same, or memory: of what an engine says before it has a query, which is not at its cap
    for memory then.

    >>> lacks_room("RuntimeError: can't start new thread")
    True
    """
    return is_starved(message) or any(mark in message for mark in MEMORY_MARKS)


def starved(what: object) -> EngineStarved:
    """The error for it, with what to do."""
    return EngineStarved(
        f"{str(what).rstrip('.')}. The machine has too little room for it: see to disk (of "
        f"{tempfile.gettempdir()}, too), open files and memory, and run it again."
    )


def oom_kills() -> int | None:
    """How many processes the system has killed for memory, in our control group if it counts.

    Sources: Linux, Documentation/admin-guide/cgroup-v2.rst (memory.events) and
    Documentation/admin-guide/cgroup-v1/memory.rst (memory.oom_control); /proc/vmstat for all.
    """
    try:
        groups = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    places: list[Path] = []
    for line in groups:
        _, controllers, path = line.split(":", 2)
        path = path.lstrip("/")
        if not controllers:
            root = Path("/sys/fs/cgroup")
            places += [root / path / "memory.events", root / "memory.events"]
        elif "memory" in controllers.split(","):
            root = Path("/sys/fs/cgroup/memory")
            places += [root / path / "memory.oom_control", root / "memory.oom_control"]
    for place in (*places, Path("/proc/vmstat")):
        try:
            words = place.read_text().split()
            return int(words[words.index("oom_kill") + 1])
        except (OSError, ValueError, IndexError):
            continue
    return None


def cause_of_death(
    name: str, status: int, messages: list[str], memory_mb: int, kills: tuple[int | None, ...]
) -> EngineError:
    """The error of the query during which the worker of the engine `name` ended with `status`.

    `messages` are the last lines that it wrote, `kills` the counts of `oom_kills` when it began
    and now.
    """
    messages = [line for line in messages if not _LEAKS.match(line)]
    last = messages[-1].strip() if messages else "no message"
    if any(mark in line for mark in MEMORY_MARKS for line in messages[-20:]):
        return QueryTooLarge(over_cap(memory_mb))
    if status >= 0:
        return DiedOfQuery(f"{name}'s worker died of this query (exit {status}): {last}")
    try:
        by = signal.Signals(-status).name
    except ValueError:
        by = f"signal {-status}"
    if by in _OWN:
        return DiedOfQuery(f"{name}'s worker died of this query ({by}): {last}")
    if by in _LIMITS:
        return QueryTimeout(f"{name} was stopped at its limit of processor time.")
    before, now = kills
    if by == "SIGKILL" and before is not None and now is not None and now > before:
        return SystemOutOfMemory(f"The system killed {name}'s worker because memory had ended.")
    return QueryKilled(
        f"{name}'s worker was killed by {by}, neither by a limit of ours nor by the system for "
        "want of memory: somebody sent it."
    )


def over_cap(memory_mb: int) -> str:
    """What is said of a worker that needed too much."""
    return f"More was needed than the memory cap of {memory_mb} MB."
