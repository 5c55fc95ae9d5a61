"""Aggregation in stages: keys and aggregates first, then what is computed from them.

A column that is neither key nor aggregated is allowed where the keys settle it; then it is one
more key, which changes no group. Beside a single min() or max(), SQLite takes it from a row that
has that value (https://www.sqlite.org/lang_select.html#bareagg): the rows of the group are
collected, and one of them is chosen. Elsewhere SQLite picks any row, and the answer is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, substitute
from translators.from_sql.joins.functional_dependencies import Facts
from translators.from_sql.statement.names import Names, camel, distinct
from translators.from_sql.statement.selection import BareColumnError, Selection, final
from translators.from_sql.statement.terms import bound_by, variables


class Stages:
    """WITH keys and aggregates, then RETURN what is computed from them."""

    def __init__(self, selection: Selection, facts: Facts, names: Names) -> None:
        self.selection = selection
        self.names = names
        self.facts = facts
        keys = selection.keys or ()
        self.settled = facts.settled(keys)
        self.items: dict[ir.Expr, str] = {}
        self.wishes = {item.expr: item.alias for item in reversed(selection.items)}
        # Rows that are grouped whole, and the keys that they stand for.
        self.rows: set[str] = set()
        self.instead: dict[ir.Expr, ir.Expr] = {}
        # Columns of the row that has the extreme value, and the variable that stands for it.
        self.picked: dict[ir.Expr, str] = {}
        self.row = ""

    def clauses(self, late: Sequence[ir.Clause]) -> list[ir.Clause]:
        """All clauses of the aggregation."""
        selection = self.selection
        keys = selection.keys or ()
        # A constant key changes no group, but without any key there is a group of no rows.
        varying = [key for key in keys if not isinstance(key, ir.Literal)]
        self._choose_rows(varying)
        for key in varying or keys[:1]:
            if key not in self.instead:
                self._bind(key)
        self.outside = {name for clause in late for name in bound_by(clause)}
        items = tuple(replace(item, expr=self.rebased(item.expr)) for item in selection.items)
        order = tuple(replace(sort, expr=self.rebased(sort.expr)) for sort in selection.order)
        having = self.rebased(selection.having) if selection.having is not None else None
        rows = self._rows() if self.picked else None
        if rows is not None and late:
            raise BareColumnError(next(iter(self.picked)))
        result = self._stages(late, rows, having)
        return [*result, *final(selection, items, order, self.names)]

    def _stages(
        self, late: Sequence[ir.Clause], rows: ir.Var | None, having: ir.Expr | None
    ) -> list[ir.Clause]:
        """The projection of the groups and what stands between it and the last one."""
        selection = self.selection
        bound = tuple(ir.Item(expr, alias) for expr, alias in self.items.items())
        plain = tuple(item.expr for item in bound if not has_aggregate(item.expr))
        aggregated = selection.aggregated() or selection.keys is None
        first = ir.Project(
            bound,
            distinct=not aggregated,
            group=plain if aggregated else None,
            where=None if late or rows else having,
        )
        clauses: list[ir.Clause] = [first, *late]
        if rows is not None:
            passed = tuple(
                ir.Item(ir.Var(item.alias), item.alias) for item in bound if item.alias != rows.name
            )
            clauses.append(ir.Project((*passed, self._choice(rows)), where=having))
        if late and having is not None:
            carried = [
                *(item.alias for item in bound),
                *(n for clause in late for n in bound_by(clause)),
            ]
            through = tuple(ir.Item(ir.Var(name), name) for name in carried)
            clauses.append(ir.Project(through, where=having))
        return clauses

    def _choose_rows(self, keys: Sequence[ir.Expr]) -> None:
        """Group by a row instead of by its key where other columns of it are needed, too."""
        outside = [
            substitute(e, lambda n: ir.Literal(None) if isinstance(n, ir.Agg) else None)
            for e in self.selection.exprs()
        ]
        needed = {prop for expr in outside for prop in find(expr, ir.Prop)} - set(keys)
        for key in keys:
            whole = self.facts.row_of(key)
            if whole is None or not any(prop.base == whole.base for prop in needed):
                continue
            assert isinstance(whole.base, ir.Var)  # noqa: S101 - a property of a row
            self.rows.add(whole.base.name)
            self.instead[key] = whole
            self._bind(whole.base)

    def _bind(self, expr: ir.Expr) -> ir.Var:
        alias = self.items.get(expr)
        if alias is None:
            own = expr.name if isinstance(expr, ir.Var) else None
            alias = own or self.names.column(self._wish(expr), self._others(expr))
            self.items[expr] = alias
        return ir.Var(alias)

    def _others(self, expr: ir.Expr) -> set[str]:
        """Output columns that are something else than `expr`."""
        return {item.alias for item in self.selection.items if item.expr != expr}

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

    def rebased(self, expr: ir.Expr) -> ir.Expr:
        """`expr` in terms of what the first projection binds."""

        def change(node: ir.Node) -> ir.Node | None:
            if isinstance(node, ir.Expr) and node in self.instead:
                return self.instead[node]
            if isinstance(node, ir.Expr) and node in self.items and not has_aggregate(node):
                return ir.Var(self.items[node])
            if isinstance(node, ir.Prop) and node.base in self.items:
                return node
            if isinstance(node, ir.Agg):
                return self._bind(node)
            if isinstance(node, ir.Reduce):  # its step reads nothing but its own variables
                return replace(node, list=self.rebased(node.list))
            if (
                isinstance(node, ir.Prop)
                and not isinstance(node.base, ir.Var)
                and self.selection.extreme is None
                and not self.settled.has(node)
            ):
                return None  # a part of a value that may be settled, or made of an aggregate
            if isinstance(node, ir.Prop | ir.Var):
                return self._bare(node)
            if isinstance(node, ir.CollectOf) and (gathered := gathering(node)) is not None:
                return self._gathered(node, gathered)
            if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
                return self._subquery(node)
            return None

        return substitute(expr, change)

    def _bare(self, node: ir.Prop | ir.Var) -> ir.Expr:
        if isinstance(node, ir.Var) and node.name in self.outside:
            return node
        if self.settled.has(node):
            return self._bind(node)
        if self.selection.extreme is None:
            raise BareColumnError(node)
        self.row = self.row or self.names.column("best")
        wish = node.key if isinstance(node, ir.Prop) else node.name
        if node not in self.picked:
            self.picked[node] = distinct([*self.picked.values(), wish])[-1]
        return ir.Prop(ir.Var(self.row), self.picked[node])

    def _rows(self) -> ir.Var:
        """The rows of the group, collected: what is picked of them, and the extreme value."""
        assert self.selection.extreme is not None  # noqa: S101 - columns are picked only with it
        self._bind(self.selection.extreme)
        (value,) = self.selection.extreme.args
        entries = [ir.Entry(key, expr) for expr, key in self.picked.items()]
        entries.append(ir.Entry(self._value(), value))
        rows = ir.Agg("collect", (ir.MapOf(tuple(entries)),))
        self.wishes.setdefault(rows, "rows")
        return self._bind(rows)

    def _choice(self, rows: ir.Var) -> ir.Item:
        """A row that has the extreme value; any row where all values are null."""
        assert self.selection.extreme is not None  # noqa: S101 - as above
        best = self._bind(self.selection.extreme)
        one = self.names.column("one")
        has = ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(one), self._value()), best)
        fits = ir.ListComp(one, rows, ir.Bool(ir.BoolOp.OR, (has, ir.IsNull(best))))
        return ir.Item(ir.Index(fits, ir.Literal(0)), self.row)

    def _value(self) -> str:
        return distinct([*self.picked.values(), "value"])[-1]

    def _gathered(self, node: ir.CollectOf, first: ir.Unwind) -> ir.Expr:
        """A list of the group's rows that is put in order."""
        assert isinstance(node.query, ir.Query)  # noqa: S101 - it begins with a clause
        unwound = replace(first, expr=self.rebased(first.expr))
        return ir.CollectOf(ir.Query((unwound, *node.query.clauses[1:])))

    def _subquery(self, node: ir.Expr) -> ir.Expr:
        """A subquery over rows: the row variables it reads become keys, where that is allowed."""
        for var in sorted(variables(node) & (set(self.facts.nodes) | set(self.facts.edges))):
            if not self.settled.has(ir.Var(var)):
                raise BareColumnError(ir.Var(var))
            self._bind(ir.Var(var))
        return node


def gathering(node: ir.CollectOf) -> ir.Unwind | None:
    """The first clause of a subquery over what an aggregate has collected."""
    first = node.query.clauses[0] if isinstance(node.query, ir.Query) else None
    of_group = isinstance(first, ir.Unwind) and has_aggregate(first.expr)
    return first if of_group and isinstance(first, ir.Unwind) else None
