"""Floats that are 0.0 in one engine and -0.0 in another: products, quotients, what is rounded up.

To Cypher they are one number where rows are told apart, and -0.0 is before 0.0 in an order
(measured with Neo4j 2026.08); a float that is negated is taken from 0, and round() has no -0.0.
"""

from __future__ import annotations

from collections.abc import Container

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind

_ROUNDING = frozenset({"ceil", "ceiling"})
_SIGNED = frozenset({ir.ArithOp.MUL, ir.ArithOp.DIV, ir.ArithOp.MOD})


def below_zero_names(statement: ir.Statement) -> set[str]:
    """The names of floats that may be -0.0."""
    computed: set[str] = set()
    for item in find(statement, ir.Item):
        if may_be_below_zero(item.expr, computed):
            computed.add(item.alias)
    return computed


def may_be_below_zero(expr: ir.Expr, computed: Container[str]) -> bool:
    """Whether a float is computed so that it may be -0.0, or has one of the names that are."""
    if expr.type.kind is not Kind.FLOAT or _is_rounded(expr):
        return False
    made = (
        (isinstance(expr, ir.Literal) and str(expr.value) == "-0.0")
        or any(find(expr, ir.Neg))
        or any(call.name.casefold() in _ROUNDING for call in find(expr, ir.Call))
        or any(
            arith.op in _SIGNED and not any(map(_is_positive, (arith.left, arith.right)))
            for arith in find(expr, ir.Arith)
        )
    )
    return made or any(var.name in computed for var in find(expr, ir.Var))


def _is_rounded(expr: ir.Expr) -> bool:
    """Whether a float is the result of round(), which has no -0.0."""
    return isinstance(expr, ir.Call) and expr.name.casefold() == "round"


def _is_positive(expr: ir.Expr) -> bool:
    """A constant by which a zero keeps its sign."""
    value = expr.value if isinstance(expr, ir.Literal) else None
    return isinstance(value, int | float) and value > 0
