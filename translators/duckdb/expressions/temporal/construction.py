"""Temporal values that are made of values from rows: texts, maps, other temporal values."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions.temporal.forms import (
    FINE_DATETIME,
    FINE_TIME,
    WITH_DATE,
    ZONED,
    clock,
    day,
    finer,
    local,
    macro_call,
    no_exact_form,
    unless_null,
)
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.constants import BETWEEN, KINDS, constant
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import Scope, Sql, composed
from translators.duckdb.model.types import (
    DATE,
    DATETIME,
    DURATION,
    INTEGER,
    TIME,
    ZONED_DATETIME,
    ZONED_TIME,
    T,
)

_PARSERS = {
    Kind.DATE: ("cy_parse_date", DATE),
    Kind.TIME: ("cy_parse_clock", FINE_TIME),
    Kind.DATETIME: ("cy_parse_datetime", FINE_DATETIME),
    Kind.ZONED_DATETIME: ("cy_parse_zoned", ZONED_DATETIME),
    Kind.ZONED_TIME: ("cy_parse_zoned_time", ZONED_TIME),
}

# The parts of a time of day, and how many of each there are.
_CLOCK = {"hour": 24, "minute": 60, "second": 60}
_NOW = "make_timestamp(epoch_us(now()))"


def temporal_call(cx: Compiler, node: ir.Call, scope: Scope) -> Sql | None:
    """A temporal function; None for a function that is none of these."""
    name = node.name.casefold()
    head, _, tail = name.partition(".")
    if head not in KINDS and head not in ("duration", "timestamp"):
        return None
    if tail == "truncate" and len(node.args) == 3 and node.args[2] == ir.Literal(None):
        node = replace(node, args=node.args[:2])
    if tail == "truncate" and node.args and node.args[0] == ir.Literal(None):
        raise no_exact_form(node.name, "Its unit is null.", node)
    folded = constant(node, scope)
    if folded is not None:
        return folded
    if name == "timestamp":
        return Sql(f"epoch_ms({_NOW})", INTEGER, null=False)
    args = [cx.expr(arg, scope) for arg in node.args if not isinstance(arg, ir.MapOf)]
    if tail.startswith("fromepoch") and any(arg.type.kind is Kind.NULL for arg in args):
        raise no_exact_form(node.name, "It takes integers, not null.", node)
    if tail == "truncate" and any(arg.type.kind is Kind.NULL for arg in args):
        raise no_exact_form(node.name, "There is nothing to be truncated.", node)
    if any(arg.type.kind is Kind.NULL for arg in args):
        return Sql("NULL", T(Kind.NULL))
    if name in BETWEEN:
        return _between(cx, args, BETWEEN[name], node)
    if head == "duration":
        return _duration(cx, node, scope, args)
    if not node.args or tail in ("transaction", "statement", "realtime"):
        return _now(node, KINDS[head])
    if tail == "truncate":
        return _truncated(cx, node, args, KINDS[head])
    if tail:
        raise no_exact_form(node.name, "It needs constants.", node)
    if isinstance(node.args[0], ir.MapOf):
        return _from_map(cx, node, scope, KINDS[head])
    return _converted(cx, args[0], KINDS[head], node)


def _now(node: ir.Call, kind: Kind) -> Sql:
    if node.args:
        raise no_exact_form(node.name, "The time of a zone has no exact form.", node)
    match kind:
        case Kind.DATE:
            return composed(f"{_NOW}::DATE", DATE, null=False)
        case Kind.TIME:
            return composed(f"{_NOW}::TIME", TIME, null=False)
        case Kind.DATETIME:
            return Sql(_NOW, DATETIME, null=False)
        case Kind.ZONED_TIME:
            shown = f"epoch_us({_NOW}::TIME) * 1000"
            return Sql(_zoned_pack(shown, kind), ZONED_TIME, null=False)
    return Sql(_zoned_pack("epoch_us(now())::HUGEINT * 1000", kind), ZONED_DATETIME, null=False)


def _zoned_pack(at: str, kind: Kind) -> str:
    parts = [("at", at), ("offset", "0::INTEGER")]
    if kind is Kind.ZONED_DATETIME:
        parts.append(("zone", "''"))
    return values.pack(parts)


def _converted(cx: Compiler, arg: Sql, kind: Kind, node: ir.Call) -> Sql:
    """`date(x)` and its relatives of a value from a row."""
    of = arg.type
    if of.kind is Kind.ANY:
        arg = tags.string(cx, arg)
        of = arg.type
    if of.kind is Kind.STRING:
        macro, parsed = _PARSERS[kind]
        if "cy_parse_" not in arg.text:
            return macro_call(cx, macro, parsed, arg, null=arg.null)
        once = macro_call(cx, macro, parsed, "_cy_p", null=arg.null)  # see temporal.sql
        return replace(once, text=f"list_transform([{arg.text}], lambda _cy_p: {once.text})[1]")
    if of.kind is kind:
        return arg
    if of.kind in WITH_DATE and kind is Kind.DATE:
        return day(cx, arg)
    if of.kind is Kind.ZONED_DATETIME and kind is Kind.DATETIME:
        return local(cx, arg)
    if of.kind is Kind.DATETIME and kind is Kind.ZONED_DATETIME:
        made = _zoned_pack(finer(cx, arg).text, kind)
        return Sql(unless_null(arg, made), ZONED_DATETIME, null=arg.null)
    if of.kind in TEMPORAL and of.kind is not Kind.DATE and kind is Kind.TIME:
        return clock(cx, arg)
    raise no_exact_form(node.name, f"It has no exact form of a {of.kind.value}.", node)


def _from_map(cx: Compiler, node: ir.Call, scope: Scope, kind: Kind) -> Sql:
    """A date of year, month and day from rows; other maps need constants."""
    entries = _entries(cx, node, scope)
    if kind is Kind.DATE and _is_date(set(entries)):
        if entries["year"].type.kind is Kind.NULL or any(
            sql.type.kind not in (Kind.INTEGER, Kind.NULL) for sql in entries.values()
        ):
            raise no_exact_form(node.name, "Its parts are no integers.", node)
        least = {"year": "error('a year that is null cannot be read here')"}
        shown = [
            _or_least(entries.get(part), least.get(part, "1")) for part in ("year", "month", "day")
        ]
        return Sql(f"make_date({', '.join(shown)})", DATE, null=False)
    if kind is Kind.ZONED_DATETIME and len(entries) == 1:
        name, sql = next(iter(entries.items()))
        sizes = {"epochSeconds": 1_000_000_000, "epochMillis": 1_000_000}
        if name in sizes and sql.type.kind is Kind.INTEGER:
            made = _zoned_pack(f"{sql.operand}::HUGEINT * {sizes[name]}", kind)
            return Sql(unless_null(sql, made), ZONED_DATETIME, null=sql.null)
    if kind is Kind.DATETIME and "date" in entries:
        begun = _on_day(cx, entries, node.args[0])
        if begun is not None:
            return begun
    raise no_exact_form(node.name, "A map with values from rows has no exact form.", node)


def _on_day(cx: Compiler, entries: dict[str, Sql], given: ir.Expr) -> Sql | None:
    """A moment of a day from a row and a time of day that is written, in whole units."""
    assert isinstance(given, ir.MapOf)  # noqa: S101 - it has the entries
    written = {entry.key: entry.value for entry in given.entries if entry.key != "date"}
    shape = list(_CLOCK)[: len(written)]
    start = entries["date"]
    if len(entries) != len(given.entries) or set(written) != set(shape):
        return None
    if start.type.kind not in (Kind.DATE, Kind.DATETIME):
        return None
    clock_parts = []
    for name in shape:
        part = written[name]
        value = part.value if isinstance(part, ir.Literal) else None
        if type(value) is not int or not 0 <= value < _CLOCK[name]:
            return None
        clock_parts.append(value)
    hour, minute, second = (*clock_parts, 0, 0, 0)[:3]
    date = start if start.type.kind is Kind.DATE else day(cx, start)
    shown = date.operand
    if start.null:
        shown = f"coalesce({date.text}, error('a date that is null cannot be read'))"
    time = f"TIME '{hour:02}:{minute:02}:{second:02}'"
    return composed(f"{shown} + {time}", DATETIME, null=False)


def _or_least(part: Sql | None, least: str) -> str:
    """A part of a date, whose least value stands for null."""
    if part is None or part.type.kind is Kind.NULL:
        return least
    return f"coalesce({part.text}, {least})" if part.null else part.text


def _is_date(names: set[str]) -> bool:
    return names in ({"year"}, {"year", "month"}, {"year", "month", "day"})


def _entries(cx: Compiler, node: ir.Call, scope: Scope) -> dict[str, Sql]:
    given = node.args[0]
    if not isinstance(given, ir.MapOf):
        return {}
    return {entry.key: cx.expr(entry.value, scope) for entry in given.entries}


_SPAN_UNITS = {
    "years": ("months", 12),
    "months": ("months", 1),
    "weeks": ("days", 7),
    "days": ("days", 1),
    "hours": ("nanos", 3_600_000_000_000),
    "minutes": ("nanos", 60_000_000_000),
    "seconds": ("nanos", 1_000_000_000),
    "milliseconds": ("nanos", 1_000_000),
    "microseconds": ("nanos", 1000),
    "nanoseconds": ("nanos", 1),
}


def _duration(cx: Compiler, node: ir.Call, scope: Scope, args: list[Sql]) -> Sql:
    if args:
        if args[0].type.kind is Kind.STRING:
            return macro_call(cx, "cy_parse_span", DURATION, args[0])
        raise no_exact_form(node.name, "It has no exact form of this value.", node)
    sums: dict[str, list[str]] = {"months": [], "days": [], "nanos": []}
    entries = {n: s for n, s in _entries(cx, node, scope).items() if s.type.kind is not Kind.NULL}
    for name, sql in entries.items():
        if name not in _SPAN_UNITS or sql.type.kind is not Kind.INTEGER:
            raise no_exact_form(node.name, "A part is no integer.", node)
        part, size = _SPAN_UNITS[name]
        one = f"coalesce({sql.text}, 0)" if sql.null else sql.operand
        wide = f"{one}::HUGEINT" if part == "nanos" else one
        sums[part].append(f"{wide} * {size}" if size > 1 else wide)
    made = values.pack(
        [
            (name, f"({' + '.join(parts) or '0'})::{'HUGEINT' if name == 'nanos' else 'BIGINT'}")
            for name, parts in sums.items()
        ]
    )
    if all(sql.null for sql in entries.values()):
        none = ", ".join(sql.text for sql in entries.values())
        some = f"coalesce({none}) IS NOT NULL" if entries else "false"
        made = f"(CASE WHEN {some} THEN {made} ELSE error('a duration of no parts') END)"
    return Sql(made, DURATION, null=False)


def _truncated(cx: Compiler, node: ir.Call, args: list[Sql], kind: Kind) -> Sql:
    unit = node.args[0]
    parts = node.args[2] if len(node.args) > 2 else None
    if (
        not isinstance(unit, ir.Literal)
        or not isinstance(unit.value, str)
        or (isinstance(parts, ir.MapOf) and parts.entries)
        or (parts is not None and not isinstance(parts, ir.MapOf))
    ):
        raise no_exact_form(node.name, "The unit is no constant, or parts are set.", node)
    name, value = unit.value.lower(), _there(args[1])
    coarse = ("year", "quarter", "month", "week", "day", "decade")
    if kind is Kind.DATE and value.type.kind in WITH_DATE and name in coarse:
        shown = f"date_trunc({text(name)}, {day(cx, value).text})::DATE"
        return composed(shown, DATE, null=value.null)
    fine = ("hour", "minute", "second", "millisecond", "microsecond")
    native = value.type.kind in (Kind.DATE, Kind.DATETIME) and not value.type.fine
    if kind is Kind.DATETIME and native and name in (*coarse, *fine):
        return Sql(
            f"date_trunc({text(name)}, {value.operand}::TIMESTAMP)", DATETIME, null=value.null
        )
    raise no_exact_form(node.name, f"Truncation to {name} has no exact form for rows.", node)


def _there(value: Sql) -> Sql:
    """A value that is an error where it is null."""
    if not value.null:
        return value
    made = f"coalesce({value.text}, error('there is nothing to be truncated'))"
    return replace(value, text=made, null=False)


def _between(cx: Compiler, args: list[Sql], unit: str, node: ir.Call) -> Sql:
    first, last = args
    if any(arg.type.kind not in TEMPORAL - {Kind.DURATION} for arg in args):
        raise no_exact_form(node.name, "It takes two temporal values.", node)
    zoned = [arg.type.kind in ZONED for arg in args]
    span = "cy_known_span" if any(arg.null for arg in args) else "cy_span"
    if not all(arg.type.kind in WITH_DATE for arg in args):
        if unit in ("inMonths", "inDays") and not any(a.type.kind in WITH_DATE for a in args):
            raise no_exact_form(node.name, "Two times are not days or months apart.", node)
        if unit in ("inMonths", "inDays"):
            none = macro_call(cx, "cy_span", DURATION, "0", "0", "0", null=False)
            tests = " AND ".join(f"{arg.operand} IS NOT NULL" for arg in args if arg.null)
            return Sql(f"(CASE WHEN {tests} THEN {none.text} END)", DURATION) if tests else none
        fixed = [
            macro_call(cx, "cy_fixed", arg.type, arg)
            if arg.type.kind is Kind.ZONED_DATETIME
            else arg
            for arg in args
        ]
        sides = [clock(cx, arg).operand for arg in fixed]
        if all(zoned):
            offset = f'{first.operand}."offset" - {last.operand}."offset"'
            sides[1] += f" + ({offset})::BIGINT * 1000000000"
        return macro_call(cx, span, DURATION, "0", "0", f"{sides[1]} - {sides[0]}")
    if unit == "inSeconds" and all(zoned):
        return macro_call(cx, span, DURATION, "0", "0", f"{last.operand}.at - {first.operand}.at")
    if unit in ("inMonths", "inDays"):  # what matters are the clocks, not the rules of a zone
        a, b = (local(cx, arg) for arg in args)
        if all(zoned):
            b = macro_call(cx, "cy_local_in", FINE_DATETIME, f"{last.operand}.at", first)
    else:
        fixed = [
            macro_call(cx, "cy_fixed", arg.type, arg)
            if arg.type.kind is Kind.ZONED_DATETIME
            else arg
            for arg in args
        ]
        a, b = (local(cx, arg) for arg in fixed)
        if all(zoned):
            b = macro_call(cx, "cy_local_in", FINE_DATETIME, f"{fixed[1].operand}.at", first)
    match unit:
        case "inMonths":
            months = macro_call(cx, "cy_months_between", INTEGER, a, b)
            return macro_call(cx, span, DURATION, months, "0", "0")
        case "inDays":
            return macro_call(
                cx, span, DURATION, "0", macro_call(cx, "cy_days_between", INTEGER, a, b), "0"
            )
        case "inSeconds":
            return macro_call(cx, span, DURATION, "0", "0", f"{b.operand} - {a.operand}")
    return macro_call(cx, "cy_between", DURATION, a, b)
