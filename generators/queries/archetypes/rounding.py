"""Numbers and days that people ask with: "more than 20", not "more than 19"; "since 1 May", not
"since 19 May"."""

from __future__ import annotations

import math
from collections.abc import Iterator

FIRSTS = (1, 2, 3, 5, 10)  # how many of the first people ask for
_COUNTED = 10  # so many are counted one by one


def rounder(value: float, *, whole: bool) -> Iterator[int | float]:
    """Rounder numbers near one, the roundest first: of one digit, of one and a half, of two.

    >>> list(rounder(4720, whole=True)), list(rounder(23.35, whole=False))
    ([5000, 4500, 4700], [20.0, 25.0, 23.0])
    >>> list(rounder(57, whole=True)), list(rounder(7, whole=True)), list(rounder(0, whole=True))
    ([60, 55, 57], [7], [])
    """
    given: set[float] = set()
    for step in steps(value, whole=whole):
        near = round(value / step) * step
        number = round(near) if whole else round(near, 9)
        if number not in given:
            given.add(number)
            yield number


def steps(value: float, *, whole: bool) -> Iterator[float]:
    """What round numbers near one are multiples of, the roundest first; none of 0.

    >>> list(steps(4720, whole=True)), list(steps(23.35, whole=False)), list(steps(7, whole=True))
    ([1000.0, 500.0, 100.0], [10.0, 5.0, 1.0], [1.0])
    """
    if not value or not math.isfinite(value):
        return
    size = 10.0 ** math.floor(math.log10(abs(value)))
    yield from (step for step in (size, size / 2, size / 10) if step >= 1 or not whole)


def round_count(number: int, least: int, most: int) -> int:
    """How many of something people would ask for instead of a number: from eleven on a round one.

    >>> round_count(19, 1, 40), round_count(57, 1, 100), round_count(7, 1, 40)
    (20, 60, 7)
    >>> round_count(19, 1, 19), round_count(11, 11, 12)
    (15, 11)
    """
    if number <= _COUNTED:
        return number
    size = 10 ** (len(str(number)) - 1)
    nearest = (round(number / step) * step for step in (size, size // 2))
    return next((n for n in (*nearest, number // 5 * 5) if least <= n <= most), number)


def round_days(day: str) -> Iterator[str]:
    """The first days of the year and of the month of a day, `YYYY-MM-DD`.

    >>> list(round_days("2024-05-19"))
    ['2024-01-01', '2024-05-01']
    """
    yield f"{day[:4]}-01-01"
    yield f"{day[:7]}-01"
