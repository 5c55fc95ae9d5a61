"""The schema as Cypher-like text, in a few sizes: for people, and for prompts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph


class Size(StrEnum):
    """How much to say, from the least to the most."""

    PATTERNS = "patterns"  # labels and how they connect
    NAMES = "names"  # and the names of properties
    TYPES = "types"  # and their types
    FULL = "full"  # and keys, what can be absent, notes


def describe(schema: SchemaGraph, size: Size = Size.TYPES) -> str:
    """One line for each node type, then one for each edge type.

    >>> from schemagraph.model import Kind, Type
    >>> name = Property("full name", Type(Kind.STRING))
    >>> person = NodeType(("Person",), (Property("id", Type(Kind.INTEGER), False), name), ("id",))
    >>> schema = SchemaGraph("x", (person,), (EdgeType("KNOWS", "Person", "Person"),))
    >>> print(describe(schema))
    (:Person {id: INTEGER, `full name`: STRING})
    (:Person)-[:KNOWS]->(:Person)
    >>> print(describe(schema, Size.PATTERNS))
    (:Person)
    (:Person)-[:KNOWS]->(:Person)
    >>> print(describe(schema, Size.FULL).splitlines()[0])
    (:Person {id: INTEGER KEY, `full name`: STRING?})
    """
    lines = [_node(node, size) for node in schema.nodes]
    lines += [_edge(edge, schema, size) for edge in schema.edges]
    return "\n".join(lines)


def _node(node: NodeType, size: Size) -> str:
    inner = _properties(node.properties, node.key, size)
    return f"({_labels(node.labels)}{inner}){_notes(node.note, node.properties, size)}"


def _edge(edge: EdgeType, schema: SchemaGraph, size: Size) -> str:
    source, target = (
        _labels(schema.node_by_name[end].labels if end in schema.node_by_name else (end,))
        for end in (edge.source, edge.target)
    )
    inner = _properties(edge.properties, (), size)
    notes = _notes(edge.note, edge.properties, size)
    return f"({source})-[:{_name(edge.label)}{inner}]->({target}){notes}"


def _labels(labels: Sequence[str]) -> str:
    return "".join(f":{_name(label)}" for label in labels)


def _name(text: str) -> str:
    return text if text.isidentifier() else "`" + text.replace("`", "``") + "`"


def _properties(properties: Sequence[Property], key: Sequence[str], size: Size) -> str:
    if size is Size.PATTERNS or not properties:
        return ""
    shown = []
    for given in properties:
        text = _name(given.name)
        if size is not Size.NAMES:
            text += f": {given.type}"
        if size is Size.FULL:
            text += " KEY" if given.name in key else "?" if given.nullable else ""
        shown.append(text)
    return f" {{{', '.join(shown)}}}"


def _notes(note: str, properties: Sequence[Property], size: Size) -> str:
    if size is not Size.FULL:
        return ""
    found = [note] if note else []
    found += [f"{_name(given.name)}: {given.note}" for given in properties if given.note]
    return f" // {' '.join(found)}" if found else ""
