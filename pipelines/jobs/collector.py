"""Python's search for cycles of garbage, while a build runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def few_collections() -> Iterator[None]:
    """Look for cycles of garbage seldom.

    Queries are trees, which free themselves, and there are millions of their nodes: with Python's
    own thresholds the search takes a tenth of a build.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
