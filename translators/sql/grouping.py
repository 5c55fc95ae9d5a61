"""Aggregation: keys and aggregates in one projection, what is computed from them in the next.

A column that is neither key nor aggregated is allowed where the keys settle it; then it is one
more key, which changes no group. Elsewhere SQLite picks a row, and the answer is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from translators.sql.dependence import Facts
from translators.sql.names import Names, camel
from translators.sql.terms import bound_by, variables


class BareColumnError(Exception):
    """An expression reads a column that the grouping does not settle."""

    def __init__(self, expr: ir.Expr) -> None:
        super().__init__(str(expr))
        self.expr = expr


@dataclass(frozen=True, slots=True)
class Sort:
    """One ORDER BY term: `nulls_first` None where the value is never null."""

    expr: ir.Expr
    descending: bool
    nulls_first: bool | None

    def sort_keys(self) -> tuple[ir.SortKey, ...]:
        """The sort keys; one more where nulls do not stand where Cypher puts them."""
        plain = ir.SortKey(self.expr, self.descending)
        if self.nulls_first is None or self.nulls_first is self.descending:
            return (plain,)
        return ir.SortKey(ir.IsNull(self.expr, negated=self.nulls_first)), plain


@dataclass(frozen=True, slots=True)
class Selection:
    """What a SELECT puts out, over its rows: everything still in terms of row variables."""

    items: tuple[ir.Item, ...]
    distinct: bool = False
    order: tuple[Sort, ...] = ()
    skip: int = 0
    limit: int | None = None
    having: ir.Expr | None = None
    # None: no GROUP BY.
    keys: tuple[ir.Expr, ...] | None = None

    def aggregated(self) -> bool:
        """Whether an aggregate stands anywhere."""
        exprs = [item.expr for item in self.items] + [sort.expr for sort in self.order]
        return any(has_aggregate(e) for e in (*exprs, *([self.having] if self.having else [])))


def projections(
    selection: Selection, facts: Facts, names: Names, late: Sequence[ir.Clause] = ()
) -> list[ir.Clause]:
    """The clauses that end a SELECT, the last one final.

    `late` are clauses that must run after the aggregation.

    Raises:
        BareColumnError
    """
    if selection.keys is None and not selection.aggregated():
        return _ungrouped(selection, facts, names)
    if selection.keys is None:
        selection = replace(selection, order=())  # one row needs no order
    simple = _one_projection(selection, facts) if not late else None
    if simple is not None:
        return [simple]
    return _Stages(selection, facts, names).clauses(late)


def _ungrouped(selection: Selection, facts: Facts, names: Names) -> list[ir.Clause]:
    """Rows as they are; distinct ones may be sorted by what each of them settles."""
    items = selection.items
    exprs = [item.expr for item in items]
    hidden = [
        sort.expr
        for sort in selection.order
        if sort.expr not in exprs and not isinstance(sort.expr, ir.Literal)
    ]
    if not selection.distinct or not hidden:
        return [_final(selection, items, selection.order)]
    settled = facts.settled(exprs)
    for expr in hidden:
        if not settled.has(expr):
            raise BareColumnError(expr)
    keys = replace(selection, keys=tuple(exprs))
    return _Stages(keys, facts, names).clauses(())


def _final(selection: Selection, items: tuple[ir.Item, ...], order: tuple[Sort, ...]) -> ir.Project:
    """The RETURN; sort keys that are output columns are said by their names."""
    aliases = {item.expr: ir.Var(item.alias) for item in reversed(items)}
    keys: list[ir.SortKey] = []
    for sort in order:
        if isinstance(sort.expr, ir.Literal):
            continue  # sorts nothing
        said = substitute(sort.expr, lambda node: aliases.get(node))  # type: ignore[call-overload]
        if selection.distinct and sort.expr not in aliases:
            raise BareColumnError(sort.expr)
        keys += replace(sort, expr=said).sort_keys()
    return ir.Project(
        items,
        distinct=selection.distinct,
        order=tuple(keys),
        skip=ir.Literal(selection.skip) if selection.skip else None,
        limit=None if selection.limit is None else ir.Literal(selection.limit),
        final=True,
    )


def _one_projection(selection: Selection, facts: Facts) -> ir.Project | None:
    """RETURN keys and aggregates at once, where nothing else is asked for."""
    if selection.having is not None:
        return None
    exprs = [item.expr for item in selection.items]
    plain = [expr for expr in exprs if not has_aggregate(expr)]
    keys = selection.keys or ()
    settled = facts.settled(plain)
    kept = [key for key in keys if not isinstance(key, ir.Literal)]
    if keys and all(isinstance(expr, ir.Literal) for expr in plain):
        return None  # without a key, no rows would be a group
    if any(key not in plain and not settled.has(key) for key in kept):
        return None
    by_keys = facts.settled(kept)
    for expr in plain:
        if expr not in kept and not by_keys.has(expr):
            return None
    for expr in exprs:
        if has_aggregate(expr) and not _self_contained(expr):
            return None
    for sort in selection.order:
        if sort.expr not in exprs and not isinstance(sort.expr, ir.Literal):
            return None
    if not selection.aggregated():
        if selection.keys is not None:
            distinct = replace(selection, distinct=True)
            return _final(distinct, selection.items, selection.order)
        return None
    final = _final(selection, selection.items, selection.order)
    return replace(final, group=tuple(plain))


def _self_contained(expr: ir.Expr) -> bool:
    """Whether all that an expression reads stands inside its aggregates."""
    rest = substitute(expr, lambda node: ir.Literal(None) if isinstance(node, ir.Agg) else None)
    return not variables(rest)


class _Stages:
    """WITH keys and aggregates, then RETURN what is computed from them."""

    def __init__(self, selection: Selection, facts: Facts, names: Names) -> None:
        self.selection = selection
        self.names = names
        self.facts = facts
        keys = selection.keys or ()
        self.settled = facts.settled(keys)
        self.items: dict[ir.Expr, str] = {}
        self.wishes = {item.expr: item.alias for item in reversed(selection.items)}

    def clauses(self, late: Sequence[ir.Clause]) -> list[ir.Clause]:
        """All clauses of the aggregation."""
        selection = self.selection
        keys = selection.keys or ()
        # A constant key changes no group, but without any key there is a group of no rows.
        varying = [key for key in keys if not isinstance(key, ir.Literal)]
        for key in varying or keys[:1]:
            self._bind(key)
        self.outside = {name for clause in late for name in bound_by(clause)}
        items = tuple(replace(item, expr=self.said(item.expr)) for item in selection.items)
        order = tuple(replace(sort, expr=self.said(sort.expr)) for sort in selection.order)
        having = self.said(selection.having) if selection.having is not None else None
        bound = tuple(ir.Item(expr, alias) for expr, alias in self.items.items())
        plain = tuple(item.expr for item in bound if not has_aggregate(item.expr))
        aggregated = selection.aggregated() or selection.keys is None
        first = ir.Project(
            bound,
            distinct=not aggregated,
            group=plain if aggregated else None,
            where=None if late else having,
        )
        result: list[ir.Clause] = [first, *late]
        if late and having is not None:
            carried = [
                *(item.alias for item in bound),
                *(n for clause in late for n in bound_by(clause)),
            ]
            through = tuple(ir.Item(ir.Var(name), name) for name in carried)
            result.append(ir.Project(through, where=having))
        result.append(_final(selection, items, order))
        return result

    def _bind(self, expr: ir.Expr) -> ir.Var:
        alias = self.items.get(expr)
        if alias is None:
            own = expr.name if isinstance(expr, ir.Var) else None
            alias = own or self.names.column(self._wish(expr))
            self.items[expr] = alias
        return ir.Var(alias)

    def _wish(self, expr: ir.Expr) -> str:
        wish = self.wishes.get(expr)
        if wish is not None:
            return wish
        if isinstance(expr, ir.Prop):
            return expr.key
        if isinstance(expr, ir.Agg):
            of = next((p.key for arg in expr.args for p in find(arg, ir.Prop)), "")
            return f"{expr.name}{of[:1].upper()}{of[1:]}" if of else expr.name
        return camel("key")

    def said(self, expr: ir.Expr) -> ir.Expr:
        """`expr` in terms of what the first projection binds."""

        def change(node: ir.Node) -> ir.Node | None:
            if isinstance(node, ir.Expr) and node in self.items and not has_aggregate(node):
                return ir.Var(self.items[node])
            if isinstance(node, ir.Agg):
                return self._bind(node)
            if isinstance(node, ir.Prop | ir.Var):
                return self._bare(node)
            if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
                return self._subquery(node)
            return None

        return substitute(expr, change)

    def _bare(self, node: ir.Prop | ir.Var) -> ir.Expr:
        if isinstance(node, ir.Var) and node.name in self.outside:
            return node
        if self.settled.has(node):
            return self._bind(node)
        raise BareColumnError(node)

    def _subquery(self, node: ir.Expr) -> ir.Expr:
        """A subquery over rows: the row variables it reads become keys, where that is allowed."""
        for var in sorted(variables(node) & (set(self.facts.nodes) | set(self.facts.edges))):
            if not self.settled.has(ir.Var(var)):
                raise BareColumnError(ir.Var(var))
            self._bind(ir.Var(var))
        return node
