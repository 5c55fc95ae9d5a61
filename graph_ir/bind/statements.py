"""The static checker: names, types, directions, aggregates and clauses of a statement.

`bind` gives every expression and pattern its type and lists all that is wrong. Errors are those
that openCypher raises at compile time (openCypher 9 and its TCK), and, with a schema, what can
never match: labels, types and properties that do not exist, directions in which no edge runs,
comparisons of a property with a constant of another type. Warnings are allowed and rarely meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from graph_ir import nodes as ir
from graph_ir.bind import writes
from graph_ir.bind.calls import Scope
from graph_ir.bind.label_inference import Index, index_of
from graph_ir.bind.patterns import Patterns
from graph_ir.bind.projections import check_grouping, check_visible
from graph_ir.bind.report import Report
from graph_ir.identity_cache import once
from graph_ir.rewrites import has_aggregate
from graph_ir.types import UNKNOWN, item_of, join, nullable
from graph_ir.variables import BINDING, bound_inside, pattern_names
from graph_ir.walk import descend, find, rewrite
from graphmill.errors import Diagnostic, did_you_mean
from schemagraph.model import ANY, Kind, SchemaGraph, Type

TOLERATED = frozenset(
    {
        "impossible-direction",
        "impossible-pattern",
        "incomparable",
        "unknown-label",
        "unknown-property",
        "unknown-type",
    }
)
"""Errors that only a schema shows and that do not make a query meaningless: it is null or empty."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement with types, what is wrong with it, and its columns.

    The type of an edge pattern is that of one edge, also where its variable is a list.
    """

    statement: ir.Statement
    diagnostics: tuple[Diagnostic, ...]
    columns: tuple[tuple[str, Type], ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that make the statement wrong."""
        return tuple(each for each in self.diagnostics if each.severity == "error")


def bind(statement: ir.Statement, schema: SchemaGraph | None = None) -> Bound:
    """`statement` with types, checked against `schema`, or against itself without one.

    >>> from graph_ir.cypher.reader import parse
    >>> [d.code for d in bind(parse("MATCH (n) RETURN m.name")).diagnostics]
    ['undefined-variable']
    """
    report = Report()
    binder = _Binder(report, index_of(schema) if schema is not None else None)
    bound, columns = binder.statement(statement, {})
    return Bound(bound, report.sorted(), tuple(columns.items()))


@once(256)
def bound(statement: ir.Statement, schema: SchemaGraph | None) -> Bound:
    """`bind`, once for all who ask for the same objects: what renders, checks and judges them."""
    return bind(statement, schema)


