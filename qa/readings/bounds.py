"""Bounds: is a day that ends a period in it, where what is compared has a time of day?"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from schemagraph.model import Kind, SchemaGraph

_TIMES = frozenset({Kind.DATETIME, Kind.ZONED_DATETIME})
_WHOLE = {ir.CompareOp.LE: ir.CompareOp.LT, ir.CompareOp.GT: ir.CompareOp.GE}
_DAY = ir.Call("duration", (ir.Literal("P1D"),))


def whole_day(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """`<= midnight` of a day read as until its end, `> midnight` as from the next day on."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, left, right) if op in _WHOLE and _midnight(left, right):
                return ir.Compare(_WHOLE[op], left, ir.Arith(ir.ArithOp.ADD, right, _DAY))
        return node

    changed = rewrite(query, change)
    if changed is not query:
        yield changed


def _midnight(left: ir.Expr, right: ir.Expr) -> bool:
    if left.type.kind not in _TIMES or not isinstance(right, ir.Call):
        return False
    match right.args:
        case (ir.Literal(str(text)),):
            _, _, time = text.partition("T")
            return not time.strip("0:.Z+")
    return False
