"""One thread keeps the time of one call after the other."""

from __future__ import annotations

from threading import Event

from engines.deadline import Deadline


def test_a_call_that_takes_too_long_is_stopped() -> None:
    stopped = Event()
    deadline = Deadline(stopped.set)
    deadline.begin(60)
    assert not deadline.end()
    deadline.begin(0.01)  # sooner than the thread would look by itself
    assert stopped.wait(10)
    assert deadline.end()
    deadline.close()


def test_a_call_that_is_over_is_not_stopped() -> None:
    stopped, next_one = Event(), Event()
    deadline = Deadline(stopped.set)
    deadline.begin(0.2)
    assert not deadline.end()
    deadline.begin(60)
    assert not next_one.wait(0.5)
    assert not stopped.is_set()
    assert not deadline.end()
    deadline.close()
