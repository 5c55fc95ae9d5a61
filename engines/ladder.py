"""How much of an answer is right: a ladder from strict to lax, each rung aware of ties.

`ordered` is what a certificate asks: the rows of the referee, in its order where the query
orders. `bag` leaves the order free, `set` also how often a row is there, and `columns` also where
each column stands. Rows among which LIMIT chooses freely may be any of them, on every rung.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, pairwise
from typing import Any

from engines.base import Result
from engines.compare import Row, Verdict, allowed, normalise, same_bag, tied

COLUMN_ORDERS = 200  # orders of columns that are tried


class Rung(StrEnum):
    """The strictest comparison that an answer passes; `NONE` passes none."""

    ORDERED = "ordered"
    BAG = "bag"
    SET = "set"
    COLUMNS = "columns"
    NONE = "none"


RUNGS = (Rung.ORDERED, Rung.BAG, Rung.SET, Rung.COLUMNS)
"""From strict to lax: an answer that passes one passes all after it."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The referee's answer to the probe of the gold query (`graph_ir.rewrites.probe`), and how it
    is to be read: see `engines.compare.allowed`, whose arguments these are."""

    answer: Result
    keys: int = 0
    skip: int = 0
    limit: int | None = None
    rough: tuple[int, ...] = ()
    unordered_lists: bool = False

    @property
    def width(self) -> int:
        """The number of columns of the gold answer."""
        return len(self.answer.columns) - self.keys

    @property
    def count(self) -> int:
        """The number of rows of the gold answer."""
        start, stop = self.window
        return max(0, stop - start)

    @property
    def window(self) -> tuple[int, int]:
        """Which rows of the probe are the answer, the second exclusive."""
        whole = len(self.answer.rows)
        stop = whole if self.limit is None else min(whole, self.skip + self.limit)
        return min(self.skip, stop), stop

    def allows(self, answer: Result, *, booleans: bool = True) -> Verdict:
        """What a certificate says of an answer."""
        return allowed(
            answer,
            self.answer,
            keys=self.keys,
            skip=self.skip,
            limit=self.limit,
            rough=self.rough,
            booleans=booleans,
            unordered_lists=self.unordered_lists,
        )

    def segments(self) -> Iterator[tuple[list[Row], int]]:
        """The ties that the window touches: their visible rows, and how many of them it takes."""
        rows, width = self.answer.rows, self.width
        start, stop = self.window
        if not self.keys:
            ends = [(0, len(rows))] if rows else []
        else:
            cuts = [
                at
                for at in range(1, len(rows))
                if not tied(rows[at - 1][width:], rows[at][width:], self.rough)
            ]
            edges = [0, *cuts, len(rows)]
            ends = [pair for pair in pairwise(edges) if pair[0] < pair[1]]
        for low, high in ends:
            taken = min(high, stop) - max(low, start)
            if taken > 0:
                yield [row[:width] for row in rows[low:high]], taken


def rung(answer: Result, gold: Gold, *, booleans: bool = True) -> Rung:
    """The strictest rung that `answer` stands on. Without `booleans` true is 1 (SQLite)."""
    if len(answer.columns) != gold.width:
        return Rung.NONE
    straight = _rows_rung(answer, gold, booleans)
    if straight is not Rung.NONE:
        return straight
    return Rung.COLUMNS if rows_in_any_columns(answer, gold, booleans=booleans) else Rung.NONE


def rows_in_any_columns(answer: Result, gold: Gold, *, booleans: bool = True) -> Rung | None:
    """The strictest rung of rows with the columns in the best order; None where no order fits."""
    if len(answer.columns) != gold.width:
        return None
    best: Rung | None = None
    orders = islice(_orders(answer, gold, booleans), COLUMN_ORDERS)
    for order in orders:
        rows = tuple(tuple(row[at] for at in order) for row in answer.rows)
        rung = _rows_rung(replace(answer, rows=rows), gold, booleans)
        if rung is not Rung.NONE and (best is None or RUNGS.index(rung) < RUNGS.index(best)):
            best = rung
        if best is Rung.ORDERED:
            break
    return best


def every_choice(mine: Gold, gold: Gold) -> bool:
    """Whether each answer that `mine` leaves open is one of `gold`'s, in some order of its rows.

    A LIMIT that chooses among ties shows one answer of many. It is right by luck where another
    choice would be wrong: where a row can be there more often than in any answer of `gold`, or
    less often.
    """
    if all(taken == len(rows) for rows, taken in mine.segments()):
        return True  # it leaves nothing open
    unordered = mine.unordered_lists or gold.unordered_lists
    mine, gold = (replace(each, unordered_lists=unordered) for each in (mine, gold))
    (least, most), (fewest, highest) = _bounds(mine), _bounds(gold)
    return fewest <= least and most <= highest


def _bounds(gold: Gold) -> tuple[Counter[str], Counter[str]]:
    """How often each row is at least and at most in the answers that are left open."""
    least: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for rows, taken in gold.segments():
        for row, count in _counted(rows, gold, booleans=True).items():
            least[row] += max(0, taken - (len(rows) - count))
            most[row] += min(count, taken)
    return least, most


def _rows_rung(answer: Result, gold: Gold, booleans: bool) -> Rung:
    """The rung among `ordered`, `bag` and `set` with the columns where they are."""
    if gold.allows(answer, booleans=booleans):
        return Rung.ORDERED
    segments = list(gold.segments())
    if _is_bag(answer, gold, segments, booleans):
        return Rung.BAG
    return Rung.SET if _is_set(answer, gold, segments, booleans) else Rung.NONE


def _is_bag(
    answer: Result, gold: Gold, segments: Sequence[tuple[list[Row], int]], booleans: bool
) -> bool:
    """Whether some order of the answer's rows is allowed."""
    if len(answer.rows) != gold.count:
        return False
    whole = [row for rows, taken in segments for row in rows if taken == len(rows)]
    cut = [(rows, taken) for rows, taken in segments if taken < len(rows)]
    if not cut:
        return bool(
            same_bag(
                answer,
                Result(answer.columns, tuple(whole)),
                booleans=booleans,
                unordered_lists=gold.unordered_lists,
            )
        )
    left = Counter(_key(row, gold, booleans) for row in answer.rows)
    left.subtract(Counter(_key(row, gold, booleans) for row in whole))
    if any(count < 0 for count in left.values()):
        return False
    return _covered(+left, [(_counted(rows, gold, booleans), taken) for rows, taken in cut])


