"""Whole queries: SELECT, set operations, WITH, and derived tables in FROM."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.mapping import Mapping
from schemagraph.model import SchemaGraph
from translators.from_sql.expressions.output import output_name
from translators.from_sql.joins.blocks import Block, blocks
from translators.from_sql.selects.constants import values_table
from translators.from_sql.selects.full_joins import FullJoin, full_join, with_left_join
from translators.from_sql.selects.recursion import reads_itself, recursive
from translators.from_sql.selects.select import Select
from translators.from_sql.selects.setops import combined
from translators.from_sql.selects.subqueries import simple
from translators.from_sql.selects.unrolled import unrolled
from translators.from_sql.selects.windows import Windows, has_windows, without_named
from translators.from_sql.statement.context import Cte, Handlers, House, Site, Translated
from translators.from_sql.statement.from_items import Derived, FromItem, Scope, View
from translators.from_sql.statement.names import Names
from translators.from_sql.statement.padding import padded_columns
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.terms import variables
from translators.from_sql.statement.text import SqlText


class Translation:
    """The translation of one text; implements `translators.from_sql.statement.context.Queries`."""

    def __init__(
        self, text: SqlText, mapping: Mapping, schema: SchemaGraph, rules: Rules, handlers: Handlers
    ) -> None:
        padded, unpadded = padded_columns(mapping)
        self.house = House(text, mapping, schema, self, rules, handlers, padded, unpadded)

    def statement(self) -> ir.Statement:
        """The whole text."""
        translated = self.translated(self.house.text.tree, None, Names(), {})
        for name, value in translated.columns:
            if value.mixed and not value.unseen:  # which is given as the graph has it
                raise Refused(
                    "mixed-types", name, f"The column '{name}' holds both numbers and text."
                )
        return translated.statement

    def query(self, node: exp.Expr, site: Site, columns: Sequence[str] | None = None) -> Translated:
        """A subquery at `site`."""
        return self.translated(node, site.scope, site.names, site.ctes, columns)

    def translated(
        self,
        node: exp.Expr,
        parent: Scope | None,
        names: Names,
        ctes: dict[str, Cte],
        columns: Sequence[str] | None = None,
    ) -> Translated:
        """Any query, inside `parent`."""
        site = Site(self.house, Scope(parent), names, ctes)
        node = node.unnest() if isinstance(node, exp.Subquery) else node
        ctes = _with(site, node, ctes)
        if isinstance(node, exp.Select):
            if has_windows(node):
                scratch = Select(self.house, without_named(node), parent, names.fork(), ctes)
                scratch.rows()
                node, ctes = Windows(scratch).rewritten(ctes)
            elif self.house.rules.full_joins and full_join(node) is not None:
                scratch = Select(self.house, with_left_join(node), parent, names.fork(), ctes)
                scratch.rows()
                node, ctes = FullJoin(scratch).rewritten(ctes)
            select = Select(self.house, node, parent, names, ctes)
            select.rows()
            return select.output(columns)
        if isinstance(node, exp.SetOperation):
            site.ctes = ctes
            left, right = names.fork(), names.fork()
            one = self.translated(node.this, parent, left, ctes)
            other = self.translated(node.expression, parent, right, ctes)
            names.used |= left.used | right.used
            return combined(site, node, one, other, columns)
        if isinstance(node, exp.Values):
            return values_table(site, node, columns)
        raise site.refused("unsupported-clause", node, "is no SELECT")

    def derived(self, site: Site, query: exp.Expr, alias: str, node: exp.Expr) -> list[Block]:
        """The blocks of a derived table or CTE: merged where it only selects columns, else a
        subquery whose columns are values."""
        ctes, given = site.ctes, _column_names(node)
        if isinstance(query, exp.CTE):
            known = site.ctes[query.alias.casefold()]
            given = given or _column_names(query)
            query, ctes = known.node.this, known.ctes
            if reads_itself(known.node, self.house.rules):
                given = given or _first_names(query)
                plain = unrolled(known.node, given, self.house.rules)
                if plain is None:
                    return self._recursive(site, known, alias, given)
                query = plain
        query = query.unnest() if isinstance(query, exp.Subquery) else query
        merged = self._merged(site, query, alias, given, ctes)
        if merged is not None:
            return merged
        parent = site.scope.parent
        scratch = self.translated(query, parent, site.names.fork(), ctes)
        wishes = given or [name for name, _ in scratch.columns]
        if len(wishes) != len(scratch.columns):
            raise site.error("column-count", node, "A derived table has too many names.")
        variables_ = [site.names.value(wish) for wish in wishes]
        translated = self.translated(query, parent, site.names, ctes, variables_)
        columns = tuple(
            (wish, value.like(ir.Var(var)))
            for wish, var, (_, value) in zip(wishes, variables_, translated.columns, strict=True)
        )
        places = translated.unique
        unique = None if places is None else frozenset(variables_[place] for place in places)
        source = Derived(alias, columns, unique)
        around = parent.rows() if parent is not None else []
        used = variables(translated.statement)
        imports = tuple(name for name in around if name in used)
        site.scope.sources.append(source)
        call = ir.Subquery(translated.statement, imports)
        return [Block(sources=[source], calls=[call])]

    def _recursive(self, site: Site, cte: Cte, alias: str, given: Sequence[str]) -> list[Block]:
        """The blocks of a CTE that reads itself."""
        wishes = list(given)
        variables_ = [site.names.value(wish or "value") for wish in wishes]
        steps = recursive(self.house, cte.node, site, site.names, cte.ctes, wishes, variables_)
        columns = tuple(
            (wish, value.like(ir.Var(var)))
            for wish, var, (_, value) in zip(wishes, variables_, steps.columns, strict=True)
        )
        source = Derived(alias, columns)
        parent = site.scope.parent
        used = variables(steps.statement)
        imports = tuple(n for n in (parent.rows() if parent is not None else []) if n in used)
        site.scope.sources.append(source)
        return [Block(sources=[source], calls=[ir.Subquery(steps.statement, imports)])]

    def _merged(
        self,
        site: Site,
        query: exp.Expr,
        alias: str,
        given: Sequence[str],
        ctes: dict[str, Cte],
    ) -> list[Block] | None:
        """A derived table that only selects columns becomes part of the query around it."""
        if not isinstance(query, exp.Select) or not simple(query) or query.args.get("distinct"):
            return None
        plain = [e.unalias().unnest() for e in query.expressions]
        if not all(isinstance(e, exp.Column | exp.Star) for e in plain):
            return None
        inner = Site(self.house, Scope(site.scope.parent), site.names, ctes)
        inner.before, inner.after = site.before, site.after
        where = query.args.get("where")
        if where is not None and where.find(exp.Query):
            return None
        joined = blocks(inner, query)
        columns: list[tuple[str, tuple[FromItem, str]]] = []
        for expr in query.expressions:
            columns += _view_columns(inner, expr)
        if given:
            columns = [(n, behind) for n, (_, behind) in zip(given, columns, strict=False)]
        site.scope.sources.append(View(alias, tuple(columns), tuple(inner.scope.sources)))
        return joined


def _view_columns(inner: Site, expr: exp.Expr) -> list[tuple[str, tuple[FromItem, str]]]:
    star = expr.this if isinstance(expr, exp.Column) else expr
    if isinstance(star, exp.Star):
        table = expr.table.casefold() if isinstance(expr, exp.Column) else ""
        if not table:
            return [(name, (source, name)) for source, name in inner.all_columns(expr)]
        return [
            (name, (source, name))
            for source in inner.scope.sources
            if source.name.casefold() == table
            for name in source.names()
        ]
    column = expr.unalias().unnest()
    assert isinstance(column, exp.Column)  # noqa: S101 - checked by the caller
    holder = inner.holder(column)
    if holder is None:
        raise inner.error("unknown-column", column, f"There is no column '{column.name}'.")
    return [(output_name(inner, expr), holder)]


def _column_names(node: exp.Expr) -> list[str]:
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return []
    return [column.name for column in alias.columns]


def _first_names(union: exp.Expr) -> list[str]:
    """The names of a recursive CTE's columns, which are those of its first part."""
    first = union.this.unnest() if isinstance(union, exp.Union) else None
    return [expr.alias_or_name for expr in first.selects] if isinstance(first, exp.Query) else []


def _with(site: Site, node: exp.Expr, ctes: dict[str, Cte]) -> dict[str, Cte]:
    """The CTEs in sight, with those of the node's own WITH."""
    clause = node.args.get("with_")
    if clause is None:
        return ctes
    known = dict(ctes)
    for place, cte in enumerate(clause.expressions):
        name = cte.alias.casefold()
        known[name] = Cte(cte, dict(known))
        later = {each.alias.casefold() for each in clause.expressions[place + 1 :]}
        read = {t.name.casefold() for t in cte.this.find_all(exp.Table) if not t.db}
        if site.house.rules.forward_names and not later.isdisjoint(read):
            raise site.refused("forward-cte", cte, f"reads {min(later & read)}, which comes later")
    return known
