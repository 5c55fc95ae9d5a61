"""How fast the processor is at this moment: with other work beside, its pace changes by half."""

from __future__ import annotations

import time


def pace(times: int = 1) -> float:
    """Milliseconds of processor time that a loop over a million squares takes, on average."""
    start = time.process_time()
    for _ in range(times):
        sum(number * number for number in range(1_000_000))
    return 1000 * (time.process_time() - start) / times
