"""One SELECT: its FROM becomes MATCH clauses, its output the closing projection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.walk import find, substitute
from schemagraph.mapping import EdgeTable
from schemagraph.model import Kind
from translators.sql.blocks import Block, Column, Condition, blocks
from translators.sql.dependence import Facts
from translators.sql.grouping import BareColumnError, Selection, Sort, projections
from translators.sql.joins import Joiner, Link, Pattern
from translators.sql.names import Names, distinct
from translators.sql.paths import Differ, Paths, matches
from translators.sql.predicates import compared
from translators.sql.site import Cte, House, Site, Translated
from translators.sql.sources import (
    Derived,
    EdgeSource,
    Scope,
    Source,
    edge_columns,
    row_variables,
)
from translators.sql.terms import bound_by, conjunction, variables, with_names
from translators.sql.values import Value


class Select:
    """The translation of one SELECT inside `scope`."""

    def __init__(
        self,
        house: House,
        node: exp.Select,
        parent: Scope | None,
        names: Names,
        ctes: dict[str, Cte],
    ) -> None:
        self.node = node
        self.house = house
        self.site = Site(house, Scope(parent), names, ctes)
        self.outer = list(_around(parent))
        self.joiner = Joiner(self.site, self.outer)
        self.facts = Facts(nodes=self.joiner.tables, equal=self.joiner.implied)
        self.clauses: list[ir.Clause] = []
        self.bound: list[str] = []
        self._check()

    def _check(self) -> None:
        node = self.node
        for name in ("windows", "qualify", "laterals", "connect", "distribute", "into", "match"):
            if node.args.get(name):
                raise self.site.refused("unsupported-clause", node, f"has a clause {name}")
        unique = node.args.get("distinct")
        if unique is not None and unique.args.get("on") is not None:
            raise self.site.refused("distinct-on", node, "keeps one row for each value of DISTINCT")

    # --- FROM and WHERE ------------------------------------------------------------------

    def outputs(self) -> list[exp.Expr]:
        """The output expressions, where none is `*`."""
        found = [expr.unalias() for expr in self.node.expressions]
        if any(expr.is_star for expr in found):
            raise self.site.refused("star", self.node, "gives all columns where one is compared")
        return found

    def rows(self, partners: Sequence[tuple[Site, exp.Expr]] = (), *, maybe: bool = False) -> None:
        """Translate FROM and WHERE.

        `partners` are expressions of the query around that must equal the output columns;
        `maybe`: or may be equal, for all that is known.
        """
        site, node = self.site, self.node
        site.names.reserve(_likely_names(site, node))
        site.aliases = _aliases(node)
        site.names.computed.update(
            e.alias
            for e in node.expressions
            if isinstance(e, exp.Alias) and not (_is_column(e.this, e.alias))
        )
        links = [
            Condition(site, own, partner, maybe)
            for own, partner in zip(self.outputs() if partners else (), partners, strict=True)
        ]
        found = blocks(site, node, links)
        late: list[ir.Expr] = []
        for block in found:
            late += self._block(block)
        self.clauses += site.after
        site.after.clear()
        self._filter(late)

    def _block(self, block: Block) -> list[ir.Expr]:
        """Add the clauses of one block; what must wait for later clauses is returned."""
        site = self.site
        if block.optional and block.calls:
            raise site.refused(
                "optional-derived-table", self.node, "joins a derived table that may have no row"
            )
        self.clauses += block.calls
        for source in block.sources:
            if isinstance(source, Derived):
                self.bound += [n for _, v in source.columns for n in variables(v.expr)]
        bound = {*self.bound, *row_variables(self.outer)}
        equal = self.joiner.implied
        if block.optional:
            self.joiner.implied = equal.copy()
        pattern = self.joiner.pattern(block)
        conditions, late = self._conditions(block, pattern)
        paths = Paths(pattern, bound, self._labels(), self._differ(conditions)).clauses()
        if block.optional and len(paths) > 1:
            raise site.refused(
                "optional-edge-twice",
                self.node,
                "joins optionally along one kind of edge twice, which one MATCH may not repeat",
            )
        new = [*pattern.nodes, *(link.var for link in pattern.links if link.var)]
        self._learn(block, pattern, conditions, bound)
        if block.optional:
            self.joiner.implied = equal
            for source in block.sources:
                if isinstance(source, EdgeSource):
                    for end in source.ends:
                        self.joiner.imply(source, end)
        if paths:
            self.clauses += matches(paths, conditions, bound, optional=block.optional)
            self.bound += new
            return late
        return [*conditions, *late]

    def _labels(self) -> dict[str, str]:
        return {var: table.label for var, table in self.joiner.tables.items()}

    def _conditions(self, block: Block, pattern: Pattern) -> tuple[list[ir.Expr], list[ir.Expr]]:
        """The block's conditions, and those that need a correlated subquery to run first."""
        site = self.site
        now: list[ir.Expr] = []
        late: list[ir.Expr] = []
        for one, other in pattern.equal:
            pair = one.source.value(one.name), other.source.value(other.name)
            now.append(compared(site, self.node, ir.CompareOp.EQ, *pair).expr)
        for condition in pattern.rest:
            known = len(condition.site.after)
            expr = condition.said()
            if len(condition.site.after) == known:
                now.append(expr)
            elif block.optional:
                raise self.site.refused(
                    "subquery-in-on", condition.node, "is a subquery in the ON of an outer join"
                )
            else:
                late.append(expr)
        flat = conjunction(now)
        parts = flat.args if isinstance(flat, ir.Bool) and flat.op is ir.BoolOp.AND else now
        return list(parts), late

    def _differ(self, conditions: Sequence[ir.Expr]) -> Differ:
        """A test whether two edge patterns of one type cannot be one edge."""
        apart: set[frozenset[str]] = set()
        for expr in conditions:
            if isinstance(expr, ir.Compare) and expr.op in (
                ir.CompareOp.NE,
                ir.CompareOp.LT,
                ir.CompareOp.GT,
            ):
                sides = [s for s in (expr.left, expr.right) if isinstance(s, ir.Prop)]
                bases = [s.base.name for s in sides if isinstance(s.base, ir.Var)]
                if len(bases) == 2 and sides[0].key == sides[1].key:
                    apart.add(frozenset(bases))
        tables = self.joiner.tables

        def differ(one: Link, other: Link) -> bool:
            ends = ((one.source, other.source), (one.target, other.target))
            return any(
                frozenset(pair) in apart or tables[pair[0]] is not tables[pair[1]] for pair in ends
            )

        return differ

    def _learn(
        self, block: Block, pattern: Pattern, conditions: list[ir.Expr], bound: set[str]
    ) -> None:
        """Note the functional dependences that the block brings."""
        facts = self.facts
        for source in block.sources:
            if isinstance(source, EdgeSource):
                facts.edges[source.var] = source.table
        for link in pattern.links:
            edge = facts.edges.get(link.var) if link.var else None
            ends = (link.source, link.target)
            if edge is None:
                if not block.optional or (link.source in bound and not conditions):
                    keys = tuple((link.source, name) for name in link.columns)
                    facts.reaches.append((keys, link.target))
                continue
            var = link.var or ""
            facts.settles += [(var, end) for end in ends if not block.optional or end not in bound]
            columns = {*edge.source.columns, *edge.target.columns}
            if not block.optional and edge.key and set(edge.key) <= columns:
                facts.pairs.append((var, *ends))
        if not block.optional:
            for expr in conditions:
                if isinstance(expr, ir.Compare) and expr.op is ir.CompareOp.EQ:
                    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
                        key = facts.key(side)
                        if key is not None and not variables(other) & self._own():
                            facts.fixed.append(key)

    def _own(self) -> set[str]:
        """The row variables of this query, not those around it."""
        mine = {*self.facts.nodes, *self.facts.edges, *row_variables(self.site.scope.sources)}
        return mine - set(row_variables(self.outer))

    def _filter(self, late: list[ir.Expr]) -> None:
        """Conditions on rows that clauses before have made: a WITH that keeps the variables."""
        where = conjunction(late)
        if where is None:
            return
        clauses = (*self.site.before, *self.clauses)
        names = [*self.bound, *(n for c in clauses for n in bound_by(c))]
        kept = dict.fromkeys([*row_variables(self.outer), *names])
        items = tuple(ir.Item(ir.Var(name), name) for name in kept)
        self.clauses.append(ir.Project(items, where=where))

    # --- output --------------------------------------------------------------------------

    def output(self, columns: Sequence[str] | None = None) -> Translated:
        """The whole query; `columns` are names for the result columns, if not SQL's own."""
        site = self.site
        early, site.before = site.before, []
        exprs = self._expanded()
        values = self._values([expr for _, expr in exprs])
        if self.node.args.get("distinct") is not None:
            for value in values:
                site.grouped(self.node, value)
        aliases = tuple(columns or distinct(name for name, _ in exprs))
        items = tuple(
            ir.Item(value.expr, alias) for value, alias in zip(values, aliases, strict=True)
        )
        selection = self._selection(items, values, exprs)
        self.clauses += site.after
        late: list[ir.Clause] = []
        grouped = selection.keys is not None or selection.aggregated()
        if grouped and not self._inside_aggregates(selection, site.before):
            late = site.before
        else:
            early += site.before
        try:
            ending = projections(selection, self.facts, site.names, late)
        except BareColumnError as problem:
            raise self._bare(problem) from problem
        clauses = with_names((*early, *self.clauses, *ending), self.joiner.renamed)
        known = tuple((name, value) for (name, _), value in zip(exprs, values, strict=True))
        return Translated(ir.Query(clauses), known, self._single(selection))

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

    def _bare(self, problem: BareColumnError) -> Exception:
        expr = problem.expr
        said = expr.key if isinstance(expr, ir.Prop) else getattr(expr, "name", "a value")
        if self.node.args.get("distinct") and self.node.args.get("group") is None:
            return self.site.refused(
                "distinct-order",
                self.node.args.get("order") or self.node,
                "sorts distinct rows by what is not among them",
            )
        return self.site.refused(
            "bare-column",
            self.node,
            f"reads '{said}', which is neither grouped nor aggregated: SQL leaves its row open",
        )

    def _inside_aggregates(self, selection: Selection, clauses: Sequence[ir.Clause]) -> bool:
        bound = {name for clause in clauses for name in bound_by(clause)}
        exprs = [item.expr for item in selection.items] + [s.expr for s in selection.order]
        if selection.having is not None:
            exprs.append(selection.having)
        return any(variables(agg) & bound for expr in exprs for agg in find(expr, ir.Agg))

    def _values(self, exprs: Sequence[exp.Expr | Column]) -> list[Value]:
        self.site.aggregates = True
        found = [
            expr.source.value(expr.name) if isinstance(expr, Column) else self.site.value(expr)
            for expr in exprs
        ]
        self.site.aggregates = False
        return found

    def _expanded(self) -> list[tuple[str, exp.Expr | Column]]:
        """The output expressions with their names, `*` written out."""
        found: list[tuple[str, exp.Expr | Column]] = []
        for expr in self.node.expressions:
            star = expr.this if isinstance(expr, exp.Column) else expr
            if isinstance(star, exp.Star):
                found += self._star(expr)
            else:
                found.append((output_name(self.site, expr), expr))
        return found

    def _star(self, expr: exp.Expr) -> list[tuple[str, exp.Expr | Column]]:
        site = self.site
        sources: list[Source] = site.scope.sources
        if isinstance(expr, exp.Column):
            folded = expr.table.casefold()
            sources = [s for s in sources if s.name.casefold() == folded]
        if not sources:
            raise site.error("unknown-table", expr, "There is no such table for *.")
        return [
            (name, Column(source, name))
            for source in sources
            for name in source.names()
            if isinstance(expr, exp.Column) or (id(source), name) not in site.scope.merged
        ]

    def _selection(
        self,
        items: tuple[ir.Item, ...],
        values: list[Value],
        exprs: list[tuple[str, exp.Expr | Column]],
    ) -> Selection:
        site, node = self.site, self.node
        group = node.args.get("group")
        keys = None
        if group is not None:
            for name in ("grouping_sets", "cube", "rollup", "totals", "all"):
                if group.args.get(name):
                    raise site.refused("grouping-sets", group, "groups in several ways at once")
            keys = tuple(site.grouped(e, self._ordinal(e, values)).expr for e in group.expressions)
        having = node.args.get("having")
        site.aggregates = True
        said = site.true(having.this) if having is not None else None
        order = tuple(self._sorts(values, exprs))
        site.aggregates = False
        skip, limit = window(site, node)
        return Selection(
            items, node.args.get("distinct") is not None, order, skip, limit, said, keys
        )

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
            yield self._sort(term, values, exprs)

    def _sort(
        self,
        term: exp.Ordered,
        values: list[Value],
        exprs: list[tuple[str, exp.Expr | Column]],
    ) -> Sort:
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
        value = value or self._ordinal(inner, values)
        return sorted_by(self.site, term, value)


