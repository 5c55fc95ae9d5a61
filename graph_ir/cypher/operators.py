"""Operator precedence of Cypher: a flat sequence of operands and operators becomes a tree.

From loose to tight: OR, XOR, AND, NOT, comparison, string and list and null tests, `+ -`,
`* / %`, `^`, unary minus (openCypher 9, Expression; Neo4j 5 the same). All associate to the left;
a chain of comparisons is the conjunction of its pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graph_ir import nodes as ir
from graph_ir.cypher.errors import error_at
from graph_ir.walk import find
from graphmill.errors import Span

_NOT, _COMPARISON, _TEST = 4, 5, 6
_LEVEL = {
    "OR": 1, "XOR": 2, "AND": 3,
    "=": 5, "<>": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "IN": 6, "CONTAINS": 6, "STARTS WITH": 6, "ENDS WITH": 6, "=~": 6,
    "+": 7, "-": 7, "||": 7, "*": 8, "/": 8, "%": 8, "^": 9,
}  # fmt: skip
_TEXT = {op.value: op for op in ir.TextOp}
_ARITH = {op.value: op for op in ir.ArithOp} | {"||": ir.ArithOp.ADD}
_BOOL = {op.value: op for op in ir.BoolOp}
COMPARISONS = {op.value: op for op in ir.CompareOp}


@dataclass(frozen=True, slots=True)
class IsNullTest:
    """`IS NULL` or `IS NOT NULL` behind an operand."""

    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class LabelledTest:
    """`:A|B` behind an operand."""

    labels: ir.LabelExpr


def resolve(sequence: list[Any]) -> ir.Expr:
    """The tree of `sequence`: expressions, operator tokens, NOT tokens and tests.

    Raises:
        QueryTextError: NOT stands where only a tighter operand can.
    """
    return _Climber(sequence).climb(1)


class Climber:
    """Precedence climbing over a flat sequence; its recursion is bounded by the number of levels.

    `not_level` is that of NOT, `under_not` the loosest that stands under it without parentheses.
    """

    not_level: ClassVar[int]
    under_not: ClassVar[int]
    doubles_not: bool = True
    """Whether NOT may stand before NOT."""

    def __init__(self, sequence: list[Any]) -> None:
        self.sequence = sequence
        self.position = 0

    def climb(self, least: int) -> ir.Expr:
        """The tree of what comes next and binds at least so tightly."""
        raise NotImplementedError

    def operand(self, least: int) -> ir.Expr:
        """The operand that comes next, with the NOTs before it.

        Raises:
            QueryTextError: NOT stands where only a tighter operand can.
        """
        first = self.sequence[self.position]
        self.position += 1
        return first if isinstance(first, ir.Expr) else self._negation(first, least)

    def _negation(self, token: Any, least: int) -> ir.Expr:
        if least > self.not_level:
            raise error_at(
                token.source.text,
                token.start,
                "NOT binds looser than the operator before it: put it in parentheses.",
                code="misplaced-not",
            )
        nots = [token]
        while not isinstance(self.sequence[self.position], ir.Expr):
            if not self.doubles_not:
                raise error_at(
                    token.source.text,
                    token.start,
                    "NOT stands before NOT: put the second one in parentheses.",
                    code="misplaced-not",
                )
            nots.append(self.sequence[self.position])
            self.position += 1
        expr = self.climb(self.under_not)
        for each in reversed(nots):
            expr = ir.Not(expr, span=extent(each.span, expr.span))
        return expr


class _Climber(Climber):
    not_level, under_not = _NOT, _COMPARISON

    def climb(self, least: int) -> ir.Expr:
        sequence, left = self.sequence, self.operand(least)
        while self.position < len(sequence):
            token = sequence[self.position]
            if type(token) is IsNullTest or type(token) is LabelledTest:
                if least > _TEST:
                    break
                self.position += 1
                left = _tested(left, token)
                continue
            level = _LEVEL[token.text]
            if level < least:
                break
            if level == _COMPARISON:
                left = self._comparisons(left)
                continue
            operands = [left]
            while self._is_next(token.text):
                self.position += 1
                operands.append(self.climb(level + 1))
                if token.text not in _BOOL:
                    break
            left = constants_first(combine(token.text, *operands))
        return left

    def _is_next(self, text: str) -> bool:
        """Whether the operator `text` comes next."""
        if self.position == len(self.sequence):
            return False
        return getattr(self.sequence[self.position], "text", None) == text

    def _comparisons(self, left: ir.Expr) -> ir.Expr:
        comparisons: list[ir.Expr] = []
        while self.position < len(self.sequence):
            op = COMPARISONS.get(getattr(self.sequence[self.position], "text", ""))
            if op is None:
                break
            self.position += 1
            right = self.climb(_TEST)
            comparisons.append(ir.Compare(op, left, right, span=extent(left.span, right.span)))
            left = right
        if len(comparisons) == 1:
            return comparisons[0]
        return ir.Bool(
            ir.BoolOp.AND,
            tuple(comparisons),
            span=extent(comparisons[0].span, comparisons[-1].span),
        )


def tested(operand: ir.Expr, test: Any) -> ir.Expr:
    """A WHEN of a CASE with operand: a value to be equal to, or the rest of a test of `operand`."""
    if isinstance(test, IsNullTest | LabelledTest):
        return _tested(operand, test)
    if isinstance(test, ir.Expr):
        return binary("=", operand, test)
    operator, right = test
    return binary(operator, operand, right)


def binary(text: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`left` and `right` joined by one operator."""
    op = COMPARISONS.get(text)
    if op is None:
        return combine(text, left, right)
    return ir.Compare(op, left, right, span=extent(left.span, right.span))


