"""Texts of temporal values as Cypher reads them: ISO 8601, extended and basic forms."""

from __future__ import annotations

import re
from fractions import Fraction

from graph_ir.temporal.values import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    Moment,
    Span,
    TemporalError,
    days_of,
    leap,
    week_start,
    zoned,
)
from graphmill.errors import shortened
from schemagraph.model import Kind

_YEAR = r"(?P<year>[-+]\d{4,9}|\d{4})"
_DATES = tuple(
    re.compile(_YEAR + rest)
    for rest in (
        r"-(?P<month>\d\d)-(?P<day>\d\d)",
        r"(?P<month>\d\d)(?P<day>\d\d)",
        r"-(?P<month>\d\d)",
        r"-W(?P<week>\d\d)-(?P<weekday>\d)",
        r"W(?P<week>\d\d)(?P<weekday>\d)",
        r"-W(?P<week>\d\d)",
        r"W(?P<week>\d\d)",
        r"-Q(?P<quarter>\d)-(?P<quarterday>\d\d)",
        r"Q(?P<quarter>\d)(?P<quarterday>\d\d)",
        r"-Q(?P<quarter>\d)",
        r"Q(?P<quarter>\d)",
        r"-(?P<ordinal>\d{3})",
        r"(?P<ordinal>\d{3})",
        r"(?P<month>\d\d)",
        r"",
    )
)
_CLOCK = re.compile(
    r"(?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?)?"
)
_ZONE = re.compile(r"(?P<offset>Z|[-+]\d\d(?::?\d\d(?::?\d\d)?)?)?(?:\[(?P<zone>[^\]]+)\])?")
_ZONE_START = re.compile(r"Z|[-+]\d\d(?::?\d\d(?::?\d\d)?)?(?:\[|\Z)|\[")

_NUMBER = r"([-+]?\d+(?:[.,]\d+)?)"
_DURATION = re.compile(
    rf"([-+])?P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
# Neo4j takes a fraction in the last part alone, and nine digits of a second.
_BROKEN = re.compile(r"[.,]\d+[YMWDH]T?[-+\d]|[.,]\d{10,}S")
_LONGEST = 300  # characters of a duration; more digits are no 64-bit integers
_DATED = re.compile(r"([-+])?P(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:[.,](\d{1,9}))?")

MONTH_DAYS = Fraction(30436875, 1_000_000)  # a month's mean length, java.time.ChronoUnit.MONTHS


def parse_moment(kind: Kind, text: str) -> Moment:
    """A value of a kind from its text.

    >>> str(parse_moment(Kind.DATE, "2015-W30-2")), str(parse_moment(Kind.TIME, "214032.142"))
    ('2015-07-21', '21:40:32.142')
    >>> str(parse_moment(Kind.ZONED_DATETIME, "2015-07-21T21:40:32.142+0100"))
    '2015-07-21T21:40:32.142+01:00'

    Raises:
        TemporalError: the text is no such value.
    """
    if kind is Kind.DATE:
        return Moment(kind, parse_days(text))
    if kind is Kind.TIME:
        return Moment(kind, nanos=parse_clock(text))
    if kind is Kind.ZONED_TIME:
        clock, offset, zone = _split_zone(text)
        if zone is not None:
            raise TemporalError(f"'{shortened(text)}' has a named zone, a time has an offset only")
        return Moment(kind, nanos=parse_clock(clock), offset=offset or 0)
    date, mark, clock = text.partition("T")
    if kind is Kind.DATETIME:
        return Moment(kind, parse_days(date), parse_clock(clock) if mark else 0)
    offset, zone = None, None
    if mark:
        clock, offset, zone = _split_zone(clock)
    else:
        date, offset, zone = _split_zone(date) if "[" in date else (date, None, None)
    local = parse_days(date) * DAY + (parse_clock(clock) if mark else 0)
    return zoned(local, offset, zone)


def parse_days(text: str) -> int:
    """Days since 1970-01-01 of a date's text."""
    for form in _DATES:
        match = form.fullmatch(text)
        if match:
            return _days(match.groupdict(), text)
    raise TemporalError(f"'{shortened(text)}' is no date")


def _days(parts: dict[str, str | None], text: str) -> int:
    given = {name: int(value) for name, value in parts.items() if value is not None}
    year = given["year"]
    if "week" in given:
        return days_of_week(year, given["week"], given.get("weekday", 1))
    if "quarter" in given:
        return days_of_quarter(year, given["quarter"], given.get("quarterday", 1))
    if "ordinal" in given:
        return days_of_ordinal(year, given["ordinal"])
    return days_of(year, given.get("month", 1), given.get("day", 1))


def days_of_week(year: int, week: int, day: int) -> int:
    """Days since 1970-01-01 of a day of a week."""
    start = week_start(year)
    weeks = (week_start(year + 1) - start) // 7
    if not 1 <= week <= weeks or not 1 <= day <= 7:
        raise TemporalError(f"there is no day {day} of week {week} in {year}")
    return start + (week - 1) * 7 + day - 1


def days_of_quarter(year: int, quarter: int, day: int) -> int:
    """Days since 1970-01-01 of a day of a quarter."""
    if not 1 <= quarter <= 4:
        raise TemporalError(f"there is no quarter {quarter}")
    start = days_of(year, quarter * 3 - 2, 1)
    after = days_of(year + quarter // 4, quarter * 3 % 12 + 1, 1)
    if not 1 <= day <= after - start:
        raise TemporalError(f"there is no day {day} of quarter {quarter} in {year}")
    return start + day - 1


def days_of_ordinal(year: int, day: int) -> int:
    """Days since 1970-01-01 of a day of a year."""
    if not 1 <= day <= 365 + leap(year):
        raise TemporalError(f"there is no day {day} in {year}")
    return days_of(year, 1, 1) + day - 1


def parse_clock(text: str) -> int:
    """Nanoseconds of the day of a time's text."""
    match = _CLOCK.fullmatch(text)
    if not match:
        raise TemporalError(f"'{shortened(text)}' is no time")
    fraction = int((match["fraction"] or "0").ljust(9, "0"))
    return clock_of(
        int(match["hour"]), int(match["minute"] or 0), int(match["second"] or 0), fraction
    )


def clock_of(hour: int, minute: int, second: int, nanos: int) -> int:
    """Nanoseconds of the day."""
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60 and 0 <= nanos < SECOND):
        raise TemporalError(f"there is no time {hour}:{minute}:{second}")
    return hour * HOUR + minute * MINUTE + second * SECOND + nanos


def parse_zone(text: str) -> tuple[int | None, str | None]:
    """The offset or the name of a zone.

    >>> parse_zone("+01:30"), parse_zone("Europe/Stockholm"), parse_zone("Z")
    ((5400, None), (None, 'Europe/Stockholm'), (0, None))
    """
    match = _ZONE.fullmatch(text)
    if match and match["offset"]:
        return _offset(match["offset"]), match["zone"]
    return None, text.strip("[]")


def _split_zone(text: str) -> tuple[str, int | None, str | None]:
    match = _ZONE_START.search(text)
    if not match:
        return text, None, None
    zone = _ZONE.fullmatch(text[match.start() :])
    if not zone:
        raise TemporalError(f"'{shortened(text)}' has no zone that can be read")
    offset = _offset(zone["offset"]) if zone["offset"] else None
    return text[: match.start()], offset, zone["zone"]


def _offset(text: str) -> int:
    if text == "Z":
        return 0
    digits = text[1:].replace(":", "").ljust(6, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])
    if seconds > 18 * 3600:
        raise TemporalError(f"the offset {text} is beyond 18 hours")
    return -seconds if text[0] == "-" else seconds


