"""Sort keys whose subqueries read columns, said over a projection that has made the columns.

In `RETURN head(collect(p)) AS x ORDER BY COUNT { (x)-->() }` the pattern meets the column. A sort
key cannot be said in the terms before the projection then, as dialects and probes do with keys:
no expression stands in a pattern, and no aggregate in a subquery.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import visible_after
from graph_ir.variables import BINDING, SUBQUERIES, read_names
from graph_ir.walk import find, rewrite, substitute


def columns_first(
    statement: ir.Statement, apart: Callable[[ir.Project, ir.Expr], bool] = lambda *_: False
) -> ir.Statement:
    """`statement` with a WITH that makes the columns before each projection of which a subquery in
    ORDER BY reads one, or that loses rows and has a sort key of which `apart` holds. The same
    object where there is none."""

    def needed(clause: ir.Clause) -> bool:
        if not isinstance(clause, ir.Project):
            return False
        restricted = clause.distinct or clause.group is not None
        late = restricted and any(apart(clause, key.expr) for key in clause.order)
        return late or _asks_columns(clause)

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query) or not any(map(needed, node.clauses)):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Project) and needed(clause):
                clauses += _staged(clause, clauses)
            else:
                clauses.append(clause)
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _asks_columns(project: ir.Project) -> bool:
    """Whether what binds variables in a sort key reads a column that is no variable before."""
    made = {item.alias for item in project.items if item.expr != ir.Var(item.alias)}
    shown = {item.expr for item in project.items}
    return any(
        not made.isdisjoint(read_names(part))
        for key in project.order
        if key.expr not in shown
        for part in find(key.expr, *BINDING)
    )


def _staged(project: ir.Project, before: Sequence[ir.Clause]) -> tuple[ir.Project, ir.Project]:
    """The columns, with what else the sort keys and the WHERE read where no row is lost; and the
    projection of those columns."""
    items = project.items
    columns = tuple(ir.Item(ir.Var(i.alias, type=i.expr.type), i.alias) for i in items)
    order = project.order
    if project.distinct or project.group is not None:
        named = [column.expr for column in columns]
        by_column: dict[ir.Expr, ir.Expr] = {
            item.expr: column
            for item, column in zip(items, named, strict=True)
            if item.expr not in named  # which are columns in a sort key
        }

        def shown(part: ir.Node) -> ir.Node | None:
            if isinstance(part, (*SUBQUERIES, ir.PatternComp)):
                return by_column.get(part, part)  # which can read no more than columns
            return by_column.get(part) if isinstance(part, ir.Expr) else None

        order = tuple(substitute(key, shown) for key in order)
    else:
        late = (*order, project.where) if project.where is not None else order
        hidden = read_names(*late) & visible_after(before) - {item.alias for item in items}
        items += tuple(ir.Item(ir.Var(name), name) for name in sorted(hidden))
    kept = tuple(replace(item, named=True) for item in items)
    first = replace(project, items=kept, order=(), skip=None, limit=None, where=None, final=False)
    second = replace(project, items=columns, order=order, group=None, distinct=False)
    return first, second
