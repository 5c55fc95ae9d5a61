"""Nodes, edges and paths of a small graph in memory, indexed for pattern matching."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

from graph_ir.temporal.construct import moment, span
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import TEMPORAL, EdgeType, Kind, NodeType, Type


class NodeValue:
    """A node: equal to itself only."""

    __slots__ = ("into", "key", "labels", "number", "out", "props", "type", "ways")

    def __init__(
        self,
        type: NodeType,
        labels: frozenset[str],
        number: int,
        key: tuple[Any, ...],
        props: dict[str, Any],
    ):
        self.type = type
        self.labels = labels
        self.number = number
        self.key = key
        self.props = props
        self.out: list[EdgeValue] = []
        self.into: list[EdgeValue] = []
        self.ways: dict[Any, list[tuple[EdgeValue, NodeValue]]] = {}

    def along(self, way: Way) -> list[tuple[EdgeValue, NodeValue]]:
        """The edges that lead on from here, each with the node at its other end."""
        links = self.ways.get(way.key)
        if links is None:
            links = self.ways[way.key] = list(way.from_node(self))
        return links


class Way:
    """Edges of a direction and a type, to nodes with a label.

    `test` says whether an edge's labels fit, where `name` is no edge type but an expression.
    """

    __slots__ = ("into", "key", "label", "name", "out", "test")

    def __init__(
        self,
        out: bool,
        into: bool,
        name: str | None,
        label: str | None,
        test: Callable[[frozenset[str]], bool] | None = None,
    ) -> None:
        self.key = (out, into, name, label, test is None)
        self.out, self.into, self.name, self.label, self.test = out, into, name, label, test

    def from_node(self, node: NodeValue) -> Iterator[tuple[EdgeValue, NodeValue]]:
        """The edges, outgoing ones first; an edge of a node to itself once."""
        label = self.label
        for edge in self._fitting(node.out) if self.out else ():
            if label is None or label in edge.target.labels:
                yield edge, edge.target
        for edge in self._fitting(node.into) if self.into else ():
            if not (self.out and edge.source is node) and (
                label is None or label in edge.source.labels
            ):
                yield edge, edge.source

    def _fitting(self, edges: list[EdgeValue]) -> list[EdgeValue]:
        test, name = self.test, self.name
        if test is not None:
            return [edge for edge in edges if test(frozenset((edge.label,)))]
        return edges if name is None else [edge for edge in edges if edge.label == name]


class EdgeValue:
    """An edge: equal to itself only, parallel edges included."""

    __slots__ = ("label", "number", "props", "source", "target", "type")

    def __init__(
        self,
        type: EdgeType,
        number: int,
        source: NodeValue,
        target: NodeValue,
        props: dict[str, Any],
    ):
        self.type = type
        self.label = type.label
        self.number = number
        self.source = source
        self.target = target
        self.props = props


class PathValue:
    """A path: nodes and the edges between them."""

    __slots__ = ("edges", "nodes")

    def __init__(self, nodes: tuple[NodeValue, ...], edges: tuple[EdgeValue, ...]):
        self.nodes = nodes
        self.edges = edges

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathValue):
            return NotImplemented
        return self.nodes == other.nodes and self.edges == other.edges

    def __hash__(self) -> int:
        return hash((self.nodes, self.edges))


class MemoryGraph:
    """A `SmallGraph` as linked elements, in the order of its rows."""

    def __init__(self, small: SmallGraph) -> None:
        schema = small.schema
        self.nodes: list[NodeValue] = []
        self.edges: list[EdgeValue] = []
        self.by_label: dict[str, list[NodeValue]] = defaultdict(list)
        places: dict[str, dict[tuple[Any, ...], NodeValue]] = {}
        for kind in schema.nodes:
            rows = small.rows.get(kind.name, ())
            if not rows:
                continue
            own = places[kind.name] = {}
            names = [p.name for p in kind.properties]
            spots = [names.index(name) for name in kind.key]
            columns, labels = _columns(kind), frozenset(kind.labels)
            first = len(self.nodes)
            for row in rows:
                key = tuple([row[at] for at in spots])
                node = NodeValue(kind, labels, len(self.nodes), key, _props(columns, row))
                own[key] = node
                self.nodes.append(node)
            for label in kind.labels:
                self.by_label[label] += self.nodes[first:]
        for edge in schema.edges:
            rows = small.rows.get(edge.name, ())
            if not rows:
                continue
            first = len(schema.node_by_name[edge.source].key)
            width = first + len(schema.node_by_name[edge.target].key)
            sources, targets, columns = places[edge.source], places[edge.target], _columns(edge)
            for row in rows:
                source, target = sources[tuple(row[:first])], targets[tuple(row[first:width])]
                props = _props(columns, row[width:])
                edge_value = EdgeValue(edge, len(self.edges), source, target, props)
                self.edges.append(edge_value)
                source.out.append(edge_value)
                target.into.append(edge_value)


type _Column = tuple[str, Callable[[Any], Any] | None]
"""A property, and how its values are stored; None: as they are."""


def _columns(kind: NodeType | EdgeType) -> list[_Column]:
    return [
        (p.name, None if p.type.kind in _PLAIN else partial(stored, p.type))
        for p in kind.properties
    ]


def _props(columns: list[_Column], row: tuple[Any, ...]) -> dict[str, Any]:
    return {
        name: value if convert is None else convert(value)
        for (name, convert), value in zip(columns, row, strict=True)
        if value is not None
    }


_PLAIN = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.STRING})

_moment = lru_cache(maxsize=8192)(moment)
_span = lru_cache(maxsize=1024)(span)


def stored(type: Type, value: Any) -> Any:
    """A stored value as the interpreter has it: temporal texts become moments and spans."""
    if value is None:
        return None
    if type.kind is Kind.LIST and type.item is not None:
        item = type.item
        return [stored(item, each) for each in value]
    if type.kind is Kind.DURATION:
        return _span(value)
    if type.kind in TEMPORAL:
        return _moment(type.kind, value)
    if type.kind is Kind.FLOAT:
        return float(value)
    return value
