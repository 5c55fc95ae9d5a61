"""List comprehensions, quantifiers and reduce."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.duckdb.expressions.conversion import convert
from translators.duckdb.expressions.expressions import items_of
from translators.duckdb.expressions.logic import truth
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.iterate import each
from translators.duckdb.model.sql import Scope, Sql, Value
from translators.duckdb.model.types import ANY, BOOLEAN, INTEGER, list_of, unify

EMITS = Emits()

_MACROS = {
    ir.QuantifierKind.ALL: "cy_all",
    ir.QuantifierKind.ANY: "cy_any",
    ir.QuantifierKind.NONE: "cy_none",
    ir.QuantifierKind.SINGLE: "cy_single",
}


@EMITS.of(ir.ListComp)
def _comprehension(cx: Compiler, node: ir.ListComp, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    item = source.type.item or ANY
    text = source.text
    if node.where is not None:
        where = node.where
        text, _ = each(
            cx, text, item, node.var, scope, lambda inner: truth(cx, where, inner), keep=True
        )
    of = item
    if node.result is not None:
        result = node.result
        text, of = each(cx, text, item, node.var, scope, lambda inner: cx.expr(result, inner))
    return Sql(text, list_of(of), null=source.null)


@EMITS.of(ir.Quantifier)
def _quantifier(cx: Compiler, node: ir.Quantifier, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    text, _ = each(
        cx,
        source.text,
        source.type.item or ANY,
        node.var,
        scope,
        lambda inner: truth(cx, node.where, inner),
    )
    return Sql(f"{cx.macro(_MACROS[node.kind])}({text})", BOOLEAN)


@EMITS.of(ir.Reduce)
def _reduce(cx: Compiler, node: ir.Reduce, scope: Scope) -> Sql:
    source = items_of(cx, cx.expr(node.list, scope), node)
    item = source.type.item or ANY
    start = cx.expr(node.init, scope)
    of = start.type
    acc, name = cx.local(node.acc), cx.local(node.var)
    before = cx.subqueries
    for _ in range(5):
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
    step = convert(cx, step, of)
    begin = convert(cx, start, of)
    first = f"{begin.operand}::BIGINT" if of == INTEGER else begin.text
    text = f"list_reduce({source.text}, lambda {acc}, {name}: {step.text}, {first})"
    if source.null:
        text = f"(CASE WHEN {source.operand} IS NOT NULL THEN {text} END)"
    return Sql(text, of)
