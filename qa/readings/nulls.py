"""NULL: is what has no value "not so", and is it none in an average?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import substitute
from qa.readings.shape import properties_of
from schemagraph.model import Kind, SchemaGraph


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


def null_is_zero(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Averages of numbers of things in which a missing number is none of them: the passengers of
    ships that carry cargo."""

    def change(node: ir.Node) -> ir.Node | None:
        match node:
            case ir.Agg("avg", (ir.Prop() as prop,)):
                known = properties_of(prop, schema)
                if any(each.holds_null and each.type.kind is Kind.INTEGER for each in known):
                    zero = ir.Literal(0)
                    return replace(node, args=(ir.Call("coalesce", (prop, zero)),))
        return None

    changed = substitute(query, change)
    if changed is not query:
        yield changed
