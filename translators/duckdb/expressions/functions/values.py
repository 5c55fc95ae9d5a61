"""Functions of any value and of lists."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions.compare import equal
from translators.duckdb.expressions.conversion import common, convert
from translators.duckdb.expressions.expressions import items_of, path_of
from translators.duckdb.expressions.functions.arguments import (
    Functions,
    arguments,
    as_integer,
    as_string,
)
from translators.duckdb.model import tags
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import (
    IS_NOT_NULL,
    OPERATORS,
    Hopping,
    Scope,
    Sql,
    composed,
)
from translators.duckdb.model.types import (
    ANY,
    BOOLEAN,
    INTEGER,
    list_of,
)

FUNCTIONS = Functions()


@FUNCTIONS.of("coalesce")
def _coalesce(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [cx.expr(arg, scope) for arg in node.args]
    of = common(args)
    shown = [convert(cx, arg, of) for arg in args]
    null = all(arg.null for arg in args)
    chosen = all(arg.short for arg in args)
    return Sql(f"coalesce({', '.join(s.text for s in shown)})", of, null=null, chosen=chosen)


@FUNCTIONS.of("nullIf")
def _null_if(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    a, b = arguments(cx, node, scope, 2)
    return Sql(
        f"(CASE WHEN {equal(cx, a, b).text} THEN NULL ELSE {a.text} END)", a.type, chosen=a.short
    )


@FUNCTIONS.of("exists")
def _exists(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    return Sql(IS_NOT_NULL(arg.text), BOOLEAN, null=False)


@FUNCTIONS.of("size")
def _size(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, Hopping):
        return Sql(f"len({path.alias}.ids)", INTEGER, null=False)
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.LIST:
        return Sql(f"len({arg.text})", INTEGER, null=arg.null)
    if arg.type.kind is Kind.ANY:
        return tags.size(cx, arg)
    if arg.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    arg = as_string(cx, arg, node)
    return Sql(f"length({arg.text})", INTEGER, null=arg.null)


@FUNCTIONS.of("isEmpty")
def _is_empty(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.MAP:
        return composed("false" if arg.type.fields else "true", BOOLEAN, null=arg.null)
    if arg.type.kind is Kind.ANY:
        return tags.use(cx, "cy_is_empty", BOOLEAN, arg)
    name = "len" if arg.type.kind is Kind.LIST else "length"
    if arg.type.kind is not Kind.LIST:
        arg = as_string(cx, arg, node)
    return Sql(OPERATORS["="](f"{name}({arg.text})", "0"), BOOLEAN, null=arg.null)


@FUNCTIONS.of("head", "last")
def _head(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = items_of(cx, arg, node)
    place = "1" if node.name.casefold() == "head" else "-1"
    return Sql(f"{arg.operand}[{place}]", arg.type.item or ANY)


@FUNCTIONS.of("tail")
def _tail(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    arg = items_of(cx, arg, node)
    return Sql(f"{arg.operand}[2:]", arg.type, null=arg.null)


@FUNCTIONS.of("range")
def _range(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    if any(isinstance(arg, ir.Literal) and arg.value is None for arg in node.args):
        raise Refused("arguments", "range", "Neo4j raises where range is given null.", node.span)
    args = [as_integer(cx, arg, node) for arg in arguments(cx, node, scope, 2, 3)]
    if len(args) == 3 and args[2].literal and int(args[2].text) == 0:
        raise Refused("arguments", "range", "The step of range cannot be 0.", node.span)
    step = args[2] if len(args) == 3 else None
    first, last = args[0].operand, args[1].operand
    text = f"generate_series({first}, {last}, {step.text if step else 1})"
    if step is not None and not (step.literal and abs(int(step.text)) == 1):
        # As `graph_ir.lowerings.ends_before`: a longer step the wrong way leaves the start.
        way = f"{last}::HUGEINT - {first}"
        short = f"abs({way}) < abs({step.operand}) AND sign({way}) = -sign({step.operand})"
        text = f"CASE WHEN {short} THEN [{first}] ELSE {text} END"
    if step is not None and not step.literal:
        text = f"CASE WHEN {step.operand} = 0 THEN error('range() by steps of 0') ELSE {text} END"
    unknown = [f"{a.operand} IS NULL" for a in args if a.null]
    if unknown:
        text = f"CASE WHEN {' OR '.join(unknown)} THEN error('range() of null') ELSE {text} END"
    return Sql(text, list_of(INTEGER))
