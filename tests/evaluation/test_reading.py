"""Reading a hostile text has a limit of time: of time in which this process computes."""

from __future__ import annotations

from time import process_time, sleep

import pytest

from evaluation.reading import TooSlow, patience


def test_who_computes_too_long_is_stopped() -> None:
    with pytest.raises(TooSlow), patience(0.05):
        _compute(10)


def _compute(seconds: float) -> None:
    until = process_time() + seconds
    while process_time() < until:
        pass


def test_who_waits_for_the_processor_is_not() -> None:
    """A process that others keep from computing is like one that sleeps."""
    with patience(0.05):
        sleep(0.2)
