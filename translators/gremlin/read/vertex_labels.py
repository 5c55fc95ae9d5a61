"""The label of a vertex as a value: TinkerGraph's is `A::B` for a node with both labels."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.walk import rewrite
from schemagraph.model import NodeType, SchemaGraph
from translators.gremlin.labels import BETWEEN, UNLABELLED, told_apart


def with_joined_labels(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement with the labels of a vertex joined where `labels(n)[0]` is the first alone;
    as it is where every node whose label is asked for has one label."""
    if all(len(kind.labels) == 1 for kind in schema.nodes):
        return statement
    changed = False

    def change(node: ir.Node) -> ir.Node:
        nonlocal changed
        match node:
            case ir.Index(ir.Call("labels", (arg,)), ir.Literal(0)):
                of = arg.type.of or [kind.name for kind in schema.nodes]
                made = _joined(node, arg, [schema.node_by_name[name] for name in of])
                changed = changed or made is not node
                return made
        return node

    made = rewrite(bound(statement, schema).statement, change)
    return made if changed else statement


def _joined(first: ir.Index, arg: ir.Expr, kinds: list[NodeType]) -> ir.Expr:
    """The label of a node of one of these types; `first` is the first of its labels."""
    sets = [kind.labels for kind in kinds]
    several = [labels for labels in sets if len(labels) > 1]
    whens = []
    for labels in several:
        name = BETWEEN.join(labels)
        (test,) = told_apart([name], sets)
        whens.append(ir.When(ir.LabelTest(arg, test), ir.Literal(name)))
    if () in sets:
        none = ir.LabelNot(ir.LabelAny())
        whens.append(ir.When(ir.LabelTest(arg, none), ir.Literal(UNLABELLED)))
    if not whens:
        return first
    alone = any(len(labels) == 1 for labels in sets)
    return ir.Case(tuple(whens), default=first if alone else None)
