"""Temporal values from maps of parts and from other values, and their truncation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from graph_ir.temporal.parse import (
    clock_of,
    days_of_ordinal,
    days_of_quarter,
    days_of_week,
    parse_moment,
    parse_span,
    parse_zone,
    span_of,
)
from graph_ir.temporal.values import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    WITH_DATE,
    WITH_TIME,
    ZONED,
    Moment,
    Span,
    TemporalError,
    at_instant,
    date_of,
    days_of,
    offset_of_instant,
    week_of,
    week_start,
    weekday,
    with_offset,
    zoned,
)
from schemagraph.model import Kind

type Part = int | float | str | Moment | Span
type Parts = Mapping[str, Part]

# The days of the years from -999,999,999 to 999,999,999, which java.time.LocalDate has.
_FIRST_SECOND, _END = -365_243_219_162 * 86_400, 365_241_780_472 * 86_400

_DATE_PARTS = frozenset(
    {"year", "month", "day", "week", "dayOfWeek", "ordinalDay", "quarter", "dayOfQuarter"}
)
_CLOCK_PARTS = ("hour", "minute", "second")
_FRACTIONS = {"millisecond": 1_000_000, "microsecond": 1000, "nanosecond": 1}
_BASES = frozenset({"date", "time", "datetime", "timezone", "epochSeconds", "epochMillis"})
_SPAN_PARTS = frozenset(
    {
        *("years", "months", "weeks", "days", "hours", "minutes", "seconds"),
        *("milliseconds", "microseconds", "nanoseconds"),
    }
)


def moment(kind: Kind, given: Part | Parts) -> Moment:
    """`date(…)`, `time(…)` and so on of a text, a map or another temporal value.

    >>> str(moment(Kind.DATE, {"year": 1984, "week": 10, "dayOfWeek": 3}))
    '1984-03-07'

    Raises:
        TemporalError: there is no such value.
    """
    if isinstance(given, str):
        return parse_moment(kind, given)
    if isinstance(given, Moment):
        return converted(given, kind)
    if isinstance(given, Mapping):
        return from_parts(kind, given)
    raise TemporalError(f"{given!r} is no text, map or temporal value")


def converted(value: Moment, kind: Kind) -> Moment:
    """A value as another kind.

    Raises:
        TemporalError: it has no date, or no time, that the kind needs.
    """
    if kind in WITH_DATE and value.kind not in WITH_DATE:
        raise TemporalError(f"{value} has no date")
    if kind in (Kind.TIME, Kind.ZONED_TIME) and value.kind not in WITH_TIME:
        raise TemporalError(f"{value} has no time")
    if kind in (Kind.DATETIME, Kind.ZONED_DATETIME) and value.kind is Kind.DATE:
        raise TemporalError(f"{value} has no time")
    return value.as_kind(kind)


def from_parts(kind: Kind, parts: Parts) -> Moment:
    """A value from a map: a base (`date`, `time`, `datetime`) and the parts that replace its own.

    Raises:
        TemporalError: the parts contradict each other, or there is no such value.
    """
    unknown = set(parts) - _DATE_PARTS - set(_CLOCK_PARTS) - set(_FRACTIONS) - _BASES
    if unknown:
        raise TemporalError(f"there is no part {sorted(unknown)[0]}")
    if "epochSeconds" in parts or "epochMillis" in parts:
        return _from_epoch(kind, parts)
    date, time = _base(parts, "date", kind), _base(parts, "time", kind)
    both = _base(parts, "datetime", kind)
    if both is not None:
        date = time = both
    if kind in WITH_TIME and time is None:
        _no_gaps(parts, kind)
    if kind in WITH_DATE and date is None:
        _no_date_gaps(parts)
    days = _days(parts, date) if kind in WITH_DATE else 0
    if kind is Kind.DATE:
        return Moment(kind, days)
    offset, zone = _zone(parts)
    base_zoned = time is not None and time.kind in ZONED
    if time is not None and base_zoned and "timezone" in parts and kind in ZONED:
        time = _moved(time, days, offset, zone, shift=both is not None)
        if both is not None:
            days = _days(parts, time)
    nanos = _clock(parts, time)
    if kind is Kind.TIME:
        return Moment(kind, nanos=nanos)
    if kind is Kind.DATETIME:
        return Moment(kind, days, nanos)
    if "timezone" not in parts and time is not None and base_zoned:
        offset, zone = (None, time.zone) if time.zone else (time.offset, None)
        if kind is Kind.ZONED_TIME:
            offset, zone = time.offset, None
    if kind is Kind.ZONED_TIME:
        if zone is not None:
            # A named zone has an offset on a day only; that of the epoch is taken.
            offset = offset_of_instant(zone, nanos)
        return Moment(kind, nanos=nanos, offset=offset or 0)
    return zoned(days * DAY + nanos, offset, zone)


def with_least(parts: Mapping[str, Part | None]) -> Parts:
    """Parts with the least value in place of null, as Neo4j makes values of maps.

    >>> with_least({"year": 2024, "month": None, "hour": None})
    {'year': 2024, 'month': 1, 'hour': 0}

    Raises:
        TemporalError: a part that is null has no least value, or is the year.
    """
    given: dict[str, Part] = {}
    for name, value in parts.items():
        if value is None and (name in _BASES or name == "year"):
            raise TemporalError(f"{name} is null")
        least = 1 if name in _DATE_PARTS else 0
        given[name] = least if value is None else value
    return given


_DATE_STEPS = (("month", "day"), ("week", "dayOfWeek"), ("quarter", "dayOfQuarter"))


def _no_gaps(parts: Parts, kind: Kind) -> None:
    """A finer part of a time needs the coarser ones, and the whole date before it.

    Raises:
        TemporalError: one is missing.
    """
    given = [name in parts for name in _CLOCK_PARTS] + [bool(_FRACTIONS.keys() & parts.keys())]
    if not any(given):
        if kind in WITH_DATE:
            return
        raise TemporalError("a time needs an hour")
    for name, coarser, finer in zip(_CLOCK_PARTS, given, given[1:], strict=False):
        if finer and not coarser:
            raise TemporalError(f"{name} must be given before what is finer")
    if not given[0]:
        raise TemporalError("hour must be given")
    if kind in WITH_DATE and not _BASES & parts.keys() - {"timezone"} and "ordinalDay" not in parts:
        coarse, fine = next((s for s in _DATE_STEPS[1:] if set(s) & set(parts)), _DATE_STEPS[0])
        for name in (coarse, fine):
            if name not in parts:
                raise TemporalError(f"{name} must be given before the hour")


def _no_date_gaps(parts: Parts) -> None:
    """A day needs its month, week or quarter.

    Raises:
        TemporalError: there is none.
    """
    for coarse, fine in _DATE_STEPS:
        if fine in parts and coarse not in parts:
            raise TemporalError(f"{coarse} must be given before {fine}")


def _base(parts: Parts, name: str, kind: Kind) -> Moment | None:
    base = parts.get(name)
    if base is None:
        return None
    if not isinstance(base, Moment):
        raise TemporalError(f"{name} is no temporal value")
    if name != "time" and base.kind not in WITH_DATE:
        raise TemporalError(f"{base} has no date")
    if name == "time" and base.kind not in WITH_TIME:
        raise TemporalError(f"{base} has no time")
    del kind
    return base


def _moved(time: Moment, days: int, offset: int | None, zone: str | None, *, shift: bool) -> Moment:
    """A time with a zone on the clock of another zone."""
    if shift:
        return at_instant(time.instant, offset or 0, zone)
    if time.zone is not None:
        time = zoned(days * DAY + time.nanos, None, time.zone)
    if zone is not None:
        offset = offset_of_instant(zone, days * DAY + time.nanos - time.offset * SECOND)
    return with_offset(time, offset or 0)


def _zone(parts: Parts) -> tuple[int | None, str | None]:
    given = parts.get("timezone")
    if given is None:
        return None, None
    if not isinstance(given, str):
        raise TemporalError("timezone is no text")
    return parse_zone(given)


def _from_epoch(kind: Kind, parts: Parts) -> Moment:
    if kind is not Kind.ZONED_DATETIME:
        raise TemporalError("only datetime() takes seconds since the epoch")
    offset, zone = _zone(parts)
    if "epochMillis" in parts:
        instant = _whole(parts, "epochMillis", 0) * 1_000_000
    else:
        instant = _whole(parts, "epochSeconds", 0) * SECOND
    instant += _fraction(parts, 0)
    return at_instant(instant, offset or 0, zone)


def from_epoch(seconds: int, nanos: int) -> Moment:
    """`datetime.fromEpoch`.

    Raises:
        TemporalError: the year is beyond 999,999,999 on either side of the year 0.
    """
    if not _FIRST_SECOND <= seconds < _END:
        raise TemporalError(f"{seconds} seconds since the epoch are in no year that Java has")
    return at_instant(seconds * SECOND + nanos, 0, None)


def _whole(parts: Parts, name: str, default: int) -> int:
    value = parts.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise TemporalError(f"{name} is no integer")
    return value


def _days(parts: Parts, base: Moment | None) -> int:
    """The date of the parts; what they leave open is the base's, or the first."""
    if not _DATE_PARTS & set(parts):
        if base is None:
            raise TemporalError("a date needs a year")
        return base.days
    if base is None and "year" not in parts:
        raise TemporalError("a date needs a year")
    days = base.days if base is not None else None
    if "week" in parts or "dayOfWeek" in parts:
        year, week = week_of(days) if days is not None else (0, 1)
        return days_of_week(
            _whole(parts, "year", year),
            _whole(parts, "week", week),
            _whole(parts, "dayOfWeek", weekday(days) if days is not None else 1),
        )
    year, month, day = date_of(days) if days is not None else (0, 1, 1)
    year = _whole(parts, "year", year)
    if "ordinalDay" in parts:
        return days_of_ordinal(year, _whole(parts, "ordinalDay", 1))
    if "quarter" in parts or "dayOfQuarter" in parts:
        own = (month + 2) // 3
        place = days - days_of(date_of(days)[0], own * 3 - 2, 1) + 1 if days is not None else 1
        return days_of_quarter(
            year, _whole(parts, "quarter", own), _whole(parts, "dayOfQuarter", place)
        )
    return days_of(year, _whole(parts, "month", month), _whole(parts, "day", day))


