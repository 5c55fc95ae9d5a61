"""Scalar functions whose meaning can be said exactly."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.from_sql.expressions.decimals import (
    DecimalType,
    as_double,
    decimal_type,
    floats_to_digits,
    is_double,
    near_decimal,
    quotient,
    to_digits,
)
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.expressions.floats import binary, check_settled, exactness
from translators.from_sql.expressions.mathematics import whole
from translators.from_sql.expressions.substrings import integer_literal
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.exactness import Exactness, through
from translators.from_sql.statement.values import (
    NULL,
    Value,
    fold,
    of_letters,
    text,
)

VALUES = ValueTable()


def _called(name: str, kind: Kind, *args: Value) -> Value:
    nullable = any(arg.nullable for arg in args)
    return Value(ir.Call(name, tuple(arg.expr for arg in args)), kind, nullable)


@VALUES.of(exp.Length)
def length(site: Site, node: exp.Length) -> Value:
    """length(): characters."""
    operand = as_text(site, node.this)
    if node.args.get("binary") and not operand.ascii:
        raise site.refused("byte-strings", node, "counts bytes")
    if site.house.rules.plus_text:
        raise site.refused("trim", node, "does not count spaces at the end")
    if operand.kind is Kind.NULL:
        return operand
    return replace(_called("size", Kind.INTEGER, operand), short=True)


@VALUES.of(exp.Abs)
def absolute(site: Site, node: exp.Abs) -> Value:
    """abs() of a number."""
    operand = site.number(node.this)
    if operand.kind is Kind.NULL:
        return operand
    if operand.expr == ir.Literal(-(2**63)) and operand.kind is Kind.INTEGER:
        raise site.refused("integer-range", node, "is beyond 64 bits")
    called = _called("abs", operand.kind, operand)
    if operand.kind is Kind.INTEGER and site.value(node.this).kind is not Kind.INTEGER:
        return replace(called, expr=ir.Call("toFloat", (called.expr,)), kind=Kind.FLOAT)
    exact = through(operand.exact, operand.expr, lambda expr: ir.Call("abs", (expr,)))
    return replace(called, integers=operand.integers, affinity=binary(site, operand), exact=exact)


@VALUES.of(exp.Round)
def rounded(site: Site, node: exp.Round) -> Value:
    """round(x) and round(x, n): a real number, half away from zero where `x` is exact."""
    rules = site.house.rules
    digits = integer_literal(site, node.args.get("decimals"), default=0)
    of = quotient(site, node.this) if rules.half_even and digits is not None else None
    if of is not None and digits is not None and 0 <= digits <= of.most_digits:
        return of.rounded(digits)
    operand = site.number(node.this)
    check_settled(site, node, operand)
    if operand.kind is Kind.NULL:
        return operand
    if digits is not None and digits < 0 and rules.affinity:
        digits = 0  # https://www.sqlite.org/lang_corefunc.html#round
    if digits is not None and -15 <= digits < 0 and rules.name == "mysql":
        return _to_tens(site, node, operand, 10**-digits)
    if digits is None or not 0 <= digits <= 15:
        raise site.refused("round", node, "rounds to other than 0 to 15 digits, or to some")
    if operand.kind is Kind.INTEGER:
        double = as_double(site, node.this, operand)
        if double is not operand:
            return double
        real = Affinity.REAL if is_double(site, node, operand) else None
        return replace(_called("toFloat", Kind.FLOAT, operand), affinity=real)
    known = decimal_type(site, node.this) if rules.half_even else None
    fact = exactness(site, operand)
    exact = fact is not None and rules.name in ("postgres", "duckdb")
    if known is not None or exact:
        kept = None
        if fact is not None:
            most = fact.most + 1 if fact.most is not None else None
            kept = Exactness(digits, fact.wide, drifts=fact.wide, most=most)
        made = _decimal(site, node, operand, known, digits)
        return Value(made, Kind.FLOAT, operand.nullable, exact=kept)
    if rules.half_open or (rules.half_even and not digits):
        if binary(site, operand) is None:
            raise site.refused(
                "round", node, "rounds halves to even, or away from zero, by the type"
            )
        even = floats_to_digits(operand.expr, digits)
        return Value(even, Kind.FLOAT, operand.nullable, affinity=operand.affinity)
    called = to_digits(operand.expr, digits)
    return Value(called, Kind.FLOAT, operand.nullable, affinity=binary(site, operand))


def _to_tens(site: Site, node: exp.Expr, operand: Value, size: int) -> Value:
    """An integer rounded to tens, hundreds, …, halves away from zero (dev.mysql.com: ROUND)."""
    if operand.kind is not Kind.INTEGER:
        raise site.refused("round", node, "rounds to tens what is no integer")
    half = ir.Literal(size // 2)
    down, up = (
        ir.Arith(ir.ArithOp.DIV, ir.Arith(op, operand.expr, half), ir.Literal(size))
        for op in (ir.ArithOp.SUB, ir.ArithOp.ADD)
    )
    below = ir.When(ir.Compare(ir.CompareOp.LT, operand.expr, ir.Literal(0)), down)
    tens = ir.Arith(ir.ArithOp.MUL, ir.Case((below,), up), ir.Literal(size))
    return Value(tens, Kind.INTEGER, operand.nullable, exact=exactness(site, operand))


@VALUES.of(exp.Trunc)
def truncated(site: Site, node: exp.Trunc) -> Value:
    """PostgreSQL's trunc(x); MySQL's TRUNCATE(x, n) of integers, and of decimals, which are whole
    in units of their last digit, so that these are cut as integers are divided (dev.mysql.com:
    TRUNCATE)."""
    if site.house.rules.name != "mysql":
        return whole(site, node)
    digits = integer_literal(site, node.args.get("decimals"), default=None)
    operand = site.number(node.this)
    if operand.kind is Kind.NULL:
        return operand
    known, exact = decimal_type(site, node.this), exactness(site, operand)
    if digits is None or not -15 <= digits <= 15 or exact is None or known is None:
        raise site.refused("round", node, "cuts digits of what is no decimal for sure")
    scale = known.scale
    if scale is None or exact.wide or exact.drifts or isinstance(operand.expr, ir.Literal):
        raise site.refused("round", node, "cuts digits of what is no decimal for sure")
    if digits >= scale:
        return replace(operand, affinity=None, unique=False, short=False)
    units = operand.expr
    if operand.kind is Kind.FLOAT:
        grown = ir.Arith(ir.ArithOp.MUL, units, ir.Literal(float(10**scale)))
        units = ir.Call("toInteger", (ir.Call("round", (grown,)),))
    cut = ir.Arith(ir.ArithOp.DIV, units, ir.Literal(10 ** (scale - digits)))
    if digits <= 0:
        tens = ir.Arith(ir.ArithOp.MUL, cut, ir.Literal(10**-digits)) if digits else cut
        return Value(tens, Kind.INTEGER, operand.nullable, exact=Exactness(0))
    made = ir.Arith(ir.ArithOp.DIV, ir.Call("toFloat", (cut,)), ir.Literal(float(10**digits)))
    return Value(made, Kind.FLOAT, operand.nullable, exact=Exactness(digits))


def _decimal(
    site: Site, node: exp.Expr, operand: Value, known: DecimalType | None, digits: int
) -> ir.Expr:
    """A decimal rounded to some digits, halves away from zero."""
    if isinstance(operand.expr, ir.Literal):
        step = Decimal(1).scaleb(-digits)
        constant = Decimal(repr(operand.expr.value)).quantize(step, ROUND_HALF_UP)
        return ir.Literal(float(constant))
    return to_digits(near_decimal(site, node, operand, known), digits)


def _shown(site: Site, node: exp.Concat | exp.ConcatWs) -> list[Value]:
    """The arguments as texts; PostgreSQL's functions of any type write truth values by a letter."""
    truths = ("t", "f") if site.house.rules.name == "postgres" else ("true", "false")
    return [as_text(site, part, padded=True, truths=truths) for part in node.expressions]


