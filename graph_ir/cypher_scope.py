"""`*` in WITH, RETURN and CALL (*) becomes the variables in scope, in alphabetical order.

Neo4j orders the columns of `RETURN *` alphabetically, named columns after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.cypher_build import ALL_VARIABLES, STAR
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import descend, rewrite


def expand_stars(statement: ir.Statement, scope: Iterable[str] = ()) -> ir.Statement:
    """`statement` without stars; `scope` are the variables it can see from outside."""
    if isinstance(statement, ir.Union):
        left = expand_stars(statement.left, scope)
        return replace(statement, left=left, right=_query(statement.right, scope))
    return _query(statement, scope)


def _query(query: ir.Query, scope: Iterable[str]) -> ir.Query:
    clauses, _ = _clauses(query.clauses, set(scope))
    return replace(query, clauses=clauses)


def _clauses(
    clauses: tuple[ir.Clause, ...], visible: set[str]
) -> tuple[tuple[ir.Clause, ...], set[str]]:
    done: list[ir.Clause] = []
    for clause in clauses:
        clause, visible = _clause(clause, visible)
        done.append(clause)
    return tuple(done), visible


def _clause(clause: ir.Clause, visible: set[str]) -> tuple[ir.Clause, set[str]]:
    match clause:
        case ir.Subquery():
            names = clause.imports
            if names == ALL_VARIABLES:
                names = tuple(sorted(visible))
            inner = expand_stars(clause.query, names)
            return replace(clause, query=inner, imports=names), visible | set(_columns(inner))
        case ir.Foreach():
            inside, _ = _clauses(clause.clauses, visible | {clause.var})
            return replace(clause, clauses=inside), visible
        case ir.Project():
            clause = _inside(clause, visible)
            if clause.items and clause.items[0] == STAR:
                span = clause.items[0].span
                everything = tuple(
                    ir.Item(ir.Var(name, span=span), name, named=False, span=span)
                    for name in sorted(visible)
                )
                items = (*everything, *clause.items[1:])
                group = clause.group
                if group is not None:
                    group = tuple(i.expr for i in items if not has_aggregate(i.expr))
                clause = replace(clause, items=items, group=group)
            return clause, {item.alias for item in clause.items}
    clause = _inside(clause, visible | set(introduced(clause)))
    return clause, visible | set(introduced(clause))


def introduced(clause: ir.Clause) -> tuple[str, ...]:
    """The names that a clause binds, in the order of the text; a projection's are its columns."""
    match clause:
        case ir.Match(paths=paths) | ir.Create(paths=paths):
            return tuple(name for path in paths for name in pattern_names(path))
        case ir.Merge(path=path):
            return tuple(pattern_names(path))
        case ir.Unwind(alias=alias) | ir.LoadCsv(alias=alias):
            return (alias,)
        case ir.Procedure(yields=yields):
            return tuple(each.alias for each in yields)
        case ir.Project(items=items):
            return tuple(item.alias for item in items)
        case ir.Subquery(query=query):
            return _columns(query)
    return ()


def pattern_names(path: ir.Path) -> list[str]:
    """The variables of a path, those inside quantified parts too, in the order of the text."""
    names = [path.var] if path.var else []
    if path.head.var:
        names.append(path.head.var)
    for step in path.steps:
        if isinstance(step.edge, ir.Quantified):
            names.extend(pattern_names(step.edge.path))
        elif step.edge.var:
            names.append(step.edge.var)
        if step.node.var:
            names.append(step.node.var)
    return list(dict.fromkeys(names))


def _columns(statement: ir.Statement) -> tuple[str, ...]:
    query = statement.left if isinstance(statement, ir.Union) else statement
    while isinstance(query, ir.Union):
        query = query.left
    last = query.clauses[-1]
    return introduced(last) if isinstance(last, ir.Project) and last.final else ()


def _inside[N: ir.Node](node: N, visible: set[str]) -> N:
    """`node` with the stars of its EXISTS, COUNT and COLLECT expanded, innermost with its own."""
    subqueries = (ir.Exists, ir.CountOf, ir.CollectOf)
    if not any(isinstance(found, subqueries) for found in descend(node)):
        return node

    def change(found: ir.Node) -> ir.Node:
        if isinstance(found, subqueries):
            return replace(found, query=expand_stars(found.query, visible))
        return found

    return rewrite(node, change)
