"""Subqueries as values: COUNT {}, COLLECT {} and pattern comprehensions."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.duckdb.clauses import collect_of, count_of
from translators.duckdb.compiler import Compiler, emits
from translators.duckdb.sql import Scope, Sql
from translators.duckdb.types import INTEGER, list_of


@emits(ir.CountOf)
def _count(cx: Compiler, node: ir.CountOf, scope: Scope) -> Sql:
    cx.subqueries += 1
    return Sql(f"({count_of(cx, node.query, scope)})", INTEGER, null=False)


@emits(ir.CollectOf)
def _collect(cx: Compiler, node: ir.CollectOf, scope: Scope) -> Sql:
    cx.subqueries += 1
    text, item = collect_of(cx, node.query, scope)
    return Sql(f"({text})", list_of(item), null=False)


@emits(ir.PatternComp)
def _pattern(cx: Compiler, node: ir.PatternComp, scope: Scope) -> Sql:
    cx.subqueries += 1
    result = ir.Project((ir.Item(node.result, "result"),), final=True)
    query = ir.Query((ir.Match((node.path,), node.where), result))
    text, item = collect_of(cx, query, scope)
    return Sql(f"({text})", list_of(item), null=False)


@emits(ir.PathExpr)
def _path(cx: Compiler, node: ir.PathExpr, scope: Scope) -> Sql:
    raise Refused(
        "path-search",
        node.path.selector.kind.value if node.path.selector else "PathExpr",
        "A path search as a value has no SQL form.",
        node.span,
    )
