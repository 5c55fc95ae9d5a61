"""INSERT, SET, REMOVE and DELETE of ISO GQL (ISO/IEC 39075:2024 clauses 13.2 to 13.5).

`translators.gql.emit.write_rules` has made sure of what they mean; here they are only written down.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gql.emit.projections import Projections


class Writes(Projections):
    """Emits clauses that write."""

    def emit_Create(self, node: ir.Create) -> str:
        for path in node.paths:
            self.declare(path)
        return f"INSERT {', '.join(self._inserted(path) for path in node.paths)}"

    def _inserted(self, path: ir.Path) -> str:
        _check_names(path.head, path.head.labels)
        for step in path.steps:
            if not isinstance(step.edge, ir.EdgePattern) or step.edge.hops is not None:
                raise _no_insert(step)
            _check_names(step.edge, step.edge.types)
            _check_names(step.node, step.node.labels)
        return self.emit(path)

    def emit_Set(self, node: ir.Set) -> str:
        # A SET of nothing stands at the end, where a query must say that it has no result.
        return (
            f"SET {', '.join(self.emit(item) for item in node.items)}" if node.items else "FINISH"
        )

    def emit_SetItem(self, node: ir.SetItem) -> str:
        target = node.target
        if isinstance(target, ir.Prop):
            return f"{self.emit(target.base)}.{self.identifier(target.key)} = {self._value(node)}"
        name = self.emit(target)
        if node.labels:
            return ", ".join(f"{name}:{self.identifier(label)}" for label in node.labels)
        return f"{name} = {self._value(node)}"

    def _value(self, node: ir.SetItem) -> str:
        if node.value is None:
            raise AssertionError("a SET item has a value")
        return self.emit(node.value)

    def emit_Remove(self, node: ir.Remove) -> str:
        return f"REMOVE {', '.join(self._removed(item) for item in node.items)}"

    def _removed(self, item: ir.SetItem) -> str:
        if isinstance(item.target, ir.Prop):
            return f"{self.emit(item.target.base)}.{self.identifier(item.target.key)}"
        return self.emit_SetItem(item)

    def emit_Delete(self, node: ir.Delete) -> str:
        items = ", ".join(self.emit(expr) for expr in node.exprs)
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
