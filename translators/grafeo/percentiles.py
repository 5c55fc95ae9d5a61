"""Percentiles: grafeo makes floats of integers, and has the discrete ones at other places.

Of integers that are one float, the order of the rows decides.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.not_numbers import how_many_nan
from translators.grafeo.primitives import FAILS, NULL, both, case, equal, own

_INTEGER, _FLOAT = Type(Kind.INTEGER), Type(Kind.FLOAT)
_STRING = Type(Kind.STRING)
_ZERO, _ONE, _TWO = ir.Literal(0), ir.Literal(1), ir.Literal(2)
_EXACT = ir.Literal(float(2**53))
"""From here on several integers are one float."""


def percentile(node: ir.Agg, share: float) -> ir.Expr:
    """percentileDisc() of Cypher: grafeo counts places by `share * (n - 1)`, Neo4j by `share * n`.

    Where these are two places Neo4j's is the next, which grafeo has from the other end.
    """
    value = node.args[0]
    kind = kind_of(value)
    whole = kind is Kind.INTEGER
    if share in (0, 1):
        result: ir.Expr = replace(node, name="max" if share == 1 else "min", args=(value,))
        if not whole:
            return result
        as_floats = own("toFloat", value, kind=Kind.FLOAT)
        numbers = (_count(each, distinct=True) for each in (value, as_floats))
        apart = ir.Compare(ir.CompareOp.NE, *numbers)
        return case((both(_is_large(node), apart), FAILS), default=result, type=node.type)
    number = _count(value, distinct=node.distinct)
    selected: ir.Expr = replace(node, type=_FLOAT)
    branches: list[tuple[ir.Expr, ir.Expr]] = []
    if share != 0.5:  # where both have the same place
        selected, unsure = _from_the_end(node, share, number)
        branches = [(equal(number, _ZERO), NULL), *((test, FAILS) for test in unsure)]
    if whole:
        branches.append((_is_large(selected), FAILS))
        selected = own("toInteger", selected, kind=Kind.INTEGER)
    elif kind is not Kind.FLOAT or value.type.mixed:
        integers, floats = (_is_among(selected, value, integer) for integer in (True, False))
        branches.append(
            (both(integers, ir.Bool(ir.BoolOp.OR, (floats, _is_large(selected)))), FAILS)
        )
        branches.append((integers, own("toInteger", selected, kind=Kind.INTEGER)))
    return case(*branches, default=selected, type=node.type) if branches else selected


def _from_the_end(
    node: ir.Agg, share: float, number: ir.Expr
) -> tuple[ir.Expr, tuple[ir.Expr, ...]]:
    """The value at Neo4j's place, a float, and where that is not known."""
    value, other = node.args[0], 1 - share
    before = ir.Arith(ir.ArithOp.SUB, number, _ONE, type=_INTEGER)
    place = _times(number, share)
    lower = own("floor", place)
    theirs = case((equal(place, lower), ir.Arith(ir.ArithOp.SUB, lower, _ONE)), default=lower)
    same = equal(theirs, own("floor", _times(before, share)))
    from_end = ir.Arith(ir.ArithOp.SUB, before, own("floor", _times(before, other)))
    turned = replace(node, args=(_times(value, -1.0), ir.Literal(other)))
    selected = case((same, node), default=_times(turned, -1.0), type=_FLOAT)
    unsure = [both(ir.Not(same), ir.Compare(ir.CompareOp.NE, theirs, from_end))]
    if kind_of(value) is not Kind.INTEGER and not isinstance(value, ir.Prop):
        # from either end NaN is the last
        nan = ir.Compare(ir.CompareOp.GT, how_many_nan(value), _ZERO)
        unsure.append(both(ir.Not(same), nan))
    return selected, tuple(unsure)


def _is_among(selected: ir.Expr, value: ir.Expr, integer: bool) -> ir.Expr:
    """Whether one of the values, an integer or a float, is the number that was selected."""
    halved = ir.Arith(ir.ArithOp.DIV, _ONE, ir.Arith(ir.ArithOp.ADD, _times(value, 0), _TWO))
    test = ir.Compare(ir.CompareOp.EQ if integer else ir.CompareOp.NE, halved, _ZERO)
    text, wanted = (
        own("toString", own("toFloat", number, kind=Kind.FLOAT), kind=Kind.STRING)
        for number in (value, selected)
    )
    listed = Type(Kind.LIST, Type(Kind.STRING, nullable=False), nullable=False)
    texts = ir.Agg("collect", (case((test, text), default=NULL, type=_STRING),), type=listed)
    return ir.In(wanted, texts, type=Type(Kind.BOOLEAN))


def _is_large(selected: ir.Expr) -> ir.Expr:
    return ir.Compare(ir.CompareOp.GE, own("abs", selected), _EXACT)


def _count(value: ir.Expr, *, distinct: bool) -> ir.Expr:
    return ir.Agg("count", (value,), distinct, type=Type(Kind.INTEGER, nullable=False))


def _times(value: ir.Expr, number: float) -> ir.Expr:
    return ir.Arith(ir.ArithOp.MUL, value, ir.Literal(number))


def continuous_percentile(node: ir.Agg) -> ir.Expr:
    """percentileCont() of Cypher: of integers it is an integer where it lies on one of them.

    Raises:
        Refused: the values may be integers, and the text does not say which, or whose.
    """
    value, share = node.args
    if kind_of(value) is Kind.FLOAT and not value.type.mixed:
        return node
    number = share.value if isinstance(share, ir.Literal) else None
    if isinstance(number, int | float) and number in (0, 1):
        return percentile(node, number)
    if kind_of(value) is not Kind.INTEGER or not isinstance(number, int | float):
        reason = "grafeo makes floats of integers there, and which are is not known."
        raise Refused("engine-limit", "percentileCont()", reason, node.span)
    count = _count(value, distinct=node.distinct)
    before = ir.Arith(ir.ArithOp.SUB, count, _ONE, type=_INTEGER)
    place = _times(before, number)
    on_one = equal(place, own("floor", place))
    whole = own("toInteger", node, kind=Kind.INTEGER)
    return case(
        (both(on_one, _is_large(node)), FAILS), (on_one, whole), default=node, type=node.type
    )
