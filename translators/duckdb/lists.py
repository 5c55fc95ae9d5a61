"""List comprehensions, quantifiers and reduce: lambdas, or UNNEST where a subquery is inside."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.duckdb import values
from translators.duckdb.compiler import Compiler, emits
from translators.duckdb.expressions import items_of
from translators.duckdb.logic import truth
from translators.duckdb.sql import Scope, Sql, Value
from translators.duckdb.types import ANY, BOOLEAN, INTEGER, T, list_of, unify

_MACROS = {
    ir.QuantifierKind.ALL: "cy_all",
    ir.QuantifierKind.ANY: "cy_any",
    ir.QuantifierKind.NONE: "cy_none",
    ir.QuantifierKind.SINGLE: "cy_single",
}


@emits(ir.ListComp)
def _comprehension(cx: Compiler, node: ir.ListComp, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    item = source.type.item or ANY
    text = source.text
    if node.where is not None:
        where = node.where
        text, _ = _each(
            cx, text, item, node.var, scope, lambda inner: truth(cx, where, inner), keep=True
        )
    of = item
    if node.result is not None:
        result = node.result
        text, of = _each(cx, text, item, node.var, scope, lambda inner: cx.expr(result, inner))
    return Sql(text, list_of(of), null=source.null)


@emits(ir.Quantifier)
def _quantifier(cx: Compiler, node: ir.Quantifier, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    text, _ = _each(
        cx,
        source.text,
        source.type.item or ANY,
        node.var,
        scope,
        lambda inner: truth(cx, node.where, inner),
    )
    return Sql(f"{cx.macro(_MACROS[node.kind])}({text})", BOOLEAN)


def _each(
    cx: Compiler,
    source: str,
    item: T,
    var: str,
    scope: Scope,
    make: Callable[[Scope], Sql],
    *,
    keep: bool = False,
) -> tuple[str, T]:
    """The list of `make` of each item, or with `keep` of the items for which it is true."""
    name = cx.local(var)
    inner = Scope({**scope.env, var: Value(Sql(name, item))})
    before = cx.subqueries
    made = make(inner)
    if made.text == "NULL":
        made = Sql(values.null_of(cx.catalog, made.type), made.type)
    if cx.subqueries == before:
        function = "list_filter" if keep else "list_transform"
        return f"{function}({source}, lambda {name}: {made.text})", made.type
    # Lambdas hold no subqueries.
    alias = cx.local("list")
    bound = Scope({**scope.env, var: Value(Sql(f"{alias}.{name}", item))})
    made = make(bound)
    cx.subqueries += 1
    taken = f"{alias}.{name}" if keep else made.text
    where = f" WHERE {made.text}" if keep else ""
    text = (
        f"(SELECT coalesce(list({taken} ORDER BY {alias}.i), []) "
        f"FROM unnest({source}) WITH ORDINALITY AS {alias}({name}, i){where})"
    )
    return f"(CASE WHEN {source} IS NOT NULL THEN {text} END)", made.type


@emits(ir.Reduce)
def _reduce(cx: Compiler, node: ir.Reduce, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    item = source.type.item or ANY
    start = cx.expr(node.init, scope)
    of = start.type
    acc, name = cx.local(node.acc), cx.local(node.var)
    before = cx.subqueries
    for _ in range(3):
        env = {
            **scope.env,
            node.acc: Value(Sql(acc, of)),
            node.var: Value(Sql(name, item)),
        }
        step = cx.expr(node.step, Scope(env))
        wider = unify(of, step.type)
        if wider == of:
            break
        of = wider
    if cx.subqueries != before:
        raise Refused(
            "reduce-subquery", "Reduce", "A subquery inside reduce has no SQL form.", node.span
        )
    step = values.convert(cx.catalog, step, of)
    begin = values.convert(cx.catalog, start, of)
    first = f"{begin.operand}::BIGINT" if of == INTEGER else begin.text
    text = f"list_reduce({source.text}, lambda {acc}, {name}: {step.text}, {first})"
    if source.null:
        text = f"(CASE WHEN {source.operand} IS NOT NULL THEN {text} END)"
    return Sql(text, of)
