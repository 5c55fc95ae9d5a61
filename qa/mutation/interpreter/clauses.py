"""Whole statements as programs that run on small graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from engines.base import Result
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import columns, introduced
from graph_ir.walk import descend, find, substitute
from qa.mutation.interpreter.aggregates import aggregated
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.interpreter.expressions import Env, Fn, TooMuch
from qa.mutation.interpreter.patterns import Patterns, Search, Sink
from qa.mutation.interpreter.rows import cut, differ, distinct, same_rows
from qa.mutation.interpreter.sharing import Memory, Step, alike
from qa.mutation.interpreter.values import Unsupported, answer_key, group_key, shown, sort_key

STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer before its final window: rows and, where the query orders, their sort keys.

    Rows are in a form in which equal answers are equal. `open`: rows were chosen among ties
    inside the query, so that another engine may have others.
    """

    rows: list[tuple[Any, ...]]
    keys: list[tuple[Any, ...]] | None = None
    skip: int = 0
    limit: int | None = None
    open: bool = False

    @property
    def window(self) -> list[tuple[Any, ...]]:
        """The rows that the query returns."""
        stop = None if self.limit is None else self.skip + self.limit
        return self.rows[self.skip : stop]


@dataclass(frozen=True, slots=True)
class Trace:
    """A program's run on a graph: its rows before each clause and behind the last, its answer.

    `rows` is empty where the statement is a union.
    """

    rows: list[list[Env]]
    outcome: Outcome


