"""Whole names: a person is asked for by first and last name, not by one of them.

An archetype names a node by the one property that tells it apart. Where that is the last of two
that make up its name, nobody asks for it alone: what belongs before it is looked up and put beside
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.filling import labels_of
from generators.queries.archetypes.parts import conjuncts
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from schemagraph.model import NodeType


class FullNames:
    """Names completed on the graph of `ground`; what was looked up is remembered."""

    def __init__(self, ground: Ground, facets: Facets) -> None:
        self._ground = ground
        self._types = {
            labels_of(node, ground.schema): node
            for node in ground.schema.nodes
            if len(facets.shown[node.name].name) == 2
            and facets.shown[node.name].sole == facets.shown[node.name].name[-1]
        }
        self._names = {node.name: facets.shown[node.name].name for node in self._types.values()}
        self._known: dict[tuple[str, str], str | None] = {}

    def completed(self, statement: ir.Statement) -> ir.Statement:
        """The statement with the first name beside each last name that it tests; as it is where
        several have that last name, or it is not said of one type alone."""
        owners = dict(self._owners(statement))
        if not owners:
            return statement

        def change(node: ir.Node) -> ir.Node:
            match node:
                case ir.NodePattern(var=var, props=ir.MapOf(entries)) if var in owners:
                    more = self._entries(owners[var], entries)
                    return replace(node, props=ir.MapOf((*more, *entries))) if more else node
                case ir.Compare(
                    ir.CompareOp.EQ, ir.Prop(ir.Var(var), key), ir.Literal(str(last))
                ) if var in owners:
                    first, name = self._names[owners[var].name][0], self._first(owners[var], last)
                    if key == self._names[owners[var].name][-1] and name is not None:
                        one = ir.Compare(
                            ir.CompareOp.EQ, ir.Prop(ir.Var(var), first), ir.Literal(name)
                        )
                        return ir.Bool(ir.BoolOp.AND, (one, node))
                case ir.Bool(ir.BoolOp.AND, args):
                    flat = tuple(part for arg in args for part in conjuncts(arg))
                    return replace(node, args=flat) if len(flat) != len(args) else node
            return node

        return rewrite(statement, change)

    def _owners(self, statement: ir.Statement) -> Iterator[tuple[str, NodeType]]:
        """Variables that are of one such type."""
        for node in find(statement, ir.NodePattern):
            if node.var is not None and node.labels in self._types:
                yield node.var, self._types[node.labels]

    def _entries(self, owner: NodeType, entries: tuple[ir.Entry, ...]) -> tuple[ir.Entry, ...]:
        first, last = self._names[owner.name]
        given = {entry.key: entry.value for entry in entries}
        value = given.get(last)
        if first in given or not isinstance(value, ir.Literal) or not isinstance(value.value, str):
            return ()
        name = self._first(owner, value.value)
        return () if name is None else (ir.Entry(first, ir.Literal(name)),)

    def _first(self, owner: NodeType, last: str) -> str | None:
        """The first name of the only one with this last name."""
        key = owner.name, last
        if key not in self._known:
            self._known[key] = self._looked_up(owner, last)
        return self._known[key]

    def _looked_up(self, owner: NodeType, last: str) -> str | None:
        first, second = self._names[owner.name]
        one = ir.Var("one")
        pattern = ir.Path(ir.NodePattern(one.name, labels_of(owner, self._ground.schema)))
        test = ir.Compare(ir.CompareOp.EQ, ir.Prop(one, second), ir.Literal(last))
        shown = ir.Project((ir.Item(ir.Prop(one, first), "first"),), final=True)
        answer = self._ground.ask(ir.Query((ir.Match((pattern,), where=test), shown)), 2)
        if answer is None or len(answer.rows) != 1 or not isinstance(answer.rows[0][0], str):
            return None
        return answer.rows[0][0] or None
