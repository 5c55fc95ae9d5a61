"""Temporal values as texts and as tagged JSON."""

from __future__ import annotations

from graph_ir.temporal.values import Moment, Span
from schemagraph.model import Kind
from translators.duckdb.expressions.temporal.forms import (
    ZONED,
    finer,
    macro_call,
    order_key,
    unless_null,
)
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.constants import literal
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import Sql
from translators.duckdb.model.types import (
    ANY,
    STRING,
)


def temporal_text(cx: Compiler, arg: Sql, *, shown: bool = False) -> Sql:
    """Cypher's text of a value, or with `shown` that of results."""
    if isinstance(arg.const, Moment | Span):
        made = arg.const.shown() if shown and isinstance(arg.const, Moment) else str(arg.const)
        return literal(made)
    end = "shown" if shown else "text"
    match arg.type.kind:
        case Kind.DATE:
            return macro_call(cx, "cy_date_text", STRING, arg, null=arg.null)
        case Kind.TIME:
            return macro_call(cx, f"cy_clock_{end}", STRING, finer(cx, arg), null=arg.null)
        case Kind.DATETIME:
            return macro_call(cx, f"cy_datetime_{end}", STRING, finer(cx, arg), null=arg.null)
        case Kind.ZONED_TIME:
            return macro_call(cx, f"cy_zoned_time_{end}", STRING, arg, null=arg.null)
        case Kind.ZONED_DATETIME:
            return macro_call(cx, f"cy_zoned_{end}", STRING, arg, null=arg.null)
    return macro_call(cx, "cy_span_text", STRING, arg, null=arg.null)


def tagged_temporal(cx: Compiler, sql: Sql) -> Sql:
    """A temporal value as tagged JSON: its texts, and a number that orders it."""
    kind = sql.type.kind
    if kind is Kind.DATE:
        at = f"{sql.operand} - DATE '1970-01-01'"
    elif kind is Kind.DURATION:
        at = order_key(cx, sql)
    elif kind in ZONED:
        at = f'{sql.operand}.at::HUGEINT * 1000000 + {sql.operand}."offset"'
    else:
        at = finer(cx, sql).text
    made = (
        f"json_object('$temporal', {text(kind.value)}, 'text', {temporal_text(cx, sql).text}, "
        f"'shown', {temporal_text(cx, sql, shown=True).text}, 'at', ({at})::VARCHAR)"
    )
    return Sql(unless_null(sql, made), ANY, null=sql.null)
