"""What a SELECT puts out, and the projection that ends it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import substitute
from translators.from_sql.statement.names import Names
from translators.from_sql.statement.terms import variables


def in_having(node: exp.Column) -> exp.Select | None:
    """The SELECT in whose HAVING a name stands, outside of aggregates and of queries there."""
    over = node.parent
    while over is not None and not isinstance(over, exp.Having | exp.Query | exp.AggFunc):
        over = over.parent
    select = over.parent if isinstance(over, exp.Having) else None
    return select if isinstance(select, exp.Select) else None


def is_named(node: exp.Expr, name: str) -> bool:
    """Whether an expression is a column of this name."""
    inner = node.unnest()
    return isinstance(inner, exp.Column) and inner.name.casefold() == name.casefold()


def outputs_named(select: exp.Select, name: str) -> list[exp.Expr]:
    """The different expressions to which a SELECT gives this name."""
    outputs = (
        each.this
        for each in select.expressions
        if isinstance(each, exp.Alias) and each.alias.casefold() == name.casefold()
    )
    return list(dict.fromkeys(outputs))


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
    """What a SELECT puts out, over its rows: everything still in terms of row variables.

    `extreme` is the one min() or max() of the SELECT where columns that are neither grouped nor
    aggregated are those of a row that has this value.
    """

    items: tuple[ir.Item, ...]
    distinct: bool = False
    order: tuple[Sort, ...] = ()
    skip: int = 0
    limit: int | None = None
    having: ir.Expr | None = None
    # None: no GROUP BY.
    keys: tuple[ir.Expr, ...] | None = None
    extreme: ir.Agg | None = None

    def exprs(self) -> list[ir.Expr]:
        """All that is computed: results, sort keys, the condition on groups."""
        exprs = [item.expr for item in self.items] + [sort.expr for sort in self.order]
        return exprs if self.having is None else [*exprs, self.having]

    def aggregated(self) -> bool:
        """Whether an aggregate stands anywhere."""
        return any(has_aggregate(expr) for expr in self.exprs())


def final(
    selection: Selection,
    items: tuple[ir.Item, ...],
    order: tuple[Sort, ...],
    names: Names,
) -> list[ir.Clause]:
    """The RETURN; sort keys that are output columns are said by their names.

    A sort key may read a variable that has the name of another output column; then both are
    bound under other names first.

    Raises:
        BareColumnError: distinct rows are sorted by what is not among them.
    """
    aliases = {item.expr: item.alias for item in reversed(items)}
    taken = {item.alias for item in items}

    def as_output(node: ir.Node) -> ir.Node | None:
        alias = aliases.get(node) if isinstance(node, ir.Expr) else None
        return ir.Var(alias) if alias is not None else None

    keys: list[Sort] = []
    for sort in order:
        if isinstance(sort.expr, ir.Literal):
            continue  # sorts nothing
        key = replace(sort, expr=substitute(sort.expr, as_output))
        left = variables(
            substitute(sort.expr, lambda n: ir.Literal(None) if as_output(n) else None)
        )
        if selection.distinct and left:
            raise BareColumnError(sort.expr)
        if left & taken:
            return _apart(selection, items, order, names)
        keys.append(key)
    return [_project(selection, items, keys)]


def _project(selection: Selection, items: tuple[ir.Item, ...], order: Iterable[Sort]) -> ir.Project:
    return ir.Project(
        items,
        distinct=selection.distinct,
        order=tuple(key for sort in order for key in sort.sort_keys()),
        skip=ir.Literal(selection.skip) if selection.skip else None,
        limit=None if selection.limit is None else ir.Literal(selection.limit),
        final=True,
    )


def _apart(
    selection: Selection, items: tuple[ir.Item, ...], order: tuple[Sort, ...], names: Names
) -> list[ir.Clause]:
    """Output columns and sort keys under new names, then the RETURN."""
    avoid = {item.alias for item in items}
    columns = [ir.Item(item.expr, names.column(item.alias, avoid)) for item in items]
    sorts = [ir.Item(sort.expr, names.column("key", avoid)) for sort in order]
    outputs = tuple(
        ir.Item(ir.Var(column.alias), item.alias)
        for column, item in zip(columns, items, strict=True)
    )
    keys = [replace(sort, expr=ir.Var(item.alias)) for sort, item in zip(order, sorts, strict=True)]
    return [ir.Project((*columns, *sorts)), _project(selection, outputs, keys)]
