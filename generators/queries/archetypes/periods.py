"""Moments as people say them: days, months, years."""

from __future__ import annotations

_LONG = 300  # days from which on a period is a year


def day(moment: str) -> str:
    """A moment cut at midnight.

    >>> day("2018-03-07T16:12:36"), day("2018-03-07")
    ('2018-03-07T00:00:00', '2018-03-07')
    """
    date, separator, _ = moment.partition("T")
    return f"{date}T00:00:00" if separator else date


def whole_period(lo: str, hi: str) -> tuple[str, str]:
    """The month in which a moment lies, or the year where it is far to the other one: both ends.

    >>> whole_period("2018-03-07", "2018-04-20"), whole_period("2017-03-07", "2019-01-01")
    (('2018-03-01', '2018-04-01'), ('2017-01-01', '2018-01-01'))
    """
    year, month = int(lo[:4]), int(lo[5:7])
    clock = "T00:00:00" if "T" in lo else ""
    days = (int(hi[:4]) - year) * 365 + (int(hi[5:7]) - month) * 30
    if days > _LONG:
        return f"{year:04}-01-01{clock}", f"{year + 1:04}-01-01{clock}"
    after = (year + month // 12, month % 12 + 1)
    return f"{year:04}-{month:02}-01{clock}", f"{after[0]:04}-{after[1]:02}-01{clock}"
