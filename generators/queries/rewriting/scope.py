"""What a query has in scope when its final projection begins, and what is known of that.

Only queries of MATCH, OPTIONAL MATCH and projections have a scope that can be built on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engines.base import Result
from generators.queries.archetypes.facets import Facets, Use
from generators.queries.archetypes.parts import column, names_in, nodes_of
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import NodeType, Property, SchemaGraph
from schemagraph.views import Hop


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


class Scope:
    """The places, links and values of one query, named and typed, with its answer.

    `sayable` tells whether there are words for a query, so that nothing is looked up for one that
    nobody could ask for; the constants in it may be others than those of the step that it becomes.
    """

    sayable: Callable[[ir.Statement], bool]

    def __init__(self, ground: Ground, facets: Facets, statement: ir.Query, answer: Result) -> None:
        self.ground = ground
        self.sayable = lambda _: True
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
        self._scan()

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
                        node_type = self.schema.node_by_name[node.type.of[0]]
                        places[node.var] = Place(node.var, node_type, number)
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
        properties = set()
        for node in find(self.statement, ir.Node):
            if isinstance(node, ir.Match | ir.Project) and node.where is not None:
                properties |= {
                    (prop.base.name, prop.key)
                    for prop in find(node.where, ir.Prop)
                    if isinstance(prop.base, ir.Var)
                }
        for pattern in find(self.statement, ir.NodePattern):
            if isinstance(pattern.props, ir.MapOf) and pattern.var:
                properties |= {(pattern.var, entry.key) for entry in pattern.props.entries}
        return frozenset(properties)

    @cached_property
    def subject(self) -> Place | None:
        """What the answer is about: the place of the first column, else the first place."""
        for item in self.final.items:
            for var in find(item.expr, ir.Var):
                place = self.place(var.name)
                if place is not None:
                    return place
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
        names = {name for use in uses for name in self.facets.properties(type_.name, use)}
        return [prop for prop in type_.properties if prop.name in names]

    def is_category(self, place: Place, prop: Property) -> bool:
        """Whether few texts are the values."""
        return prop.name in self.facets.properties(place.type.name, Use.CATEGORY)

    def name(self, type_: NodeType) -> Property | None:
        """The name of nodes of this type, where they have one that is one property."""
        shown = self.facets.shown[type_.name]
        single = len(shown.name) == 1 and shown.name != shown.key
        return type_.property(shown.name[0]) if single else None

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
        hops = set()
        for inner in find(self.statement, ir.Node):
            if isinstance(inner, ir.Exists | ir.CountOf | ir.CollectOf):
                for path in find(inner.query, ir.Path):
                    for step in path.steps[:1]:
                        edge = step.edge
                        if isinstance(edge, ir.EdgePattern) and path.head.var:
                            forward = edge.direction is ir.Direction.OUT
                            labels = {name.name for name in find(edge, ir.LabelName)}
                            hops |= {(path.head.var, label, forward) for label in labels}
        return frozenset(hops)

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
        value = ir.Prop(ir.Var(place.var), prop.name)
        return any(value in find(item.expr, ir.Prop) for item in self.final.items)

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
