"""Whole statements as programs that run on small graphs."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from engines.base import Result
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate, leaves_lists_open
from graph_ir.variables import columns, introduced
from graph_ir.walk import descend, find, substitute
from qa.discrimination.interpreter.elements import MemoryGraph
from qa.discrimination.interpreter.expressions import Env, Fn
from qa.discrimination.interpreter.patterns import Patterns, Search, Sink
from qa.discrimination.interpreter.values import (
    Fault,
    Unsupported,
    answer_key,
    group_key,
    is_number,
    shown,
    sort_key,
)

type Rows = Iterable[Env]
type Step = Callable[[Rows], Rows]
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


class Program(Patterns):
    """A statement compiled once, to be run on many graphs.

    Raises:
        Unsupported: it says what the interpreter does not.
    """

    def __init__(self, statement: ir.Statement) -> None:
        super().__init__()
        self.open_lists = leaves_lists_open(statement)
        self.measured = _measured(statement)
        self.order: list[Fn] | None = None
        self.descending: list[bool] = []
        self.skip: int | None = None
        self.limit: int | None = None
        if isinstance(statement, ir.Query):
            statement = self._final(statement)
        self.columns = columns(statement)
        self.main = self._statement(statement, set())

    def run(self, graph: MemoryGraph, steps: int = STEPS) -> Outcome:
        """The answer on `graph`.

        Raises:
            TooMuch: more than so many steps are needed.
            Fault: the query has no answer there.
            Unsupported: a value is of a kind that is left to engines.
        """
        rows: list[tuple[Any, ...]] = []
        keys: list[tuple[Any, ...]] = []
        for env in self._rows(graph, steps):
            rows.append(tuple([answer_key(env[name], self.open_lists) for name in self.columns]))
            if self.order is not None:
                keys.append(tuple(env[f"{_KEY}{n}"] for n in range(len(self.order))))
        return Outcome(
            rows, keys if self.order else None, self.skip or 0, self.limit, self.machine.open
        )

    def result(self, graph: MemoryGraph, steps: int = STEPS) -> Result:
        """The answer as engines give it; raises as `run` does."""
        found = [
            tuple(shown(env[name]) for name in self.columns) for env in self._rows(graph, steps)
        ]
        start = self.skip or 0
        stop = None if self.limit is None else start + self.limit
        return Result(self.columns, tuple(found[start:stop]))

    def _rows(self, graph: MemoryGraph, steps: int) -> Rows:
        machine = self.machine
        machine.graph, machine.left, machine.open = graph, steps, False
        return self.main([{}])

    def _final(self, query: ir.Query) -> ir.Query:
        """The query without its final window, which `Outcome` holds."""
        last = query.clauses[-1]
        if not isinstance(last, ir.Project):
            raise Unsupported("a query that does not end with RETURN")
        self.skip, self.limit = _count(last.skip), _count(last.limit)
        if last.order:
            self.order = []
        last = replace(last, skip=None, limit=None)
        return replace(query, clauses=(*query.clauses[:-1], last))

    # --- statements --------------------------------------------------------------------------

    def _statement(self, statement: ir.Statement, scope: set[str]) -> Step:
        if isinstance(statement, ir.Union):
            return self._union(statement, scope)
        steps = []
        inside = set(scope)
        for clause in statement.clauses:
            steps.append(self._clause(clause, inside))
            if isinstance(clause, ir.Project):
                inside = set(scope) & self._outer
            inside |= set(introduced(clause))

        def run(rows: Rows) -> Rows:
            for step in steps:
                rows = step(rows)
            return rows

        return run

    _outer: frozenset[str] = frozenset()

    def _union(self, union: ir.Union, scope: set[str]) -> Step:
        names = columns(union)
        left, right = self._statement(union.left, scope), self._statement(union.right, scope)

        def run(rows: Rows) -> Rows:
            given = list(rows)
            found = [*left(given), *right(given)]
            return found if union.all else _distinct(found, names)

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
        found = self.pattern(match.paths, match.where, match.mode, scope)
        new = dict.fromkeys(name for name in introduced(match) if name not in scope)

        optional = match.optional

        def run(rows: Rows) -> Rows:
            kept: list[Env] = []

            def keep(env: Env) -> None:
                kept.append(env.copy())

            for env in rows:
                before = len(kept)
                found(env, keep)
                if optional and len(kept) == before:
                    kept.append({**env, **new})
            return kept

        return run

    def _unwind(self, unwind: ir.Unwind) -> Step:
        of, alias = self.expr(unwind.expr), unwind.alias

        def run(rows: Rows) -> Iterator[Env]:
            for env in rows:
                value = of(env)
                for item in value if isinstance(value, list) else [value]:
                    if item is not None or isinstance(value, list):
                        yield {**env, alias: item}

        return run

    def _subquery(self, call: ir.Subquery) -> Step:
        names = columns(call.query)
        if not names:
            raise Unsupported("a CALL that returns nothing")
        main = self._nested(call.query, set(call.imports))

        def run(rows: Rows) -> Iterator[Env]:
            for env in rows:
                inner = {name: env[name] for name in call.imports}
                empty = True
                for row in main([inner]):
                    empty = False
                    yield {**env, **{name: row[name] for name in names}}
                if empty and call.optional:
                    yield {**env, **dict.fromkeys(names)}

        return run

    def _nested(self, statement: ir.Statement, scope: set[str]) -> Step:
        """A statement in a statement: its windows are inside, so their ties are open choices."""
        outer, self._outer = self._outer, frozenset(scope)
        order, self.order = self.order, None
        found = self._statement(statement, scope)
        self._outer, self.order = outer, order
        return found

    # --- subqueries in expressions -----------------------------------------------------------

    def _body(self, statement: ir.Statement) -> Callable[[Env], Rows]:
        scope = set(_mentioned(statement))
        programs: dict[frozenset[str], Step] = {}

        def run(env: Env) -> Rows:
            known = frozenset(name for name in scope if name in env)
            main = programs.get(known)
            if main is None:
                main = programs[known] = self._nested(statement, set(known))
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
            found = searches.get(known)
            if found is None:
                scope = {name for name, is_known in zip(names, known, strict=True) if is_known}
                found = searches[known] = self.pattern(match.paths, match.where, match.mode, scope)
            return found(env, sink)

        return search

    def _exists(self, node: ir.Exists) -> Fn:
        search = self._matches(node.query)
        if search is not None:
            return lambda env: search(env, _stop)
        body = self._body(node.query)
        return lambda env: any(True for _ in body(env))

    def _countof(self, node: ir.CountOf) -> Fn:
        search = self._matches(node.query)
        if search is None:
            body = self._body(node.query)
            return lambda env: sum(1 for _ in body(env))

        def count(env: Env) -> int:
            found = 0

            def one_more(env: Env) -> None:
                nonlocal found
                found += 1

            search(env, one_more)
            return found

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
        project = _on_columns(project)
        rows = self._grouped(project) if project.group is not None else self._plain(project)
        names = [item.alias for item in project.items]
        order = [self.expr(key.expr) for key in project.order]
        down = [key.descending for key in project.order]
        where = self.truth(project.where) if project.where is not None else None
        skip = self.expr(project.skip) if project.skip is not None else None
        limit = self.expr(project.limit) if project.limit is not None else None
        last = project.final and self.order is not None
        if last:
            self.order = order
        kept = [*names, *(f"{_KEY}{n}" for n in range(len(order)) if last)]
        machine, outer = self.machine, self._outer

        def run(given: Rows) -> Rows:
            found = rows(given)
            if order:
                listed = []
                for env in found:
                    places = tuple(
                        _Down(sort_key(of(env))) if d else sort_key(of(env))
                        for of, d in zip(order, down, strict=True)
                    )
                    listed.append((places, env))
                listed.sort(key=lambda pair: pair[0])
                if last:
                    for places, env in listed:
                        env.update({f"{_KEY}{n}": _plain(at) for n, at in enumerate(places)})
                found = [env for _, env in listed]
                if skip or limit:
                    found, cut = _cut(found, [p for p, _ in listed], skip, limit)
                    machine.open |= cut and _differ(listed, names)
            elif skip or limit:
                listed_rows = list(found)
                found, cut = _cut(listed_rows, None, skip, limit)
                machine.open |= cut and not _alike(listed_rows, names)
            for env in found:
                machine.step()
                if where is None or where(env):
                    row = {name: env[name] for name in kept}
                    yield {**{n: env[n] for n in outer if n in env}, **row} if outer else row

        return run

    def _plain(self, project: ir.Project) -> Step:
        items = [(item.alias, self.expr(item.expr)) for item in project.items]
        names = [name for name, _ in items]

        def run(rows: Rows) -> Rows:
            found = ({**env, **{name: of(env) for name, of in items}} for env in rows)
            return _distinct(found, names) if project.distinct else found

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

        def run(rows: Rows) -> Rows:
            groups: dict[Any, list[Env]] = {}
            for env in rows:
                groups.setdefault(tuple([group_key(key(env)) for key in keys]), []).append(env)
            if not groups and not keys:
                groups[()] = []
            found = []
            for members in groups.values():
                env = dict(members[0]) if members else {}
                env.update({f"{_AGG}{n}": of(members) for n, of in enumerate(computed)})
                found.append({**env, **{name: of(env) for name, of in items}})
            return _distinct(found, names) if project.distinct else found

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


def aggregated(name: str, values: list[Any], extra: list[Any]) -> Any:
    """An aggregate of values that are not null."""
    match name:
        case "count":
            return len(values)
        case "collect":
            return values
        case "min":
            return min(values, key=sort_key, default=None)
        case "max":
            return max(values, key=sort_key, default=None)
    if not all(map(is_number, values)):
        raise Unsupported(f"{name} of what is no number")
    if not all(map(math.isfinite, values)):
        raise Unsupported(f"{name} of what is not finite")
    match name:
        case "sum":
            return sum(values)
        case "avg":
            return math.fsum(values) / len(values) if values else None
        case "stDev":
            if len(values) < 2:
                return 0.0 if values else None
            return statistics.stdev(map(float, values))
        case "stDevP":
            return statistics.pstdev(map(float, values)) if values else None
        case "percentileCont" | "percentileDisc":
            return _percentile(name, sorted(values), extra[0])
    raise Unsupported(f"aggregate {name}")


def _percentile(name: str, values: list[Any], share: Any) -> Any:
    if not values:
        return None
    if not is_number(share) or not 0 <= share <= 1:
        raise Fault("a share outside 0..1")
    if name == "percentileDisc":
        return values[max(0, math.ceil(share * len(values)) - 1)]
    at = share * (len(values) - 1)
    low = math.floor(at)
    high = min(low + 1, len(values) - 1)
    return float(values[low] + (values[high] - values[low]) * (at - low))


class _Down:
    """A sort key in descending order."""

    __slots__ = ("key",)

    def __init__(self, key: tuple[Any, ...]) -> None:
        self.key = key

    def __lt__(self, other: _Down) -> bool:
        return other.key < self.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Down) and self.key == other.key

    __hash__ = None  # type: ignore[assignment] # never a key of a dictionary


def _plain(place: Any) -> Any:
    return place.key if isinstance(place, _Down) else place


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


def _distinct(rows: Rows, names: Iterable[str]) -> list[Env]:
    found: dict[Any, Env] = {}
    names = list(names)
    for env in rows:
        found.setdefault(tuple([group_key(env[name]) for name in names]), env)
    return list(found.values())


def _cut(
    rows: list[Env], places: list[Any] | None, skip: Fn | None, limit: Fn | None
) -> tuple[list[Env], bool]:
    """The rows of a window, and whether it parts rows whose order is open."""
    start = skip({}) if skip else 0
    stop = min(len(rows), start + limit({})) if limit else len(rows)
    if start >= len(rows) or stop <= start:
        return [], False
    ends = [at for at in (start, stop) if 0 < at < len(rows)]
    cut = any(places is None or places[at - 1] == places[at] for at in ends)
    return rows[start:stop], cut


def _alike(rows: list[Env], names: list[str]) -> bool:
    return len({tuple([group_key(env[name]) for name in names]) for env in rows}) <= 1


def _differ(listed: list[tuple[Any, Env]], names: list[str]) -> bool:
    """Whether rows that tie differ in what goes on."""
    seen: list[tuple[Any, Any]] = []
    for places, env in listed:
        key = tuple([group_key(env[name]) for name in names])
        if seen and seen[-1][0] == places and seen[-1][1] != key:
            return True
        seen.append((places, key))
    return False