def _clock(parts: Parts, base: Moment | None) -> int:
    own = base.nanos if base is not None else 0
    defaults = (own // HOUR, own // MINUTE % 60, own // SECOND % 60)
    hour, minute, second = (
        _whole(parts, name, default) for name, default in zip(_CLOCK_PARTS, defaults, strict=True)
    )
    return clock_of(hour, minute, second, _fraction(parts, own % SECOND))


def _fraction(parts: Parts, own: int) -> int:
    """Nanoseconds of the second; finer parts count beside coarser ones."""
    given = [name for name in _FRACTIONS if name in parts]
    if not given:
        return own
    total, limit = 0, 0
    for name in given:
        value = _whole(parts, name, 0)
        if limit and not 0 <= value < limit // _FRACTIONS[name]:
            raise TemporalError(f"{name} is beyond what {given[0]} leaves")
        limit = _FRACTIONS[name]
        total += value * limit
    return total


# --- durations -------------------------------------------------------------------------------


def span(given: Part | Parts) -> Span:
    """`duration(…)` of a text or a map.

    >>> str(span({"months": 0.75})), str(span({"weeks": 2.5}))
    ('P22DT19H51M49.5S', 'P17DT12H')

    Raises:
        TemporalError: there is no such duration.
    """
    if isinstance(given, str):
        return parse_span(given)
    if isinstance(given, Span):
        return given
    if not isinstance(given, Mapping):
        raise TemporalError(f"{given!r} is no text or map")
    unknown = set(given) - _SPAN_PARTS
    if unknown or not given:
        raise TemporalError(f"a duration has no part {', '.join(sorted(unknown)[:1])}".rstrip())

    def part(name: str) -> Fraction:
        value = given.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TemporalError(f"{name} is no number")
        return Fraction(str(value)) if isinstance(value, float) else Fraction(value)

    seconds = part("hours") * 3600 + part("minutes") * 60 + part("seconds")
    nanos = part("milliseconds") * 1_000_000 + part("microseconds") * 1000 + part("nanoseconds")
    return span_of(
        part("years") * 12 + part("months"),
        part("weeks") * 7 + part("days"),
        seconds * SECOND + nanos,
    )


# --- truncation ------------------------------------------------------------------------------

_UNITS = {
    "day": DAY,
    "hour": HOUR,
    "minute": MINUTE,
    "second": SECOND,
    "millisecond": 1_000_000,
    "microsecond": 1000,
}
_YEARS = {"millennium": 1000, "century": 100, "decade": 10, "year": 1}


def truncate(kind: Kind, unit: str, value: Moment, parts: Parts) -> Moment:
    """`date.truncate(unit, value, parts)` and its relatives.

    >>> str(truncate(Kind.DATE, "week", Moment(Kind.DATE, days_of(1984, 10, 11)), {"dayOfWeek": 2}))
    '1984-10-09'

    Raises:
        TemporalError: the unit is unknown, or finer or coarser than the value.
    """
    unit = unit.lower()
    days, nanos = value.days, 0
    if unit not in _UNITS or unit == "day":
        if value.kind not in WITH_DATE and not (unit == "day" and kind not in WITH_DATE):
            raise TemporalError(f"{value} has no {unit}")
        days = _floor(unit, days)
        if unit != "day" and kind not in WITH_DATE:
            raise TemporalError(f"{unit} is too large for a time")
    else:
        if kind is Kind.DATE or value.kind not in WITH_TIME:
            raise TemporalError(f"{value} has no {unit}")
        nanos = value.nanos - value.nanos % _UNITS[unit]
    base = replace(value, days=days, nanos=nanos)
    if kind is Kind.DATE:
        return from_parts(kind, {**parts, "date": replace(base, kind=Kind.DATE)})
    return _with_parts(kind, base, parts)


def _floor(unit: str, days: int) -> int:
    year, month, _ = date_of(days)
    if unit in _YEARS:
        return days_of(year - year % _YEARS[unit], 1, 1)
    if unit == "day":
        return days
    if unit == "week":
        return days - weekday(days) + 1
    if unit == "weekyear":
        return week_start(week_of(days)[0])
    if unit == "quarter":
        return days_of(year, month - (month - 1) % 3, 1)
    if unit == "month":
        return days_of(year, month, 1)
    raise TemporalError(f"there is no unit {unit}")


def _with_parts(kind: Kind, base: Moment, parts: Parts) -> Moment:
    """A truncated value with parts set; here nanoseconds add to the truncated fraction."""
    days = base.days
    if kind in WITH_DATE:
        days = _days(parts, replace(base, kind=Kind.DATE))
    own = base.nanos
    hour, minute, second = (
        _whole(parts, name, default)
        for name, default in zip(
            _CLOCK_PARTS, (own // HOUR, own // MINUTE % 60, own // SECOND % 60), strict=True
        )
    )
    fraction = own % SECOND
    for name, size in _FRACTIONS.items():
        if name in parts:
            fraction = fraction - fraction % (size * 1000) + _whole(parts, name, 0) * size
            if name == "nanosecond":
                fraction = own % SECOND + _whole(parts, name, 0)
    nanos = clock_of(hour, minute, second, fraction)
    if kind in (Kind.TIME, Kind.DATETIME):
        return Moment(kind, days if kind in WITH_DATE else 0, nanos)
    offset, zone = _zone(parts)
    if "timezone" not in parts and base.kind in ZONED:
        offset, zone = (None, base.zone) if base.zone else (base.offset, None)
        if kind is Kind.ZONED_TIME:
            offset, zone = base.offset, None
    if kind is Kind.ZONED_TIME:
        if zone is not None:
            offset = offset_of_instant(zone, nanos)
        return Moment(kind, nanos=nanos, offset=offset or 0)
    return zoned(days * DAY + nanos, offset, zone)
