"""One thread keeps the time of one call after the other."""

from __future__ import annotations

import os
import sys
from threading import Event
from time import process_time

import pytest

from engines import deadline as module
from engines.deadline import Deadline, left, processor_seconds


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


def test_time_that_others_have_the_processor_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine on which this call gets a fifth of the time: it is stopped after five times as
    long, when it has computed what it may."""
    computed = iter([0.0, 0.02, 0.04, 0.06, 0.08, 0.1])
    monkeypatch.setattr(module, "process_time", lambda: next(computed))
    monkeypatch.setattr(module, "left", lambda *given: left(*given) and 0.01)
    stopped = Event()
    deadline = Deadline(stopped.set)
    deadline.begin(0.1)
    assert stopped.wait(10)
    assert next(computed, None) is None, "it was stopped when it had computed 0.1 s, not before"
    assert deadline.end()
    deadline.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells by /proc")
def test_what_a_process_has_computed_is_told() -> None:
    before, own = processor_seconds(os.getpid()), process_time()
    assert before is not None
    while process_time() < own + 0.1:
        pass
    after = processor_seconds(os.getpid())
    assert after is not None
    assert 0.05 < after - before < 5
    assert processor_seconds(2**22 + 1) is None
