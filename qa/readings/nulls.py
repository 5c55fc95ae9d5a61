"""NULL under not: is what has no value "not so"?"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import substitute
from qa.readings.shape import properties_of
from schemagraph.model import SchemaGraph


def null_is_not(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Negated conditions that hold of things without the value, too."""

    def change(node: ir.Node) -> ir.Node | None:
        match node:
            case ir.Compare(ir.CompareOp.NE, ir.Prop() as prop, ir.Literal()):
                pass
            case ir.Not(ir.Compare(_, ir.Prop() as prop, ir.Literal() | ir.Call())):
                pass
            case ir.Not(ir.Text(_, ir.Prop() as prop, _) | ir.In(ir.Prop() as prop, _)):
                pass
            case _:
                return None
        if not any(each.holds_null for each in properties_of(prop, schema)):
            return None
        return ir.Bool(ir.BoolOp.OR, (node, ir.IsNull(prop)))

    changed = substitute(query, change)
    if changed is not query:
        yield changed
