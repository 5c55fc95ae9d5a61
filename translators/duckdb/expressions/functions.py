"""Scalar functions of Cypher by name; a name that is not in the table is refused.

One long file on purpose: a table, in which each function is looked up by its name.
"""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import dynamic, numbers
from translators.duckdb.expressions.bindings import path_edges, path_length, path_nodes, whole
from translators.duckdb.expressions.compare import equal
from translators.duckdb.expressions.conversion import common, convert
from translators.duckdb.expressions.ends import end_node
from translators.duckdb.expressions.expressions import items_of, path_of
from translators.duckdb.expressions.output import strings
from translators.duckdb.expressions.temporal.construction import temporal_call
from translators.duckdb.expressions.texts import as_text
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.iterate import each
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import (
    IS_NOT_NULL,
    OPERATORS,
    Element,
    Hopping,
    PathBinding,
    Scope,
    Sql,
    Value,
    composed,
)
from translators.duckdb.model.types import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    T,
    list_of,
)

EMITS = Emits()

type Function = Callable[[Compiler, ir.Call, Scope], Sql]

FUNCTIONS: dict[str, Function] = {}


def function(*names: str) -> Callable[[Function], Function]:
    """Declare the function that emits these calls."""

    def register(made: Function) -> Function:
        for name in names:
            FUNCTIONS[name.casefold()] = made
        return made

    return register


