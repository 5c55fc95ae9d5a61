"""Sums, comparisons and aggregates of temporal values from rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from graph_ir import nodes as ir
from graph_ir.temporal.values import DAY, Span
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions.temporal.forms import (
    FINE_DATETIME,
    FINE_TIME,
    finer,
    macro_call,
    no_exact_form,
    order_key,
)
from translators.duckdb.expressions.temporal.texts import temporal_text
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import OPERATORS, Sql, infix
from translators.duckdb.model.types import (
    BOOLEAN,
    DATE,
    DATETIME,
    DURATION,
    STRING,
    ZONED_DATETIME,
    ZONED_TIME,
)


def temporal_arithmetic(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    """Sums with durations, and products of durations."""
    kinds = a.type.kind, b.type.kind
    if op is ir.ArithOp.ADD and Kind.STRING in kinds:
        shown = [
            s.operand if s.type.kind is Kind.STRING else temporal_text(cx, s).operand
            for s in (a, b)
        ]
        return Sql(OPERATORS["||"](*shown), STRING, null=a.null or b.null)
    if op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        sign = 1 if op is ir.ArithOp.ADD else -1
        if kinds == (Kind.DURATION, Kind.DURATION):
            return macro_call(cx, "cy_span_plus", DURATION, a, b, str(sign))
        if kinds[0] is Kind.DURATION and sign == 1:
            a, b = b, a
        if a.type.kind in TEMPORAL and b.type.kind is Kind.DURATION:
            return _plus(cx, a, b, sign)
    if op in (ir.ArithOp.MUL, ir.ArithOp.DIV) and isinstance(node, ir.Arith):
        span, number, by = (a, b, node.right) if kinds[0] is Kind.DURATION else (b, a, node.left)
        if span.type.kind is Kind.DURATION and number.type.number and isinstance(by, ir.Literal):
            if op is ir.ArithOp.DIV and span is not a:
                raise no_exact_form(op.value, "A number is not divided by a duration.", node)
            if op is ir.ArithOp.MUL and isinstance(by.value, int):
                return macro_call(cx, "cy_scale", DURATION, span, str(by.value), "1")
            if op is ir.ArithOp.MUL or by.value:
                macro = "cy_times" if op is ir.ArithOp.MUL else "cy_over"
                return macro_call(cx, macro, DURATION, span, f"{float(str(by.value))!r}::DOUBLE")
    raise no_exact_form(
        op.value,
        f"{a.type.kind.value} {op.value} {b.type.kind.value} has no exact form.",
        node,
    )


def _plus(cx: Compiler, a: Sql, b: Sql, sign: int) -> Sql:
    null = a.null or b.null
    native = a.type.kind in (Kind.DATE, Kind.DATETIME) and not a.type.fine
    if native and isinstance(b.const, Span):
        moved = _native_sum(a, b.const, sign)
        if moved is not None:
            return replace(moved, null=null)
    by = str(sign)
    match a.type.kind:
        case Kind.DATE:
            return macro_call(cx, "cy_date_plus", DATE, a, b, by, null=null)
        case Kind.DATETIME:
            return macro_call(cx, "cy_plus", FINE_DATETIME, finer(cx, a), b, by, null=null)
        case Kind.TIME:
            return macro_call(cx, "cy_clock_plus", FINE_TIME, finer(cx, a), b, by, null=null)
        case Kind.ZONED_TIME:
            return macro_call(cx, "cy_zoned_time_plus", ZONED_TIME, a, b, by, null=null)
    return macro_call(cx, "cy_zoned_plus", ZONED_DATETIME, a, b, by, null=null)


def _native_sum(a: Sql, span: Span, sign: int) -> Sql | None:
    """A native date or datetime plus a constant duration; None below microseconds.

    Months are an interval and all else is a number, because DuckDB takes two expressions for one
    that differ in equal intervals only, and to it 30 days are a month.
    """
    months, days, nanos = sign * span.months, sign * span.days, sign * span.nanos
    if a.type.kind is Kind.DATE:
        days += int(Fraction(nanos, DAY))
        shown = f"({a.operand} + INTERVAL '{months} month')::DATE" if months else a.text
        if not days:
            return Sql(shown, DATE)
        return Sql(OPERATORS["-" if days < 0 else "+"](shown, str(abs(days))), DATE)
    if nanos % 1000:
        return None
    shown = OPERATORS["+"](a.text, f"INTERVAL '{months} month'") if months else a.text
    micros = (days * DAY + nanos) // 1000
    if not micros:
        return Sql(shown, DATETIME)
    sums = f"epoch_us({shown}) {'-' if micros < 0 else '+'} {abs(micros)}"
    return Sql(f"make_timestamp({sums})", DATETIME)


def temporal_comparison(cx: Compiler, sign: str, a: Sql, b: Sql) -> Sql | None:
    """A comparison of two values of one kind; None where it is not known."""
    kind = a.type.kind
    if a.type.fine != b.type.fine:
        a, b = finer(cx, a), finer(cx, b)
    if kind is Kind.DURATION and sign in ("<", ">"):
        return None
    if kind is Kind.DURATION and sign in ("<=", ">="):  # known where they are equal
        return Sql(f"(CASE WHEN {a.operand} = {b.operand} THEN true END)", BOOLEAN)
    test = infix(sign, a, b, BOOLEAN)
    if (
        kind is Kind.ZONED_DATETIME
        and sign not in ("=", "<>")
        and (a.const is None) != (b.const is None)
    ):
        # DuckDB 2.0 joins two of these in a WHERE to a BETWEEN, which it has for no structures
        moment = a if b.const is not None else b
        return Sql(f"(CASE WHEN {moment.operand} IS NOT NULL THEN {test.text} END)", BOOLEAN)
    return test


def duration_aggregate(cx: Compiler, node: ir.Agg, arg: Sql, order: tuple[str, ...] = ()) -> Sql:
    """sum and avg of durations; min and max of durations by their length."""
    if arg.type.kind is not Kind.DURATION or node.distinct:
        raise no_exact_form(node.name, f"It has no exact form over {arg.type.kind.value}.", node)
    if node.name in ("min", "max"):
        return Sql(f"arg_{node.name}({arg.text}, {order_key(cx, arg)})", DURATION)
    if node.name not in ("sum", "avg"):
        raise no_exact_form(node.name, "It takes numbers.", node)
    parts = [
        (part, f"coalesce(sum({arg.operand}.{part}), 0)::{kind}")
        for part, kind in (("months", "BIGINT"), ("days", "BIGINT"), ("nanos", "HUGEINT"))
    ]
    total = Sql(values.pack(parts), DURATION, null=False)
    count = f"count({arg.text})"
    if node.name == "sum":
        none = "error('the sum of no durations, 0, cannot be told here')"
        shown = f"(CASE WHEN {count} > 0 THEN {total.text} ELSE {none} END)"
        return Sql(shown, DURATION, null=False)
    by = f" ORDER BY {', '.join(order)}" if order else ""
    listed = f"list({arg.text}{by}) FILTER (WHERE {arg.operand} IS NOT NULL)"
    made = macro_call(cx, "cy_span_mean", DURATION, listed).text
    return Sql(f"(CASE WHEN {count} > 0 THEN {made} END)", DURATION)
