"""Subqueries as values: EXISTS {}, COUNT {}, COLLECT {} and pattern comprehensions."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.duckdb.clauses.clauses import collect_of, count_of, existence
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.sql import Scope, Sql
from translators.duckdb.model.types import BOOLEAN, INTEGER, list_of

EMITS = Emits()


@EMITS.of(ir.Exists)
def _exists(cx: Compiler, node: ir.Exists, scope: Scope) -> Sql:
    cx.subqueries += 1
    return Sql(f"EXISTS ({existence(cx, node.query, scope)})", BOOLEAN, null=False)


@EMITS.of(ir.CountOf)
def _count(cx: Compiler, node: ir.CountOf, scope: Scope) -> Sql:
    cx.subqueries += 1
    return Sql(f"({count_of(cx, node.query, scope)})", INTEGER, null=False)


@EMITS.of(ir.CollectOf)
def _collect(cx: Compiler, node: ir.CollectOf, scope: Scope) -> Sql:
    cx.subqueries += 1
    text, item = collect_of(cx, node.query, scope)
    return Sql(f"({text})", list_of(item), null=False)


@EMITS.of(ir.PatternComp)
def _pattern(cx: Compiler, node: ir.PatternComp, scope: Scope) -> Sql:
    cx.subqueries += 1
    result = ir.Project((ir.Item(node.result, "result"),), final=True)
    query = ir.Query((ir.Match((node.path,), node.where), result))
    text, item = collect_of(cx, query, scope)
    return Sql(f"({text})", list_of(item), null=False)


@EMITS.of(ir.PathExpr)
def _path(cx: Compiler, node: ir.PathExpr, scope: Scope) -> Sql:
    """shortestPath() as a value, null where there is none; allShortestPaths() is a list."""
    cx.subqueries += 1
    path = replace(node.path, var=cx.names.fresh("_p"))
    result = ir.Project((ir.Item(ir.Var(path.var or ""), "result"),), final=True)
    text, item = collect_of(cx, ir.Query((ir.Match((path,)), result)), scope)
    selector = path.selector
    if selector is not None and selector.kind is ir.SelectorKind.FUNCTION_ALL:
        return Sql(f"({text})", list_of(item), null=False)
    return Sql(f"list_extract(({text}), 1)", item)
