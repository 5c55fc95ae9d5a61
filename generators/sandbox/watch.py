"""What a program may use, and a look at what it uses while it runs."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Iterator, Mapping
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
    and files count. One million nodes with ten million edges take `Limits(memory=8 << 30,
    file=2 << 30, disk=4 << 30, cpu=600, wall=600)`.
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


class Watch:
    """Waits for a program, and says which limit it broke.

    `pid` is the program's process, or the one that it runs inside of. `streams` are the
    descriptors of its output. `cpu` is the processor time of the last look, in seconds.
    """

    def __init__(self, pid: int, folder: Path, streams: tuple[int, int], limits: Limits) -> None:
        self.cpu = 0.0
        self._pid = pid
        self._folder = folder
        self._streams = streams
        self._limits = limits
        self._memory = 0

    def until(self, deadline: float) -> Stopped:
        """Wait for the end, or for `deadline` (of `time.monotonic`): the limit that was broken."""
        descriptor = os.pidfd_open(self._pid)
        try:
            ended = select.poll()
            ended.register(descriptor, select.POLLIN)
            while True:
                left = int((deadline - time.monotonic()) * 1000)
                if ended.poll(max(0, min(POLL, left))):
                    return self._broken()
                broken = self._broken() or ("wall" if left <= 0 else "")
                if broken:
                    return broken
        finally:
            os.close(descriptor)

    def peak(self, reported: int) -> int:
        """Bytes of memory in use at most, given what the kernel reported at the end.

        The kernel counts this process's own memory at the moment of the start, too; where that
        hides the program's, the last look at it counts.
        """
        hidden = reported <= _high_water(_status(os.getpid()))
        return max(self._memory, 0 if hidden and self._memory else reported)

    def _broken(self) -> Stopped:
        pid = _innermost(self._pid)
        status = _status(pid)
        self._memory = max(self._memory, _high_water(status))
        self.cpu = max(self.cpu, _processor_time(pid))
        if sum(os.fstat(stream).st_size for stream in self._streams) > self._limits.output:
            return "output"
        if status.get("Threads", 0) > self._limits.most_threads:
            return "threads"
        used: dict[tuple[int, int], int] = {}
        for found in self._files(pid):
            used[found.st_dev, found.st_ino] = found.st_blocks * 512
            if len(used) > self._limits.files:
                return "disk"
        return "disk" if sum(used.values()) > self._limits.disk else ""

    def _files(self, pid: int) -> Iterator[os.stat_result]:
        """All in the folder, and the deleted files that the program still holds open."""
        for place, folders, names in os.walk(self._folder):
            for name in (*folders, *names):
                with contextlib.suppress(OSError):
                    yield Path(place, name).lstat()
        with contextlib.suppress(OSError):
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if str(link.readlink()).startswith(str(self._folder)):
                        yield link.stat()


def _innermost(pid: int) -> int:
    """The process itself, or what bubblewrap runs inside of it."""
    for _ in range(4):
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        except OSError:
            return pid
        if not children:
            return pid
        pid = int(children[0])
    return pid


def _status(pid: int) -> dict[str, int]:
    """The figures of a live process's `/proc/PID/status`; nothing where it cannot be read."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    fields = (line.partition(":") for line in lines.splitlines())
    figures = ((name, rest.split()) for name, _, rest in fields)
    return {name: int(words[0]) for name, words in figures if words and words[0].isdigit()}


def _high_water(status: Mapping[str, int]) -> int:
    """The most memory that a process has had in use, in bytes."""
    return status.get("VmHWM", 0) * 1024


def _processor_time(pid: int) -> float:
    """Seconds of processor time that a live process has used; 0 where that is unknown."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
