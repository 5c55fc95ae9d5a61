"""A query seen as a place to build on: what is in scope, what was observed there, how to edit it.

An operator gets a `Site` and returns statements; it never looks at text. Only queries of MATCH,
OPTIONAL MATCH and projections are sites; what is in scope at the end can be built on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engines.base import Result
from generators.queries.base import Ground
from generators.queries.facets import Facets, Use
from generators.queries.filling import labels_of
from generators.queries.parts import (
    both,
    column,
    end_of,
    fresh,
    named,
    names_in,
    nodes_of,
    regrouped,
    step_to,
)
from graph_ir import nodes as ir
from graph_ir.bind import bind
from graph_ir.walk import find, substitute
from schemagraph.model import Kind, NodeType, Property, SchemaGraph
from schemagraph.naming import words
from schemagraph.views import Hop

MAX_COLUMNS = 4
VALUES = 1_500  # distinct values of a property that are looked at


@dataclass(frozen=True, slots=True)
class Place:
    """A node variable that every row has, of one node type; `clause` is where it came in."""

    var: str
    type: NodeType
    clause: int


@dataclass(frozen=True, slots=True)
class Link:
    """One edge pattern of one edge type between two variables, as the pattern is written."""

    left: str
    right: str
    hop: Hop
    edge: ir.EdgePattern
    clause: int


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


class Site:
    """One query, named and typed. `of` makes it; the edits return new queries."""

    def __init__(self, ground: Ground, facets: Facets, statement: ir.Query, answer: Result) -> None:
        self.ground = ground
        self.answer = answer
        self.facets = facets
        self.schema: SchemaGraph = ground.schema
        self.statistics = ground.statistics
        self.statement = statement
        self.body = statement.clauses[:-1]
        last = statement.clauses[-1]
        assert isinstance(last, ir.Project)  # noqa: S101 # `of` looked
        self.final = last
        self.taken = {v for node in find(statement, ir.Node) for v in names_in(node)}
        self._population: dict[str, int] = {}
        self._observed: dict[tuple[str, str], Observed | None] = {}
        self._scan()

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

    def _scan(self) -> None:
        """What is in scope when the final projection begins."""
        places: dict[str, Place] = {}
        optional: set[str] = set()
        links: list[Link] = []
        self.values: dict[str, ir.Item] = {}
        for number, clause in enumerate(self.body):
            if isinstance(clause, ir.Project):
                kept = {
                    item.alias: item.expr.name
                    for item in clause.items
                    if isinstance(item.expr, ir.Var)
                }
                places = {
                    new: Place(new, places[old].type, places[old].clause if new == old else number)
                    for new, old in kept.items()
                    if old in places
                }
                optional = {new for new, old in kept.items() if old in optional}
                links = []
                self.values = {
                    item.alias: item
                    for item in clause.items
                    if item.alias not in places and item.alias not in optional
                }
                continue
            assert isinstance(clause, ir.Match)  # noqa: S101 # `of` looked
            for path in clause.paths:
                for node in nodes_of(path):
                    if node.var is None or node.var in places or node.var in optional:
                        continue
                    if clause.optional:
                        optional.add(node.var)
                    elif len(node.type.of) == 1:
                        found = self.schema.node_by_name[node.type.of[0]]
                        places[node.var] = Place(node.var, found, number)
                if not clause.optional:
                    links += self._links(path, number)
        self.places = tuple(places.values())
        self.optional = frozenset(optional)
        self.links = tuple(links)

    def _links(self, path: ir.Path, clause: int) -> Iterator[Link]:
        left = path.head
        for step in path.steps:
            edge = step.edge
            if (
                isinstance(edge, ir.EdgePattern)
                and len(edge.type.of) == 1
                and edge.direction is not ir.Direction.BOTH
                and left.var
                and step.node.var
            ):
                kind = self.schema.edge_by_name[edge.type.of[0]]
                hop = Hop(kind, edge.direction is ir.Direction.OUT)
                yield Link(left.var, step.node.var, hop, edge, clause)
            left = step.node

    # --- what is known -----------------------------------------------------------------------

    def place(self, var: str) -> Place | None:
        """The place of a variable."""
        return next((place for place in self.places if place.var == var), None)

    @cached_property
    def grouped(self) -> bool:
        """Whether the final projection aggregates."""
        return self.final.group is not None

    @cached_property
    def staged(self) -> bool:
        """Whether a projection stands before the final one."""
        return any(isinstance(clause, ir.Project) for clause in self.body)

    @cached_property
    def windowed(self) -> bool:
        """Whether only some of the rows are returned."""
        return self.final.limit is not None or self.final.skip is not None

    @cached_property
    def tested(self) -> frozenset[tuple[str, str]]:
        """Properties (variable, name) that some condition reads."""
        found = set()
        for node in find(self.statement, ir.Node):
            if isinstance(node, ir.Match | ir.Project) and node.where is not None:
                found |= {
                    (prop.base.name, prop.key)
                    for prop in find(node.where, ir.Prop)
                    if isinstance(prop.base, ir.Var)
                }
        for pattern in find(self.statement, ir.NodePattern):
            if isinstance(pattern.props, ir.MapOf) and pattern.var:
                found |= {(pattern.var, entry.key) for entry in pattern.props.entries}
        return frozenset(found)

    @cached_property
    def subject(self) -> Place | None:
        """What the answer is about: the place of the first column, else the first place."""
        for item in self.final.items:
            for var in find(item.expr, ir.Var):
                found = self.place(var.name)
                if found is not None:
                    return found
        return self.places[0] if self.places else None

    def free(self, place: Place, *uses: Use) -> list[Property]:
        """Properties of a place with one of these uses that no condition is about yet."""
        return [
            prop
            for prop in self.telling(place.type, *uses)
            if (place.var, prop.name) not in self.tested
        ]

    def telling(self, type_: NodeType, *uses: Use) -> list[Property]:
        """Properties of a node type with one of these uses."""
        found = {name for use in uses for name in self.facets.properties(type_.name, use)}
        return [prop for prop in type_.properties if prop.name in found]

    def is_category(self, place: Place, prop: Property) -> bool:
        """Whether few texts are the values."""
        return prop.name in self.facets.properties(place.type.name, Use.CATEGORY)

    def name(self, type_: NodeType) -> Property | None:
        """The name of nodes of this type, where they have one that is one property."""
        shown = self.facets.shown[type_.name]
        told = len(shown.name) == 1 and shown.name != shown.key
        return type_.property(shown.name[0]) if told else None

    def hops(self, place: Place) -> list[Hop]:
        """The edge types that leave or reach a place and that have edges."""
        name = place.type.name
        out = [Hop(e, True) for e in self.schema.edges if e.source == name]
        back = [Hop(e, False) for e in self.schema.edges if e.target == name]
        known = self.statistics.edges
        return [hop for hop in out + back if hop.edge.name in known and known[hop.edge.name].count]

    def is_single(self, hop: Hop) -> bool:
        """Whether a node has at most one neighbour over this hop, as the data is."""
        known = self.statistics.edges[hop.edge.name]
        degrees = known.out_degrees if hop.forward else known.in_degrees
        return bool(degrees) and degrees[-1] <= 1

    @cached_property
    def _nested(self) -> frozenset[tuple[str, str, bool]]:
        """(variable, edge label, forward) of the first hops of subqueries."""
        found = set()
        for inner in find(self.statement, ir.Node):
            if isinstance(inner, ir.Exists | ir.CountOf | ir.CollectOf):
                for path in find(inner.query, ir.Path):
                    for step in path.steps[:1]:
                        edge = step.edge
                        if isinstance(edge, ir.EdgePattern) and path.head.var:
                            forward = edge.direction is ir.Direction.OUT
                            labels = {name.name for name in find(edge, ir.LabelName)}
                            found |= {(path.head.var, label, forward) for label in labels}
        return frozenset(found)

    def nested(self, var: str, hop: Hop) -> bool:
        """Whether a subquery walks this hop from the variable."""
        return (var, hop.edge.label, hop.forward) in self._nested

    @cached_property
    def _walked(self) -> frozenset[tuple[str, str, bool]]:
        """(variable, edge label, whether it begins there) of all edge patterns of all stages."""
        return frozenset(
            way
            for clause in self.body
            if isinstance(clause, ir.Match)
            for path in clause.paths
            for way in _walks(path)
        )

    def walked(self, var: str, hop: Hop) -> bool:
        """Whether some stage walks this hop from the variable."""
        return (var, hop.edge.label, hop.forward) in self._walked

    def used(self, var: str, hop: Hop) -> bool:
        """Whether the pattern already walks this hop from the variable."""
        return any(
            (link.left == var and link.hop == hop)
            or (link.right == var and link.hop == Hop(hop.edge, not hop.forward))
            for link in self.links
        )

    def reaches(self, start: Place, end: Place) -> bool:
        """Whether a node of `start` has at most one node of `end` by the pattern and the data."""
        known, front = {start.var}, [start.var]
        while front:
            var = front.pop()
            for link in self.links:
                for here, there, hop in (
                    (link.left, link.right, link.hop),
                    (link.right, link.left, Hop(link.hop.edge, not link.hop.forward)),
                ):
                    if link.edge.hops is not None:
                        continue
                    if here == var and there not in known and self.is_single(hop):
                        known.add(there)
                        front.append(there)
        return end.var in known

    def once(self, place: Place) -> bool:
        """Whether every row is about another node of this place."""
        steps = sum(
            len(path.steps) for c in self.body if isinstance(c, ir.Match) for path in c.paths
        )
        return (
            not self.staged
            and not self.optional
            and steps == len(self.links)
            and all(self.reaches(place, other) for other in self.places)
        )

    @cached_property
    def narrows(self) -> bool:
        """Whether fewer rows of the pattern are likely to be another answer that is not empty."""
        if self.windowed or len(self.answer.rows) > 1:
            return True
        figures = [
            value
            for row in self.answer.rows
            for item, value in zip(self.final.items, row, strict=False)
            if any(agg.name not in ("min", "max") for agg in find(item.expr, ir.Agg))
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

        That is the place itself where the answer shows it, and what the answer is about where the
        condition only says which of those there are.
        """
        shown = self._manifold or self.shown(place.var) or self.subject is None
        return place if shown or self.subject is None else self.subject

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
            found = self._gathered(place, prop) if self._is_all(place) else None
            self._observed[key] = found or self.observe(self.seen, place.var, prop)
        return self._observed[key]

    def population(self, place: Place) -> int:
        """How many nodes the query's rows have at a place."""
        if place.var not in self._population:
            self._population[place.var] = self._counted(place)
        return self._population[place.var]

    def _counted(self, place: Place) -> int:
        rows = len(self.answer.rows)
        if rows == 1 and not (self.grouped or self.windowed or self.final.distinct):
            return 1
        if self._is_all(place):
            return self.statistics.nodes[place.type.name]
        for (var, _), found in self._observed.items():
            if var == place.var and found is not None and found.whole:
                return found.total
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

    def name_items(self, place: Place | tuple[str, NodeType]) -> tuple[ir.Item, ...]:
        """Columns that show a node: its name, or its key."""
        var, type_ = (place.var, place.type) if isinstance(place, Place) else place
        shown = self.facets.shown[type_.name].name
        return tuple(column(ir.Prop(ir.Var(var), name)) for name in shown)

    def tells(self, link: Link) -> bool:
        """Whether the query says more of both ends of a link than that they are there."""
        tested = {var for var, _ in self.tested}
        linked = {var for o in self.links if o is not link for var in (o.left, o.right)}
        return all(
            self.shown(var) or var in tested or var in linked for var in (link.left, link.right)
        )

    def returns(self, place: Place, prop: Property) -> bool:
        """Whether a column is about this property."""
        found = ir.Prop(ir.Var(place.var), prop.name)
        return any(found in find(item.expr, ir.Prop) for item in self.final.items)

    def shown(self, var: str) -> bool:
        """Whether a column is about this variable."""
        return any(v.name == var for item in self.final.items for v in find(item.expr, ir.Var))


def _walks(path: ir.Path) -> Iterator[tuple[str, str, bool]]:
    """(variable, edge label, whether the edge leaves it) of the edge patterns; both if either."""
    left = path.head
    for step in path.steps:
        edge = step.edge
        if isinstance(edge, ir.EdgePattern):
            for label in find(edge, ir.LabelName):
                for var, way in ((left.var, ir.Direction.IN), (step.node.var, ir.Direction.OUT)):
                    if var:
                        if edge.direction is not way:
                            yield var, label.name, True
                        if edge.direction in (way, ir.Direction.BOTH):
                            yield var, label.name, False
        left = step.node
