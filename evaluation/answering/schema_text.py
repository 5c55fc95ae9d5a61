"""A schema as a prompt has it, in three forms: DDL, Cypher-like patterns, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from schemagraph.describe import Samples, Size, constraints, describe, shown
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.targets.gql import GqlTarget

type SchemaForm = Literal["ddl", "cypher", "json"]

SCHEMA_FORMS: tuple[SchemaForm, ...] = ("ddl", "cypher", "json")
CYPHER = "cypher"


def schema_text(schema: SchemaGraph, form: str = CYPHER, samples: Samples | None = None) -> str:
    """The schema in a form; with `samples`, values of the data are shown (not in DDL, which has
    no place for them).

    `ddl` is the graph type of ISO GQL, `cypher` a pattern a line, `json` one object. The last two
    say keys, what is unique and closed sets of values behind the types.
    """
    if form == "ddl":
        text = GqlTarget().export(schema).texts["schema.gql"]
        kept = [line for line in text.splitlines() if line and not line.startswith("//")]
        return "\n".join(kept)
    if form == "json":
        return _json(schema, samples or {})
    return describe(schema, Size.CONSTRAINTS, samples)


def _json(schema: SchemaGraph, samples: Samples) -> str:
    nodes = [
        {
            "labels": list(node.labels),
            "properties": _properties(node, samples, node.key),
            **({"unique": [list(names) for names in node.unique]} if node.unique else {}),
        }
        for node in schema.nodes
    ]
    edges = [
        {
            "type": edge.label,
            "from": edge.source,
            "to": edge.target,
            "properties": _properties(edge, samples),
        }
        for edge in schema.edges
    ]
    return json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False)


def _properties(
    owner: NodeType | EdgeType, samples: Samples, key: Sequence[str] = ()
) -> Mapping[str, Any]:
    texts = {given.name: f"{given.type}{constraints(given, key)}" for given in owner.properties}
    for name in texts:
        value = samples.get((owner.name, name))
        if value is not None:
            texts[name] += f", such as {shown(value)}"
    return texts


def part(
    schema: SchemaGraph, labels: Iterable[str], edges: Iterable[str], name: str = ""
) -> SchemaGraph:
    """The part of a schema with node types and edge types of these names, and the ends of edges."""
    kept = [edge for edge in schema.edges if edge.name in set(edges)]
    wanted = {*labels, *(edge.source for edge in kept), *(edge.target for edge in kept)}
    nodes = tuple(node for node in schema.nodes if node.name in wanted)
    return SchemaGraph(name or schema.name, nodes, tuple(kept))
