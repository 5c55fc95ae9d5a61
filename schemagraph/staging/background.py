"""Work on one batch while the next one is made: two threads, in order, bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self


class Behind[*Items]:
    """Calls `work` for each `put`, one after the other: the first at once, all else in a thread.

    At most one call runs and none waits: `put` returns when the call before has ended, and raises
    what that one raised; leaving the context waits for the last one. So a single small batch
    costs no thread.

    >>> found = []
    >>> with Behind(found.append) as behind:
    ...     for number in range(3):
    ...         behind.put(number)
    >>> found
    [0, 1, 2]
    """

    def __init__(self, work: Callable[[*Items], None]) -> None:
        self._work = work
        self._begun = False
        self._pool: ThreadPoolExecutor | None = None
        self._running: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            with self._pool:
                if kind is None:
                    self._wait()

    def _wait(self) -> None:
        if self._running is not None:
            self._running.result()

    def put(self, *items: *Items) -> None:
        """Start the work on `items` when the one before is done."""
        if not self._begun:
            self._begun = True
            self._work(*items)
            return
        self._wait()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1)
        self._running = self._pool.submit(self._work, *items)
