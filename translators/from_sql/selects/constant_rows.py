"""Whole numbers, texts and days of a query without tables, computed while it is translated.

Only what every dialect answers alike is computed; all else has no value here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlglot import exp

from translators.from_sql.statement.rules import Division, Rules

type Cell = int | str | bool | date | None

_COMPARISONS: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
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
            case exp.Cast() if node.to.this is exp.DataType.Type.DATE and not self.rules.affinity:
                return self._day(node.this)
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
        if isinstance(operand, bool | str | date):
            raise NotConstantError
        return operand

    def _within(self, number: int) -> int:
        """A number that no dialect's type of such literals overflows."""
        limit = 2**63 if self.rules.affinity else 2**31
        if not -limit < number < limit:
            raise NotConstantError
        return number

    def _day(self, node: exp.Expr) -> Cell:
        """What is cast to a date: a text, a date, or one that an interval is added to."""
        inner = node.unnest()
        if isinstance(inner, exp.Literal) and inner.is_string:
            try:
                return date.fromisoformat(_ten(inner.name))
            except ValueError:
                raise NotConstantError from None
        if isinstance(inner, exp.Add) and isinstance(inner.expression.unnest(), exp.Interval):
            start = self.value(inner.this)
            interval = inner.expression.unnest()
            words = f"{interval.this.name} {interval.args.get('unit') or ''}".lower().split()
            days = {"day": 1, "days": 1, "week": 7, "weeks": 7}.get(words[-1])
            if len(words) != 2 or days is None or not words[0].isdigit() or len(words[0]) > 6:
                raise NotConstantError
            return self._later(start, int(words[0]) * days)
        made = self.value(inner)
        if isinstance(made, date) or made is None:
            return made
        raise NotConstantError

    def _later(self, start: Cell, days: int) -> Cell:
        if start is None:
            return None
        if not isinstance(start, date):
            raise NotConstantError
        try:
            return start + timedelta(days=days)
        except OverflowError:
            raise NotConstantError from None

    def _of_days(self, node: exp.Expr) -> Cell:
        """A comparison of days, or a day some days later or earlier."""
        left, right = self.value(node.this), self.value(node.expression)
        if type(node) in _COMPARISONS and isinstance(left, date) and isinstance(right, date):
            return _COMPARISONS[type(node)](left, right)
        counts = self.rules.name in ("postgres", "duckdb") and type(right) is int
        if counts and isinstance(right, int) and isinstance(node, exp.Add | exp.Sub):
            return self._later(left, right if isinstance(node, exp.Add) else -right)
        raise NotConstantError

    def _computed(self, node: exp.Expr) -> Cell:
        sides = (node.this, node.expression)
        if any(isinstance(self.value(side), date) for side in sides):
            return self._of_days(node)
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


def _ten(word: str) -> str:
    """A text of the form `2024-01-31`, which is the one that all dialects read alike."""
    if len(word) != 10:
        raise NotConstantError
    return word


def literal(cell: Cell) -> exp.Expr:
    """A value as an expression."""
    if cell is None:
        return exp.Null()
    if isinstance(cell, str):
        return exp.Literal.string(cell)
    if isinstance(cell, date):
        return exp.cast(exp.Literal.string(cell.isoformat()), exp.DataType.Type.DATE)
    number = exp.Literal.number(abs(int(cell)))
    return exp.Neg(this=number) if int(cell) < 0 else number
