"""Make a translated statement readable: no names that nothing uses, no needless subquery."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import descend, rewrite
from translators.sql.site import variables


def tidy(statement: ir.Statement) -> ir.Statement:
    """The same meaning with fewer names and clauses."""
    if isinstance(statement, ir.Union):
        right = tidy(statement.right)
        assert isinstance(right, ir.Query)  # noqa: S101 - a query stays one
        return ir.Union(tidy(statement.left), right, statement.all)
    return anonymous(carried(opened(statement)))


def opened(query: ir.Query) -> ir.Query:
    """An uncorrelated subquery at the start is the start of the query itself."""
    first = query.clauses[0]
    if not isinstance(first, ir.Subquery) or first.imports or first.optional:
        return query
    if isinstance(first.query, ir.Union) or len(query.clauses) == 1:
        return query
    inner = opened(first.query)
    *rest, last = inner.clauses
    if not isinstance(last, ir.Project):
        return query
    return ir.Query((*rest, replace(last, final=False), *query.clauses[1:]))


def carried(query: ir.Query) -> ir.Query:
    """A WITH that only carries variables on carries those that are needed."""
    clauses = list(query.clauses)
    used: set[str] = set()
    for index in range(len(clauses) - 1, -1, -1):
        clause = clauses[index]
        through = (
            isinstance(clause, ir.Project)
            and not clause.final
            and clause.group is None
            and not clause.distinct
            and all(item.expr == ir.Var(item.alias) for item in clause.items)
        )
        if through and isinstance(clause, ir.Project):
            here = variables(clause.where) if clause.where is not None else set()
            needed = used | here
            kept = tuple(item for item in clause.items if item.alias in needed)
            clause = replace(clause, items=kept or clause.items[:1])
            clauses[index] = clause
        used |= variables(clause)
    return ir.Query(tuple(clauses))


def anonymous(query: ir.Query) -> ir.Query:
    """Pattern variables that occur once lose their names."""
    counts: Counter[str] = Counter()
    for node in descend(query):
        if isinstance(node, ir.Var):
            counts[node.name] += 1
        elif isinstance(node, ir.NodePattern | ir.EdgePattern | ir.Path) and node.var:
            counts[node.var] += 1
        elif isinstance(node, ir.Subquery):
            counts.update(node.imports)

    def change(node: ir.Node) -> ir.Node:
        once = isinstance(node, ir.NodePattern | ir.EdgePattern) and counts[node.var or ""] == 1
        if once and isinstance(node, ir.NodePattern | ir.EdgePattern):
            return replace(node, var=None)
        return node

    return rewrite(query, change)
