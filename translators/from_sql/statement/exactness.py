"""Which numbers are exact in the source and floats in the graph, and how these compare.

A float holds a decimal of 15 digits as the one nearest to it, which that of a literal is, too; what
is computed from such floats may be a little off. Rounded to the digits that the decimal has, it is
the nearest again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import ceil

from graph_ir import nodes as ir

DIGITS = 15
"""Of a decimal that a float gives back (IEEE 754-2019, section 5.12.2)."""

_FITTING = 2**48
"""Below it, floats tell decimals apart in units of their last digit, where eight factors and their
products have been rounded, each by half a unit of the 53rd bit."""

_LARGEST = 10**40
_MOST_FACTORS = 5
_SQUARE = 2
_MOST_DIGITS = 6  # that a quotient has more, of the 16 at least of PostgreSQL
_EXACT = Context(prec=200)
_WIDE = re.compile(
    r"\s*(?:u?bigint|int8|bigserial|serial8|u?hugeint)\b.*"
    r"|\s*(?:numeric|decimal|dec)\s*(?:\(\s*(?:1[6-9]|[2-9]\d)\b.*)?",
    re.IGNORECASE,
)
_SCALED = re.compile(
    r"\s*(?:numeric|decimal|dec)\s*\(\s*\d+\s*,\s*(\d+)\s*\).*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How a number whose float is `expr` is rounded: as `nearest`, the float that is nearest to it
    where it has an end, which is the quotient of the whole numbers `above` and `below`, or one of
    several such (None).

    Not what it is compared as: PostgreSQL's quotients end after 16 digits or more
    (https://www.postgresql.org/docs/current/datatype-numeric.html), so that `1 - x / 3` is not
    `(3 - x) / 3` to the last of them. Halves are: where one is made of a quotient by adding to it,
    dividing it or moving its point, the quotient has few digits and so is exact.
    """

    expr: ir.Expr
    nearest: ir.Expr
    above: ir.Expr | None = None
    below: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Exactness:
    """What is known of a number that is exact in the source.

    `scale`: the digits after the point, at most; None where that is open. `wide`: it may have more
    digits than a float has. `drifts`: its float may not be the nearest one. `cancels`: large
    numbers may have been subtracted, so that it is off by more than its last digits. `near` is an
    expression, and what gives the nearest float in its place. `ratio` is how it is rounded;
    `rounds`, that it is a float of which the number has the digits when it is. `of_float` is the
    double of whose first 15 digits it is made: PostgreSQL's cast to numeric. `constant` is the
    number of a literal. `large`: some of the integers it is made of are known to have more digits
    than a float. `most` is a whole number that is no less than its size, None where there is none
    for sure. `long`: it is made of a product that may have more digits than a float keeps through
    its rounding; `powered`: of a power, and `rough` what has digits of the source's own, such as a
    root, or a power of too many. `cut`: PostgreSQL has ended a quotient in it after digits that
    depend on its sides (select_div_scale in src/backend/utils/adt/numeric.c), so that equal
    quotients may differ there; not those of distinct numbers by one constant, `divisor`.
    `of_double`: it is made of doubles that are cast to numeric.
    """

    scale: int | None = 0
    wide: bool = False
    drifts: bool = False
    cancels: bool = False
    near: tuple[ir.Expr, ir.Expr] | None = None
    ratio: Ratio | None = None
    rounds: bool = False
    of_float: ir.Expr | None = None
    constant: Decimal | None = None
    large: bool = False
    most: int | None = None
    long: bool = False
    powered: bool = False
    rough: bool = False
    cut: bool = False
    divisor: Decimal | None = None
    of_double: bool = False

    @property
    def fits(self) -> bool:
        """Whether floats tell all such numbers apart, for sure."""
        if self.most is None or self.scale is None:
            return False
        return bool(self.most * 10**self.scale < _FITTING)


ROUGH = Exactness(None, wide=True, drifts=True, cancels=True, rough=True)
"""Of a number that PostgreSQL rounds to 16 digits or more of its own: sqrt(), exp(), ln(), power()
of numerics (https://www.postgresql.org/docs/current/functions-math.html)."""


def of_constant(constant: Decimal) -> Exactness:
    """What is known of a literal."""
    bare = constant.normalize(_EXACT)
    exponent = bare.as_tuple().exponent
    scale = max(-exponent, 0) if isinstance(exponent, int) else None
    most = ceil(abs(bare)) if abs(bare) < _LARGEST else None
    return Exactness(scale, wide=has_more_digits(bare), constant=bare, most=most)


def has_more_digits(constant: Decimal) -> bool:
    """Whether a constant has more digits than a float keeps."""
    return len(constant.normalize(_EXACT).as_tuple().digits) > DIGITS