@VALUES.of(exp.Concat)
def concatenated(site: Site, node: exp.Concat) -> Value:
    """concat(a, b, …): with NULL it is NULL, or NULL is no text."""
    parts = _shown(site, node)
    empty = site.house.rules.empty_null
    if not empty and any(part.kind is Kind.NULL for part in parts):
        return NULL
    whole: ir.Expr | None = None
    for part in parts:
        if part.kind is Kind.NULL:
            continue
        expr = part.expr
        if empty and part.nullable:
            expr = ir.Call("coalesce", (expr, ir.Literal("")))
        whole = expr if whole is None else ir.Arith(ir.ArithOp.ADD, whole, expr)
    nullable = not empty and any(part.nullable for part in parts)
    return of_letters(Value(whole or ir.Literal(""), Kind.STRING, nullable), *parts)


@VALUES.of(exp.Trim)
def trim(site: Site, node: exp.Trim) -> Value:
    """trim(), ltrim() and rtrim(), which take spaces alone, or the characters that they name."""
    operand = as_text(site, node.this)
    side = str(node.args.get("position") or "").upper()
    named = " " if node.expression is None else _characters(site, node.expression)
    if operand.kind is Kind.NULL:
        return NULL
    if not named:
        raise site.refused("trim", node, "trims characters that are no literal")
    if len(named) > 1 and site.house.rules.trims_words:
        raise site.refused("trim", node, "trims a text, not its characters")
    strip = {"LEADING": str.lstrip, "TRAILING": str.rstrip}.get(side, str.strip)
    folded = fold(operand, lambda word: strip(word, named))
    if folded is not None:
        return folded
    if node.expression is None and site.house.rules.trims_blanks:
        raise site.refused("trim", node, "may trim other white space than spaces")
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(side, "btrim")
    trimmed = of_letters(_called(name, Kind.STRING, operand, text(named)), operand)
    if name != "rtrim":
        return trimmed
    # Neo4j 2026.08 leaves the first character of a text that has no other ones.
    empty = ir.Call("btrim", (operand.expr, ir.Literal(named)))
    nothing = ir.When(ir.Compare(ir.CompareOp.EQ, empty, ir.Literal("")), ir.Literal(""))
    return replace(trimmed, expr=ir.Case((nothing,), trimmed.expr))