class _Binder(Patterns):
    """Statements and clauses; what clauses are made of comes from the classes above."""

    outer: frozenset[str] = frozenset()
    """Variables of the enclosing query, which its subqueries see in every clause."""

    dropped: frozenset[str] = frozenset()
    """Variables that are in scope for checks alone: what DISTINCT or groups have left behind in
    ORDER BY and WHERE. A subquery there may bind their names again."""

    def statement(
        self, statement: ir.Statement, scope: Scope, within: str = ""
    ) -> tuple[ir.Statement, Scope]:
        """A statement that sees `scope`, and its columns. `within` is the subquery it is in."""
        if isinstance(statement, ir.Union):
            return self._union(statement, scope, within)
        return self._query(statement, scope, within)

    def _union(self, union: ir.Union, scope: Scope, within: str) -> tuple[ir.Statement, Scope]:
        if isinstance(union.left, ir.Union) and union.left.all != union.all:
            self.report.error(
                union, "mixed-union", "UNION and UNION ALL cannot be mixed in one query."
            )
        left, columns = self.statement(union.left, scope, within)
        right, others = self._query(union.right, scope, within)
        if columns.keys() != others.keys():
            self.report.error(
                union,
                "union-columns",
                f"Both sides of a UNION need the same columns: the left has"
                f" {', '.join(columns)}, the right has {', '.join(others)}.",
            )
        joined = {name: _either(type, others.get(name)) for name, type in columns.items()}
        return ir.Union(left, right, union.all, span=union.span), joined

    def _query(self, query: ir.Query, scope: Scope, within: str) -> tuple[ir.Query, Scope]:
        outer = self.outer
        self.outer = frozenset(scope) if within else frozenset()
        clauses: list[ir.Clause] = []
        visible = {**scope}
        self._check_order(query, within)
        for clause in query.clauses:
            bound, visible = self.clause(clause, visible)
            clauses.append(bound)
        self.outer = outer
        last = clauses[-1]
        columns: Scope = {}
        if isinstance(last, ir.Project):
            columns = {item.alias: item.expr.type for item in last.items}
        elif isinstance(last, ir.Procedure) and len(clauses) == 1:
            columns = {each.alias: ANY for each in last.yields}
        return ir.Query(tuple(clauses), span=query.span), columns

    def _check_order(self, query: ir.Query, within: str) -> None:
        """RETURN stands last, and something must stand last."""
        for clause in query.clauses if len(query.clauses) > 1 else ():
            if isinstance(clause, ir.Procedure):
                self._check_standalone(clause)
        for clause in query.clauses[:-1]:
            if isinstance(clause, ir.Project) and clause.final:
                self.report.error(
                    clause, "return-not-last", "RETURN ends a query; clauses follow it here."
                )
                break
        for clause in query.clauses:
            if within in ("EXISTS", "COUNT", "COLLECT") and isinstance(clause, ir.WRITES):
                self.report.error(
                    clause, "write-in-expression", f"{within} {{ }} reads only, this writes."
                )
        last = query.clauses[-1]
        ends = isinstance(last, ir.WRITES) or (isinstance(last, ir.Project) and last.final)
        if within in ("EXISTS", "COUNT"):  # these may end with any clause that reads
            ends = True
        if isinstance(last, ir.Procedure | ir.Subquery) and within not in ("COLLECT",):
            ends = True
        if not ends:
            name = "WITH" if isinstance(last, ir.Project) else type(last).__name__.upper()
            self.report.error(
                last, "missing-return", f"A query cannot end with {name}: a RETURN is missing."
            )

    def _check_standalone(self, call: ir.Procedure) -> None:
        if call.args is None:
            self.report.error(
                call, "implicit-arguments", "Inside a query, CALL needs its arguments: name(…)."
            )
        if any(each.name == "*" for each in call.yields):
            self.report.error(
                call, "yield-star", "Inside a query, YIELD names the columns that it takes."
            )

    # --- what expressions ask for --------------------------------------------------------

    def subquery(
        self, query: ir.Statement, scope: Scope, kind: str
    ) -> tuple[ir.Statement, list[Type]]:
        """A query inside an expression; it sees every variable of the query around it."""
        dropped, self.dropped = self.dropped, frozenset()
        own = dropped & bound_inside(query) if dropped else dropped
        seen = {name: type for name, type in scope.items() if name not in own}
        bound, columns = self.statement(query, seen, kind)
        self.dropped = dropped
        return bound, list(columns.values())

    # --- clauses -------------------------------------------------------------------------

    def clause(self, clause: ir.Clause, scope: Scope) -> tuple[ir.Clause, Scope]:
        """A clause with types, and the scope behind it."""
        return self._CLAUSES[type(clause)](self, clause, scope)

    def _match(self, match: ir.Match, scope: Scope) -> tuple[ir.Clause, Scope]:
        self.place = "MATCH"
        paths, after = self.paths(match.paths, scope, match.where, optional=match.optional)
        where = None
        if match.where is not None:
            # Rows that are filtered exist: what is optional is not yet null there.
            inside = after
            if match.optional:
                inside = {**after, **self._present(after, scope)}
            where = self._where(match.where, inside)
        if len(match.paths) > 1:
            self._check_connected(match)
        bound = ir.Match(paths, where, match.optional, match.mode, span=match.span)
        return bound, after

    @staticmethod
    def _present(after: Scope, scope: Scope) -> Scope:
        return {
            name: Type(type.kind, type.item, type.of, False)
            for name, type in after.items()
            if name not in scope
        }

    def _check_connected(self, match: ir.Match) -> None:
        """Warn of comma-separated patterns that nothing connects."""
        named = [pattern_names(path) for path in match.paths]
        links = list(named)
        where = match.where
        if where is not None:
            parts = where.args if isinstance(where, ir.Bool) else (where,)
            links += [[var.name for var in find(part, ir.Var)] for part in parts]
        # Every name points to another of its group, the last of them to itself.
        other: dict[str, str] = {}

        def last(name: str) -> str:
            while (further := other.setdefault(name, name)) != name:
                other[name] = other[further]
                name = further
            return name

        for names in links:
            for name in names:
                other[last(name)] = last(names[0])
        groups = {last(names[0]) for names in named if names}
        unnamed = not all(named)
        if len(groups) + unnamed > 1:
            self.report.warning(
                match,
                "cartesian-product",
                "The patterns of this MATCH are not connected: every combination is a row.",
            )

    def _unwind(self, unwind: ir.Unwind, scope: Scope) -> tuple[ir.Clause, Scope]:
        self.place = "UNWIND"
        expr = self.expr(unwind.expr, scope)
        self._new(unwind, unwind.alias, scope)
        type = item_of(expr.type) if expr.type.kind in (Kind.LIST, *UNKNOWN) else expr.type
        bound = ir.Unwind(expr, unwind.alias, span=unwind.span)
        return bound, {**scope, unwind.alias: type}

    def _new(self, at: ir.Node, name: str, scope: Scope) -> None:
        if name in scope:
            self.report.error(
                at, "variable-already-bound", f"The variable '{name}' is already bound."
            )

    def _project(self, project: ir.Project, scope: Scope) -> tuple[ir.Clause, Scope]:
        keyword = "RETURN" if project.final else "WITH"
        if not project.items and project.final:
            self.report.error(
                project, "no-variables", "RETURN * needs variables, and there are none."
            )
        self.place = ""
        keyed, self.keyed = self.keyed, bool(project.group)
        items: list[ir.Item] = []
        columns: Scope = {}
        for item in project.items:
            expr = self.expr(item.expr, scope)
            items.append(ir.Item(expr, item.alias, item.named, span=item.span))
            if item.alias in columns:
                self.report.error(
                    item, "column-conflict", f"Two columns are called '{item.alias}'."
                )
            columns[item.alias] = expr.type
            if not (project.final or item.named or isinstance(item.expr, ir.Var)):
                self.report.error(
                    item, "missing-alias", f"In WITH, '{item.alias}' needs a name: AS …"
                )
        if project.group is not None:
            check_grouping(self.report, project.items)
        restricted = project.distinct or project.group is not None
        group = self._group(project, items, scope)
        inside = {**scope, **columns}
        named = _shadowing(project.items, scope)
        if restricted:
            named += [item for item in project.items if any(find(item.expr, *BINDING))]
            self.dropped = frozenset(scope) - columns.keys() - self.outer
        order = self._order(project, inside, restricted, named)
        skip = None if project.skip is None else self._count(project.skip, "SKIP", scope)
        limit = None if project.limit is None else self._count(project.limit, "LIMIT", scope)
        where = None
        if project.where is not None:
            condition = _by_column(project.where, named)
            where = self._where(condition, inside)
            if restricted:
                check_visible(self.report, condition, project.items, "WHERE", self.outer)
        self.dropped = frozenset()
        self.keyed = keyed
        bound = ir.Project(
            tuple(items), project.distinct, order, skip, limit, where, project.final, group,
            span=project.span,
        )  # fmt: skip
        self.place = keyword
        if self.outer:
            columns = {**{name: scope[name] for name in self.outer if name in scope}, **columns}
        return bound, columns

    def _group(
        self, project: ir.Project, items: list[ir.Item], scope: Scope
    ) -> tuple[ir.Expr, ...] | None:
        if project.group is None:
            return None
        keys = frozenset(project.group)
        bound = [
            new.expr for old, new in zip(project.items, items, strict=True) if old.expr in keys
        ]
        if len(bound) == len(project.group):
            return tuple(bound)
        return tuple([self.expr(key, scope) for key in project.group])

    def _order(
        self, project: ir.Project, inside: Scope, restricted: bool, named: list[ir.Item]
    ) -> tuple[ir.SortKey, ...]:
        keys: list[ir.SortKey] = []
        for key in project.order:
            sorted_by = _by_column(key.expr, named)
            if restricted:
                check_visible(self.report, sorted_by, project.items, "ORDER BY", self.outer)
            elif has_aggregate(sorted_by):
                self.report.error(
                    key,
                    "misplaced-aggregate",
                    "ORDER BY can only use aggregates that are projected: give it a column.",
                )
            self.place = ""
            expr = self.expr(sorted_by, inside)
            keys.append(ir.SortKey(expr, key.descending, span=key.span))
        return tuple(keys)

    def _count(self, expr: ir.Expr, clause: str, scope: Scope) -> ir.Expr:
        """SKIP and LIMIT take a whole number that no row changes."""
        self.place = clause
        if any(True for _ in find(expr, ir.Var)):
            self.report.error(
                expr, "non-constant", f"{clause} takes a constant, it cannot read variables."
            )
            return expr
        bound = self.expr(expr, scope)
        if isinstance(bound, ir.Literal) and isinstance(bound.value, int) and bound.value < 0:
            self.report.error(expr, "negative-count", f"{clause} cannot be negative.")
        elif bound.type.kind not in (Kind.INTEGER, *UNKNOWN):
            self.report.error(
                expr, "operand-type", f"{clause} takes an integer, not {bound.type.kind.lower()}."
            )
        return bound

    def _subquery(self, call: ir.Subquery, scope: Scope) -> tuple[ir.Clause, Scope]:
        seen: Scope = {}
        for name in call.imports:
            if name not in scope:
                self.report.error(
                    call,
                    "undefined-variable",
                    f"The variable '{name}' is not defined here.{did_you_mean(name, scope)}",
                )
            seen[name] = scope.get(name, ANY)
        query, columns = self.statement(call.query, seen, "CALL")
        after = {**scope}
        for name, type in columns.items():
            self._new(call, name, scope)
            after[name] = nullable(type, call.optional)
        return ir.Subquery(query, call.imports, call.optional, span=call.span), after

    def _procedure(self, call: ir.Procedure, scope: Scope) -> tuple[ir.Clause, Scope]:
        self.place = "CALL"
        args = None if call.args is None else self._all(call.args, scope)
        after = {**scope}
        for each in call.yields:
            if each.name == "*":
                continue
            if each.alias in after:
                self._new(each, each.alias, after)
            after[each.alias] = ANY
        where = None if call.where is None else self._where(call.where, after)
        bound = ir.Procedure(call.name, args, call.yields, where, span=call.span)
        return bound, after

    _CLAUSES: ClassVar[dict[type[ir.Node], Callable[[Any, Any, Scope], tuple[Any, Scope]]]] = {
        ir.Match: _match,
        ir.Unwind: _unwind,
        ir.Project: _project,
        ir.Subquery: _subquery,
        ir.Procedure: _procedure,
        ir.ServerOption: lambda self, clause, scope: (clause, scope),
        ir.Create: writes.create,
        ir.Merge: writes.merge,
        ir.Set: writes.set_clause,
        ir.Remove: writes.remove,
        ir.Delete: writes.delete,
        ir.Foreach: lambda self, clause, scope: writes.foreach(self, clause, scope, self.clause),
        ir.LoadCsv: writes.load_csv,
    }


