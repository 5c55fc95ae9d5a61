"""Comparison as SQLite does it: affinities first, then storage classes.

https://www.sqlite.org/datatype3.html section 4: numbers sort before text, NULL compares to
nothing, and a column's affinity may convert the other side.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from graph_ir import nodes as ir
from schemagraph.encoding import EXACT, sql_literal
from schemagraph.mapping import Affinity, TextForm
from schemagraph.model import Kind
from schemagraph.temporal import least_from
from translators.from_sql.expressions.casing import with_ascii_folded
from translators.from_sql.statement.prints import alike, printed
from translators.from_sql.statement.terms import all_of, any_of
from translators.from_sql.statement.typed_constants import CONSTRUCTORS
from translators.from_sql.statement.values import (
    NUMBERS,
    Value,
    as_integer,
    as_number,
    is_null,
    number,
    one_print,
    parsed_number,
    real_text,
    text,
    truth,
)

EQUALITY = frozenset({ir.CompareOp.EQ, ir.CompareOp.NE})
FLIPPED = {
    ir.CompareOp.EQ: ir.CompareOp.EQ,
    ir.CompareOp.NE: ir.CompareOp.NE,
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}
_TESTS: dict[ir.CompareOp, Callable[[float, float], bool]] = {
    ir.CompareOp.EQ: operator.eq,
    ir.CompareOp.NE: operator.ne,
    ir.CompareOp.LT: operator.lt,
    ir.CompareOp.LE: operator.le,
    ir.CompareOp.GT: operator.gt,
    ir.CompareOp.GE: operator.ge,
}
# Texts that the graph's printing of a temporal value gives back unchanged.
_CANONICAL = {
    Kind.DATE: re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    Kind.TIME: re.compile(r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d"),
    Kind.DATETIME: re.compile(
        r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d"
    ),
}
_MOMENTS = (TextForm.DATE, TextForm.DATETIME, TextForm.TIME)


class CannotCompareError(Exception):
    """The two sides cannot be compared exactly; `reason` goes on from the expression."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def compare(op: ir.CompareOp, left: Value, right: Value) -> Value:
    """`left op right`, three-valued.

    Raises:
        CannotCompareError: the graph's values cannot say what SQLite answers.
    """
    if Kind.NULL in (left.kind, right.kind):
        return Value(ir.Literal(None), Kind.NULL)
    if Kind.BYTES in (left.kind, right.kind):
        raise CannotCompareError("compares binary values")
    if left.constant and not right.constant:
        return compare(FLIPPED[op], right, left)
    if left.mixed or right.mixed:
        return _mixed(op, left, right)
    if Kind.BOOLEAN in (left.kind, right.kind):
        return _boolean(op, left, right)
    if left.numeric and right.numeric:
        return _plain(op, left, right)
    if left.numeric or right.numeric:
        return _number_and_text(op, left, right)
    return _texts(op, left, right)


def _plain(op: ir.CompareOp, left: Value, right: Value) -> Value:
    if left.constant and not right.constant:
        op, left, right = FLIPPED[op], right, left
    numbers = [each.value for each in (left.expr, right.expr) if isinstance(each, ir.Literal)]
    match numbers:  # Neo4j has two constants for equal that are so as floats
        case (int() as a, float() as b) | (float() as a, int() as b) if abs(a) >= EXACT:
            return always(_TESTS[op](a, b))
    return truth(ir.Compare(op, left.expr, right.expr), left, right)


def always(answer: bool, *parts: Value) -> Value:
    """A constant answer, null where a part is."""
    nullable = [part for part in parts if part.nullable]
    if not nullable:
        return truth(ir.Literal(answer))
    null = ir.Literal(None)
    if answer:
        known = all_of(is_null(part, negated=True) for part in nullable)
        return truth(any_of((known, null)), *nullable)
    unknown = any_of(is_null(part) for part in nullable)
    return truth(all_of((unknown, null)), *nullable)


def _number_below_text(op: ir.CompareOp, left: Value, right: Value) -> Value:
    """A number against a text that stays text: the number is always the smaller one."""
    smaller = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.NE)
    answer = op in smaller if left.numeric else FLIPPED[op] in smaller
    return always(answer, left, right)


def _boolean(op: ir.CompareOp, left: Value, right: Value) -> Value:
    if left.kind is right.kind and op in EQUALITY:
        return _plain(op, left, right)
    if right.constant and isinstance(right.expr, ir.Literal) and left.kind is Kind.BOOLEAN:
        wanted = _as_number(right) if left.affinity in NUMBERS else right
        literal = wanted.expr.value if isinstance(wanted.expr, ir.Literal) else None
        if isinstance(literal, int | float):
            return _against_number(op, left, literal)
    return compare(op, as_integer(left), as_integer(right))


