"""Comparisons of numbers, exact where a float cannot tell 64-bit integers apart.

Types and constants decide which comparisons DuckDB makes as Cypher does; only the others take a
macro of `numbers.sql`.
"""

from __future__ import annotations

import math
import re

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import GUARD, Sql, composed, infix
from translators.duckdb.model.types import BOOLEAN

_MIRRORED = {
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}
ORDERS = {
    ir.CompareOp.LT: "= -1",
    ir.CompareOp.LE: "IN (-1, 0)",
    ir.CompareOp.GT: "= 1",
    ir.CompareOp.GE: "IN (0, 1)",
}
_EXACT = 2**53
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def constant(sql: Sql) -> int | float | None:
    """The value of a number that is written out; None for any other."""
    if not sql.type.number or not _NUMBER.fullmatch(sql.text):
        return None
    return int(sql.text) if sql.type.kind is Kind.INTEGER else float(sql.text)


def alike(a: Sql, b: Sql) -> bool:
    """Whether DuckDB finds two numbers equal where Cypher does, NaN apart."""
    if a.type.kind is b.type.kind:
        return True
    return any(number is not None and abs(number) < _EXACT for number in map(constant, (a, b)))


def equal(cx: Compiler, a: Sql, b: Sql, *, folds: bool = True) -> Sql:
    """`a = b` of two numbers; Neo4j `folds` a comparison of two constants."""
    if alike(a, b) or (folds and _folded(a, b)):
        return _without_nan(infix("=", a, b, BOOLEAN), a, b)
    whole, real = (a, b) if a.type.kind is Kind.INTEGER else (b, a)
    same = f"{cx.macro('cy_same_number')}({whole.text}, {real.text})"
    return Sql(same, BOOLEAN, null=a.null or b.null)


def compare(cx: Compiler, op: ir.CompareOp, a: Sql, b: Sql) -> Sql:
    """`a < b` and its kin of two numbers."""
    strict = op in (ir.CompareOp.LT, ir.CompareOp.GT)
    if _ordered_alike(op, a, b) or (strict and _folded(a, b)):
        return _without_nan(infix(op.value, a, b, BOOLEAN), a, b)
    null = a.null or b.null
    if a.type.kind is b.type.kind:
        name = "cy_less" if strict else "cy_no_more"
        first, last = (a, b) if op in (ir.CompareOp.LT, ir.CompareOp.LE) else (b, a)
        made = Sql(f"{cx.macro(name)}({first.text}, {last.text})", BOOLEAN, null=null)
        return _without_nan(made, a, b)
    if a.type.kind is Kind.FLOAT:
        a, b, op = b, a, _MIRRORED[op]
    order = f"{cx.macro('cy_order')}({a.text}, {b.text})"
    return composed(f"{order} {ORDERS[op]}", BOOLEAN, null=null)


def _without_nan(made: Sql, a: Sql, b: Sql) -> Sql:
    guards = [
        f"NOT (isnan({x.text}) AND {y.operand} IS NOT NULL)" if y.null else f"NOT isnan({x.text})"
        for x, y in ((a, b), (b, a))
        if x.type.nan
    ]
    if not guards:
        return made
    return Sql(GUARD.chain([f"({made.text})", *guards]), BOOLEAN, null=made.null)


def _folded(a: Sql, b: Sql) -> bool:
    """Whether both are constants, of which Neo4j has those for equal that are so as floats."""
    return constant(a) is not None and constant(b) is not None


def _ordered_alike(op: ir.CompareOp, a: Sql, b: Sql) -> bool:
    """Whether DuckDB orders two numbers as Cypher does; to that one -0.0 is smaller than 0.0."""
    if a.type.kind is b.type.kind is Kind.INTEGER:
        return True
    if a.type.kind is not b.type.kind and not alike(a, b):
        return False
    for side, other, safe in (
        (b, a, (ir.CompareOp.GT, ir.CompareOp.LE)),
        (a, b, (ir.CompareOp.LT, ir.CompareOp.GE)),
    ):
        number = constant(side)
        if number:
            return True
        if number is not None:
            # No zero is above 0.0, and none is not at most that.
            known = other.type.kind is Kind.INTEGER or op in safe
            return known and math.copysign(1, number) > 0
    return False
