"""Temporal constants: computed once, exactly, and written as DuckDB literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph_ir import nodes as ir
from graph_ir.temporal.arithmetic import between, component, plus, product, quotient, sum_of
from graph_ir.temporal.construct import from_epoch, moment, span, truncate, with_least
from graph_ir.temporal.values import DAY, SECOND, Moment, Span, TemporalError, date_of
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.model import values
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import Scope, Sql, Value, operation
from translators.duckdb.model.types import T

KINDS = {
    "date": Kind.DATE,
    "localtime": Kind.TIME,
    "time": Kind.ZONED_TIME,
    "localdatetime": Kind.DATETIME,
    "datetime": Kind.ZONED_DATETIME,
}
BETWEEN = {
    "duration.between": "",
    "duration.inmonths": "inMonths",
    "duration.indays": "inDays",
    "duration.inseconds": "inSeconds",
}

type Constant = bool | int | float | str | Moment | Span | None
type Plain = Constant | dict[str, Constant]


class NoConstant(Exception):
    """The expression depends on the row."""


def constant(node: ir.Expr, scope: Scope) -> Sql | None:
    """The literal of a temporal expression that is the same in every row; None if it is not.

    Raises:
        Refused: there is no such temporal value.
    """
    try:
        value = _value(node, scope)
    except NoConstant:
        return None
    except TemporalError as problem:
        raise Refused("temporal", _name(node), f"{problem}.", node.span) from problem
    if isinstance(value, dict):
        return None
    return literal(value)


def _name(node: ir.Expr) -> str:
    return node.name if isinstance(node, ir.Call) else type(node).__name__


def _value(node: ir.Expr, scope: Scope) -> Plain:
    match node:
        case ir.Literal():
            return node.value
        case ir.Var():
            bound = scope.env.get(node.name)
            if isinstance(bound, Value) and bound.sql.const is not None:
                return bound.sql.const
        case ir.MapOf():
            entries: dict[str, Constant] = {}
            for entry in node.entries:
                value = _value(entry.value, scope)
                if isinstance(value, dict):
                    raise NoConstant
                entries[entry.key] = value
            return entries
        case ir.Prop():
            base = _value(node.base, scope)
            if isinstance(base, Moment | Span):
                return component(base, node.key)
        case ir.Neg():
            value = _value(node.arg, scope)
            if isinstance(value, Span):
                return product(value, -1)
        case ir.Arith():
            return _arith(node.op, _value(node.left, scope), _value(node.right, scope))
        case ir.Call():
            return _call(node, scope)
    raise NoConstant


def _arith(op: ir.ArithOp, a: Plain, b: Plain) -> Constant:
    if op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        sign = 1 if op is ir.ArithOp.ADD else -1
        if isinstance(a, Moment) and isinstance(b, Span):
            return plus(a, b, sign)
        if isinstance(a, Span) and isinstance(b, Span):
            return sum_of(a, b, sign)
        if isinstance(a, Span) and isinstance(b, Moment) and sign == 1:
            return plus(b, a)
    if op is ir.ArithOp.MUL and isinstance(b, Span):
        a, b = b, a
    if isinstance(a, Span) and isinstance(b, int | float) and not isinstance(b, bool):
        if op is ir.ArithOp.MUL:
            return product(a, b)
        if op is ir.ArithOp.DIV and b:
            return quotient(a, b)
    raise NoConstant


def _call(node: ir.Call, scope: Scope) -> Constant:
    name = node.name.casefold()
    head, _, tail = name.partition(".")
    if not node.args or not (head in KINDS or head == "duration" or name == "tostring"):
        raise NoConstant
    args = [_value(arg, scope) for arg in node.args]
    if tail == "truncate" and None in args[:2]:
        raise TemporalError("there is nothing to be truncated")
    if None in args:
        raise NoConstant  # NULL, with a type that only the emitter knows
    if name == "tostring" and isinstance(args[0], Moment | Span):
        return str(args[0])
    if name in BETWEEN:
        first, last = args
        if isinstance(first, Moment) and isinstance(last, Moment):
            return between(first, last, BETWEEN[name])
    if head == "duration" and not tail:
        if isinstance(args[0], Span):
            raise TemporalError("duration() takes a text or a map, and no duration")
        return span(_part(args[0]))
    if head in KINDS and not tail:
        given = args[0]
        return moment(KINDS[head], with_least(given) if isinstance(given, dict) else _part(given))
    if head in KINDS and tail == "truncate":
        return _truncated(KINDS[head], args)
    if tail in ("fromepoch", "fromepochmillis"):
        return _from_epoch(tail, args)
    raise NoConstant


def _truncated(kind: Kind, args: Sequence[Plain]) -> Constant:
    unit, value, *rest = args
    parts = rest[0] if rest else {}
    if isinstance(unit, str) and isinstance(value, Moment) and isinstance(parts, dict):
        return truncate(
            kind, unit, value, {key: part for key, part in parts.items() if part is not None}
        )
    raise NoConstant


def _from_epoch(name: str, args: Sequence[Plain]) -> Constant:
    first = args[0]
    if name == "fromepochmillis" and isinstance(first, int):
        return from_epoch(0, first * 1_000_000)
    if name == "fromepoch" and isinstance(first, int) and len(args) == 2:
        nanos = args[1]
        if isinstance(nanos, int):
            if not 0 <= nanos < SECOND:
                raise TemporalError(f"{nanos} are no nanoseconds of a second")
            return from_epoch(first, nanos)
    raise NoConstant


def _part(
    value: Plain,
) -> int | float | str | Moment | Span | Mapping[str, int | float | str | Moment | Span]:
    if isinstance(value, dict):
        return {key: part for key, part in value.items() if part is not None}
    if value is None:
        raise NoConstant
    return value


# --- literals ------------------------------------------------------------------------------------


def literal(value: Constant) -> Sql:
    """A constant as SQL that remembers its value."""
    if isinstance(value, Span):
        shown = values.pack(
            [
                ("months", f"{value.months}::BIGINT"),
                ("days", f"{value.days}::BIGINT"),
                ("nanos", f"{value.nanos}::HUGEINT"),
            ]
        )
        return Sql(shown, T(Kind.DURATION), null=False, const=value)
    if not isinstance(value, Moment):
        return values.literal(value)
    fine = value.nanos % 1000 != 0
    match value.kind:
        case Kind.DATE:
            return Sql(f"DATE {text(_date(value.days))}", T(Kind.DATE), null=False, const=value)
        case Kind.TIME if fine:
            return Sql(
                operation(f"{value.nanos}::BIGINT"),
                T(Kind.TIME, fine=True),
                null=False,
                const=value,
            )
        case Kind.TIME:
            return Sql(f"TIME {text(_clock(value.nanos))}", T(Kind.TIME), null=False, const=value)
        case Kind.DATETIME if fine or not -100_000_000 < value.days < 100_000_000:
            of = T(Kind.DATETIME, fine=True)
            return Sql(operation(f"{value.local}::HUGEINT"), of, null=False, const=value)
        case Kind.DATETIME:
            shown = f"{_date(value.days)} {_clock(value.nanos)}"
            return Sql(f"TIMESTAMP {text(shown)}", T(Kind.DATETIME), null=False, const=value)
    parts = [
        ("at", f"{value.instant}::{'HUGEINT' if value.kind is Kind.ZONED_DATETIME else 'BIGINT'}"),
        ("offset", f"{value.offset}::INTEGER"),
    ]
    if value.kind is Kind.ZONED_DATETIME:
        parts.append(("zone", text(value.zone or "")))
    return Sql(values.pack(parts), T(value.kind), null=False, const=value)


def _date(days: int) -> str:
    year, month, day = date_of(days)
    if not -290_000 < year < 290_000:
        raise Refused("temporal", str(year), "DuckDB has no such year.")
    return f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day:02}"


def _clock(nanos: int) -> str:
    seconds, rest = divmod(nanos % DAY, SECOND)
    shown = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{shown}.{rest // 1000:06}" if rest else shown
