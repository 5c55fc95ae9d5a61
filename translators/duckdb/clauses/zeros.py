"""Sums of nothing, which are the integer 0 in Cypher: times -1 they are 0, and -0.0 in SQL."""

from __future__ import annotations

from collections.abc import Container

from graph_ir import nodes as ir
from graph_ir.numbers import ORDERED, below_zero_names, may_be_below_zero, may_be_zero
from graph_ir.walk import find, substitute
from schemagraph.model import Kind, Type

_TRUTH = Type(Kind.BOOLEAN, nullable=False)
_COUNT = Type(Kind.INTEGER, nullable=False)
_FLOAT = Type(Kind.FLOAT, nullable=False)


def with_whole_zeros(statement: ir.Statement) -> ir.Statement:
    """The statement in which products of sums of nothing are 0.0, where their sign may matter."""
    if not any(agg.name == "sum" and agg.type.of_nothing for agg in find(statement, ir.Agg)):
        return statement
    if not any(find(statement, ir.Compare, ir.SortKey)):
        return statement
    computed = below_zero_names(statement, reference=True)

    def change(node: ir.Node) -> ir.Node | None:
        return _whole(node, computed) if isinstance(node, ir.Arith) else None

    return substitute(statement, change)


def _whole(node: ir.Arith, computed: Container[str]) -> ir.Case | None:
    """The product, as what it is where all that it is made of are integers, too."""
    if not may_be_below_zero(node, computed, reference=True):
        return None
    aggs = sums_in(node)
    if not aggs:
        return None
    tests: list[ir.Expr] = []
    for agg in aggs:
        count = ir.Agg("count", agg.args, type=_COUNT)
        zero = ir.Literal(0, type=_COUNT)
        tests.append(ir.Compare(ir.CompareOp.EQ, count, zero, type=_TRUTH))
    test = tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tuple(tests), type=_TRUTH)
    zero = ir.Literal(0.0, type=_FLOAT)
    whole = ir.Arith(ir.ArithOp.ADD, node, zero, type=node.type, span=node.span)
    return ir.Case((ir.When(test, whole),), default=node, type=node.type, span=node.span)


def sums_in(expr: ir.Expr) -> list[ir.Agg]:
    """The sums without which an expression would be an integer; none where others are in it."""
    match expr:
        case _ if expr.type.kind is Kind.INTEGER:
            return []
        case ir.Agg(name="sum") if expr.type.of_nothing:
            return [expr]
        case ir.Neg():
            return sums_in(expr.arg)
        case ir.Arith() if expr.op is not ir.ArithOp.POW:
            sides = [side for side in (expr.left, expr.right) if side.type.kind is not Kind.INTEGER]
            sums = [sums_in(side) for side in sides]
            return list(dict.fromkeys(agg for part in sums for agg in part)) if all(sums) else []
    return []


def orders_sums_of_nothing(statement: ir.Statement) -> bool:
    """Whether what may be -0.0, and the integer 0 of sums of nothing, is held against what may be
    zero under a name: what it is made of is not seen there."""
    computed = below_zero_names(statement, reference=True)
    unseen = any(
        node.type.of_nothing
        and may_be_below_zero(node, computed, reference=True)
        and any(var.type.of_nothing for var in find(node, ir.Var))
        for node in find(statement, ir.Arith)
    )
    return unseen and any(
        compare.op in ORDERED
        and all(map(may_be_zero, (compare.left, compare.right)))
        and any(
            side.type.of_nothing and may_be_below_zero(side, computed, reference=True)
            for side in (compare.left, compare.right)
        )
        for compare in find(statement, ir.Compare)
    )
