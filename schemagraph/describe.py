"""The schema as Cypher-like text, in a few sizes: for people, and for prompts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph

LONGEST = 60  # characters of a value that is shown


class Size(StrEnum):
    """How much to say, from the least to the most."""

    PATTERNS = "patterns"  # labels and how they connect
    NAMES = "names"  # and the names of properties
    TYPES = "types"  # and their types
    CONSTRAINTS = "constraints"  # and keys, what is unique, closed sets of values
    FULL = "full"  # and what can be absent, what was observed, notes


type Samples = Mapping[tuple[str, str], Any]
"""A value of the data for a property, by the name of its node or edge type and its own."""


def describe(schema: SchemaGraph, size: Size = Size.TYPES, samples: Samples | None = None) -> str:
    """One line for each node type, then one for each edge type; with types, values of `samples`.

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
    >>> print(describe(schema, Size.CONSTRAINTS).splitlines()[0])
    (:Person {id: INTEGER KEY, `full name`: STRING})
    >>> print(describe(schema, Size.FULL).splitlines()[0])
    (:Person {id: INTEGER KEY, `full name`: STRING?})
    >>> print(describe(schema, samples={("Person", "full name"): "Ada"}).splitlines()[0])
    (:Person {id: INTEGER, `full name`: STRING = "Ada"})
    """
    values = samples or {}
    lines = [_node(node, size, values) for node in schema.nodes]
    lines += [_edge(edge, schema, size, values) for edge in schema.edges]
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A value of the data for people and prompts: as JSON, on one line, cut when it is long.

    >>> shown("a\\nb"), shown(2.5), shown("x" * 70)[-4:]
    ('"a b"', '2.5', 'xx…"')
    """
    if isinstance(value, str):
        flat = " ".join(value.split())
        value = flat if len(flat) <= LONGEST else f"{flat[:LONGEST]}…"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST + 3 else f"{text[:LONGEST]}…"


def _node(node: NodeType, size: Size, samples: Samples) -> str:
    inner = _properties(node.properties, node.key, size, node.name, samples)
    sets = "".join(f" UNIQUE ({', '.join(map(_name, names))})" for names in node.unique)
    shown_sets = sets if size in (Size.CONSTRAINTS, Size.FULL) else ""
    notes = _notes(node.note, node.properties, size)
    return f"({_labels(node.labels)}{inner}){shown_sets}{notes}"


def _edge(edge: EdgeType, schema: SchemaGraph, size: Size, samples: Samples) -> str:
    source, target = (
        _labels(schema.node_by_name[end].labels if end in schema.node_by_name else (end,))
        for end in (edge.source, edge.target)
    )
    inner = _properties(edge.properties, (), size, edge.name, samples)
    notes = _notes(edge.note, edge.properties, size)
    return f"({source})-[:{_name(edge.label)}{inner}]->({target}){notes}"


def _labels(labels: Sequence[str]) -> str:
    return "".join(f":{_name(label)}" for label in labels)


def _name(text: str) -> str:
    return text if text.isidentifier() else "`" + text.replace("`", "``") + "`"


def _properties(
    properties: Sequence[Property], key: Sequence[str], size: Size, owner: str, samples: Samples
) -> str:
    if size is Size.PATTERNS or not properties:
        return ""
    parts = []
    for given in properties:
        text = _name(given.name)
        if size is not Size.NAMES:
            text += f": {given.type}"
            if samples.get((owner, given.name)) is not None:
                text += f" = {shown(samples[owner, given.name])}"
        if size is Size.FULL:
            text += " KEY" if given.name in key else _facts(given)
        if size is Size.CONSTRAINTS:
            text += constraints(given, key)
        parts.append(text)
    return f" {{{', '.join(parts)}}}"


def _facts(given: Property) -> str:
    """What is declared of a property, and in parentheses what was only observed."""
    text = "?" if given.nullable else ""
    text += constraints(given)
    seen = given.observed
    observed = ["no null"] if given.nullable and not seen.nullable else []
    observed += [f"IN {_listed(seen.values)}"] if seen.values else []
    return f"{text} (observed: {', '.join(observed)})" if observed else text


def constraints(given: Property, key: Sequence[str] = ()) -> str:
    """What is declared of a property whose type has this key, as text behind its own type."""
    text = " KEY" if given.name in key else " UNIQUE" if given.unique else ""
    return f"{text} IN {_listed(given.values)}" if given.values else text


def _listed(values: Sequence[str | int]) -> str:
    return f"[{', '.join(map(shown, values))}]"


def _notes(note: str, properties: Sequence[Property], size: Size) -> str:
    if size is not Size.FULL:
        return ""
    notes = [note] if note else []
    notes += [f"{_name(given.name)}: {given.note}" for given in properties if given.note]
    return f" // {' '.join(notes)}" if notes else ""
