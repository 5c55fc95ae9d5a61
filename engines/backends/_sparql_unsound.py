"""Constructs that several engines of SPARQL get wrong."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import find

_USES = (ir.Compare, ir.In, ir.Case, ir.Call, ir.Agg, ir.SortKey)


def uses_quotients(statement: ir.Statement) -> bool:
    """Whether a quotient by what may be zero, which may be NaN, is compared, ordered or given to
    a function, here or under a name."""
    tainted: set[str] = set()

    def may_be_nan(node: ir.Node) -> bool:
        quotients = (
            arith
            for arith in find(node, ir.Arith)
            if arith.op is ir.ArithOp.DIV
            and not (isinstance(arith.right, ir.Literal) and arith.right.value)
        )
        return any(quotients) or any(var.name in tainted for var in find(node, ir.Var))

    for item in find(statement, ir.Item):
        if may_be_nan(item.expr):
            tainted.add(item.alias)
    return any(may_be_nan(use) for use in find(statement, *_USES))
