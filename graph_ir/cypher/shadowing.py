"""What Neo4j says of names in subqueries: no column has the name of a variable from outside, the
columns of a CALL are named, and beside an aggregate a subquery reads grouping keys only.

Graph-IR has a meaning for each, which readers of other languages may use; a text of Cypher that
has one is wrong. In `CALL { WITH p WITH p.k AS p … }` the column is allowed, and gets another name.

Another place where a name is not what it seems is `hidden_again`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.rewrites import has_aggregate
from graph_ir.scopes import renamed
from graph_ir.variables import SUBQUERIES, introduced, pattern_names, read_names
from graph_ir.walk import children, find
from graphmill.errors import QueryTextError, Span

_NOTHING: frozenset[str] = frozenset()


def check_subqueries(statement: ir.Statement) -> None:
    """Look through the subqueries of a statement, of which stars are expanded.

    Raises:
        QueryTextError: Neo4j refuses one for its names.
    """
    if any(find(statement, ir.Subquery, ir.PatternComp, *SUBQUERIES)):
        _statement(statement, _NOTHING, call=False)


def _statement(statement: ir.Statement, outer: frozenset[str], *, call: bool) -> None:
    queries = []
    while isinstance(statement, ir.Union):
        queries.append(statement.right)
        statement = statement.left
    for query in (statement, *reversed(queries)):
        _query(query, outer, call=call)


def _query(query: ir.Query, outer: frozenset[str], *, call: bool) -> None:
    visible = outer
    for clause in query.clauses:
        own = visible.union(introduced(clause))
        match clause:
            case ir.Project():
                _project(clause, visible, outer, call=call)
                visible = outer.union(introduced(clause))
            case ir.Subquery():
                _statement(clause.query, frozenset(clause.imports), call=True)
                visible = own
            case _:
                _within(clause, own)
                visible = own


def _project(
    project: ir.Project, visible: frozenset[str], outer: frozenset[str], *, call: bool
) -> None:
    keys = outer.union(item.expr.name for item in project.items if isinstance(item.expr, ir.Var))
    aliases = [item.alias for item in project.items]
    for item in project.items:
        plain = isinstance(item.expr, ir.Var)
        hides = item.alias in outer and item.expr != ir.Var(item.alias)
        # what is bound twice in other ways `graph_ir.bind` reports
        if hides and not (call and project.final) and aliases.count(item.alias) == 1:
            _fail(
                item,
                "variable-already-bound",
                f"'{item.alias}' is a variable from outside of the subquery: give the column "
                "another name.",
            )
        if call and project.final and not (item.named or plain):
            _fail(item, "missing-alias", f"In CALL, '{item.alias}' needs a name: AS …")
        if has_aggregate(item.expr):
            for part in _beside_aggregates(item.expr):
                if other := sorted((read_names(part) & visible) - keys):
                    _fail(
                        part,
                        "ambiguous-aggregation",
                        f"'{other[0]}' is read beside an aggregate and is no grouping key: "
                        "project it as a column of its own.",
                    )
        _within(item, visible)
    before = outer if project.distinct or project.group is not None else visible
    own = before.union(introduced(project))
    for late in (*project.order, project.where):
        if late is not None:
            _within(ir.Item(late.expr if isinstance(late, ir.SortKey) else late, ""), own)


def _beside_aggregates(node: ir.Node) -> Iterator[ir.Expr]:
    """The subqueries outside of the aggregates of an expression."""
    if isinstance(node, ir.PatternComp | ir.Exists | ir.CountOf | ir.CollectOf):
        yield node
    elif not isinstance(node, ir.Agg):
        for child in children(node):
            yield from _beside_aggregates(child)


def _within(node: ir.Node, visible: frozenset[str]) -> None:
    """Look through the subqueries of expressions."""
    for child in children(node):
        match child:
            case ir.Exists() | ir.CountOf() | ir.CollectOf():
                _statement(child.query, visible, call=False)
            case ir.PatternComp():
                _within(child, visible.union(pattern_names(child.path)))
            case ir.ListComp() | ir.Quantifier():
                _within(child, visible | {child.var})
            case ir.Reduce():
                _within(child, visible | {child.var, child.acc})
            case _:
                _within(child, visible)


def _fail(at: ir.Node, code: str, message: str) -> NoReturn:
    place = at.span or Span(1, 1)
    raise QueryTextError(message, kind="semantic", code=code, line=place.line, column=place.column)


def apart(query: ir.Query, imports: tuple[str, ...]) -> ir.Query:
    """A query behind an importing WITH, with new names for columns that hide what it imports."""
    if not any(_hidden(clause, imports) for clause in query.clauses):
        return query
    spare = {name: next(iter(unused_names(query, name))) for name in imports}
    names: dict[str, str] = {}  # of columns that are visible at the place
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        if not isinstance(clause, ir.Project):
            clauses.append(renamed(clause, names))
            continue
        hidden = _hidden(clause, imports)
        kept = {n: new for n, new in names.items() if ir.Item(ir.Var(n), n) in clause.items}
        if any(item.expr == ir.Var("*") for item in clause.items):
            kept = names
        behind = {**kept, **{name: spare[name] for name in hidden}}
        items = tuple(
            replace(
                item,
                expr=renamed(item.expr, names),
                alias=behind.get(item.alias, item.alias),
            )
            for item in clause.items
        )
        group = clause.group
        if group is not None:
            group = tuple(renamed(key, names) for key in group)
        rest = renamed(replace(clause, items=(), group=None), {**names, **behind})
        clauses.append(replace(rest, items=items, group=group))
        names = behind
    return replace(query, clauses=tuple(clauses))


@dataclass(frozen=True, slots=True)
class HiddenAgain:
    """A column that ORDER BY and WHERE of its own projection do not read in Neo4j.

    In `RETURN a.x AS id, id AS old, a.x AS again ORDER BY id` the expression of `id` comes again
    later, so that Neo4j (2026.08) projects it once, as `again`, and `id` is the variable from
    before. `old` is the column that has that variable, `again` the last with the expression.
    """

    name: str
    old: str
    again: str


def hidden_again(project: ir.Project) -> Iterator[HiddenAgain]:
    """The columns of a projection that its ORDER BY and WHERE do not read."""
    plain = {i.expr.name: i.alias for i in reversed(project.items) if isinstance(i.expr, ir.Var)}
    for place, item in enumerate(project.items):
        if item.alias in plain and item.expr != ir.Var(item.alias):
            later = [other.alias for other in project.items[place + 1 :] if other.expr == item.expr]
            if later:
                yield HiddenAgain(item.alias, plain[item.alias], later[-1])


def as_neo4j_reads(project: ir.Project) -> ir.Project:
    """A projection whose ORDER BY and WHERE name the columns that Neo4j reads there."""
    return _read_instead(project, {each.name: each.old for each in hidden_again(project)})


def for_neo4j(project: ir.Project) -> ir.Project:
    """A projection whose ORDER BY and WHERE name columns that Neo4j reads there, too."""
    return _read_instead(project, {each.name: each.again for each in hidden_again(project)})


def _read_instead(project: ir.Project, names: dict[str, str]) -> ir.Project:
    if not names:
        return project
    rest = renamed(replace(project, items=(), group=None), names)
    return replace(rest, items=project.items, group=project.group)


def _hidden(clause: ir.Clause, imports: tuple[str, ...]) -> set[str]:
    """The imported variables that columns of a WITH hide; the RETURN of a CALL must not."""
    if not isinstance(clause, ir.Project) or clause.final:
        return set()
    return {
        item.alias
        for item in clause.items
        if item.alias in imports and item.expr != ir.Var(item.alias)
    }
