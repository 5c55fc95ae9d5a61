"""How tightly texts of GQL bind, and its operators: ISO/IEC 39075:2024 clauses 19 and 20."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from graph_ir import nodes as ir
from translators.printing import ATOM, Infix, Postfix, Prefix, between, chained, leftward

# The loosest first. A primary may stand anywhere; a call is a value but no primary (clause 20.2),
# so it takes parentheses before `.`, IS and after `||`.
OR, AND, NOT, COMPARE, CONCAT, PLUS, TIMES, SIGN, CALL = range(1, 10)
PRIMARY: Final = ATOM

OPERATORS: Final[Mapping[str, Infix]] = {
    ir.BoolOp.OR: between("OR", OR, AND),
    ir.BoolOp.XOR: between("XOR", OR, AND),
    ir.BoolOp.AND: chained("AND", AND),
    **{op: between(op.value, COMPARE, PLUS) for op in (*ir.CompareOp, *ir.TextOp)},
    ir.ArithOp.ADD: leftward("+", PLUS),
    ir.ArithOp.SUB: leftward("-", PLUS),
    ir.ArithOp.MUL: leftward("*", TIMES),
    ir.ArithOp.DIV: leftward("/", TIMES),
    ir.ArithOp.MOD: leftward("%", TIMES),  # of profiles, as IN is
    ir.ArithOp.POW: between("^", TIMES, PRIMARY),
    "IN": between("IN", COMPARE, CONCAT),
}
EITHER, BOTH = OPERATORS[ir.BoolOp.OR], OPERATORS[ir.BoolOp.AND]
LABELS_AND, LABELS_OR = Infix("&", AND, NOT, NOT), Infix("|", OR, AND, AND)
LABEL_NOT: Final = Prefix("!", PRIMARY, PRIMARY)
MINUS: Final = Prefix("-", SIGN, CALL)
IS_NULL: Final = Postfix(" IS NULL", COMPARE, PRIMARY)
IS_NOT_NULL: Final = Postfix(" IS NOT NULL", COMPARE, PRIMARY)
# Of a predicate; NOT takes EXISTS { … } bare (`expressions.negation`).
NEGATION: Final = Prefix("NOT ", NOT, CALL)