def of_column(
    declared: str,
    decimals: int | None,
    *,
    whole: bool,
    digits: int | None = None,
    most: int | None = None,
) -> Exactness | None:
    """What is known of a column; `decimals` are the digits that its values have after the point,
    `digits` those that its largest integer has, and `most` is what none is larger than."""
    if whole:
        wide = bool(_WIDE.fullmatch(declared))
        return Exactness(0, wide=wide, large=wide and (digits or 0) > DIGITS, most=most)
    if decimals is None:
        return None
    match = _SCALED.fullmatch(declared)
    known = decimals if decimals >= 0 else None
    return Exactness(int(match[1]) if match else known, most=most)


def of_arithmetic(
    op: ir.ArithOp, left: Exactness, right: Exactness, *, whole: bool
) -> Exactness | None:
    """What is known of a sum, difference or product; `whole`: of integers, as one."""
    wide, large = left.wide or right.wide, left.large or right.large
    most = _most_of(op, left, right)
    cut, of_double = left.cut or right.cut, left.of_double or right.of_double
    if whole:
        return Exactness(0, wide=wide, large=large, most=most)
    if op not in (ir.ArithOp.ADD, ir.ArithOp.SUB, ir.ArithOp.MUL):
        return None
    scale = None
    if left.scale is not None and right.scale is not None:
        product = op is ir.ArithOp.MUL
        scale = left.scale + right.scale if product else max(left.scale, right.scale)
    cancels = left.cancels or right.cancels
    if op is not ir.ArithOp.MUL:
        far = [side.wide or side.long for side in (left, right)]
        cancels = cancels or all(far)
    drifts = left.drifts or right.drifts or wide or scale != 0
    made = Exactness(scale, wide, drifts, cancels, large=large, most=most, cut=cut)
    made = replace(made, of_double=of_double)
    powered = left.powered or right.powered
    if left.rough or right.rough or (powered and not made.fits):
        return ROUGH
    beyond = op is ir.ArithOp.MUL and most is not None and bool(scale) and not made.fits
    long = left.long or right.long or beyond
    return replace(made, wide=wide and not made.fits, long=long, powered=powered)


def _most_of(op: ir.ArithOp, left: Exactness, right: Exactness) -> int | None:
    """What no sum, difference or product is larger than."""
    if left.most is None or right.most is None:
        return None
    if op is ir.ArithOp.MUL:
        return left.most * right.most
    return left.most + right.most if op in (ir.ArithOp.ADD, ir.ArithOp.SUB) else None


def of_power(base: Exactness, exponent: int) -> Exactness:
    """What is known of PostgreSQL's power of a numeric. It has 16 digits or more behind the point,
    or in all (power_var_int in src/backend/utils/adt/numeric.c), so that it is the product where
    that has no more; else it is rounded, by each version in its own way."""
    if base.scale is None or base.most is None or base.rough or base.long:
        return ROUGH
    made = Exactness(base.scale * exponent, drifts=exponent > 1, most=base.most**exponent)
    made = replace(made, powered=True)
    # Of the factors, each is off by half a bit, and the power by one.
    if made.fits and exponent <= _MOST_FACTORS:
        return made
    # Near a small constant, a square has no more digits than those.
    return replace(made, long=True, rough=True) if exponent == _SQUARE else ROUGH


def of_constants(op: ir.ArithOp, left: Exactness, right: Exactness) -> Exactness | None:
    """What two constants make as decimals, None for all else."""
    if left.constant is None or right.constant is None:
        return None
    match op:
        case ir.ArithOp.ADD:
            return of_constant(_EXACT.add(left.constant, right.constant))
        case ir.ArithOp.SUB:
            return of_constant(_EXACT.subtract(left.constant, right.constant))
        case ir.ArithOp.MUL:
            return of_constant(_EXACT.multiply(left.constant, right.constant))
        case _:
            return None


def of_quotient(left: Exactness, right: Exactness, expr: ir.Expr) -> Exactness:
    """What is known of the quotient `expr`, which has digits enough to tell it from others."""
    if left.rough or right.rough:
        return ROUGH
    wide, large = left.wide or right.wide, left.large or right.large
    nearest_of_all = left.scale == right.scale == 0 and not (left.drifts or right.drifts)
    inverse = None if right.constant is None else inverse_scale(right.constant)
    if inverse is not None and left.scale is not None and not right.wide:
        made = left.scale + inverse
        drifts = wide or not nearest_of_all
        powered, long = left.powered or right.powered, left.long or right.long
        size = None
        if left.most is not None and right.constant is not None:
            size = ceil(left.most / abs(right.constant))
        plain = Exactness(made, wide, drifts, left.cancels, large=large, most=size)
        return replace(plain, long=long, powered=powered)
    of_double = left.of_double or right.of_double
    divisor = None if left.cut or left.scale is None else right.constant
    ended = Exactness(None, wide, large=large, cut=True, divisor=divisor, of_double=of_double)
    if nearest_of_all:
        return replace(ended, drifts=wide)
    near = None
    if left.scale is not None and right.scale is not None and not wide:
        whole = _whole_quotient(expr, max(left.scale, right.scale))
        near = (expr, whole) if whole is not None else None
    return replace(ended, drifts=True, near=near)


