"""Cumulative distribution functions of the specification, written apart from what draws from it.

And how far a sample is from one: Kolmogorov's and Smirnov's distance, Pearson's chi-square. With
many rows the smallest difference is significant, so that a sample is wrong only where the
difference is both significant and large.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import cache

import numpy as np
import polars as pl

from schemagraph.specification import distributions as d

type Curve = Callable[[np.ndarray], np.ndarray]

FAR = 0.05  # Kolmogorov's and Smirnov's distance that people would see in a plot
UNLIKELY = 3.0  # distance times the root of n: comes by chance once in 3e7 samples
# free in one of the countries; in the others nobody misses them
_HOLIDAYS = (
    *((1, 1), (1, 6), (4, 25), (4, 27), (5, 1), (5, 3), (5, 8), (6, 2), (6, 6), (6, 19), (7, 4)),
    *((7, 14), (8, 15), (10, 3), (10, 12), (11, 1), (11, 11), (12, 6), (12, 8), (12, 25), (12, 26)),
)
# Mondays of Britain and the United States, Thanksgiving, midsummer's eve: weekday, first, last day
_WEEKDAYS = (
    *((1, 1, 15, 21), (2, 1, 15, 21), (5, 1, 1, 7), (5, 1, 25, 31), (8, 1, 25, 31), (9, 1, 1, 7)),
    *((11, 4, 22, 28), (6, 5, 19, 25)),
)
_AROUND_EASTER = {-2, 1, 39, 50, 60}  # Good Friday, Easter Monday, Ascension, Whit Monday, Corpus
SMALL_EFFECT, LARGE_EFFECT = 0.1, 0.5  # Cohen's w, from which effects are called so


def curve(given: d.Numeric) -> Curve:
    """The cumulative distribution of numbers, of those before they are rounded.

    A bound cuts the rounded numbers, so that half a step beyond it belongs to the range.
    """
    if isinstance(given, d.Mixture):
        total = sum(part.weight for part in given.parts)
        parts = [(part.weight / total, curve(part.of)) for part in given.parts]
        return lambda x: np.asarray(sum(weight * part(x) for weight, part in parts))
    step = 10.0**-given.decimals
    if isinstance(given, d.Uniform):
        low, width = given.low - step / 2, given.high - given.low + step
        return lambda x: np.clip((x - low) / width, 0, 1)
    whole = _normal(given) if isinstance(given, d.Normal) else _log_normal(given)
    first = 0.0 if given.low is None else float(whole(np.array([given.low - step / 2]))[0])
    last = 1.0 if given.high is None else float(whole(np.array([given.high + step / 2]))[0])
    return lambda x: np.clip((whole(x) - first) / (last - first), 0, 1)


def _normal(given: d.Normal) -> Curve:
    def cumulative(x: np.ndarray) -> np.ndarray:
        return np.array([_phi((value - given.mean) / given.deviation) for value in x])

    return cumulative


def _log_normal(given: d.LogNormal) -> Curve:
    def cumulative(x: np.ndarray) -> np.ndarray:
        return np.array(
            [_phi(math.log(v / given.median) / given.sigma) if v > 0 else 0.0 for v in x]
        )

    return cumulative


def _phi(z: float) -> float:
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def steps_of(given: d.Numeric) -> float:
    """The coarsest step to which the numbers are rounded."""
    if isinstance(given, d.Mixture):
        return max(steps_of(part.of) for part in given.parts)
    return 10.0**-given.decimals


def bounds_of(given: d.Numeric) -> tuple[float, float]:
    """The lowest and highest number that can come out."""
    if isinstance(given, d.Mixture):
        pairs = [bounds_of(part.of) for part in given.parts]
        return min(low for low, _ in pairs), max(high for _, high in pairs)
    low = -math.inf if given.low is None else given.low
    if isinstance(given, d.LogNormal):
        low = max(low, 0.0)
    return low, math.inf if given.high is None else given.high


def distance(values: np.ndarray, expected: Curve, step: float) -> float:
    """The greatest distance between a sample's cumulative distribution and the expected one.

    It is taken at 400 of the sample's own values, half a step above each.
    """
    ordered = np.sort(values)
    at = np.unique(ordered[np.linspace(0, len(ordered) - 1, 400).astype(int)])
    share = np.searchsorted(ordered, at + step / 4, side="right") / len(ordered)
    return float(np.abs(share - expected(at + step / 2)).max())


def distance_allowed(size: int) -> float:
    """The distance up to which a sample of this size is right."""
    return max(FAR, UNLIKELY / math.sqrt(max(1, size)))


def chi_square(counts: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """Cohen's w of counts against shares that add up to 1, and the w that is allowed.

    What is expected less than five times is counted as one, as is usual.
    """
    observed, expected = np.array(counts, dtype=float), np.array(shares, dtype=float)
    size = observed.sum()
    if not size:
        return 0.0, SMALL_EFFECT
    rare = expected * size < 5
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    there = expected > 0
    off = (observed[there] / size - expected[there]) ** 2 / expected[there]
    freedom = max(1, int(there.sum()) - 1)
    # Wilson and Hilferty's bound of chi-square at six standard deviations; what is rare even
    # when taken together may come by chance more often than that.
    bound = freedom * (1 - 2 / (9 * freedom) + 6 * math.sqrt(2 / (9 * freedom))) ** 3
    least = float(expected[there].min()) * size
    bound += 36 / least if least < 5 else 0
    return float(np.sqrt(off.sum())), max(SMALL_EFFECT, math.sqrt(bound / size))


def days_curve(given: d.Dates) -> tuple[np.datetime64, np.ndarray]:
    """The first day of a range, and the expected share up to each of its days."""
    first, last = d.moment(given.start).date(), d.moment(given.end).date()
    count = (last - first).days + 1
    weights = np.empty(count)
    for number in range(count):
        day = first + timedelta(days=number)
        weight = given.growth ** (number / max(1, count - 1))
        if given.months:
            weight *= given.months[day.month - 1]
        if given.weekdays:
            weight *= given.weekdays[day.weekday()]
        if (given.workdays or given.shopdays) and (
            day.isoweekday() > _last_day(given) or is_holiday(day)
        ):
            weight = 0.0
        if given.day:
            other = day if given.day == "first" else day + timedelta(days=1)
            weight *= other.day == 1
        weights[number] = weight
    return np.datetime64(first), np.cumsum(weights) / weights.sum()


def is_on(day: str, value: date, start: date) -> bool:
    """Whether a day is one that `After.day` says, of what follows `start`."""
    if day == "year":
        short = (start.month, start.day) == (2, 29) and (value.month, value.day) == (2, 28)
        return short or (value.month, value.day) == (start.month, start.day)
    if day in ("first", "last"):
        return (value if day == "first" else value + timedelta(days=1)).day == 1
    return value.strftime("%m-%d") == day


def day_between(day: str, value: date, start: date, ends: list[date]) -> bool:
    """Whether such a day lies from `start` to all `ends`, within a year or a month of a value."""
    reach = 31 if day in ("first", "last") else 366
    near = (value + timedelta(days=away) for away in range(-reach, 1 if day == "last" else reach))
    last = min(ends, default=date.max)
    return any(start <= other <= last and is_on(day, other, start) for other in near)


def _last_day(given: d.Dates | d.After) -> int:
    """The last day of a week that is open, of 7."""
    return 6 if given.shopdays else 5


def is_free(moments: pl.Series, given: d.Dates | d.After) -> pl.Series:
    """Which moments lie on a week-end (for shops, a Sunday) or a holiday."""
    days = moments.cast(pl.Date)
    holidays = [day for day in days.unique().drop_nulls() if is_holiday(day)]
    off = days.is_in(pl.Series(holidays, dtype=pl.Date).implode())
    return (moments.dt.weekday() > _last_day(given)) | off


def is_holiday(day: date) -> bool:
    """Whether a day is a holiday of one of the countries."""
    if (day - _easter(day.year)).days in _AROUND_EASTER or (day.month, day.day) in _HOLIDAYS:
        return True
    return any(
        (day.month, day.isoweekday()) == (month, weekday) and first <= day.day <= last
        for month, weekday, first, last in _WEEKDAYS
    )


@cache
def _easter(year: int) -> date:
    """Easter Sunday, by the epact of Lilius and Clavius."""
    century, golden = year // 100, year % 19
    moon = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    away = moon - weekday
    month = 3 + (away + 40) // 44
    return date(year, month, away + 28 - 31 * (month // 4))


def last_moment(text: str) -> datetime:
    """The end of a range: for a day, its last second."""
    moment = d.moment(text)
    return moment if len(text) > 10 else moment + timedelta(days=1, seconds=-1)
