"""Whether an answer of a mutant could be the query's: ties are ties, and an order is an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from qa.mutation.interpreter.clauses import Outcome

type Rows = list[tuple[object, ...]]


def tells_apart(gold: Outcome, mutant: Outcome, *, loses_order: bool = False) -> bool:
    """Whether the mutant's answer shows that it is not the query.

    A mutant whose window cuts ties may have several answers; then the query's must not be one of
    them, unless it is its order that it has lost. An answer that depends on how an inner window
    cut ties shows nothing.
    """
    if gold.open or mutant.open or permits(gold, mutant.window):
        return False
    if loses_order or (mutant.limit is None and not mutant.skip):
        return True
    return not permits(mutant, gold.window)


def permits(gold: Outcome, rows: Rows) -> bool:
    """Whether `rows` is one of the answers that `gold` allows (`engines.compare.allowed`)."""
    whole = gold.rows
    window = gold.window
    if len(rows) != len(window):
        return False
    if rows == window:
        return True
    start = gold.skip
    for low, high in _ties(gold):
        first, last = max(low, start), min(high, start + len(window))
        if first >= last:
            continue
        mine, theirs = Counter(rows[first - start : last - start]), Counter(whole[low:high])
        if mine - theirs or (last - first == high - low and theirs - mine):
            return False
    return True


def _ties(gold: Outcome) -> Iterator[tuple[int, int]]:
    """Positions (from, to) of rows whose order is open."""
    start = 0
    for number in range(1, len(gold.rows)):
        if gold.keys is not None and gold.keys[number - 1] != gold.keys[number]:
            yield start, number
            start = number
    if gold.rows:
        yield start, len(gold.rows)