def _covered(left: Counter[str], cut: Sequence[tuple[Counter[str], int]]) -> bool:
    """Whether the rows that are left can be taken from the ties that the window cuts, which are
    two at the most (of SKIP and of LIMIT)."""
    if len(cut) == 1:
        (rows, taken), *_ = cut
        return left.total() == taken and left <= rows
    (first, low), (second, high) = cut[0], cut[-1]
    if left.total() != low + high or not left <= first + second:
        return False
    least = sum((left - second).values())  # only the first tie has these
    most = sum((left & first).values())
    return least <= low <= most


def _is_set(
    answer: Result, gold: Gold, segments: Sequence[tuple[list[Row], int]], booleans: bool
) -> bool:
    """Whether the distinct rows are those of some answer that is allowed."""
    mine = {_key(row, gold, booleans) for row in answer.rows}
    whole: set[str] = set()
    open_rows: set[str] = set()
    most = 0  # distinct rows that the cut ties give at most
    for rows, taken in segments:
        counted = _counted(rows, gold, booleans)
        if taken == len(rows):
            whole |= counted.keys()
            continue
        open_rows |= counted.keys()
        most += min(taken, len(counted))
        if len(mine & counted.keys()) < _least(counted, taken):
            return False
    return whole <= mine <= whole | open_rows and len(mine - whole) <= most


def _least(counted: Counter[str], taken: int) -> int:
    """The fewest distinct rows that `taken` rows of a tie can be."""
    number = 0
    for _, count in counted.most_common():
        if taken <= 0:
            break
        taken -= count
        number += 1
    return number


def _orders(answer: Result, gold: Gold, booleans: bool) -> Iterator[tuple[int, ...]]:
    """Orders of the answer's columns, but the one it has, whose values fit the gold's."""
    start, stop = gold.window
    wanted = [
        {_key((row[at],), gold, booleans) for row in gold.answer.rows} for at in range(gold.width)
    ]
    needed = [
        {_key((row[at],), gold, booleans) for row in gold.answer.rows[start:stop]}
        if not gold.keys and gold.limit is None
        else set()
        for at in range(gold.width)
    ]
    mine = [{_key((row[at],), gold, booleans) for row in answer.rows} for at in range(gold.width)]
    fits: dict[int, list[int]] = defaultdict(list)
    for place in range(gold.width):
        for at, values in enumerate(mine):
            if needed[place] <= values <= wanted[place]:
                fits[place].append(at)

    def extend(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == gold.width:
            yield chosen
            return
        for at in fits[len(chosen)]:
            if at not in chosen:
                yield from extend((*chosen, at))

    return (order for order in extend(()) if order != tuple(range(gold.width)))


def _counted(rows: Sequence[Row], gold: Gold, booleans: bool) -> Counter[str]:
    return Counter(_key(row, gold, booleans) for row in rows)


def _key(row: Sequence[Any], gold: Gold, booleans: bool) -> str:
    lists = gold.unordered_lists
    return repr([normalise(value, booleans=booleans, unordered_lists=lists) for value in row])
