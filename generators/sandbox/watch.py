"""What a program may use, and a look at what it uses while it runs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

type Stopped = Literal["", "wall", "cpu", "output", "disk", "threads", "files"]

MIB = 1 << 20
POLL = 50  # milliseconds between two looks


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use. Sizes in bytes, times in seconds.

    `threads` is what libraries are told to use, `most_threads` what ends a program.
    `memory` is address space, which lies well above what is in use: threads, mapped libraries
    and files count. `disk` and `files` are what its folder takes; that lies in memory as well.
    One million nodes with ten million edges take `Limits(memory=8 << 30, file=2 << 30,
    disk=4 << 30, cpu=600, wall=600)`.
    """

    memory: int = 4 << 30
    cpu: int = 60
    wall: float = 60.0
    file: int = 256 * MIB
    disk: int = 1 << 30
    files: int = 1_000
    output: int = 4 * MIB
    open_files: int = 256
    threads: int = 2
    most_threads: int = 256


def full(folder: int) -> bool:
    """Whether a file system of limited size has no page or no inode left."""
    state = os.fstatvfs(folder)
    return state.f_bfree == 0 or state.f_ffree == 0


def over(folder: Path, pid: int, limits: Limits) -> bool:
    """Whether a program uses more disk or files than it may, in a folder that has no limit."""
    used: dict[tuple[int, int], int] = {}
    for status in _files(folder, pid):
        used[status.st_dev, status.st_ino] = status.st_blocks * 512
        if len(used) > limits.files:
            return True
    return sum(used.values()) > limits.disk


def _files(folder: Path, pid: int) -> Iterator[os.stat_result]:
    """All in the folder, and the deleted files that the program still holds open."""
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with contextlib.suppress(OSError):
                yield Path(place, name).lstat()
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if str(link.readlink()).startswith(str(folder)):
                    yield link.stat()


def threads(pid: int) -> int:
    """How many threads a process has; 0 where that cannot be seen."""
    return _status(pid).get("Threads", 0)


def peak(pid: int) -> int:
    """The most memory that a live process has had in use, in bytes; 0 where it is unknown."""
    return _status(pid).get("VmHWM", 0) * 1024


def spent(pid: int) -> float:
    """Seconds of processor time that a live process has used, with those of its children that
    ended; 0 where it is unknown."""
    if not pid:
        return 0.0
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return sum(map(int, line.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def pid_of(descriptor: int) -> int:
    """The process that a descriptor of one stands for, as this process numbers it; 0: unknown."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="utf-8")
        for line in text.splitlines():
            name, _, value = line.partition(":")
            if name == "Pid":
                return max(0, int(value))
    return 0


def _status(pid: int) -> dict[str, int]:
    """The figures of a process's `/proc/PID/status`; nothing where it cannot be read."""
    if not pid:
        return {}
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    fields = (line.partition(":") for line in lines.splitlines())
    figures = ((name, rest.split()) for name, _, rest in fields)
    return {name: int(words[0]) for name, words in figures if words and words[0].isdigit()}
