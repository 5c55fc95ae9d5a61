"""Nodes, edges and paths of a small graph in memory, indexed for pattern matching."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from graph_ir.temporal.construct import moment, span
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import TEMPORAL, EdgeType, Kind, NodeType, Type


class NodeValue:
    """A node: equal to itself only."""

    __slots__ = (
        *("into", "into_by", "key", "labels", "number", "out", "out_by", "props", "type", "ways"),
    )

    def __init__(self, type: NodeType, number: int, key: tuple[Any, ...], props: dict[str, Any]):
        self.type = type
        self.labels = frozenset(type.labels)
        self.number = number
        self.key = key
        self.props = props
        self.out: list[EdgeValue] = []
        self.into: list[EdgeValue] = []
        self.out_by: dict[str, list[EdgeValue]] = {}
        self.into_by: dict[str, list[EdgeValue]] = {}
        self.ways: dict[Any, list[tuple[EdgeValue, NodeValue]]] = {}

    def along(self, way: Way) -> list[tuple[EdgeValue, NodeValue]]:
        """The edges that lead on from here, each with the node at its other end."""
        found = self.ways.get(way.key)
        if found is None:
            found = self.ways[way.key] = list(way.from_node(self))
        return found


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
        for edge in self._fitting(node.out, node.out_by) if self.out else ():
            if label is None or label in edge.target.labels:
                yield edge, edge.target
        for edge in self._fitting(node.into, node.into_by) if self.into else ():
            if not (self.out and edge.source is node) and (
                label is None or label in edge.source.labels
            ):
                yield edge, edge.source

    def _fitting(
        self, edges: list[EdgeValue], by_type: dict[str, list[EdgeValue]]
    ) -> list[EdgeValue]:
        test = self.test
        if test is not None:
            return [edge for edge in edges if test(frozenset((edge.label,)))]
        return edges if self.name is None else by_type.get(self.name, [])


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
            own = places[kind.name] = {}
            spots = [[p.name for p in kind.properties].index(name) for name in kind.key]
            for row in small.rows.get(kind.name, ()):
                props = _props(kind, row)
                node = NodeValue(kind, len(self.nodes), tuple(row[at] for at in spots), props)
                own[node.key] = node
                self.nodes.append(node)
                for label in kind.labels:
                    self.by_label[label].append(node)
        for edge in schema.edges:
            first = len(schema.node_by_name[edge.source].key)
            width = first + len(schema.node_by_name[edge.target].key)
            for row in small.rows.get(edge.name, ()):
                source = places[edge.source][tuple(row[:first])]
                target = places[edge.target][tuple(row[first:width])]
                found = EdgeValue(edge, len(self.edges), source, target, _props(edge, row[width:]))
                self.edges.append(found)
                source.out.append(found)
                source.out_by.setdefault(edge.label, []).append(found)
                target.into.append(found)
                target.into_by.setdefault(edge.label, []).append(found)


def _props(kind: NodeType | EdgeType, row: tuple[Any, ...]) -> dict[str, Any]:
    return {
        p.name: stored(p.type, value)
        for p, value in zip(kind.properties, row, strict=True)
        if value is not None
    }


def stored(type: Type, value: Any) -> Any:
    """A stored value as the interpreter has it: temporal texts become moments and spans."""
    if value is None:
        return None
    if type.kind is Kind.LIST and type.item is not None:
        item = type.item
        return [stored(item, each) for each in value]
    if type.kind is Kind.DURATION:
        return span(value)
    if type.kind in TEMPORAL:
        return moment(type.kind, value)
    if type.kind is Kind.FLOAT:
        return float(value)
    return value
