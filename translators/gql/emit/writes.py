"""INSERT, SET, REMOVE and DELETE of ISO GQL (ISO/IEC 39075:2024 clauses 13.2 to 13.5).

`translators.gql.emit.write_rules` has made sure of what they mean; here they are only written down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


def create(gql: Gql, node: ir.Create) -> str:
    for path in node.paths:
        gql.declare(path)
    return f"INSERT {', '.join(_inserted(gql, path) for path in node.paths)}"


def _inserted(gql: Gql, path: ir.Path) -> str:
    _check_names(path.head, path.head.labels)
    for step in path.steps:
        if not isinstance(step.edge, ir.EdgePattern) or step.edge.hops is not None:
            raise _no_insert(step)
        _check_names(step.edge, step.edge.types)
        _check_names(step.node, step.node.labels)
    return gql.emit(path)


def set_items(gql: Gql, node: ir.Set) -> str:
    # A SET of nothing stands at the end, where a query must say that it has no result.
    return f"SET {', '.join(gql.emit(item) for item in node.items)}" if node.items else "FINISH"


def set_item(gql: Gql, node: ir.SetItem) -> str:
    target = node.target
    if isinstance(target, ir.Prop):
        return f"{gql.emit(target.base)}.{gql.identifier(target.key)} = {_value(gql, node)}"
    name = gql.emit(target)
    if node.labels:
        return ", ".join(f"{name}:{gql.identifier(label)}" for label in node.labels)
    return f"{name} = {_value(gql, node)}"


def _value(gql: Gql, node: ir.SetItem) -> str:
    if node.value is None:
        raise AssertionError("a SET item has a value")
    return gql.emit(node.value)


def remove(gql: Gql, node: ir.Remove) -> str:
    return f"REMOVE {', '.join(_removed(gql, item) for item in node.items)}"


def _removed(gql: Gql, item: ir.SetItem) -> str:
    if isinstance(item.target, ir.Prop):
        return f"{gql.emit(item.target.base)}.{gql.identifier(item.target.key)}"
    return gql.emit_SetItem(item)


def delete_of(gql: Gql, node: ir.Delete) -> str:
    items = ", ".join(gql.emit(expr) for expr in node.exprs)
    return f"{'DETACH ' if node.detach else ''}DELETE {items}"


def _check_names(part: ir.NodePattern | ir.EdgePattern, labels: ir.LabelExpr | None) -> None:
    """Refuse an element that is more than names of labels and properties."""
    names = labels.args if isinstance(labels, ir.LabelAnd) else (labels,)
    simple = labels is None or all(isinstance(name, ir.LabelName) for name in names)
    if not simple or part.where is not None:
        raise _no_insert(part)


def _no_insert(node: ir.Node) -> Refused:
    return Refused(
        "insert-pattern", "CREATE", "INSERT takes nodes and edges with names of labels.", node.span
    )
