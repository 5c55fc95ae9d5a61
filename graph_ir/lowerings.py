"""Pure rewrites that several dialects need before they print, each exact under Graph-IR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.walk import children


def substitute[N: ir.Node](node: N, mapping: Mapping[ir.Expr, ir.Expr]) -> N:
    """A copy in which every expression that `mapping` holds is replaced, outermost first.

    Bodies of subqueries are searched too; a variable that a subquery binds again must not be in
    `mapping`.
    """
    if isinstance(node, ir.Expr) and node in mapping:
        return mapping[node]  # type: ignore[return-value] # an expression for an expression
    updates: dict[str, Any] = {}
    for field in fields(node):
        if field.name in ("span", "type") or not field.init:
            continue
        value = getattr(node, field.name)
        if isinstance(value, ir.Node):
            new = substitute(value, mapping)
            if new is not value:
                updates[field.name] = new
        elif isinstance(value, tuple) and any(isinstance(item, ir.Node) for item in value):
            items = tuple(
                substitute(item, mapping) if isinstance(item, ir.Node) else item for item in value
            )
            if any(a is not b for a, b in zip(items, value, strict=True)):
                updates[field.name] = items
    return replace(node, **updates) if updates else node


def aggregates(node: ir.Node) -> list[ir.Agg]:
    """The aggregates of an expression, in order, without those of its subqueries."""
    if isinstance(node, ir.Agg):
        return [node]
    if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
        return []
    return [found for child in children(node) for found in aggregates(child)]


def counting(query: ir.Statement) -> ir.Query | None:
    """The query whose one row is the number of rows of `query`, or None for a UNION.

    Clauses are `query`'s own with `count(*)` at the end; a final projection that neither joins
    nor drops rows gives way to it.
    """
    if isinstance(query, ir.Union):
        return None
    number = ir.Project((ir.Item(ir.Agg("count"), "total"),), final=True, group=())
    last = query.clauses[-1]
    if not isinstance(last, ir.Project):
        return replace(query, clauses=(*query.clauses, number))
    if keeps_rows(last):
        return replace(query, clauses=(*query.clauses[:-1], number))
    return replace(query, clauses=(*query.clauses[:-1], replace(last, final=False), number))


def keeps_rows(project: ir.Project) -> bool:
    """Whether a projection has as many rows as there were before it."""
    return (
        project.group is None
        and not project.distinct
        and project.skip is None
        and project.limit is None
        and project.where is None
    )
