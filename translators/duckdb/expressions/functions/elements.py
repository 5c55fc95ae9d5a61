"""Functions of nodes, edges, maps and paths."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import dynamic
from translators.duckdb.expressions.bindings import path_edges, path_length, path_nodes, whole
from translators.duckdb.expressions.ends import end_node
from translators.duckdb.expressions.expressions import path_of
from translators.duckdb.expressions.functions.arguments import (
    Functions,
    arguments,
    wrong,
)
from translators.duckdb.expressions.output import strings
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import (
    OPERATORS,
    Element,
    PathBinding,
    Scope,
    Sql,
    Value,
    composed,
)
from translators.duckdb.model.types import (
    ANY,
    INTEGER,
    NULL,
    STRING,
    T,
    list_of,
)

FUNCTIONS = Functions()


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


@FUNCTIONS.of("id", "elementId")
def _id(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.NULL:
        return values.NOTHING
    sql = values.identity(cx.catalog, bound)
    if node.name.casefold() == "id":
        return sql
    prefix = "n:" if bound.type.kind is Kind.NODE else "e:"
    return Sql(OPERATORS["||"](text(prefix), sql.text), STRING, null=sql.null)


@FUNCTIONS.of("labels")
def _labels(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.EDGE:
        raise wrong(node, whole(cx, bound))
    return _by_type(
        cx, bound, lambda name: strings(list(cx.catalog.node(name).labels)), list_of(STRING)
    )


@FUNCTIONS.of("type")
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


@FUNCTIONS.of("keys")
def _keys(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.MAP:
        made = strings([key for key, _ in arg.type.fields])
        if not arg.null:
            return made
        return Sql(f"(CASE WHEN {arg.operand} IS NOT NULL THEN {made.text} END)", made.type)
    if arg.type.element:
        cx.whole_elements()
        return dynamic.keys_of_element(cx, _element(cx, node, scope))
    return dynamic.keys(cx, arg)


@FUNCTIONS.of("properties")
def _properties(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind in (Kind.MAP, Kind.NULL):
        return arg
    if arg.type.kind is Kind.ANY:
        return tags.use(cx, "cy_properties", ANY, arg)
    if not arg.type.element:
        raise wrong(node, arg)
    cx.whole_elements()
    return dynamic.properties(cx, _element(cx, node, scope), [])


@FUNCTIONS.of("startNode", "endNode")
def _end(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    bound = _element(cx, node, scope)
    if bound.type.kind is Kind.NULL:
        return values.NOTHING
    return end_node(cx, bound, source=node.name.casefold() == "startnode")


@FUNCTIONS.of("length")
def _length(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, PathBinding):
        return path_length(path)
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.PATH:
        return Sql(f"len({arg.operand}.edges)", INTEGER, null=arg.null)
    if arg.type.kind is Kind.NULL:
        return Sql("NULL::BIGINT", INTEGER)
    raise wrong(node, arg)


@FUNCTIONS.of("nodes", "relationships", "rels")
def _nodes(cx: Compiler, node: ir.Call, scope: Scope) -> Sql:
    wants_nodes = node.name.casefold() == "nodes"
    path = path_of(node.args[0], scope) if node.args else None
    if isinstance(path, PathBinding):
        make = path_nodes if wants_nodes else path_edges
        return make(cx, path)
    (arg,) = arguments(cx, node, scope, 1)
    if arg.type.kind is Kind.PATH:
        name = "nodes" if wants_nodes else "edges"
        return Sql(f"{arg.operand}.{name}", dict(arg.type.fields)[name], null=arg.null)
    if arg.type.kind is Kind.NULL:
        return composed("NULL::INTEGER[]", list_of(NULL))
    raise wrong(node, arg)