# --- durations -------------------------------------------------------------------------------


def parse_span(text: str) -> Span:
    """A duration from its text.

    >>> str(parse_span("P5M1.5D")), str(parse_span("P2012-02-02T14:37:21.545"))
    ('P5M1DT12H', 'P2012Y2M2DT14H37M21.545S')

    Raises:
        TemporalError: the text is no duration.
    """
    if len(text) > _LONGEST:
        raise TemporalError("a duration has no number of so many digits")
    dated = _DATED.fullmatch(text)
    if dated:
        sign = -1 if dated[1] == "-" else 1
        years, months, days, *clock = (int(part) for part in dated.groups()[1:7])
        nanos = (clock[0] * 3600 + clock[1] * 60 + clock[2]) * SECOND
        nanos += int((dated[8] or "0").ljust(9, "0"))
        return Span(sign * (years * 12 + months), sign * days, sign * nanos)
    match = _DURATION.fullmatch(text)
    if not match or text.endswith(("P", "T")) or _BROKEN.search(text):
        raise TemporalError(f"'{shortened(text)}' is no duration")
    minus = Fraction(-1 if match[1] == "-" else 1)
    parts = [Fraction((part or "0").replace(",", ".")) * minus for part in match.groups()[1:]]
    return span_of(
        parts[0] * 12 + parts[1],
        parts[2] * 7 + parts[3],
        (parts[4] * 3600 + parts[5] * 60 + parts[6]) * SECOND,
    )


def span_of(months: Fraction, days: Fraction, nanos: Fraction) -> Span:
    """A duration of fractions: what is no whole month is days, no whole day nanoseconds."""
    whole_months = int(months)
    days += (months - whole_months) * MONTH_DAYS
    whole_days = int(days)
    nanos += (days - whole_days) * DAY
    return Span(whole_months, whole_days, int(nanos))
