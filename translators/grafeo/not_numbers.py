"""NaN among the keys of groups: Neo4j takes each for a value of its own, grafeo all for one.

A number drawn for each NaN keeps them apart. Lists and maps with NaN are groups that fail.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.primitives import FAILS, case, matches, own

_FLOATS = (Kind.FLOAT, Kind.ANY)
_HOLDERS = (Kind.LIST, Kind.MAP)
_ZERO = ir.Literal(0)


def names_of_nan(statement: ir.Statement) -> frozenset[str]:
    """Names whose values may be or hold NaN."""
    names: frozenset[str] = frozenset()
    while True:
        more = {i.alias for i in find(statement, ir.Item) if may_be_nan(i.expr, names)}
        more |= {u.alias for u in find(statement, ir.Unwind) if may_be_nan(u.expr, names)}
        if names >= more:
            return names
        names |= more


def may_be_nan(value: ir.Expr, names: frozenset[str]) -> bool:
    """Whether `value` may be or hold NaN; what a graph stores is a number."""
    if kind_of(value) not in (*_FLOATS, *_HOLDERS):
        return False
    for part in find(value, ir.Arith, ir.Call, ir.Var, ir.Param):
        match part:
            case ir.Var(name):
                if name in names:
                    return True
            case ir.Call("coalesce" | "head" | "last" | "keys" | "abs" | "toFloat") | ir.Call(
                "round" | "floor" | "ceil"
            ):
                continue
            case _ if kind_of(part) in _FLOATS:
                return True
    return False


def apart(value: ir.Expr) -> ir.Expr:
    """A second key that keeps the groups of NaN apart."""
    if kind_of(value) in _HOLDERS:
        inside = matches(own("toString", value, kind=Kind.STRING), r"(?s).*\bNaN\b.*")
        return case((inside, FAILS), default=_ZERO)
    return case((_is_nan(value), _drawn()), default=_ZERO)


def counted(node: ir.Agg) -> ir.Agg:
    """count(DISTINCT …) of what may be NaN."""
    (value,) = node.args
    return replace(node, args=(case((_is_nan(value), _drawn()), default=value, type=value.type),))


def collected(node: ir.Agg) -> ir.Expr:
    """collect(DISTINCT …) of what may be NaN: with two of it, it fails."""
    several = ir.Compare(ir.CompareOp.GT, how_many_nan(node.args[0]), ir.Literal(1))
    return case((several, FAILS), default=node, type=node.type)


def how_many_nan(value: ir.Expr) -> ir.Expr:
    """How many of the values are NaN."""
    one = case((_is_nan(value), ir.Literal(1)), default=_ZERO)
    return ir.Agg("sum", (one,), type=Type(Kind.INTEGER))


def no_nan(value: ir.Expr) -> ir.Expr:
    """A value that fails where it is or holds NaN, for UNION."""
    if kind_of(value) in _HOLDERS:
        inside = matches(own("toString", value, kind=Kind.STRING), r"(?s).*\bNaN\b.*")
        return case((inside, FAILS), default=value, type=value.type)
    return case((_is_nan(value), FAILS), default=value, type=value.type)


def _is_nan(value: ir.Expr) -> ir.Expr:
    return ir.Compare(ir.CompareOp.NE, value, value)


def _drawn() -> ir.Expr:
    return own("rand", kind=Kind.FLOAT)
