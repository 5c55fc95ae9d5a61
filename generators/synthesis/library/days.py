"""Days of the calendar that contracts, cards and terms begin and end on."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl

# Holidays of countries that graphs are at home in, as month and day. Where they are none, nobody
# misses the days.
_FIXED = (
    *(101, 106, 425, 427, 501, 503, 508, 602, 606, 619, 704, 714, 815),
    *(1003, 1012, 1101, 1111, 1206, 1208, 1225, 1226),
)
_FROM_EASTER = (-2, 1, 39, 50, 60)  # Good Friday, Easter Monday, Ascension, Whit Monday, Corpus


def is_holiday(days: pl.Series) -> pl.Series:
    """Which days are a holiday of one of the countries."""
    fixed = days.dt.month().cast(pl.Int32) * 100 + days.dt.day()
    years = days.dt.year().unique().drop_nulls().sort()
    moving = pl.Series([day for year in years for day in _moving(year)], dtype=pl.Date)
    return fixed.is_in(_FIXED) | days.cast(pl.Date).is_in(moving.implode())


def _moving(year: int) -> list[date]:
    """The holidays of a year that go by Easter or by the weekday: those of Britain, of the United
    States and midsummer's eve of Sweden."""
    golden, of_four, of_seven = year % 19, year % 4, year % 7
    moon = (19 * golden + 24) % 30  # Gauss, for the years 1900 to 2099
    sunday = (2 * of_four + 4 * of_seven + 6 * moon + 5) % 7
    late = sunday == 6 and (moon == 29 or (moon == 28 and golden > 10))
    easter = date(year, 3, 22) + timedelta(days=moon + sunday - 7 * late)
    mondays = [date(year, *first) for first in ((1, 15), (2, 15), (5, 1), (5, 25), (8, 25), (9, 1))]
    weekdays = [_next(day, 0) for day in mondays]
    weekdays += [_next(date(year, 11, 22), 3), _next(date(year, 6, 19), 4)]
    return [easter + timedelta(days=away) for away in _FROM_EASTER] + weekdays


def _next(day: date, weekday: int) -> date:
    """The first such day of the week (0: Monday) that is not before a day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def whole_months(start: pl.Series, moments: pl.Series, step: int) -> pl.Series:
    """The last of the days `step` months, or twice … after a start that is not behind a moment."""
    count = (moments.dt.year() - start.dt.year()) * 12
    count = count + moments.dt.month().cast(pl.Int32) - start.dt.month()
    table = pl.DataFrame({"start": start, "moment": moments, "count": count})

    def after(less: int) -> pl.Expr:
        months = pl.max_horizontal(pl.col("count") - less, 0) // step * step
        return pl.col("start").dt.offset_by(pl.format("{}mo", months))

    there = after(0) <= pl.col("moment")
    return table.select(pl.when(there).then(after(0)).otherwise(after(1))).to_series()


def on_day(moments: pl.Series, day: str, away: int = 0) -> pl.Series:
    """The `first` or `last` day of each month, or a day of each year (`06-30`); `away` is how many
    months or years on."""
    if day in ("first", "last"):
        months = moments.dt.truncate("1mo").dt.offset_by(f"{away}mo")
        return months if day == "first" else months.dt.offset_by("1mo").dt.offset_by("-1d")
    month, number = map(int, day.split("-"))
    years = moments.dt.truncate("1y").dt.offset_by(f"{away}y")
    return years.dt.offset_by(f"{month - 1}mo").dt.offset_by(f"{number - 1}d")
