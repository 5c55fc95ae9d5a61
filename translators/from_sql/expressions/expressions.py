"""Literals, names, arithmetic, concatenation, CASE and casts."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.encoding import EXACT
from schemagraph.mapping import Affinity, Semantics
from schemagraph.model import Kind
from schemagraph.temporal import Format
from schemagraph.text_forms import Blanks
from translators.from_sql.expressions.decimals import (
    doubles,
    fraction,
    is_decimal,
    is_shown,
    quotient,
    ratio_of,
    widest,
)
from translators.from_sql.expressions.floats import as_real, binary, exactness, makes_no_number
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.exactness import (
    has_more_digits,
    of_arithmetic,
    of_constant,
    of_constants,
    of_quotient,
    through,
)
from translators.from_sql.statement.padding import trimmed
from translators.from_sql.statement.prints import printed
from translators.from_sql.statement.rules import Division
from translators.from_sql.statement.terms import COUNTED, GUARDED, OF_TEXT
from translators.from_sql.statement.typed_constants import decimal_text
from translators.from_sql.statement.unary_plus import UnaryPlus
from translators.from_sql.statement.values import (
    NULL,
    Value,
    as_float,
    as_integer,
    microseconds_of,
    number,
    of_letters,
    of_microseconds,
    real_text,
    text,
    truth,
)

VALUES = ValueTable()

_ARITHMETIC: dict[type[exp.Expr], ir.ArithOp] = {
    exp.Add: ir.ArithOp.ADD,
    exp.Sub: ir.ArithOp.SUB,
    exp.Mul: ir.ArithOp.MUL,
    exp.Div: ir.ArithOp.DIV,
    exp.Mod: ir.ArithOp.MOD,
}


_COMPARED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


@VALUES.of(exp.Literal)
def literal(site: Site, node: exp.Literal) -> Value:
    """A text or a number."""
    if node.is_string:
        return replace(text(node.name), of_text=OF_TEXT in node.meta)
    word = node.name
    if word.isdigit():
        return _whole(site, node, int(word))
    try:
        value = number(float(word))
    except ValueError:
        raise site.refused("unsupported-expression", node, "is no plain number") from None
    infinite = abs(float(word)) == float("inf")
    if infinite and not site.house.rules.affinity and not isinstance(node.parent, _COMPARED):
        raise site.refused("decimal-scale", node, "is beyond the range of a float")
    if site.house.rules.affinity or infinite:
        return value
    if "e" in word.lower() and not site.house.rules.wide_sums:
        return replace(value, affinity=Affinity.REAL)  # in PostgreSQL it is a decimal, too
    constant = Decimal(word)
    kept = _stands_alone(node) or (abs(constant) < 2**63 and _is_kept(node))
    if has_more_digits(constant) and not kept:
        raise site.refused("decimal-scale", node, "has more digits than a float")
    return replace(value, exact=of_constant(constant))


def _whole(site: Site, node: exp.Expr, value: int) -> Value:
    """An integer; one beyond 64 bits is real in SQLite, and elsewhere an integer that no graph has,
    which is compared, or shown alone, where a float is exactly it."""
    if value < 2**63:
        return number(value)
    known = int(float(value)) == value and _stands_alone(node)
    if not site.house.rules.affinity and not known:
        raise site.refused("integer-range", node, "is an integer beyond 64 bits")
    exact = None if site.house.rules.affinity else of_constant(Decimal(value))
    return replace(number(float(value)), exact=exact)


def _stands_alone(node: exp.Expr) -> bool:
    """Whether a constant is compared, or shown by the whole statement: what else is made of it (a
    column of a subquery or of a set operation, a choice, a sum) may be compared as a float."""
    within = node.parent
    while isinstance(within, exp.Paren | exp.Neg | exp.Alias | exp.Tuple):
        within = within.parent
    if isinstance(within, exp.Select):
        return within.parent is None and within.args.get("distinct") is None
    return isinstance(within, exp.Predicate) and not isinstance(within, exp.Connector)


_HELD = (
    *(exp.Paren, exp.Neg, exp.Alias, exp.Tuple, exp.Array),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Cast),
)


def _is_kept(node: exp.Expr) -> bool:
    """Whether a decimal of more digits than a float is compared as itself, or computed with, so
    that what is made of it is known to have as many."""
    inner, within = node, node.parent
    while isinstance(within, _HELD):
        if isinstance(within, exp.Binary) and within.find(exp.Column) is not None:
            return True
        if isinstance(within, exp.Cast) and within.to.is_type("double"):
            return True
        inner, within = within, within.parent
    if isinstance(within, exp.Nullif) and inner.arg_key == "expression":
        return True
    if isinstance(within, exp.If) and inner.arg_key == "this":
        return isinstance(within.parent, exp.Case) and within.parent.this is not None
    return _stands_alone(inner)


@VALUES.of(exp.Null)
def null(site: Site, node: exp.Null) -> Value:
    """NULL."""
    return NULL


@VALUES.of(exp.Boolean)
def boolean(site: Site, node: exp.Boolean) -> Value:
    """TRUE and FALSE, which are 1 and 0 where truth values are no type of their own."""
    if site.house.rules.booleans:
        return truth(ir.Literal(bool(node.this)))
    return number(int(node.this))


@VALUES.of(exp.Column)
def name(site: Site, node: exp.Column) -> Value:
    """A column, an output column, or a text in double quotes."""
    return site.column(node)


@VALUES.of(exp.Paren)
def parenthesised(site: Site, node: exp.Paren) -> Value:
    """Parentheses."""
    return site.value(node.this)


@VALUES.of(exp.Alias)
def aliased(site: Site, node: exp.Alias) -> Value:
    """An output column, as its expression."""
    return site.value(node.this)


@VALUES.of(exp.Collate)
def collated(site: Site, node: exp.Collate) -> Value:
    """COLLATE BINARY, which is how everything here compares."""
    if node.expression.name.upper() != "BINARY":
        raise site.refused("collation", node, "compares under a collation of its own")
    return replace(site.value(node.this), collation="BINARY")


@VALUES.of(UnaryPlus)
def positive(site: Site, node: UnaryPlus) -> Value:
    """Unary plus: the same value, which no affinity converts."""
    return replace(site.value(node.this), affinity=None, others=())


@VALUES.of(exp.Neg)
def negative(site: Site, node: exp.Neg) -> Value:
    """Unary minus."""
    if isinstance(node.this.unnest(), exp.Literal) and node.this.unnest().name == str(2**63):
        return number(-(2**63))  # whose digits alone are no integer of 64 bits
    operand = site.number(node.this)
    if isinstance(operand.expr, ir.Literal) and operand.expr.value is not None:
        if operand.expr.value == -(2**63) and operand.kind is Kind.INTEGER:
            return _whole(site, node, 2**63)
        opposite = number(-operand.expr.value)  # type: ignore[operator] # numbers only
        known = operand.exact.constant if operand.exact is not None else None
        exact = of_constant(-known) if known is not None else None
        return replace(opposite, affinity=binary(site, operand), exact=exact)
    of = binary(site, operand)
    exact = through(operand.exact, operand.expr, ir.Neg)
    return replace(operand, expr=ir.Neg(operand.expr), affinity=of, unique=False, exact=exact)


@VALUES.of(exp.Mul, exp.Div, exp.Mod)
def arithmetic(site: Site, node: exp.Binary) -> Value:
    """`* / %`; division by zero is NULL or an error."""
    scaled = isinstance(node, exp.Div) and site.house.rules.division is Division.SCALED
    if scaled and is_shown(site, node):
        of = quotient(site, node)
        if of is not None:
            return of.rounded()
    return computed(site, node, site.value(node.this), site.value(node.expression))


def computed(site: Site, node: exp.Binary, left: Value, right: Value) -> Value:
    """`+ - * / %` of two values."""
    if any(isinstance(side, exp.DPipe) for side in (node.this, node.expression)):
        raise site.refused("operator-chain", node, "mixes || with arithmetic without parentheses")
    if isinstance(node, exp.Add) and site.house.rules.plus_text:
        sides = [as_integer(side) for side in (left, right)]
        if {side.kind for side in sides} <= {Kind.STRING, Kind.NULL}:
            return joined(site, node, node.this, node.expression)
    left, right = site.number(node.this, left), site.number(node.expression, right)
    count = microseconds_of(left.expr)
    if count is not None and isinstance(node, exp.Div) and (factor := _factor(right)) is not None:
        size = count[1] * factor
        if size < EXACT:
            return of_microseconds(count[0], size, nullable=left.nullable)
    if not isinstance(node, exp.Div):
        left, right = doubles(site, node, (left, right))
    one, other = exactness(site, left), exactness(site, right)
    given = (left, right)
    if isinstance(node, exp.Div):
        left, right = _dividend(site, node, left, right)
        if left.affinity is Affinity.REAL:
            one = None  # the quotient of a double is one
    if Kind.NULL in (left.kind, right.kind):
        return NULL
    op = _ARITHMETIC[type(node)]
    cut = any(known is not None and known.of_float is not None for known in (one, other))
    if cut and op in (ir.ArithOp.ADD, ir.ArithOp.SUB):
        raise site.refused("decimal-scale", node, "may leave what a float has behind 15 digits")
    if site.house.rules.affinity and makes_no_number(op, left.expr, right.expr):
        raise site.refused("not-a-number", node, "may be no number, which is NULL in SQLite")
    both_whole = left.kind is right.kind is Kind.INTEGER
    kind = Kind.INTEGER if both_whole else Kind.FLOAT
    exact = None
    if one is not None and other is not None:
        constants = of_constants(op, one, other) if not both_whole else None
        if constants is not None:
            return replace(number(float(constants.constant or 0)), exact=constants)
        exact = of_arithmetic(op, one, other, whole=both_whole)
        if exact is not None and exact.large and exact.cancels and not both_whole:
            raise site.refused("decimal-scale", node, "subtracts more digits than a float has")
        if exact is not None and exact.scale is None:
            expr = ir.Arith(op, left.expr, right.expr)
            exact = replace(exact, ratio=ratio_of(site, op, *given, expr))
    plain = Value(
        ir.Arith(op, left.expr, right.expr),
        kind,
        nullable=left.nullable or right.nullable,
        affinity=binary(site, left, right, some=True),
        integers=not both_whole and left.whole and right.whole,
        short=both_whole and left.short and right.short,
        exact=exact,
        unsettled=left.unsettled or right.unsettled,
    )
    if op not in (ir.ArithOp.DIV, ir.ArithOp.MOD):
        return plain
    sure = _never_zero(right.expr) or (
        isinstance(right.expr, ir.Literal) and right.expr.value not in (0, None)
    )
    sure = sure or COUNTED in node.meta
    select = node.find_ancestor(exp.Select)
    if right.expr == ir.Agg("count") and select is not None and select.args.get("group"):
        sure = True  # no group is empty
    if site.house.rules.infinite and op is ir.ArithOp.DIV and not sure:
        raise site.refused("division-by-zero", node, "is infinite where the divisor is zero")
    if op is ir.ArithOp.MOD and not both_whole:
        raise site.refused("modulo", node, "takes the remainder of numbers that are not integers")
    if plain.integers:
        raise site.refused(
            "integer-division", node, "divides numbers of which some are integers and some not"
        )
    divided = _divided(site, node, plain, right)
    truncated = site.house.rules.division is Division.TRUNCATED and not both_whole
    if truncated and one is not None and other is not None and divided.numeric:
        exact = of_quotient(one, other, divided.expr)
        if exact.scale is None:
            ratio = ratio_of(site, op, *given, divided.expr)
            exact = replace(exact, ratio=ratio)
        return replace(divided, exact=exact)
    return divided


def _factor(value: Value) -> int | None:
    """A positive whole constant of a few digits."""
    constant = value.expr.value if isinstance(value.expr, ir.Literal) else None
    if not isinstance(constant, int | float) or constant != int(constant):
        return None
    return int(constant) if 0 < constant < 10**6 else None


def _dividend(site: Site, node: exp.Expr, left: Value, right: Value) -> tuple[Value, Value]:
    """The sides of a division, as the dialect divides them."""
    division = site.house.rules.division
    whole = left.kind is right.kind is Kind.INTEGER
    if Kind.NULL in (left.kind, right.kind):
        return left, right
    if division is Division.TRUNCATED:
        sides = (node.this, node.expression)
        if site.house.rules.affinity:
            return left, right
        known = [left.fractional, right.fractional, *(fraction(site, side) for side in sides)]
        if (of := widest(known)) is None:
            return left, right
        if of is Affinity.REAL and site.house.rules.name == "postgres":
            floats = [s.kind is Kind.FLOAT and not s.constant for s in (left, right)]
            left = as_real(site, node, left) if floats[0] else left
            right = as_real(site, node, right) if floats[1] else right
        real = Affinity.REAL if of is Affinity.REAL else left.affinity
        left = replace(as_float(left), integers=False, affinity=real)
        return left, replace(right, integers=False)
    if division is Division.REAL:
        if left.whole and right.whole:
            left = replace(as_float(left), affinity=None)
        return replace(left, integers=False), replace(right, integers=False)
    if Affinity.REAL in (left.affinity, right.affinity):
        return left, right
    if division is Division.TRUNCATED_SCALED and whole:
        return left, right
    raise site.refused("decimal-scale", node, "is a decimal of a scale of its own")


@VALUES.of(exp.IntDiv)
def whole_division(site: Site, node: exp.IntDiv) -> Value:
    """DIV and `//` of integers: the quotient without its fraction."""
    left, right = site.number(node.this), site.number(node.expression)
    if Kind.NULL in (left.kind, right.kind):
        return NULL
    duckdb = site.house.rules.name == "duckdb"  # which divides decimals as doubles
    fractions = duckdb and any(is_decimal(site, each) for each in node.find_all(exp.Column))
    if fractions or not left.kind is right.kind is Kind.INTEGER:
        raise site.refused("integer-division", node, "divides what are no integers")
    nullable = left.nullable or right.nullable
    plain = Value(ir.Arith(ir.ArithOp.DIV, left.expr, right.expr), Kind.INTEGER, nullable)
    plain = replace(plain, exact=left.exact)
    return _divided(site, node, plain, right)


def _divided(site: Site, node: exp.Expr, plain: Value, right: Value) -> Value:
    """A quotient: by zero it is null, or an error, which in Cypher integers alone make."""
    raises = site.house.rules.raises and not (right.kind is Kind.INTEGER and GUARDED in node.meta)
    if raises and (right.kind is Kind.INTEGER or COUNTED in node.meta):
        return plain
    zero = ir.Literal(0)
    if isinstance(right.expr, ir.Literal):
        if right.expr.value != 0:
            return plain
        if not raises:
            return NULL
    if _never_zero(right.expr):
        return plain
    if raises:
        raise site.refused(
            "division-by-zero", node, "is an error where the divisor is zero: divide by NULLIF"
        )
    guarded = ir.Case(
        (ir.When(ir.Compare(ir.CompareOp.EQ, right.expr, zero), ir.Literal(None)),), plain.expr
    )
    return replace(plain, expr=guarded, nullable=True)


def _never_zero(expr: ir.Expr) -> bool:
    """Whether it is `NULLIF(x, 0)`, which is null where x is zero."""
    if not isinstance(expr, ir.Case) or len(expr.whens) != 1 or expr.operand is not None:
        return isinstance(expr, ir.Call) and expr.name == "toFloat" and _never_zero(expr.args[0])
    when = expr.whens[0]
    zero = ir.Compare(ir.CompareOp.EQ, expr.default or ir.Literal(None), ir.Literal(0))
    return when.condition == zero and when.result == ir.Literal(None)


@VALUES.of(exp.DPipe)
def concatenation(site: Site, node: exp.DPipe) -> Value:
    """`a || b`: texts."""
    if any(
        isinstance(side, exp.Binary) and not isinstance(side, exp.DPipe | exp.Dot)
        for side in (node.this, node.expression)
    ):
        raise site.refused("operator-chain", node, "mixes || with arithmetic without parentheses")
    return joined(site, node, node.this, node.expression)


def joined(site: Site, node: exp.Expr, one: exp.Expr, other: exp.Expr) -> Value:
    """One text behind another."""
    left, right = as_text(site, one), as_text(site, other)
    if Kind.NULL in (left.kind, right.kind):
        return NULL
    if isinstance(left.expr, ir.Literal) and isinstance(right.expr, ir.Literal):
        return replace(text(f"{left.expr.value}{right.expr.value}"), of_text=True)
    both = ir.Arith(ir.ArithOp.ADD, left.expr, right.expr)
    made = Value(both, Kind.STRING, nullable=left.nullable or right.nullable)
    return of_letters(made, left, right)


def _own(site: Site, node: exp.Expr, value: Value) -> Format:
    """How a dialect with types prints a date or time that is text now: with a space, and with no
    zeros at the end of a fraction, or with as many digits as are declared."""
    if value.kind in (Kind.ZONED_DATETIME, Kind.ZONED_TIME):
        raise site.refused("date-text", node, "prints an offset in a way of its own")
    if value.kind not in (Kind.DATETIME, Kind.TIME):
        return value.format
    if not value.format.whole or site.house.rules.name not in ("duckdb", "postgres", "mysql"):
        raise site.refused("date-text", node, "prints fractions of a second in a way of its own")
    return Format(" ", 0)


def _as_words(site: Site, value: Value, truths: tuple[str, str]) -> Value:
    """A truth value as one of two words, where truth values are a type of their own."""
    if value.kind is not Kind.BOOLEAN or not site.house.rules.booleans:
        return value
    yes, no = map(ir.Literal, truths)
    whens = (ir.When(value.expr, yes), ir.When(ir.Not(value.expr), no))
    shown = ir.Case(whens) if value.nullable else ir.Case(whens[:1], no)
    return Value(shown, Kind.STRING, value.nullable, ascii=True)


def as_text(
    site: Site,
    node: exp.Expr,
    *,
    padded: bool = False,
    truths: tuple[str, str] = ("true", "false"),
) -> Value:
    """`node` where SQLite reads a text; `truths` are what dialects with a type for them call them.

    PostgreSQL's char(n) loses its blanks at the end there, but where it is taken as it is `padded`.
    """
    given = as_integer(_as_words(site, site.value(node), truths))
    operand = given if site.house.rules.affinity else replace(given, format=_own(site, node, given))
    operand = printed(operand)
    if operand.semantics is Semantics.BITS and site.house.rules.name == "mysql":
        raise site.refused("source-type", node, "is of bits, whose text is their bytes: add 0")
    if operand.mixed:
        holds = "may hold anything" if operand.unseen else "holds numbers as well as text"
        raise site.refused("mixed-types", node, holds)
    own = operand.collation not in ("BINARY", "RTRIM") and not site.house.rules.affinity
    if (own or (site.house.rules.sticky and operand.collation != "BINARY")) and (
        not site.house.rules.folds
    ):
        raise site.refused("collation", node, "keeps a collation of its own in what is made of it")
    if operand.collation == "RTRIM" and not site.house.rules.affinity:
        blank = frozenset({Blanks.SOME, Blanks.END})
        operand = replace(operand, collation="BINARY", padding=blank)
        operand = replace(operand if padded else trimmed(operand), padding=None)
    if operand.kind in (Kind.STRING, Kind.NULL):
        return replace(
            operand, affinity=None, mixed=False, unique=False, semantics=Semantics.PROPERTY
        )
    if isinstance(operand.expr, ir.Literal):
        value = operand.expr.value
        shown: str | None = str(value)
        if isinstance(value, float):
            rules = site.house.rules
            shown = real_text(value) if rules.affinity else decimal_text(node, rules.name)
        if shown is not None:
            return text(shown)
    if operand.kind is Kind.INTEGER:
        return Value(ir.Call("toString", (operand.expr,)), Kind.STRING, operand.nullable)
    raise site.refused("number-as-text", node, "is a real number where SQL makes text of it")
