"""The desks of one process whose units come in several threads: one unit a desk at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pipelines.jobs.units import Desk


class Desks:
    """At most `most` desks, which are lent out; those that have a database open for its units."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._free: list[tuple[str, Desk]] = []  # with the database that was open last
        self._lent = 0
        self._changed = threading.Condition()

    @contextmanager
    def borrowed(self, place: str) -> Iterator[Desk]:
        """A desk for a unit of `place`, waited for where all are in use."""
        with self._changed:
            while self._lent >= self._most:
                self._changed.wait()
            self._lent += 1
            fitting = [each for each in self._free if each[0] == place]
            known = (fitting or self._free or [("", Desk())])[0]
            if known in self._free:
                self._free.remove(known)
        try:
            yield known[1]
        finally:
            with self._changed:
                self._free.append((place or known[0], known[1]))
                self._lent -= 1
                self._changed.notify()

    def close(self) -> None:
        """Close the desks that nobody has."""
        with self._changed:
            free, self._free = self._free, []
        for _, desk in free:
            desk.close()


DESKS = Desks(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)
