"""Waits that Ctrl-C ends.

polars, when it is imported, wraps the handler of SIGINT and has system calls restarted
(`SA_RESTART`, as its library signal-hook does for all signals). A main thread that waits for a
lock is then not woken: Python's own handler runs when the wait is over, which may be never.
"""

from __future__ import annotations

import signal
from concurrent.futures import Future


def wake_at_interrupt() -> None:
    """Let SIGINT end the waits of this process from now on, whatever was imported meanwhile."""
    signal.siginterrupt(signal.SIGINT, True)


def result[R](future: Future[R]) -> R:
    """What the future brings, waited for so that Ctrl-C ends the wait.

    Raises:
        BaseException: what the future raises; KeyboardInterrupt in the main thread.
    """
    wake_at_interrupt()
    return future.result()
