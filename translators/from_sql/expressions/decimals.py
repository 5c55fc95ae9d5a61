"""Exact numbers of the source, which are floats in the graph: their scale, quotients and rounding.

PostgreSQL and MySQL round halves of a decimal away from zero and those of a binary float to the
even neighbour. A quotient of MySQL has four digits more than its dividend; where it is rounded or
computed with, it has all of them, else it is shown, compared, grouped and sorted with the four
(measured on MariaDB 10.11). https://mariadb.com/kb/en/div/
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from math import gcd

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.from_sql.expressions.floats import (
    all_whole,
    as_real,
    binary,
    exactness,
    half_even,
    if_decimal,
    to_round,
)
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.exactness import Exactness, Ratio, inverse_scale
from translators.from_sql.statement.rules import Average
from translators.from_sql.statement.values import Value, as_float, as_number, microseconds_of

_DECIMAL = re.compile(
    r"\s*(?:numeric|decimal|dec)\s*(?:\(\s*\d+\s*(?:,\s*(?:(\d+)|-\d+)\s*)?\))?"
    r"\s*(?:unsigned)?\s*",
    re.IGNORECASE,
)
_WIDE = frozenset({"bigint", "int8", "bigserial", "serial8"})
_MORE_DIGITS = 4  # of MySQL's quotients; div_precision_increment
_MOST_SCALE = 4  # of a dividend, so that nine digits, of which MySQL makes a word, are enough
_MOST_PLACES = 6  # of a number that becomes a part of a quotient of whole ones


@dataclass(frozen=True, slots=True)
class DecimalType:
    """The type that SQL gives a number that is no binary float, of which the digits that a
    quotient or an average of it has depend: `scale` after the point, where the type says it.

    `computed` ones may be a little off as floats. How near the float of a value is to it, whatever
    its type, `Exactness` says.
    """

    scale: int | None
    computed: bool = False


def decimal_type(site: Site, node: exp.Expr) -> DecimalType | None:
    """The type of a number that is exact in the source, None where it may be a float."""
    inner = node.unnest()
    if isinstance(inner, exp.Literal) and not inner.is_string:
        whole = "e" not in inner.name.lower()
        return DecimalType(len(inner.name.partition(".")[2])) if whole else None
    if isinstance(inner, exp.Neg):
        return decimal_type(site, inner.this)
    if isinstance(inner, exp.Column):
        return _column(site, inner)
    if isinstance(inner, exp.Count) or _is_counted(inner):
        return DecimalType(0)
    if isinstance(inner, exp.Filter | exp.Abs | exp.Min | exp.Max | exp.Sum):
        argument = decimal_type(site, _argument(inner))
        summed = isinstance(inner, exp.Sum)
        return argument and DecimalType(argument.scale, argument.computed or summed)
    if isinstance(inner, exp.Add | exp.Sub | exp.Mul):
        return _computed(site, inner)
    if isinstance(inner, exp.Extract) and site.house.rules.name == "postgres":
        return DecimalType(6 if inner.name.lower() == "second" else 0)
    if isinstance(inner, exp.Coalesce | exp.Case | exp.If):
        return _one_of(site, inner)
    if isinstance(inner, exp.Length | exp.StrPosition):
        return DecimalType(0)
    if isinstance(inner, exp.Predicate | exp.Connector) and not site.house.rules.booleans:
        return DecimalType(0)
    if isinstance(inner, exp.Round) and inner.args.get("decimals") is None:
        exact = decimal_type(site, inner.this) and fraction(site, inner) is not Affinity.REAL
        return DecimalType(0) if exact else None
    return _open_scale(site, inner)


def _is_counted(node: exp.Expr) -> bool:
    """Whether it is a query for a number of rows, `(SELECT count(*) FROM t)`."""
    items = node.expressions if isinstance(node, exp.Select) else []
    return len(items) == 1 and isinstance(items[0].unalias(), exp.Count)


def _one_of(site: Site, node: exp.Expr) -> DecimalType | None:
    """One of several numbers, if all of them are exact."""
    results = parts_of(node)
    known = [
        decimal_type(site, each) for each in results if not isinstance(each.unnest(), exp.Null)
    ]
    sure = [each for each in known if each is not None]
    if len(sure) < len(known) or not sure:
        return None
    scales = [each.scale for each in sure if each.scale is not None]
    scale = max(scales) if len(scales) == len(sure) else None
    return DecimalType(scale, any(each.computed for each in sure))


def _open_scale(site: Site, node: exp.Expr) -> DecimalType | None:
    """PostgreSQL's quotients, and what is cast to numeric."""
    if site.house.rules.average is not Average.REAL or not site.house.rules.half_even:
        return None
    if isinstance(node, exp.Avg):
        return DecimalType(None) if decimal_type(site, _argument(node)) else None
    if isinstance(node, exp.Round):
        return decimal_type(site, node.this)
    if isinstance(node, exp.Cast):
        decimal = node.to.is_type(exp.DataType.Type.DECIMAL) and not node.to.expressions
        return DecimalType(None) if decimal else None
    if isinstance(node, exp.Div):
        return (
            DecimalType(None)
            if decimal_type(site, node.this) and decimal_type(site, node.expression)
            else None
        )
    return None


