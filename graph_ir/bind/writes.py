"""Checks of clauses that write; a part of `graph_ir.bind`.

Writes are checked, so that a read and a write can be told apart with certainty and nothing wrong
passes as either. Source: openCypher 9, "Create", "Merge", "Set", "Delete" and their TCK features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graph_ir import nodes as ir
from graph_ir.bind.calls import Scope, a_type
from graph_ir.bind.patterns import Patterns
from graph_ir.types import UNKNOWN, comparable, item_of
from schemagraph.model import ANY, Kind, Type

_DELETABLE = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, *UNKNOWN})

type ClauseBinder = Callable[[ir.Clause, Scope], tuple[ir.Clause, Scope]]


def create(binder: Patterns, create: ir.Create, scope: Scope) -> tuple[ir.Clause, Scope]:
    """CREATE of patterns."""
    binder.place = "CREATE"
    seen = {**scope}
    for path in create.paths:
        _check_new(binder, path, seen, "CREATE")
    paths, after = binder.paths(create.paths, scope)
    return ir.Create(paths, span=create.span), after


def merge(binder: Patterns, merge: ir.Merge, scope: Scope) -> tuple[ir.Clause, Scope]:
    """MERGE of a pattern."""
    binder.place = "MERGE"
    _check_new(binder, merge.path, {**scope}, "MERGE")
    paths, after = binder.paths((merge.path,), scope)
    on_create = _set_items(binder, merge.on_create, after)
    on_match = _set_items(binder, merge.on_match, after)
    return ir.Merge(paths[0], on_create, on_match, span=merge.span), after


def _check_new(binder: Patterns, path: ir.Path, seen: Scope, clause: str) -> None:
    """What a writing pattern may say; its variables join `seen`."""
    _check_node(binder, path.head, seen, clause, alone=not path.steps)
    for step in path.steps:
        edge = step.edge
        if isinstance(edge, ir.Quantified):
            _check_single(binder, edge, clause)
        else:
            _check_edge(binder, edge, seen, clause)
        _check_node(binder, step.node, seen, clause, alone=False)


def _check_single(binder: Patterns, at: ir.Node, clause: str) -> None:
    binder.report.error(
        at, "creating-variable-length", f"{clause} needs relationships of length 1."
    )


def _check_edge(binder: Patterns, edge: ir.EdgePattern, seen: Scope, clause: str) -> None:
    if edge.hops is not None:
        _check_single(binder, edge, clause)
    if not isinstance(edge.types, ir.LabelName):
        binder.report.error(
            edge, "one-relationship-type", f"{clause} needs exactly one relationship type."
        )
    if edge.direction is ir.Direction.BOTH and clause == "CREATE":
        binder.report.error(edge, "directed-relationship", "CREATE needs a directed relationship.")
    if edge.var is None:
        return
    if edge.var in seen:
        binder.report.error(
            edge,
            "variable-already-bound",
            f"The relationship '{edge.var}' is already bound, {clause} needs a new one.",
        )
    seen[edge.var] = ANY


def _check_node(
    binder: Patterns, node: ir.NodePattern, seen: Scope, clause: str, *, alone: bool
) -> None:
    if node.var is None:
        return
    if node.var in seen and (alone or node.labels is not None or node.props is not None):
        binder.report.error(
            node,
            "variable-already-bound",
            f"The node '{node.var}' is already bound, {clause} cannot declare it again.",
        )
    seen[node.var] = ANY


def set_clause(binder: Patterns, clause: ir.Set, scope: Scope) -> tuple[ir.Clause, Scope]:
    """SET of properties and labels."""
    binder.place = "SET"
    return ir.Set(_set_items(binder, clause.items, scope), span=clause.span), scope


def remove(binder: Patterns, clause: ir.Remove, scope: Scope) -> tuple[ir.Clause, Scope]:
    """REMOVE of properties and labels."""
    binder.place = "REMOVE"
    return ir.Remove(_set_items(binder, clause.items, scope), span=clause.span), scope


def _set_items(
    binder: Patterns, items: Sequence[ir.SetItem], scope: Scope
) -> tuple[ir.SetItem, ...]:
    return tuple([_set_item(binder, item, scope) for item in items])


def _set_item(binder: Patterns, item: ir.SetItem, scope: Scope) -> ir.SetItem:
    target = binder.expr(item.target, scope)
    value = None if item.value is None else binder.expr(item.value, scope)
    index = binder.index
    if index is not None and value is not None:
        if isinstance(target, ir.Prop):
            _check_stored(binder, target.key, target.type, value)
        elif isinstance(value, ir.MapOf):
            for entry in value.entries:
                stored = index.property(target.type, entry.key)
                _check_stored(binder, entry.key, stored or ANY, entry.value)
    return ir.SetItem(target, value, item.labels, item.add, span=item.span)


def _check_stored(binder: Patterns, name: str, stored: Type, value: ir.Expr) -> None:
    if not comparable(stored, value.type):
        message = f"The property '{name}' is {a_type(stored)} and is set to {a_type(value.type)}."
        binder.report.error(value, "property-type", message)


def delete(binder: Patterns, clause: ir.Delete, scope: Scope) -> tuple[ir.Clause, Scope]:
    """DELETE of elements."""
    binder.place = "DELETE"
    exprs = binder._all(clause.exprs, scope)
    for expr in exprs:
        if expr.type.kind not in _DELETABLE:
            binder.report.error(
                expr, "invalid-delete", "DELETE takes nodes, relationships and paths."
            )
    return ir.Delete(exprs, clause.detach, span=clause.span), scope


def foreach(
    binder: Patterns, clause: ir.Foreach, scope: Scope, bind_clause: ClauseBinder
) -> tuple[ir.Clause, Scope]:
    """FOREACH over a list, whose clauses write."""
    binder.place = "FOREACH"
    items = binder.expr(clause.list, scope)
    inside = {**scope, clause.var: item_of(items.type)}
    inner: list[ir.Clause] = []
    for each in clause.clauses:
        if not isinstance(each, ir.WRITES):
            binder.report.error(each, "read-in-foreach", "FOREACH contains only writes.")
        bound, inside = bind_clause(each, inside)
        inner.append(bound)
    return ir.Foreach(clause.var, items, tuple(inner), span=clause.span), scope


def load_csv(binder: Patterns, clause: ir.LoadCsv, scope: Scope) -> tuple[ir.Clause, Scope]:
    """LOAD CSV: a row is a list, or a map with headers."""
    binder.place = "LOAD CSV"
    url = binder.expr(clause.url, scope)
    row = Type(Kind.MAP if clause.headers else Kind.LIST)
    bound = ir.LoadCsv(url, clause.alias, clause.headers, clause.separator, span=clause.span)
    return bound, {**scope, clause.alias: row}
