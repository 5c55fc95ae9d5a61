"""Scopes made plain: one name is one variable, and what a subquery reads stays a column of it.

`MATCH (p) WITH p.city AS city, count(*) AS n WHERE EXISTS { MATCH (p) … }` has two variables `p`.
A dialect that carries, groups or substitutes by name would take the second for the first. And
`COUNT { MATCH (p)-->(q) WITH DISTINCT q MATCH (p)-->(x) }` meets the `p` from outside twice: a
dialect that forgets what a WITH drops would take the last one for a new variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.variables import (
    BINDING,
    SUBQUERIES,
    bound_inside,
    introduced,
    pattern_names,
    read_names,
)
from graph_ir.walk import descend, find, rewrite, substitute, with_fields

type Alone = Callable[[ir.Project], bool]


def plain_scopes(statement: ir.Statement, alone: Alone = lambda _: False) -> ir.Statement:
    """`statement` with a new name for each variable of an expression that has the name of one
    which was in scope before it and is no longer; in subqueries, WITH shows what clauses after it
    read from outside, and groups by that. The same object where there is nothing of the kind.

    Aggregates in EXISTS, COUNT and COLLECT of which `alone` holds have their row over nothing: they
    are put into a CALL, which groups by nothing from outside.
    """
    if not any(True for _ in find(statement, ir.Subquery, *BINDING)):
        return statement
    return _Scopes(statement, alone).statement(statement, frozenset(), frozenset())


class _Scopes:
    def __init__(self, whole: ir.Statement, alone: Alone) -> None:
        self.whole = whole
        self.alone = alone
        self.names: dict[str, str] = {}
        """The new name for an old one: the same in an item and in the grouping key that it is."""

    def statement(
        self,
        statement: ir.Statement,
        scope: frozenset[str],
        known: frozenset[str],
        *,
        within: bool = False,
    ) -> ir.Statement:
        """A statement that sees `scope`, `within` an expression in all its clauses; `known` has
        been in scope somewhere."""
        if isinstance(statement, ir.Union):
            left = self.statement(statement.left, scope, known, within=within)
            right = self._query(statement.right, scope, known, within=within)
            same = left is statement.left and right is statement.right
            return statement if same else with_fields(statement, {"left": left, "right": right})
        return self._query(statement, scope, known, within=within)

    def _query(
        self, query: ir.Query, outer: frozenset[str], known: frozenset[str], *, within: bool
    ) -> ir.Query:
        visible, seen = set(outer), {*known, *outer}
        clauses: list[ir.Clause] = []
        for place, clause in enumerate(query.clauses):
            own = introduced(clause)
            if isinstance(clause, ir.Project) and outer and not clause.final:
                names = _read_later(clause, outer, query.clauses[place + 1 :])
                if clause.group == () and (self.alone(clause) if within else names):
                    clauses, clause = _in_call(clauses, clause, outer)
                if names:
                    clause = _with_columns(clause, names)
            if not any(isinstance(part, (ir.Subquery, *BINDING)) for part in descend(clause)):
                clauses.append(clause)
            elif isinstance(clause, ir.Project):
                clauses.append(self._project(clause, visible, outer.union(own), seen))
            elif isinstance(clause, ir.Subquery):
                inner = self.statement(clause.query, frozenset(clause.imports), frozenset(seen))
                same = inner is clause.query
                clauses.append(clause if same else with_fields(clause, {"query": inner}))
            else:
                clauses.append(self._within(clause, frozenset(visible.union(own)), seen))
            if isinstance(clause, ir.Project):
                visible = set(outer)
            visible.update(own)
            seen.update(own)
        same = len(clauses) == len(query.clauses)
        if same and all(new is old for new, old in zip(clauses, query.clauses, strict=True)):
            return query
        return with_fields(query, {"clauses": tuple(clauses)})

    def _project(
        self, project: ir.Project, before: set[str], after: frozenset[str], known: set[str]
    ) -> ir.Project:
        """ORDER BY and WHERE see the columns, and what was before them where no row is lost."""
        restricted = project.distinct or project.group is not None
        scope = after if restricted else after.union(before)
        late = {id(part) for part in (*project.order, project.where) if part is not None}

        def change(part: ir.Node) -> ir.Node | None:
            if id(part) in late:
                return self._within(part, scope, known)
            if isinstance(part, BINDING):
                return self._expression(part, frozenset(before), known)
            return None

        return substitute(project, change)

    def _within[N: ir.Node](self, node: N, scope: frozenset[str], known: set[str]) -> N:
        """What is no statement, where `scope` is seen."""

        def change(part: ir.Node) -> ir.Node | None:
            return self._expression(part, scope, known) if isinstance(part, BINDING) else None

        return substitute(node, change)

    def _expression(self, node: ir.Expr, scope: frozenset[str], known: set[str]) -> ir.Node:
        """An expression that binds: its own names apart, then those of what is inside."""
        hidden = known.difference(scope) & bound_inside(node)
        if hidden:
            node = renamed(node, {name: self._new(name) for name in hidden})
        if isinstance(node, SUBQUERIES):
            query = self.statement(node.query, scope, frozenset(known), within=True)
            return node if query is node.query else with_fields(node, {"query": query})
        inner = scope.union(_own(node))

        def change(part: ir.Node) -> ir.Node | None:
            if part is not node and isinstance(part, BINDING):
                return self._expression(part, inner, known)
            return None

        return substitute(node, change)

    def _new(self, name: str) -> str:
        if name not in self.names:
            taken = {*self.names.values()}
            self.names[name] = next(n for n in unused_names(self.whole, name) if n not in taken)
        return self.names[name]


def _read_later(
    project: ir.Project, outer: frozenset[str], after: Sequence[ir.Clause]
) -> list[str]:
    """What the WHERE of a WITH and the clauses after it read from outside of the subquery."""
    later = after if project.where is None else (project.where, *after)
    return sorted(outer & _reads(later) - {item.alias for item in project.items})


def _reads(clauses: Iterable[ir.Node]) -> set[str]:
    parts = tuple(clauses)
    calls = (call for part in parts for call in find(part, ir.Subquery))
    return read_names(*parts).union(*(call.imports for call in calls))


def _with_columns(project: ir.Project, names: Sequence[str]) -> ir.Project:
    """A WITH with more variables among its columns and, where it groups, among its keys."""
    keys = tuple(map(ir.Var, names))
    group = None if project.group is None else (*project.group, *keys)
    items = (*project.items, *(ir.Item(key, key.name) for key in keys))
    return with_fields(project, {"items": items, "group": group})


def _in_call(
    before: Sequence[ir.Clause], project: ir.Project, outer: frozenset[str]
) -> tuple[list[ir.Clause], ir.Project]:
    """A WITH of aggregates alone, and what stands before it, as a CALL with one row; and the WITH
    that shows its columns."""
    last = with_fields(project, {"final": True, "where": None})
    body = ir.Query((*before, last))
    imports = tuple(sorted(outer & _reads(body.clauses)))
    items = tuple(ir.Item(ir.Var(item.alias), item.alias) for item in project.items)
    return [ir.Subquery(body, imports)], ir.Project(items, where=project.where)


def _own(node: ir.Expr) -> set[str]:
    """What an expression that is no subquery binds for its parts."""
    match node:
        case ir.PatternComp(path=path):
            return set(pattern_names(path))
        case ir.Reduce(var=var, acc=acc):
            return {var, acc}
        case ir.ListComp(var=var) | ir.Quantifier(var=var):
            return {var}
    return set()


def renamed[N: ir.Node](node: N, names: Mapping[str, str]) -> N:
    """A copy in which variables have other names, where they are bound and where they are read."""

    def change(part: ir.Node) -> ir.Node:
        updates: dict[str, object] = {}
        for field in ("var", "acc", "alias"):
            if getattr(part, field, None) in names:
                updates[field] = names[getattr(part, field)]
        if isinstance(part, ir.Var) and part.name in names:
            updates["name"] = names[part.name]
        if isinstance(part, ir.Subquery) and not names.keys().isdisjoint(part.imports):
            updates["imports"] = tuple(names.get(each, each) for each in part.imports)
        return with_fields(part, updates) if updates else part

    return rewrite(node, change)
