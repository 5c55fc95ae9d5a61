"""Aggregates in the middle of subqueries, which Neo4j groups by the variables from outside.

In EXISTS, COUNT and COLLECT a `WITH count(q) AS n` keeps the variables that the subquery sees from
outside beside its own, and groups by them (measured on Neo4j 2026.08): over no rows it makes none,
where a WITH without keys makes one. Other languages have no such thing, so what would tell the two
apart is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.scopes import plain_scopes
from graph_ir.walk import find
from graphmill.errors import Refused


def grouped_by_nothing(statement: ir.Statement) -> ir.Statement:
    """A statement of a language whose aggregates have a row of nothing in subqueries, too."""
    return plain_scopes(statement, _shows_nothing)


def refuse_outer_groups(statement: ir.Statement) -> None:
    """Let a statement pass whose subqueries mean the same whatever their aggregates group by.

    Raises:
        Refused: one has a WITH of aggregates alone, whose row over nothing may be asked for.
    """
    for subquery in find(statement, ir.Exists, ir.CountOf, ir.CollectOf):
        assert isinstance(subquery, ir.Exists | ir.CountOf | ir.CollectOf)  # noqa: S101 # as asked
        for query in _branches(subquery.query):
            for clause in query.clauses:
                if _shows_nothing(clause) and _sees_outside(statement, subquery):
                    raise Refused(
                        "subquery-aggregate",
                        "WITH",
                        "In a subquery, WITH groups by the variables from outside too: over no "
                        "rows it makes no row.",
                        clause.span,
                    )


def _branches(statement: ir.Statement) -> Iterator[ir.Query]:
    if isinstance(statement, ir.Union):
        yield from _branches(statement.left)
        yield from _branches(statement.right)
    else:
        yield statement


def _shows_nothing(clause: ir.Clause) -> bool:
    """Whether a WITH makes a row of no rows, and keeps it."""
    if not isinstance(clause, ir.Project) or clause.final or clause.group != ():
        return False
    counts = {
        item.alias for item in clause.items if isinstance(item.expr, ir.Agg) and _counts(item.expr)
    }
    parts = clause.where.args if isinstance(clause.where, ir.Bool) else (clause.where,)
    if isinstance(clause.where, ir.Bool) and clause.where.op is not ir.BoolOp.AND:
        parts = ()
    return not any(_drops_zero(part, counts) for part in parts)


def _counts(agg: ir.Agg) -> bool:
    return agg.name == "count"


def _drops_zero(test: ir.Expr | None, counts: set[str]) -> bool:
    """Whether a test fails for a count of 0."""
    match test:
        case ir.Compare(op=op, left=ir.Var(name=name), right=ir.Literal(value=int() as least)):
            if name not in counts:
                return False
            return (op is ir.CompareOp.GT and least >= 0) or (
                op in (ir.CompareOp.GE, ir.CompareOp.EQ) and least >= 1
            )
    return False


def _sees_outside(statement: ir.Statement, subquery: ir.Node) -> bool:
    """Whether the subquery names something that is named outside, too."""
    inside = list(_names(subquery))
    every = list(_names(statement))
    return any(every.count(name) > inside.count(name) for name in set(inside))


def _names(node: ir.Node) -> Iterator[str]:
    for part in find(node, ir.Var, ir.NodePattern, ir.EdgePattern):
        match part:
            case ir.Var(name=name):
                yield name
            case ir.NodePattern(var=str() as name) | ir.EdgePattern(var=str() as name):
                yield name
