"""Keys of groups and of distinct rows, among which Gremlin tells 1 from 1.0."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gremlin.rows import Compiler
from translators.gremlin.steps.text import Traversal, step


def one_float(expr: ir.Expr, own: Traversal) -> Traversal:
    """A number that is made, as the one kind of float that it is among keys."""
    if isinstance(expr, ir.Prop | ir.Var) or not own or expr.type.kind is not Kind.FLOAT:
        return own
    return (*own, step("asNumber", "GType.DOUBLE"))


def refuse_mixed(cx: Compiler, expr: ir.Expr) -> None:
    """Refuse keys among which Gremlin would tell 1 from 1.0."""
    kind: Type | None = expr.type
    while kind is not None and kind.kind is Kind.LIST:
        kind = kind.item
    if cx.schema is not None and kind is not None and kind.kind is Kind.ANY:
        raise Refused("mixed-keys", "DISTINCT", "Gremlin tells 1 from 1.0 among keys.", expr.span)
    if kind is not None and (kind.mixed or kind.of_nothing or kind.kind is Kind.MAP):
        raise Refused("mixed-keys", "DISTINCT", "Gremlin tells 1 from 1.0 among keys.", expr.span)
