"""A time limit for one call after the other, kept by one thread.

A limit is one of time in which a call could compute: on a machine that has other things to do, the
same query must not be stopped one day and answered the next.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic, process_time

IDLE = 0.05  # share of the time that a call computes, below which it waits for something else
MOST = 1 / IDLE  # times its limit that a call may last at most


def left(allowed: float, passed: float, computed: float) -> float:
    """How many more seconds a call may have, which was allowed some, when some have passed of
    which it has computed some; 0 ends it.

    A call that wanted to compute and was not let gets what it lacks; one that waits for something
    else (a server, a lock) does not.

    >>> left(10, 10, 9.9), left(10, 10, 0.0), left(10, 40, 10), left(10, 10, 4)
    (0.1, 0, 0, 6)
    """
    if computed >= allowed or computed < IDLE * passed or passed >= MOST * allowed:
        return 0
    return max(0.1, allowed - computed)


def processor_seconds(pid: int) -> float | None:
    """What a process has computed so far, in seconds; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


class Deadline:
    """Calls `stop` when a call takes too long.

    A timer for each call is a thread for each call, which costs as much as a small query. This
    thread starts with the first call and is woken only where a limit ends before it looks again.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._changed = threading.Condition()
        self._ends = inf  # of the call that runs
        self._allowed = self._began = self._computed = 0.0
        self._wakes = inf  # when the thread looks again by itself
        self._passed = self._closed = False
        self._thread: threading.Thread | None = None

    def begin(self, seconds: float) -> None:
        """A call begins, which may take this long."""
        with self._changed:
            self._passed = False
            self._allowed, self._began, self._computed = seconds, monotonic(), process_time()
            self._ends = self._began + seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            elif self._ends < self._wakes:
                self._changed.notify()

    def end(self) -> bool:
        """The call is over; whether it was stopped."""
        with self._changed:
            self._ends = inf
            return self._passed

    def close(self) -> None:
        """Let the thread go."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = monotonic()
                if now >= self._ends:
                    more = left(self._allowed, now - self._began, process_time() - self._computed)
                    self._ends = now + more
                    if not more:
                        self._passed, self._ends = True, inf
                        self._stop()
                self._wakes = self._ends
                self._changed.wait(None if self._ends == inf else self._ends - now)
