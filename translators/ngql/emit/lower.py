"""From bound Graph-IR to the Graph-IR that NebulaGraph's MATCH can say, meaning the same.

What cannot be said exactly is refused. The result prints without further decisions
(`translators.ngql.emit.dialect`) and is what `translators.ngql.read.reader` reads back from the
text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, keep_for_where
from graph_ir.walk import descend
from schemagraph.model import Kind, SchemaGraph, Type
from translators.ngql.emit.expressions import Expressions
from translators.ngql.emit.patterns import Patterns
from translators.ngql.emit.projections import alias_all, lower_project
from translators.ngql.emit.scope import Scope, refuse

type Show = Callable[[ir.Expr], str]


def lower(statement: ir.Statement, schema: SchemaGraph | None, show: Show) -> ir.Statement:
    """`statement` in the form that nGQL has.

    `show` prints an expression; columns without alias are named by their text.

    Raises:
        Refused: nGQL cannot say exactly this.
    """
    whole = keep_for_where(statement)
    return _Lowering(whole, schema, show).statement(whole)


class _Lowering:
    def __init__(self, whole: ir.Statement, schema: SchemaGraph | None, show: Show) -> None:
        self.scope = Scope(whole, schema)
        self.expressions = Expressions(self.scope)
        self.show = show
        self.used = {node.name for node in descend(whole) if isinstance(node, ir.Var)}

    def statement(self, node: ir.Statement) -> ir.Statement:
        if isinstance(node, ir.Query):
            return self.query(node)
        left = node.left
        first = self.statement(left) if isinstance(left, ir.Union) else self.side(left)
        self.scope.restart()
        return replace(node, left=first, right=self.side(node.right))

    def side(self, query: ir.Query) -> ir.Query:
        """One query of a UNION, which unites what MATCH or WITH begins."""
        last = query.clauses[-1]
        if isinstance(last, ir.Project):
            query = replace(query, clauses=(*query.clauses[:-1], alias_all(last)))
        return self.query(query, alone=False)

    def query(self, query: ir.Query, *, alone: bool = True) -> ir.Query:
        clauses: list[ir.Clause] = []
        for clause in query.clauses:
            clauses.extend(self.clause(clause, first=not clauses))
        only = clauses[0]
        if len(clauses) == 1 and isinstance(only, ir.Project):
            clauses = list(_standing_alone(only, alone=alone))
        return replace(query, clauses=tuple(clauses))

    def clause(self, clause: ir.Clause, *, first: bool) -> tuple[ir.Clause, ...]:
        match clause:
            case ir.Match():
                return (self.match(clause, first=first),)
            case ir.Unwind():
                expr = self.expressions.value(clause.expr)
                item = expr.type.item
                if item and item.kind in (Kind.NODE, Kind.EDGE):
                    self.scope.elements[clause.alias] = item
                return (replace(clause, expr=expr),)
            case ir.Project():
                return self.project(clause)
            case ir.Subquery():
                raise refuse("subquery", clause, "CALL", "nGQL has no subqueries.")
            case ir.Procedure():
                raise refuse("procedure", clause, clause.name, "nGQL has no procedures.")
        raise refuse(
            "write", clause, type(clause).__name__, "Only queries that read are translated."
        )

    def match(self, clause: ir.Match, *, first: bool) -> ir.Match:
        if clause.optional and first:
            raise refuse(
                "optional-first",
                clause,
                "OPTIONAL MATCH",
                "What nGQL returns for a first OPTIONAL MATCH without a match is not defined.",
            )
        patterns = Patterns(self.scope, clause, self.used)
        wanted = conjunction(clause.where, *patterns.conditions)
        if clause.optional and wanted is not None:
            raise refuse(
                "optional-where", clause, "OPTIONAL MATCH", "nGQL's OPTIONAL MATCH takes no WHERE."
            )
        where = self.expressions.condition(wanted)
        return replace(clause, paths=patterns.paths, where=where, mode=ir.MatchMode.DIFFERENT_EDGES)

    def project(self, clause: ir.Project) -> tuple[ir.Project, ...]:
        lowered = replace(
            clause,
            items=tuple(
                replace(item, expr=self.expressions.value(item.expr)) for item in clause.items
            ),
            order=tuple(
                replace(key, expr=self.expressions.value(key.expr)) for key in clause.order
            ),
            skip=_bound(clause.skip),
            limit=_bound(clause.limit),
            where=None,
        )
        done = lower_project(lowered, self.scope, self.show)
        self.scope.project(clause.items)
        where = self.expressions.condition(clause.where)
        return (*done[:-1], replace(done[-1], where=where))


def _bound(number: ir.Expr | None) -> ir.Expr | None:
    if number is None or isinstance(number, ir.Literal | ir.Param):
        return number
    raise refuse("limit-expression", number, "LIMIT", "nGQL's SKIP and LIMIT take constants.")


def _standing_alone(project: ir.Project, *, alone: bool) -> tuple[ir.Project, ...]:
    """RETURN as the whole query: what sorts, cuts or is united must be a WITH there."""
    if alone and not (project.order or project.skip or project.limit):
        return (project,)
    inner = tuple(replace(item, named=True) for item in project.items)
    outer = tuple(
        replace(item, expr=ir.Var(item.alias, type=Type(Kind.ANY))) for item in project.items
    )
    return (
        replace(project, items=inner, final=False),
        ir.Project(outer, final=True, span=project.span),
    )
