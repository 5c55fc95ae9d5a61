"""FROM and WHERE of one SELECT as MATCH clauses, and what they make true of every row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from graph_ir import nodes as ir
from graphmill.errors import QueryTextError
from translators.from_sql.expressions.conditions import Condition
from translators.from_sql.expressions.output import aliases, computed_names, likely_names
from translators.from_sql.expressions.predicates import compared
from translators.from_sql.joins.blocks import Block, blocks
from translators.from_sql.joins.functional_dependencies import Facts
from translators.from_sql.joins.joins import Joiner
from translators.from_sql.joins.links import Link, Pattern
from translators.from_sql.joins.paths import Differ, Paths, matches
from translators.from_sql.statement.context import Cte, House, Site
from translators.from_sql.statement.from_items import (
    Derived,
    EdgeItem,
    FromItem,
    Scope,
    behind,
    row_variables,
)
from translators.from_sql.statement.names import Names
from translators.from_sql.statement.terms import bound_by, conjunction, piped, variables


class Rows:
    """FROM and WHERE of one SELECT inside `parent`: clauses, and what they make true."""

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
        self.facts = Facts(
            nodes=self.joiner.tables,
            equal=self.joiner.implied,
            outer=frozenset(row_variables(self.outer)),
        )
        self.clauses: list[ir.Clause] = []
        self.bound: list[str] = []
        self._check()

    def _check(self) -> None:
        node = self.node
        for name in ("windows", "qualify", "laterals", "connect", "distribute", "into", "match"):
            if node.args.get(name):
                raise self.site.refused("unsupported-clause", node, f"has a clause {name}")
        if not node.expressions:
            raise QueryTextError("A SELECT has no columns.")
        unique = node.args.get("distinct")
        if unique is not None and unique.args.get("on") is not None:
            which = "keeps a row of several, which one is open: ORDER BY a key behind the columns"
            raise self.site.refused("distinct-on", node, which)

    def outputs(self) -> list[exp.Expr]:
        """The output expressions, where none is `*`."""
        exprs = [expr.unalias() for expr in self.node.expressions]
        if any(expr.is_star for expr in exprs):
            raise self.site.refused("star", self.node, "gives all columns where one is compared")
        return exprs

    def rows(self, partners: Sequence[tuple[Site, exp.Expr]] = (), *, maybe: bool = False) -> None:
        """Translate FROM and WHERE.

        `partners` are expressions of the query around that must equal the output columns;
        `maybe`: or may be equal, for all that is known.
        """
        site, node = self.site, self.node
        site.names.reserve(likely_names(site, node))
        site.aliases = aliases(node)
        site.names.computed.update(computed_names(node))
        links = [
            Condition(site, own, partner, maybe)
            for own, partner in zip(self.outputs() if partners else (), partners, strict=True)
        ]
        joined = blocks(site, node, links)
        late: list[ir.Expr] = []
        for block in joined:
            late += self._block(block)
        self.clauses += site.after
        site.after.clear()
        self._filter(late)

    def _block(self, block: Block) -> list[ir.Expr]:
        """Add the clauses of one block; what must wait for later clauses is returned."""
        site = self.site
        if block.optional and block.calls:
            return self._optional_table(block)
        self.clauses += block.calls
        for source in block.sources:
            if isinstance(source, Derived):
                names = [n for _, v in source.columns for n in variables(v.expr)]
                self.bound += names
                if source.unique is not None:
                    self.facts.derived.append((source.unique, frozenset(names)))
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
                if isinstance(source, EdgeItem):
                    for end in source.ends:
                        self.joiner.imply(source, end)
        if paths:
            self.clauses += matches(paths, conditions, bound, optional=block.optional)
            self.bound += new
            return late
        return [*conditions, *late]

    def _optional_table(self, block: Block) -> list[ir.Expr]:
        """LEFT JOIN of a derived table: a CALL that keeps the row where no row of it fits."""
        call = block.calls[0]
        alone = len(block.calls) == 1 and all(isinstance(s, Derived) for s in block.sources)
        if not alone or not isinstance(call, ir.Subquery):
            raise self.site.refused(
                "optional-derived-table", self.node, "joins derived tables that may have no row"
            )
        conditions, _ = self._conditions(block, self.joiner.pattern(block))
        names = bound_by(call)
        through = tuple(ir.Item(ir.Var(name), name) for name in names)
        kept = ir.Project(through, where=conjunction(conditions))
        query = ir.Query((*piped(call.query), kept, ir.Project(through, final=True)))
        around = [*row_variables(self.outer), *self.bound]
        used = variables(query) - set(names)
        imports = tuple(dict.fromkeys(name for name in around if name in used))
        self.clauses.append(ir.Subquery(query, imports, optional=True))
        self.bound += names
        return []

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
            expr = condition.expr()
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
            if isinstance(source, EdgeItem):
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


def _around(scope: Scope | None) -> Iterable[FromItem]:
    if scope is not None:
        for one in scope.chain():
            yield from behind(one.sources)
