"""Labels and properties in Spanner's GQL: names that the graph declares.

Sources: GoogleSQL, "Graph schema statements" and "GQL patterns".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import ANY, EdgeType, Kind, NodeType, Type
from translators.gql.emit.dialect import Gql
from translators.gql.emit.operators import PRIMARY
from translators.gql.emit.values import kind_of
from translators.gql.spanner.floats import beside
from translators.gql.spanner.types import comparable
from translators.printing import wrap

if TYPE_CHECKING:
    from translators.gql.spanner.dialect import Spanner


def label_name(gql: Spanner, node: ir.LabelName) -> str:
    label = gql.names.label(node.name, edge=gql.of_edges)
    if label is None:
        raise _undeclared(gql, node.name, "label", node)
    return gql.identifier(label)


def _undeclared(gql: Spanner, name: str, what: str, node: ir.Node) -> Refused:
    # Cypher takes any name and finds nothing; GoogleSQL refuses the text.
    reason = f"The graph declares no {what} '{name}' here, and Spanner takes no other."
    return Refused("undeclared-name", name, reason, node.span)


def node_labels(gql: Spanner, labels: ir.LabelExpr) -> str:
    gql.of_edges = False
    return f":{gql.emit(labels)}"


def edge_labels(gql: Spanner, labels: ir.LabelExpr) -> str:
    gql.of_edges = True
    return f":{gql.emit(labels)}"


def label_test(
    gql: Spanner, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
) -> str:
    gql.of_edges = edge
    return Gql.label_test(gql, variable, labels, edge=edge, negated=negated)


def prop(gql: Spanner, node: ir.Prop) -> str:
    kind = kind_of(node.base)
    if kind in (Kind.NODE, Kind.EDGE):
        base = node.base
        of = replace(base.type, kind=kind)
        variable = gql.emit(base) if isinstance(base, ir.Var) else None
        exposed = _exposed_by(gql, variable)
        name = gql.identifier(_declared(gql, of, node.key, node, exposed))
        if isinstance(base, ir.Var):
            return f"{gql.emit(base)}.{name}"
        return f"{wrap(gql.emit(base), PRIMARY)}.{name}"
    if kind in (Kind.ANY, Kind.MAP):
        raise Refused(
            "untyped-property",
            f".{node.key}",
            "What has this property is no node or edge whose type is known.",
            node.span,
        )
    return Gql.emit_Prop(gql, node)


def _declared(gql: Spanner, of: Type, key: str, node: ir.Node, exposed: int | None) -> str:
    """The declared name of the property `key` of an element that is one of `of`.

    `exposed` are the types whose tables fulfil the labels asked for, where that is known: the
    element has their properties for GoogleSQL, whatever is known of it besides.
    """
    elements = _elements(gql, of, exposed)
    names = {n for e in elements if (n := gql.names.own(e).get(key)) is not None}
    if any(e.property(key) and key not in gql.names.own(e) for e in elements):
        raise Refused("property-type", key, f"Spanner stores no '{key}' of this type.", node.span)
    if not names:
        raise _undeclared(gql, key, "property", node)
    if len(names) > 1:
        raise Refused(
            "property-conflict",
            key,
            f"'{key}' has several types; a property of Spanner has one.",
            node.span,
        )
    return names.pop()


def _elements(gql: Spanner, of: Type, exposed: int | None) -> list[NodeType | EdgeType]:
    mask = gql.index.mask(of)
    if exposed is not None:
        mask = (mask & exposed) or exposed
    return [*gql.index.members(of.kind, mask)]


def _exposed_by(gql: Spanner, variable: str | None) -> int | None:
    """The types that the patterns of a variable ask for, where they are at hand."""
    return None if variable is None else gql.exposed.get(variable)


def asked(gql: Spanner, node: ir.NodePattern | ir.EdgePattern) -> int:
    """The types that fulfil the labels of an element pattern."""
    if isinstance(node, ir.EdgePattern):
        labels, kind, every = node.types, Kind.EDGE, gql.index.all_edges
    else:
        labels, kind, every = node.labels, Kind.NODE, gql.index.all_nodes
    return every if labels is None else gql.index.labelled(kind, labels)


def declare(gql: Spanner, path: ir.Path) -> None:
    before = set(gql.scope.names)
    Gql.declare(gql, path)
    parts: list[ir.NodePattern | ir.EdgePattern] = [path.head]
    for step in path.steps:
        parts += [step.node] if isinstance(step.edge, ir.Quantified) else [step.edge, step.node]
    for part in parts:
        if part.var is not None:
            name = gql.scope.names[part.var]
            known = gql.exposed.get(name, -1) if part.var in before else -1
            before.add(part.var)
            gql.exposed[name] = known & gql.asked(part)


def type_of(gql: Spanner, of: Type, key: str, exposed: int | None) -> Type:
    """The type of a property; unknown where there is none, which `declared` refuses."""
    declared = (p for e in _elements(gql, of, exposed) if (p := e.property(key)))
    return next((prop.type for prop in declared), ANY)


def filled(
    gql: Spanner, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str
) -> str:
    if isinstance(node.props, ir.MapOf):
        kind = Kind.EDGE if isinstance(node, ir.EdgePattern) else Kind.NODE
        of, exposed = replace(node.type, kind=kind), gql.asked(node)
        entries = []
        for entry in node.props.entries:
            declared = _declared(gql, of, entry.key, entry, exposed)
            known = ir.Var("", type=gql.type_of(of, entry.key, exposed))
            comparable(entry.value, known, entry.value, equality=True)
            gql.instants("=", known, entry.value)
            beside(gql, known, entry.value)
            entries.append(replace(entry, key=declared, value=beside(gql, entry.value, known)))
        node = replace(node, props=replace(node.props, entries=tuple(entries)))
    return Gql.filled(gql, node, name, labels)


def property_map(gql: Spanner, entries: tuple[ir.Entry, ...]) -> str:
    pairs = (f"{gql.identifier(entry.key)}: {gql.emit(entry.value)}" for entry in entries)
    return "{" + ", ".join(pairs) + "}"
