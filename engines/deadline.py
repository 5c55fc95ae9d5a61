"""A time limit for one call after the other, kept by one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from math import inf
from time import monotonic


class Deadline:
    """Calls `stop` when a call takes too long.

    A timer for each call is a thread for each call, which costs as much as a small query. This
    thread starts with the first call and is woken only where a limit ends before it looks again.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._changed = threading.Condition()
        self._ends = inf  # of the call that runs
        self._wakes = inf  # when the thread looks again by itself
        self._passed = self._closed = False
        self._thread: threading.Thread | None = None

    def begin(self, seconds: float) -> None:
        """A call begins, which may take this long."""
        with self._changed:
            self._passed = False
            self._ends = monotonic() + seconds
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
                    self._passed, self._ends = True, inf
                    self._stop()
                self._wakes = self._ends
                self._changed.wait(None if self._ends == inf else self._ends - now)
