"""Cypher's texts and maps of dates, times and durations in the one form that every engine reads.

Cypher takes short and compact forms (`2024-07`, `20240721`, `2024-W30`); ISO 8601's extended
form, which GQL's literals take (ISO/IEC 39075:2024 clause 21.2), means the same. GQL keeps
durations of months apart from durations of seconds (clause 18.9), so a mixture is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from graphmill.errors import Refused

_DATE = re.compile(
    r"(?P<y>\d{4})(?:-?W(?P<w>\d\d)(?:-?(?P<wd>[1-7]))?"
    r"|-?Q(?P<q>[1-4])(?:-?(?P<qd>\d\d))?"
    r"|-(?P<o>\d{3})|(?P<o2>\d{3})"
    r"|-(?P<m>\d\d)(?:-(?P<d>\d\d))?|(?P<m2>\d\d)(?P<d2>\d\d)?)?$"
)
_TIME = re.compile(
    r"(?P<h>\d\d)(?::?(?P<m>\d\d)(?::?(?P<s>\d\d)(?P<f>\.\d{1,9})?)?)?"
    r"(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?$"
)
_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<weeks>-?\d+)W)?"
    r"(?:(?P<days>-?\d+)D)?(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?"
    r"(?:(?P<seconds>-?\d+(?:\.\d{1,9})?)S)?)?$"
)
_LONGEST = 300  # characters of a duration; more digits are no 64-bit integers
_MONTHS = ("years", "months")
_SECONDS = ("weeks", "days", "hours", "minutes", "seconds")


def constant(function: str, text: str) -> str:
    """The extended form of the text that `date`, `datetime`, … takes.

    >>> constant("localtime", "2140"), constant("date", "2024")
    ('21:40:00', '2024-01-01')
    """
    if function == "date":
        return date_text(text)
    zoned = function in ("datetime", "time")
    if function.endswith("datetime"):
        return datetime_text(text, zoned=zoned)
    return time_text(text, zoned=zoned)


def date_text(text: str) -> str:
    """The extended form of a date.

    >>> date_text("2024-07"), date_text("20240721"), date_text("2024-W30-1"), date_text("2024")
    ('2024-07-01', '2024-07-21', '2024-07-22', '2024-01-01')
    """
    match = _DATE.match(text)
    if match is None:
        raise _refused(text)
    part = match.groupdict()
    year = int(part["y"])
    try:
        if part["w"]:
            return date.fromisocalendar(year, int(part["w"]), int(part["wd"] or 1)).isoformat()
        if part["q"]:
            start = date(year, int(part["q"]) * 3 - 2, 1)
            return (start + timedelta(int(part["qd"] or 1) - 1)).isoformat()
        if part["o"] or part["o2"]:
            day = int(part["o"] or part["o2"])
            found_day = date(year, 1, 1) + timedelta(day - 1)
            if found_day.year != year:
                raise _refused(text)
            return found_day.isoformat()
        return date(
            year, int(part["m"] or part["m2"] or 1), int(part["d"] or part["d2"] or 1)
        ).isoformat()
    except ValueError as problem:
        raise _refused(text) from problem


def time_text(text: str, *, zoned: bool) -> str:
    """The extended form of a time; a zoned one without an offset is UTC, as in Neo4j.

    >>> time_text("2140", zoned=False), time_text("21:40:32.1+0100", zoned=True)
    ('21:40:00', '21:40:32.1+01:00')
    """
    match = _TIME.match(text)
    if match is None or (match["zone"] and not zoned):
        raise _refused(text)
    hour, minute, second = (int(match[part] or 0) for part in "hms")
    if hour > 23 or minute > 59 or second > 59:
        raise _refused(text)
    zone = match["zone"] or "Z"
    if zone != "Z":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        zone = f"{zone[0]}{digits[:2]}:{digits[2:]}"
    clock = f"{hour:02}:{minute:02}:{second:02}{match['f'] or ''}"
    return clock + (zone if zoned else "")


def datetime_text(text: str, *, zoned: bool) -> str:
    """The extended form of a date and time.

    >>> datetime_text("2024-07-21T21:40", zoned=True), datetime_text("2024-07-21", zoned=False)
    ('2024-07-21T21:40:00Z', '2024-07-21T00:00:00')
    """
    day, separator, clock = text.partition("T")
    return f"{date_text(day)}T{time_text(clock if separator else '00', zoned=zoned)}"


def duration_text(text: str) -> str:
    """The canonical form of a duration, of months or of seconds.

    >>> duration_text("P1Y6M"), duration_text("P2W"), duration_text("PT90M"), duration_text("P0D")
    ('P1Y6M', 'P14D', 'PT90M', 'P0D')
    """
    return duration_of(duration_parts(text))


def duration_parts(text: str) -> dict[str, int | float]:
    """The parts of the text of a duration, called as in Cypher's map of one.

    >>> duration_parts("-P1Y2W"), duration_parts("PT0.5S")
    ({'years': -1, 'weeks': -2}, {'seconds': 0.5})
    """
    match = _DURATION.match(text)
    if match is None or text.endswith(("P", "T")) or len(text) > _LONGEST:
        raise _refused(text)
    sign = -1 if match["sign"] else 1
    numbers: dict[str, int | float] = {}
    for name in (*_MONTHS, *_SECONDS):
        if match[name] is not None:
            value = float(match[name]) if "." in match[name] else int(match[name])
            numbers[name] = sign * value
    return numbers


def duration_of(numbers: Mapping[str, int | float]) -> str:
    """The text of a duration given by its parts.

    >>> duration_of({"days": 14, "hours": 12}), duration_of({"months": -1})
    ('P14DT12H', 'P-1M')
    """
    odd = sorted(set(numbers) - {*_MONTHS, *_SECONDS})
    fractions = [
        name for name in numbers if name != "seconds" and int(numbers[name]) != numbers[name]
    ]
    if odd or fractions:
        raise Refused(
            "duration",
            ", ".join(odd or fractions),
            "A duration has parts or fractions that have no exact form in ISO GQL.",
        )
    of = {name: numbers[name] for name in (*_MONTHS, *_SECONDS) if numbers.get(name)}
    if {*of} & {*_MONTHS} and {*of} & {*_SECONDS}:
        raise Refused(
            "mixed-duration",
            "duration",
            "ISO GQL has durations of months and durations of seconds, no mixture.",
        )
    if not of:
        return "P0M" if {*numbers} & {*_MONTHS} else "P0D"
    text = "P"
    text += f"{of['years']}Y" if "years" in of else ""
    text += f"{of['months']}M" if "months" in of else ""
    days = of.get("weeks", 0) * 7 + of.get("days", 0)
    text += f"{days}D" if days else ""
    clock = f"{of['hours']}H" if "hours" in of else ""
    clock += f"{of['minutes']}M" if "minutes" in of else ""
    clock += f"{_plain(of['seconds'])}S" if "seconds" in of else ""
    return text + (f"T{clock}" if clock else "")


def _plain(number: float) -> str:
    """A number without an exponent, to the nanosecond.

    >>> _plain(0.000001), _plain(-1.5), _plain(3)
    ('0.000001', '-1.5', '3')
    """
    text = str(number)
    return f"{number:.9f}".rstrip("0") if "e" in text else text


def date_of(parts: Mapping[str, int]) -> str:
    """The text of a date given by a map of year, month and day."""
    if "year" not in parts or set(parts) - {"year", "month", "day"}:
        raise Refused(
            "temporal-map",
            ", ".join(sorted(parts)),
            "ISO GQL takes a date from year, month and day.",
        )
    try:
        return date(parts["year"], parts.get("month", 1), parts.get("day", 1)).isoformat()
    except ValueError as problem:
        raise _refused(str(dict(parts))) from problem


def _refused(text: str) -> Refused:
    shown = text if len(text) <= _LONGEST else f"{text[:77]}…"
    return Refused(
        "temporal-text", shown, f"'{shown}' is no date, time or duration that ISO GQL can hold."
    )