def _against_number(op: ir.CompareOp, left: Value, literal: int | float) -> Value:
    """A truth value, which SQLite has as 0 or 1, against a number."""
    if literal in (0, 1) and op in EQUALITY:
        return truth(ir.Compare(op, left.expr, ir.Literal(bool(literal))), left)
    test = _TESTS[op]
    yes, no = test(1, literal), test(0, literal)
    if yes == no:
        return always(yes, left)
    return truth(ir.Compare(ir.CompareOp.EQ, left.expr, ir.Literal(yes)), left)


def _as_number(value: Value) -> Value:
    """A text literal after numeric affinity."""
    if isinstance(value.expr, ir.Literal) and isinstance(value.expr.value, str):
        parsed = parsed_number(value.expr.value)
        return value if parsed is None else number(parsed)
    return value


def _number_and_text(op: ir.CompareOp, left: Value, right: Value) -> Value:
    if right.numeric and not left.numeric:
        return _number_and_text(FLIPPED[op], right, left)
    # left is a number, right is text or temporal
    if left.affinity in NUMBERS:
        if right.constant:
            converted = _as_number(right)
            if converted.numeric:
                return _plain(op, left, converted)
            return _number_below_text(op, left, right)
        if right.temporal or right.affinity in NUMBERS or right.form in _MOMENTS:
            return _number_below_text(op, left, right)  # text that looks like no number
        converted_text = as_number(right) if right.form is not TextForm.WORD else None
        if converted_text is not None:
            return _plain(op, left, converted_text)
        raise CannotCompareError("compares numbers with text that may look like numbers")
    if right.affinity is Affinity.TEXT and left.affinity is None:
        return _texts(op, _as_text(left), right)
    # Between two columns, TEXT converts nothing: not what an untyped one holds.
    return _number_below_text(op, left, right)


def _as_text(value: Value) -> Value:
    """A number after text affinity."""
    if isinstance(value.expr, ir.Literal):
        constant = value.expr.value
        shown = real_text(constant) if isinstance(constant, float) else str(constant)
        if shown is None:
            raise CannotCompareError("compares text with a number whose text is uncertain")
        return text(shown)
    if value.kind is Kind.INTEGER:
        return replace(value, expr=ir.Call("toString", (value.expr,)), kind=Kind.STRING)
    raise CannotCompareError("compares text with real numbers")


def _texts(op: ir.CompareOp, left: Value, right: Value) -> Value:
    if op not in EQUALITY and left.affinity in NUMBERS and right.constant:
        converted = _as_number(right)
        if converted.numeric:  # the column's text looks like no number
            return _number_below_text(op, left, converted)
    _check_affinity(op, left, right)
    if left.number is not None and isinstance(right.expr, ir.Literal):
        word = str(right.expr.value)
        if len(word) == left.width and word.isascii() and word.isdigit():
            return truth(ir.Compare(op, left.number, ir.Literal(int(word))), left)
    if {left.collation, right.collation} != {"BINARY"}:
        return _collated(op, left, right)
    if left.temporal and right.constant and isinstance(right.expr, ir.Literal):
        return moment_and_text(op, left, str(right.expr.value))
    if left.kind is right.kind and (not left.temporal or alike(left, right)):
        return _plain(op, left, right)
    return _plain(op, printed(left), printed(right))


def moment_and_text(op: ir.CompareOp, left: Value, word: str) -> Value:
    """A temporal value, which is text in the source, against any text: their texts are in the
    order of the values, so that some value is the first that is not below the text."""
    if left.kind not in CONSTRUCTORS:
        return _plain(op, printed(left), text(word))
    least = least_from(left.kind, left.format, word)
    if least is None:
        below = op in (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.NE)
        return always(below, left)
    shown, exact = least
    known = left.day_of
    last = shown == date.max.isoformat()
    if known is not None and not last and left.expr == ir.Call("date", (known.expr,)):
        return _on_day(op, known, shown, exact)
    if not exact:
        if op in EQUALITY:
            return always(op is ir.CompareOp.NE, left)
        op = ir.CompareOp.LT if op in (ir.CompareOp.LT, ir.CompareOp.LE) else ir.CompareOp.GE
    constant = ir.Call(CONSTRUCTORS[left.kind], (ir.Literal(shown),))
    return truth(ir.Compare(op, left.expr, constant), left)


def _on_day(op: ir.CompareOp, left: Value, day: str, exact: bool) -> Value:
    """The day of a date and time against a day, of which the text may be no more than the least
    above: a comparison of the date and time itself, which every language has."""
    if not exact and op in EQUALITY:
        return always(op is ir.CompareOp.NE, left)

    def side(op: ir.CompareOp, day: date) -> ir.Expr:
        start = ir.Literal(f"{day.isoformat()}T00:00:00")
        return ir.Compare(op, left.expr, ir.Call("localdatetime", (start,)))

    first = date.fromisoformat(day)
    after = first + timedelta(1) if exact else first
    from_, below = ir.CompareOp.GE, ir.CompareOp.LT
    match op:
        case ir.CompareOp.EQ:
            return truth(all_of((side(from_, first), side(below, after))), left)
        case ir.CompareOp.NE:
            return truth(any_of((side(below, first), side(from_, after))), left)
        case ir.CompareOp.LT | ir.CompareOp.GE:
            return truth(side(op, first), left)
        case _:
            return truth(side(below if op is ir.CompareOp.LE else from_, after), left)


