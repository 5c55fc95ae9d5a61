"""Forms of temporal values in DuckDB: microseconds, nanoseconds, dates, clocks.

The representations stand in `temporal.sql`. What DuckDB cannot say exactly is refused, or, where
only the row tells (a named zone, an odd text), is an error of the query.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import Sql, composed
from translators.duckdb.model.types import (
    DATE,
    INTEGER,
    T,
)

WITH_DATE = frozenset({Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME})

ZONED = frozenset({Kind.ZONED_TIME, Kind.ZONED_DATETIME})

FINE_TIME, FINE_DATETIME = T(Kind.TIME, fine=True), T(Kind.DATETIME, fine=True)


def macro_call(cx: Compiler, name: str, of: T, *args: Sql | str, null: bool = True) -> Sql:
    """A call of a macro."""
    shown = ", ".join(a if isinstance(a, str) else a.text for a in args)
    return Sql(f"{cx.macro(name)}({shown})", of, null=null)


def no_exact_form(what: str, why: str, node: ir.Expr | None = None) -> Refused:
    """The refusal of what has no exact form."""
    return Refused("temporal", what, why, node.span if node else None)


def finer(cx: Compiler, sql: Sql) -> Sql:
    """A time or local datetime as nanoseconds."""
    if sql.type.fine:
        return sql
    if sql.type.kind is Kind.TIME:
        return composed(f"epoch_us({sql.text}) * 1000", FINE_TIME, null=sql.null)
    if sql.type.kind is Kind.DATE:
        return macro_call(cx, "cy_moment", FINE_DATETIME, sql, "0", null=sql.null)
    return composed(f"epoch_us({sql.text})::HUGEINT * 1000", FINE_DATETIME, null=sql.null)


def local(cx: Compiler, sql: Sql) -> Sql:
    """A date or datetime as nanoseconds on its own clock."""
    if sql.type.kind is Kind.ZONED_DATETIME:
        return macro_call(cx, "cy_local", FINE_DATETIME, sql, null=sql.null)
    return finer(cx, sql)


def clock(cx: Compiler, sql: Sql) -> Sql:
    """The time of the day in nanoseconds."""
    if sql.type.kind is Kind.DATE:
        return Sql("0", INTEGER, null=False)
    if sql.type.kind is Kind.TIME:
        return finer(cx, sql)
    if sql.type.kind is Kind.ZONED_TIME:
        sql = macro_call(cx, "cy_local", FINE_DATETIME, sql, null=sql.null)
    return macro_call(cx, "cy_clock", FINE_TIME, local(cx, sql), null=sql.null)


def day(cx: Compiler, sql: Sql) -> Sql:
    """The date of a date or datetime."""
    if sql.type.kind is Kind.DATE:
        return sql
    if sql.type.kind is Kind.DATETIME and not sql.type.fine:
        return composed(f"{sql.operand}::DATE", DATE, null=sql.null)
    return macro_call(cx, "cy_day", DATE, local(cx, sql), null=sql.null)


def unless_null(arg: Sql, made: str) -> str:
    return f"(CASE WHEN {arg.operand} IS NOT NULL THEN {made} END)" if arg.null else made


def order_key(cx: Compiler, sql: Sql) -> str:
    """What a value is ordered by."""
    if sql.type.kind is Kind.DURATION:
        return macro_call(cx, "cy_span_length", INTEGER, sql).text
    return sql.operand
