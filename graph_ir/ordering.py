"""What ORDER BY means where a language has no place for it.

The order of a WITH, said again where the rows that keep it come out: clauses after `WITH … ORDER
BY` work on its rows one after the other, so that their results, or the first of them, are in its
order. A language whose derived tables have no order loses it.

And sort keys whose subqueries read columns, said over a projection that has made the columns: in
`RETURN head(collect(p)) AS x ORDER BY COUNT { (x)-->() }` the pattern meets the column. Such a key
cannot be said in the terms before the projection, as dialects and probes do with keys: no
expression stands in a pattern, and no aggregate in a subquery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import substitute, unused_names, visible_after
from graph_ir.variables import BINDING, SUBQUERIES, read_names
from graph_ir.walk import find, rewrite
from graph_ir.walk import substitute as change_below
from graphmill.errors import Refused

type Keys = tuple[ir.SortKey, ...]


def order_at_end(statement: ir.Statement) -> ir.Statement:
    """`statement` with the sort keys of a WITH in each projection after it that shows or cuts rows
    in its order; keys that no column shows are carried there. Groups have no order.

    Raises:
        Refused: what such rows are ordered by cannot be carried.
    """
    return _ordered(statement, unused_names(statement, "key"))


def _ordered[S: (ir.Statement, ir.Query)](statement: S, spare: Iterator[str]) -> S:
    if isinstance(statement, ir.Union):
        left, right = _ordered(statement.left, spare), _ordered(statement.right, spare)
        return replace(statement, left=left, right=right)
    keys: Keys = ()  # of the rows so far, over the variables in scope
    clauses: list[ir.Clause] = []
    for place, clause in enumerate(statement.clauses, 1):
        if isinstance(clause, ir.Project):
            ordered = bool(clause.order)
            after = statement.clauses[place:]
            if not ordered and (clause.final or not _keeps(clause) or _matters(after)):
                clause = _in_order(clause, keys)
            keys = ()
            if clause.order and not clause.final and _matters(after):
                clause, keys = _carried(clause, spare)
        clauses.append(clause)
    return replace(statement, clauses=tuple(clauses))


def _matters(after: Sequence[ir.Clause]) -> bool:
    """Whether rows come out, or are cut, in the order that they have before these clauses."""
    for clause in after:
        if isinstance(clause, ir.Project):
            if clause.order or clause.group is not None:
                return False
            if clause.final or clause.distinct or not _keeps(clause):
                return True
    return False


def _keeps(project: ir.Project) -> bool:
    return project.skip is None and project.limit is None


_COLUMN = "\0"  # begins the names of columns, beside the variables before a projection


def _over_columns(expr: ir.Expr, named: Mapping[ir.Expr, str]) -> ir.Expr | None:
    """An expression with the columns that hold its parts, or None where they do not hold all."""
    made = substitute(expr, {part: ir.Var(_COLUMN + name) for part, name in named.items()})
    read = {var.name for var in find(made, ir.Var)}
    if not all(name.startswith(_COLUMN) for name in read):
        return None
    types = {name: part.type for part, name in named.items()}
    columns = {name: name.removeprefix(_COLUMN) for name in read}
    return substitute(
        made, {ir.Var(old): ir.Var(new, type=types[new]) for old, new in columns.items()}
    )


def _reads(expr: ir.Expr) -> set[str]:
    return {var.name for var in find(expr, ir.Var)}


def _held(project: ir.Project) -> dict[ir.Expr, str]:
    """What the columns hold, over the variables before the projection."""
    items = (item for item in project.items if not isinstance(item.expr, ir.Literal))
    return {item.expr: item.alias for item in items}


def _hidden(project: ir.Project) -> set[str]:
    """Names of columns that are no variables of before: these cannot be read beside them."""
    return {item.alias for item in project.items if item.expr != ir.Var(item.alias)}


def _in_order(project: ir.Project, keys: Keys) -> ir.Project:
    """A projection with the order that its rows had before it."""
    if not keys or project.group is not None:
        return project
    held, hidden = _held(project), _hidden(project)
    order = []
    for key in keys:
        column = _over_columns(key.expr, held)
        if column is not None:
            key = replace(key, expr=column)
        elif project.distinct or hidden & _reads(key.expr):
            raise Refused(
                "open-order", "ORDER BY", "No column has what the rows are ordered by.", key.span
            )
        order.append(key)
    return replace(project, order=tuple(order))


def _carried(project: ir.Project, spare: Iterator[str]) -> tuple[ir.Project, Keys]:
    """A WITH that leaves what it is ordered by in columns, and the keys over those."""
    hidden = _hidden(project)
    # sort keys see columns first
    held = {expr: name for expr, name in _held(project).items() if not hidden & _reads(expr)}
    meant: dict[ir.Expr, ir.Expr] = {}
    for item in project.items:
        column = ir.Var(item.alias, type=item.expr.type)
        held[column], meant[column] = item.alias, item.expr
    items, keys = list(project.items), []
    for key in project.order:
        kept = _over_columns(key.expr, held)
        if kept is None:
            kept = ir.Var(next(spare), type=key.expr.type)
            items.append(ir.Item(substitute(key.expr, meant), kept.name))
        keys.append(replace(key, expr=kept))
    return replace(project, items=tuple(items)), tuple(keys)


# --- sort keys that read columns ---------------------------------------------------------


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

        order = tuple(change_below(key, shown) for key in order)
    else:
        late = (*order, project.where) if project.where is not None else order
        hidden = read_names(*late) & visible_after(before) - {item.alias for item in items}
        items += tuple(ir.Item(ir.Var(name), name) for name in sorted(hidden))
    kept = tuple(replace(item, named=True) for item in items)
    first = replace(project, items=kept, order=(), skip=None, limit=None, where=None, final=False)
    second = replace(project, items=columns, order=order, group=None, distinct=False)
    return first, second
