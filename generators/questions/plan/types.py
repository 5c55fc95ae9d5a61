"""What a plan asks of the schema: which types a pattern admits, keys, links that lead to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graph_ir import nodes as ir
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph


class Types:
    """The types of one schema, or bare names where there is none."""

    def __init__(self, schema: SchemaGraph | None) -> None:
        self.schema = schema

    def nodes(self, labels: ir.LabelExpr | None) -> tuple[str, ...]:
        """Names of the node types that a label expression admits."""
        if self.schema is None:
            return tuple(_names(labels))
        return tuple(n.name for n in self.schema.nodes if admits(labels, n.labels))

    def edges(
        self, types: ir.LabelExpr | None, source: tuple[str, ...], target: tuple[str, ...]
    ) -> tuple[EdgeType, ...]:
        """Edge types that a pattern from `source` to `target` can be."""
        return tuple(
            e
            for e in (self.schema.edges if self.schema is not None else ())
            if admits(types, (e.label,))
            and (not source or e.source in source)
            and (not target or e.target in target)
        )

    def joining(self, one: str, other: str) -> int:
        """How many edge types lead from one node type to another, or back."""
        edges = self.schema.edges if self.schema is not None else ()
        return sum({each.source, each.target} == {one, other} for each in edges)

    def may_be_elsewhere(self, part: str, whole: str) -> bool:
        """Whether parts lead to a whole or to what wholes lead to: payments are for a stay, or for
        its booking, so that a stay without any of its own may be paid for."""
        edges = self.schema.edges if self.schema is not None else ()
        loose = {e.target for e in edges if e.source == part and e.targets == "0..1"}
        further = {e.target for e in edges if e.source == whole and _pairs(e)} - {whole}
        return whole in loose and not loose.isdisjoint(further)

    def element(self, name: str) -> NodeType | EdgeType | None:
        """The node or edge type of a name."""
        if self.schema is None:
            return None
        return self.schema.node_by_name.get(name) or self.schema.edge_by_name.get(name)

    def property(self, types: Iterable[str], key: str) -> Property | None:
        """The property of the first of these types that has it."""
        for name in types:
            element = self.element(name)
            prop = element.property(key) if element is not None else None
            if prop is not None:
                return prop
        return None

    def keys(self, types: Iterable[str]) -> tuple[str, ...]:
        """The key properties of a node type."""
        for name in types:
            element = self.element(name)
            if isinstance(element, NodeType):
                return element.key
        return ()


def leads_to_one(edge: EdgeType) -> bool:
    """Whether a source has one target at most, declared or seen in the data."""
    return edge.targets in ("1", "0..1") or edge.observed_one[0]


def _pairs(edge: EdgeType) -> bool:
    """Whether a source has one target at most, which has no other source."""
    return leads_to_one(edge) and (edge.sources in ("1", "0..1") or edge.observed_one[1])


def admits(labels: ir.LabelExpr | None, carried: tuple[str, ...]) -> bool:
    """Whether an element that carries `carried` satisfies a label expression."""
    match labels:
        case ir.LabelName(name):
            return name in carried
        case ir.LabelAnd(args):
            return all(admits(arg, carried) for arg in args)
        case ir.LabelOr(args):
            return any(admits(arg, carried) for arg in args)
        case ir.LabelNot(arg):
            return not admits(arg, carried)
    return True


def _names(labels: ir.LabelExpr | None) -> Iterator[str]:
    match labels:
        case ir.LabelName(name):
            yield name
        case ir.LabelAnd(args) | ir.LabelOr(args):
            for arg in args:
                yield from _names(arg)
