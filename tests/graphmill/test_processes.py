"""A wait of the main thread ends at Ctrl-C, though a library has system calls restarted. Children
have the modules of their parent, and end when it has."""

import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from threading import Timer

import pytest

from graphmill.processes import module_path, result

ROOT = Path(__file__).resolve().parents[2]
CHILD = "import sys; from graphmill.processes import leave_with; leave_with(int(sys.argv[1]))"
PARENT = f"""
import os, subprocess, sys
subprocess.Popen([sys.executable, "-P", "-c", {CHILD!r}, str(os.getpid())])
"""


def test_ctrl_c_ends_a_wait_where_system_calls_are_restarted() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.siginterrupt(signal.SIGINT, False)  # as polars leaves it
    future: Future[str] = Future()
    timers = [
        Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)),
        Timer(10, future.set_result, ("waited to the end",)),
    ]
    try:
        for timer in timers:
            timer.start()
        with pytest.raises(KeyboardInterrupt):
            result(future)
        assert not future.done()
    finally:
        for timer in timers:
            timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_this_package_comes_first_and_once() -> None:
    first, *others = module_path().split(os.pathsep)
    assert first == str(ROOT)
    assert first not in others


def test_a_child_leaves_with_its_parent() -> None:
    environment = {**os.environ, "PYTHONPATH": module_path()}
    # The pipe is open as long as the child has it, whose parent ends at once.
    done = subprocess.run(
        [sys.executable, "-P", "-c", PARENT], env=environment, capture_output=True, timeout=60
    )
    assert done.returncode == 0
