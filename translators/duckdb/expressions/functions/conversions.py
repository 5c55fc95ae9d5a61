"""Conversions to texts, numbers and truth values, of lists item by item."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.duckdb.expressions.expressions import items_of
from translators.duckdb.expressions.functions.arguments import (
    Function,
    Functions,
    arguments,
    wrong,
)
from translators.duckdb.expressions.texts import as_text
from translators.duckdb.model import tags
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.iterate import each
from translators.duckdb.model.sql import (
    OPERATORS,
    Scope,
    Sql,
)
from translators.duckdb.model.types import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    STRING,
    T,
    list_of,
)

FUNCTIONS = Functions()


def _or_null(node: ir.Call) -> bool:
    """Whether a value that is not converted becomes NULL (`toIntegerOrNull`)."""
    return node.name.casefold().endswith("ornull")


@FUNCTIONS.of("toString")
def _to_string(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    return as_text(cx, arg, node)


@FUNCTIONS.of("toStringOrNull")
def _to_string_or_null(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.element or arg.type.kind in (Kind.LIST, Kind.MAP, Kind.PATH):
        return Sql("NULL::VARCHAR", STRING)
    if arg.type.kind is Kind.ANY:
        return tags.as_text(cx, arg, lenient=True)
    return as_text(cx, arg, node)


@FUNCTIONS.of("toInteger", "toIntegerOrNull")
def _to_integer(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    match arg.type.kind:
        case Kind.INTEGER:
            return arg
        case Kind.NULL:
            return Sql("NULL::BIGINT", INTEGER)
        case Kind.FLOAT:
            return Sql(f"{cx.macro('cy_truncated')}({arg.text})", INTEGER, null=arg.null)
        case Kind.BOOLEAN:
            return Sql(f"{arg.operand}::BIGINT", INTEGER, null=arg.null)
        case Kind.STRING:
            lenient = "_or_null" if _or_null(node) else ""
            return Sql(f"{cx.macro(f'cy_to_integer{lenient}')}({arg.text})", INTEGER)
        case Kind.ANY:
            return tags.to_integer(cx, arg, lenient=_or_null(node))
    if _or_null(node):
        return Sql("NULL::BIGINT", INTEGER)
    raise wrong(node, arg)


@FUNCTIONS.of("toFloat", "toFloatOrNull")
def _to_float(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    match arg.type.kind:
        case Kind.FLOAT:
            of = T(Kind.FLOAT, nan=arg.type.nan, infinite=arg.type.infinite)
            return Sql(arg.text, of, null=arg.null)
        case Kind.NULL:
            return Sql("NULL::DOUBLE", FLOAT)
        case Kind.INTEGER:
            return Sql(f"{arg.operand}::DOUBLE", FLOAT, null=arg.null)
        case Kind.STRING:
            return Sql(f"{cx.macro('cy_to_float')}({arg.text})", T(Kind.FLOAT, nan=True))
        case Kind.ANY:
            return tags.to_float(cx, arg, lenient=_or_null(node))
    if _or_null(node):
        return Sql("NULL::DOUBLE", FLOAT)
    raise wrong(node, arg)


@FUNCTIONS.of("toBoolean", "toBooleanOrNull")
def _to_boolean(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    match arg.type.kind:
        case Kind.BOOLEAN:
            return arg
        case Kind.NULL:
            return Sql("NULL::BOOLEAN", BOOLEAN)
        case Kind.INTEGER:
            return Sql(OPERATORS["<>"](arg.text, "0"), BOOLEAN, null=arg.null)
        case Kind.STRING:
            return Sql(f"{cx.macro('cy_to_boolean')}({arg.text})", BOOLEAN)
        case Kind.ANY:
            return tags.to_boolean(cx, arg, lenient=_or_null(node))
    if _or_null(node):
        return Sql("NULL::BOOLEAN", BOOLEAN)
    raise wrong(node, arg)


def _list_conversion(one: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        (arg,) = arguments(cx, node, scope, 1)
        arg = items_of(cx, arg, node)
        text_, of = each(
            cx,
            arg.text,
            arg.type.item or ANY,
            "x",
            Scope(),
            lambda inner: cx.expr(ir.Call(one, (ir.Var("x"),)), inner),
        )
        return Sql(text_, list_of(of), null=arg.null)

    return made


for _name, _one in (
    ("toIntegerList", "toIntegerOrNull"),
    ("toFloatList", "toFloatOrNull"),
    ("toStringList", "toStringOrNull"),
    ("toBooleanList", "toBooleanOrNull"),
):
    FUNCTIONS.add(_list_conversion(_one), _name)
