"""Properties that no element of a pattern has, as the nulls that they are.

LadybugDB calls them an error, and must know the type of a value to collect it.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.walk import rewrite
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type
from translators.gql.emit.values import kind_of

_NULL, _TRUTH = Type(Kind.NULL), Type(Kind.BOOLEAN, nullable=False)


def undeclared_as_null(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement, bound again, with null for each property that its element cannot have."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Prop() if _is_undeclared(node, schema):
                return ir.Literal(None, type=_NULL, span=node.span)
            case ir.IsNull(arg=ir.Literal(value=None)):
                return ir.Literal(not node.negated, type=_TRUTH, span=node.span)
        return node

    changed = rewrite(statement, change)
    return statement if changed == statement else bind(changed, schema).statement


def _is_undeclared(prop: ir.Prop, schema: SchemaGraph) -> bool:
    kind, names = kind_of(prop.base), prop.base.type.of
    owners: tuple[NodeType | EdgeType, ...]
    if kind is Kind.NODE:
        owners = schema.nodes
    elif kind is Kind.EDGE:
        owners = schema.edges
    else:
        return False
    fitting = [each for each in owners if not names or each.name in names]
    return all(each.property(prop.key) is None for each in fitting)