def sorted_by(site: Site, term: exp.Ordered, value: Value) -> Sort:
    """An ORDER BY term over a value; SQLite has nulls first, unless the term says otherwise."""
    if value.mixed or value.kind is Kind.BYTES:
        raise site.refused("affinity", term, "orders by a column that mixes storage classes")
    site.grouped(term, value)
    descending = bool(term.args.get("desc"))
    nulls_first = bool(term.args.get("nulls_first")) if value.nullable else None
    return Sort(value.expr, descending, nulls_first)


def window(site: Site, node: exp.Query) -> tuple[int, int | None]:
    """OFFSET and LIMIT as numbers; a negative LIMIT is none, a negative OFFSET is 0."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    skip = _count(site, offset.expression) if offset is not None else 0
    kept = _count(site, limit.expression) if isinstance(limit, exp.Limit) else -1
    return max(skip, 0), None if kept < 0 else kept


def _count(site: Site, node: exp.Expr) -> int:
    value = site.value(node).expr
    if isinstance(value, ir.Literal) and type(value.value) is int:
        return value.value
    raise site.refused("limit-expression", node, "is a LIMIT or OFFSET that is no number")


def output_name(site: Site, expr: exp.Expr) -> str:
    """The name of an output column: SQL's where there is one, else a readable one."""
    if isinstance(expr, exp.Alias):
        return str(expr.alias)
    inner = expr.unnest()
    if isinstance(inner, exp.Column):
        holder = site.holder(inner)
        return holder[1] if holder else str(inner.name)
    if isinstance(inner, exp.Func):
        word = inner.sql_name().lower() if not isinstance(inner, exp.Anonymous) else inner.name
        column = inner.this.find(exp.Column) if isinstance(inner.this, exp.Expr) else None
        return f"{word}_{column.name}" if column is not None else word
    return "value"