def _column(site: Site, node: exp.Column) -> DecimalType | None:
    value = site.value(node)
    if value.fractional is Affinity.REAL:
        return None
    if value.kind is Kind.INTEGER and value.numeric:
        return DecimalType(0)
    if value.kind is Kind.BOOLEAN and not site.house.rules.booleans:
        return DecimalType(0)
    match = _DECIMAL.fullmatch(declared(site, node))
    if match is None:
        return None
    sized = site.house.rules.name == "mysql" or "(" in match[0]
    return DecimalType(int(match[1] or 0) if sized else None)


def declared(site: Site, node: exp.Expr) -> str:
    """The type of a column in a source of this dialect; empty for all else."""
    inner = node.unnest()
    holder = site.holder(inner) if isinstance(inner, exp.Column) else None
    stored = holder[0].ref(holder[1]) if holder is not None else None
    typed = site.house.mapping.dialect == site.house.rules.name
    return stored[1].declared if typed and stored is not None else ""


def is_decimal(site: Site, node: exp.Expr) -> bool:
    """Whether it is a column of decimals in a source of this dialect."""
    return _DECIMAL.fullmatch(declared(site, node)) is not None


def is_wide_sum(site: Site, node: exp.Expr) -> bool:
    """Whether it is PostgreSQL's sum of 64-bit integers or decimals, which is a decimal."""
    inner = node.unnest()
    if not site.house.rules.wide_sums or not isinstance(inner, exp.Sum):
        return False
    word = declared(site, _argument(inner)).lower()
    return word in _WIDE or bool(_DECIMAL.fullmatch(word))


def fraction(site: Site, node: exp.Expr, *, inside: bool = False) -> Affinity | None:
    """What an integer of the graph is in PostgreSQL where it is none there: a decimal (NUMERIC) or
    a double (REAL). EXTRACT() is numeric, date_part() a double, and so are ceil(), floor(),
    round(), trunc() and sign() of an integer. `inside`: of a subquery, of whose columns only names
    are known here.

    https://www.postgresql.org/docs/current/functions-math.html, functions-datetime.html
    """
    inner = node.unalias().unnest()
    if not inside and is_wide_sum(site, inner):
        return Affinity.NUMERIC
    if isinstance(inner, exp.Cast):
        return next((of for types, of in _CAST if inner.to.is_type(*types)), None)
    if site.house.rules.name != "postgres":
        return None
    if isinstance(inner, exp.Extract):
        return Affinity.NUMERIC
    if isinstance(inner, exp.Nullif) and "." in inner.expression.name:
        return Affinity.NUMERIC  # the type in which an integer is compared with a decimal
    if isinstance(inner, exp.Round | exp.Trunc) and inner.args.get("decimals") is not None:
        return Affinity.NUMERIC
    if isinstance(inner, _WHOLE):
        value = None if inside else site.value(inner.this)
        if value is not None and value.kind is Kind.FLOAT:
            return Affinity.NUMERIC if exactness(site, value) else binary(site, value)
        return fraction(site, inner.this, inside=inside) or Affinity.REAL
    if isinstance(inner, exp.Anonymous):
        return Affinity.REAL if inner.name.lower() == "date_part" else None
    if isinstance(inner, exp.Column):
        if inside:
            return Affinity.NUMERIC if inner.name.casefold() in _decimals(site) else None
        return Affinity.NUMERIC if is_decimal(site, inner) else site.value(inner).fractional
    if isinstance(inner, exp.Query):
        return widest(fraction(site, part, inside=True) for part in inner.selects)
    return widest(fraction(site, part, inside=inside) for part in parts_of(inner))


