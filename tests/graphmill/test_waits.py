"""A wait of the main thread ends at Ctrl-C, though a library has system calls restarted."""

import os
import signal
from concurrent.futures import Future
from threading import Timer

import pytest

from graphmill.waits import result


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
