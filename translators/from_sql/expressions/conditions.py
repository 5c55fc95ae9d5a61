"""Conjuncts of ON and WHERE: what they need and which sources they speak of."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from graph_ir import nodes as ir
from translators.from_sql.expressions.predicates import compared
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.from_items import FromItem
from translators.from_sql.statement.terms import any_of
from translators.from_sql.statement.values import is_null

_STRICT = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.Between, exp.In)


@dataclass(frozen=True, slots=True)
class Condition:
    """A conjunct, and where its names are resolved.

    With `partner` it is an equality: of `node` and of an expression of the query around, which
    has a site of its own. `maybe`: the equality may also be unknown.
    """

    site: Site
    node: exp.Expr
    partner: tuple[Site, exp.Expr] | None = None
    maybe: bool = False

    def expr(self) -> ir.Expr:
        """The condition over row variables."""
        if self.partner is None:
            return self.site.true(self.node)
        outer, other = self.partner
        left, right = self.site.value(self.node), outer.value(other)
        equal = compared(self.site, self.node, ir.CompareOp.EQ, left, right).expr
        nulls = [is_null(side) for side in (left, right) if side.nullable]
        return any_of((equal, *nulls)) if self.maybe else equal


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a source, as joins compare it."""

    source: FromItem
    name: str


def required(condition: Condition) -> list[FromItem]:
    """The sources without whose row the condition cannot be true."""
    node, site = condition.node, condition.site
    if condition.partner is not None:
        return [] if condition.maybe else _direct(site, [node])
    if isinstance(node, exp.Not) and isinstance(node.this, exp.Is):
        is_null = isinstance(node.this.expression, exp.Null)
        return _direct(site, [node.this.this]) if is_null else []
    if isinstance(node, exp.Not) and isinstance(node.this, _STRICT):
        query = node.this.args.get("query")
        return [] if query is not None else required(replace(condition, node=node.this))
    if not isinstance(node, _STRICT):
        return []
    sides = [node.this]
    if isinstance(node, exp.EQ | exp.NEQ | exp.LT | exp.LTE | exp.GT | exp.GTE):
        sides.append(node.expression)
    return _direct(site, sides)


def _direct(site: Site, sides: list[exp.Expr]) -> list[FromItem]:
    sources = []
    for side in sides:
        inner = side.unnest()
        if isinstance(inner, exp.Column):
            holder = site.holder(inner)
            if holder is not None:
                behind = holder[0].ref(holder[1])
                sources.append(behind[0] if behind else holder[0])
    return sources


def mentioned(condition: Condition) -> set[int]:
    """The sources (by id) whose columns occur in the condition, its subqueries included."""
    source_ids: set[int] = set()
    for node in condition.node.find_all(exp.Column):
        if node.table:
            source = condition.site.scope.named(node.table)
            exact = source.find(node.name) if source else None
            pairs = [(source, exact)] if source is not None and exact else []
        else:
            pairs = list(condition.site.scope.holders(node.name))
        for source, exact in pairs:
            if source is not None and exact is not None:
                behind = source.ref(exact)
                source_ids.add(id(behind[0] if behind else source))
    return source_ids
