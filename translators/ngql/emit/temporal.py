"""Temporal constants in the one form that Cypher and NebulaGraph both read.

NebulaGraph reads `YYYY-MM-DD` and `YYYY-MM-DDThh:mm:ss` with microseconds and an offset; its
durations are maps. Adding months rolls over there (31 January plus a month is 3 March) and
stops at the month's end in Cypher, so months are only added to constants, here. Source:
NebulaGraph 3.8 manual, "Date and time types".
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from graph_ir import nodes as ir
from graphmill.errors import Refused, shortened
from schemagraph.model import Kind

KINDS = {
    "date": Kind.DATE,
    "datetime": Kind.ZONED_DATETIME,
    "localdatetime": Kind.DATETIME,
    "localtime": Kind.TIME,
    "duration": Kind.DURATION,
}

COMPONENTS = {
    Kind.DATE: ("year", "month", "day"),
    Kind.TIME: ("hour", "minute", "second"),
    Kind.DATETIME: ("year", "month", "day", "hour", "minute", "second"),
    Kind.ZONED_DATETIME: ("year", "month", "day", "hour", "minute", "second"),
}
"""The accessors that NebulaGraph has of each kind."""

UNITS = ("days", "hours", "minutes", "seconds")
"""The parts of a duration that mean the same in both languages."""

_MONTHS = {"years": 12, "quarters": 3, "months": 1}
_MOST_DIGITS = 4000  # Python converts 4,300 to a number
_DURATION = re.compile(
    r"P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<weeks>-?\d+)W)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?\d+)S)?)?"
)


def constant(call: ir.Call) -> ir.Call:
    """`call` of a temporal function in canonical form; unchanged where its argument is no constant.

    Raises:
        Refused: the constant has no notation in NebulaGraph.
    """
    if call.name not in KINDS or len(call.args) != 1:
        return call
    (argument,) = call.args
    if isinstance(argument, ir.MapOf):
        parts = _numbers(argument)
        if parts is None:
            raise _refuse(call, "only maps of integer constants can be converted")
        if call.name == "duration":
            return _duration(call, parts)
        return _of_map(call, parts)
    if not (isinstance(argument, ir.Literal) and isinstance(argument.value, str)):
        return call
    text = argument.value
    if call.name == "duration":
        match = _DURATION.fullmatch(text)
        if not match or not match.lastgroup:
            raise _refuse(call, f"'{shortened(text)}' is no duration of whole units")
        if any(len(digits or "") > _MOST_DIGITS for digits in match.groups()):
            raise _refuse(call, f"'{shortened(text)}' is beyond integers of 64 bits")
        return _duration(call, {k: int(v) for k, v in match.groupdict().items() if v})
    try:
        return _written(call, _parse(call.name, text))
    except ValueError as problem:
        raise _refuse(call, f"'{shortened(text)}' cannot be converted") from problem


def value(expr: ir.Expr) -> date | datetime | time | None:
    """What a canonical temporal constant stands for."""
    if not (isinstance(expr, ir.Call) and expr.name in KINDS and len(expr.args) == 1):
        return None
    argument = expr.args[0]
    if not (isinstance(argument, ir.Literal) and isinstance(argument.value, str)):
        return None
    try:
        return _parse(expr.name, argument.value)
    except ValueError:
        return None


def sum_of(arith: ir.Arith) -> ir.Expr:
    """A constant plus or minus a constant duration, as one constant; else unchanged."""
    start = value(arith.left)
    shift = _duration_parts(arith.right)
    if start is None or shift is None or isinstance(start, time):
        return arith
    if arith.op not in (ir.ArithOp.ADD, ir.ArithOp.SUB) or not isinstance(arith.left, ir.Call):
        return arith
    sign = 1 if arith.op is ir.ArithOp.ADD else -1
    if not isinstance(start, datetime) and set(shift) - {*_MONTHS, "days"}:
        return arith
    try:
        moved = _plus_months(start, sign * shift.get("months", 0))
        rest = {unit: sign * shift.get(unit, 0) for unit in UNITS}
        moved += timedelta(**rest)
    except (OverflowError, ValueError):
        return arith
    return _written(arith.left, moved)


def months_in(expr: ir.Expr) -> bool:
    """Whether `expr` is a constant duration that has months."""
    parts = _duration_parts(expr)
    return parts is not None and bool(parts.get("months"))


def _duration_parts(expr: ir.Expr) -> dict[str, int] | None:
    if not (isinstance(expr, ir.Call) and expr.name == "duration" and len(expr.args) == 1):
        return None
    argument = expr.args[0]
    return _numbers(argument) if isinstance(argument, ir.MapOf) else None


def _plus_months[D: (date, datetime)](start: D, months: int) -> D:
    total = start.year * 12 + start.month - 1 + months
    year, month = divmod(total, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return start.replace(year=year, month=month + 1, day=min(start.day, last))


def _parse(name: str, text: str) -> date | datetime | time:
    fraction = re.search(r"\.\d{6}(\d+)", text)
    if fraction and fraction[1].strip("0"):
        raise ValueError(text)
    if name == "date":
        if re.fullmatch(r"\d{4}(-\d{2})?", text):
            text += "-01" if len(text) == 7 else "-01-01"
        return date.fromisoformat(text)
    if name == "localtime":
        clock = time.fromisoformat(text)
        if clock.tzinfo:
            raise ValueError(text)
        return clock
    moment = datetime.fromisoformat(text)
    if name == "localdatetime":
        if moment.tzinfo:
            raise ValueError(text)
        return moment
    if moment.utcoffset():
        raise ValueError(text)  # the zone would be lost
    return moment.replace(tzinfo=UTC)


def _written(call: ir.Call, moment: date | datetime | time) -> ir.Call:
    text = moment.isoformat()
    if isinstance(moment, datetime) and moment.tzinfo:
        text = moment.replace(tzinfo=None).isoformat() + "Z"
    return replace(call, args=(ir.Literal(text),))


def _of_map(call: ir.Call, parts: Mapping[str, int]) -> ir.Call:
    units = ("year", "month", "day", "hour", "minute", "second", "microsecond")
    wanted = units[3:] if call.name == "localtime" else units[: 3 if call.name == "date" else 7]
    present = [unit for unit in wanted if unit in parts]
    if set(parts) - set(wanted) or present != list(wanted[: len(present)]):
        raise _refuse(call, "only the parts of a calendar date and a time can be converted")
    hour, minute, second, micro = (parts.get(unit, 0) for unit in units[3:])
    try:
        clock = time(hour, minute, second, micro)
        if call.name == "localtime":
            return _written(call, clock)
        day = date(parts["year"], parts.get("month", 1), parts.get("day", 1))
        if call.name == "date":
            return _written(call, day)
        zone = UTC if call.name == "datetime" else None
        return _written(call, datetime.combine(day, clock, tzinfo=zone))
    except (KeyError, ValueError, OverflowError) as problem:
        raise _refuse(call, "these parts are no date") from problem


def _duration(call: ir.Call, parts: Mapping[str, int]) -> ir.Call:
    unknown = set(parts) - {*_MONTHS, *UNITS, "weeks"}
    if unknown:
        raise _refuse(call, f"a duration in {min(unknown)} cannot be converted")
    months = sum(factor * parts.get(unit, 0) for unit, factor in _MONTHS.items())
    total = {"months": months, **{unit: parts.get(unit, 0) for unit in UNITS}}
    total["days"] += 7 * parts.get("weeks", 0)
    kept = {unit: number for unit, number in total.items() if number} or {"days": 0}
    entries = tuple(ir.Entry(unit, ir.Literal(number)) for unit, number in kept.items())
    return replace(call, args=(ir.MapOf(entries),))


def _numbers(entries: ir.MapOf) -> dict[str, int] | None:
    numbers = {}
    for entry in entries.entries:
        number = entry.value
        if not isinstance(number, ir.Literal) or type(number.value) is not int:
            return None
        numbers[entry.key] = number.value
    return numbers


def _refuse(call: ir.Call, why: str) -> Refused:
    return Refused(
        "temporal-text",
        f"{call.name}(…)",
        f"NebulaGraph cannot take this constant: {why}.",
        call.span,
    )
