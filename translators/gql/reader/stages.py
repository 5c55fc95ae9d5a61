"""Two RETURNs joined by NEXT that are one projection.

Names that GQL cannot refer to (`a.name`, a name that a variable has) make the writer compute the
columns under plain names first, and name them after NEXT (`translators.gql.emit.projections`).
Reading takes that back where the first names are used for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import substitute
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import introduced
from graph_ir.walk import find
from translators.gql.emit.text import is_variable


def names_of(clauses: Iterable[ir.Clause]) -> set[str]:
    """Every name that a clause binds."""
    return {name for clause in clauses for name in introduced(clause)}


def together(first: ir.Clause, after: tuple[ir.Clause, ...], taken: set[str]) -> ir.Project | None:
    """The one projection that both are; None where they are not."""
    if len(after) != 1:
        return None
    second = after[0]
    if not (isinstance(first, ir.Project) and isinstance(second, ir.Project)):
        return None
    if second.group is not None or second.distinct or second.where is not None:
        return None
    if first.order or any(part is not None for part in (first.skip, first.limit, first.where)):
        return None
    stars = any(item.expr == ir.Var("*") for item in (*first.items, *second.items))
    if stars or any(True for item in first.items for _ in find(item.expr, ir.Exists, ir.CountOf)):
        return None
    if _reads_dropped(first, second, taken) or not _is_needed(first, second, taken):
        return None
    named: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in first.items}
    items = tuple(
        replace(item, expr=substitute(item.expr, named), named=True) for item in second.items
    )
    if any(_aggregates_of_items(item.expr) for item in items):
        return None
    plain = [item.expr for item in items if not has_aggregate(item.expr)]
    if first.group is not None and set(map(repr, plain)) != set(map(repr, first.group)):
        return None
    if first.distinct and set(map(repr, plain)) != {repr(item.expr) for item in first.items}:
        return None
    order = _order(second, items, named)
    if order is None:
        return None
    group = None if first.group is None else tuple(plain)
    return replace(second, items=items, order=order, group=group, distinct=first.distinct)


def _reads_dropped(first: ir.Project, second: ir.Project, taken: set[str]) -> bool:
    """Whether the second reads what the first has dropped, which is to stay an error."""
    dropped = taken - {item.alias for item in first.items}
    aliases = {item.alias for item in second.items}
    return any(var.name in dropped for item in second.items for var in find(item.expr, ir.Var)) or (
        any(v.name in dropped - aliases for key in second.order for v in find(key.expr, ir.Var))
    )


def _aggregates_of_items(value: ir.Expr) -> bool:
    """Whether something is aggregated for each item of a list, which no projection can do."""
    made: list[ir.Expr | None] = [part.where for part in find(value, ir.Quantifier)]
    made += [each for part in find(value, ir.ListComp) for each in (part.where, part.result)]
    made += [part.step for part in find(value, ir.Reduce)]
    return any(each is not None and has_aggregate(each) for each in made)


def _is_needed(first: ir.Project, second: ir.Project, taken: set[str]) -> bool:
    """Whether the columns of the second could not have been named in the first."""
    if first.group is not None and any(not isinstance(item.expr, ir.Var) for item in second.items):
        return True
    own = {item.alias for item in first.items if item.expr == ir.Var(item.alias)}
    return any(
        item.alias not in own and (not is_variable(item.alias) or item.alias in taken)
        for item in second.items
    ) or any(not isinstance(key.expr, ir.Var) for key in second.order)


def _order(
    second: ir.Project, items: tuple[ir.Item, ...], named: dict[ir.Expr, ir.Expr]
) -> tuple[ir.SortKey, ...] | None:
    """The sort keys in terms of the columns and of what stands before the first projection."""
    aliases = {item.alias for item in items}
    columns: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Var(item.alias) for item in reversed(items)
        if not isinstance(item.expr, ir.Literal)
    }  # fmt: skip
    hidden = {item.alias for item in items if item.expr != ir.Var(item.alias)}
    keys = []
    for key in second.order:
        expr = key.expr
        if not (isinstance(expr, ir.Var) and expr.name in aliases):
            meant = substitute(expr, named)
            expr = columns.get(meant, meant)
            if expr is meant and any(var.name in hidden for var in find(meant, ir.Var)):
                expr = substitute(meant, columns)
                left = substitute(meant, {c: ir.Literal(None) for c in columns})
                if any(var.name in hidden for var in find(left, ir.Var)):
                    return None
            if has_aggregate(expr):
                expr = substitute(expr, columns)
                if has_aggregate(expr):  # a sort key is no place for one
                    return None
        keys.append(replace(key, expr=expr))
    return tuple(keys)