@EMITS.of(ir.Call)
def _call(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    made = FUNCTIONS.get(node.name.casefold())
    if made is None:
        found = temporal_call(cx, node, scope)
        if found is not None:
            return found
        raise Refused(
            "function", node.name, f"Function {node.name} has no exact SQL form.", node.span
        )
    return made(cx, node, scope)


def _args(
    cx: Compiler, node: ir.Call, scope: Scope, low: int, high: int | None = None
) -> list[Sql]:
    high = low if high is None else high
    if not low <= len(node.args) <= high:
        raise Refused(
            "arguments", node.name, f"{node.name} takes {low} to {high} arguments.", node.span
        )
    return [cx.expr(arg, scope) for arg in node.args]


def wrong(node: ir.Call, sql: Sql) -> Refused:
    """The refusal of an argument of a type that the function does not take."""
    return Refused(
        "type", node.name, f"{node.name} does not take a {sql.type.kind.value}.", node.span
    )


# --- text --------------------------------------------------------------------------------------


def _as_string(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    if sql.type.kind is Kind.STRING:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::VARCHAR", STRING)
    if sql.type.kind is Kind.ANY:
        return tags.string(cx, sql)
    raise wrong(node, sql)


def _as_integer(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    if sql.type.kind is Kind.INTEGER:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    if sql.type.kind is Kind.ANY:
        return tags.integer(cx, sql)
    raise wrong(node, sql)


def _text_function(macro: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        (arg,) = _args(cx, node, scope, 1)
        arg = _as_string(cx, arg, node)
        return Sql(f"{cx.macro(macro)}({arg.text})", STRING, null=arg.null)

    return made


for _cypher, _macro in (
    ("toUpper", "cy_upper"),
    ("upper", "cy_upper"),
    ("toLower", "cy_lower"),
    ("lower", "cy_lower"),
):
    FUNCTIONS[_cypher.casefold()] = _text_function(_macro)


@function("trim", "btrim", "lTrim", "rTrim")
def _trim(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    # Of several arguments, trim's first one says at which ends.
    most = 1 if node.name.casefold() == "trim" else 2
    args = [_as_string(cx, arg, node) for arg in _args(cx, node, scope, 1, most)]
    name = {"btrim": "trim"}.get(node.name.casefold(), node.name.casefold())
    if len(args) == 1:
        # Cypher trims white space of every kind, DuckDB's one-argument form spaces only.
        name = cx.macro(f"cy_{name}")
    elif name == "rtrim":
        # Neo4j leaves the first letter of what it reads from the store or the text of the query.
        whole = isinstance(node.args[0], ir.Literal | ir.Prop)
        name = cx.macro("cy_rtrim_stored" if whole else "cy_rtrim_made")
    shown = ", ".join(a.text for a in args)
    return Sql(f"{name}({shown})", STRING, null=any(a.null for a in args))


@function("substring")
def _substring(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = _args(cx, node, scope, 2, 3)
    source = _as_string(cx, args[0], node)
    start = _count(cx, args[1], node)
    begin = str(int(start.text) + 1) if start.literal else f"{start.operand} + 1"
    shown = [source.text, begin]
    if len(args) == 3:
        shown.append(_count(cx, args[2], node).text)
    made = Sql(f"substring({', '.join(shown)})", STRING, null=any(a.null for a in args))
    return _counted(made, source, args[1:])


@function("left", "right")
def _left(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    source, count = _args(cx, node, scope, 2)
    source = _as_string(cx, source, node)
    name = '"left"' if node.name.casefold() == "left" else '"right"'
    shown = _count(cx, count, node)
    made = Sql(f"{name}({source.text}, {shown.text})", STRING, null=source.null or count.null)
    return _counted(made, source, [count])


def _count(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    """A number of characters; a negative one is an error of the query."""
    sql = _as_integer(cx, sql, node)
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


@function("replace")
def _replace(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [_as_string(cx, arg, node) for arg in _args(cx, node, scope, 3)]
    name = "replace" if _is_text(node.args[1]) else cx.macro("cy_replace")
    shown = ", ".join(a.text for a in args)
    return Sql(f"{name}({shown})", STRING, null=any(a.null for a in args))


def _is_text(node: ir.Expr) -> bool:
    """Whether this is a constant text, and not an empty one."""
    return isinstance(node, ir.Literal) and isinstance(node.value, str) and node.value != ""


@function("split")
def _split(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [_as_string(cx, arg, node) for arg in _args(cx, node, scope, 2)]
    name = "string_split" if _is_text(node.args[1]) else cx.macro("cy_split")
    shown = f"{name}({args[0].text}, {args[1].text})"
    return Sql(shown, list_of(STRING), null=any(a.null for a in args))


@function("reverse")
def _reverse(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.LIST:
        return Sql(f"list_reverse({arg.text})", arg.type, null=arg.null)
    arg = _as_string(cx, arg, node)
    return Sql(f"{cx.macro('cy_reverse')}({arg.text})", STRING, null=arg.null)


@function("toString")
def _to_string(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    return as_text(cx, arg, node)


@function("toStringOrNull")
def _to_string_or_null(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.element or arg.type.kind in (Kind.LIST, Kind.MAP, Kind.PATH):
        return Sql("NULL::VARCHAR", STRING)
    if arg.type.kind is Kind.ANY:
        return tags.as_text(cx, arg, lenient=True)
    return as_text(cx, arg, node)


@function("char_length", "character_length")
def _char_length(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _as_string(cx, arg, node)
    return Sql(f"length({arg.text})", INTEGER, null=arg.null)


# --- numbers -----------------------------------------------------------------------------------


def _or_null(node: ir.Call) -> bool:
    """Whether a value that is not converted becomes NULL (`toIntegerOrNull`)."""
    return node.name.casefold().endswith("ornull")


@function("toInteger", "toIntegerOrNull")
def _to_integer(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
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


@function("toFloat", "toFloatOrNull")
def _to_float(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    match arg.type.kind:
        case Kind.FLOAT:
            return Sql(arg.text, T(Kind.FLOAT, nan=arg.type.nan), null=arg.null)
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


@function("toBoolean", "toBooleanOrNull")
def _to_boolean(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
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


def _number(cx: Compiler, sql: Sql, node: ir.Call) -> Sql:
    if sql.type.number:
        return sql
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::DOUBLE", FLOAT)
    if sql.type.kind is Kind.ANY:
        return tags.to_number(cx, sql)
    raise wrong(node, sql)


def _float_function(sql_name: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        args = [_number(cx, arg, node) for arg in _args(cx, node, scope, 1)]
        shown = args[0].text
        if args[0].literal:
            shown = f"{args[0].operand}::DOUBLE"
        return Sql(f"{sql_name}({shown})", T(Kind.FLOAT, nan=True), null=args[0].null)

    return made


for _name in ["exp", "sin", "cos", "tan", "cot", "asin", "acos", "atan", "degrees", "radians"]:
    FUNCTIONS[_name] = _float_function(_name)
for _name in ["sinh", "cosh", "tanh"]:
    FUNCTIONS[_name] = _float_function(_name)
FUNCTIONS["sqrt"] = _float_function("sqrt")


@function("log", "log10", "ln")
def _log(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    name = "log10" if node.name.casefold() == "log10" else "ln"
    value = f"{arg.operand}::DOUBLE"
    # DuckDB raises an error where Cypher returns -Infinity or NaN.
    text_ = (
        f"(CASE WHEN {arg.operand} > 0 THEN {name}({value}) "
        f"WHEN {arg.operand} = 0 THEN '-Infinity'::DOUBLE "
        f"WHEN {arg.operand} < 0 THEN 'NaN'::DOUBLE END)"
    )
    return Sql(text_, T(Kind.FLOAT, nan=True))


@function("atan2")
def _atan2(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [_number(cx, arg, node) for arg in _args(cx, node, scope, 2)]
    return Sql(f"atan2({args[0].text}, {args[1].text})", FLOAT)


@function("pi", "e")
def _constant(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    _args(cx, node, scope, 0)
    return Sql("pi()" if node.name.casefold() == "pi" else "exp(1)", FLOAT, null=False)


@function("rand")
def _rand(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    _args(cx, node, scope, 0)
    return Sql("random()", FLOAT, null=False)


@function("haversin")
def _haversin(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    return composed(f"(1 - cos({arg.operand})) / 2e0", T(Kind.FLOAT, nan=True), null=arg.null)


@function("abs")
def _abs(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    shown = f"{arg.operand}::BIGINT" if arg.type.kind is Kind.INTEGER else arg.text
    return Sql(
        f"abs({shown if numbers.constant(arg) is not None else arg.text})", arg.type, null=arg.null
    )


@function("sign")
def _sign(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    return Sql(f"sign({arg.operand})::BIGINT", INTEGER, null=arg.null)


@function("isNaN")
def _is_nan(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    return Sql(f"isnan({arg.operand}::DOUBLE)", BOOLEAN, null=arg.null)


@function("ceil", "floor")
def _ceil(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = _number(cx, arg, node)
    return Sql(f"{node.name.casefold()}({arg.operand}::DOUBLE)", FLOAT, null=arg.null)


@function("round")
def _round(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = _args(cx, node, scope, 1, 2)
    arg = _number(cx, args[0], node)
    value = f"{arg.operand}::DOUBLE" if arg.type.kind is Kind.INTEGER else arg.operand
    if len(args) == 1:
        # Halves go towards positive infinity.
        return Sql(
            f"{cx.macro('cy_round')}({value})", T(Kind.FLOAT, nan=arg.type.nan), null=arg.null
        )
    places = _as_integer(cx, args[1], node)
    null = arg.null or places.null
    if places.literal and places.text == "0":
        return Sql(f"{cx.macro('cy_round')}({value})", FLOAT, null=null)
    if not places.literal:
        raise Refused("round", "round", "DuckDB needs the number of places.", node.span)
    if int(places.text) < 0:
        fails = "error('a number of places is not negative')"
        return Sql(f"(CASE WHEN {arg.operand} IS NOT NULL THEN {fails} END)::DOUBLE", FLOAT)
    name = cx.macro("cy_round_to")
    return Sql(f"{name}({value}, {places.text})", T(Kind.FLOAT, nan=arg.type.nan), null=null)


@function("range")
def _range(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [_as_integer(cx, arg, node) for arg in _args(cx, node, scope, 2, 3)]
    shown = ", ".join(a.text for a in args)
    if len(args) == 2:
        shown += ", 1"
    elif args[2].literal and int(args[2].text) == 0:
        raise Refused("arguments", "range", "The step of range cannot be 0.", node.span)
    return Sql(f"generate_series({shown})", list_of(INTEGER), null=any(a.null for a in args))


# --- any value ---------------------------------------------------------------------------------


@function("coalesce")
def _coalesce(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    args = [cx.expr(arg, scope) for arg in node.args]
    of = common(args)
    shown = [convert(cx, arg, of) for arg in args]
    null = all(arg.null for arg in args)
    return Sql(f"coalesce({', '.join(s.text for s in shown)})", of, null=null)


@function("nullIf")
def _null_if(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    a, b = _args(cx, node, scope, 2)
    return Sql(f"(CASE WHEN {equal(cx, a, b).text} THEN NULL ELSE {a.text} END)", a.type)


@function("exists")
def _exists(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    return Sql(IS_NOT_NULL(arg.text), BOOLEAN, null=False)


@function("size")
def _size(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, Hopping):
        return Sql(f"len({path.alias}.ids)", INTEGER, null=False)
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.LIST:
        return Sql(f"len({arg.text})", INTEGER, null=arg.null)
    if arg.type.kind is Kind.ANY:
        return tags.size(cx, arg)
    if arg.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    arg = _as_string(cx, arg, node)
    return Sql(f"length({arg.text})", INTEGER, null=arg.null)


@function("isEmpty")
def _is_empty(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.MAP:
        return composed("false" if arg.type.fields else "true", BOOLEAN, null=arg.null)
    if arg.type.kind is Kind.ANY:
        return tags.use(cx, "cy_is_empty", BOOLEAN, arg)
    name = "len" if arg.type.kind is Kind.LIST else "length"
    if arg.type.kind is not Kind.LIST:
        arg = _as_string(cx, arg, node)
    return Sql(OPERATORS["="](f"{name}({arg.text})", "0"), BOOLEAN, null=arg.null)


@function("head", "last")
def _head(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = items_of(cx, arg, node)
    place = "1" if node.name.casefold() == "head" else "-1"
    return Sql(f"{arg.operand}[{place}]", arg.type.item or ANY)


@function("tail")
def _tail(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    arg = items_of(cx, arg, node)
    return Sql(f"{arg.operand}[2:]", arg.type, null=arg.null)


def _list_conversion(one: str) -> Function:
    def made(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
        (arg,) = _args(cx, node, scope, 1)
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
    FUNCTIONS[_name.casefold()] = _list_conversion(_one)


# --- elements and paths ------------------------------------------------------------------------


def _element(cx: Compiler, node: ir.Call, scope: Scope) -> Element | Value:
    if len(node.args) != 1:
        raise Refused("arguments", node.name, f"{node.name} takes one argument.", node.span)
    arg = node.args[0]
    bound = scope.env.get(arg.name) if isinstance(arg, ir.Var) else None
    if isinstance(bound, Element):
        return bound
    value = Value(cx.expr(arg, scope))
    if not value.type.element and value.type.kind is not Kind.NULL:
        raise wrong(node, value.sql)
    return value


@function("id", "elementId")
def _id(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.NULL:
        return values.NOTHING
    sql = values.identity(cx.catalog, bound)
    if node.name.casefold() == "id":
        return sql
    prefix = "n:" if bound.type.kind is Kind.NODE else "e:"
    return Sql(OPERATORS["||"](text(prefix), sql.text), STRING, null=sql.null)


@function("labels")
def _labels(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.EDGE:
        raise wrong(node, whole(cx, bound))
    return _by_type(
        cx, bound, lambda name: strings(list(cx.catalog.node(name).labels)), list_of(STRING)
    )


@function("type")
def _type(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.NODE:
        raise wrong(node, whole(cx, bound))
    return _by_type(
        cx,
        bound,
        lambda name: Sql(text(cx.catalog.edge(name).label), STRING, null=False),
        STRING,
    )


def _by_type(cx: Compiler, bound: Element | Value, make: Callable[[str], Sql], of: T) -> Sql:
    """A value that depends only on which of its candidate types an element has."""
    if bound.type.kind is Kind.NULL or not bound.type.of:
        return Sql(values.null_of(cx.catalog, of), of)
    made = {name: make(name).text for name in bound.type.of}
    identity = values.identity(cx.catalog, bound)
    if len(set(made.values())) == 1:
        only = next(iter(made.values()))
        if not identity.null:
            return Sql(only, of, null=False)
        return Sql(f"(CASE WHEN {identity.operand} IS NOT NULL THEN {only} END)", of)
    order = cx.catalog.order(bound.type.kind)
    place = cx.catalog.position(bound.type.kind, identity.operand)
    branches = " ".join(f"WHEN {order[name]} THEN {shown}" for name, shown in made.items())
    return Sql(f"(CASE {place} {branches} END)", of, null=identity.null)


@function("keys")
def _keys(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.MAP:
        made = strings([key for key, _ in arg.type.fields])
        if not arg.null:
            return made
        return Sql(f"(CASE WHEN {arg.operand} IS NOT NULL THEN {made.text} END)", made.type)
    if arg.type.element:
        cx.whole_elements()
        return dynamic.keys(cx, dynamic.properties(cx, _element(cx, node, scope), []))
    return dynamic.keys(cx, arg)


@function("properties")
def _properties(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind in (Kind.MAP, Kind.NULL):
        return arg
    if arg.type.kind is Kind.ANY:
        return tags.use(cx, "cy_properties", ANY, arg)
    if not arg.type.element:
        raise wrong(node, arg)
    cx.whole_elements()
    return dynamic.properties(cx, _element(cx, node, scope), [])


@function("startNode", "endNode")
def _end(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.NULL:
        return values.NOTHING
    return end_node(cx, bound, source=node.name.casefold() == "startnode")


@function("length")
def _length(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, PathBinding):
        return path_length(path)
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.PATH:
        return Sql(f"len({arg.operand}.edges)", INTEGER, null=arg.null)
    if arg.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    raise wrong(node, arg)


@function("nodes", "relationships", "rels")
def _nodes(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    wants_nodes = node.name.casefold() == "nodes"
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, PathBinding):
        make = path_nodes if wants_nodes else path_edges
        return make(cx, path)
    (arg,) = _args(cx, node, scope, 1)
    if arg.type.kind is Kind.PATH:
        name = "nodes" if wants_nodes else "edges"
        return Sql(f"{arg.operand}.{name}", dict(arg.type.fields)[name], null=arg.null)
    if arg.type.kind is Kind.NULL:
        return composed("NULL::INTEGER[]", list_of(NULL))
    raise wrong(node, arg)
