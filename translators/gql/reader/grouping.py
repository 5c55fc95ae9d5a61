"""GROUP BY and HAVING: keys that are no columns are grouped first and projected afterwards.

Without GROUP BY the columns that hold no aggregate are the keys, as in Graph-IR; GROUP BY names
them itself (ISO/IEC 39075:2024 clauses 14.11 and 16.15).
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find
from graphmill.errors import QueryTextError, Refused, Span


def grouped(
    project: ir.Project,
    keys: list[ir.Expr] | None,
    having: ir.Expr | None,
    *,
    googlesql: bool = False,
) -> list[ir.Clause]:
    """The clauses of a projection with its GROUP BY and HAVING; GoogleSQL's keys may be what
    columns are made of.

    Raises:
        Refused: a key of GoogleSQL's is neither.
        QueryTextError: a column is neither a key nor made of keys and aggregates.
    """
    if keys is None and having is None:
        return [project]
    by_alias = {item.alias: item.expr for item in project.items}
    meant: list[ir.Expr] = []
    for key in keys or ():
        if googlesql and key in by_alias.values():
            meant.append(key)
            continue
        if googlesql and not isinstance(key, ir.Var):
            reason = "A key of a group is a column, or what one is made of."
            raise Refused("gql-grouping", "GROUP BY", reason, key.span)
        if not isinstance(key, ir.Var):
            raise _wrong("GROUP BY names columns and variables.", "group-by-expression", key)
        meant.append(by_alias.get(key.name, key))
        if has_aggregate(meant[-1]):
            raise _wrong("GROUP BY takes no aggregate.", "misplaced-aggregate", key)
    plain = [item.expr for item in project.items if not has_aggregate(item.expr)]
    if keys is None:
        meant = plain
    aggregating = any(has_aggregate(item.expr) for item in project.items) or (
        having is not None and has_aggregate(having)
    )
    simple = set(map(repr, meant)) == set(map(repr, plain)) and having is None
    if simple and aggregating and (plain or keys == []):
        return [replace(project, group=tuple(plain))]
    if simple and plain:
        if project.order and not _by_columns(project):
            return _staged(project, meant, having)
        return [replace(project, distinct=True, group=None)]
    return _staged(project, meant, having)


def _by_columns(project: ir.Project) -> bool:
    names = {item.alias for item in project.items}
    return all(var.name in names for key in project.order for var in find(key.expr, ir.Var))


def _staged(project: ir.Project, keys: list[ir.Expr], having: ir.Expr | None) -> list[ir.Clause]:
    """Keys and aggregates first, what is made of them in a second projection."""
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in project.items}
    order = tuple(
        replace(key, expr=key.expr if key.expr in by_alias else substitute(key.expr, {}))
        for key in project.order
    )
    values = [item.expr for item in project.items]
    sources = [*values, *(key.expr for key in order), *([having] if having is not None else [])]
    taken = {var.name for source in sources for var in find(source, ir.Var)}
    taken |= {item.alias for item in project.items}
    mapping: dict[ir.Expr, ir.Expr] = {}
    first: list[ir.Item] = []
    for number, expr in enumerate(dict.fromkeys([*keys, *_aggregates(sources)]), 1):
        name = expr.name if isinstance(expr, ir.Var) else f"group_{number}"
        while not isinstance(expr, ir.Var) and name in taken:
            name += "_"
        taken.add(name)
        first.append(ir.Item(expr, name))
        mapping[expr] = ir.Var(name, type=expr.type)
    items = tuple(replace(item, expr=substitute(item.expr, mapping)) for item in project.items)
    known = {item.alias for item in first}
    for item in items:
        for var in find(item.expr, ir.Var):
            if var.name not in known and not _bound_inside(item.expr, var.name):
                raise _wrong(
                    f"'{var.name}' is neither a key of GROUP BY nor inside an aggregate.",
                    "not-grouped",
                    item,
                )
    grouping = ir.Project(
        tuple(first),
        group=tuple(keys) if len(first) > len(set(keys)) else None,
        distinct=len(first) == len(set(keys)),
        where=substitute(substitute(having, by_alias), mapping) if having is not None else None,
        span=project.span,
    )
    if not first:
        grouping = ir.Project(
            (ir.Item(ir.Agg("count"), "group_rows"),), group=(), span=project.span
        )
    last = replace(
        project,
        items=items,
        order=tuple(replace(key, expr=substitute(key.expr, mapping)) for key in order),
        group=None,
    )
    return [grouping, last]


def _aggregates(sources: list[ir.Expr]) -> list[ir.Agg]:
    return [agg for source in sources for agg in aggregates(source)]


def _bound_inside(expr: ir.Expr, name: str) -> bool:
    """Whether a list comprehension or a subquery inside `expr` binds the name."""
    inner = (ir.ListComp, ir.Quantifier, ir.Reduce, ir.Exists, ir.CountOf, ir.CollectOf)
    return any(True for _ in find(expr, *inner))


def _wrong(message: str, code: str, at: ir.Node) -> QueryTextError:
    place = at.span or Span(1, 1)
    return QueryTextError(message, code=code, line=place.line, column=place.column)