class Program(Patterns):
    """A statement compiled once, to be run on many graphs.

    A variant of another program (`beside`) takes from it what they have in common: clauses that
    are the same object are compiled once, and on a graph where the other has run
    only those clauses are run that differ, or whose rows do.

    Raises:
        Unsupported: it says what the interpreter does not.
    """

    def __init__(self, statement: ir.Statement, beside: Program | None = None) -> None:
        super().__init__()
        self._memory: Memory = Memory() if beside is None else beside._memory
        self.open_lists, names_paths = self._memory.facts(statement)
        self.measured = _measured(statement) if names_paths else frozenset()
        if beside is not None and not (self.measured or beside.measured):
            self.machine = beside.machine
        else:
            self._memory = Memory()
        self.skip: int | None = None
        self.limit: int | None = None
        self._sorts = 0  # keys by which the last clause sorts
        self.clauses: tuple[ir.Clause, ...] = ()
        self.columns = columns(statement)
        self._steps: list[Step] = []
        if isinstance(statement, ir.Query):
            self.clauses = (*statement.clauses[:-1], self._final(statement.clauses[-1]))
            self._steps = self._compiled(self.clauses, set())
        else:
            self._steps = [self._statement(statement, set())]
        self._beside = beside
        self._first, self._same = self._shared(beside) if beside is not None else (0, 0)

    def _shared(self, other: Program) -> tuple[int, int]:
        """How many clauses at the beginning and at the end are those of the other program."""
        if self._memory is not other._memory or not (self.clauses and other.clauses):
            return 0, 0
        first = alike(self.clauses, other.clauses)
        same = alike(self.clauses[first:][::-1], other.clauses[first:][::-1])
        return first, same if self.open_lists is other.open_lists else 0

    def run(self, graph: MemoryGraph, steps: int = STEPS) -> Outcome:
        """The answer on `graph`.

        Raises:
            TooMuch: more than so many steps are needed.
            Fault: the query has no answer there.
            Unsupported: a value is of a kind that is left to engines.
        """
        return self._outcome(self._rows(graph, steps))

    def trace(self, graph: MemoryGraph, steps: int = STEPS) -> Trace:
        """The answer, and what variants of this program can begin with; raises as `run` does."""
        passed: list[list[Env]] = []
        rows = self._rows(graph, steps, passed)
        return Trace([*passed, rows] if self.clauses else [], self._outcome(rows))

    def run_beside(self, trace: Trace, graph: MemoryGraph, steps: int = STEPS) -> Outcome:
        """The answer on a graph on which the other program has run, whose answer is not open.

        It is the other's `Outcome` where that is found out on the way. Raises as `run` does.
        """
        if not self._first and not self._same:
            return self.run(graph, steps)
        self._begin(graph, steps)
        rows = trace.rows[self._first]
        until = len(self.clauses) - self._same
        for step in self._steps[self._first : until]:
            rows = step(rows)
        known = len(trace.rows) - 1 - self._same
        if self._same and not self.machine.open and rows == trace.rows[known]:
            outcome, window = trace.outcome, (self.skip or 0, self.limit)
            if window == (outcome.skip, outcome.limit):
                return outcome
            return replace(outcome, skip=window[0], limit=window[1])
        for step in self._steps[until:]:
            rows = step(rows)
        return self._outcome(rows)

    def result(self, graph: MemoryGraph, steps: int = STEPS) -> Result:
        """The answer as engines give it; raises as `run` does."""
        rows = self._rows(graph, steps)
        answers = [tuple(shown(env[name]) for name in self.columns) for env in rows]
        start = self.skip or 0
        stop = None if self.limit is None else start + self.limit
        return Result(self.columns, tuple(answers[start:stop]))

    def _begin(self, graph: MemoryGraph, steps: int) -> None:
        machine = self.machine
        machine.graph, machine.left, machine.open = graph, steps, False

    def _rows(
        self, graph: MemoryGraph, steps: int, passed: list[list[Env]] | None = None
    ) -> list[Env]:
        self._begin(graph, steps)
        rows: list[Env] = [{}]
        for step in self._steps:
            if passed is not None:
                passed.append(rows)
            rows = step(rows)
        return rows

    def _outcome(self, rows: list[Env]) -> Outcome:
        names, open_lists, sorts = self.columns, self.open_lists, range(self._sorts)
        answer_keys = [tuple([answer_key(env[name], open_lists) for name in names]) for env in rows]
        keys = [tuple([env[f"{_KEY}{n}"] for n in sorts]) for env in rows] if sorts else None
        return Outcome(answer_keys, keys, self.skip or 0, self.limit, self.machine.open)

    def _final(self, last: ir.Clause) -> ir.Clause:
        """The last clause without its window, which `Outcome` holds."""
        if not isinstance(last, ir.Project):
            raise Unsupported("a query that does not end with RETURN")
        self.skip, self.limit = _count(last.skip), _count(last.limit)
        self._sorts = len(last.order)
        return self._memory.whole(last)

    # --- statements --------------------------------------------------------------------------

    def _compiled(self, clauses: tuple[ir.Clause, ...], scope: set[str]) -> list[Step]:
        steps = []
        inside = set(scope)
        for clause in clauses:
            steps.append(self._memory.step(clause, inside, self._outer, self._clause))
            if isinstance(clause, ir.Project):
                inside = set(scope) & self._outer
            inside |= set(introduced(clause))
        return steps

    def _statement(self, statement: ir.Statement, scope: set[str]) -> Step:
        if isinstance(statement, ir.Union):
            return self._union(statement, scope)
        steps = self._compiled(statement.clauses, scope)

        def run(rows: list[Env]) -> list[Env]:
            for step in steps:
                rows = step(rows)
            return rows

        return run

    _outer: frozenset[str] = frozenset()

    def _union(self, union: ir.Union, scope: set[str]) -> Step:
        names = columns(union)
        left, right = self._statement(union.left, scope), self._statement(union.right, scope)

        def run(rows: list[Env]) -> list[Env]:
            united = [*left(rows), *right(rows)]
            return united if union.all else distinct(united, names)

        return run

    def _clause(self, clause: ir.Clause, scope: set[str]) -> Step:
        match clause:
            case ir.Match():
                return self._match(clause, scope)
            case ir.Unwind():
                return self._unwind(clause)
            case ir.Project():
                return self._project(clause)
            case ir.Subquery():
                return self._subquery(clause)
        raise Unsupported(type(clause).__name__)

    def _match(self, match: ir.Match, scope: set[str]) -> Step:
        search = self.pattern(match.paths, match.where, match.mode, scope)
        new = dict.fromkeys(name for name in introduced(match) if name not in scope)

        optional = match.optional

        def run(rows: list[Env]) -> list[Env]:
            kept: list[Env] = []

            def keep(env: Env) -> None:
                kept.append(env.copy())

            for env in rows:
                before = len(kept)
                search(env, keep)
                if optional and len(kept) == before:
                    kept.append({**env, **new})
            return kept

        return run

    def _unwind(self, unwind: ir.Unwind) -> Step:
        of, alias = self.expr(unwind.expr), unwind.alias

        def run(rows: list[Env]) -> list[Env]:
            unwound = []
            for env in rows:
                value = of(env)
                for item in value if isinstance(value, list) else [value]:
                    if item is not None or isinstance(value, list):
                        unwound.append({**env, alias: item})
            return unwound

        return run

    def _subquery(self, call: ir.Subquery) -> Step:
        names = columns(call.query)
        if not names:
            raise Unsupported("a CALL that returns nothing")
        main = self._nested(call.query, set(call.imports))

        def run(rows: list[Env]) -> list[Env]:
            joined = []
            for env in rows:
                inner = main([{name: env[name] for name in call.imports}])
                joined += [{**env, **{name: row[name] for name in names}} for row in inner]
                if call.optional and not inner:
                    joined.append({**env, **dict.fromkeys(names)})
            return joined

        return run

    def _nested(self, statement: ir.Statement, scope: set[str]) -> Step:
        """A statement in a statement: its windows are inside, so their ties are open choices."""
        outer, self._outer = self._outer, frozenset(scope)
        step = self._statement(statement, scope)
        self._outer = outer
        return step

    # --- subqueries in expressions -----------------------------------------------------------

    def _body(self, statement: ir.Statement) -> Callable[[Env], list[Env]]:
        names = list(dict.fromkeys(_mentioned(statement)))
        programs: dict[tuple[bool, ...], Step] = {}

        def run(env: Env) -> list[Env]:
            known = tuple([name in env for name in names])
            main = programs.get(known)
            if main is None:
                scope = {name for name, is_known in zip(names, known, strict=True) if is_known}
                main = programs[known] = self._nested(statement, scope)
            return main([env])

        return run

    def _matches(self, statement: ir.Statement) -> Callable[[Env, Sink], bool] | None:
        """The search of a subquery that is a MATCH and nothing else."""
        if not isinstance(statement, ir.Query) or len(statement.clauses) > 1:
            return None
        match = statement.clauses[0]
        if not isinstance(match, ir.Match) or match.optional:
            return None
        names = list(dict.fromkeys(_mentioned(match)))
        searches: dict[tuple[bool, ...], Search] = {}

        def search(env: Env, sink: Sink) -> bool:
            known = tuple([name in env for name in names])
            path_search = searches.get(known)
            if path_search is None:
                scope = {name for name, is_known in zip(names, known, strict=True) if is_known}
                path_search = searches[known] = self.pattern(
                    match.paths, match.where, match.mode, scope
                )
            return path_search(env, sink)

        return search

    def _exists(self, node: ir.Exists) -> Fn:
        search = self._matches(node.query)
        if search is not None:
            return lambda env: search(env, _stop)
        body = self._body(node.query)
        return lambda env: bool(body(env))

    def _countof(self, node: ir.CountOf) -> Fn:
        search = self._matches(node.query)
        if search is None:
            body = self._body(node.query)
            return lambda env: len(body(env))

        def count(env: Env) -> int:
            total = 0

            def one_more(env: Env) -> None:
                nonlocal total
                total += 1

            search(env, one_more)
            return total

        return count

    def _collectof(self, node: ir.CollectOf) -> Fn:
        body, name = self._body(node.query), columns(node.query)[0]
        return lambda env: [row[name] for row in body(env)]

    def _patterncomp(self, node: ir.PatternComp) -> Fn:
        item = ir.Project((ir.Item(node.result, "value"),), final=True)
        body = self._body(ir.Query((ir.Match((node.path,), node.where), item)))
        return lambda env: [row["value"] for row in body(env)]

    # --- projections -------------------------------------------------------------------------

    def _project(self, project: ir.Project) -> Step:
        last = self._memory.is_final(project)
        project = _on_columns(project)
        if project.group is None and not project.order and project.where is None:
            return self._cut(project, self._listed(project))
        rows = self._grouped(project) if project.group is not None else self._plain(project)
        names = [item.alias for item in project.items]
        order = [self.expr(key.expr) for key in project.order]
        down = [key.descending for key in project.order]
        where = self.truth(project.where) if project.where is not None else None
        sorts = [f"{_KEY}{number}" for number in range(len(order))]
        kept = [*names, *(sorts if last else ())]
        outer = self._outer

        def run(given: list[Env]) -> list[Env]:
            projected = rows(given)
            if order:
                for env in projected:
                    for name, of in zip(sorts, order, strict=True):
                        env[name] = sort_key(of(env))
                for name, turned in reversed(list(zip(sorts, down, strict=True))):
                    projected.sort(key=itemgetter(name), reverse=turned)
            return projected

        def narrow(projected: list[Env]) -> list[Env]:
            if where is not None:
                projected = [env for env in projected if where(env)]
            if outer:
                return [
                    {**{n: env[n] for n in outer if n in env}, **{name: env[name] for name in kept}}
                    for env in projected
                ]
            return [{name: env[name] for name in kept} for env in projected]

        return self._cut(project, run, sorts, narrow)

    def _cut(
        self,
        project: ir.Project,
        rows: Step,
        sorts: Sequence[str] = (),
        narrow: Step = lambda rows: rows,
    ) -> Step:
        """The window of a projection, then what of its rows goes on."""
        names = [item.alias for item in project.items]
        skip = self.expr(project.skip) if project.skip is not None else None
        limit = self.expr(project.limit) if project.limit is not None else None
        machine = self.machine

        def run(given: list[Env]) -> list[Env]:
            kept_rows = rows(given)
            if skip or limit:
                places = (
                    [tuple([env[name] for name in sorts]) for env in kept_rows] if sorts else None
                )
                window, parts = cut(kept_rows, places, skip, limit)
                machine.open |= parts and (
                    not same_rows(kept_rows, names)
                    if places is None
                    else differ(places, kept_rows, names)
                )
                kept_rows = window
            machine.left -= len(kept_rows)
            if machine.left < 0:
                raise TooMuch
            return narrow(kept_rows)

        return run

    def _listed(self, project: ir.Project) -> Step:
        """A projection that nothing sorts or filters: what it does not name is gone at once."""
        items = [(item.alias, self.expr(item.expr)) for item in project.items]
        names, outer = [name for name, _ in items], self._outer

        def run(rows: list[Env]) -> list[Env]:
            projected = [{name: of(env) for name, of in items} for env in rows]
            if outer:
                pairs = zip(rows, projected, strict=True)
                projected = [
                    {**{n: env[n] for n in outer if n in env}, **row} for env, row in pairs
                ]
            return distinct(projected, names) if project.distinct else projected

        return run

    def _plain(self, project: ir.Project) -> Step:
        items = [(item.alias, self.expr(item.expr)) for item in project.items]
        names = [name for name, _ in items]

        def run(rows: list[Env]) -> list[Env]:
            projected = [{**env, **{name: of(env) for name, of in items}} for env in rows]
            return distinct(projected, names) if project.distinct else projected

        return run

    def _grouped(self, project: ir.Project) -> Step:
        aggregates: list[ir.Agg] = []

        def slot(node: ir.Node) -> ir.Node | None:
            if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
                return node
            if not isinstance(node, ir.Agg):
                return None
            aggregates.append(node)
            return ir.Var(f"{_AGG}{len(aggregates) - 1}")

        items = [(i.alias, self.expr(substitute(i.expr, slot))) for i in project.items]
        keys = [self.expr(i.expr) for i in project.items if not has_aggregate(i.expr)]
        computed = [self._aggregate(agg) for agg in aggregates]
        names = [item.alias for item in project.items]

        def run(rows: list[Env]) -> list[Env]:
            groups: dict[Any, list[Env]] = {}
            for env in rows:
                groups.setdefault(tuple([group_key(key(env)) for key in keys]), []).append(env)
            if not groups and not keys:
                groups[()] = []
            group_rows = []
            for members in groups.values():
                env = dict(members[0]) if members else {}
                env.update({f"{_AGG}{n}": of(members) for n, of in enumerate(computed)})
                group_rows.append({**env, **{name: of(env) for name, of in items}})
            return distinct(group_rows, names) if project.distinct else group_rows

        return run

    def _aggregate(self, agg: ir.Agg) -> Callable[[list[Env]], Any]:
        if not agg.args:
            return len
        of = self.expr(agg.args[0])
        more = [self.expr(arg) for arg in agg.args[1:]]
        name = agg.name

        def call(rows: list[Env]) -> Any:
            values = [value for row in rows if (value := of(row)) is not None]
            if agg.distinct:
                values = list({group_key(value): value for value in reversed(values)}.values())[
                    ::-1
                ]
            extra = [arg(rows[0]) if rows else None for arg in more]
            return aggregated(name, values, extra)

        return call