def _words_and_number(op: ir.CompareOp, left: Value, right: Value) -> Value:
    """Numbers and words against a number: every word is above it."""
    constant = right.expr.value if isinstance(right.expr, ir.Literal) else None
    if isinstance(constant, int | float) and abs(constant) >= EXACT:
        raise CannotCompareError("compares a column that mixes text and numbers with a large one")
    test: ir.Expr = ir.Compare(op, ir.Call("toFloat", (left.expr,)), right.expr)
    if constant is None and right.kind is Kind.INTEGER and left.affinity is not Affinity.REAL:
        # As floats, integers from 2^53 on would be equal to others.
        whole = ir.Call("toInteger", (left.expr,))
        is_whole = ir.Compare(ir.CompareOp.EQ, ir.Call("toString", (whole,)), left.expr)
        exact = ir.Compare(op, whole, right.expr)
        test = ir.Case((ir.When(is_whole, exact),), test)
    above = op in (ir.CompareOp.GT, ir.CompareOp.GE, ir.CompareOp.NE)
    nullable = [side for side in (left, right) if side.nullable]
    sure = ir.Call("coalesce", (test, ir.Literal(above)))
    if not nullable:
        return truth(sure)
    there = all_of(is_null(side, negated=True) for side in nullable)
    return truth(ir.Case((ir.When(there, sure),)), *nullable)


def _collated(op: ir.CompareOp, left: Value, right: Value) -> Value:
    """Equality of a NOCASE column with an ASCII literal; the left side's collation wins."""
    literal = right.expr.value if isinstance(right.expr, ir.Literal) else None
    folded = left.collation == "NOCASE" and op in EQUALITY
    if folded and isinstance(literal, str) and literal.isascii():
        lower = with_ascii_folded(left, literal)
        return truth(ir.Compare(op, lower, ir.Literal(literal.lower())), left)
    raise CannotCompareError("compares text under a collation of its own")


def temporal(kind: Kind, literal: str) -> ir.Expr | None:
    """The typed constant whose text is exactly `literal`, or None where there is none."""
    pattern = _CANONICAL.get(kind)
    if pattern is None or not pattern.fullmatch(literal) or not _exists(literal):
        return None
    return ir.Call(CONSTRUCTORS[kind], (ir.Literal(literal),))


def _exists(literal: str) -> bool:
    if "-" not in literal:
        return True
    year, month, day = (int(part) for part in literal[:10].split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and day <= days[month - 1]


def _check_affinity(op: ir.CompareOp, left: Value, right: Value) -> None:
    """Refuse an order between texts where one side may be turned into a number.

    A text under numeric affinity looks like no number, else it would be one; so equality holds
    between texts, whatever is converted.
    """
    if op in EQUALITY:
        return
    for one, other in ((left, right), (right, left)):
        if one.affinity not in NUMBERS or other.affinity in NUMBERS:
            continue
        if other.constant and isinstance(other.expr, ir.Literal):
            if parsed_number(str(other.expr.value)) is None:
                continue
        elif other.temporal or other.form in _MOMENTS:
            continue
        raise CannotCompareError("orders text by a column of numeric affinity")


def _mixed(op: ir.CompareOp, left: Value, right: Value) -> Value:
    """A column of several storage classes: equality, or the order of numbers and words."""
    if not left.mixed:
        op, left, right = FLIPPED[op], right, left
    other = as_integer(right)
    binary = {left.collation, right.collation} == {"BINARY"}
    if left.affinity in NUMBERS and not left.loose and (binary or other.numeric):
        converted = _as_number(other) if other.constant else other
        if op in EQUALITY and (shown := _as_stored(left, converted)) is not None:
            return truth(ir.Compare(op, left.expr, shown), left, right)
        if left.form is TextForm.WORD and not left.literals and converted.numeric:
            return _words_and_number(op, left, converted)
        # Texts that look like numbers become such beside a column of numeric affinity.
        kept = right.affinity in NUMBERS or not right.literals
        if op in EQUALITY and right.mixed and kept and one_print((left, right)):
            return _plain(op, left, right)
    if left.unseen or right.unseen:
        raise CannotCompareError("compares a column of which no row and no type shows the values")
    raise CannotCompareError("compares a column that mixes numbers and text")


def _as_stored(column: Value, other: Value) -> ir.Expr | None:
    """What is no mixed column as the text that the graph has for it in a mixed one of numeric
    affinity, None where that is not sure."""
    whole = column.affinity is not Affinity.REAL  # 1.0 is the integer 1 there
    literal = other.expr.value if isinstance(other.expr, ir.Literal) else None
    if isinstance(literal, str):
        return ir.Literal(sql_literal(literal) if column.literals else literal)
    if not whole or other.mixed or other.kind is not Kind.INTEGER:
        return None
    if isinstance(literal, int):
        return ir.Literal(str(literal))
    return ir.Call("toString", (other.expr,))