def is_whole(node: exp.Expr) -> bool:
    """Whether a number of PostgreSQL has no fraction, whatever its type."""
    inner = node.unnest()
    if isinstance(inner, exp.Anonymous):
        return inner.name.lower() == "date_part"  # those with a fraction are not read
    return isinstance(inner, _WHOLE) and inner.args.get("decimals") is None


def is_double(site: Site, node: exp.Expr, value: Value) -> bool:
    """Whether an integer of the graph is a double in PostgreSQL."""
    whole = value.kind is Kind.INTEGER or value.integers
    if site.house.rules.name != "postgres" or not whole:
        return False
    return Affinity.REAL in (value.fractional, fraction(site, node))


def doubles(site: Site, node: exp.Binary, sides: tuple[Value, Value]) -> tuple[Value, Value]:
    """The sides of a sum, difference or product as the doubles that PostgreSQL makes of them where
    one is a double
    (https://www.postgresql.org/docs/current/typeconv-oper.html)."""
    kinds = {side.kind for side in sides}
    if site.house.rules.name != "postgres" or kinds == {Kind.INTEGER} or Kind.NULL in kinds:
        return sides
    nodes = (node.this, node.expression)
    real = [is_double(site, of, side) for of, side in zip(nodes, sides, strict=True)]
    if not any(real) and binary(site, *sides, some=True) is None:
        return sides
    one, other = (
        as_real(site, node, side) if whole or _is_computed(side) else side
        for side, whole in zip(sides, real, strict=True)
    )
    return one, other


def _is_computed(value: Value) -> bool:
    """Whether it is a float that is no constant; graphs make one of an integer beside a float."""
    return value.kind is Kind.FLOAT and not value.constant


def as_double(site: Site, node: exp.Expr, value: Value) -> Value:
    """An integer as the double that PostgreSQL makes of it for `ceil()` and its like, of which none
    takes integers, where that may be another number."""
    known = exactness(site, value)
    if known is None or not known.wide or value.kind is not Kind.INTEGER:
        return value
    if site.house.rules.name != "postgres" or fraction(site, node) is not None:
        return value
    return as_float(value)


def _decimals(site: Site) -> set[str]:
    """The names of columns that are decimals in the source."""
    mapping = site.house.mapping
    columns = [column for node in mapping.nodes for column in node.columns]
    columns += [column for edge in mapping.edges for column in edge.columns]
    return {each.name.casefold() for each in columns if _DECIMAL.fullmatch(each.declared)}


def widest(known: Iterable[Affinity | None]) -> Affinity | None:
    """The type of what several make together: a double and a decimal are a double."""
    types = set(known) - {None}
    return Affinity.REAL if Affinity.REAL in types else Affinity.NUMERIC if types else None


_CAST = (
    ((exp.DataType.Type.DECIMAL,), Affinity.NUMERIC),
    ((exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT), Affinity.REAL),
)
_WHOLE = (exp.Ceil, exp.Floor, exp.Round, exp.Sign, exp.Trunc)
_OF_ONE = (
    *(exp.Neg, exp.Abs, exp.Min, exp.Max, exp.Sum, exp.Filter, exp.Window, exp.IgnoreNulls),
    *(exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue),
)


def parts_of(node: exp.Expr) -> list[exp.Expr]:
    """The numbers that a number is made of or chosen among."""
    if isinstance(node, _OF_ONE):
        return [_argument(node)]
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        return [node.this, node.expression]
    if isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Case | exp.If):
        branches = node.args["ifs"] if isinstance(node, exp.Case) else [node]
        results = [branch.args["true"] for branch in branches]
        return results + [node.args[name] for name in ("default", "false") if node.args.get(name)]
    if isinstance(node, exp.Count | exp.Length | exp.Predicate):
        return []
    return list(node.iter_expressions())


def _argument(node: exp.Expr) -> exp.Expr:
    inner: exp.Expr = node.this
    return inner.expressions[0] if isinstance(inner, exp.Distinct) else inner


def _computed(site: Site, node: exp.Binary) -> DecimalType | None:
    sides = [decimal_type(site, node.this), decimal_type(site, node.expression)]
    scales = [side.scale for side in sides if side is not None and side.scale is not None]
    if None in sides:
        return None
    if len(scales) < len(sides):
        return DecimalType(None)
    return DecimalType(sum(scales) if isinstance(node, exp.Mul) else max(scales), computed=True)


def near_decimal(site: Site, node: exp.Expr, value: Value, known: DecimalType | None) -> ir.Expr:
    """The float that has, when it is rounded, the digits that the decimal has then."""
    exact = exactness(site, value)
    if exact is not None:
        return to_round(site, node, value)
    if known is None or not known.computed or not known.scale:
        return value.expr
    return ir.Call("round", (value.expr, ir.Literal(known.scale)))


