"""Temporal values that come from rows: construction, components, sums, comparison, text.

The representations stand in `temporal.sql`. What DuckDB cannot say exactly is refused, or, where
only the row tells (a named zone, an odd text), is an error of the query.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from graph_ir import nodes as ir
from graph_ir.temporal.values import DAY, Moment, Span
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions import tags
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.constants import BETWEEN, KINDS, constant, literal
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import Scope, Sql, composed
from translators.duckdb.model.types import (
    ANY,
    BOOLEAN,
    DATE,
    DATETIME,
    DURATION,
    INTEGER,
    STRING,
    TIME,
    ZONED_DATETIME,
    ZONED_TIME,
    T,
)

_WITH_DATE = frozenset({Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME})
_ZONED = frozenset({Kind.ZONED_TIME, Kind.ZONED_DATETIME})
_FINE_TIME, _FINE = T(Kind.TIME, fine=True), T(Kind.DATETIME, fine=True)
_PARSERS = {
    Kind.DATE: ("cy_parse_date", DATE),
    Kind.TIME: ("cy_parse_clock", _FINE_TIME),
    Kind.DATETIME: ("cy_parse_datetime", _FINE),
    Kind.ZONED_DATETIME: ("cy_parse_zoned", ZONED_DATETIME),
    Kind.ZONED_TIME: ("cy_parse_zoned_time", ZONED_TIME),
}
_NOW = "make_timestamp(epoch_us(now()))"


def use(cx: Compiler, name: str, of: T, *args: Sql | str, null: bool = True) -> Sql:
    """A call of a macro."""
    shown = ", ".join(a if isinstance(a, str) else a.text for a in args)
    return Sql(f"{cx.macro(name)}({shown})", of, null=null)


def refuse(what: str, why: str, node: ir.Expr | None = None) -> Refused:
    """The refusal of what has no exact form."""
    return Refused("temporal", what, why, node.span if node else None)


# --- forms -------------------------------------------------------------------------------------


def finer(cx: Compiler, sql: Sql) -> Sql:
    """A time or local datetime as nanoseconds."""
    if sql.type.fine:
        return sql
    if sql.type.kind is Kind.TIME:
        return composed(f"epoch_us({sql.text}) * 1000", _FINE_TIME, null=sql.null)
    if sql.type.kind is Kind.DATE:
        return use(cx, "cy_moment", _FINE, sql, "0", null=sql.null)
    return composed(f"epoch_us({sql.text})::HUGEINT * 1000", _FINE, null=sql.null)


def local(cx: Compiler, sql: Sql) -> Sql:
    """A date or datetime as nanoseconds on its own clock."""
    if sql.type.kind is Kind.ZONED_DATETIME:
        return use(cx, "cy_local", _FINE, sql, null=sql.null)
    return finer(cx, sql)


def clock(cx: Compiler, sql: Sql) -> Sql:
    """The time of the day in nanoseconds."""
    if sql.type.kind is Kind.DATE:
        return Sql("0", INTEGER, null=False)
    if sql.type.kind is Kind.TIME:
        return finer(cx, sql)
    if sql.type.kind is Kind.ZONED_TIME:
        sql = use(cx, "cy_local", _FINE, sql, null=sql.null)
    return use(cx, "cy_clock", _FINE_TIME, local(cx, sql), null=sql.null)


def day(cx: Compiler, sql: Sql) -> Sql:
    """The date of a date or datetime."""
    if sql.type.kind is Kind.DATE:
        return sql
    if sql.type.kind is Kind.DATETIME and not sql.type.fine:
        return Sql(f"{sql.operand}::DATE", DATE, atom=False, null=sql.null)
    return use(cx, "cy_day", DATE, local(cx, sql), null=sql.null)


# --- construction --------------------------------------------------------------------------------


def call(cx: Compiler, node: ir.Call, scope: Scope) -> Sql | None:
    """A temporal function; None for a function that is none of these."""
    name = node.name.casefold()
    head, _, tail = name.partition(".")
    if head not in KINDS and head not in ("duration", "timestamp"):
        return None
    if tail == "truncate" and len(node.args) == 3 and node.args[2] == ir.Literal(None):
        node = replace(node, args=node.args[:2])
    if tail == "truncate" and node.args and node.args[0] == ir.Literal(None):
        raise refuse(node.name, "Its unit is null.", node)
    found = constant(node, scope)
    if found is not None:
        return found
    if name == "timestamp":
        return Sql(f"epoch_ms({_NOW})", INTEGER, null=False)
    args = [cx.expr(arg, scope) for arg in node.args if not isinstance(arg, ir.MapOf)]
    if tail.startswith("fromepoch") and any(arg.type.kind is Kind.NULL for arg in args):
        raise refuse(node.name, "It takes integers, not null.", node)
    if any(arg.type.kind is Kind.NULL for arg in args) or _null_map(node):
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
        raise refuse(node.name, "It needs constants.", node)
    if isinstance(node.args[0], ir.MapOf):
        return _from_map(cx, node, scope, KINDS[head])
    return _converted(cx, args[0], KINDS[head], node)


def _null_map(node: ir.Call) -> bool:
    return any(
        isinstance(entry.value, ir.Literal) and entry.value.value is None
        for arg in node.args
        if isinstance(arg, ir.MapOf)
        for entry in arg.entries
    )


def _now(node: ir.Call, kind: Kind) -> Sql:
    if node.args:
        raise refuse(node.name, "The time of a zone has no exact form.", node)
    match kind:
        case Kind.DATE:
            return Sql(f"{_NOW}::DATE", DATE, atom=False, null=False)
        case Kind.TIME:
            return Sql(f"{_NOW}::TIME", TIME, atom=False, null=False)
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
        return use(cx, macro, parsed, arg, null=arg.null)
    if of.kind is kind:
        return arg
    if of.kind in _WITH_DATE and kind is Kind.DATE:
        return day(cx, arg)
    if of.kind is Kind.DATE and kind is Kind.DATETIME:
        return Sql(f"{arg.operand}::TIMESTAMP", DATETIME, atom=False, null=arg.null)
    if of.kind is Kind.ZONED_DATETIME and kind is Kind.DATETIME:
        return local(cx, arg)
    if of.kind in (Kind.DATE, Kind.DATETIME) and kind is Kind.ZONED_DATETIME:
        made = _zoned_pack(finer(cx, arg).text, kind)
        return Sql(_guard(arg, made), ZONED_DATETIME, null=arg.null)
    if of.kind in TEMPORAL and of.kind is not Kind.DATE and kind is Kind.TIME:
        return clock(cx, arg)
    raise refuse(node.name, f"It has no exact form of a {of.kind.value}.", node)


def _guard(arg: Sql, made: str) -> str:
    return f"(CASE WHEN {arg.operand} IS NOT NULL THEN {made} END)" if arg.null else made


def _from_map(cx: Compiler, node: ir.Call, scope: Scope, kind: Kind) -> Sql:
    """A date of year, month and day from rows; other maps need constants."""
    entries = _entries(cx, node, scope)
    if kind is Kind.DATE and _is_date(set(entries)):
        if any(sql.type.kind is not Kind.INTEGER for sql in entries.values()):
            raise refuse(node.name, "Its parts are no integers.", node)
        shown = [entries[p].text if p in entries else "1" for p in ("year", "month", "day")]
        return Sql(f"make_date({', '.join(shown)})", DATE)
    if kind is Kind.ZONED_DATETIME and len(entries) == 1:
        name, sql = next(iter(entries.items()))
        sizes = {"epochSeconds": 1_000_000_000, "epochMillis": 1_000_000}
        if name in sizes and sql.type.kind is Kind.INTEGER:
            made = _zoned_pack(f"{sql.operand}::HUGEINT * {sizes[name]}", kind)
            return Sql(_guard(sql, made), ZONED_DATETIME, null=sql.null)
    raise refuse(node.name, "A map with values from rows has no exact form.", node)


def _is_date(names: set[str]) -> bool:
    return names in ({"year"}, {"year", "month"}, {"year", "month", "day"})


def _entries(cx: Compiler, node: ir.Call, scope: Scope) -> dict[str, Sql]:
    given = node.args[0]
    if not isinstance(given, ir.MapOf):
        return {}
    return {entry.key: cx.expr(entry.value, scope) for entry in given.entries}


_SPAN_UNITS = {
    "years": ("months", 12),
    "quarters": ("months", 3),
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
        if args[0].type.kind is Kind.DURATION:
            return args[0]
        if args[0].type.kind is Kind.STRING:
            return use(cx, "cy_parse_span", DURATION, args[0])
        raise refuse(node.name, "It has no exact form of this value.", node)
    sums: dict[str, list[str]] = {"months": [], "days": [], "nanos": []}
    nullable = []
    for name, sql in _entries(cx, node, scope).items():
        if name not in _SPAN_UNITS or sql.type.kind is not Kind.INTEGER:
            raise refuse(node.name, "A part is no integer.", node)
        part, size = _SPAN_UNITS[name]
        wide = f"{sql.operand}::HUGEINT" if part == "nanos" else sql.operand
        sums[part].append(f"{wide} * {size}" if size > 1 else wide)
        nullable += [sql.operand] if sql.null else []
    made = values.pack(
        [
            (name, f"({' + '.join(parts) or '0'})::{'HUGEINT' if name == 'nanos' else 'BIGINT'}")
            for name, parts in sums.items()
        ]
    )
    if nullable:
        made = f"(CASE WHEN {' AND '.join(f'{n} IS NOT NULL' for n in nullable)} THEN {made} END)"
    return Sql(made, DURATION, null=bool(nullable))


def _truncated(cx: Compiler, node: ir.Call, args: list[Sql], kind: Kind) -> Sql:
    unit = node.args[0]
    parts = node.args[2] if len(node.args) > 2 else None
    if (
        not isinstance(unit, ir.Literal)
        or not isinstance(unit.value, str)
        or (isinstance(parts, ir.MapOf) and parts.entries)
        or (parts is not None and not isinstance(parts, ir.MapOf))
    ):
        raise refuse(node.name, "The unit is no constant, or parts are set.", node)
    name, value = unit.value.lower(), args[1]
    coarse = ("year", "quarter", "month", "week", "day", "decade")
    if kind is Kind.DATE and value.type.kind in _WITH_DATE and name in coarse:
        shown = f"date_trunc({text(name)}, {day(cx, value).text})::DATE"
        return Sql(shown, DATE, atom=False, null=value.null)
    fine = ("hour", "minute", "second", "millisecond", "microsecond")
    native = value.type.kind in (Kind.DATE, Kind.DATETIME) and not value.type.fine
    if kind is Kind.DATETIME and native and name in (*coarse, *fine):
        return Sql(
            f"date_trunc({text(name)}, {value.operand}::TIMESTAMP)", DATETIME, null=value.null
        )
    raise refuse(node.name, f"Truncation to {name} has no exact form for rows.", node)


def _between(cx: Compiler, args: list[Sql], unit: str, node: ir.Call) -> Sql:
    first, last = args
    if any(arg.type.kind not in TEMPORAL - {Kind.DURATION} for arg in args):
        raise refuse(node.name, "It takes two temporal values.", node)
    zoned = [arg.type.kind in _ZONED for arg in args]
    if not all(arg.type.kind in _WITH_DATE for arg in args):
        if unit in ("inMonths", "inDays") and not any(a.type.kind in _WITH_DATE for a in args):
            raise refuse(node.name, "Two times are not days or months apart.", node)
        if unit in ("inMonths", "inDays"):
            none = use(cx, "cy_span", DURATION, "0", "0", "0", null=False)
            tests = " AND ".join(f"{arg.operand} IS NOT NULL" for arg in args if arg.null)
            return Sql(f"(CASE WHEN {tests} THEN {none.text} END)", DURATION) if tests else none
        fixed = [
            use(cx, "cy_fixed", arg.type, arg) if arg.type.kind is Kind.ZONED_DATETIME else arg
            for arg in args
        ]
        sides = [clock(cx, arg).operand for arg in fixed]
        if all(zoned):
            offset = f'{first.operand}."offset" - {last.operand}."offset"'
            sides[1] += f" + ({offset})::BIGINT * 1000000000"
        return use(cx, "cy_span", DURATION, "0", "0", f"{sides[1]} - {sides[0]}")
    if unit == "inSeconds" and all(zoned):
        return use(cx, "cy_span", DURATION, "0", "0", f"{last.operand}.at - {first.operand}.at")
    if unit in ("inMonths", "inDays"):  # what matters are the clocks, not the rules of a zone
        a, b = (local(cx, arg) for arg in args)
        if all(zoned):
            b = use(cx, "cy_local_in", _FINE, f"{last.operand}.at", first)
    else:
        fixed = [
            use(cx, "cy_fixed", arg.type, arg) if arg.type.kind is Kind.ZONED_DATETIME else arg
            for arg in args
        ]
        a, b = (local(cx, arg) for arg in fixed)
        if all(zoned):
            b = use(cx, "cy_local_in", _FINE, f"{fixed[1].operand}.at", first)
    match unit:
        case "inMonths":
            months = use(cx, "cy_months_between", INTEGER, a, b)
            return use(cx, "cy_span", DURATION, months, "0", "0")
        case "inDays":
            return use(cx, "cy_span", DURATION, "0", use(cx, "cy_days_between", INTEGER, a, b), "0")
        case "inSeconds":
            return use(cx, "cy_span", DURATION, "0", "0", f"{b.operand} - {a.operand}")
    return use(cx, "cy_between", DURATION, a, b)


# --- components ----------------------------------------------------------------------------------

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
    "hours": ("nanos // 3600000000000", ""),
    "minutes": ("nanos // 60000000000", ""),
    "milliseconds": ("nanos // 1000000", ""),
    "microseconds": ("nanos // 1000", ""),
    "nanoseconds": ("nanos", ""),
    "minutesOfHour": ("nanos // 60000000000", "60"),
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
    if kind in _WITH_DATE and (key in _DATE_PARTS or key == "dayOfQuarter"):
        native = base if kind is not Kind.ZONED_DATETIME and not base.type.fine else day(cx, base)
        if key == "dayOfQuarter":
            date = day(cx, base)
            start = f"date_trunc('quarter', {date.text})::DATE"
            return composed(f"{date.operand} - {start} + 1", INTEGER, null=base.null)
        return Sql(f"{_DATE_PARTS[key]}({native.text})", INTEGER, null=base.null)
    if kind is not Kind.DATE and key in _CLOCK_SIZES:
        return _clock_part(cx, base, key)
    if kind in _ZONED:
        return _zone_part(cx, base, key, node)
    raise refuse(key, f"A {kind.value} has no component {key}.", node)


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
            shown = use(cx, "cy_offset_text", STRING, offset).text
            return Sql(
                f"coalesce(nullif({base.operand}.zone, ''), {shown})" if dated else shown, STRING
            )
        case "offset":
            return use(cx, "cy_offset_text", STRING, offset)
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
    raise refuse(key, f"A {base.type.kind.value} has no component {key}.", node)


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
    if key in _OF_SECOND:
        return composed(f"({rest} // {_OF_SECOND[key]})::BIGINT", INTEGER)
    if key not in _SPAN_PARTS:
        raise refuse(key, f"A duration has no component {key}.", node)
    shown, limit = _SPAN_PARTS[key]
    shown = f"{own}.{shown}" + (f" % {limit}" if limit else "")
    return composed(f"({shown})::BIGINT", INTEGER)


# --- operators -----------------------------------------------------------------------------------


def arithmetic(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    """Sums with durations, and products of durations."""
    kinds = a.type.kind, b.type.kind
    if op is ir.ArithOp.ADD and Kind.STRING in kinds:
        shown = [
            s.operand if s.type.kind is Kind.STRING else as_text(cx, s).operand for s in (a, b)
        ]
        return composed(" || ".join(shown), STRING, null=a.null or b.null)
    if op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        sign = 1 if op is ir.ArithOp.ADD else -1
        if kinds == (Kind.DURATION, Kind.DURATION):
            return use(cx, "cy_span_plus", DURATION, a, b, str(sign))
        if kinds[0] is Kind.DURATION and sign == 1:
            a, b = b, a
        if a.type.kind in TEMPORAL and b.type.kind is Kind.DURATION:
            return _plus(cx, a, b, sign)
    if op in (ir.ArithOp.MUL, ir.ArithOp.DIV) and isinstance(node, ir.Arith):
        span, number, by = (a, b, node.right) if kinds[0] is Kind.DURATION else (b, a, node.left)
        if span.type.kind is Kind.DURATION and number.type.number and isinstance(by, ir.Literal):
            share = Fraction(str(by.value))
            if op is ir.ArithOp.DIV and share and span is a:
                share = 1 / share
            elif op is ir.ArithOp.DIV:
                raise refuse(op.value, "A number is not divided by a duration.", node)
            p, q = str(share.numerator), str(share.denominator)
            return use(cx, "cy_scale", DURATION, span, p, q)
    raise refuse(
        op.value,
        f"{a.type.kind.value} {op.value} {b.type.kind.value} has no exact form.",
        node,
    )


def _plus(cx: Compiler, a: Sql, b: Sql, sign: int) -> Sql:
    null = a.null or b.null
    native = a.type.kind in (Kind.DATE, Kind.DATETIME) and not a.type.fine
    if native and isinstance(b.const, Span):
        moved = _moved(a, b.const, sign)
        if moved is not None:
            return replace(moved, null=null)
    by = str(sign)
    match a.type.kind:
        case Kind.DATE:
            return use(cx, "cy_date_plus", DATE, a, b, by, null=null)
        case Kind.DATETIME:
            return use(cx, "cy_plus", _FINE, finer(cx, a), b, by, null=null)
        case Kind.TIME:
            return use(cx, "cy_clock_plus", _FINE_TIME, finer(cx, a), b, by, null=null)
        case Kind.ZONED_TIME:
            return use(cx, "cy_zoned_time_plus", ZONED_TIME, a, b, by, null=null)
    return use(cx, "cy_zoned_plus", ZONED_DATETIME, a, b, by, null=null)


def _moved(a: Sql, span: Span, sign: int) -> Sql | None:
    """A native date or datetime plus a constant duration; None below microseconds.

    Months are an interval and all else is a number, because DuckDB takes two expressions for one
    that differ in equal intervals only, and to it 30 days are a month.
    """
    months, days, nanos = sign * span.months, sign * span.days, sign * span.nanos
    if a.type.kind is Kind.DATE:
        days += int(Fraction(nanos, DAY))
        shown = f"({a.operand} + INTERVAL '{months} month')::DATE" if months else a.operand
        if not days:
            return Sql(shown, DATE, atom=bool(months) or a.atom)
        return composed(f"{shown} {'-' if days < 0 else '+'} {abs(days)}", DATE)
    if nanos % 1000:
        return None
    shown = f"{a.operand} + INTERVAL '{months} month'" if months else a.text
    micros = (days * DAY + nanos) // 1000
    if not micros:
        return Sql(shown, DATETIME, atom=not months and a.atom)
    sums = f"epoch_us({shown}) {'-' if micros < 0 else '+'} {abs(micros)}"
    return Sql(f"make_timestamp({sums})", DATETIME)


def compared(cx: Compiler, sign: str, a: Sql, b: Sql) -> Sql | None:
    """A comparison of two values of one kind; None where it is not known."""
    null = a.null or b.null
    kind = a.type.kind
    if a.type.fine != b.type.fine:
        a, b = finer(cx, a), finer(cx, b)
    if kind is Kind.DURATION and sign in ("<", ">"):
        return None
    if kind is Kind.DURATION and sign in ("<=", ">="):  # known where they are equal
        return Sql(f"(CASE WHEN {a.operand} = {b.operand} THEN true END)", BOOLEAN)
    return composed(f"{a.operand} {sign} {b.operand}", BOOLEAN, null=null)


def order_key(cx: Compiler, sql: Sql) -> str:
    """What a value is ordered by."""
    if sql.type.kind is Kind.DURATION:
        return use(cx, "cy_span_length", INTEGER, sql).text
    return sql.operand


def aggregate(cx: Compiler, node: ir.Agg, arg: Sql) -> Sql:
    """sum and avg of durations; min and max of durations by their length."""
    if arg.type.kind is not Kind.DURATION or node.distinct:
        raise refuse(node.name, f"It has no exact form over {arg.type.kind.value}.", node)
    if node.name in ("min", "max"):
        return Sql(f"arg_{node.name}({arg.text}, {order_key(cx, arg)})", DURATION)
    if node.name not in ("sum", "avg"):
        raise refuse(node.name, "It takes numbers.", node)
    parts = [
        (part, f"coalesce(sum({arg.operand}.{part}), 0)::{kind}")
        for part, kind in (("months", "BIGINT"), ("days", "BIGINT"), ("nanos", "HUGEINT"))
    ]
    total = Sql(values.pack(parts), DURATION, null=False)
    if node.name == "sum":
        return total
    count = f"count({arg.text})"
    made = use(cx, "cy_scale", DURATION, total, "1", f"greatest({count}, 1)").text
    return Sql(f"(CASE WHEN {count} > 0 THEN {made} END)", DURATION)


# --- texts ---------------------------------------------------------------------------------------


def as_text(cx: Compiler, arg: Sql, *, shown: bool = False) -> Sql:
    """Cypher's text of a value, or with `shown` that of results."""
    if isinstance(arg.const, Moment | Span):
        made = arg.const.shown() if shown and isinstance(arg.const, Moment) else str(arg.const)
        return literal(made)
    end = "shown" if shown else "text"
    match arg.type.kind:
        case Kind.DATE:
            return use(cx, "cy_date_text", STRING, arg, null=arg.null)
        case Kind.TIME:
            return use(cx, f"cy_clock_{end}", STRING, finer(cx, arg), null=arg.null)
        case Kind.DATETIME:
            return use(cx, f"cy_datetime_{end}", STRING, finer(cx, arg), null=arg.null)
        case Kind.ZONED_TIME:
            return use(cx, f"cy_zoned_time_{end}", STRING, arg, null=arg.null)
        case Kind.ZONED_DATETIME:
            return use(cx, f"cy_zoned_{end}", STRING, arg, null=arg.null)
    return use(cx, "cy_span_text", STRING, arg, null=arg.null)


def tagged(cx: Compiler, sql: Sql) -> Sql:
    """A temporal value as tagged JSON: its texts, and a number that orders it."""
    kind = sql.type.kind
    if kind is Kind.DATE:
        at = f"{sql.operand} - DATE '1970-01-01'"
    elif kind is Kind.DURATION:
        at = order_key(cx, sql)
    elif kind in _ZONED:
        at = f'{sql.operand}.at::HUGEINT * 1000000 + {sql.operand}."offset"'
    else:
        at = finer(cx, sql).text
    made = (
        f"json_object('$temporal', {text(kind.value)}, 'text', {as_text(cx, sql).text}, "
        f"'shown', {as_text(cx, sql, shown=True).text}, 'at', ({at})::VARCHAR)"
    )
    return Sql(_guard(sql, made), ANY, null=sql.null)
