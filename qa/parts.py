"""What a statement is made of, gathered in one walk for the checks of its questions."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph_ir import nodes as ir
from graph_ir.walk import descend


@dataclass(slots=True)
class Parts:
    """Nodes of a statement by kind, in the order of the text."""

    labels: list[ir.LabelName] = field(default_factory=list)
    variables: list[ir.Var] = field(default_factory=list)
    properties: list[ir.Prop] = field(default_factory=list)
    entries: list[ir.Entry] = field(default_factory=list)
    nodes: list[ir.NodePattern] = field(default_factory=list)
    edges: list[ir.EdgePattern] = field(default_factory=list)
    paths: list[ir.Path] = field(default_factory=list)
    tests: list[ir.Compare] = field(default_factory=list)
    projections: list[ir.Project] = field(default_factory=list)
    matches: list[ir.Match] = field(default_factory=list)
    unions: list[ir.Union] = field(default_factory=list)

    @staticmethod
    def of(*statements: ir.Node) -> Parts:
        """The parts of some statements together."""
        parts = Parts()
        kinds = {
            ir.LabelName: parts.labels,
            ir.Var: parts.variables,
            ir.Prop: parts.properties,
            ir.Entry: parts.entries,
            ir.NodePattern: parts.nodes,
            ir.EdgePattern: parts.edges,
            ir.Path: parts.paths,
            ir.Compare: parts.tests,
            ir.Project: parts.projections,
            ir.Match: parts.matches,
            ir.Union: parts.unions,
        }
        for statement in statements:
            for node in descend(statement):
                into = kinds.get(type(node))
                if into is not None:
                    into.append(node)  # type: ignore[attr-defined] # the list of its kind
        return parts


def edge_labels(edge: ir.EdgePattern) -> list[str]:
    """The edge types that a pattern names."""
    if edge.types is None:
        return []
    return [node.name for node in descend(edge.types) if isinstance(node, ir.LabelName)]
