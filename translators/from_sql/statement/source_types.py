"""Columns of types whose comparisons, order, arithmetic and texts no property's values have.

Such a column is carried whole: what else is asked of it is refused, but where the answer is the
same (`schemagraph.mapping.Semantics`).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Semantics
from schemagraph.model import Kind
from translators.from_sql.statement.values import Value

if TYPE_CHECKING:
    from translators.from_sql.statement.context import Site

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AS_TEXTS = (Semantics.LABELS, Semantics.UUID, Semantics.YEAR, Semantics.CHAR)
# What a float of 32 bits answers as the one of 64 bits does that it is widened to.
_OF_WIDENED = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Between, exp.In, exp.Ordered, exp.Group, exp.Min, exp.Max, exp.Avg, exp.Distinct),
    *(exp.Coalesce, exp.Case, exp.If),  # which are of 32 bits again
)
# What SQLite asks of a whole text, and not of what stands before its first U+0000
# (https://www.sqlite.org/nulinstr.html).
_OF_WHOLE = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is),
    *(exp.Between, exp.In, exp.Ordered, exp.Group, exp.Min, exp.Max, exp.Distinct),
)
# What PostgreSQL asks of an interval by its length alone.
_OF_LENGTH = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Between, exp.In, exp.Ordered, exp.Extract),
)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div)


def check_use(site: Site, node: exp.Expr, value: Value) -> None:
    """See that what stands around `node` asks nothing of it that its type answers in its own way.

    Raises:
        Refused: it does.
    """
    if value.semantics in (Semantics.PROPERTY, Semantics.BITS, *_AS_TEXTS):
        return
    inner, over = node, node.parent
    while isinstance(over, exp.Paren):
        inner, over = over, over.parent
    whole = isinstance(over, exp.Select | exp.Alias | exp.Count) or (
        isinstance(over, exp.Is)
        and isinstance(over.expression, exp.Null)
        and value.semantics is not Semantics.ROW
    )
    if whole or over is None:
        return
    if value.kind is Kind.DURATION and value.number is not None and isinstance(over, _OF_LENGTH):
        return
    if value.semantics is Semantics.NUL and isinstance(over, _OF_WHOLE):
        return
    if value.semantics is Semantics.SINGLE:
        if isinstance(over, _OF_WIDENED):
            return
        if isinstance(over, exp.Cast) and over.to.is_type("float", "double"):
            return
        if isinstance(over, _ARITHMETIC) and site.house.rules.name == "postgres":
            other = over.expression if over.this is inner else over.this
            if _is_wide(site, other.unnest()):
                return
    raise site.refused("source-type", inner, "is of a type that this asks in a way of its own")


def _is_wide(site: Site, other: exp.Expr) -> bool:
    """Whether PostgreSQL computes with 64 bits where that stands beside a 32-bit float."""
    if isinstance(other, exp.Column):
        return site.column(other).semantics is not Semantics.SINGLE
    return isinstance(other, exp.Literal) and not other.is_string


def check_together(
    site: Site, node: exp.Expr, values: tuple[Value, ...], *, order: bool = False
) -> None:
    """See that values are equal, or with `order` before one another, where the source's are.

    Raises:
        Refused: they may not be.
    """
    for value in values:
        if value.semantics in (Semantics.OWN, Semantics.ROW):
            raise site.refused("source-type", node, "compares what its type compares otherwise")
        if order and value.semantics is Semantics.LABELS:
            sentence = "is in the order in which labels are declared: cast it to text for theirs"
            if site.house.rules.name == "mysql":
                sentence = (
                    "orders labels by their numbers, or as texts, which depends on the server"
                )
            raise site.refused("source-type", node, sentence)


def check_constant(site: Site, node: exp.Expr, column: Value, other: Value) -> None:
    """See that a constant beside a value is for its type what it is for the property.

    Raises:
        Refused: the type may take it for another one, or computes with fewer digits.
    """
    constant = other.expr.value if isinstance(other.expr, ir.Literal) else None
    match column.semantics, constant:
        case (Semantics.LABELS, str()):  # of which PostgreSQL reads no others
            same = not (site.house.rules.untyped and column.labels) or constant in column.labels
        case (Semantics.UUID, str()):
            same = _UUID.fullmatch(constant) is not None
        case (Semantics.CHAR, str()):
            same = not constant.endswith(" ")
        case (Semantics.CHAR, _):  # beside a varchar its blanks do not count, beside a text they do
            same = other.semantics is Semantics.CHAR
        case (Semantics.YEAR, _):
            literals = [each.name for each in node.find_all(exp.Literal)]
            same = all(len(digits) == 4 for digits in literals)  # also in what is computed
        case (Semantics.SINGLE, str()):
            same = False
        case (Semantics.SINGLE, int() | float()):
            widened = site.house.rules.name != "duckdb" and not isinstance(node, exp.In)
            same = widened or is_single(constant)
        case (Semantics.SINGLE, _):
            same = site.house.rules.name != "duckdb" or column.semantics is other.semantics
        case _:
            return
    if not same and other.kind is not Kind.NULL:
        raise site.refused("source-type", node, "compares a value that its type may take otherwise")


def check_unified(site: Site, node: exp.Expr, values: Sequence[Value]) -> None:
    """See that values of several types are what the one is that they become together.

    Raises:
        Refused: a type may take another's value for something else.
    """
    for own in values:
        if own.semantics not in (*_AS_TEXTS[1:], Semantics.SINGLE):
            continue
        for other in values:
            if other.kind is Kind.NULL or other.semantics is own.semantics:
                continue
            constant = other.expr.value if isinstance(other.expr, ir.Literal) else None
            match own.semantics, constant:
                case (Semantics.SINGLE, int() | float()):
                    same = is_single(constant)
                case (Semantics.SINGLE, _):
                    double = other.kind is Kind.FLOAT and other.exact is None
                    same = double and not other.integers
                case (Semantics.UUID, str()):
                    same = _UUID.fullmatch(constant) is not None
                case (Semantics.CHAR, str()):
                    same = not constant.endswith(" ")
                case _:
                    same = False
            if not same:
                raise site.refused("source-type", node, "makes one of values of two types")


def is_single(value: float) -> bool:
    """Whether a number is one of 32 bits.

    >>> is_single(0.5), is_single(0.1), is_single(2**24 + 1), is_single(1e300)
    (True, False, False, False)
    """
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except OverflowError:
        return False
