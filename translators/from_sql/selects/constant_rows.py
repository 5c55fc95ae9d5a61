"""Whole numbers and texts of a query without tables, computed while it is translated.

Only what every dialect answers alike is computed; all else has no value here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from translators.from_sql.statement.rules import Division, Rules

type Cell = int | str | bool | None

_COMPARISONS: dict[type[exp.Expr], Callable[[int, int], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}
_SUMS: dict[type[exp.Expr], Callable[[int, int], int]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
}


class NotConstantError(Exception):
    """The expression has no value that is known before the query runs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table that an expression may read: its columns by case-folded names."""

    tables: frozenset[str]
    cells: Mapping[str, Cell]
    rules: Rules

    def value(self, node: exp.Expr) -> Cell:
        """The value of an expression over this row; a truth value is a bool.

        Raises:
            NotConstantError: it reads something else, or its value depends on more.
        """
        match node:
            case exp.Paren() | exp.Alias():
                return self.value(node.this)
            case exp.Literal():
                return self._literal(node)
            case exp.Null():
                return None
            case exp.Column():
                return self._column(node)
            case exp.Neg():
                number = self._number(node.this)
                return None if number is None else self._within(-number)
            case exp.DPipe():
                return self._joined(node)
            case exp.And() | exp.Or():
                return self._connected(node)
            case exp.Not():
                truth = self.truth(node.this)
                return None if truth is None else not truth
            case exp.Is() if isinstance(node.expression, exp.Null):
                return self.value(node.this) is None
            case exp.Between():
                low = exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
                high = exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
                return self.value(exp.And(this=low, expression=high))
        if type(node) in _COMPARISONS or type(node) in _SUMS or isinstance(node, exp.Div | exp.Mod):
            return self._computed(node)
        raise NotConstantError

    def truth(self, node: exp.Expr) -> bool | None:
        """A condition: true, false or unknown."""
        operand = self.value(node)
        if operand is None or isinstance(operand, bool):
            return operand
        raise NotConstantError

    def _literal(self, node: exp.Literal) -> Cell:
        if node.is_string:
            if self.rules.sticky:
                raise NotConstantError  # a recursive column is as wide as its first text
            return node.name
        if not node.name.isdigit():
            raise NotConstantError
        return self._within(int(node.name))

    def _column(self, node: exp.Column) -> Cell:
        name = node.name.casefold()
        if node.table and node.table.casefold() not in self.tables:
            raise NotConstantError
        if name not in self.cells:
            raise NotConstantError
        return self.cells[name]

    def _number(self, node: exp.Expr) -> int | None:
        operand = self.value(node)
        if isinstance(operand, bool | str):
            raise NotConstantError
        return operand

    def _within(self, number: int) -> int:
        """A number that no dialect's type of such literals overflows."""
        limit = 2**63 if self.rules.affinity else 2**31
        if not -limit < number < limit:
            raise NotConstantError
        return number

    def _computed(self, node: exp.Expr) -> Cell:
        left, right = self._number(node.this), self._number(node.expression)
        if left is None or right is None:
            return None
        if type(node) in _COMPARISONS:
            return _COMPARISONS[type(node)](left, right)
        if type(node) in _SUMS:
            return self._within(_SUMS[type(node)](left, right))
        whole = self.rules.division is Division.TRUNCATED or isinstance(node, exp.Mod)
        if not whole or right == 0:
            raise NotConstantError
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if isinstance(node, exp.Div) else left - quotient * right

    def _joined(self, node: exp.Expr) -> Cell:
        parts = [self.value(side) for side in (node.this, node.expression)]
        if any(part is not None and not isinstance(part, str) for part in parts):
            raise NotConstantError
        return None if None in parts else "".join(str(part) for part in parts)

    def _connected(self, node: exp.Expr) -> bool | None:
        sides = {self.truth(node.this), self.truth(node.expression)}
        decisive = isinstance(node, exp.Or)
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive


def literal(cell: Cell) -> exp.Expr:
    """A value as an expression."""
    if cell is None:
        return exp.Null()
    if isinstance(cell, str):
        return exp.Literal.string(cell)
    number = exp.Literal.number(abs(int(cell)))
    return exp.Neg(this=number) if int(cell) < 0 else number