def _stop(env: Env) -> bool:
    return True


def _mentioned(node: ir.Node) -> Iterator[str]:
    """The variables that a subquery reads or binds."""
    for each in descend(node):
        if isinstance(each, ir.Var):
            yield each.name
        elif isinstance(each, ir.NodePattern | ir.EdgePattern | ir.Path) and each.var:
            yield each.var


def _measured(statement: ir.Statement) -> frozenset[str]:
    """Variables of which only the length is asked: which of several paths it is does not matter."""
    lengths = [
        call.args[0].name
        for call in find(statement, ir.Call)
        if call.name == "length" and isinstance(call.args[0], ir.Var)
    ]
    uses = Counter(variable.name for variable in find(statement, ir.Var))
    named = {path.var for path in find(statement, ir.Path) if path.var is not None}
    return frozenset(name for name in named if uses[name] == lengths.count(name))


def _count(bound: ir.Expr | None) -> int | None:
    if bound is None:
        return None
    if isinstance(bound, ir.Literal) and isinstance(bound.value, int):
        return int(bound.value)
    raise Unsupported("a window that is no number")


_KEY = "\x00key"
_AGG = "\x00aggregate"


def _on_columns(project: ir.Project) -> ir.Project:
    """ORDER BY and WHERE of a restricted projection in terms of its columns."""
    if project.group is None and not project.distinct:
        return project
    items = [item for item in project.items if not isinstance(item.expr, ir.Var)]

    def change(node: ir.Node) -> ir.Node | None:
        return next((ir.Var(item.alias) for item in items if item.expr == node), None)

    order = tuple(replace(key, expr=substitute(key.expr, change)) for key in project.order)
    where = substitute(project.where, change) if project.where is not None else None
    return replace(project, order=order, where=where)
