"""One SELECT: the rows of its FROM and WHERE, and the closing projection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction
from graph_ir.walk import find, substitute
from translators.from_sql.expressions.conditions import Column
from translators.from_sql.expressions.decimals import fraction
from translators.from_sql.expressions.floats import as_key, if_decimal
from translators.from_sql.expressions.output import output_name, sorts, window
from translators.from_sql.joins.functional_dependencies import Settled
from translators.from_sql.joins.rows import Rows
from translators.from_sql.selects.grouping import projections
from translators.from_sql.statement.context import Translated
from translators.from_sql.statement.from_items import row_variables
from translators.from_sql.statement.names import distinct
from translators.from_sql.statement.selection import BareColumnError, Selection, Sort
from translators.from_sql.statement.terms import bound_by, variables, with_names
from translators.from_sql.statement.values import Value


class Select(Rows):
    """The translation of one SELECT: first `rows`, then `output`."""

    def output(self, columns: Sequence[str] | None = None) -> Translated:
        """The whole query; `columns` are names for the result columns, if not SQL's own."""
        site = self.site
        early, site.before = site.before, []
        exprs = self._expanded()
        if columns is not None and len(columns) != len(exprs):
            wanted = f"{len(exprs)} columns where {len(columns)} can stand."
            raise site.error("column-count", self.node, wanted)
        values = self._values([expr for _, expr in exprs])
        if self.node.args.get("distinct") is not None:
            for value in values:
                site.grouped(self.node, value)
        aliases = tuple(columns or distinct(name for name, _ in exprs))
        items = tuple(
            ir.Item(value.expr, alias) for value, alias in zip(values, aliases, strict=True)
        )
        apart = columns is not None or self.node.find_ancestor(exp.SetOperation) is not None
        if apart:  # what is read on compares without more ado
            values = [if_decimal(site, value) for value in values]
            items = tuple(
                replace(item, expr=value.expr) for item, value in zip(items, values, strict=True)
            )
        selection = self._selection(items, values, exprs)
        self.clauses += site.after
        if site.collected:
            self._sort_rows(selection)
        late: list[ir.Clause] = []
        grouped = selection.keys is not None or selection.aggregated()
        if grouped and not self._inside_aggregates(selection, site.before):
            late = site.before
        elif any(isinstance(clause, ir.Project) for clause in self.clauses):
            self.clauses += site.before  # a WITH in between would lose their columns
        else:
            early += site.before
        selection = self._having_of_rows(selection)
        try:
            ending = projections(selection, self.facts, site.names, late)
        except BareColumnError as problem:
            filtered = self._keys_first(selection)
            if filtered is None:
                raise self._bare(problem) from problem
            try:
                ending = projections(filtered, self.facts, site.names, late)
            except BareColumnError as again:
                raise self._bare(again) from again
        clauses = with_names((*early, *self.clauses, *ending), self.joiner.renamed)
        known = tuple((name, value) for (name, _), value in zip(exprs, values, strict=True))
        single = self._single(selection)
        return Translated(ir.Query(clauses), known, single, self._unique(selection, single))

    def _keys_first(self, selection: Selection) -> Selection | None:
        """What HAVING asks of keys alone asked of the rows, before they are grouped; None where
        there is no such condition."""
        having, group = self.node.args.get("having"), self.node.args.get("group")
        if having is None or group is None or not self.clauses:
            return None
        if having.find(exp.Query, exp.Window):
            return None
        columns = having.find_all(exp.Column)
        if any(self.site.output_meant(name) and self.site.holder(name) for name in columns):
            return None  # whose columns of the same names the keys may read
        stored = {n.casefold() for source in self.site.scope.sources for n in source.names()}
        names: dict[str, exp.Expr] = {
            e.alias.casefold(): e
            for e in self.node.selects
            if isinstance(e, exp.Alias) and e.alias.casefold() not in stored
        }
        names |= {str(place): e for place, e in enumerate(self.node.selects, 1)}
        keys = list(group.expressions)
        for key in group.expressions:
            output = names.get(key.name.casefold())
            if isinstance(output, exp.Alias) and output.alias.casefold() not in stored:
                keys += [output.this, exp.column(output.alias)]
        parts = list(having.this.flatten()) if isinstance(having.this, exp.And) else [having.this]
        early = [part for part in parts if _reads_only(part, keys)]
        if not early:
            return None
        late = [part for part in parts if part not in early]
        self.site.aggregates = True
        rest = None
        if late:
            behind = exp.Having(this=exp.and_(*late))
            behind.parent = self.node
            rest = self.site.true(behind.this)
        self.site.aggregates = False
        self._keep(self.site.true(exp.and_(*early)))
        return replace(selection, having=rest)

    def _having_of_rows(self, selection: Selection) -> Selection:
        """HAVING of rows that are neither grouped nor aggregated: in MySQL a condition of each.

        Raises:
            Refused: elsewhere it is one of all rows as a group.
        """
        if selection.having is None or selection.keys is not None or selection.aggregated():
            return selection
        having = self.node.args["having"]
        rows = self.site.house.rules.name == "mysql" and bool(self.clauses)
        if not rows or having.find(exp.Query) or self.node.find(exp.Window):
            sentence = "is asked of rows that are neither grouped nor aggregated: write WHERE"
            raise self.site.refused("having", having, sentence)
        self._keep(selection.having)
        return replace(selection, having=None)

    def _keep(self, condition: ir.Expr) -> None:
        """Go on with the rows alone of which a condition holds."""
        *before, last = self.clauses
        if isinstance(last, ir.Match) and not last.optional:
            where = conjunction(*([last.where] if last.where else []), condition)
            self.clauses = [*before, replace(last, where=where)]
        else:
            items = tuple(ir.Item(ir.Var(name), name) for name in self._names())
            self.clauses.append(ir.Project(items, where=condition))

    def _names(self) -> list[str]:
        """All that the clauses up to here have bound."""
        names = [*row_variables(self.outer), *self.bound]
        names += [name for clause in self.clauses for name in bound_by(clause)]
        return list(dict.fromkeys(names))

    def _sort_rows(self, selection: Selection) -> None:
        """Put the rows in the order in which texts of them are joined.

        Raises:
            Refused: texts are joined in an order that leaves peers.
        """
        first = self.site.collected[0]
        for other in self.site.collected:
            keys = [key.expr for key in other.order]
            settled = self.facts.settled([*(selection.keys or ()), *keys])
            sure = _made_of(other.text, keys, settled)
            if not sure or (other.distinct and not _by_text(other.text, keys)):
                raise self.site.refused(
                    "open-order", other.node, "joins texts of rows among which peers have no order"
                )
        if self.site.before:
            raise self.site.refused("open-order", first.node, "joins texts beside a subquery")
        items = tuple(ir.Item(ir.Var(name), name) for name in self._names())
        order = tuple(key for sort in first.order for key in sort.sort_keys())
        self.clauses.append(ir.Project(items, order=order))

    def _single(self, selection: Selection) -> bool:
        """Whether there is at most one row."""
        if selection.limit is not None and selection.limit <= 1:
            return True
        settled = self.facts.settled([ir.Var(name) for name in row_variables(self.outer)])
        if selection.keys is not None or selection.aggregated():
            return all(settled.has(key) for key in selection.keys or ())
        if selection.distinct and all(settled.has(item.expr) for item in selection.items):
            return True
        rows = row_variables(self.site.scope.sources)
        return all(settled.has(ir.Var(name)) for name in rows)

    def _unique(self, selection: Selection, single: bool) -> tuple[int, ...] | None:
        """The places of columns that tell each row from all others."""
        exprs = [item.expr for item in selection.items]
        if single:
            return ()
        if selection.keys is not None:
            keys = [key for key in selection.keys if not isinstance(key, ir.Literal)]
            if all(key in exprs for key in keys):
                return tuple(dict.fromkeys(exprs.index(key) for key in keys))
            return None
        if selection.aggregated():
            return ()
        rows = [ir.Var(name) for name in row_variables(self.site.scope.sources)]
        everything = tuple(range(len(exprs)))
        outer = [ir.Var(name) for name in row_variables(self.outer)]
        for places in (*((place,) for place in everything), everything):
            settled = self.facts.settled([*outer, *(exprs[place] for place in places)])
            if all(settled.has(row) for row in rows):
                return places
        return everything if selection.distinct else None

    def _bare(self, problem: BareColumnError) -> Exception:
        expr = problem.expr
        name = expr.key if isinstance(expr, ir.Prop) else getattr(expr, "name", "a value")
        if self.node.args.get("distinct") and self.node.args.get("group") is None:
            return self.site.refused(
                "distinct-order",
                self.node.args.get("order") or self.node,
                "sorts distinct rows by what is not among them",
            )
        return self.site.refused(
            "bare-column",
            self.node,
            f"reads '{name}', which is neither grouped nor aggregated: SQL leaves its row open",
        )

    def _inside_aggregates(self, selection: Selection, clauses: Sequence[ir.Clause]) -> bool:
        bound = {name for clause in clauses for name in bound_by(clause)}
        aggregates = (agg for expr in selection.exprs() for agg in find(expr, ir.Agg))
        return any(variables(agg) & bound for agg in aggregates)

    def _values(self, exprs: Sequence[exp.Expr | Column]) -> list[Value]:
        self.site.aggregates = True
        values = [
            expr.source.value(expr.name) if isinstance(expr, Column) else self._value(expr)
            for expr in exprs
        ]
        self.site.aggregates = False
        return values

    def _value(self, expr: exp.Expr) -> Value:
        value = self.site.value(expr)
        fractional = fraction(self.site, expr)
        return value if fractional is None else replace(value, fractional=fractional)

    def _expanded(self) -> list[tuple[str, exp.Expr | Column]]:
        """The output expressions with their names, `*` written out."""
        outputs: list[tuple[str, exp.Expr | Column]] = []
        for expr in self.node.expressions:
            star = expr.this if isinstance(expr, exp.Column) else expr
            if isinstance(star, exp.Star):
                outputs += self.star(expr)
            else:
                outputs.append((output_name(self.site, expr), expr))
        return outputs

    def star(self, expr: exp.Expr) -> list[tuple[str, Column]]:
        """The columns that `*` or `table.*` stands for, with their names."""
        site = self.site
        if not isinstance(expr, exp.Column):
            columns = site.all_columns(expr)
        else:
            folded = expr.table.casefold()
            of_table = (s for s in site.scope.sources if s.name.casefold() == folded)
            columns = [(source, name) for source in of_table for name in source.names()]
        if not columns:
            raise site.error("unknown-table", expr, "There is no such table for *.")
        return [(name, Column(source, name)) for source, name in columns]

    def _selection(
        self,
        items: tuple[ir.Item, ...],
        values: list[Value],
        exprs: list[tuple[str, exp.Expr | Column]],
    ) -> Selection:
        site, node = self.site, self.node
        group = node.args.get("group")
        keys = None
        near: dict[ir.Expr, ir.Expr] = {}
        if node.args.get("distinct") is not None:
            settled = [as_key(site, node, value) for value in values]
            near = {
                value.expr: other.expr
                for value, other in zip(values, settled, strict=True)
                if other is not value
            }
        if group is not None:
            for name in ("grouping_sets", "cube", "rollup", "totals", "all"):
                if group.args.get(name):
                    raise site.refused("grouping-sets", group, "groups in several ways at once")
            known = [site.grouped(e, self._ordinal(e, values)) for e in group.expressions]
            settled = [as_key(site, e, v) for e, v in zip(group.expressions, known, strict=True)]
            keys = tuple(value.expr for value in settled)
            near |= {
                value.expr: other.expr
                for value, other in zip(known, settled, strict=True)
                if other is not value
            }
        having = node.args.get("having")
        site.aggregates = True
        condition = site.true(having.this) if having is not None else None
        order = tuple(self._sorts(values, exprs))
        site.aggregates = False
        if near:
            items = tuple(replace(item, expr=_changed(item.expr, near)) for item in items)
            condition = None if condition is None else _changed(condition, near)
            order = tuple(replace(sort, expr=_changed(sort.expr, near)) for sort in order)
        skip, limit = window(site, node)
        selection = Selection(
            items, node.args.get("distinct") is not None, order, skip, limit, condition, keys
        )
        return replace(selection, extreme=self._extreme(selection))

    def _extreme(self, selection: Selection) -> ir.Agg | None:
        """The one min() or max() of the SELECT, where it settles the row of bare columns."""
        distinct_texts = {
            extreme.sql()
            for extreme in self.node.find_all(exp.Min, exp.Max)
            if not extreme.expressions and extreme.find_ancestor(exp.Select) is self.node
        }
        filtered = any(
            isinstance(f.this, exp.Min | exp.Max) for f in self.node.find_all(exp.Filter)
        )
        if not self.site.house.rules.extreme_rows or len(distinct_texts) != 1 or filtered:
            return None
        aggregates = {agg for expr in selection.exprs() for agg in find(expr, ir.Agg)}
        extremes = [agg for agg in aggregates if agg.name in ("min", "max")]
        return extremes[0] if len(extremes) == 1 else None

    def _ordinal(self, node: exp.Expr, values: list[Value]) -> Value:
        if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
            if not 1 <= int(node.name) <= len(values):
                raise self.site.error("ordinal", node, f"There is no output column {node.name}.")
            return values[int(node.name) - 1]
        return self.site.value(node)

    def _sorts(
        self, values: list[Value], exprs: list[tuple[str, exp.Expr | Column]]
    ) -> Iterable[Sort]:
        order = self.node.args.get("order")
        for term in order.expressions if order is not None else ():
            yield from self._sort(term, values, exprs)

    def _sort(
        self,
        term: exp.Ordered,
        values: list[Value],
        exprs: list[tuple[str, exp.Expr | Column]],
    ) -> list[Sort]:
        inner = term.this.unnest()
        value = None
        if isinstance(inner, exp.Column) and not inner.table:
            folded = inner.name.casefold()
            named = (
                v
                for (_, e), v in zip(exprs, values, strict=True)
                if isinstance(e, exp.Alias) and e.alias.casefold() == folded
            )
            value = next(named, None)
        if isinstance(inner, exp.Collate) and not self.site.house.rules.folds:
            collation = inner.expression.name.upper()
            value = replace(self._ordinal(inner.this, values), collation=collation)
        value = value or self._ordinal(inner, values)
        return sorts(self.site, term, value)