class Rebinder:
    """Binds variants of a bound statement, each of which differs from it in a place or two.

    Clauses are bound once for each scope that they stand in; those that a variant shares with
    the statement are the same objects in what it becomes.
    """

    def __init__(self, statement: ir.Statement, schema: SchemaGraph | None) -> None:
        self._index = index_of(schema) if schema is not None else None
        self._memory: _Memory = {}
        self.bound = self._bind(statement, own=True)

    def bind(self, variant: ir.Statement) -> Bound:
        """`bind` of a variant."""
        return self._bind(variant, own=False)

    def _bind(self, statement: ir.Statement, *, own: bool) -> Bound:
        report = Report()
        binder = _Remembering(report, self._index, self._memory, own)
        bound, columns = binder.statement(statement, {})
        return Bound(bound, report.sorted(), tuple(columns.items()))


type _Memory = dict[
    tuple[int, frozenset[str], tuple[tuple[str, Type], ...]],
    tuple[ir.Clause, ir.Clause, Scope, tuple[Diagnostic, ...], str],
]
"""By clause, names of the enclosing query and scope: the clause, what it is when it is bound, the
scope behind it, what was found, and the place that messages name."""


class _Remembering(_Binder):
    """A binder that remembers clauses; `own`: what binding does not change stays as it is."""

    def __init__(self, report: Report, index: Index | None, memory: _Memory, own: bool) -> None:
        super().__init__(report, index)
        self.memory = memory
        self.own = own

    def clause(self, clause: ir.Clause, scope: Scope) -> tuple[ir.Clause, Scope]:
        key = (id(clause), self.outer, tuple(scope.items()))
        known = self.memory.get(key)
        if known is not None:
            self.report.diagnostics += known[3]
            self.place = known[4]
            return known[1], known[2]
        before = len(self.report.diagnostics)
        bound, after = super().clause(clause, {**scope})  # what is undefined is put into it
        if self.own and bound == clause and _same_types(bound, clause):
            bound = clause
        findings = tuple(self.report.diagnostics[before:])
        self.memory[key] = (clause, bound, after, findings, self.place)
        return bound, after


