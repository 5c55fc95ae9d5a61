"""Components of temporal values from rows."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.duckdb.expressions.temporal.forms import (
    WITH_DATE,
    ZONED,
    clock,
    day,
    macro_call,
    no_exact_form,
)
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import Sql, composed
from translators.duckdb.model.types import (
    INTEGER,
    STRING,
)

_DATE_PARTS = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "week": "week",
    "weekYear": "isoyear",
    "day": "day",
    "ordinalDay": "dayofyear",
    "weekDay": "isodow",
    "dayOfWeek": "isodow",
}

_CLOCK_SIZES = {
    "hour": (3_600_000_000_000, 24),
    "minute": (60_000_000_000, 60),
    "second": (1_000_000_000, 60),
    "millisecond": (1_000_000, 1000),
    "microsecond": (1000, 1_000_000),
    "nanosecond": (1, 1_000_000_000),
}

_SPAN_PARTS = {
    "years": ("months // 12", ""),
    "quarters": ("months // 3", ""),
    "months": ("months", ""),
    "weeks": ("days // 7", ""),
    "days": ("days", ""),
    "quartersOfYear": ("months // 3", "4"),
    "monthsOfQuarter": ("months", "3"),
    "monthsOfYear": ("months", "12"),
    "daysOfWeek": ("days", "7"),
    "nanoseconds": ("nanos", ""),
}

_OF_SECOND = {
    "millisecondsOfSecond": 1_000_000,
    "microsecondsOfSecond": 1000,
    "nanosecondsOfSecond": 1,
}


def component(cx: Compiler, base: Sql, key: str, node: ir.Expr) -> Sql:
    """`base.key`."""
    kind = base.type.kind
    if kind is Kind.DURATION:
        return _span_part(cx, base, key, node)
    if kind in WITH_DATE and (key in _DATE_PARTS or key == "dayOfQuarter"):
        native = base if kind is not Kind.ZONED_DATETIME and not base.type.fine else day(cx, base)
        if key == "dayOfQuarter":
            date = day(cx, base)
            start = f"date_trunc('quarter', {date.text})::DATE"
            return composed(f"{date.operand} - {start} + 1", INTEGER, null=base.null)
        return Sql(f"{_DATE_PARTS[key]}({native.text})", INTEGER, null=base.null)
    if kind is not Kind.DATE and key in _CLOCK_SIZES:
        return _clock_part(cx, base, key)
    if kind in ZONED:
        return _zone_part(cx, base, key, node)
    raise no_exact_form(key, f"A {kind.value} has no component {key}.", node)


def _clock_part(cx: Compiler, base: Sql, key: str) -> Sql:
    native = base.type.kind in (Kind.TIME, Kind.DATETIME) and not base.type.fine
    if native and key in ("hour", "minute", "second"):
        return Sql(f"{key}({base.text})", INTEGER, null=base.null)
    if native:
        micros = f"microsecond({base.text}) % 1000000"
        shown = {
            "millisecond": f"{micros} // 1000",
            "microsecond": micros,
            "nanosecond": f"{micros} * 1000",
        }
        return composed(shown[key], INTEGER, null=base.null)
    size, limit = _CLOCK_SIZES[key]
    shown_clock = clock(cx, base).operand
    whole = f"{shown_clock} // {size}" if size > 1 else shown_clock
    return composed(whole if key == "hour" else f"{whole} % {limit}", INTEGER, null=base.null)


def _zone_part(cx: Compiler, base: Sql, key: str, node: ir.Expr) -> Sql:
    offset = f'{base.operand}."offset"'
    dated = base.type.kind is Kind.ZONED_DATETIME
    match key:
        case "timezone":
            shown = macro_call(cx, "cy_offset_text", STRING, offset).text
            return Sql(
                f"coalesce(nullif({base.operand}.zone, ''), {shown})" if dated else shown, STRING
            )
        case "offset":
            return macro_call(cx, "cy_offset_text", STRING, offset)
        case "offsetMinutes":
            return composed(f"({offset} // 60)::BIGINT", INTEGER)
        case "offsetSeconds":
            return composed(f"{offset}::BIGINT", INTEGER)
        case "epochSeconds" | "epochMillis" if dated:
            at, size = f"{base.operand}.at", 1_000_000
            millis = f"({at} - (({at} % {size}) + {size}) % {size}) // {size}"
            # Seconds are whole milliseconds towards zero.
            shown = f"({millis}) // 1000" if key == "epochSeconds" else millis
            return composed(f"({shown})::BIGINT", INTEGER)
    raise no_exact_form(key, f"A {base.type.kind.value} has no component {key}.", node)


def _span_part(cx: Compiler, base: Sql, key: str, node: ir.Expr) -> Sql:
    own = base.operand
    rest = f"(({own}.nanos % 1000000000) + 1000000000) % 1000000000"
    seconds = f"(({own}.nanos - {rest}) // 1000000000)"
    if key in ("seconds", "secondsOfMinute"):
        shown = seconds if key == "seconds" else f"{seconds} % 60"
        return composed(f"({shown})::BIGINT", INTEGER)
    if key in ("hours", "minutes", "minutesOfHour"):
        size = 3600 if key == "hours" else 60
        shown = f"{seconds} // {size}" + (" % 60" if key == "minutesOfHour" else "")
        return composed(f"({shown})::BIGINT", INTEGER)
    if key in ("milliseconds", "microseconds"):
        size = _OF_SECOND[f"{key}OfSecond"]
        rest = f"(({own}.nanos % {size}) + {size}) % {size}"
        return composed(f"(({own}.nanos - {rest}) // {size})::BIGINT", INTEGER)
    if key in _OF_SECOND:
        return composed(f"({rest} // {_OF_SECOND[key]})::BIGINT", INTEGER)
    if key not in _SPAN_PARTS:
        raise no_exact_form(key, f"A duration has no component {key}.", node)
    shown, limit = _SPAN_PARTS[key]
    shown = f"{own}.{shown}" + (f" % {limit}" if limit else "")
    return composed(f"({shown})::BIGINT", INTEGER)
