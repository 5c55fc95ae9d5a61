"""Plain values of results: one text for each temporal value, one form for bytes.

Every engine returns these forms, so that the same value is the same text whoever computed it:
seconds always, a fraction of six digits where there is one (nine where microseconds do not
do), as `schemagraph` reads it from text columns, `Z` for the offset zero, durations with years
and months, days, and time normalised apart (ISO 8601; Cypher's own `toString`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, NamedTuple

from graphmill.json_lines import BYTES, FLOAT

NANOS = 1_000_000_000


class Duration(NamedTuple):
    """Calendar months, days and nanoseconds, none of which converts into another."""

    months: int
    days: int
    nanos: int

    def __str__(self) -> str:
        return duration_text(*self)


def date_text(value: date) -> str:
    """`2024-01-31`."""
    return value.isoformat()


def time_text(value: time, nanos: int | None = None) -> str:
    """`10:00:00.500000+01:00`; `nanos` where the value knows more than microseconds.

    >>> time_text(time(1, 2, 3, 450000))
    '01:02:03.450000'
    """
    head = f"{value.hour:02}:{value.minute:02}:{value.second:02}"
    fraction = value.microsecond * 1000 if nanos is None else nanos
    digits = f".{fraction:09}".removesuffix("000") if fraction else ""
    return head + digits + _offset(value.utcoffset())


def datetime_text(value: datetime, nanos: int | None = None) -> str:
    """`2024-01-31T10:00:00.500000Z`.

    >>> from datetime import UTC
    >>> datetime_text(datetime(2024, 1, 31, 10, tzinfo=UTC))
    '2024-01-31T10:00:00Z'
    """
    clock = value.time().replace(tzinfo=None)
    return f"{value.date().isoformat()}T{time_text(clock, nanos)}{_offset(value.utcoffset())}"


def duration_text(months: int, days: int, nanos: int) -> str:
    """ISO 8601 text of a duration of calendar months, days and nanoseconds.

    >>> duration_text(14, 3, 14_706_789_000_000), duration_text(0, 0, 0), duration_text(0, -1, 0)
    ('P1Y2M3DT4H5M6.789S', 'PT0S', 'P-1D')
    >>> duration_text(0, 0, -1_500_000_000)
    'PT-1.5S'
    """
    sign = -1 if months < 0 else 1
    years, months = divmod(abs(months), 12)
    parts = [(sign * years, "Y"), (sign * months, "M"), (days, "D")]
    calendar = "".join(f"{number}{unit}" for number, unit in parts if number)
    sign = -1 if nanos < 0 else 1
    seconds, rest = divmod(abs(nanos), NANOS)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    units = ((hours, "H"), (minutes, "M"))
    clock = "".join(f"{sign * number}{unit}" for number, unit in units if number)
    if seconds or rest:
        fraction = f".{rest:09}".rstrip("0") if rest else ""
        clock += f"{'-' if sign < 0 else ''}{seconds}{fraction}S"
    if not calendar and not clock:
        return "PT0S"
    return "P" + calendar + ("T" + clock if clock else "")


_DURATION = re.compile(
    r"(-)?P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?"
    r"(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:[.,](\d{1,9}))?S)?)?"
)


def parse_duration(text: str) -> Duration:
    """The inverse of `duration_text`.

    >>> str(parse_duration("P1Y2M3DT4H5M6.789S")), str(parse_duration("PT-1.5S"))
    ('P1Y2M3DT4H5M6.789S', 'PT-1.5S')

    Raises:
        ValueError: the text is no ISO 8601 duration.
    """
    match = _DURATION.fullmatch(text)
    if match is None or text.endswith(("P", "T")):
        raise ValueError(f"'{text}' is no ISO 8601 duration")
    minus, *parts, sign, seconds, fraction = match.groups()
    years, months, weeks, days, hours, minutes = (int(part or 0) for part in parts)
    clock = int(seconds or 0) * NANOS + int((fraction or "").ljust(9, "0"))
    nanos = (hours * 3600 + minutes * 60) * NANOS + (-clock if sign else clock)
    whole = -1 if minus else 1
    return Duration(whole * (years * 12 + months), whole * (weeks * 7 + days), whole * nanos)


def timedelta_text(value: timedelta) -> str:
    """`duration_text` of days, seconds and microseconds."""
    clock = (value.seconds * 1_000_000 + value.microseconds) * 1000
    return duration_text(0, value.days, clock)


def bytes_form(value: bytes | bytearray | memoryview) -> dict[str, str]:
    """`{"$bytes": base64}`."""
    return {BYTES: b64encode(bytes(value)).decode()}


def as_json(value: Any) -> Any:
    """A plain value as JSON says it: `{"$float": …}` for what is no number there, or none at all.

    >>> as_json([1.5, float("nan"), {"x": float("-inf")}])
    [1.5, {'$float': 'nan'}, {'x': {'$float': '-inf'}}]
    """
    match value:
        case float() if not isfinite(value):
            return {FLOAT: repr(value)}
        case list() | tuple():
            return [as_json(item) for item in value]
        case dict():
            return {name: as_json(item) for name, item in value.items()}
    return value


def plain(value: Any) -> Any:
    """A driver's Python value as a plain one; what it does not know is returned as it is."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return float(value)
        case datetime():
            return datetime_text(value)
        case date():
            return date_text(value)
        case time():
            return time_text(value)
        case timedelta():
            return timedelta_text(value)
        case bytes() | bytearray() | memoryview():
            return bytes_form(value)
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case _:
            return value


def _offset(offset: timedelta | None) -> str:
    if offset is None:
        return ""
    seconds = round(offset.total_seconds())
    if not seconds:
        return "Z"
    hours, rest = divmod(abs(seconds), 3600)
    minutes, seconds_left = divmod(rest, 60)
    tail = f":{seconds_left:02}" if seconds_left else ""
    return f"{'-' if seconds < 0 else '+'}{hours:02}:{minutes:02}{tail}"