def half_away(expr: ir.Expr) -> ir.Expr:
    """A number rounded to a whole one, halves away from zero; Cypher rounds them up."""
    below = ir.Compare(ir.CompareOp.LT, expr, ir.Literal(0))
    negative = ir.Neg(ir.Call("round", (ir.Neg(expr),)))
    return ir.Case((ir.When(below, negative),), ir.Call("round", (expr,)))


def half_away_of_floats(expr: ir.Expr) -> ir.Expr:
    """The same of numbers of any size: Cypher rounds to integers of 64 bits."""
    rounded = half_away(expr)
    assert isinstance(rounded, ir.Case)  # noqa: S101 - it is one
    return ir.Case((all_whole(expr), *rounded.whens), rounded.default)


def to_digits(expr: ir.Expr, digits: int) -> ir.Expr:
    """A decimal rounded to some digits."""
    return ir.Call("round", (expr, ir.Literal(digits))) if digits else half_away_of_floats(expr)


def floats_to_digits(expr: ir.Expr, digits: int) -> ir.Expr:
    """A binary float rounded as MySQL does: multiplied, to the even neighbour, and divided."""
    if not digits:
        return half_even(expr)
    power = ir.Literal(10.0**digits)
    return ir.Arith(ir.ArithOp.DIV, half_even(ir.Arith(ir.ArithOp.MUL, expr, power)), power)


@dataclass(frozen=True, slots=True)
class Quotient:
    """The quotient of two exact numbers as the nearest float, `scale` digits of the dividend."""

    expr: ir.Expr
    scale: int
    nullable: bool
    exact: Exactness

    def rounded(self, digits: int | None = None) -> Value:
        """It with some digits, or with those that MySQL shows."""
        shown = self.scale + _MORE_DIGITS if digits is None else digits
        exact = replace(self.exact, scale=shown)
        return Value(to_digits(self.expr, shown), Kind.FLOAT, self.nullable, exact=exact)

    @property
    def most_digits(self) -> int:
        """The digits up to which MySQL has it exactly."""
        return self.scale + _MORE_DIGITS


def quotient(site: Site, node: exp.Expr) -> Quotient | None:
    """`avg(x)`, or in MySQL `a / b`, of exact numbers; None for others."""
    inner = node.unnest()
    if _has_default(inner):
        of, instead = quotient(site, inner.this), site.value(inner.expressions[0])
        whole = of and ir.Call("coalesce", (of.expr, ir.Literal(float(inner.expressions[0].name))))
        return replace(of, expr=whole, nullable=instead.nullable) if of and whole else None
    if isinstance(inner, exp.Avg):
        above: exp.Expr = exp.Sum(this=inner.this.copy())
        below: exp.Expr = exp.Count(this=inner.this.copy())
        above.parent = below.parent = inner.parent
        sides = [_argument(inner)] * 2
    elif isinstance(inner, exp.Div) and site.house.rules.average is Average.SCALED:
        above, below = inner.this, inner.expression
        sides = [above, below]
    else:
        return None
    known = [decimal_type(site, side) for side in sides]
    if known[0] is None or known[0].scale is None or known[0].scale > _MOST_SCALE:
        return None
    if known[1] is None or known[1].scale is None or known[1].scale > _MOST_SCALE:
        return None
    numbers = [as_number(site.value(side)) for side in (above, below)]
    values = [each for each in numbers if each is not None and each.kind is not Kind.NULL]
    if len(values) < len(numbers):
        return None
    average = isinstance(inner, exp.Avg)
    facts = [exactness(site, value) for value in values]
    wide = any(each is not None and each.wide for each in facts)
    made = Exactness(None, wide, drifts=wide, cancels=wide and not average)
    scale = known[0].scale
    most = scale if average else max(scale, known[1].scale)
    dividend = _whole(_bare(values[0]) if average else values[0].expr, most, values[0])
    divisor = _bare(values[1]) if average else _whole(values[1].expr, most, values[1])
    if average and most:
        divisor = ir.Arith(ir.ArithOp.MUL, divisor, ir.Literal(10**most))
    if isinstance(dividend, ir.Literal):
        dividend = ir.Literal(float(str(dividend.value)))
    elif not most or values[0].kind is Kind.INTEGER:  # which would be divided as integers
        dividend = ir.Call("toFloat", (dividend,))
    plain: ir.Expr = ir.Arith(ir.ArithOp.DIV, dividend, divisor)
    nullable = any(value.nullable for value in values)
    if (average and not values[0].nullable) or (
        isinstance(divisor, ir.Literal) and divisor.value != 0
    ):
        return Quotient(plain, scale, nullable, made)
    zero = ir.Compare(ir.CompareOp.EQ, if_decimal(site, values[1]).expr, ir.Literal(0))
    if values[1].expr == ir.Agg("count") and inner.find_ancestor(exp.Select).args.get("group"):  # type: ignore[union-attr]
        return Quotient(plain, scale, nullable, made)  # no group is empty
    cased = ir.Case((ir.When(zero, ir.Literal(None)),), plain)
    return Quotient(cased, scale, nullable=True, exact=made)


