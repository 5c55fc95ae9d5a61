"""`*` in WITH, RETURN and CALL (*) becomes the variables in scope, in alphabetical order.

Neo4j orders the columns of `RETURN *` alphabetically, named columns after them. A named column
takes the place of the variable that has its name (`WITH *, x AS p`), and what `CALL (p)` brings in
is no column of its RETURN *.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NoReturn

from graph_ir import nodes as ir
from graph_ir.cypher.build import ALL_VARIABLES, STAR, has_star
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import columns, introduced
from graph_ir.walk import descend, rewrite
from graphmill.errors import QueryTextError

_ROW = "single_row"
"""The column of `WITH * LIMIT 1` where there are no variables; no star sees it."""

MOST = 20_000  # columns that the stars of one query may stand for


def expand_stars(
    statement: ir.Statement, scope: Iterable[str] = (), imports: Collection[str] = ()
) -> ir.Statement:
    """`statement` without stars; `scope` are the variables it can see from outside.

    `imports` are those of a CALL, which its RETURN * leaves out.

    Raises:
        QueryTextError: they stand for more than `MOST` columns.
    """
    if isinstance(statement, ir.Union):
        left = expand_stars(statement.left, scope, imports)
        return replace(statement, left=left, right=_query(statement.right, scope, imports))
    return _query(statement, scope, imports)


def _query(query: ir.Query, scope: Iterable[str], imports: Collection[str]) -> ir.Query:
    clauses, _ = _clauses(query.clauses, set(scope), imports)
    return replace(query, clauses=clauses)


def _clauses(
    clauses: tuple[ir.Clause, ...], visible: set[str], imports: Collection[str] = ()
) -> tuple[tuple[ir.Clause, ...], set[str]]:
    done: list[ir.Clause] = []
    written = 0
    for clause in clauses:
        if isinstance(clause, ir.Project) and has_star(clause):
            written += len(visible)
            if written > MOST:
                _refuse(clause)
        clause, visible = _clause(clause, visible, imports)
        done.append(clause)
    return tuple(done), visible


def _refuse(clause: ir.Clause) -> NoReturn:
    raise QueryTextError(
        f"The stars of the query stand for more than {MOST:,} columns; name those that are read.",
        code="too-many-columns",
        line=clause.span.line if clause.span else 1,
        column=clause.span.column if clause.span else 1,
    )


def _clause(
    clause: ir.Clause, visible: set[str], imports: Collection[str]
) -> tuple[ir.Clause, set[str]]:
    match clause:
        case ir.Subquery():
            names = clause.imports
            if names == ALL_VARIABLES:
                names = tuple(sorted(visible))
            inner = expand_stars(clause.query, names, names)
            return replace(clause, query=inner, imports=names), visible | set(columns(inner))
        case ir.Foreach():
            inside, _ = _clauses(clause.clauses, visible | {clause.var})
            return replace(clause, clauses=inside), visible
        case ir.Project():
            clause = _inside(clause, visible)
            if has_star(clause):
                star, *named = clause.items
                left_out = {item.alias for item in named} if star == STAR else set()
                if clause.final:
                    left_out.update(imports)
                everything = tuple(
                    ir.Item(ir.Var(name, span=star.span), name, named=False, span=star.span)
                    for name in sorted(visible - left_out)
                )
                items = (*everything, *named)
                if not (items or clause.final) and (clause.order or clause.skip or clause.limit):
                    unseen = ir.Item(ir.Literal(1, span=star.span), _ROW, span=star.span)
                    return replace(clause, items=(unseen,)), set()
                group = clause.group
                if group is not None:
                    group = tuple(i.expr for i in items if not has_aggregate(i.expr))
                clause = replace(clause, items=items, group=group)
            return clause, {item.alias for item in clause.items}
    clause = _inside(clause, visible | set(introduced(clause)))
    return clause, visible | set(introduced(clause))


def _inside[N: ir.Node](node: N, visible: set[str]) -> N:
    """`node` with the stars of its EXISTS, COUNT and COLLECT expanded, innermost with its own."""
    subqueries = (ir.Exists, ir.CountOf, ir.CollectOf)
    if not any(isinstance(part, subqueries) for part in descend(node)):
        return node

    def change(part: ir.Node) -> ir.Node:
        if isinstance(part, subqueries):
            return replace(part, query=expand_stars(part.query, visible))
        return part

    return rewrite(node, change)
