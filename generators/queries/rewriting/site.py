"""A query seen as a place to build on: what is in scope, what was observed there, how to edit it.

An operator gets a `Site` and returns statements; it never looks at text. Only queries of MATCH,
OPTIONAL MATCH and projections are sites; what is in scope at the end can be built on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engines.base import Result
from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.filling import labels_of
from generators.queries.archetypes.parts import both, end_of, fresh, named, regrouped, step_to
from generators.queries.base import Ground
from generators.queries.rewriting.scope import Place, Scope
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.walk import find, substitute
from schemagraph.model import Kind, Property
from schemagraph.naming import words
from schemagraph.views import Hop

MAX_COLUMNS = 4
ROWS = 1_000  # more are no answer to a question
VALUES = 1_500  # distinct values of a property that are looked at


@dataclass(frozen=True, slots=True)
class Observed:
    """Values of a property among the nodes of an answer, each with its number of nodes.

    In the values' order, the nodes without a value last. `whole`: there are no others.
    """

    values: tuple[tuple[Any, int], ...]
    nulls: int
    whole: bool

    @property
    def total(self) -> int:
        """Nodes, with and without a value."""
        return self.nulls + sum(number for _, number in self.values)

    @property
    def common(self) -> list[tuple[Any, int]]:
        """The most frequent values first."""
        return sorted(self.values, key=lambda pair: -pair[1])

    def at(self, share: float) -> Any:
        """The value below which this share of the nodes lies."""
        left = share * (self.total - self.nulls)
        for value, number in self.values:
            left -= number
            if left < 0:
                return value
        return self.values[-1][0]

    def __str__(self) -> str:
        shown = ", ".join(f"{value} ({number})" for value, number in self.common[:4])
        return f"{shown} of {self.total}"


class Site(Scope):
    """One query, named and typed. `of` makes it; the edits return new queries."""

    def __init__(self, ground: Ground, facets: Facets, statement: ir.Query, answer: Result) -> None:
        super().__init__(ground, facets, statement, answer)
        self._population: dict[str, int] = {}
        self._observed: dict[tuple[str, str], Observed | None] = {}

    @classmethod
    def of(
        cls, ground: Ground, facets: Facets, statement: ir.Statement, answer: Result
    ) -> Site | None:
        """The site of a statement with its answer (the first rows will do), or None where it has
        clauses that no operator builds on."""
        if not isinstance(statement, ir.Query) or len(statement.clauses) < 2:
            return None
        last = statement.clauses[-1]
        if not isinstance(last, ir.Project) or not last.final:
            return None
        if not all(isinstance(c, ir.Match | ir.Project) for c in statement.clauses):
            return None
        bound = bind(named(statement, ground.schema), ground.schema)
        if bound.errors or not isinstance(bound.statement, ir.Query):
            return None
        return cls(ground, facets, bound.statement, answer)

    @cached_property
    def narrows(self) -> bool:
        """Whether fewer rows of the pattern are likely to be another answer that is not empty."""
        if self.windowed or len(self.answer.rows) > 1:
            return True
        figures = [
            value
            for row in self.answer.rows
            for item, value in zip(self.final.items, row, strict=False)
            if any(map(_is_moved, find(item.expr, ir.Agg)))
        ]
        return any(not isinstance(value, int) or value > 1 for value in figures)

    @cached_property
    def _manifold(self) -> bool:
        """Whether the answer depends on how many rows the pattern has, not only on which nodes."""
        if not self.grouped:
            return not self.final.distinct
        figures = [agg for item in self.final.items for agg in find(item.expr, ir.Agg)]
        return not all(agg.distinct or agg.name in ("min", "max") for agg in figures)

    def holder(self, place: Place) -> Place:
        """Of whose nodes a condition on a place must keep some and drop others to tell.

        That is the place itself where the answer shows or counts it, and what the answer is about
        where the condition only says which of those there are.
        """
        counted = self._manifold or self.shown(place.var)
        return place if counted or self.subject is None else self.subject

    # --- what was observed -------------------------------------------------------------------

    @cached_property
    def seen(self) -> tuple[ir.Clause, ...]:
        """Clauses after which there are the rows of the answer: those of the query, and a window
        that is not too small to tell its rows apart."""
        final, limit = self.final, self.final.limit
        wide = isinstance(limit, ir.Literal) and isinstance(limit.value, int) and limit.value > 2
        if not wide or final.distinct or self.grouped or not self.places:
            return self.body
        named: dict[ir.Node, ir.Expr] = {ir.Var(item.alias): item.expr for item in final.items}
        order = tuple(replace(key, expr=substitute(key.expr, named.get)) for key in final.order)
        kept = tuple(ir.Item(ir.Var(n), n) for n in (*(p.var for p in self.places), *self.values))
        return (*self.body, ir.Project(kept, order=order, skip=final.skip, limit=limit))

    def beyond(self, place: Place, hop: Hop, new: str) -> tuple[ir.Clause, ...]:
        """Clauses after which there are the neighbours of the answer's nodes at a place."""
        if self.seen is self.body:
            return self.extended(place.var, hop, new)
        path = ir.Path(ir.NodePattern(place.var), (step_to(hop, self.schema, new),))
        return (*self.seen, ir.Match((path,)))

    def observed(self, place: Place, prop: Property) -> Observed | None:
        """The values of a property among the nodes that the query's rows have at a place."""
        key = (place.var, prop.name)
        if key not in self._observed:
            values = self._gathered(place, prop) if self._is_all(place) else None
            self._observed[key] = values or self.observe(self.seen, place.var, prop)
        return self._observed[key]

    def population(self, place: Place) -> int:
        """How many nodes the query's rows have at a place."""
        if place.var not in self._population:
            self._population[place.var] = self._counted(place)
        return self._population[place.var]

    @cached_property
    def _rows_shown(self) -> bool:
        """Whether the answer has the rows that are left after `seen`, one for one."""
        whole = not self.windowed or self.seen is not self.body
        return whole and not self.grouped and not self.final.distinct

    def _counted(self, place: Place) -> int:
        rows = len(self.answer.rows)
        if rows == 1 and not (self.grouped or self.windowed or self.final.distinct):
            return 1
        if self._is_all(place):
            return self.statistics.nodes[place.type.name]
        if rows <= ROWS and self._rows_shown and self.once(place):
            return rows
        for (var, _), observed in self._observed.items():
            if var == place.var and observed is not None and observed.whole:
                return observed.total
        return self.number(self.seen, place.var)

    def number(self, clauses: tuple[ir.Clause, ...], var: str) -> int:
        """How many nodes `var` has after these clauses; 0 where nobody can say."""
        item = ir.Item(ir.Agg("count", (ir.Var(var),), True), "nodes")
        last = ir.Project((item,), final=True, group=())
        answer = self.ground.ask(ir.Query((*clauses, last)))
        return int(answer.rows[0][0]) if answer and answer.rows else 0

    def meeting(self, conditions: Sequence[ir.Expr]) -> tuple[int, list[int]] | None:
        """How much the answer is made of, and how much of that meets each condition, asked at once.

        Rows where their number matters, else nodes of what the answer is about; None where nobody
        can say.
        """
        unit: ir.Expr = ir.Literal(1)
        if not self._manifold and self.subject is not None:
            key = self.subject.type.key
            node = ir.Var(self.subject.var)
            unit = ir.Prop(node, key[0]) if len(key) == 1 else node
        apart = not isinstance(unit, ir.Literal)
        items = [ir.Item(ir.Agg("count", (unit,), apart), "all_of_them")]
        for number, condition in enumerate(conditions):
            one = ir.Case((ir.When(condition, unit),))
            items.append(ir.Item(ir.Agg("count", (one,), apart), f"met{number}"))
        last = ir.Project(tuple(items), final=True, group=())
        answer = self.ground.ask(ir.Query((*self.seen, last)))
        if answer is None or not answer.rows:
            return None
        whole, *met = answer.rows[0]
        return whole, met

    def telling_of(self, conditions: Sequence[ir.Expr]) -> list[int]:
        """The positions of those conditions that some of the answer meets and some does not."""
        asked = self.meeting(conditions) if conditions else None
        return [] if asked is None else [n for n, met in enumerate(asked[1]) if 0 < met < asked[0]]

    def _is_all(self, place: Place) -> bool:
        """Whether the query is about all nodes of the place's type."""
        first = self.body[0]
        return (
            len(self.seen) == 1
            and isinstance(first, ir.Match)
            and first.where is None
            and len(first.paths) == 1
            and not first.paths[0].steps
            and first.paths[0].head == ir.NodePattern(place.var, labels_of(place.type, self.schema))
        )

    def _gathered(self, place: Place, prop: Property) -> Observed | None:
        """The values as the graph's figures have them: all of them where they are few, else
        twenty equal parts; None for texts of which not all are known."""
        known = self.statistics.properties[place.type.name, prop.name]
        if len(known.common) == known.distinct:
            return Observed(tuple(sorted(known.common)), known.nulls, whole=True)
        if not known.quantiles or prop.type.kind is Kind.STRING:
            return None
        values = list(dict.fromkeys(known.quantiles))
        each, rest = divmod(known.count, len(values))
        numbered = [(value, each + (n < rest)) for n, value in enumerate(values)]
        return Observed(tuple(numbered), known.nulls, whole=False)

    def observe(
        self, clauses: tuple[ir.Clause, ...], var: str, prop: Property, counted: str = ""
    ) -> Observed | None:
        """The values of a property of `var` after these clauses, each with the number of nodes
        that `var`, or the variable `counted`, has there; None where nobody can say."""
        value, number = ir.Prop(ir.Var(var), prop.name), ir.Var(counted or var)
        items = (
            ir.Item(value, "value"),
            ir.Item(ir.Agg("count", (number,), True), "nodes"),
        )
        order = (ir.SortKey(ir.Var("value")),)
        last = ir.Project(items, order=order, limit=ir.Literal(VALUES), final=True, group=(value,))
        answer = self.ground.ask(ir.Query((*clauses, last)))
        if answer is None:
            return None
        rows = [(row[0], row[1]) for row in answer.rows]
        values = tuple(row for row in rows if row[0] is not None)
        nulls = sum(row[1] for row in rows if row[0] is None)
        return Observed(values, nulls, len(rows) < VALUES)

    # --- edits -------------------------------------------------------------------------------

    def fresh(self, label: str, also: Iterable[str] = ()) -> str:
        """A readable variable for a node or value that nobody uses yet."""
        return fresh(label, self.taken | set(also))

    def called(self, hop: Hop) -> str:
        """A variable for the node that a hop leads to: its role where the edge names one."""
        label = self.schema.node_by_name[hop.ends[1]].labels[0]
        parts = words(hop.edge.label.title().replace("_", " "))
        if hop.forward and parts[:1] == ["Has"] and 1 < len(parts) < 4:
            label = " ".join(parts[1:])
        return self.fresh(label)

    def where(self, var: str, condition: ir.Expr) -> ir.Query:
        """The query with one more condition on a place, where the place comes in."""
        place = self.place(var)
        assert place is not None  # noqa: S101 # callers name places
        clauses = list(self.statement.clauses)
        clause = clauses[place.clause]
        assert isinstance(clause, ir.Match | ir.Project)  # noqa: S101 # `of` looked
        clauses[place.clause] = replace(clause, where=both(clause.where, condition))
        return replace(self.statement, clauses=tuple(clauses))

    def extended(
        self, var: str, hop: Hop, new: str, condition: ir.Expr | None = None
    ) -> tuple[ir.Clause, ...]:
        """The clauses before the final one, with one more step from a place.

        The step is part of the MATCH that the place came in by, so that the new edge is no edge
        that the pattern already walks.
        """
        place = self.place(var)
        assert place is not None  # noqa: S101 # callers name places
        step = step_to(hop, self.schema, new)
        clauses = list(self.body)
        clause = clauses[place.clause]
        last = max((n for n, c in enumerate(clauses) if isinstance(c, ir.Project)), default=-1)
        if not isinstance(clause, ir.Match) or place.clause < last:
            path = ir.Path(ir.NodePattern(var), (step,))
            return (*clauses, ir.Match((path,), condition))
        paths = list(clause.paths)
        for number, path in enumerate(paths):
            if end_of(path).var == var and path.var is None and path.selector is None:
                paths[number] = replace(path, steps=(*path.steps, step))
                break
        else:
            paths.append(ir.Path(ir.NodePattern(var), (step,)))
        clauses[place.clause] = replace(
            clause, paths=tuple(paths), where=both(clause.where, condition)
        )
        return tuple(clauses)

    def ending(self, body: tuple[ir.Clause, ...], final: ir.Project) -> ir.Query:
        """A query with these clauses and this final projection, grouping keys put right."""
        return ir.Query((*body, regrouped(final)))


def _is_moved(agg: ir.Agg) -> bool:
    """Whether most rows that go change the figure; extremes and different values seldom do."""
    of_values = agg.distinct and any(isinstance(arg, ir.Prop) for arg in agg.args)
    return agg.name not in ("min", "max") and not of_values
