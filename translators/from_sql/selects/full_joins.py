"""FULL JOIN: the rows of a LEFT JOIN, and those of the right side that found no partner.

A SELECT over one FULL JOIN becomes one over a derived table, the UNION ALL of the two.
"""

from __future__ import annotations

from sqlglot import exp

from translators.from_sql.selects.frames import ROWS, named
from translators.from_sql.selects.rebased import Rebased
from translators.from_sql.statement.context import Cte


def full_join(node: exp.Select) -> exp.Join | None:
    """The FULL JOIN of a SELECT that has no other join."""
    joins = node.args.get("joins") or []
    if len(joins) != 1 or (joins[0].side or "").upper() != "FULL":
        return None
    join: exp.Join = joins[0]
    plain = all(isinstance(side, exp.Table) and not side.args.get("joins") for side in _sides(node))
    return join if plain and join.args.get("on") is not None else None


def with_left_join(node: exp.Select) -> exp.Select:
    """The SELECT with a LEFT JOIN in the place of its FULL JOIN."""
    copy = node.copy()
    copy.parent = node.parent
    copy.args["joins"][0].set("side", "LEFT")
    return copy


class FullJoin(Rebased):
    """Rewrites one SELECT; `select` has translated its rows, with a LEFT JOIN, on the side."""

    def special(self, node: exp.Expr) -> exp.Expr | None:
        if isinstance(node, exp.Query | exp.Exists):
            raise self.site.refused("full-join", node, "is a subquery over a FULL JOIN")
        return None

    def rewritten(self, ctes: dict[str, Cte]) -> tuple[exp.Select, dict[str, Cte]]:
        """The SELECT over the two parts, and the CTEs that it sees."""
        node = self.node
        outputs = [named(self.rebased(expr), name) for name, expr in self.outputs()]
        outer = self.outer(outputs, [self.term(term) for term in self.terms])
        for name in ("where", "having"):
            if node.args.get(name) is not None:
                outer.set(name, type(node.args[name])(this=self.rebased(node.args[name].this)))
        group = node.args.get("group")
        if group is not None:
            keys = [
                key.copy() if self.ordinal(key) else self.rebased(key) for key in group.expressions
            ]
            outer.set("group", exp.Group(expressions=keys))
        left, right = _sides(node)
        condition = node.args["joins"][0].args["on"]
        both = exp.Select(
            expressions=self.items(),
            from_=exp.From(this=left.copy()),
            joins=[exp.Join(this=right.copy(), side="LEFT", on=condition.copy())],
        )
        partner = exp.Select(
            expressions=[exp.Literal.number(1)],
            from_=exp.From(this=left.copy()),
            where=exp.Where(this=condition.copy()),
        )
        alone = exp.Select(
            expressions=[
                item if self._is_right(item.this) else named(exp.Null(), item.alias)
                for item in self.items()
            ],
            from_=exp.From(this=right.copy()),
            where=exp.Where(this=exp.Not(this=exp.Exists(this=partner))),
        )
        rows = exp.Union(this=both, expression=alone, distinct=False)
        cte = exp.CTE(this=rows, alias=exp.TableAlias(this=exp.to_identifier(ROWS, quoted=True)))
        return outer, {**ctes, ROWS: Cte(cte, ctes)}

    def _is_right(self, expr: exp.Expr) -> bool:
        if isinstance(expr, exp.Literal):
            return True
        holder = self.site.holder(expr) if isinstance(expr, exp.Column) else None
        return holder is not None and holder[0] is self.site.scope.sources[1]


def _sides(node: exp.Select) -> tuple[exp.Expr, exp.Expr]:
    return node.args["from_"].this, node.args["joins"][0].this
