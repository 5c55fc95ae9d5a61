"""One program from its start to its end: what it prints, what it uses, what ended it."""

from __future__ import annotations

import contextlib
import marshal
import os
import resource
import select
import signal
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generators.sandbox.watch import POLL, Limits, Stopped, full, over, peak, pid_of, spent, threads

CONFINEMENT = Path(__file__).with_name("confinement") / "__main__.py"
KEPT = 8_000  # characters of each output stream
PATIENCE = 60.0  # seconds until the program begins


class Printed:
    """The beginning and the end of what a stream says, and its length in bytes."""

    def __init__(self) -> None:
        self.length = 0
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._kept = 0

    def add(self, piece: bytes) -> None:
        """More of the stream."""
        self.length += len(piece)
        room = 4 * KEPT - len(self._head)
        self._head += piece[:room]
        if rest := piece[room:]:
            self._tail.append(rest)
            self._kept += len(rest)
            while self._kept - len(self._tail[0]) >= 4 * KEPT:
                self._kept -= len(self._tail.popleft())

    def text(self, cleaned: Callable[[str], str] = str) -> str:
        """Readable text of bounded length: a quarter from the beginning, the rest from the end.

        It is `cleaned` first, so that where it is cut does not depend on what that takes out.
        """
        text = (self._head + b"".join(self._tail)).decode("utf-8", "replace")
        text = cleaned("".join(c if c.isprintable() or c in "\n\t" else "�" for c in text))
        if len(text) <= KEPT:
            return text
        return f"{text[: KEPT // 4]}\n…\n{text[-KEPT * 3 // 4 :]}"


@dataclass(slots=True)
class End:
    """How a program ended, and which layers it ran in.

    `exit` is None where it was killed from outside, `held` where it never began; `missing` then
    says which layers could not be had and why, or is None as well.
    """

    exit: int | None = None
    stopped: Stopped = ""
    cpu: float = 0.0
    peak: int = 0
    held: tuple[str, ...] | None = None
    missing: Mapping[str, str] | None = None


