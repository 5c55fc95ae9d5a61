"""A schema in few letters: as much as there is room for, what a question is linked to first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evaluation.answering.linking import completed
from evaluation.answering.schema_text import part
from evaluation.answering.twigs import Linked, related_to
from schemagraph.describe import Size, describe
from schemagraph.model import NodeType, SchemaGraph


def compact_schema(schema: SchemaGraph, linked: Linked | None, letters: int) -> str:
    """The longest of these forms that has no more letters, else the last one: the schema with
    types, with names; the related part with names, with the linked properties and keys, with
    patterns alone. Without `linked` there is no related part, and patterns of all come last.
    """
    text = ""
    for text in _forms(schema, linked):
        if len(text) <= letters:
            return text
    return text


def _forms(schema: SchemaGraph, linked: Linked | None) -> Iterator[str]:
    yield describe(schema, Size.TYPES)
    yield describe(schema, Size.NAMES)
    if linked is None:
        yield describe(schema, Size.PATTERNS)
        return
    matched = related_to(linked)
    nodes = matched.nodes | {link.element[1] for link in linked.links if link.element[0] == "node"}
    nodes, edges = completed(schema, nodes, matched.edges)
    related = part(schema, nodes, edges) if nodes else schema
    yield describe(related, Size.NAMES)
    kept = tuple(_linked(node, linked) for node in related.nodes)
    short = replace(related, nodes=kept)
    # The pattern of an edge names its ends, so node types without properties need no line.
    lines = describe(short, Size.NAMES).splitlines()
    yield "\n".join(lines)
    bare = {node.name for node in kept if not node.properties}
    used = {end for edge in related.edges for end in (edge.source, edge.target)}
    yield "\n".join(
        line
        for node, line in zip([*(n.name for n in kept), *related.edges], lines, strict=True)
        if not (isinstance(node, str) and node in bare & used)
    )


def _linked(node: NodeType, linked: Linked) -> NodeType:
    """The node type with the properties that the question's words, values or twigs name."""
    names = {link.element[1] for link in linked.links if link.element[0] == "property"}
    names |= {key for m in linked.mentions for owner, key in m.places if owner == node.name}
    atoms = set(linked.atoms)
    kept = tuple(p for p in node.properties if p.name in names or f"{node.name}.{p.name}" in atoms)
    names_it = tuple(p for p in node.properties if "name" in p.name or "title" in p.name)[:1]
    own = kept or names_it
    held = {p.name for p in own}
    return replace(node, properties=own, key=tuple(key for key in node.key if key in held))
