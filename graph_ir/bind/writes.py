"""Checks of clauses that write; a part of `graph_ir.bind`.

Writes are checked, so that a read and a write can be told apart with certainty and nothing wrong
passes as either. Source: openCypher 9, "Create", "Merge", "Set", "Delete" and their TCK features.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_ir import nodes as ir
from graph_ir.bind.calls import Scope
from graph_ir.bind.patterns import Patterns
from graph_ir.types import UNKNOWN, item_of
from schemagraph.model import ANY, Kind, Type

_DELETABLE = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, *UNKNOWN})


class Writes(Patterns):
    """Binding of CREATE, MERGE, SET, REMOVE, DELETE, FOREACH and LOAD CSV."""

    def clause(self, clause: ir.Clause, scope: Scope) -> tuple[ir.Clause, Scope]:
        """One clause inside another."""
        raise NotImplementedError

    def create(self, create: ir.Create, scope: Scope) -> tuple[ir.Clause, Scope]:
        """CREATE of patterns."""
        self.place = "CREATE"
        seen = {**scope}
        for path in create.paths:
            self._check_new(path, seen, "CREATE")
        paths, after = self.paths(create.paths, scope)
        return ir.Create(paths, span=create.span), after

    def merge(self, merge: ir.Merge, scope: Scope) -> tuple[ir.Clause, Scope]:
        """MERGE of a pattern."""
        self.place = "MERGE"
        self._check_new(merge.path, {**scope}, "MERGE")
        paths, after = self.paths((merge.path,), scope)
        on_create = self._set_items(merge.on_create, after)
        on_match = self._set_items(merge.on_match, after)
        return ir.Merge(paths[0], on_create, on_match, span=merge.span), after

    def _check_new(self, path: ir.Path, seen: Scope, clause: str) -> None:
        """What a writing pattern may say; its variables join `seen`."""
        self._check_node(path.head, seen, clause, alone=not path.steps)
        for step in path.steps:
            edge = step.edge
            if isinstance(edge, ir.Quantified):
                self._check_single(edge, clause)
            else:
                self._check_edge(edge, seen, clause)
            self._check_node(step.node, seen, clause, alone=False)

    def _check_single(self, at: ir.Node, clause: str) -> None:
        self.report.error(
            at, "creating-variable-length", f"{clause} needs relationships of length 1."
        )

    def _check_edge(self, edge: ir.EdgePattern, seen: Scope, clause: str) -> None:
        if edge.hops is not None:
            self._check_single(edge, clause)
        if not isinstance(edge.types, ir.LabelName):
            self.report.error(
                edge, "one-relationship-type", f"{clause} needs exactly one relationship type."
            )
        if edge.direction is ir.Direction.BOTH and clause == "CREATE":
            self.report.error(
                edge, "directed-relationship", "CREATE needs a directed relationship."
            )
        if edge.var is None:
            return
        if edge.var in seen:
            self.report.error(
                edge,
                "variable-already-bound",
                f"The relationship '{edge.var}' is already bound, {clause} needs a new one.",
            )
        seen[edge.var] = ANY

    def _check_node(self, node: ir.NodePattern, seen: Scope, clause: str, *, alone: bool) -> None:
        if node.var is None:
            return
        if node.var in seen and (alone or node.labels is not None or node.props is not None):
            self.report.error(
                node,
                "variable-already-bound",
                f"The node '{node.var}' is already bound, {clause} cannot declare it again.",
            )
        seen[node.var] = ANY

    def set(self, clause: ir.Set, scope: Scope) -> tuple[ir.Clause, Scope]:
        """SET of properties and labels."""
        self.place = "SET"
        return ir.Set(self._set_items(clause.items, scope), span=clause.span), scope

    def remove(self, clause: ir.Remove, scope: Scope) -> tuple[ir.Clause, Scope]:
        """REMOVE of properties and labels."""
        self.place = "REMOVE"
        return ir.Remove(self._set_items(clause.items, scope), span=clause.span), scope

    def _set_items(self, items: Sequence[ir.SetItem], scope: Scope) -> tuple[ir.SetItem, ...]:
        return tuple(
            [
                ir.SetItem(
                    self.expr(item.target, scope),
                    None if item.value is None else self.expr(item.value, scope),
                    item.labels,
                    item.add,
                    span=item.span,
                )
                for item in items
            ]
        )

    def delete(self, clause: ir.Delete, scope: Scope) -> tuple[ir.Clause, Scope]:
        """DELETE of elements."""
        self.place = "DELETE"
        exprs = self._all(clause.exprs, scope)
        for expr in exprs:
            if expr.type.kind not in _DELETABLE:
                self.report.error(
                    expr, "invalid-delete", "DELETE takes nodes, relationships and paths."
                )
        return ir.Delete(exprs, clause.detach, span=clause.span), scope

    def foreach(self, clause: ir.Foreach, scope: Scope) -> tuple[ir.Clause, Scope]:
        """FOREACH over a list, whose clauses write."""
        self.place = "FOREACH"
        items = self.expr(clause.list, scope)
        inside = {**scope, clause.var: item_of(items.type)}
        inner: list[ir.Clause] = []
        for each in clause.clauses:
            if not isinstance(each, ir.WRITES):
                self.report.error(each, "read-in-foreach", "FOREACH contains only writes.")
            bound, inside = self.clause(each, inside)
            inner.append(bound)
        return ir.Foreach(clause.var, items, tuple(inner), span=clause.span), scope

    def load_csv(self, clause: ir.LoadCsv, scope: Scope) -> tuple[ir.Clause, Scope]:
        """LOAD CSV: a row is a list, or a map with headers."""
        self.place = "LOAD CSV"
        url = self.expr(clause.url, scope)
        row = Type(Kind.MAP if clause.headers else Kind.LIST)
        bound = ir.LoadCsv(url, clause.alias, clause.headers, clause.separator, span=clause.span)
        return bound, {**scope, clause.alias: row}
