"""Aggregates of Cypher: what they ignore and what they return for no rows."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import dynamic
from translators.duckdb.expressions.temporal.arithmetic import duration_aggregate
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.sql import Element, Scope, Sql, Value
from translators.duckdb.model.types import (
    ANY,
    INTEGER,
    T,
    distinguishable,
    list_of,
    makes_nan,
    sortable,
)

EMITS = Emits()

_DEVIATIONS = {"stDev": "stddev_samp", "stDevP": "stddev_pop"}
_PERCENTILES = {"percentileCont": "quantile_cont", "percentileDisc": "quantile_disc"}


@EMITS.of(ir.Agg)
def _aggregate(cx: Compiler, node: ir.Agg, scope: Scope) -> Sql:
    if not node.args:
        return Sql("count(*)", INTEGER, null=False)
    grouped = cx.grouped
    scope = Scope({**scope.env, **scope.ungrouped}, scope.order)
    if node.name == "count":
        return _count(cx, node, scope)
    arg = cx.expr(node.args[0], Scope(scope.env))
    if node.name == "collect":
        return _collect(cx, node, arg, scope)
    distinct = "DISTINCT " if node.distinct else ""
    of = arg.type
    if of.kind is Kind.NULL:
        arg, of = Sql("NULL::BIGINT", INTEGER), INTEGER
    if of.kind is Kind.DURATION:
        return duration_aggregate(cx, node, arg, tuple(scope.order))
    if of.kind is Kind.ANY or (node.name in ("min", "max") and not sortable(of)):
        return dynamic.aggregate(cx, node, arg, scope.order)
    if node.name in ("min", "max"):
        return _extreme(cx, node, arg, distinct)
    if not of.number:
        raise Refused("type", node.name, f"{node.name} does not take a {of.kind.value}.", node.span)
    if node.name == "sum":
        text = f"coalesce(sum({distinct}{arg.text}), 0)"
        if of.kind is Kind.INTEGER:
            return Sql(f"{text}::BIGINT", INTEGER, null=False)
        total = replace(of, nan=makes_nan(of))
        if grouped and not arg.null:
            return Sql(text, total, null=False)
        if not cx.exact:
            return Sql(text, replace(total, nothing=True), null=False)
        some = dynamic.tagged(cx, Sql(f"sum({distinct}{arg.text})", of))
        nothing = f"CASE WHEN count({arg.text}) = 0 THEN to_json(0::BIGINT)"
        return Sql(f"({nothing} ELSE {some.text} END)", ANY, null=False)
    if node.name == "avg":
        return Sql(f"avg({distinct}{arg.text})", T(Kind.FLOAT, nan=makes_nan(of)))
    if node.name in _DEVIATIONS:
        text = f"{_DEVIATIONS[node.name]}({distinct}{arg.text})"
        if node.name == "stDev":  # of one value it is 0 in Cypher
            text = f"CASE WHEN count({distinct}{arg.text}) = 1 THEN 0.0e0 ELSE {text} END"
        return Sql(text, T(Kind.FLOAT, nan=makes_nan(of)))
    if node.name in _PERCENTILES:
        return _percentile(cx, node, arg, distinct, scope)
    raise Refused("function", node.name, f"Aggregate {node.name} has no SQL form.", node.span)


def _count(cx: Compiler, node: ir.Agg, scope: Scope) -> Sql:
    arg = node.args[0]
    bound = scope.env.get(arg.name) if isinstance(arg, ir.Var) else None
    if isinstance(bound, Element) and not node.distinct:
        return Sql("count(*)", INTEGER, null=False)
    if isinstance(bound, Element | Value) and bound.type.element:
        sql = values.identity(cx.catalog, bound)
    else:
        sql = cx.expr(arg, scope)
    if sql.type.kind is Kind.NULL:
        return Sql("count(NULL)", INTEGER, null=False)
    text = sql.text
    if node.distinct and isinstance(bound, Element) and bound.base:
        text = f"{bound.alias}.rowid"
    if node.distinct and not distinguishable(sql.type):
        return Sql(f"count(DISTINCT {dynamic.distinct(cx, sql)})", INTEGER, null=False)
    return Sql(f"count({'DISTINCT ' if node.distinct else ''}{text})", INTEGER, null=False)


def _collect(cx: Compiler, node: ir.Agg, arg: Sql, scope: Scope) -> Sql:
    of = list_of(arg.type)
    text = arg.text
    if arg.type.kind is Kind.NULL:
        empty = "coalesce(list(NULL::INTEGER) FILTER (WHERE false), []::INTEGER[])"
        return Sql(empty, of, null=False)
    if arg.literal:
        text = f"{arg.operand}::BIGINT"
    order = f" ORDER BY {', '.join(scope.order)}" if scope.order else ""
    keep = f" FILTER (WHERE {arg.operand} IS NOT NULL)" if arg.null else ""
    empty = f"[]::{values.duck(cx.catalog, of)}"
    if not node.distinct:
        return Sql(f"coalesce(list({text}{order}){keep}, {empty})", of, null=False)
    if not distinguishable(arg.type):
        if arg.type.kind is Kind.FLOAT:
            listed = f"list({text}{order}){keep}"
            return Sql(
                f"coalesce({cx.macro('cy_firsts_float')}({listed}), {empty})", of, null=False
            )
        return Sql(f"coalesce({dynamic.firsts(cx, arg, scope.order)}, {empty})", of, null=False)
    if not order:
        return Sql(f"coalesce(list(DISTINCT {text}){keep}, {empty})", of, null=False)
    macro = cx.macro("cy_firsts")
    return Sql(f"coalesce({macro}(list({text}{order}){keep}), {empty})", of, null=False)


def _extreme(cx: Compiler, node: ir.Agg, arg: Sql, distinct: str) -> Sql:
    """min() and max(); which zero it is where that shows: DuckDB takes -0.0 and 0.0 for one."""
    plain = Sql(f"{node.name}({distinct}{arg.text})", arg.type, chosen=arg.short)
    if node not in cx.shown_extremes:
        return plain
    if arg.type.kind is Kind.FLOAT:
        text = f"CASE WHEN {plain.text} = 0 AND {has_sign(node, arg)} THEN -0.0e0"
        if node.name == "min":
            return Sql(f"({text} ELSE {plain.text} END)", arg.type)
        return Sql(f"({text} WHEN {plain.text} = 0 THEN 0.0e0 ELSE {plain.text} END)", arg.type)
    if arg.type.kind is Kind.LIST:
        way = "NULLS LAST" if node.name == "min" else "DESC NULLS LAST"
        # first() has lists with -0.0 as with 0.0.
        return Sql(f"list({arg.text} ORDER BY {signed_list(cx, arg)} {way})[1]", arg.type)
    return plain


def has_sign(node: ir.Agg, arg: Sql) -> str:
    """Whether the least or greatest of floats is -0.0, if it is a zero."""
    return f"bool_{'or' if node.name == 'min' else 'and'}(signbit({arg.operand}))"


def signed_list(cx: Compiler, sql: Sql) -> str:
    """What a list of floats is ordered by, in which -0.0 is before 0.0."""
    return _signed(cx, sql.operand, sql.type)


def _signed(cx: Compiler, text: str, of: T) -> str:
    if of.kind is Kind.FLOAT:
        return f"({text}, NOT signbit({text}))"
    if of.kind is not Kind.LIST or of.item is None:
        return text
    item = cx.local("item")
    inner = _signed(cx, item, of.item)
    return text if inner == item else f"list_transform({text}, lambda {item}: {inner})"


def _percentile(cx: Compiler, node: ir.Agg, arg: Sql, distinct: str, scope: Scope) -> Sql:
    share = node.args[1] if len(node.args) > 1 else None
    if not isinstance(share, ir.Literal) or isinstance(share.value, bool | str | None):
        raise Refused(
            "percentile",
            node.name,
            "DuckDB needs the percentile as a number constant.",
            node.span,
        )
    if node.name == "percentileCont" and arg.type.kind is Kind.INTEGER and cx.exact:
        return _whole_percentile(cx, share.value, arg, distinct)
    number = values.literal(share.value)
    text = f"{_PERCENTILES[node.name]}({distinct}{arg.text}, {number.text})"
    if node.name != "percentileDisc":
        mixed = arg.type.kind is Kind.INTEGER
        return Sql(text, T(Kind.FLOAT, mixed=mixed, nan=makes_nan(arg.type)))
    if arg.type.kind is Kind.INTEGER:
        counts = (f"count(DISTINCT {x})" for x in (arg.text, f"{arg.operand}::DOUBLE"))
        text = f"{cx.macro('cy_percentile')}({text}, {', '.join(counts)})"
    return Sql(text, arg.type, chosen=arg.short)


def _whole_percentile(cx: Compiler, share: float, arg: Sql, distinct: str) -> Sql:
    """`percentileCont` of integers as tagged JSON: what stands at its place is an integer, only
    what lies between two is a float."""
    place = f"({values.literal(float(share)).text} * (count({distinct}{arg.text}) - 1))"
    listed = f"list({distinct}{arg.text} ORDER BY {arg.text}) FILTER (WHERE {arg.text} IS NOT NULL)"
    whole = f"to_json(({listed})[{place}::BIGINT + 1])"
    between = f"quantile_cont({distinct}{arg.text}, {values.literal(float(share)).text})"
    made = f"CASE WHEN {place} = trunc({place}) THEN {whole}"
    return Sql(f"({made} ELSE {cx.macro('cy_float')}({between}) END)", ANY)
