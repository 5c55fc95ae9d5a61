"""Values whose type is known only when the query runs: tagged JSON and the macros over it.

Strings, truth values, integers, lists and maps are JSON's own, and so are floats with a fraction.
Elements, paths, temporal values and other floats are objects with a tag (`$node`, `$edge`,
`$path`, `$temporal`, `$float`). A key of a map that begins with `$` gets a second one. Elements and
paths carry the form that results show as a string, so that nothing inside it is taken for a part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import output
from translators.duckdb.expressions.temporal.forms import order_key
from translators.duckdb.expressions.temporal.texts import tagged_temporal
from translators.duckdb.model import tags, values
from translators.duckdb.model.catalog import ID
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident, text
from translators.duckdb.model.sql import Element, Sql, Value, composed
from translators.duckdb.model.types import ANY, BOOLEAN, FLOAT, INTEGER, STRING, T, list_of

_ARITHMETIC = {
    ir.ArithOp.ADD: "cy_add",
    ir.ArithOp.SUB: "cy_sub",
    ir.ArithOp.MUL: "cy_mul",
    ir.ArithOp.DIV: "cy_div",
    ir.ArithOp.MOD: "cy_mod",
    ir.ArithOp.POW: "cy_pow",
}
_ORDERS = {
    ir.CompareOp.LT: "= -1",
    ir.CompareOp.LE: "IN (-1, 0, 3)",
    ir.CompareOp.GT: "= 1",
    ir.CompareOp.GE: "IN (0, 1, 3)",
}
_PLAIN = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.STRING})


# --- making ------------------------------------------------------------------------------------


def tagged(cx: Compiler, sql: Sql) -> Sql:
    """A value of a known type as tagged JSON."""
    of = sql.type
    if of.kind is Kind.ANY:
        return sql
    if of.kind is Kind.NULL:
        return Sql("NULL::JSON", ANY)
    if of.kind in _PLAIN:
        shown = f"{sql.operand}::BIGINT" if sql.literal else sql.text
        return Sql(f"to_json({shown})", ANY, null=sql.null)
    if of.kind is Kind.FLOAT:
        if of.whole:
            raise Refused(
                "mixed-numbers",
                "number",
                "Whether this is an integer is known only when the query runs.",
            )
        return Sql(f"{cx.macro('cy_float')}({sql.text})", ANY, null=sql.null)
    if of.kind is Kind.LIST:
        return _list(cx, sql)
    if of.kind is Kind.MAP:
        entries = [(name, Sql(f"{sql.operand}.{ident(name)}", kind)) for name, kind in of.fields]
        return _guarded(sql, map_from(cx, entries).text)
    if of.element:
        return element(cx, Value(sql))
    if of.kind is Kind.PATH:
        return _path(cx, sql)
    return tagged_temporal(cx, sql)


def _list(cx: Compiler, sql: Sql) -> Sql:
    item = sql.type.item or ANY
    if item.kind in _PLAIN or item.kind in (Kind.ANY, Kind.NULL):
        return Sql(f"to_json({sql.text})", ANY, null=sql.null)
    name = cx.local("x")
    inner = tagged(cx, Sql(name, item))
    made = f"to_json(list_transform({sql.text}, lambda {name}: {inner.text}))"
    return Sql(made, ANY, null=sql.null)


def element(cx: Compiler, bound: Element | Value) -> Sql:
    """A node or edge as tagged JSON."""
    cx.whole_elements()
    tag = "$node" if bound.type.kind is Kind.NODE else "$edge"
    identity = values.identity(cx.catalog, bound)
    shown = f"({output.element(cx, bound)})::VARCHAR"
    made = f"json_object({text(tag)}, {identity.text}, 'value', {shown})"
    if not identity.null:
        return Sql(made, ANY, null=False)
    return Sql(f"(CASE WHEN {identity.operand} IS NOT NULL THEN {made} END)", ANY)


def _path(cx: Compiler, sql: Sql) -> Sql:
    cx.whole_elements()
    ids = []
    for part in ("nodes", "edges"):
        name = cx.local("x")
        ids.append(f"list_transform({sql.operand}.{part}, lambda {name}: {name}.{ident(ID)})")
    shown = f"({output.shown(cx, sql)})::VARCHAR"
    made = f"json_object('$path', [{', '.join(ids)}], 'value', {shown})"
    return _guarded(sql, made)


def _guarded(sql: Sql, made: str) -> Sql:
    if not sql.null:
        return Sql(made, ANY, null=False)
    return Sql(f"(CASE WHEN {sql.operand} IS NOT NULL THEN {made} END)", ANY)


def map_from(cx: Compiler, entries: list[tuple[str, Sql]]) -> Sql:
    """A map as tagged JSON, keys in order, so that equal maps are equal texts."""
    parts = [
        f"{text(tags.escaped(key))}, {tagged(cx, value).text}"
        for key, value in sorted(entries, key=lambda entry: entry[0])
    ]
    return Sql(f"json_object({', '.join(parts)})", ANY, null=False)


def properties(cx: Compiler, bound: Element | Value, entries: list[tuple[str, Sql]]) -> Sql:
    """The properties that an element has, and `entries` beside or instead of them."""
    replaced = {key for key, _ in entries}
    shown = [
        f"{text(tags.escaped(key))}, {output.json_value(cx, value)}"
        for key, value in _known(cx, bound)
        if key not in replaced
    ]
    made = "json_object()"
    if shown:
        made = f"json_merge_patch('{{}}', json_object({', '.join(shown)}))"
    if entries:
        own = map_from(cx, entries).text
        made = tags.use(cx, "cy_join", ANY, made, own).text
    if isinstance(bound, Element):
        return Sql(made, ANY, null=False)
    return _guarded(bound.sql, made)


def _known(cx: Compiler, bound: Element | Value) -> list[tuple[str, Sql]]:
    fields = [f for f in cx.catalog.layout(bound.type) if f.is_property]
    return sorted((f.key, values.field_of(cx.catalog, bound, f)) for f in fields)


def keys_of_element(cx: Compiler, bound: Element | Value) -> Sql:
    """`keys` of an element: the names of the properties that it has, whose values do not matter."""
    tests = [
        f"CASE WHEN {value.operand} IS NOT NULL THEN {text(key)} END"
        for key, value in _known(cx, bound)
    ]
    name = cx.local("key")
    made = f"list_filter([{', '.join(tests)}]::VARCHAR[], lambda {name}: {name} IS NOT NULL)"
    if isinstance(bound, Element):
        return Sql(made, list_of(STRING), null=False)
    return replace(_guarded(bound.sql, made), type=list_of(STRING))


# --- reading -----------------------------------------------------------------------------------


def place_of(index: Sql) -> str:
    """The place in a list: DuckDB counts from 1, and from the end with negative numbers, as Cypher
    does. What is no place of 32 bits is none of a list, and adding 1 could overflow there.
    """
    own = index.operand
    return f"CASE WHEN {own} BETWEEN 0 AND 2147483647 THEN {own} + 1 ELSE {index.text} END"


def index(cx: Compiler, base: Sql, place: Sql, node: ir.Expr) -> Sql:
    """`base[place]` where a type is not known."""
    if base.type.kind is Kind.LIST and place.type.kind is Kind.ANY:
        shown = place_of(tags.integer(cx, place))
        return Sql(f"{base.operand}[{shown}]", base.type.item or ANY)
    if base.type.element:
        cx.whole_elements()
        base = properties(cx, Value(base), [])
    if base.type.kind not in (Kind.ANY, Kind.MAP) or place.type.kind not in (
        Kind.ANY,
        Kind.INTEGER,
        Kind.STRING,
    ):
        raise Refused(
            "type",
            "Index",
            f"A {base.type.kind.value} value has no part by {place.type.kind.value}.",
            node.span,
        )
    return tags.use(cx, "cy_at", ANY, tagged(cx, base), tagged(cx, place))


def keys(cx: Compiler, sql: Sql) -> Sql:
    """`keys` of an element or a map."""
    if sql.type.kind is Kind.NULL:
        return Sql("NULL::VARCHAR[]", list_of(STRING))
    return tags.use(cx, "cy_keys", list_of(STRING), tagged(cx, sql))


# --- operators ---------------------------------------------------------------------------------


def equal(cx: Compiler, a: Sql, b: Sql) -> Sql:
    """`a = b`, three-valued."""
    left, right = tagged(cx, a), tagged(cx, b)
    if _atomic(a.type) or _atomic(b.type):
        return tags.use(cx, "cy_same", BOOLEAN, left, right)
    cx.subqueries += 1  # the macro looks into both values
    if not any(_PRINTS.search(side.text) for side in (left, right)):
        return tags.use(cx, "cy_equal", BOOLEAN, left, right)
    # DuckDB takes a lambda's parameter for a text within the argument of a table function.
    same = tags.use(cx, "cy_equal", BOOLEAN, "_cy_left", "_cy_right")
    sides = f"(SELECT {left.text} AS _cy_left, {right.text} AS _cy_right)"
    return replace(same, text=f"(SELECT {same.text} FROM {sides})")


_PRINTS = re.compile(r"\bcy_\w+_(?:text|shown)\(")


def _atomic(of: T) -> bool:
    """Whether no NULL can stand inside a value of this type."""
    return of.kind not in (Kind.ANY, Kind.LIST, Kind.MAP)


def compare(cx: Compiler, op: ir.CompareOp, a: Sql, b: Sql) -> Sql:
    """`a < b` and its kin."""
    one = _atomic(a.type) or _atomic(b.type)  # then nothing is looked into, which plans quicker
    macro = "cy_order_of_one" if one else "cy_order_of"
    order = tags.use(cx, macro, INTEGER, tagged(cx, a), tagged(cx, b))
    strict = op in (ir.CompareOp.LT, ir.CompareOp.GT)
    known = f"nullif({order.text}, 3)" if strict else order.text
    return composed(f"{known} {_ORDERS[op]}", BOOLEAN)


def arithmetic(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    """A binary operator."""
    left, right = tagged(cx, a), tagged(cx, b)
    if all(_SHORT.fullmatch(side.text) for side in (left, right)):
        return tags.use(cx, _ARITHMETIC[op], ANY, left, right)
    # A macro writes out its arguments wherever it reads them: nested, they would multiply.
    pair = cx.local("pair")
    made = tags.use(cx, _ARITHMETIC[op], ANY, f"{pair}.a", f"{pair}.b")
    both = f"struct_pack(a := {left.text}, b := {right.text})"
    return replace(made, text=f"list_transform([{both}], lambda {pair}: {made.text})[1]")


_SHORT = re.compile(r"[^()]*|\w+\([^()]*\)")


def sortable(cx: Compiler, sql: Sql) -> str:
    """What a value is ordered by where DuckDB orders otherwise."""
    if sql.type.kind is Kind.DURATION:
        return order_key(cx, sql)
    return tags.use(cx, "cy_key_3", ANY, tagged(cx, sql)).text


def distinct(cx: Compiler, sql: Sql) -> str:
    """What a value of an unknown type, or that may be NaN, is told apart by: no NaN is another."""
    if sql.type.kind is Kind.FLOAT:
        return f"{cx.macro('cy_apart_float')}({sql.text})"
    return f"{cx.macro('cy_apart')}({tags.use(cx, 'cy_canon', STRING, tagged(cx, sql)).text})"


def repeated(cx: Compiler, sql: Sql) -> str:
    """The same without what tells one NaN from another."""
    return tags.use(cx, "cy_canon", STRING, tagged(cx, sql)).text


def firsts(cx: Compiler, arg: Sql, order: Sequence[str]) -> str:
    """The list of the first of equal values; NULL of none."""
    by = f" ORDER BY {', '.join(order)}" if order else ""
    keep = f" FILTER (WHERE {arg.operand} IS NOT NULL)" if arg.null else ""
    key = repeated(cx, arg)
    macro = cx.macro("cy_firsts_by")
    return f"{macro}(list({arg.text}{by}){keep}, list({key}{by}){keep})"


def aggregate(cx: Compiler, node: ir.Agg, arg: Sql, order: Sequence[str]) -> Sql:
    """An aggregate over values of unknown types."""
    arg = tagged(cx, arg)
    if node.name == "sum" and node.distinct:
        listed = f"coalesce({firsts(cx, arg, order)}, []::JSON[])"
        return replace(tags.use(cx, "cy_sum", ANY, listed), null=False)
    distinct = "DISTINCT " if node.distinct else ""
    known = f"FILTER (WHERE {arg.operand} IS NOT NULL)"
    if node.name in ("min", "max"):
        key = sortable(cx, arg)
        if order:  # of equal values the first
            sign = "-" if node.name == "max" else ""
            places = ", ".join(f"i{n} := {sign}{place}" for n, place in enumerate(order))
            key = f"struct_pack(k := {key}, {places})"
        return Sql(f"arg_{node.name}({arg.text}, {key}) {known}", ANY)
    number = tags.use(cx, "cy_number", FLOAT, arg).text
    if node.name == "sum":
        whole = tags.use(cx, "cy_integral", BOOLEAN, arg).text
        exact = tags.use(cx, "cy_if_integer", INTEGER, arg).text
        integers = f"coalesce(sum({exact}), 0)::BIGINT"
        return Sql(
            f"(CASE WHEN coalesce(bool_and({whole}) {known}, true) THEN to_json({integers})"
            f" ELSE {cx.macro('cy_float')}(sum({number})) END)",
            ANY,
            null=False,
        )
    if node.name == "avg":
        return Sql(f"avg({distinct}{number})", T(Kind.FLOAT, nan=True))
    names = {"stDev": "stddev_samp", "stDevP": "stddev_pop"}
    if node.name in names:
        return Sql(f"coalesce({names[node.name]}({distinct}{number}), 0)", FLOAT, null=False)
    raise Refused(
        "dynamic-value",
        node.name,
        "The types of these values are known only when the query runs.",
        node.span,
    )
