"""Make a translated statement readable: no names that nothing uses, no needless clause."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.cypher.shadowing import for_neo4j
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import descend, rewrite, substitute
from translators.from_sql.statement.terms import bound_by, conjunction, variables


def tidy(statement: ir.Statement) -> ir.Statement:
    """The same meaning with fewer names and clauses."""
    if isinstance(statement, ir.Union):
        right = tidy(statement.right)
        assert isinstance(right, ir.Query)  # noqa: S101 - a query stays one
        return ir.Union(tidy(statement.left), right, statement.all)
    return rewrite(anonymous(carried(shortened(statement))), _as_sorted)


def _as_sorted(node: ir.Node) -> ir.Node:
    """A projection that Neo4j sorts by the columns that are meant."""
    return for_neo4j(node) if isinstance(node, ir.Project) else node


def shortened(query: ir.Query) -> ir.Query:
    """A query whose needless subqueries and projections are gone, inside and out."""
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        if isinstance(clause, ir.Subquery) and isinstance(clause.query, ir.Query):
            clause = replace(clause, query=shortened(clause.query))
        clauses.append(clause)
    return joined(opened(ir.Query(tuple(clauses))))


def opened(query: ir.Query) -> ir.Query:
    """An uncorrelated subquery at the start is the start of the query itself."""
    first = query.clauses[0]
    if not isinstance(first, ir.Subquery) or first.imports or first.optional:
        return query
    if isinstance(first.query, ir.Union) or len(query.clauses) == 1:
        return query
    *rest, last = first.query.clauses
    if not isinstance(last, ir.Project):
        return query
    return ir.Query((*rest, replace(last, final=False), *query.clauses[1:]))


def joined(query: ir.Query) -> ir.Query:
    """A WITH that only renames or drops what the WITH before it made is one with it."""
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        before = clauses[-1] if clauses else None
        if isinstance(before, ir.Project) and isinstance(clause, ir.Project):
            one = _as_one(before, clause)
            if one is not None:
                clauses[-1] = one
                continue
        clauses.append(clause)
    return ir.Query(tuple(clauses))


def _as_one(first: ir.Project, second: ir.Project) -> ir.Project | None:
    window = second.order or second.skip is not None or second.limit is not None
    before = first.order or first.skip is not None or first.limit is not None
    if second.final or second.distinct or second.group is not None:
        return None
    if window and (before or first.where is not None):
        return None
    sources = [item.expr.name for item in second.items if isinstance(item.expr, ir.Var)]
    made = {item.alias for item in first.items}
    names = {item.alias for item in second.items}
    if len(set(sources)) != len(second.items) or not set(sources) <= made:
        return None
    if names & (made - set(sources)):
        return None
    change = dict(zip(sources, (item.alias for item in second.items), strict=True))

    def in_terms(node: ir.Node) -> ir.Node | None:
        known = isinstance(node, ir.Var) and node.name in change
        return ir.Var(change[node.name]) if known and isinstance(node, ir.Var) else None

    items = tuple(replace(i, alias=change.get(i.alias, i.alias)) for i in first.items)
    where = substitute(first.where, in_terms) if first.where is not None else None
    both = conjunction(part for part in (where, second.where) if part is not None)
    order = tuple(substitute(key, in_terms) for key in (*first.order, *second.order))
    return replace(
        first,
        items=items,
        order=order,
        where=both,
        skip=first.skip or second.skip,
        limit=first.limit or second.limit,
    )


def carried(query: ir.Query) -> ir.Query:
    """A WITH, or the RETURN of a subquery, carries on only what is needed."""
    clauses = list(query.clauses)
    used: set[str] = set()
    for index in range(len(clauses) - 1, -1, -1):
        clause = clauses[index]
        if isinstance(clause, ir.Project) and not clause.final:
            clause = _needed(clause, used)
        elif isinstance(clause, ir.Subquery) and isinstance(clause.query, ir.Query):
            *rest, last = clause.query.clauses
            if isinstance(last, ir.Project) and not set(bound_by(clause)) <= used:
                inner = carried(ir.Query((*rest, _needed(last, used))))
                clause = replace(clause, query=inner)
        clauses[index] = clause
        used |= variables(clause)
    return ir.Query(tuple(clauses))


def _needed(project: ir.Project, used: set[str]) -> ir.Project:
    """The projection without columns that nothing needs and that change no row."""
    if project.distinct:
        return project
    inside = [*(key.expr for key in project.order), *([project.where] if project.where else [])]
    needed = used | variables(*inside)
    kept = tuple(
        item
        for item in project.items
        if item.alias in needed or (project.group is not None and not has_aggregate(item.expr))
    )
    if project.group and not any(has_aggregate(item.expr) for item in kept):
        # Groups of which only the keys are needed.
        return replace(project, items=kept, group=None, distinct=True)
    return replace(project, items=kept or project.items[:1])


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
