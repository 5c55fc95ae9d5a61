"""Window functions, said with subqueries over the same rows.

`rank() OVER (PARTITION BY p ORDER BY k)` is one more than the number of rows of the partition
that come before. So a SELECT with windows becomes one over its own rows (a derived table), in
which each window function is a correlated subquery over those rows. What depends on the order
of peers is refused, unless partition and order settle the row.
https://www.sqlite.org/windowfunctions.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from graph_ir import nodes as ir
from translators.from_sql.selects.frames import ROWS, Frame, Key, named
from translators.from_sql.selects.rebased import Rebased
from translators.from_sql.selects.select import Select
from translators.from_sql.statement.context import Cte
from translators.from_sql.statement.from_items import row_variables
from translators.from_sql.statement.selection import in_having, is_named, outputs_named
from translators.from_sql.statement.terms import OF_ROWS
from translators.from_sql.statement.unary_plus import UnaryPlus


def has_windows(node: exp.Select) -> bool:
    """Whether the SELECT itself has a window function."""
    return any(
        window.find_ancestor(exp.Select) is node
        for part in (*node.expressions, *_terms(node))
        for window in part.find_all(exp.Window)
    )


def without_named(node: exp.Select) -> exp.Select:
    """The SELECT with its named windows written out where they are used."""
    named = {w.name.casefold(): w for w in node.args.get("windows") or []}
    if not named:
        return node
    copy = node.copy()
    copy.parent = node.parent
    copy.set("windows", None)
    for window in [
        w for part in (*copy.expressions, *_terms(copy)) for w in part.find_all(exp.Window)
    ]:
        base: Any = window
        while base is not None and (name := base.args.get("alias")) is not None:
            base = named.get(name.name.casefold())
            for part in ("partition_by", "order", "spec"):
                if base is not None and not window.args.get(part):
                    window.set(part, base.args.get(part))
        if base is not None:
            window.set("alias", None)
    return copy


class Windows(Rebased):
    """Rewrites one SELECT with window functions."""

    def __init__(self, select: Select) -> None:
        super().__init__(select)
        group = self.node.args.get("group")
        self.keys: list[exp.Expr] = [self._key(e) for e in group.expressions] if group else []
        self.grouped = group is not None or any(
            _own_aggregate(self.node, aggregate)
            for part in (*self.node.expressions, *self.terms)
            for aggregate in part.find_all(exp.AggFunc)
        )

    def _key(self, node: exp.Expr) -> exp.Expr:
        """A grouping key; a number or the name of an output column stands for that."""
        if self.ordinal(node) and 1 <= int(node.name) <= len(self.node.expressions):
            output: exp.Expr = self.node.expressions[int(node.name) - 1]
            return output.unalias()
        unknown = isinstance(node, exp.Column) and not node.table and self.site.holder(node) is None
        if isinstance(node, exp.Column) and (unknown or self.site.hidden(node)):
            return self.site.aliases.get(node.name.casefold(), node)
        return node

    def rewritten(self, ctes: dict[str, Cte]) -> tuple[exp.Select, dict[str, Cte]]:
        """The SELECT without window functions, and the CTEs that it sees."""
        outputs = [named(self.rebased(expr), name) for name, expr in self.outputs()]
        outer = self.outer(outputs, [self.term(term) for term in self.terms])
        rows = self.node.copy()
        self._write_out(rows)
        for name in ("distinct", "limit", "offset", "order", "with_"):
            rows.set(name, None)
        if self.keys:
            rows.set("group", exp.Group(expressions=[key.copy() for key in self.keys]))
        rows.set("expressions", self.items())
        cte = exp.CTE(this=rows, alias=exp.TableAlias(this=exp.to_identifier(ROWS, quoted=True)))
        return outer, {**ctes, ROWS: Cte(cte, ctes)}

    def _write_out(self, rows: exp.Select) -> None:
        """Put expressions in the place of output columns in HAVING, which the rows do not have."""
        having = rows.args.get("having")
        for node in list(having.find_all(exp.Column)) if having is not None else []:
            if in_having(node) is not rows:
                continue
            output = self.site.output_meant(node)
            if output is None and not node.table and self.site.holder(node) is None:
                output = self.site.aliases.get(node.name.casefold())
            made = exp.Paren(this=output.copy()) if output is not None else node.copy()
            for column in made.find_all(exp.Column):
                column.meta[OF_ROWS] = True
            node.replace(made)

    def special(self, node: exp.Expr) -> exp.Expr | None:
        if isinstance(node, exp.Window):
            return self._window(node)
        if node in self.keys and not isinstance(node, exp.Literal):
            return self.column(node)
        aggregate = isinstance(node, exp.AggFunc | exp.Filter) and self.grouped
        query = isinstance(node, exp.Query | exp.Exists | exp.In) and node.find(exp.Select)
        if aggregate or (query and not node.find(exp.Window)):
            return self.column(node)
        return None

    def _window(self, node: exp.Window) -> exp.Expr:
        if node.args.get("alias") is not None:
            raise self.site.error("unknown-window", node, "There is no window of this name.")
        order = node.args.get("order")
        terms = list(order.expressions) if order is not None else []
        partition = list(node.args.get("partition_by") or [])
        for term in terms if self.site.house.rules.name == "mysql" else ():
            self._check_name(term.this.unnest())
        frame = Frame(
            partition=[Key(self.rebased(key), self._nullable(key)) for key in partition],
            order=[
                Key(
                    self.rebased(term.this),
                    self._nullable(term.this),
                    bool(term.args.get("desc")),
                    bool(term.args.get("nulls_first")),
                )
                for term in terms
            ],
            spec=node.args.get("spec"),
            total=self._settled([*partition, *(term.this for term in terms)]),
            refuse=lambda code, sentence: self.site.refused(code, node, sentence),
        )
        computed = frame.computed(self.mapped(node.this))
        if self.site.house.rules.affinity:  # the column that it picks has one, a function none
            computed = UnaryPlus(this=computed)
        return exp.Paren(this=computed)

    def _check_name(self, term: exp.Expr) -> None:
        """See that a name that a window is ordered by is not both a column's and another output
        column's: MariaDB takes this, and a column in an expression and in PARTITION BY.

        Raises:
            Refused
        """
        if isinstance(term, exp.Column) and not term.table and self.site.holder(term) is not None:
            outputs = outputs_named(self.node, term.name)
            if any(not is_named(output, term.name) for output in outputs):
                sentence = "is a column and an output column, by one of which a window is ordered"
                raise self.site.refused("open-name", term, sentence)

    def _nullable(self, node: exp.Expr) -> bool:
        self.site.aggregates = True
        operand = self.site.value(node).nullable
        self.site.aggregates = False
        return operand

    def _settled(self, keys: Sequence[exp.Expr]) -> bool:
        """Whether partition and order settle the row, so that no two are peers."""
        outer = [ir.Var(name) for name in row_variables(self.select.outer)]
        self.site.aggregates = True
        values = [self.site.value(key).expr for key in keys]
        groups = [self.site.value(key).expr for key in self.keys]
        self.site.aggregates = False
        settled = self.select.facts.settled([*outer, *values])
        if self.grouped:
            return all(key in values or settled.has(key) for key in groups)
        rows = row_variables(self.site.scope.sources)
        return all(settled.has(ir.Var(name)) for name in rows)


def _terms(node: exp.Select) -> list[exp.Expr]:
    order = node.args.get("order")
    return list(order.expressions) if order is not None else []


def _own_aggregate(select: exp.Select, node: exp.Expr) -> bool:
    """Whether an aggregate is one of the SELECT, not the function of a window."""
    parent = node.parent
    if isinstance(parent, exp.Filter):
        parent = parent.parent
    return not isinstance(parent, exp.Window) and node.find_ancestor(exp.Select) is select