class Process:
    """A program that runs. `folder` is its open folder, once it has one (else -1), `name` its path.

    `place` puts the program's files into its folder, and returns the path that the program is to
    call it by, and the open folder. It gets the folder that the program made, opened, or -1 where
    it could make none.
    """

    def __init__(
        self,
        interpreter: str,
        order: Mapping[str, Any],
        limits: Limits,
        place: Callable[[int], tuple[str, int]],
    ) -> None:
        self.printed = (Printed(), Printed())
        self.folder = -1
        self.name = ""
        self._limits = limits
        self._place = place
        self._disk: Path | None = None  # where the folder has no limit of its own
        self._end = End()
        self._ended = False
        self._first = self._program = -1  # descriptors of processes
        self._pid = 0
        self._start = time.monotonic()
        self._deadline = self._start + PATIENCE
        self._line, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pipes = (os.pipe(), os.pipe())
        reads = [read for read, _ in pipes]
        self._streams = dict(zip(reads, self.printed, strict=True))
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this is what confines it
                [interpreter, "-s", "-P", "-B", str(CONFINEMENT), str(far.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=pipes[0][1],
                stderr=pipes[1][1],
                cwd="/",
                env=_environment(limits.threads),
                pass_fds=(far.fileno(),),
                start_new_session=True,
            )
        except OSError:
            self.close()
            raise
        finally:
            far.close()
            for _, write in pipes:
                os.close(write)
        for read in self._streams:
            os.set_blocking(read, False)
        self._send(dict(order))

    def wait(self) -> tuple[End, float]:
        """Follow the program to its end: how it ended, and after how many seconds."""
        end = self._end
        try:
            end.stopped = self._follow()
        finally:
            usage = self._kill()
        wall = time.monotonic() - self._start
        end.cpu = max(end.cpu, usage.ru_utime + usage.ru_stime)
        end.peak = end.peak or usage.ru_maxrss * 1024
        # The kernel counts by ticks for its limit and exactly here, which may differ by tenths.
        if not end.stopped and end.exit == -signal.SIGKILL and end.cpu >= 0.75 * self._limits.cpu:
            end.stopped = "cpu"
        return end, wall

    def close(self) -> None:
        """Let go of all that is open."""
        self._line.close()
        for descriptor in (*self._streams, self._first, self._program, self.folder):
            if descriptor >= 0:
                os.close(descriptor)
        self._streams = {}
        self._first = self._program = self.folder = -1

    def _follow(self) -> Stopped:
        """Listen until the program ends by itself or breaks a limit: which one."""
        poll = select.poll()
        for descriptor in (self._line.fileno(), *self._streams):
            poll.register(descriptor, select.POLLIN)
        look = self._start
        while not self._ended:
            left = self._deadline - time.monotonic()
            for descriptor, _ in poll.poll(max(0, min(POLL, int(left * 1000) + 1))):
                if descriptor == self._line.fileno():
                    self._hear()
                elif self._read(descriptor) == b"":
                    poll.unregister(descriptor)
            now = time.monotonic()
            if self._too_long():
                return "output"
            if not self._ended and (now - look >= POLL / 1000 or now >= self._deadline):
                look = now
                broken = self._broken() or ("wall" if now >= self._deadline else "")
                if broken:
                    return broken
        for descriptor in self._streams:
            while self._read(descriptor):
                pass
        return self._broken()

    def _send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # that it is gone shows when its answer is awaited
            self._line.send(marshal.dumps(message, 2))

    def _hear(self) -> None:
        """One message of the three processes; where there is none any more, they have ended."""
        try:
            raw, files, _, _ = socket.recv_fds(self._line, 1 << 20, 3)
        except ConnectionResetError:  # it ended without having read the order
            raw, files = b"", []
        end = self._end
        message = marshal.loads(raw) if raw else None  # noqa: S302 - from the confinement
        if message is None:
            self._ended = True
        elif "folder" in message:
            self._first, self._program = files[:2]
            self._pid = pid_of(self._program)
            path, self.folder = self._place(files[2] if len(files) > 2 else -1)
            self._disk = Path(path) if len(files) == 2 else None
            self.name = path
            self._send({"folder": path})
        elif "held" in message:
            end.held, end.missing = tuple(message["held"]), message["missing"]
            self._start = time.monotonic()
            self._deadline = self._start + self._limits.wall
        elif "unavailable" in message:
            end.missing = message["unavailable"]
        else:
            end.exit, end.cpu, end.peak = message["exit"], message["cpu"], message["peak"]
            self._ended = True

    def _read(self, descriptor: int) -> bytes | None:
        """One piece of what a stream has; None where it has nothing now, empty at its end."""
        try:
            piece = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return None
        self._streams[descriptor].add(piece)
        return piece

    def _too_long(self) -> bool:
        return sum(printed.length for printed in self.printed) > self._limits.output

    def _broken(self) -> Stopped:
        if self._too_long():
            return "output"
        if threads(self._pid) > self._limits.most_threads:
            return "threads"
        if not self._ended:
            self._end.peak = max(self._end.peak, peak(self._pid))
            self._end.cpu = max(self._end.cpu, spent(self._pid))  # gone where it is killed
        if self._disk is not None:
            return "disk" if over(self._disk, self._pid, self._limits) else ""
        return "disk" if self.folder >= 0 and full(self.folder) else ""

    def _kill(self) -> resource.struct_rusage:
        """End whatever still runs: what all of it used."""
        if self._first >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            gone = select.poll()
            gone.register(self._first, select.POLLIN)
            gone.poll(5_000)
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return usage


def _environment(threads: int) -> dict[str, str]:
    """All that the program knows of the environment: built from nothing, never copied.

    Its folder is added when it has one.
    """
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        # Without -E, so that the hash seed counts; there is no other PYTHON variable to fear.
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "POLARS_MAX_THREADS": str(threads),
    }
