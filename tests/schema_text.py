"""Small schemas as text, for fixtures."""

from __future__ import annotations

import re

from schemagraph.model import (
    UNSEEN,
    EdgeType,
    Kind,
    NodeType,
    Observed,
    Property,
    SchemaGraph,
    Type,
)


def read_schema(text: str) -> SchemaGraph:
    """A schema from lines `A&B(key!: STRING, age: INTEGER?)` and `A&B-[T(x: DATE)]->C`.

    `!` marks a key, `?` a property that can be null, LIST<T> a list, and
    `∞` one that holds infinite numbers. `#` begins a comment.
    """
    nodes: list[NodeType] = []
    edges: list[EdgeType] = []
    for line in text.splitlines():
        edge = re.fullmatch(r"(.+?)-\[(.+?)(?:\((.*)\))?\]->(.+)", line)
        node = re.fullmatch(r"([^(]+)\((.*)\)", line)
        if not line or line.startswith("#"):
            continue
        if edge:
            properties, _ = _properties(edge[3] or "")
            edges.append(EdgeType(edge[2], edge[1], edge[4], properties))
        elif node:
            properties, key = _properties(node[2])
            nodes.append(NodeType(tuple(node[1].split("&")), properties, key))
        else:
            raise ValueError(f"not a line of a schema: {line}")
    return SchemaGraph("fixture", tuple(nodes), tuple(edges))


def _properties(text: str) -> tuple[tuple[Property, ...], tuple[str, ...]]:
    found = re.findall(r"([^,:]+?)(!?): (LIST<)?(\w+)>?(∞)?(\?)?(?:, |$)", text)
    properties = []
    for name, _key, listed, kind, infinite, null in found:
        type = Type(Kind(kind), nullable=bool(null))
        if listed:
            type = Type(Kind.LIST, type, nullable=bool(null))
        observed = Observed(infinite=True) if infinite else UNSEEN
        properties.append(Property(name, type, bool(null), observed=observed))
    return tuple(properties), tuple(name for name, key, *_ in found if key)
