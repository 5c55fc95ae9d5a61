"""Subqueries that run as clauses, before the expressions that need their columns."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.terms import variables


def piped(statement: ir.Statement) -> tuple[ir.Clause, ...]:
    """The statement's clauses with its columns as variables for what follows."""
    if isinstance(statement, ir.Union):
        return (ir.Subquery(statement),)
    last = statement.clauses[-1]
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    return (*statement.clauses[:-1], replace(last, final=False))


def attach(site: Site, query: ir.Statement) -> bool:
    """Run a subquery before it is needed; True if it is correlated, so that rows come first."""
    around = site.row_names()
    imports = tuple(name for name in around if name in variables(query))
    clause = ir.Subquery(query, imports)
    (site.after if imports else site.before).append(clause)
    return bool(imports)
