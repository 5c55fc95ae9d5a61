"""References of a node's columns over edges: `Order-PLACED_BY-Customer.registered_on`.

A reference leads to the one node that an edge type joins a node with. What columns and ends depend
on each other over them decides in which order a graph can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from schemagraph.model import EdgeType, NodeType, SchemaGraph, Type
from schemagraph.specification.columns import End, needs
from schemagraph.specification.distributions import Aggregated
from schemagraph.specification.model import Edges, Specification

# ("column", node type, name), ("link", edge type, "") or ("rows", edge type, "")
type Step = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Lead:
    """One step of a reference: over `edge`, from its end `mine`, to `name` of the other node."""

    edge: EdgeType
    mine: End
    name: str

    @property
    def other(self) -> str:
        """The type of the node that it leads to."""
        return self.edge.target if self.mine is End.SOURCE else self.edge.source


def lead_of(name: str, node: str, schema: SchemaGraph, edges: Mapping[str, Edges]) -> Lead | None:
    """The first step of a reference from a node type; None where `name` is none.

    It goes over an edge type of which such a node has at most one edge, or to one of several: over
    `n:m` edges between two types to the one that its last edge joins it with.
    """
    fitting = [edge for edge in schema.edges if name.startswith(f"{edge.name}.")]
    for edge in sorted(fitting, key=lambda edge: -len(edge.name)):
        rest = name[len(edge.name) + 1 :]
        cardinality = edges[edge.name].cardinality if edge.name in edges else ""
        if edge.source == node and cardinality in ("n:1", "1:1"):
            return Lead(edge, End.SOURCE, rest)
        if edge.target == node and cardinality in ("1:n", "1:1"):
            return Lead(edge, End.TARGET, rest)
        if (
            cardinality == "n:m"
            and edge.source != edge.target
            and node in (edge.source, edge.target)
        ):
            return Lead(edge, End.SOURCE if edge.source == node else End.TARGET, rest)
    return None


def type_of(
    name: str, node: NodeType, schema: SchemaGraph, edges: Mapping[str, Edges]
) -> Type | None:
    """The type of what a name of a node type means: a property, or one that it leads to."""
    for given in node.properties:
        if given.name == name:
            return given.type
    lead = lead_of(name, node.name, schema, edges)
    if lead is None:
        return None
    return type_of(lead.name, schema.node_by_name[lead.other], schema, edges)


def led(
    names: Iterator[str], element: NodeType | EdgeType, schema: SchemaGraph, given: Specification
) -> dict[str, Type]:
    """Of these names, those that lead over edges to a property; with its type."""
    types = {}
    for name in names:
        node, inner = element, name
        if isinstance(element, EdgeType):
            end, _, inner = name.partition(".")
            if end not in tuple(End) or not inner:
                continue
            node = schema.node_by_name[element.source if end == End.SOURCE else element.target]
        assert isinstance(node, NodeType)  # noqa: S101 - an edge's end is one
        if lead_of(inner, node.name, schema, given.edges) is None:
            continue
        kind = type_of(inner, node, schema, given.edges)
        if kind is not None:
            types[name] = kind
    return types


def _steps_for(
    name: str, node: str, schema: SchemaGraph, edges: Mapping[str, Edges]
) -> Iterator[Step]:
    """What must be there before `name` of a node type can be read."""
    lead = lead_of(name, node, schema, edges)
    if lead is None:
        yield ("column", node, name)
        return
    yield ("link", lead.edge.name, "")
    yield from _steps_for(lead.name, lead.other, schema, edges)


def own_end(edge: EdgeType, node: str, cardinality: str) -> End | None:
    """The end of an edge type at which a node of the type `node` gathers its edges; of edges
    among nodes of one type the end that can have several."""
    if edge.source == edge.target == node:
        return End.TARGET if cardinality == "n:1" else End.SOURCE
    if node == edge.source:
        return End.SOURCE
    return End.TARGET if node == edge.target else None


def gathered(schema: SchemaGraph, given: Specification) -> dict[tuple[str, str], bool]:
    """The node types whose columns are made of all their edges, with the edge type; whether the
    properties of these edges are needed too."""
    needed: dict[tuple[str, str], bool] = {}
    for node in schema.nodes:
        for column in given.nodes[node.name].properties.values():
            if isinstance(column.of, Aggregated) and column.of.edge in schema.edge_by_name:
                own = column.of.column is not None and not _end_of(column.of.column)
                key = node.name, column.of.edge
                needed[key] = needed.get(key, False) or own
    return needed


def _end_of(name: str) -> bool:
    end, dot, _ = name.partition(".")
    return bool(dot) and end in tuple(End)


def _steps_of_edges(of: Aggregated, schema: SchemaGraph, given: Specification) -> Iterator[Step]:
    """What must be there before a column can be made of edges."""
    edge = schema.edge_by_name.get(of.edge)
    if edge is None:
        return
    yield ("link", edge.name, "")
    if of.column is None:
        return
    if not _end_of(of.column):
        yield ("rows", edge.name, "")
        return
    end, _, name = of.column.partition(".")
    node = edge.source if end == End.SOURCE else edge.target
    yield from _steps_for(name, node, schema, given.edges)


def _steps_of_rows(edge: EdgeType, schema: SchemaGraph, given: Specification) -> Iterator[Step]:
    """What must be there before the rows of an edge type can be made: the keys of the ends, too."""
    yield ("link", edge.name, "")
    for end in dict.fromkeys((edge.source, edge.target)):
        for key in schema.node_by_name[end].key:
            yield ("column", end, key)
    for column in given.edges[edge.name].properties.values():
        for need in needs(column.of):
            end, _, name = need.partition(".")
            if _end_of(need):
                node = edge.source if end == End.SOURCE else edge.target
                yield from _steps_for(name, node, schema, given.edges)


def end_names(part: Edges) -> Iterator[tuple[End, str]]:
    """The columns of the ends by which edges choose them."""
    for same in part.same:
        yield End.SOURCE, same.source
        yield End.TARGET, same.target
    for apart in part.apart:
        yield End.SOURCE, apart.source
        yield End.TARGET, apart.target
    if part.alone is not None:
        end = End.SOURCE if part.cardinality == "n:1" else End.TARGET
        yield end, part.alone.start
        if part.alone.end is not None:
            yield end, part.alone.end
        for also in part.alone.also:
            yield end, also.many
            yield End.TARGET if end is End.SOURCE else End.SOURCE, also.one
    for once in part.once:
        end = End.SOURCE if once.at == "target" else End.TARGET
        for name in (*once.columns, *filter(None, (once.start,))):
            yield end, name
    for order in part.order:
        if "." in order.first and "." in order.then:
            for name in (order.first, order.then):
                side, _, inner = name.partition(".")
                yield End(side), inner
    for chosen, described in ((End.SOURCE, part.source), (End.TARGET, part.target)):
        if described.prefer is not None:
            yield chosen, described.prefer.column


def steps(schema: SchemaGraph, given: Specification) -> tuple[Step, ...] | None:
    """All columns of nodes and all links, each after those which it needs; None where that is
    impossible."""
    sorter: TopologicalSorter[Step] = TopologicalSorter()
    place: dict[Step, int] = {}

    def add(step: Step, before: Iterator[Step]) -> None:
        place.setdefault(step, len(place))
        sorter.add(step, *(other for other in before if other != step))

    for node in schema.nodes:
        for name, column in given.nodes[node.name].properties.items():
            add(
                ("column", node.name, name),
                (
                    step
                    for need in needs(column.of)
                    for step in _steps_for(need, node.name, schema, given.edges)
                ),
            )
            if isinstance(column.of, Aggregated):
                add(("column", node.name, name), _steps_of_edges(column.of, schema, given))
    for (_, gathering), own in gathered(schema, given).items():
        if own:
            edge = schema.edge_by_name[gathering]
            add(("rows", edge.name, ""), _steps_of_rows(edge, schema, given))
    for edge in schema.edges:
        ends = {End.SOURCE: edge.source, End.TARGET: edge.target}
        add(
            ("link", edge.name, ""),
            (
                step
                for end, name in end_names(given.edges[edge.name])
                for step in _steps_for(name, ends[end], schema, given.edges)
            ),
        )
    try:
        sorter.prepare()
    except CycleError:
        return None
    ordered: list[Step] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=lambda step: place.get(step, len(place)))
        ordered += ready
        sorter.done(*ready)
    return tuple(ordered)


def leading(schema: SchemaGraph, given: Specification) -> frozenset[str]:
    """The edge types that references lead over."""
    edge_types: set[str] = {edge for _, edge in gathered(schema, given)}
    for node in schema.nodes:
        for column in given.nodes[node.name].properties.values():
            for need in needs(column.of):
                edge_types |= _links(need, node.name, schema, given.edges)
    for edge in schema.edges:
        ends = {End.SOURCE: edge.source, End.TARGET: edge.target}
        part = given.edges[edge.name]
        named = list(end_names(part))
        for column in part.properties.values():
            for need in needs(column.of):
                end, _, inner = need.partition(".")
                if inner and end in tuple(End):
                    named.append((End(end), inner))
        for end, name in named:
            edge_types |= _links(name, ends[end], schema, given.edges)
    return frozenset(edge_types)


def _links(name: str, node: str, schema: SchemaGraph, edges: Mapping[str, Edges]) -> set[str]:
    return {edge for kind, edge, _ in _steps_for(name, node, schema, edges) if kind == "link"}
