"""Sums and differences of temporal values, what lies between two, and their components."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

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
    offset_text,
    plus_months,
    week_of,
    weekday,
    zoned,
)
from schemagraph.model import Kind

# --- sums --------------------------------------------------------------------------------------


def plus(value: Moment, span: Span, sign: int = 1) -> Moment:
    """A value moved by a duration: months first, then days, then the rest.

    >>> str(plus(Moment(Kind.DATE, days_of(2024, 1, 31)), Span(months=1)))
    '2024-02-29'
    """
    months, moved, nanos = sign * span.months, sign * span.days, sign * span.nanos
    if value.kind is Kind.DATE:
        # Of the rest whole days count.
        whole = int(Fraction(nanos, DAY))
        return replace(value, days=plus_months(value.days, months) + moved + whole)
    if value.kind in (Kind.TIME, Kind.ZONED_TIME):
        return replace(value, nanos=(value.nanos + nanos) % DAY)
    days = plus_months(value.days, months) + moved
    if value.kind is Kind.DATETIME:
        days, rest = divmod(days * DAY + value.nanos + nanos, DAY)
        return replace(value, days=days, nanos=rest)
    if months or moved:
        value = zoned(days * DAY + value.nanos, value.offset, value.zone)
    return at_instant(value.instant + nanos, value.offset, value.zone)


def sum_of(a: Span, b: Span, sign: int = 1) -> Span:
    """`a + b`, or `a - b` with sign -1."""
    return Span(a.months + sign * b.months, a.days + sign * b.days, a.nanos + sign * b.nanos)


def product(span: Span, factor: int | float) -> Span:
    """A duration times a number.

    >>> str(product(Span(months=1), 0.1))
    'P3DT1H2M54.599999999S'
    """
    if isinstance(factor, int):
        if abs(span.nanos % SECOND * factor) >= _MOST:
            raise TemporalError("The duration is too large")
        return _within(Span(span.months * factor, span.days * factor, span.nanos * factor))
    return _of_floats(*(part * factor for part in _parts(span)))


def quotient(span: Span, divisor: int | float) -> Span:
    """A duration divided by a number other than 0.

    >>> str(quotient(Span(months=1), 7))
    'P4DT8H21M17.999999999S'
    """
    return _of_floats(*(part / divisor for part in _parts(span)))


def _parts(span: Span) -> tuple[float, float, float, float]:
    """Months, days, seconds and nanoseconds of the second as floats."""
    seconds, nanos = divmod(span.nanos, SECOND)
    return float(span.months), float(span.days), float(seconds), float(nanos)


def _of_floats(months: float, days: float, seconds: float, nanos: float) -> Span:
    """What is no whole month is days, no whole day seconds: in 64-bit floats, as Neo4j reckons."""
    try:
        whole_months = int(months)
        days += (months - whole_months) * (2_629_746.0 * SECOND) / DAY
        whole_days = int(days)
        seconds += (days - whole_days) * float(DAY) / SECOND
        whole_seconds = int(seconds)
        if abs(nanos) >= _MOST:
            raise TemporalError("The duration is too large")
        nanos += (seconds - whole_seconds) * SECOND
        return _within(Span(whole_months, whole_days, whole_seconds * SECOND + int(nanos)))
    except (OverflowError, ValueError) as problem:
        raise TemporalError("The duration is too large") from problem


_MOST = 2**63


def _within(span: Span) -> Span:
    """A duration whose mean length has no more seconds than a 64-bit integer.

    Raises:
        TemporalError: it has more.
    """
    if abs(span.months * 2_629_746 + span.days * 86_400 + span.nanos // SECOND) >= _MOST:
        raise TemporalError("The duration is too large")
    return span


# --- between -------------------------------------------------------------------------------------


def between(a: Moment, b: Moment, unit: str = "") -> Span:
    """`duration.between(a, b)`, or `inMonths`, `inDays`, `inSeconds`.

    One without a date is taken to be on the other's day, one without a zone in the other's.
    """
    if unit in ("inMonths", "inDays") and a.kind not in WITH_DATE and b.kind not in WITH_DATE:
        raise TemporalError(f"two times are not apart {unit}")
    first, last = _aligned(a, b)
    months = days = 0
    dated = a.kind in WITH_DATE and b.kind in WITH_DATE
    if not dated and unit in ("inMonths", "inDays"):
        return Span()
    if dated and unit in ("", "inMonths"):
        months = _months(first, last)
        if unit:
            return Span(months)
        first = _shifted(first, months, 0)
    if dated and unit in ("", "inDays"):
        days = _days(first, last)
        if unit:
            return Span(0, days)
        first = _shifted(first, 0, days)
    return Span(months, days, last.instant - first.instant)


def _aligned(a: Moment, b: Moment) -> tuple[Moment, Moment]:
    """Both as datetimes of one zone."""
    day = next((value.days for value in (a, b) if value.kind in WITH_DATE), 0)
    zone, offset = None, 0
    for value in (b, a):
        if value.kind in ZONED:
            zone, offset = value.zone, value.offset
    sides = []
    for value in (a, b):
        local = (value.days if value.kind in WITH_DATE else day) * DAY + value.nanos
        if value.kind in ZONED:
            sides.append(zoned(local, value.offset, value.zone))
        else:
            sides.append(zoned(local, None if zone else offset, zone))
    first, last = sides
    if first.zone != last.zone or first.offset != last.offset:
        last = at_instant(last.instant, first.offset, first.zone)
    return first, last


def _shifted(value: Moment, months: int, days: int) -> Moment:
    if not (months or days):
        return value
    local = (plus_months(value.days, months) + days) * DAY + value.nanos
    return zoned(local, value.offset, value.zone)


def _months(first: Moment, last: Moment) -> int:
    """Whole months on the local clock, toward zero (`java.time.LocalDateTime.until`)."""
    days = last.days
    if days > first.days and last.nanos < first.nanos:
        days -= 1
    elif days < first.days and last.nanos > first.nanos:
        days += 1
    (y1, m1, d1), (y2, m2, d2) = date_of(first.days), date_of(days)
    packed = ((y2 * 12 + m2) - (y1 * 12 + m1)) * 32 + (d2 - d1)
    return int(Fraction(packed, 32))


def _days(first: Moment, last: Moment) -> int:
    days = last.days - first.days
    if days > 0 and last.nanos < first.nanos:
        return days - 1
    if days < 0 and last.nanos > first.nanos:
        return days + 1
    return days


# --- components --------------------------------------------------------------------------------


def component(value: Moment | Span, key: str) -> int | str:
    """`value.key`.

    >>> component(Moment(Kind.DATE, days_of(1984, 10, 11)), "dayOfQuarter")
    11

    Raises:
        TemporalError: the value has no such component.
    """
    if isinstance(value, Span):
        part: int | str | None = _of_span(value, key)
    else:
        part = None
        if value.kind in WITH_DATE:
            part = _of_date(value.days, key)
        if part is None and value.kind in WITH_TIME:
            part = _of_clock(value.nanos, key)
        if part is None and value.kind in ZONED:
            part = _of_zone(value, key)
    if part is None:
        raise TemporalError(f"{value} has no component {key}")
    return part


def _of_date(days: int, key: str) -> int | None:
    year, month, day = date_of(days)
    quarter = (month + 2) // 3
    match key:
        case "year":
            return year
        case "quarter":
            return quarter
        case "month":
            return month
        case "week":
            return week_of(days)[1]
        case "weekYear":
            return week_of(days)[0]
        case "day":
            return day
        case "ordinalDay":
            return days - days_of(year, 1, 1) + 1
        case "weekDay" | "dayOfWeek":
            return weekday(days)
        case "dayOfQuarter":
            return days - days_of(year, quarter * 3 - 2, 1) + 1
    return None


def _of_clock(nanos: int, key: str) -> int | None:
    sizes = {
        "hour": (HOUR, 24),
        "minute": (MINUTE, 60),
        "second": (SECOND, 60),
        "millisecond": (1_000_000, 1000),
        "microsecond": (1000, 1_000_000),
        "nanosecond": (1, SECOND),
    }
    if key not in sizes:
        return None
    size, limit = sizes[key]
    return nanos // size % limit


def _of_zone(value: Moment, key: str) -> int | str | None:
    match key:
        case "timezone":
            return value.zone or offset_text(value.offset)
        case "offset":
            return offset_text(value.offset)
        case "offsetMinutes":
            return int(Fraction(value.offset, 60))
        case "offsetSeconds":
            return value.offset
        case "epochSeconds" if value.kind is Kind.ZONED_DATETIME:
            # Neo4j takes whole milliseconds, and of those whole seconds towards zero.
            return int(Fraction(value.instant // 1_000_000, 1000))
        case "epochMillis" if value.kind is Kind.ZONED_DATETIME:
            return value.instant // 1_000_000
    return None


def _of_span(span: Span, key: str) -> int | None:
    seconds, rest = divmod(span.nanos, SECOND)
    parts = {
        "years": (span.months, 12),
        "quarters": (span.months, 3),
        "months": (span.months, 1),
        "weeks": (span.days, 7),
        "days": (span.days, 1),
        "hours": (seconds, 3600),
        "minutes": (seconds, 60),
        "seconds": (seconds, 1),
        "milliseconds": (span.nanos // 1_000_000, 1),
        "microseconds": (span.nanos // 1000, 1),
        "nanoseconds": (span.nanos, 1),
    }
    if key in parts:
        number, by = parts[key]
        return int(Fraction(number, by))
    of = {
        "quartersOfYear": (span.months, 3, 4),
        "monthsOfQuarter": (span.months, 1, 3),
        "monthsOfYear": (span.months, 1, 12),
        "daysOfWeek": (span.days, 1, 7),
        "minutesOfHour": (seconds, 60, 60),
        "secondsOfMinute": (seconds, 1, 60),
    }
    if key in of:
        number, by, limit = of[key]
        return _remainder(int(Fraction(number, by)), limit)
    fractions = {
        "millisecondsOfSecond": 1_000_000,
        "microsecondsOfSecond": 1000,
        "nanosecondsOfSecond": 1,
    }
    return rest // fractions[key] if key in fractions else None


def _remainder(number: int, by: int) -> int:
    """The remainder with the sign of the number, as in Java."""
    return number % by if number >= 0 else -(-number % by)
