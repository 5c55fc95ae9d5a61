"""Numbers that languages do not agree on: beyond 64 bits, and zeros below zero.

A product, a quotient, what is rounded up may be 0.0 in one engine and -0.0 in another.

To Cypher they are one number where rows are told apart, and -0.0 is before 0.0 in an order
(measured with Neo4j 2026.08); a float that is negated is taken from 0, and round() has no -0.0.
"""

from __future__ import annotations

from collections.abc import Container

from graph_ir import nodes as ir
from graph_ir.walk import children, find
from schemagraph.model import Kind

ORDERED = frozenset({ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE})
"""The comparisons in which Neo4j has -0.0 before 0.0."""

_NEVER = frozenset({"round", "abs"})
_ROUNDING = frozenset({"ceil", "ceiling"})
_SIGNED = frozenset({ir.ArithOp.MUL, ir.ArithOp.DIV, ir.ArithOp.MOD})
_FROM_ZERO = frozenset({"sum", "avg"})


def below_zero_names(statement: ir.Statement, *, reference: bool = False) -> set[str]:
    """The names of floats that may be -0.0, in some engine or in Neo4j (`reference`)."""
    computed: set[str] = set()
    for made in find(statement, ir.Item, ir.Unwind, ir.ListComp, ir.Quantifier, ir.Reduce):
        match made:
            case ir.Item(expr=value, alias=name) | ir.Unwind(expr=value, alias=name):
                is_below = _holds(value, computed, reference)
            case ir.ListComp(list=value, var=name) | ir.Quantifier(list=value, var=name):
                is_below = _holds(value, computed, reference)
            case ir.Reduce(list=value, var=name):
                is_below = _holds(value, computed, reference)
            case _:
                continue
        if is_below:
            computed.add(name)
    return computed


def may_be_below_zero(expr: ir.Expr, computed: Container[str], *, reference: bool = False) -> bool:
    """Whether a float is computed so that it may be -0.0, or has one of the names that are.

    That is in some engine; with `reference` in Neo4j, to which a sum and what is negated start
    from 0. What is added to a number that is not -0.0 never is.
    """
    if expr.type.kind is not Kind.FLOAT:
        return False
    match expr:
        case ir.Literal():
            return str(expr.value) == "-0.0"
        case ir.Var():
            return expr.name in computed
        case ir.Neg():
            return not reference
        case ir.Arith(op=ir.ArithOp.ADD):
            return not any(_never(side, computed, reference) for side in (expr.left, expr.right))
        case ir.Arith(op=ir.ArithOp.SUB):
            return _holds(expr.left, computed, reference)
        case ir.Arith() if expr.op in _SIGNED and not _keeps_sign(expr):
            return True
        case ir.Call() if expr.name.casefold() in _NEVER:
            return False
        case ir.Call() if expr.name.casefold() in _ROUNDING:
            return True
        case ir.Agg() if reference and expr.name.casefold() in _FROM_ZERO:
            return False
        case ir.Case():
            results = [when.result for when in expr.whens]
            results += [expr.default] if expr.default is not None else []
            return any(_holds(result, computed, reference) for result in results)
    return any(_holds(child, computed, reference) for child in children(expr))


def may_be_zero(expr: ir.Expr) -> bool:
    """Whether a value is none of the constants that are not zero."""
    inner = expr.arg if isinstance(expr, ir.Neg) else expr
    return not isinstance(inner, ir.Literal) or inner.value == 0


def _holds(node: ir.Node, computed: Container[str], reference: bool) -> bool:
    """Whether it is a float that may be -0.0, or is made of one, as a list is."""
    if isinstance(node, ir.Expr) and node.type.kind is Kind.FLOAT:
        return may_be_below_zero(node, computed, reference=reference)
    if isinstance(node, ir.Var):
        return node.name in computed
    return any(_holds(child, computed, reference) for child in children(node))


def _never(expr: ir.Expr, computed: Container[str], reference: bool) -> bool:
    """Whether a number is known not to be -0.0."""
    if expr.type.kind is Kind.INTEGER:
        return True
    float_ = expr.type.kind is Kind.FLOAT
    return float_ and not may_be_below_zero(expr, computed, reference=reference)


def _keeps_sign(arith: ir.Arith) -> bool:
    """Whether one side is a constant by which a zero keeps the sign of the other side."""
    sides = (arith.left,) if arith.op is ir.ArithOp.MOD else (arith.left, arith.right)
    return any(map(_is_positive, sides))


def _is_positive(expr: ir.Expr) -> bool:
    """A constant by which a zero keeps its sign."""
    value = expr.value if isinstance(expr, ir.Literal) else None
    return isinstance(value, int | float) and value > 0


def holds_huge(expr: ir.Expr) -> bool:
    """Whether a number is written in an expression that no integer of 64 bits reaches."""
    numbers = (each.value for each in find(expr, ir.Literal))
    return any(isinstance(number, float) and abs(number) >= 2**63 for number in numbers)
