"""How a SchemaGraph lies in a NebulaGraph space: tags, edge types, vertex ids.

NebulaGraph keeps properties in tags, a vertex has several tags, and ids are unique in the whole
space. The convention, which the dialect and the schema writer share:

- Each label is a tag, each edge label an edge type.
- A tag holds a property if every node type with this label has the property; a property that so
  finds no tag of its node type is held by the tag of the type's first label. A property of a
  type may lie in several tags; all hold the same value.
- The vertex id (VID, a FIXED_STRING) is the name of the node type, `/`, and the key's values
  joined with `/`; in values `%` and `/` are percent-encoded. Key properties stay properties too.
- Parallel edges of one type between the same two vertices have the ranks 0, 1, 2, ….
- A list of strings, integers or floats is a property of type List, which came with 3.8; there
  are no properties that are other lists, maps, bytes, points or times with a zone.
- A zoned date-time is stored as its UTC instant, because NebulaGraph keeps no zones.

Source: NebulaGraph 3.8 manual, "Graph modeling", "VID", "Date and time types".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemagraph.model import NodeType, Property, SchemaGraph


class Tags:
    """The tags of a schema: which tag holds which property of which node type."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        by_label = {label: tuple(schema.with_label(label)) for label in schema.labels}
        self._holders: dict[tuple[str, str], tuple[str, ...]] = {}
        for node in schema.nodes:
            for prop in node.properties:
                own = tuple(
                    label
                    for label in node.labels
                    if all(other.property(prop.name) for other in by_label[label])
                )
                self._holders[node.name, prop.name] = own or node.labels[:1]

    def holders(self, node: NodeType, key: str) -> tuple[str, ...]:
        """The tags of `node` that hold its property `key`, in the order of its labels."""
        return self._holders.get((node.name, key), ())

    def cover(self, types: Iterable[str], key: str, wanted: Sequence[str] = ()) -> tuple[str, ...]:
        """Tags that together hold `key` of every node type named that has it.

        One tag where one does; among several, `wanted` come first, then those of most types.
        """
        open_types = [
            node for name in types if (node := self.schema.node_by_name[name]).property(key)
        ]
        chosen: list[str] = []
        while open_types:
            counts: dict[str, int] = {}
            for node in open_types:
                for label in self.holders(node, key):
                    counts[label] = counts.get(label, 0) + 1
            best = max(counts, key=lambda label: (counts[label], label in wanted))
            chosen.append(best)
            open_types = [n for n in open_types if best not in self.holders(n, key)]
        return tuple(chosen)

    def properties(self, label: str) -> tuple[Property, ...]:
        """The properties of the tag `label`, in the order of the schema."""
        by_name: dict[str, Property] = {}
        for node in self.schema.with_label(label):
            for prop in node.properties:
                if label in self.holders(node, prop.name):
                    by_name.setdefault(prop.name, prop)
        return tuple(by_name.values())


def vid(node_type: str, key: Iterable[object]) -> str:
    """The vertex id of the node of this type with this key.

    >>> vid("Person", [7]), vid("Order&Paid", ["a/b", 1.5])
    ('Person/7', 'Order&Paid/a%2Fb/1.5')
    """
    values = (str(value).replace("%", "%25").replace("/", "%2F") for value in key)
    return "/".join((node_type, *values))
