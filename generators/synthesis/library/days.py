"""Days of the calendar that contracts, cards and terms begin and end on."""

from __future__ import annotations

import polars as pl


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
