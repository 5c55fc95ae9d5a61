"""Operator precedence of GQL: a flat sequence of operands and operators becomes a tree.

From loose to tight: OR and XOR, AND, NOT, IS [NOT] TRUE, comparison, `||`, `+ -`, `* /`, sign
(ISO/IEC 39075:2024 clause 20.1, 20.20, 20.21). What is tested by IS is a primary in the standard;
after another operand it is a syntax error here, because parsers differ on what it tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.operators import COMPARISONS, Climber, combine, constants_first, extent
from graph_ir.cypher.scanning import Token, failed
from graphmill.errors import Span

_NOT, _TRUTH, _COMPARISON, _TEST, _CONCAT = 3, 4, 5, 6, 7
_LEVEL = {
    "OR": 1, "XOR": 1, "AND": 2,
    "=": 5, "<>": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "IN": 6, "CONTAINS": 6, "STARTS WITH": 6, "ENDS WITH": 6, "=~": 6,
    "NOT IN": 6, "LIKE": 6, "NOT LIKE": 6, "BETWEEN": 6, "NOT BETWEEN": 6,
    "||": 7, "+": 8, "-": 8, "*": 9, "/": 9, "%": 9, "^": 10,
}  # fmt: skip
_EXTENDED = frozenset(("IN", "CONTAINS", "STARTS WITH", "ENDS WITH", "=~", "%", "^"))
_REMEDIES = {
    "IN": "ISO GQL has no IN: write x = a OR x = b.",
    "CONTAINS": "ISO GQL has no CONTAINS.",
    "STARTS WITH": "ISO GQL has no STARTS WITH: compare LEFT(x, n).",
    "ENDS WITH": "ISO GQL has no ENDS WITH: compare RIGHT(x, n).",
    "=~": "ISO GQL has no regular expressions.",
    "%": "ISO GQL has no operator %: write MOD(a, b).",
    "^": "ISO GQL has no operator ^: write POWER(a, b).",
}


@dataclass(frozen=True, slots=True)
class Test:
    """What stands behind an operand and tests it; `make` builds the predicate.

    `loose` tests take a whole predicate (IS TRUE), the others a primary.
    """

    make: Any
    span: Span
    token: Token
    loose: bool = False


type Combine = Callable[[Token, ir.Expr, ir.Expr], ir.Expr]
_RANGES = ("BETWEEN", "NOT BETWEEN")


def standard(token: Token, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two operands joined as ISO GQL has it.

    Raises:
        QueryTextError: the standard has no such operator.
    """
    if token.text in _EXTENDED:
        raise failed(token, _REMEDIES[token.text], "not-in-gql")
    if token.text == "+":
        _check_sum(token, left, right)
    return combine(token.text, left, right)


def cyphers(token: Token, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two operands joined as Cypher has it, too."""
    return combine(token.text, left, right)


def neo4js(token: Token, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two operands joined as Neo4j has it, in GQL too."""
    return constants_first(combine(token.text, left, right))


def resolve(sequence: list[Any], extended: bool, joined: Combine) -> ir.Expr:
    """The tree of `sequence`: expressions, operator tokens, NOT tokens and tests.

    `joined` makes one of two operands; those of BETWEEN are its value and a list of its bounds.

    Raises:
        QueryTextError: an operator stands where a tighter operand has to be.
    """
    return _Climber(sequence, extended, joined).climb(1)


def _check_sum(token: Token, *sides: ir.Expr) -> None:
    """Refuse `+` of what is written as a text or a list: clause 20.21 adds numbers and spans."""
    for side in sides:
        text = isinstance(side, ir.Literal) and isinstance(side.value, str)
        if text or isinstance(side, ir.ListOf):
            raise failed(token, "ISO GQL joins texts and lists by ||.", "not-in-gql")


class _Climber(Climber):
    not_level, under_not = _NOT, _TRUTH

    def __init__(self, sequence: list[Any], extended: bool, joined: Combine) -> None:
        super().__init__(sequence)
        self.extended = self.doubles_not = extended
        self.joined = joined

    def climb(self, least: int) -> ir.Expr:
        sequence, left = self.sequence, self.operand(least)
        joined = 0  # the level of the operator that made `left`
        while self.position < len(sequence):
            token = sequence[self.position]
            if type(token) is Test:
                level = _TRUTH if token.loose else _TEST
                if level < least:
                    if not token.loose and not self.extended:
                        raise failed(
                            token.token,
                            "It is not clear what IS tests: put that in parentheses.",
                            "ambiguous-test",
                        )
                    break
                if joined > _TEST and not token.loose and not self.extended:
                    raise failed(
                        token.token,
                        "It is not clear what IS tests: put that in parentheses.",
                        "ambiguous-test",
                    )
                self.position += 1
                left = token.make(left)
                joined = level
                continue
            level = _LEVEL[token.text]
            if level < least:
                break
            if level == _COMPARISON:
                left = self._comparison(left, joined)
            else:
                self.position += 1
                right = self.climb(level + 1)
                if token.text in _RANGES:
                    right = ir.ListOf((right, self._upper_bound(token, level)), span=right.span)
                left = self.joined(token, left, right)
            joined = level
        return left

    def _upper_bound(self, token: Token, level: int) -> ir.Expr:
        if getattr(next(iter(self.sequence[self.position :]), None), "text", "") != "AND":
            raise failed(token, "BETWEEN takes two bounds: BETWEEN a AND b.", "unexpected-token")
        self.position += 1
        return self.climb(level + 1)

    def _comparison(self, left: ir.Expr, joined: int) -> ir.Expr:
        token = self.sequence[self.position]
        if joined == _COMPARISON and not self.extended:
            raise failed(
                token, "Comparisons do not chain: join two with AND.", "chained-comparison"
            )
        pairs: list[ir.Expr] = []
        while self.position < len(self.sequence):
            op = COMPARISONS.get(getattr(self.sequence[self.position], "text", ""))
            if op is None:
                break
            if pairs and not self.extended:
                again = self.sequence[self.position]
                raise failed(
                    again, "Comparisons do not chain: join two with AND.", "chained-comparison"
                )
            self.position += 1
            right = self.climb(_TEST)
            pairs.append(ir.Compare(op, left, right, span=extent(left.span, right.span)))
            left = right
        if len(pairs) == 1:
            return pairs[0]
        return ir.Bool(ir.BoolOp.AND, tuple(pairs), span=extent(pairs[0].span, pairs[-1].span))
