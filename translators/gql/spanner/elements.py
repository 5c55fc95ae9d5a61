"""Labels and properties in Spanner's GQL: names that the graph declares.

Sources: GoogleSQL, "Graph schema statements" and "GQL patterns".
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.label_inference import Index
from graphmill.errors import Refused
from schemagraph.model import ANY, EdgeType, Kind, NodeType, Type
from translators.gql.emit.text import PRIMARY, wrap
from translators.gql.emit.values import kind_of
from translators.gql.spanner.functions import Functions
from translators.gql.spanner.types import comparable


class Elements(Functions):
    """Emits labels and properties by their declared names."""

    index: Index
    # Variable, as Spanner calls it -> the types whose tables fulfil the labels of its patterns.
    exposed: dict[str, int]
    # Whether the labels at hand are those of edges.
    of_edges: bool = False

    def emit_LabelName(self, node: ir.LabelName) -> str:
        found = self.names.label(node.name, edge=self.of_edges)
        if found is None:
            raise self._undeclared(node.name, "label", node)
        return self.identifier(found)

    def _undeclared(self, name: str, what: str, node: ir.Node) -> Refused:
        # Cypher takes any name and finds nothing; GoogleSQL refuses the text.
        reason = f"The graph declares no {what} '{name}' here, and Spanner takes no other."
        return Refused("undeclared-name", name, reason, node.span)

    def node_labels(self, labels: ir.LabelExpr) -> str:
        self.of_edges = False
        return f":{self.emit(labels)}"

    def edge_labels(self, labels: ir.LabelExpr) -> str:
        self.of_edges = True
        return f":{self.emit(labels)}"

    def label_test(
        self, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
    ) -> str:
        self.of_edges = edge
        return super().label_test(variable, labels, edge=edge, negated=negated)

    def emit_Prop(self, node: ir.Prop) -> str:
        kind = kind_of(node.base)
        if kind in (Kind.NODE, Kind.EDGE):
            base = node.base
            of = replace(base.type, kind=kind)
            variable = self.emit(base) if isinstance(base, ir.Var) else None
            exposed = self.exposed_by(variable)
            name = self.identifier(self.declared(of, node.key, node, exposed))
            if isinstance(base, ir.Var):
                return f"{self.emit(base)}.{name}"
            return f"{wrap(self.emit(base), PRIMARY)}.{name}"
        if kind in (Kind.ANY, Kind.MAP):
            raise Refused(
                "untyped-property",
                f".{node.key}",
                "What has this property is no node or edge whose type is known.",
                node.span,
            )
        return super().emit_Prop(node)

    def declared(self, of: Type, key: str, node: ir.Node, exposed: int | None) -> str:
        """The declared name of the property `key` of an element that is one of `of`.

        `exposed` are the types whose tables fulfil the labels asked for, where that is known: the
        element has their properties for GoogleSQL, whatever is known of it besides.
        """
        elements = self._elements(of, exposed)
        found = {n for e in elements if (n := self.names.own(e).get(key)) is not None}
        if any(e.property(key) and key not in self.names.own(e) for e in elements):
            raise Refused(
                "property-type", key, f"Spanner stores no '{key}' of this type.", node.span
            )
        if not found:
            raise self._undeclared(key, "property", node)
        if len(found) > 1:
            raise Refused(
                "property-conflict",
                key,
                f"'{key}' has several types; a property of Spanner has one.",
                node.span,
            )
        return found.pop()

    def _elements(self, of: Type, exposed: int | None) -> list[NodeType | EdgeType]:
        mask = self.index.mask(of)
        if exposed is not None:
            mask = (mask & exposed) or exposed
        return [*self.index.members(of.kind, mask)]

    def exposed_by(self, variable: str | None) -> int | None:
        """The types that the patterns of a variable ask for, where they are at hand."""
        return None if variable is None else self.exposed.get(variable)

    def asked(self, node: ir.NodePattern | ir.EdgePattern) -> int:
        """The types that fulfil the labels of an element pattern."""
        if isinstance(node, ir.EdgePattern):
            labels, kind, every = node.types, Kind.EDGE, self.index.all_edges
        else:
            labels, kind, every = node.labels, Kind.NODE, self.index.all_nodes
        return every if labels is None else self.index.labelled(kind, labels)

    def declare(self, path: ir.Path) -> None:
        before = set(self.scope.names)
        super().declare(path)
        parts: list[ir.NodePattern | ir.EdgePattern] = [path.head]
        for step in path.steps:
            parts += [step.node] if isinstance(step.edge, ir.Quantified) else [step.edge, step.node]
        for part in parts:
            if part.var is not None:
                name = self.scope.names[part.var]
                known = self.exposed.get(name, -1) if part.var in before else -1
                before.add(part.var)
                self.exposed[name] = known & self.asked(part)

    def type_of(self, of: Type, key: str, exposed: int | None) -> Type:
        """The type of a property; unknown where there is none, which `declared` refuses."""
        found = (p for e in self._elements(of, exposed) if (p := e.property(key)))
        return next((prop.type for prop in found), ANY)

    def _filled(self, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str) -> str:
        if isinstance(node.props, ir.MapOf):
            kind = Kind.EDGE if isinstance(node, ir.EdgePattern) else Kind.NODE
            of, exposed = replace(node.type, kind=kind), self.asked(node)
            entries = []
            for entry in node.props.entries:
                declared = self.declared(of, entry.key, entry, exposed)
                known = ir.Var("", type=self.type_of(of, entry.key, exposed))
                comparable(entry.value, known, entry.value, equality=True)
                entries.append(replace(entry, key=declared))
            node = replace(node, props=replace(node.props, entries=tuple(entries)))
        return super()._filled(node, name, labels)

    def property_map(self, entries: tuple[ir.Entry, ...]) -> str:
        pairs = (f"{self.identifier(entry.key)}: {self.emit(entry.value)}" for entry in entries)
        return "{" + ", ".join(pairs) + "}"
