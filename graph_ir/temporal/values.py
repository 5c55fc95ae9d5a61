"""`Moment` and `Span`: dates, times, datetimes and durations, and how Cypher writes them.

Years are unbounded and the calendar is the proleptic Gregorian one (ISO 8601), as in Java's
`java.time`, on which Cypher's temporal types rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from schemagraph.model import Kind

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

WITH_DATE = frozenset({Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME})
WITH_TIME = frozenset({Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME})
ZONED = frozenset({Kind.ZONED_TIME, Kind.ZONED_DATETIME})


class TemporalError(ValueError):
    """A text, a map or an operation that is no temporal value."""


# --- calendar --------------------------------------------------------------------------------


def days_of(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01.

    >>> days_of(1970, 1, 1), days_of(2000, 3, 1), days_of(-1, 12, 31)
    (0, 11017, -719529)

    Raises:
        TemporalError: there is no such day.
    """
    if not 1 <= month <= 12 or not 1 <= day <= month_length(year, month):
        raise TemporalError(f"there is no day {year}-{month}-{day}")
    y = year - (month <= 2)
    era, of_era = divmod(y, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def date_of(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day since 1970-01-01.

    >>> date_of(11017), date_of(-719529)
    ((2000, 3, 1), (-1, 12, 31))
    """
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    mp = (5 * of_year + 2) // 153
    day = of_year - (153 * mp + 2) // 5 + 1
    month = mp + (3 if mp < 10 else -9)
    return year + era * 400 + (month <= 2), month, day


def leap(year: int) -> bool:
    """Whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """The number of days of a month."""
    return (
        29
        if month == 2 and leap(year)
        else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    )


def weekday(days: int) -> int:
    """1 for Monday to 7 for Sunday."""
    return (days + 3) % 7 + 1


def week_start(year: int) -> int:
    """The Monday of week 1 of a week-based year (ISO 8601)."""
    fourth = days_of(year, 1, 4)
    return fourth - weekday(fourth) + 1


def week_of(days: int) -> tuple[int, int]:
    """Week-based year and week."""
    year = date_of(days)[0]
    for candidate in (year + 1, year, year - 1):
        start = week_start(candidate)
        if days >= start:
            return candidate, (days - start) // 7 + 1
    raise AssertionError("a day lies in one of three years")


def plus_months(days: int, months: int) -> int:
    """The same day of another month, or its last one."""
    year, month, day = date_of(days)
    year, index = divmod(year * 12 + month - 1 + months, 12)
    return days_of(year, index + 1, min(day, month_length(year, index + 1)))


# --- values ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, time or datetime: days since 1970-01-01, nanoseconds of the day, offset, zone.

    `offset` is in seconds east of Greenwich. What a kind has not is 0.
    """

    kind: Kind
    days: int = 0
    nanos: int = 0
    offset: int = 0
    zone: str | None = None

    @property
    def local(self) -> int:
        """Nanoseconds since 1970-01-01T00:00 on the local clock."""
        return self.days * DAY + self.nanos

    @property
    def instant(self) -> int:
        """Nanoseconds since 1970-01-01T00:00Z."""
        return self.local - self.offset * SECOND

    def as_kind(self, kind: Kind) -> Moment:
        """The same value as another kind; what it lacks is the first day, midnight, UTC."""
        return Moment(
            kind,
            self.days if kind in WITH_DATE and self.kind in WITH_DATE else 0,
            self.nanos if kind in WITH_TIME else 0,
            self.offset if kind in ZONED else 0,
            self.zone if kind is Kind.ZONED_DATETIME else None,
        )

    def __str__(self) -> str:
        """Cypher's text: seconds always, no zeros at the end of a fraction."""
        text = date_text(self.days) if self.kind in WITH_DATE else ""
        if self.kind in WITH_TIME:
            text += ("T" if text else "") + clock_text(self.nanos)
        if self.kind in ZONED:
            text += offset_text(self.offset)
        return text + (f"[{self.zone}]" if self.zone else "")

    def shown(self) -> str:
        """The text of results: a fraction of six or nine digits, the offset but no zone's name."""
        if self.kind not in WITH_TIME:
            return str(self)
        text = date_text(self.days) + "T" if self.kind in WITH_DATE else ""
        seconds, rest = divmod(self.nanos, SECOND)
        text += f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        if rest:
            text += f".{rest:09}".removesuffix("000")
        if self.kind in ZONED:
            text += offset_text(self.offset)
        return text


@dataclass(frozen=True, slots=True)
class Span:
    """A duration: months, days and nanoseconds, none of which converts into another."""

    months: int = 0
    days: int = 0
    nanos: int = 0

    def __str__(self) -> str:
        """ISO 8601 text.

        >>> str(Span(14, 3, 14_706_789_000_000)), str(Span()), str(Span(0, 0, -1_500_000_000))
        ('P1Y2M3DT4H5M6.789S', 'PT0S', 'PT-1.5S')
        """
        years, months = _toward_zero(self.months, 12)
        clock, rest = _toward_zero(self.nanos, SECOND)
        minutes, seconds = _toward_zero(clock, 60)
        hours, minutes = _toward_zero(minutes, 60)
        parts = [(years, "Y"), (months, "M"), (self.days, "D")]
        text = "".join(f"{number}{unit}" for number, unit in parts if number)
        time = "".join(
            f"{number}{unit}" for number, unit in ((hours, "H"), (minutes, "M")) if number
        )
        if seconds or rest:
            fraction = f".{abs(rest):09}".rstrip("0") if rest else ""
            sign = "-" if seconds < 0 or rest < 0 else ""
            time += f"{sign}{abs(seconds)}{fraction}S"
        if not text and not time:
            return "PT0S"
        return "P" + text + ("T" + time if time else "")


type Temporal = Moment | Span


def _toward_zero(number: int, by: int) -> tuple[int, int]:
    quotient, rest = divmod(abs(number), by)
    return (quotient, rest) if number >= 0 else (-quotient, -rest)


# --- texts -----------------------------------------------------------------------------------


def date_text(days: int) -> str:
    """ISO 8601; years have at least four digits, and a sign beyond 9999.

    >>> date_text(0), date_text(days_of(-44, 3, 15)), date_text(days_of(12345, 1, 1))
    ('1970-01-01', '-0044-03-15', '+12345-01-01')
    """
    year, month, day = date_of(days)
    head = f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"
    return f"{head}-{month:02}-{day:02}"


def clock_text(nanos: int) -> str:
    """hh:mm:ss, and as many digits of a fraction as there are.

    >>> clock_text(0), clock_text(3_600_500_000_000)
    ('00:00:00', '01:00:00.5')
    """
    seconds, rest = divmod(nanos, SECOND)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{rest:09}".rstrip("0") if rest else text


def offset_text(offset: int) -> str:
    """`Z`, `+01:00` or `+00:53:28`."""
    if not offset:
        return "Z"
    seconds = abs(offset)
    text = f"{'-' if offset < 0 else '+'}{seconds // 3600:02}:{seconds // 60 % 60:02}"
    return text + (f":{seconds % 60:02}" if seconds % 60 else "")


# --- zones -----------------------------------------------------------------------------------

_FIRST, _LAST = datetime.min.toordinal() - 719163, datetime.max.toordinal() - 719163


def zone_info(zone: str) -> ZoneInfo:
    """The rules of a named zone.

    Raises:
        TemporalError: there is no such zone.
    """
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as problem:
        raise TemporalError(f"there is no time zone '{zone}'") from problem


def offset_at(zone: str, local: int, preferred: int | None = None) -> tuple[int, int]:
    """The offset of a zone at a local time, and the local time itself, moved out of a gap.

    Where clocks go back the earlier offset counts, unless `preferred` is the later one.
    """
    info = zone_info(zone)
    days, rest = divmod(local, DAY)
    # Rules of far years are those of years with the same calendar.
    shift = 0
    if not _FIRST + 400 < days < _LAST - 400:
        shift = (days // 146097) * 146097
        days -= shift
    at = datetime(1970, 1, 1) + timedelta(days=days, microseconds=rest // 1000)
    offsets = []
    for fold in (0, 1):
        delta = at.replace(tzinfo=info, fold=fold).utcoffset()
        offsets.append(round(delta.total_seconds()) if delta is not None else 0)
    first, second = offsets
    back = (at - timedelta(seconds=first)).replace(tzinfo=UTC).astimezone(info)
    if first != second and back.replace(tzinfo=None) != at:
        # A gap: the clock is set forward by its length.
        return second, local + (second - first) * SECOND
    if preferred is not None and preferred == second:
        return second, local
    return first, local


def offset_of_instant(zone: str, instant: int) -> int:
    """The offset of a zone at an instant."""
    info = zone_info(zone)
    days, rest = divmod(instant, DAY)
    if not _FIRST + 400 < days < _LAST - 400:
        days -= (days // 146097) * 146097
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=days, microseconds=rest // 1000)
    delta = at.astimezone(info).utcoffset()
    return round(delta.total_seconds()) if delta is not None else 0


def zoned(local: int, offset: int | None, zone: str | None) -> Moment:
    """A datetime of a local time in a zone (whose offset then follows) or with an offset."""
    if zone is not None:
        offset, local = offset_at(zone, local, offset)
    days, nanos = divmod(local, DAY)
    return Moment(Kind.ZONED_DATETIME, days, nanos, offset or 0, zone)


def at_instant(instant: int, offset: int, zone: str | None) -> Moment:
    """A datetime of an instant in a zone or with an offset."""
    if zone is not None:
        offset = offset_of_instant(zone, instant)
    days, nanos = divmod(instant + offset * SECOND, DAY)
    return Moment(Kind.ZONED_DATETIME, days, nanos, offset, zone)


def with_offset(moment: Moment, offset: int) -> Moment:
    """A time with a zone on the clock of another offset, without a date to shift."""
    nanos = (moment.nanos + (offset - moment.offset) * SECOND) % DAY
    return replace(moment, nanos=nanos, offset=offset, zone=None)