def _characters(site: Site, node: exp.Expr) -> str:
    """The text of a literal; empty where it is none."""
    named = site.value(node).expr
    return named.value if isinstance(named, ir.Literal) and isinstance(named.value, str) else ""


@VALUES.of(exp.Replace)
def replaced(site: Site, node: exp.Replace) -> Value:
    """replace(x, from, to)."""
    parts = [as_text(site, n) for n in (node.this, node.expression, node.args["replacement"])]
    words = [getattr(part.expr, "value", None) for part in parts[:2]]
    occurs = all(isinstance(word, str) for word in words) and str(words[1]) in str(words[0])
    if site.house.rules.name == "mysql" and parts[2].nullable and not occurs:
        sentence = "puts NULL for a text, which MariaDB does not look at where there is none"
        raise site.refused("replace", node, sentence)
    if any(part.kind is Kind.NULL for part in parts):
        return NULL
    pattern = parts[1].expr
    if not isinstance(pattern, ir.Literal):
        raise site.refused("replace", node, "replaces a text that is no literal")
    if pattern.value == "":
        if parts[2].nullable:
            raise site.refused("replace", node, "replaces nothing, or is NULL")
        return parts[0]
    return _called("replace", Kind.STRING, *parts)


@VALUES.of(exp.ConcatWs)
def joined_with(site: Site, node: exp.ConcatWs) -> Value:
    """concat_ws(between, a, b, …): what is NULL is left out, with what would stand before it."""
    between, *parts = _shown(site, node)
    if between.kind is Kind.NULL:
        return NULL
    if not isinstance(between.expr, ir.Literal) or not parts:
        raise site.refused("unsupported-expression", node, "joins with what is no text constant")
    width = len(str(between.expr.value))
    whole: ir.Expr | None = None
    for part in parts:
        if part.kind is Kind.NULL:
            continue
        behind: ir.Expr = ir.Arith(ir.ArithOp.ADD, between.expr, part.expr) if width else part.expr
        if part.nullable:
            behind = ir.Call("coalesce", (behind, ir.Literal("")))
        whole = behind if whole is None else ir.Arith(ir.ArithOp.ADD, whole, behind)
    if whole is None:
        return text("")
    if width:
        whole = ir.Call("substring", (whole, ir.Literal(width)))
    return of_letters(Value(whole, Kind.STRING, nullable=False), between, *parts)
