"""How a SchemaGraph lies in a Spanner property graph: element tables, labels, properties.

Spanner declares a property once in a graph, by a name that is not case-sensitive and with one
type, and every element table with a label has all properties of the label (Spanner documentation,
"Spanner Graph schema overview"; GoogleSQL, "Graph schema statements"). The convention, which the
dialect and the analyser's catalogue share:

- Each node type and each edge type is an element table; its labels are those of the type. A
  property that a label has in another table only is NULL in this one.
- A name that Spanner would take for another one, or a property of several types, gets a number:
  of `id` (STRING) and `id` (INT64) the one that comes first in the schema stays `id`, the other
  is `id_2`. Labels of nodes and of edges are names of one kind.
- Date-times are TIMESTAMP; one without a zone is the instant in UTC. There are no properties that
  are times without a date, durations, points, maps, or lists of lists; those are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type

_TYPES = {
    Kind.BOOLEAN: "BOOL",
    Kind.INTEGER: "INT64",
    Kind.FLOAT: "FLOAT64",
    Kind.STRING: "STRING",
    Kind.BYTES: "BYTES",
    Kind.DATE: "DATE",
    Kind.DATETIME: "TIMESTAMP",
    Kind.ZONED_DATETIME: "TIMESTAMP",
}


def spanner_type(of: Type) -> str | None:
    """The column type that holds values of a type exactly, or None where there is none.

    >>> spanner_type(Type(Kind.LIST, Type(Kind.INTEGER))), spanner_type(Type(Kind.DURATION))
    ('ARRAY<INT64>', None)
    """
    if of.kind is Kind.LIST:
        item = _TYPES.get(of.item.kind) if of.item is not None else None
        return f"ARRAY<{item}>" if item else None
    return _TYPES.get(of.kind)


class SpannerNames:
    """What the labels and properties of a schema are called in Spanner, and their types."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema

    @cached_property
    def _properties(self) -> dict[tuple[str, str], str]:
        """(name, Spanner's type) -> the declared name."""
        elements: list[NodeType | EdgeType] = [*self.schema.nodes, *self.schema.edges]
        declared_types = (
            (prop.name, held)
            for element in elements
            for prop in element.properties
            if (held := spanner_type(prop.type)) and prop.name
        )
        taken: set[str] = set()
        return {key: _free(key[0], taken) for key in dict.fromkeys(declared_types)}

    @cached_property
    def _labels(self) -> dict[tuple[str, bool], str]:
        """(label, whether of edges) -> the declared name."""
        nodes = dict.fromkeys(label for node in self.schema.nodes for label in node.labels)
        edges = dict.fromkeys(edge.label for edge in self.schema.edges)
        taken: set[str] = set()
        named = {(label, False): _free(label, taken) for label in nodes}
        return named | {(label, True): _free(label, taken) for label in edges}

    @cached_property
    def labels_meant(self) -> dict[str, str]:
        """Declared name of a label in lower case -> the label."""
        return {declared.casefold(): name for (name, _), declared in self._labels.items()}

    @cached_property
    def properties_meant(self) -> dict[str, str]:
        """Declared name of a property in lower case -> the property."""
        return {declared.casefold(): name for (name, _), declared in self._properties.items()}

    def label(self, name: str, *, edge: bool) -> str | None:
        """What a label is called, or None where the schema has none of the name."""
        return self._labels.get((name, edge))

    @cached_property
    def declared(self) -> dict[str, str]:
        """Every declared property and its type."""
        return {name: held for (_, held), name in self._properties.items()}

    def own(self, element: NodeType | EdgeType) -> dict[str, str]:
        """Property -> declared name, of what one node or edge type has itself."""
        return {
            prop.name: self._properties[prop.name, held]
            for prop in element.properties
            if (held := spanner_type(prop.type)) and prop.name
        }

    def of_label(self, name: str, *, edge: bool) -> tuple[str, ...]:
        """The declared names of all properties that a label has."""
        holders: Iterable[NodeType | EdgeType] = (
            [each for each in self.schema.edges if each.label == name]
            if edge
            else self.schema.with_label(name)
        )
        declared_names = (declared for holder in holders for declared in self.own(holder).values())
        return tuple(dict.fromkeys(declared_names))


def _free(name: str, taken: set[str]) -> str:
    """`name`, with a number where Spanner could not tell it from another one."""
    candidate, number = name, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{name}_{number}"
    taken.add(candidate.casefold())
    return candidate
