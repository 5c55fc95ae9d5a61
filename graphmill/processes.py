"""This process and those that run a module of ours beside it: waits that Ctrl-C ends, what a child
finds, and when it ends.

polars, when it is imported, wraps the handler of SIGINT and has system calls restarted
(`SA_RESTART`, as its library signal-hook does for all signals). A main thread that waits for a
lock is then not woken: Python's own handler runs when the wait is over, which may be never.
"""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import Future
from pathlib import Path
from time import sleep

_LOOK = 0.2  # seconds between two looks whether the parent is there still


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


def module_path() -> str:
    """What `PYTHONPATH` is for a child, so that it has the modules that this process has, and this
    package first."""
    home = str(Path(__file__).resolve().parents[1])
    return os.pathsep.join([home, *(entry for entry in sys.path if entry and entry != home)])


def leave_with(parent: int) -> None:
    """End this process as soon as its parent has, which may be killed: nobody waits for what it
    makes. A thread of the child runs this, with the number that the parent has told it: one that
    has ended before is not asked for its own."""
    while os.getppid() == parent:
        sleep(_LOOK)
    os._exit(1)
