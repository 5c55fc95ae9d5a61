"""Functions of texts."""

from __future__ import annotations

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.duckdb.expressions.functions.arguments import (
    Function,
    Functions,
    arguments,
    as_integer,
    as_string,
)
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import (
    Scope,
    Sql,
)
from translators.duckdb.model.types import (
    INTEGER,
    STRING,
    list_of,
)

FUNCTIONS = Functions()


def _text_function(macro: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        (arg,) = arguments(cx, node, scope, 1)
        arg = as_string(cx, arg, node)
        return Sql(f"{cx.macro(macro)}({arg.text})", STRING, null=arg.null)

    return made


FUNCTIONS.add(_text_function("cy_upper"), "toUpper", "upper")
FUNCTIONS.add(_text_function("cy_lower"), "toLower", "lower")


@FUNCTIONS.of("trim", "btrim", "lTrim", "rTrim")
def _trim(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    # Of several arguments, trim's first one says at which ends.
    most = 1 if node.name.casefold() == "trim" else 2
    args = [as_string(cx, arg, node) for arg in arguments(cx, node, scope, 1, most)]
    name = {"btrim": "trim"}.get(node.name.casefold(), node.name.casefold())
    if len(args) == 1:
        # Cypher trims white space of every kind, DuckDB's one-argument form spaces only.
        name = cx.macro(f"cy_{name}")
    elif name == "rtrim":
        # Neo4j may leave the first letter of what it reads from the store or the text of the query.
        origins = {ir.Literal: "written", ir.Prop: "stored"}
        name = cx.macro(f"cy_rtrim_{origins.get(type(node.args[0]), 'made')}")
    shown = ", ".join(a.text for a in args)
    return Sql(f"{name}({shown})", STRING, null=any(a.null for a in args))


@FUNCTIONS.of("substring")
def _substring(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = arguments(cx, node, scope, 2, 3)
    source = as_string(cx, args[0], node)
    start = _count(cx, args[1], node)
    begin = str(int(start.text) + 1) if start.literal else f"{start.operand} + 1"
    shown = [source.text, begin]
    if len(args) == 3:
        shown.append(_count(cx, args[2], node).text)
    made = Sql(f"substring({', '.join(shown)})", STRING, null=any(a.null for a in args))
    return _counted(made, source, args[1:])


@FUNCTIONS.of("left", "right")
def _left(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    source, count = arguments(cx, node, scope, 2)
    source = as_string(cx, source, node)
    name = '"left"' if node.name.casefold() == "left" else '"right"'
    shown = _count(cx, count, node)
    made = Sql(f"{name}({source.text}, {shown.text})", STRING, null=source.null or count.null)
    return _counted(made, source, [count])


def _count(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    """A number of characters; a negative one is an error of the query."""
    sql = as_integer(cx, sql, node)
    if _is_count(sql):
        return sql
    return Sql(f"{cx.macro('cy_count')}({sql.text})", INTEGER, null=sql.null)


def _is_count(sql: Sql) -> bool:
    return sql.literal and 0 <= int(sql.text) < 2**31


def _counted(made: Sql, source: Sql, counts: list[Sql]) -> Sql:
    """`made`, which does not look at its counts where there is no text."""
    if not source.null or all(map(_is_count, counts)):
        return made
    return Sql(f"(CASE WHEN {source.operand} IS NOT NULL THEN {made.text} END)", STRING)


@FUNCTIONS.of("replace")
def _replace(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [as_string(cx, arg, node) for arg in arguments(cx, node, scope, 3)]
    name = "replace" if _is_text(node.args[1]) else cx.macro("cy_replace")
    shown = ", ".join(a.text for a in args)
    return Sql(f"{name}({shown})", STRING, null=any(a.null for a in args))


def _is_text(node: ir.Expr) -> bool:
    """Whether this is a constant text, and not an empty one."""
    return isinstance(node, ir.Literal) and isinstance(node.value, str) and node.value != ""


@FUNCTIONS.of("split")
def _split(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [as_string(cx, arg, node) for arg in arguments(cx, node, scope, 2)]
    name = "string_split" if _is_text(node.args[1]) else cx.macro("cy_split")
    shown = f"{name}({args[0].text}, {args[1].text})"
    return Sql(shown, list_of(STRING), null=any(a.null for a in args))


@FUNCTIONS.of("reverse")
def _reverse(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.LIST:
        return Sql(f"list_reverse({arg.text})", arg.type, null=arg.null)
    arg = as_string(cx, arg, node)
    return Sql(f"{cx.macro('cy_reverse')}({arg.text})", STRING, null=arg.null)


@FUNCTIONS.of("char_length", "character_length")
def _char_length(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = as_string(cx, arg, node)
    return Sql(f"length({arg.text})", INTEGER, null=arg.null)