def _is_column(expr: exp.Expr, name: str) -> bool:
    inner = expr.unnest()
    return isinstance(inner, exp.Column) and inner.name == name


def _aliases(node: exp.Select) -> dict[str, exp.Expr]:
    return {
        e.alias.casefold(): e.this for e in reversed(node.expressions) if isinstance(e, exp.Alias)
    }


def _likely_names(site: Site, node: exp.Select) -> list[str]:
    """The names that output columns will have, before the sources are known."""
    found = [e.alias_or_name for e in node.expressions]
    for table in node.find_all(exp.Table):
        known = site.house.mapping.by_table.get(table.name.casefold())
        if known is not None:
            columns = known.columns
            if isinstance(known, EdgeTable):
                found += edge_columns(known)
            found += [c.name for c in columns] + [c.property for c in columns]
    return [name for name in found if name]


def _around(scope: Scope | None) -> Iterable[Source]:
    if scope is not None:
        for one in scope.chain():
            yield from one.sources


def renamed(translated: Translated, names: Sequence[str]) -> Translated:
    """The same query with other names for its result columns."""
    statement = translated.statement
    if isinstance(statement, ir.Query):
        return replace(translated, statement=_renamed_query(statement, names))
    left = renamed(Translated(statement.left, ()), names).statement
    right = _renamed_query(statement.right, names)
    return replace(translated, statement=ir.Union(left, right, statement.all))


def _renamed_query(query: ir.Query, names: Sequence[str]) -> ir.Query:
    last = query.clauses[-1]
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    old = [item.alias for item in last.items]
    if old == list(names):
        return query
    change = dict(zip(old, names, strict=True))
    items = tuple(replace(item, alias=name) for item, name in zip(last.items, names, strict=True))

    def said(node: ir.Node) -> ir.Node | None:
        if isinstance(node, ir.Var) and node.name in change:
            return ir.Var(change[node.name])
        return None

    order = tuple(substitute(key, said) for key in last.order)
    return ir.Query((*query.clauses[:-1], replace(last, items=items, order=order)))
