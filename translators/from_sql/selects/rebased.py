"""A SELECT over a derived table of its own rows: how its expressions are said there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from translators.from_sql.expressions.output import output_name
from translators.from_sql.selects.frames import HERE, named, source
from translators.from_sql.selects.select import Select
from translators.from_sql.statement.names import distinct


class Rebased:
    """One SELECT, whose rows `select` has translated on the side.

    What `rebased` needs of the rows becomes a column of the derived table (`columns`).
    """

    def __init__(self, select: Select) -> None:
        self.select = select
        self.site = select.site
        self.node = select.node
        order = self.node.args.get("order")
        self.terms: list[exp.Expr] = list(order.expressions) if order is not None else []
        self.columns: dict[exp.Expr, str] = {}

    def special(self, node: exp.Expr) -> exp.Expr | None:
        """What is said otherwise than by its parts."""
        return None

    def outer(self, outputs: Sequence[exp.Expr], terms: Sequence[exp.Expr]) -> exp.Select:
        """SELECT outputs FROM the derived table, in order."""
        outer = exp.Select(expressions=list(outputs), from_=source(HERE))
        for name in ("distinct", "limit", "offset"):
            outer.set(name, self.node.args.get(name))
        if terms:
            outer.set("order", exp.Order(expressions=list(terms)))
        outer.parent = self.node.parent
        return outer

    def outputs(self) -> list[tuple[str, exp.Expr]]:
        """The output expressions with their names, `*` written out."""
        outputs: list[tuple[str, exp.Expr]] = []
        for expr in self.node.expressions:
            star = expr.this if isinstance(expr, exp.Column) else expr
            if isinstance(star, exp.Star):
                for name, column in self.select.star(expr):
                    outputs.append((name, exp.column(name, column.source.name, quoted=True)))
            else:
                outputs.append((output_name(self.site, expr), expr.unalias()))
        names = distinct(name for name, _ in outputs)
        return [(name, expr) for name, (_, expr) in zip(names, outputs, strict=True)]

    def term(self, term: exp.Expr) -> exp.Expr:
        """An ORDER BY term; numbers and names of output columns stay."""
        inner = term.this.unnest()
        alias = isinstance(inner, exp.Column) and not inner.table
        if self.ordinal(inner) or (alias and inner.name.casefold() in self.site.aliases):
            return term.copy()
        return self.rebased(term)

    def ordinal(self, node: exp.Expr) -> bool:
        """Whether a number stands for an output column."""
        return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()

    def rebased(self, node: exp.Expr) -> exp.Expr:
        """An expression over the derived table."""
        special = self.special(node)
        if special is not None:
            return special
        if isinstance(node, exp.Column):
            return self._name(node)
        return self.mapped(node)

    def mapped(self, node: exp.Expr) -> exp.Expr:
        """A node of the same kind over the derived table."""

        def changed(value: Any) -> Any:
            if isinstance(value, list):
                return [changed(item) for item in value]
            return self.rebased(value) if isinstance(value, exp.Expr) else value

        new = type(node)(**{key: changed(value) for key, value in node.args.items()})
        new.meta.update(node.meta)
        return new

    def _name(self, node: exp.Column) -> exp.Expr:
        output = self.site.output_meant(node)
        if output is not None:
            return self.rebased(output)
        holder = self.site.holder(node)
        if holder is not None:
            inner = any(holder[0] is one for one in self.site.scope.sources)
            return self.column(node) if inner else node.copy()
        alias = self.site.aliases.get(node.name.casefold())
        if alias is not None and not node.table and alias.find(exp.Window) is None:
            return self.rebased(alias)
        return node.copy()

    def column(self, node: exp.Expr) -> exp.Column:
        """The column of the derived table that holds an expression."""
        name = self.columns.get(node)
        if name is None:
            wish = output_name(self.site, node)
            taken = {given.casefold() for given in self.columns.values()}
            number, name = 1, wish
            while name.casefold() in taken:
                number += 1
                name = f"{wish}{number}"
            self.columns[node] = name
        return exp.column(name, HERE, quoted=True)

    def items(self) -> list[exp.Expr]:
        """The columns as outputs of the derived table."""
        items = [named(expr.copy(), name) for expr, name in self.columns.items()]
        return [*items] or [named(exp.Literal.number(1), "one")]