def extent(first: Span | None, last: Span | None) -> Span | None:
    """From the start of `first` to the end of `last`."""
    if first is None or last is None:
        return first
    return Span(first.line, first.column, last.end_line, last.end_column)


def _tested(operand: ir.Expr, test: IsNullTest | LabelledTest) -> ir.Expr:
    if isinstance(test, IsNullTest):
        return ir.IsNull(operand, test.negated, span=extent(operand.span, test.span))
    return ir.LabelTest(operand, test.labels, span=extent(operand.span, test.labels.span))


def combine(text: str, left: ir.Expr, right: ir.Expr, *more: ir.Expr) -> ir.Expr:
    """Two operands joined by one operator that is no comparison; by AND, OR and XOR any number."""
    span = extent(left.span, (right, *more)[-1].span)
    connective = _BOOL.get(text)
    if connective is not None:
        args: list[ir.Expr] = []
        for side in (left, right, *more):
            if isinstance(side, ir.Bool) and side.op is connective:
                args.extend(side.args)
            else:
                args.append(side)
        return ir.Bool(connective, tuple(args), span=span)
    if text in _ARITH:
        return ir.Arith(_ARITH[text], left, right, span=span)
    if text == "IN":
        return ir.In(left, right, span=span)
    return ir.Text(_TEXT[text], left, right, span=span)


@dataclass(frozen=True, slots=True)
class Factors:
    """What a product of three has: one factor that varies, and the constants, in their order."""

    varying: ir.Expr
    first: ir.Expr
    last: ir.Expr

    def product(self, span: Span | None) -> ir.Expr:
        """The product as Neo4j computes it."""
        constant = ir.Arith(ir.ArithOp.MUL, self.first, self.last, span=self.last.span)
        return ir.Arith(ir.ArithOp.MUL, self.varying, constant, span=span)


def constants_first(node: ir.Expr) -> ir.Expr:
    """What one operator joins, as Neo4j computes it."""
    factors = constant_factors(node)
    return node if factors is None else factors.product(node.span)


def as_written(node: ir.Arith) -> ir.Arith:
    """A product that Neo4j computes in the order in which it stands: what a function gives is no
    constant to it."""
    factors = constant_factors(node)
    if factors is None:
        return node
    numbers = find(factors.last, ir.Literal)
    whole = not any(isinstance(number.value, float) for number in numbers)
    given = ir.Call("toInteger" if whole else "toFloat", (factors.last,))
    return replace(node, left=given) if factors.last is node.left else replace(node, right=given)


def constant_factors(node: ir.Expr) -> Factors | None:
    """The factors of a product whose constants Neo4j multiplies first; None where it has no two.

    `x * 0.7 * 10` and `10 * (0.7 * x)` are `x * (0.7 * 10)` there (measured, 2026.08.1, in Cypher
    and in GQL), which for an x of 3 is 21.0, and not 20.999999999999996. Sums and quotients are
    computed as they stand.
    """
    if not isinstance(node, ir.Arith) or node.op is not ir.ArithOp.MUL:
        return None
    for inner, last in ((node.left, node.right), (node.right, node.left)):
        if isinstance(inner, ir.Arith) and inner.op is ir.ArithOp.MUL and _is_constant(last):
            for varying, first in ((inner.left, inner.right), (inner.right, inner.left)):
                if _is_constant(first) and not _is_constant(varying):
                    return Factors(varying, first, last)
    return None


def _is_constant(expr: ir.Expr) -> bool:
    """Whether a number is written out, or computed from such ones by operators alone."""
    match expr:
        case ir.Literal(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ir.Neg(operand):
            return _is_constant(operand)
        case ir.Arith(_, left, right):
            return _is_constant(left) and _is_constant(right)
    return False
