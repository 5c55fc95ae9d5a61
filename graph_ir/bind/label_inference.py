"""Which node and edge types of a schema each part of a pattern can be.

Sets of types are bit masks. Each edge pattern ties the candidates of its two ends together; the
ties are applied until nothing changes (arc consistency), so that labels, edge types, directions
and neighbours narrow each other.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from graph_ir import nodes as ir
from graph_ir.types import join, nullable
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type


class Index:
    """A schema prepared for look-ups: masks by label, and edge types with masks of their ends."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self.all_nodes = (1 << len(schema.nodes)) - 1
        self.all_edges = (1 << len(schema.edges)) - 1
        self.node_labels = _by_label(n.labels for n in schema.nodes)
        self.edge_labels = _by_label((e.label,) for e in schema.edges)
        place = {node.name: 1 << i for i, node in enumerate(schema.nodes)}
        self.ends = [
            (1 << i, place.get(edge.source, 0), place.get(edge.target, 0))
            for i, edge in enumerate(schema.edges)
        ]
        self._node_bits = place
        self._edge_bits = {edge.name: 1 << i for i, edge in enumerate(schema.edges)}
        self._types: dict[tuple[Kind, int], Type] = {}
        self._properties: dict[tuple[Kind, int, str], Type] = {}

    def element(self, kind: Kind, mask: int, *, nullable: bool = False) -> Type:
        """The type of an element whose candidates are `mask`; an empty mask says nothing."""
        key = (kind, mask << 1 | nullable)
        element_type = self._types.get(key)
        if element_type is None:
            names = tuple(item.name for item in self.members(kind, mask))
            element_type = self._types[key] = Type(kind, None, names, nullable)
        return element_type

    def members(self, kind: Kind, mask: int) -> Iterator[NodeType] | Iterator[EdgeType]:
        """The node or edge types of `mask`, in the schema's order."""
        return self.nodes(mask) if kind is Kind.NODE else self.edges(mask)

    def nodes(self, mask: int) -> Iterator[NodeType]:
        """The node types of `mask`, in the schema's order."""
        return (item for i, item in enumerate(self.schema.nodes) if mask >> i & 1)

    def edges(self, mask: int) -> Iterator[EdgeType]:
        """The edge types of `mask`, in the schema's order."""
        return (item for i, item in enumerate(self.schema.edges) if mask >> i & 1)

    def mask(self, type: Type) -> int:
        """The candidates of an element's type; all where it names none."""
        bits, every = (
            (self._node_bits, self.all_nodes)
            if type.kind is Kind.NODE
            else (self._edge_bits, self.all_edges)
        )
        mask = 0
        for name in type.of:
            mask |= bits.get(name, 0)
        return mask or every

    def labelled(self, kind: Kind, labels: ir.LabelExpr) -> int:
        """The types that fulfil a label expression; unknown labels are fulfilled by none."""
        known, every = (
            (self.node_labels, self.all_nodes)
            if kind is Kind.NODE
            else (self.edge_labels, self.all_edges)
        )
        match labels:
            case ir.LabelName(name):
                return known.get(name, 0)
            case ir.LabelAnd(args):
                mask = every
                for arg in args:
                    mask &= self.labelled(kind, arg)
                return mask
            case ir.LabelOr(args):
                mask = 0
                for arg in args:
                    mask |= self.labelled(kind, arg)
                return mask
            case ir.LabelNot(arg):
                return every & ~self.labelled(kind, arg)
        return every

    def property(self, type: Type, key: str) -> Type | None:
        """The type of `element.key` over all candidates; None when no candidate has it."""
        place = (type.kind, self.mask(type), key)
        property_type = self._properties.get(place)
        if property_type is None:
            property_type = self._property(*place)
            if property_type is None:
                return None
            self._properties[place] = property_type
        return nullable(property_type, type.nullable)

    def _property(self, kind: Kind, mask: int, key: str) -> Type | None:
        types: list[Type] = []
        lacking = False
        for item in self.members(kind, mask):
            prop = item.property(key)
            if prop is None:
                lacking = True
            else:
                types.append(_stored(prop))
        return nullable(join(types), lacking) if types else None

    def properties(self, type: Type) -> tuple[str, ...]:
        """The property names of all candidates, sorted."""
        return tuple(
            sorted(
                {
                    each.name
                    for item in self.members(type.kind, self.mask(type))
                    for each in item.properties
                }
            )
        )


def _stored(property: Property) -> Type:
    type = property.type
    return Type(type.kind, type.item, type.of, property.holds_null)


