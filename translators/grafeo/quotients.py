"""Products and quotients that grafeo reckons otherwise than Neo4j: of durations, and over 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import NUMERIC, Kind, SchemaGraph, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.extremes import span_length
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    NULL,
    both,
    case,
    equal,
    matches,
    own,
    with_value,
)
from translators.grafeo.spans import is_integer, scaled

_ZERO = ir.Literal(0)
_LEAST = ir.Literal(-(2**63))
_MINUS_ONE = (ir.Literal(-1), ir.Neg(ir.Literal(1)))
_SMALL = 10**6
_UNKNOWN = NUMERIC | {Kind.ANY}


def has_spans(statement: ir.Statement, schema: SchemaGraph | None) -> bool:
    """Whether a value of an unknown kind may be a duration."""
    if schema is None or any(call.name.startswith("duration") for call in find(statement, ir.Call)):
        return True
    of_nodes = (item.type for node in schema.nodes for item in node.properties)
    of_edges = (item.type for edge in schema.edges for item in edge.properties)
    return any(
        Kind.DURATION in (of.kind, of.item and of.item.kind) for of in (*of_nodes, *of_edges)
    )


def product_or_quotient(node: ir.Arith, free: Iterator[str], spans: bool) -> ir.Expr:
    """`a * b` or `a / b`; `spans` says whether unknown values may be durations."""
    left, right = kind_of(node.left), kind_of(node.right)
    if Kind.ANY in (left, right) and {left, right} <= _UNKNOWN:
        return _of_unknown(node, free, spans)
    if node.op is ir.ArithOp.MUL:
        if left is Kind.FLOAT and right is Kind.DURATION:
            return scaled(replace(node, left=node.right, right=node.left), free)
        if {left, right} == {Kind.DURATION, Kind.INTEGER}:
            return _within(node, free)
        return scaled(node, free) if left is Kind.DURATION and right is Kind.FLOAT else node
    if left is Kind.DURATION:
        return scaled(node, free) if right in NUMERIC else node
    if node.op is ir.ArithOp.DIV and left is right is Kind.INTEGER and node.right in _MINUS_ONE:
        # -2^63 over -1 is itself in Java, and an error in grafeo.
        def turned(value: ir.Expr) -> ir.Expr:
            quotient = replace(node, left=value)
            return case((equal(value, _LEAST), value), default=quotient, type=node.type)

        return with_value(node.left, free, turned, Kind.INTEGER)
    of_nothing = right is Kind.FLOAT and bool(node.right.type.of_nothing)  # the integer 0
    if left is Kind.FLOAT and (right is Kind.INTEGER or of_nothing):
        if any(find(node.left, ir.CountOf)):
            return _over(node, node.right)  # grafeo has no subquery in a list comprehension
        return with_value(node.right, free, lambda by: _over(node, by), Kind.FLOAT)
    return node


def _within(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    """A product that fails where its mean length has more seconds than a 64-bit integer."""
    factor = next((s.value for s in (node.left, node.right) if isinstance(s, ir.Literal)), None)
    if isinstance(factor, int) and abs(factor) <= _SMALL:
        return node

    def of_product(value: ir.Expr) -> ir.Expr:
        long = ir.Compare(ir.CompareOp.GT, own("abs", span_length(value)), ir.Literal(9.2e27))
        return case((long, FAILS), default=value, type=node.type)

    return with_value(node, free, of_product, Kind.DURATION)


def _of_unknown(node: ir.Arith, free: Iterator[str], spans: bool) -> ir.Expr:
    """Of values of which one may be a duration, and integers and floats are not told apart."""
    kinds = kind_of(node.left), kind_of(node.right)
    if node.op is ir.ArithOp.MUL and (Kind.INTEGER in kinds or not spans):
        return node

    def of_left(left: ir.Expr) -> ir.Expr:
        return with_value(node.right, free, lambda right: of_both(left, right), Kind.ANY)

    def of_both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
        own_node = replace(node, left=left, right=right)
        branches = []
        if spans and kinds[0] is Kind.ANY:
            branches.append((_is_span(left), scaled(own_node, free)))
        if node.op is ir.ArithOp.DIV:
            quotient = _over(own_node, right)
            return case(*branches, default=quotient, type=node.type) if branches else quotient
        if kinds[1] is Kind.ANY:
            turned = replace(node, left=right, right=left)
            branches.append((_is_span(right), scaled(turned, free)))
        return case(*branches, default=own_node, type=node.type)

    return with_value(node.left, free, of_left, Kind.ANY)


def _is_span(value: ir.Expr) -> ir.Expr:
    return matches(own("toString", value, kind=Kind.STRING), "-?P.*")


def _over(node: ir.Arith, by: ir.Expr) -> ir.Expr:
    """A float over the integer 0 is an error in Neo4j, unless both stand in the query."""
    if isinstance(by, ir.Literal):
        if by.value != 0 or isinstance(by.value, float) or isinstance(node.left, ir.Literal):
            return node
        return case((ir.IsNull(node.left), NULL), default=FAILS, type=node.type)
    zero: ir.Expr = equal(by, _ZERO)
    if kind_of(by) is not Kind.INTEGER:
        zero = both(ir.Call("coalesce", (zero, FALSE), type=Type(Kind.BOOLEAN)), is_integer(by))
    if nullable(_counted(node.left)):
        zero = both(zero, ir.IsNull(node.left, negated=True))
    return replace(node, right=case((zero, FAILS), default=by, type=by.type))


def _counted(value: ir.Expr) -> ir.Expr:
    """An integer that is made a float, which is null where the integer is."""
    match value:
        case ir.Call("toFloat", (ir.Expr() as number,)) if kind_of(number) is Kind.INTEGER:
            return number
    return value
