"""Functions of numbers."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import numbers
from translators.duckdb.expressions.functions.arguments import (
    Function,
    Functions,
    arguments,
    as_integer,
    as_number,
)
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import (
    Scope,
    Sql,
    composed,
)
from translators.duckdb.model.types import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    T,
)

FUNCTIONS = Functions()


def _float_function(sql_name: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        args = [as_number(cx, arg, node) for arg in arguments(cx, node, scope, 1)]
        shown = args[0].text
        if args[0].literal:
            shown = f"{args[0].operand}::DOUBLE"
        return Sql(f"{sql_name}({shown})", T(Kind.FLOAT, nan=True), null=args[0].null)

    return made


for _name in (
    *("exp", "sin", "cos", "tan", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("degrees", "radians", "sqrt"),
):
    FUNCTIONS.add(_float_function(_name), _name)


@FUNCTIONS.of("log", "log10", "ln")
def _log(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    name = "log10" if node.name.casefold() == "log10" else "ln"
    value = f"{arg.operand}::DOUBLE"
    # DuckDB raises an error where Cypher returns -Infinity or NaN.
    text_ = (
        f"(CASE WHEN {arg.operand} > 0 THEN {name}({value}) "
        f"WHEN {arg.operand} = 0 THEN '-Infinity'::DOUBLE "
        f"WHEN {arg.operand} < 0 THEN 'NaN'::DOUBLE END)"
    )
    return Sql(text_, T(Kind.FLOAT, nan=True))


@FUNCTIONS.of("atan2")
def _atan2(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [as_number(cx, arg, node) for arg in arguments(cx, node, scope, 2)]
    of = T(Kind.FLOAT, nan=any(arg.type.nan for arg in args))
    return Sql(f"atan2({args[0].text}, {args[1].text})", of)


@FUNCTIONS.of("pi", "e")
def _constant(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    arguments(cx, node, scope, 0)
    return Sql("pi()" if node.name.casefold() == "pi" else "exp(1)", FLOAT, null=False)


@FUNCTIONS.of("rand")
def _rand(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    arguments(cx, node, scope, 0)
    return Sql("random()", FLOAT, null=False)


@FUNCTIONS.of("haversin")
def _haversin(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    return composed(f"(1 - cos({arg.operand})) / 2e0", T(Kind.FLOAT, nan=True), null=arg.null)


@FUNCTIONS.of("abs")
def _abs(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    shown = f"{arg.operand}::BIGINT" if arg.type.kind is Kind.INTEGER else arg.text
    short = arg.chosen or numbers.constant(arg) is not None
    return Sql(f"abs({shown if short else arg.text})", arg.type, null=arg.null)


@FUNCTIONS.of("sign")
def _sign(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    return Sql(f"sign({arg.operand})::BIGINT", INTEGER, null=arg.null)


@FUNCTIONS.of("isNaN")
def _is_nan(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    return Sql(f"isnan({arg.operand}::DOUBLE)", BOOLEAN, null=arg.null)


@FUNCTIONS.of("ceil", "floor")
def _ceil(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_number(cx, arg, node)
    of = T(Kind.FLOAT, nan=arg.type.nan, infinite=arg.type.infinite)
    return Sql(f"{node.name.casefold()}({arg.operand}::DOUBLE)", of, null=arg.null)


_DECIMAL_PLACES = 20  # of the decimals in `cy_round_to`
_ALL_PLACES = 343  # no float's shortest text has a digit there


@FUNCTIONS.of("round")
def _round(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    if len(node.args) == 3:
        reason = "DuckDB has no rounding modes: of the modes, 'HALF_UP' to some places is said."
        raise Refused("round", "round", reason, node.span)
    args = arguments(cx, node, scope, 1, 2)
    arg = as_number(cx, args[0], node)
    value = f"{arg.operand}::DOUBLE" if arg.type.kind is Kind.INTEGER else arg.operand
    of = T(Kind.FLOAT, nan=arg.type.nan, infinite=arg.type.infinite)
    if len(args) == 1:
        # Halves go towards positive infinity.
        return Sql(f"{cx.macro('cy_round')}({value})", of, null=arg.null)
    places = as_integer(cx, args[1], node)
    null = arg.null or places.null
    if places.literal and places.text == "0":
        return Sql(f"{cx.macro('cy_round')}({value})", of, null=null)
    if not places.literal:
        raise Refused("round", "round", "DuckDB needs the number of places.", node.span)
    if not 0 <= int(places.text) < 1 << 31:
        fails = "error('a number of places is from 0 to 2147483647')"
        return Sql(f"(CASE WHEN {arg.operand} IS NOT NULL THEN {fails} END)::DOUBLE", FLOAT)
    if int(places.text) >= _ALL_PLACES:
        return Sql(value, of, null=null)
    if int(places.text) >= _DECIMAL_PLACES:
        # From 0.001 on the 17 digits of a float end at the twentieth place.
        fails = "error('such a small number is not rounded exactly')"
        small = f"{value} <> 0 AND abs({value}) < 0.001"
        made = f"(CASE WHEN {small} THEN {fails} ELSE {value} END)::DOUBLE"
        return Sql(made, of, null=null)
    name = cx.macro("cy_round_to")
    return Sql(f"{name}({value}, {places.text})", of, null=null)