def _by_label(labels: Iterator[tuple[str, ...]]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for i, names in enumerate(labels):
        for name in names:
            masks[name] = masks.get(name, 0) | 1 << i
    return masks


type _Known = tuple[weakref.ref[SchemaGraph], Index]

_INDEXES: dict[int, _Known] = {}


def _forget(indexes: dict[int, _Known], key: int, _gone: object) -> None:
    indexes.pop(key, None)


def index_of(schema: SchemaGraph) -> Index:
    """The index of a schema, made once for each schema object."""
    known = _INDEXES.get(id(schema))
    if known is not None and known[0]() is schema:
        return known[1]
    index = Index(schema)
    key = id(schema)
    forget = partial(_forget, _INDEXES, key)
    _INDEXES[key] = (weakref.ref(schema, forget), index)
    return index


_EXACT = 8
"""Lengths up to this one are followed exactly."""


@dataclass(slots=True, eq=False)
class Tie:
    """One edge pattern between two vertices of a pattern, with the candidates of its edge."""

    left: int
    right: int
    edges: int
    direction: ir.Direction
    hops: ir.Hops | None = None

    def narrow(self, index: Index, left: int, right: int) -> tuple[int, int, int]:
        """The masks of left end, edge and right end that fit each other."""
        hops = self.hops
        if hops is not None and (hops.lo, hops.hi) != (1, 1):
            return self._walk(index, hops, left, right)
        lefts = edges = rights = 0
        for bit, source, target in index.ends:
            if not bit & self.edges:
                continue
            if self.direction is not ir.Direction.IN and source & left and target & right:
                lefts |= source
                edges |= bit
                rights |= target
            if self.direction is not ir.Direction.OUT and target & left and source & right:
                lefts |= target
                edges |= bit
                rights |= source
        return lefts & left, edges, rights & right

    def _walk(self, index: Index, hops: ir.Hops, left: int, right: int) -> tuple[int, int, int]:
        """For variable length: what lies on a walk of allowed length from left to right."""
        # A smaller lower bound finds more, never less; a large one would only cost time.
        lo = hops.lo if hops.lo <= _EXACT else 1
        hi = hops.hi
        most = len(index.schema.nodes) + lo  # longer walks reach nothing new
        hi = most if hi is None else min(hi, most)
        steps = [pair for bit, *pair in index.ends if bit & self.edges]
        if self.direction is ir.Direction.IN:
            steps = [[target, source] for source, target in steps]
        elif self.direction is ir.Direction.BOTH:
            steps += [[target, source] for source, target in steps]
        there = _reached(steps, left, lo, hi) & right
        back = _reached([[b, a] for a, b in steps], there, lo, hi) & left
        if not there or not back:
            return 0, 0, 0
        forward = _layers(steps, back, hi)
        backward = _layers([[b, a] for a, b in steps], there, hi)
        edges = 0
        for bit, source, target in index.ends:
            if not bit & self.edges:
                continue
            out = self.direction is not ir.Direction.IN
            into = self.direction is not ir.Direction.OUT
            if (out and _between(forward, backward, source, target, lo, hi)) or (
                into and _between(forward, backward, target, source, lo, hi)
            ):
                edges |= bit
        return back, edges, there


def _layers(steps: list[list[int]], start: int, hi: int) -> list[int]:
    """What can be reached in exactly 0, 1, … `hi` steps; for long walks, in any number."""
    if hi > _EXACT:
        return [_reached(steps, start, 0, hi)]
    layers = [start]
    for _ in range(hi):
        layers.append(_reached(steps, layers[-1], 1, 1))
    return layers


def _between(
    forward: list[int], backward: list[int], source: int, target: int, lo: int, hi: int
) -> bool:
    """Whether a step from `source` to `target` lies on a walk of `lo` to `hi` steps."""
    if len(forward) == 1:
        return bool(source & forward[0] and target & backward[0])
    return any(
        source & before and target & after and lo <= i + 1 + j <= hi
        for i, before in enumerate(forward)
        for j, after in enumerate(backward)
    )


def _reached(steps: list[list[int]], start: int, lo: int, hi: int) -> int:
    """Where walks of `lo` to `hi` steps from `start` can end."""
    reachable = start if lo == 0 else 0
    now = start
    for length in range(1, hi + 1):
        after = 0
        for source, target in steps:
            if source & now:
                after |= target
        if length >= lo:
            if after | reachable == reachable and length > lo and after == now:
                break
            reachable |= after
        now = after
        if not now:
            break
    return reachable


def propagate(index: Index, vertices: list[int], ties: list[Tie]) -> Tie | None:
    """Narrow `vertices` and the ties' edges in place until nothing changes.

    Returns the first tie that leaves no candidate, if any; then the masks are of no use.
    """
    changed = True
    while changed:
        changed = False
        for tie in ties:
            left, edges, right = tie.narrow(index, vertices[tie.left], vertices[tie.right])
            if not (left and right) or (not edges and (tie.hops is None or tie.hops.lo > 0)):
                return tie
            if left != vertices[tie.left] or right != vertices[tie.right] or edges != tie.edges:
                changed = True
                vertices[tie.left] = left
                if tie.left == tie.right:
                    right &= left
                vertices[tie.right] = right
                tie.edges = edges
    return None
