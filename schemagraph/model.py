"""SchemaGraph, the one model-neutral form of a property graph's schema.

A node type is a set of labels with its properties; an edge type is one (source, label, target)
triple. Types are those that Cypher, ISO GQL and SQL engines share (ISO/IEC 39075:2024 §18.9).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property


class Kind(StrEnum):
    """The kinds of value a property or an expression can have."""

    BOOLEAN = "BOOLEAN"
    INTEGER = "INTEGER"
    FLOAT = "FLOAT"
    STRING = "STRING"
    DATE = "DATE"
    TIME = "TIME"  # local time, no zone
    ZONED_TIME = "ZONED_TIME"
    DATETIME = "DATETIME"  # local, no zone
    ZONED_DATETIME = "ZONED_DATETIME"
    DURATION = "DURATION"
    BYTES = "BYTES"
    POINT = "POINT"
    LIST = "LIST"
    MAP = "MAP"
    NODE = "NODE"
    EDGE = "EDGE"
    PATH = "PATH"
    NULL = "NULL"
    ANY = "ANY"  # unknown


TEMPORAL = frozenset(
    {Kind.DATE, Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME, Kind.DURATION}
)
NUMERIC = frozenset({Kind.INTEGER, Kind.FLOAT})


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value: a kind, the items' type of a list, candidates of an element.

    `of` names, for NODE, the node types (`NodeType.name`) it can be; for EDGE, the edge types
    (`EdgeType.name`); for PATH, those of both that it can pass. Empty `of` means: not known.
    `mixed`, for FLOAT: some values are integers, which divide otherwise. `of_nothing`, for FLOAT:
    it is this integer where what it sums up is nothing, "0", or "any" where something was added.
    """

    kind: Kind
    item: Type | None = None
    of: tuple[str, ...] = ()
    nullable: bool = True
    mixed: bool = False
    of_nothing: str = ""

    @property
    def may_be_whole(self) -> bool:
        """Whether a value may be an integer, as far as it is a number."""
        return self.kind is Kind.INTEGER or self.mixed or bool(self.of_nothing)

    def __str__(self) -> str:
        return f"LIST<{self.item}>" if self.kind is Kind.LIST else self.kind.value


ANY = Type(Kind.ANY)


@dataclass(frozen=True, slots=True)
class Observed:
    """What the data says of a property, and nobody declared: no NULL in it, no value twice, that
    all of its texts are a few that come again and again, or that a float is infinite."""

    nullable: bool = True
    unique: bool = False
    values: tuple[str, ...] = ()
    infinite: bool = False


UNSEEN = Observed()


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node or edge type. `note` is a sentence for people and prompts.

    `nullable`, `unique` and the closed set of `values`, texts or integers, are what the source
    declares; `observed` is what its data are like besides, which is no constraint.
    """

    name: str
    type: Type
    nullable: bool = True
    note: str = ""
    unique: bool = False
    values: tuple[str | int, ...] = ()
    observed: Observed = UNSEEN

    @property
    def holds_null(self) -> bool:
        """Whether a value may be absent in these data."""
        return self.nullable and self.observed.nullable


@dataclass(frozen=True)
class NodeType:
    """A set of labels with properties; `labels[0]` is its own label, `key` names key properties.
    `unique` are declared sets of several properties that no two nodes agree in.

    `name` is `A&B` for several labels, as in the files of GraphData.
    """

    labels: tuple[str, ...]
    properties: tuple[Property, ...] = ()
    key: tuple[str, ...] = ()
    note: str = ""
    unique: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def name(self) -> str:
        """The type's name: its labels joined with `&`."""
        return "&".join(self.labels)

    def property(self, name: str) -> Property | None:
        """The property called `name`, or None."""
        return next((p for p in self.properties if p.name == name), None)

    def key_first(self) -> NodeType:
        """The same type, its key properties first, in the key's order."""
        place = {name: number for number, name in enumerate(self.key)}
        ordered = sorted(self.properties, key=lambda p: place.get(p.name, len(place)))
        return replace(self, properties=tuple(ordered))


@dataclass(frozen=True)
class EdgeType:
    """Edges with `label` from node type `source` to node type `target` (both by name).

    `targets` and `sources` are how many of them a source has, and a target, as declared: `1`,
    `0..1`, or empty for any number. `observed_one`: in the data no source has two targets, no
    target two sources.
    """

    label: str
    source: str
    target: str
    properties: tuple[Property, ...] = ()
    note: str = ""
    targets: str = ""
    sources: str = ""
    observed_one: tuple[bool, bool] = (False, False)

    @cached_property
    def name(self) -> str:
        """A unique name of the triple: `Source-LABEL-Target`."""
        return f"{self.source}-{self.label}-{self.target}"

    def property(self, name: str) -> Property | None:
        """The property called `name`, or None."""
        return next((p for p in self.properties if p.name == name), None)


@dataclass(frozen=True)
class SchemaGraph:
    """All node and edge types of one graph."""

    name: str
    nodes: tuple[NodeType, ...]
    edges: tuple[EdgeType, ...] = ()

    def keys_first(self) -> SchemaGraph:
        """The same types, the properties of each node type beginning with its key, as its table
        on disk has them."""
        return replace(self, nodes=tuple(node.key_first() for node in self.nodes))

    @cached_property
    def node_by_name(self) -> dict[str, NodeType]:
        """Node types by `NodeType.name`."""
        return {n.name: n for n in self.nodes}

    @cached_property
    def edge_by_name(self) -> dict[str, EdgeType]:
        """Edge types by `EdgeType.name`."""
        return {e.name: e for e in self.edges}

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every node label, sorted."""
        return tuple(sorted({label for n in self.nodes for label in n.labels}))

    @cached_property
    def edge_labels(self) -> tuple[str, ...]:
        """Every edge label, sorted."""
        return tuple(sorted({e.label for e in self.edges}))

    @cached_property
    def edges_between(self) -> dict[tuple[str, str], tuple[EdgeType, ...]]:
        """Edge types by the names of their source and target."""
        by_ends: dict[tuple[str, str], tuple[EdgeType, ...]] = {}
        for edge in self.edges:
            ends = (edge.source, edge.target)
            by_ends[ends] = (*by_ends.get(ends, ()), edge)
        return by_ends

    def with_label(self, label: str) -> Iterator[NodeType]:
        """Node types that carry `label`."""
        return (n for n in self.nodes if label in n.labels)