def _same_types(one: ir.Node, other: ir.Node) -> bool:
    """Whether two nodes of the same content are of the same types throughout."""
    return all(
        getattr(a, "type", None) == getattr(b, "type", None)
        for a, b in zip(descend(one), descend(other), strict=True)
    )


def _shadowing(items: tuple[ir.Item, ...], scope: Scope) -> list[ir.Item]:
    """The items to look for in ORDER BY and WHERE, if a column hides a variable that they read.

    `RETURN a.x AS a ORDER BY a.x` sorts by the column: Neo4j finds projected expressions before
    it resolves names. Without hidden variables both readings are the same.
    """
    hides = any(
        item.alias in scope and not (isinstance(item.expr, ir.Var) and item.expr.name == item.alias)
        for item in items
    )
    return [item for item in items if not isinstance(item.expr, ir.Var)] if hides else []


def _by_column(expr: ir.Expr, items: list[ir.Item]) -> ir.Expr:
    """`expr` with the expressions of `items` replaced by their columns."""
    if not items:
        return expr

    def change(node: ir.Node) -> ir.Node:
        for item in items:
            if item.expr == node:
                return ir.Var(item.alias, span=node.span)
        return node

    return rewrite(expr, change)


def _either(left: Type, right: Type | None) -> Type:
    return left if right is None else join((left, right))
