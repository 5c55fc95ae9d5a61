"""Text constants as PostgreSQL's types read them, in forms that have one reading under every
setting (https://www.postgresql.org/docs/current/datatype-datetime.html, 8.5.1), and the texts of
decimal constants."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import NUMERIC, Kind
from translators.from_sql.statement.values import Value, number, parsed_number

CONSTRUCTORS = {Kind.DATE: "date", Kind.TIME: "localtime", Kind.DATETIME: "localdatetime"}
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]*)?")
_MOST_DIGITS = 25  # fewer than those that Decimal computes with
_COMPUTED = {exp.Add: operator.add, exp.Sub: operator.sub, exp.Mul: operator.mul}
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_DIGITS = re.compile(r" *[+-]?[0-9]{1,30} *")
_NUMBER = re.compile(r"(?=[^0-9]*(?:[0-9]\.?){1,15}\Z)[+-]?[0-9]+(?:\.[0-9]+)?")
# https://www.postgresql.org/docs/current/datatype-boolean.html
_TRUTHS = {
    **dict.fromkeys(("true", "t", "yes", "y", "on", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "off", "0"), False),
}
_ZONE = r"Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?"
_TIME = re.compile(_CLOCK)
_MOMENT = re.compile(rf"([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})(?:[T ]({_CLOCK})(?: ?({_ZONE}))?)?")


def in_full(kind: Kind, word: str) -> str | None:
    """A date, time or moment in ISO 8601, with seconds and no zeros at the end of a fraction; None
    for a text that may have another reading, or none.

    A day has no regard to a clock behind it, nor a moment without a zone to one; a moment with a
    zone is one in UTC, the session's zone where none is written.

    >>> in_full(Kind.ZONED_DATETIME, "2024-02-29 12:00+02"), in_full(Kind.TIME, "10:00")
    ('2024-02-29T10:00:00', '10:00:00')
    """
    try:
        if kind is Kind.TIME:
            return _shown(time.fromisoformat(word)) if _TIME.fullmatch(word) else None
        match = _MOMENT.fullmatch(word)
        if match is None:
            return None
        day, clock = date.fromisoformat(match[1]), match[2] or "00:00"
        ahead = _offset(match[3] or "Z")
        if kind is Kind.DATE:
            return day.isoformat()
        moment = datetime.combine(day, time.fromisoformat(clock))
        if kind is Kind.ZONED_DATETIME:
            moment -= ahead
        return f"{moment.date().isoformat()}T{_shown(moment.time())}"
    except (ValueError, OverflowError):
        return None  # no day of the calendar, or one before the first year


_OF_MYSQL = re.compile(
    r"(?:([0-9]{4})-([0-9]{1,2})-([0-9]{1,2}))?"
    r"(?:(?<=[0-9])[T ](?=[0-9])|\b)(?:([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.0{1,6})?))?)?"
)


def of_mysql(kind: Kind, word: str) -> str:
    """A date, time or moment as MySQL reads a constant beside one, written in full: without zeros
    in front, without seconds, a day with a clock of midnight (dev.mysql.com: Date and Time
    Literals); any other text as it is.

    >>> of_mysql(Kind.DATE, "2024-1-5"), of_mysql(Kind.DATETIME, "2024-01-31 9:00")
    ('2024-01-05', '2024-01-31 09:00:00')
    """
    match = _OF_MYSQL.fullmatch(word)
    if match is None:
        return word
    year, month, day, hour, minute, second = match.groups()
    date_ = f"{year}-{month:0>2}-{day:0>2}" if year else ""
    clock = f"{hour:0>2}:{minute}:{(second or '00')[:2]}" if hour else ""
    if kind is Kind.DATE and date_:
        return date_ if clock in ("", "00:00:00") else word
    if kind is Kind.DATETIME and date_:
        return f"{date_} {clock or '00:00:00'}"
    return clock if kind is Kind.TIME and clock and not date_ else word


_UNITS = {
    **dict.fromkeys(("year", "years"), ("months", 12)),
    **dict.fromkeys(("mon", "mons", "month", "months"), ("months", 1)),
    **dict.fromkeys(("week", "weeks"), ("days", 7)),
    **dict.fromkeys(("day", "days"), ("days", 1)),
    **dict.fromkeys(("hour", "hours"), ("seconds", 3600)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), ("seconds", 60)),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), ("seconds", 1)),
}
_PART = re.compile(r" *([+-]?[0-9]{1,6}) *([a-z]+)", re.IGNORECASE)


def interval_of(words: str) -> dict[str, int] | None:
    """The months, days and seconds of an interval, which PostgreSQL keeps apart, those that it has
    (8.5.4, Interval Input); None for one of fractions, of a clock, or in another form.

    >>> interval_of("1 year 2 months -3 days"), interval_of("90 min")
    ({'months': 14, 'days': -3}, {'seconds': 5400})
    """
    parts: dict[str, int] = {}
    at = 0
    while at < len(words):
        match = _PART.match(words, at)
        unit = _UNITS.get(match[2].lower()) if match is not None else None
        if match is None or unit is None:
            return None
        parts[unit[0]] = parts.get(unit[0], 0) + int(match[1]) * unit[1]
        at = match.end()
    return parts or None


def microseconds(interval: dict[str, int]) -> int:
    """How long an interval is where PostgreSQL compares it: a month has 30 days."""
    days = 30 * interval.get("months", 0) + interval.get("days", 0)
    return (86_400 * days + interval.get("seconds", 0)) * 1_000_000


_SECONDS = re.compile(r"([+-]?)([0-9]{1,9})(?:\.([0-9]{1,6}))?")


def length_of(word: str) -> int | None:
    """How many microseconds a text is where PostgreSQL compares it as an interval, a number alone
    being one of seconds (8.5.4, Interval Input); None for what is not read here.

    >>> length_of("86400"), length_of("-0.1"), length_of("1 day"), length_of("12:00")
    (86400000000, -100000, 86400000000, None)
    """
    match = _SECONDS.fullmatch(word)
    if match is None:
        parts = interval_of(word)
        return None if parts is None else microseconds(parts)
    micros = int(match[2]) * 1_000_000 + int(f"{match[3] or '':0<6}")
    return -micros if match[1] == "-" else micros


def _offset(zone: str) -> timedelta:
    """How far a zone is before UTC.

    Raises:
        ValueError: PostgreSQL has no zone so far.
    """
    if zone in ("Z", "UTC"):
        return timedelta(0)
    hours, minutes = int(zone[1:3]), int(zone[3:].removeprefix(":") or 0)
    if hours > 15 or minutes > 59:
        raise ValueError(zone)
    ahead = timedelta(hours=hours, minutes=minutes)
    return -ahead if zone[0] == "-" else ahead


def _shown(clock: time) -> str:
    return clock.isoformat().rstrip("0") if clock.microsecond else clock.isoformat()


def is_integer(word: str, beside: Sequence[Value]) -> bool:
    """Whether a text is an integer of a type that PostgreSQL has for it beside others.

    >>> [is_integer(word, [number(1)]) for word in (" 12", "12.0", "3000000000")]
    [True, False, False]
    """
    if not _DIGITS.fullmatch(word):
        return False
    short = all(value.short for value in beside)
    most = 2**15 if all(value.small for value in beside) else 2**31 if short else 2**63
    return -most <= int(word) < most


def constant_of(kind: Kind, word: str) -> Value | None:
    """A text constant as a value of a kind; None where that is not sure.

    >>> constant_of(Kind.BOOLEAN, "t").expr.value, constant_of(Kind.INTEGER, "1.5")
    (True, None)
    """
    if kind is Kind.BOOLEAN:
        truth = _TRUTHS.get(word.lower())
        return None if truth is None else Value(ir.Literal(truth), kind, nullable=False)
    if kind in NUMERIC:
        form = _INTEGER if kind is Kind.INTEGER else _NUMBER
        parsed = parsed_number(word) if form.fullmatch(word) else None
        return None if parsed is None else number(parsed)
    full = in_full(kind, word) if kind in (*CONSTRUCTORS, Kind.ZONED_DATETIME) else None
    if full is None:
        return None
    if kind is Kind.ZONED_DATETIME:
        zoned = ir.Call("datetime", (ir.Literal(f"{full}Z"),))
        return Value(zoned, kind, nullable=False, of_session=True)
    return Value(ir.Call(CONSTRUCTORS[kind], (ir.Literal(full),)), kind, nullable=False)


def decimal_text(node: exp.Expr, dialect: str) -> str | None:
    """The text of a decimal constant, or of sums and products of such: all digits that are written,
    and as many after the point as the parts have.

    https://dev.mysql.com/doc/refman/8.4/en/precision-math-decimal-characteristics.html and
    https://www.postgresql.org/docs/current/datatype-numeric.html; None where it is not known:
    quotients, floats with an exponent, and in DuckDB, which leaves out a 0 before the point where
    none is written, what begins with one.
    """
    value = _decimal(node, dialect)
    if value is None or len(value.as_tuple().digits) > _MOST_DIGITS:
        return None
    return f"{value if value else abs(value):f}"


def _decimal(node: exp.Expr, dialect: str) -> Decimal | None:
    match node:
        case exp.Paren():
            return _decimal(node.this, dialect)
        case exp.Neg():
            value = _decimal(node.this, dialect)
            return None if value is None else -value
        case exp.Literal(is_string=False):
            bare = dialect == "duckdb" and node.name.startswith(("0.", "."))
            return None if bare or not _DECIMAL.fullmatch(node.name) else Decimal(node.name)
        case exp.Add() | exp.Sub() | exp.Mul():
            left, right = (_decimal(side, dialect) for side in (node.this, node.expression))
            if left is not None and right is not None:
                return Decimal(_COMPUTED[type(node)](left, right))
    return None
