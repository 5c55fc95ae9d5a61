"""WITH and RETURN as NebulaGraph has them: ORDER BY takes names of columns only.

A key that is no column becomes one, in a WITH before: the rows are sorted and cut there, and
the projection after it keeps their order. Source: NebulaGraph 3.8 manual, "ORDER BY".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate, without_aliases
from graphmill.errors import Refused
from translators.ngql.emit.scope import Scope

type Show = Callable[[ir.Expr], str]


def lower_project(project: ir.Project, scope: Scope, show: Show) -> tuple[ir.Project, ...]:
    """`project`, its expressions lowered, as one or two clauses whose keys are columns.

    `show` is the nGQL text of an expression, which is the name of a column without alias.
    """
    if not project.items:
        raise Refused(
            "no-columns", "WITH *", "nGQL has no WITH where there are no variables.", project.span
        )
    keys: list[ir.SortKey] = []
    hidden: list[ir.Item] = []
    named: dict[int, str] = {}
    for key in project.order:
        if isinstance(key.expr, ir.Literal):
            continue  # a constant orders nothing
        position = _column_of(key.expr, project.items)
        if position is None:
            name = scope.fresh(_stem(key.expr, "sort_key"))
            hidden.append(ir.Item(without_aliases(key.expr, project), name))
        else:
            item = project.items[position]
            name = named.get(position, "") or _name_of(item, scope)
            named[position] = name
        keys.append(replace(key, expr=ir.Var(name)))
    if not hidden:
        items = tuple(
            _renamed(item, named.get(position), show) for position, item in enumerate(project.items)
        )
        return (replace(project, items=items, order=tuple(keys), group=_group(items)),)
    return _split(project, hidden, keys, named, scope)


def _split(
    project: ir.Project,
    hidden: Sequence[ir.Item],
    keys: Sequence[ir.SortKey],
    named: dict[int, str],
    scope: Scope,
) -> tuple[ir.Project, ...]:
    inner: list[ir.Item] = []
    outer: list[ir.Item] = []
    for position, item in enumerate(project.items):
        if isinstance(item.expr, ir.Var) and item.expr.name == item.alias:
            name = item.alias
        else:
            name = named.get(position) or _name_of(item, scope)
        inner.append(ir.Item(item.expr, name, span=item.span))
        value = ir.Var(name, type=item.expr.type)
        outer.append(ir.Item(value, item.alias if item.named else name, named=item.named))
    first = replace(
        project,
        items=(*inner, *hidden),
        order=tuple(keys),
        where=None,
        final=False,
        group=_group((*inner, *hidden)),
    )
    second = ir.Project(tuple(outer), where=project.where, final=project.final, span=project.span)
    return first, second


def alias_all(project: ir.Project) -> ir.Project:
    """`project` with an alias on each column, so that both sides of a UNION have the same."""
    items = tuple(
        item
        if item.named or isinstance(item.expr, ir.Var)
        else replace(item, alias=_plain(item.alias), named=True)
        for item in project.items
    )
    return replace(project, items=items)


def _column_of(key: ir.Expr, items: Sequence[ir.Item]) -> int | None:
    """The column that `key` is: by alias first, as in Cypher, then by expression."""
    for position, item in enumerate(items):
        if isinstance(key, ir.Var) and key.name == item.alias:
            return position
    for position, item in enumerate(items):
        if key == item.expr:
            return position
    return None


def _name_of(item: ir.Item, scope: Scope) -> str:
    if item.named or isinstance(item.expr, ir.Var):
        return item.alias
    return scope.fresh(_stem(item.expr, _plain(item.alias)))


def _renamed(item: ir.Item, name: str | None, show: Show) -> ir.Item:
    """A column under its name; without one, under that which NebulaGraph gives it."""
    if name is not None and not item.named:
        return replace(item, alias=name, named=name != item.alias)
    if item.named or isinstance(item.expr, ir.Var):
        return item
    return replace(item, alias=show(item.expr))


def _stem(expr: ir.Expr, otherwise: str) -> str:
    if isinstance(expr, ir.Prop):
        return _plain(expr.key)
    if isinstance(expr, ir.Agg):
        return expr.name
    return otherwise


def _plain(text: str) -> str:
    """`text` as a name without signs."""
    return re.sub(r"\W+", "_", text).strip("_") or "value"


def _group(items: Sequence[ir.Item]) -> tuple[ir.Expr, ...] | None:
    if not any(has_aggregate(item.expr) for item in items):
        return None
    return tuple(item.expr for item in items if not has_aggregate(item.expr))
