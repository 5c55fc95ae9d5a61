"""Masked pairs: a question and a query with placeholders where entities will stand.

In the query a mask is a parameter (`$s`), in texts it is `[s]`. After StockGQL (NAT-NL2GQL,
section 4 and appendix 8.1): one letter an entity type, a number behind it where a type stands
twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from generators.queries.archetypes.constants import literal
from generators.queries.archetypes.facets import Facets
from generators.questions.author import NotExpressible
from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from schemagraph.views import SubSchema

type Language = Literal["en", "zh"]

MASK = re.compile(r"\[([a-z][0-9]*)\]")


@dataclass(frozen=True, slots=True)
class Mask:
    """A placeholder: its name without brackets, and the property that it is compared with."""

    name: str
    owner: str
    property: str

    def __str__(self) -> str:
        return f"[{self.name}]"


@dataclass(frozen=True, slots=True)
class MaskedPair:
    """A question with masks and its query with parameters of the same names.

    `form` is the kind of question, `properties` are those that it reads, `author` who wrote it.
    """

    question: str
    statement: ir.Query
    masks: tuple[Mask, ...]
    path: SubSchema
    language: Language
    form: str
    properties: tuple[tuple[str, str], ...]
    author: str = "rules"


def mask_property(facets: Facets, node: NodeType) -> str:
    """The property by which a node is asked for: its name, or its key where it has none."""
    return facets.shown[node.name].sole or (node.key or facets.shown[node.name].whole)[0]


def filled(statement: ir.Query, values: Mapping[str, ir.Expr]) -> ir.Query:
    """The query with expressions in the place of its masks."""

    def change(node: ir.Node) -> ir.Node:
        return values.get(node.name, node) if isinstance(node, ir.Param) else node

    return rewrite(statement, change)


def constants(
    pair: MaskedPair, values: Mapping[str, Any], schema: SchemaGraph
) -> dict[str, ir.Expr]:
    """Plain values of the masks as constants of the query."""
    made: dict[str, ir.Expr] = {}
    for mask in pair.masks:
        known = schema.node_by_name[mask.owner].property(mask.property)
        assert known is not None  # noqa: S101 - masks are made from the schema
        made[mask.name] = literal(values[mask.name], known.type)
    return made


def masked_text(
    pair: MaskedPair, schema: SchemaGraph, text_of: Callable[[ir.Statement], str]
) -> str:
    """The query's text with `[s]` in the place of entities; quotes stay round texts."""
    marks = {mask.name: ir.Literal(str(mask)) for mask in pair.masks}
    text = text_of(filled(pair.statement, marks))
    for mask in pair.masks:
        known = schema.node_by_name[mask.owner].property(mask.property)
        if known is not None and known.type.kind is not Kind.STRING:
            text = text.replace(f"'{mask}'", str(mask)).replace(f'"{mask}"', str(mask))
    return text


def shown(question: str, values: Mapping[str, str]) -> str:
    """The question with names in the place of its masks, each replaced once."""
    return MASK.sub(lambda mask: values.get(mask[1], mask[0]), question)


def fresh_names(path: SubSchema, schema: SchemaGraph) -> tuple[str, ...]:
    """A variable for each node of a path: the label's first letter, numbered from the second on.

    Labels without a Latin letter share `n`.
    """
    counts: dict[str, int] = {}
    variables = []
    for name in path.nodes:
        label = schema.node_by_name[name].labels[0].lower()
        letter = next((c for c in label if "a" <= c <= "z"), "n")
        counts[letter] = counts.get(letter, 0) + 1
        variables.append(letter if counts[letter] == 1 else f"{letter}{counts[letter]}")
    return tuple(variables)


def node_of(pattern: ir.NodePattern, schema: SchemaGraph) -> NodeType:
    """The node type that a pattern of a query names.

    Raises:
        NotExpressible: there is none.
    """
    labels = pattern.labels
    wanted = {labels.name} if isinstance(labels, ir.LabelName) else set()
    if isinstance(labels, ir.LabelAnd):
        wanted = {each.name for each in labels.args if isinstance(each, ir.LabelName)}
    fits = [n for n in schema.nodes if wanted and wanted <= set(n.labels)]
    if not fits:
        raise NotExpressible("label expression")
    return min(fits, key=lambda node: len(node.labels))


def edge_of(
    pattern: ir.EdgePattern, before: NodeType, after: NodeType, schema: SchemaGraph
) -> EdgeType:
    """The edge type between two node types that a pattern of a query names.

    Raises:
        NotExpressible: there is none.
    """
    ends = (before.name, after.name)
    ends = ends if pattern.direction is ir.Direction.OUT else ends[::-1]
    for edge in schema.edges:
        known = isinstance(pattern.types, ir.LabelName) and edge.label == pattern.types.name
        if known and (edge.source, edge.target) == ends:
            return edge
    raise NotExpressible("edge type expression")


def sub_schema_json(statement: ir.Query, schema: SchemaGraph) -> dict[str, list[str]]:
    """The node and edge types that a query names: the field SubSchema."""
    used = [label.name for label in find(statement, ir.LabelName)]
    nodes = [label for label in used if label in schema.labels]
    edges = [label for label in used if label in schema.edge_labels]
    return {"nodes": list(dict.fromkeys(nodes)), "edges": list(dict.fromkeys(edges))}


def mentions(question: str) -> set[str]:
    """The names of the masks in a text."""
    return set(MASK.findall(question))


def names_of(masks: Iterable[Mask]) -> set[str]:
    """The names of masks."""
    return {mask.name for mask in masks}