def inverse_scale(constant: Decimal) -> int | None:
    """How many digits more a quotient by a constant has; None where it does not end soon."""
    if not constant:
        return None
    inverse = _EXACT.divide(Decimal(1), constant).normalize(_EXACT)
    digits = max(-int(inverse.as_tuple().exponent), 0)
    return digits if digits <= _MOST_DIGITS else None


def _whole_quotient(expr: ir.Expr, scale: int) -> ir.Expr | None:
    """A quotient of decimals as that of whole numbers, of which the float is the nearest."""
    if isinstance(expr, ir.Case):
        made = _whole_quotient(expr.default, scale) if expr.default is not None else None
        return ir.Case(expr.whens, made, expr.operand) if made is not None else None
    if not isinstance(expr, ir.Arith) or expr.op is not ir.ArithOp.DIV or scale > DIGITS:
        return None
    left, right = (_whole(side, scale) for side in (expr.left, expr.right))
    if isinstance(left, ir.Literal) and isinstance(left.value, int):
        left = ir.Literal(float(left.value))
    return ir.Arith(ir.ArithOp.DIV, left, right)


def _whole(expr: ir.Expr, scale: int) -> ir.Expr:
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int | float):
        return ir.Literal(int(Decimal(repr(expr.value)).scaleb(scale)))
    return ir.Call("round", (ir.Arith(ir.ArithOp.MUL, expr, ir.Literal(10**scale)),))


def of_float(expr: ir.Expr, *, few: bool) -> Exactness:
    """What is known of PostgreSQL's numeric of a double: it has 15 digits of it, which are those of
    `%.15g`, so that 0.1 + 0.2 is 0.3 (float8_numeric in src/backend/utils/adt/numeric.c). One of
    `few` digits has no more, and is rounded as the numeric is."""
    return Exactness(None, drifts=True, cancels=True, rounds=few, of_float=expr, of_double=True)


def of_several(parts: list[Exactness | None]) -> Exactness | None:
    """What is known of one of several numbers."""
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    if any(part.rough for part in known):
        return ROUGH
    scales = [part.scale for part in known if part.scale is not None]
    most = [part.most for part in known if part.most is not None]
    divisors = {part.divisor for part in known if part.cut}
    return Exactness(
        max(scales) if len(scales) == len(known) else None,
        wide=any(part.wide and part.constant is None for part in known),
        drifts=any(part.drifts for part in known),
        cancels=any(part.cancels for part in known),
        large=any(part.large for part in known),
        rounds=all(part.rounds or not part.drifts for part in known),
        most=max(most) if len(most) == len(known) else None,
        long=any(part.long for part in known),
        powered=any(part.powered for part in known),
        cut=any(part.cut for part in known),
        divisor=divisors.pop() if len(divisors) == 1 else None,
        of_double=any(part.of_double for part in known),
    )


def through(
    known: Exactness | None, expr: ir.Expr, function: Callable[[ir.Expr], ir.Expr]
) -> Exactness | None:
    """What is known of a function of `expr` that gives a number of which it is the nearest float
    for such a float: abs(), min(), max()."""
    if known is None:
        return None
    near, ratio = known.near, known.ratio
    if near is not None:
        near = (function(expr), function(near[1])) if near[0] == expr else None
    if ratio is not None:
        same = ratio.expr == expr
        ratio = Ratio(function(expr), function(ratio.nearest)) if same else None
    of_float = function(expr) if known.of_float == expr else None
    return replace(known, near=near, ratio=ratio, of_float=of_float, constant=None)


def nearest(expr: ir.Expr, known: Exactness) -> ir.Expr | None:
    """The float nearest to a number that is `expr`; None where there is no way to have it."""
    if not known.drifts:
        return expr
    if known.near is not None and known.near[0] == expr:
        return known.near[1]
    if known.scale is None or known.scale > DIGITS:
        return None
    if not known.scale:
        return expr
    digits = ir.Literal(known.scale)
    rounded = isinstance(expr, ir.Call) and expr.name == "round" and digits in expr.args[1:]
    return expr if rounded else ir.Call("round", (expr, digits))


def is_small(constant: Decimal, scale: int | None) -> bool:
    """Whether numbers near a constant are exact to that scale, whatever the others are."""
    return not has_more_digits(constant) and abs(constant).scaleb(scale or 0, _EXACT) < 2**50


def at_scale(constant: Decimal, scale: int, *, up: bool) -> Decimal:
    """A constant with no more digits after the point than that: the next one up or down."""
    step = Decimal(1).scaleb(-scale)
    return constant.quantize(step, ROUND_CEILING if up else ROUND_FLOOR, _EXACT)