def _bare(value: Value) -> ir.Expr:
    """A sum without the test that makes it NULL over nothing."""
    expr = value.expr
    summed = expr.default if isinstance(expr, ir.Case) else None
    return summed if isinstance(summed, ir.Agg) else expr


def _whole(expr: ir.Expr, scale: int, value: Value) -> ir.Expr:
    """A decimal times a power of ten, so that it is whole."""
    if not scale:
        return expr
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int | float):
        return ir.Literal(round(expr.value * 10**scale))
    grown = ir.Arith(ir.ArithOp.MUL, expr, ir.Literal(10**scale))
    return grown if value.kind is Kind.INTEGER else ir.Call("round", (grown,))


def ratio_of(site: Site, op: ir.ArithOp, left: Value, right: Value, expr: ir.Expr) -> Ratio | None:
    """How PostgreSQL's `expr` of two numbers is rounded, if that is sure and its digits are open.

    A half is made of a quotient that has an end where an exact number is added to it, where it is
    divided by one, and where it is multiplied by one whose inverse has an end. A product by three
    may be a half of a third, of which PostgreSQL has as many digits as it has (0.49999…).
    """
    facts = [exactness(site, side) for side in (left, right)]
    scaled = [known is not None and known.scale is not None for known in facts]
    if (op is ir.ArithOp.DIV or (op is ir.ArithOp.MUL and scaled[1])) and _is_power(facts[1]):
        known = facts[0]
        if known is not None and not known.wide and (known.rounds or not known.drifts):
            return Ratio(expr, expr)  # with one bit less or more, it is as near
    one, other = (_as_ratio(site, side) for side in (left, right))
    if one is None or other is None or None in facts:
        return None
    if op is ir.ArithOp.DIV:
        if not scaled[1]:
            return None
        above, below = _product(one[0], other[1]), _product(one[1], other[0])
        above, below = _reduced(above, below)
    elif all(scaled) or not any(scaled):
        return None
    elif op is ir.ArithOp.MUL:
        constant = facts[scaled.index(True)]
        factor = constant.constant if constant is not None else None
        if factor is None or inverse_scale(factor) is None:
            return None
        above, below = _reduced(_product(one[0], other[0]), _product(one[1], other[1]))
    elif op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        below, sides = _common(one[1], other[1])
        above = ir.Arith(op, _product(one[0], sides[0]), _product(other[0], sides[1]))
    else:
        return None
    return Ratio(expr, ir.Arith(ir.ArithOp.DIV, above, below), above, below)


def _is_power(known: Exactness | None) -> bool:
    """Whether it is a constant power of two, by which a float is multiplied without loss."""
    factor = known.constant if known is not None else None
    return factor is not None and abs(factor) in (2, 4, 8, Decimal("0.5"), Decimal("0.25"))


def _as_ratio(site: Site, value: Value) -> tuple[ir.Expr, ir.Expr] | None:
    """A number as the quotient of two whole ones, which are floats."""
    known = exactness(site, value)
    if (made := microseconds_of(value.expr)) is not None:
        return ir.Call("toFloat", (made[0],)), ir.Literal(float(made[1]))
    ratio = known.ratio if known is not None else None
    if ratio is not None and ratio.expr == value.expr:
        if ratio.above is None or ratio.below is None:
            return None
        return ratio.above, ratio.below
    if known is None or known.wide or known.scale is None or known.scale > _MOST_PLACES:
        return None
    power = ir.Literal(float(10**known.scale))
    if known.constant is not None:
        return ir.Literal(float(known.constant.scaleb(known.scale))), power
    if not known.scale and (value.kind is Kind.INTEGER or value.integers):
        return ir.Call("toFloat", (value.expr,)), power
    return _whole(value.expr, known.scale, value), power