def _changed(expr: ir.Expr, near: Mapping[ir.Expr, ir.Expr]) -> ir.Expr:
    """An expression in which decimals are the nearest floats, where they are not yet."""
    change = {**near, **{value: value for value in near.values()}}
    return substitute(expr, lambda n: change.get(n) if isinstance(n, ir.Expr) else None)


def _reads_only(condition: exp.Expr, keys: Sequence[exp.Expr]) -> bool:
    """Whether a condition reads nothing but these expressions."""
    if condition.find(exp.AggFunc):
        return False
    rest = condition.copy().transform(lambda node: exp.null() if node in keys else node)
    return rest.find(exp.Column) is None


def _by_text(text: ir.Expr, keys: Sequence[ir.Expr]) -> bool:
    """Whether sort keys are what distinct texts are made of, so that equal ones are peers."""
    parts = [text]
    if isinstance(text, ir.Call) and text.name == "toString":  # of no two values the same
        parts.append(text.args[0])
    of_text = all(
        not variables(substitute(key, lambda n: ir.Literal(None) if n in parts else None))
        for key in keys
    )
    return of_text and any(part in keys for part in parts)


def _made_of(expr: ir.Expr, keys: Sequence[ir.Expr], settled: Settled) -> bool:
    """Whether sort keys leave no choice of a value: all that it reads is settled, or a key."""

    def known(node: ir.Node) -> ir.Node | None:
        prop = isinstance(node, ir.Prop) and settled.has(node)
        return ir.Literal(None) if prop or node in keys else None

    return not variables(substitute(expr, known))