def _product(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """The product of two whole floats."""
    match left, right:
        case ir.Literal(float(one)), ir.Literal(float(other)):
            return ir.Literal(one * other)
        case (ir.Literal(float(1.0)), rest) | (rest, ir.Literal(float(1.0))):
            return rest
        case ir.Literal(float(one)), ir.Arith(ir.ArithOp.MUL, rest, ir.Literal(float(other))):
            return ir.Arith(ir.ArithOp.MUL, rest, ir.Literal(one * other))
        case ir.Arith(ir.ArithOp.MUL, rest, ir.Literal(float(one))), ir.Literal(float(other)):
            return ir.Arith(ir.ArithOp.MUL, rest, ir.Literal(one * other))
        case ir.Literal(), rest:
            return ir.Arith(ir.ArithOp.MUL, rest, left)
    return ir.Arith(ir.ArithOp.MUL, left, right)


def _common(one: ir.Expr, other: ir.Expr) -> tuple[ir.Expr, tuple[ir.Expr, ir.Expr]]:
    """A divisor of both of two quotients, and what their dividends are multiplied by."""
    (rest, factor), (alone, power) = _factors(one), _factors(other)
    shared = float(gcd(int(factor), int(power)))
    grown = _product(alone, ir.Literal(power / shared))
    return _product(one, grown), (grown, _product(rest, ir.Literal(factor / shared)))


def _reduced(above: ir.Expr, below: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """A quotient without what both sides are multiplied by."""
    (top, one), (bottom, other) = (_factors(side) for side in (above, below))
    common = float(gcd(int(one), int(other)))
    if common in (0.0, 1.0):
        return above, below
    parts = ((top, one / common), (bottom, other / common))
    top, bottom = (_product(rest, ir.Literal(factor)) for rest, factor in parts)
    return top, bottom


def _factors(expr: ir.Expr) -> tuple[ir.Expr, float]:
    match expr:
        case ir.Literal(float(factor)):
            return ir.Literal(1.0), factor
        case ir.Arith(ir.ArithOp.MUL, rest, ir.Literal(float(factor))):
            return rest, factor
    return expr, 1.0


_HELD = (exp.Paren, exp.Alias)
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


def is_shown(site: Site, node: exp.Expr, *, above: bool = False) -> bool:
    """Whether MySQL shows a quotient with its scale, compares or sorts it with that, and nothing
    else is made of it; `above`: of the subquery whose value it is."""
    inner, parent, plain = node, node.parent, True
    while parent is not None and (isinstance(parent, _HELD) or _has_default(parent)):
        plain = plain and isinstance(parent, _HELD)
        inner, parent = parent, parent.parent
    if isinstance(parent, exp.Ordered):
        holder = parent.parent.parent if parent.parent is not None else None
        return not above and isinstance(holder, exp.Select)
    if isinstance(parent, exp.Group):
        return not above
    if isinstance(parent, _COMPARED) and plain:
        others = [side for side in parent.args.values() if side is not inner]
        return all(_of_known_scale(site, side) for side in others if isinstance(side, exp.Expr))
    if not isinstance(parent, exp.Select) or inner.arg_key != "expressions":
        return False
    whole = parent.parent
    if whole is None:
        return True
    if not isinstance(whole, exp.Subquery | exp.CTE):
        return False
    holder = whole.parent
    while isinstance(holder, exp.Subquery | exp.Paren):
        whole, holder = holder, holder.parent
    if isinstance(holder, exp.From | exp.Join | exp.With):
        # A subquery that groups or aggregates is stored, with the digits that it shows.
        return parent.args.get("group") is not None or bool(
            any(each.find(exp.AggFunc) for each in parent.expressions)
        )
    return is_shown(site, whole, above=True)


def _has_default(node: exp.Expr | None) -> bool:
    """Whether it is `ifnull(x, 0)`."""
    if not isinstance(node, exp.Coalesce) or len(node.expressions) != 1:
        return False
    return isinstance(node.expressions[0], exp.Literal) and node.expressions[0].is_int


def _of_known_scale(site: Site, node: exp.Expr) -> bool:
    inner = node.unnest()
    if isinstance(inner, exp.Column):  # in the HAVING around a subquery, an output column's name
        meant = site.output_meant(inner)
        if meant is None and site.holder(inner) is None:
            return False
        node = meant or node
    known = decimal_type(site, node)
    return known is not None and known.scale is not None
