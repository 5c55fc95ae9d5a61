"""CAST, by SQLite's rules or by those of dialects with strict types."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity, Semantics, TextForm
from schemagraph.model import Kind
from translators.from_sql.expressions.compare import temporal
from translators.from_sql.expressions.decimals import (
    decimal_type,
    declared,
    half_away,
    is_whole,
    near_decimal,
    parts_of,
)
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.expressions.floats import as_real, exactness
from translators.from_sql.expressions.moments import Moment
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.exactness import Exactness, has_more_digits, of_float
from translators.from_sql.statement.source_types import is_single
from translators.from_sql.statement.typed_constants import constant_of
from translators.from_sql.statement.values import Value, as_number, microseconds_of, number

VALUES = ValueTable()


@VALUES.of(exp.Cast, exp.TryCast)
def cast(site: Site, node: exp.Cast) -> Value:
    """CAST between numbers, and of numbers to text."""
    if not site.house.rules.affinity:
        return typed_cast(site, node)
    target = _cast_kind(node.to.this.name)
    if target is Kind.STRING:
        return replace(as_text(site, node.this), affinity=Affinity.TEXT)
    number_ = _cast_number(site, node, target, site.number(node.this))
    return replace(number_, affinity=_CAST_AFFINITY.get(target))


@VALUES.of(exp.Convert)
def converted(site: Site, node: exp.Convert) -> Value:
    """`CONVERT(type, x)` of SQL Server, which is CAST where it names no style."""
    if node.args.get("style") is not None or node.args.get("safe"):
        raise site.refused("cast", node, "converts by a style")
    return cast(site, exp.Cast(this=node.expression, to=node.this))


def _cast_number(site: Site, node: exp.Cast, target: Kind | None, operand: Value) -> Value:
    if operand.kind is Kind.NULL:
        return operand
    plain = replace(operand, affinity=None, unique=False, short=False)
    if target is Kind.INTEGER and operand.kind is Kind.FLOAT:
        expr = ir.Call("toInteger", (operand.expr,))
        return replace(plain, expr=expr, kind=Kind.INTEGER, integers=False)
    if target is Kind.FLOAT and (operand.kind is Kind.INTEGER or operand.integers):
        if isinstance(operand.expr, ir.Literal):
            return number(float(operand.expr.value or 0))
        expr = ir.Call("toFloat", (operand.expr,))
        return replace(plain, expr=expr, kind=Kind.FLOAT, integers=False)
    if target is Kind.ANY and operand.kind is Kind.FLOAT:
        return replace(plain, integers=True)  # 2.0 becomes 2
    if target is None:
        raise site.refused("cast", node, "casts to a type that is not supported")
    return plain


def typed_cast(site: Site, node: exp.Cast) -> Value:
    """CAST where types are strict: what does not keep the value is refused, but for rounding."""
    rules, target = site.house.rules, _cast_kind(node.to.this.name)
    word = node.to.this.name
    operand = site.value(node.this)
    sized = bool(node.to.expressions)
    if word in _MOMENTS or (word in _OF_POSTGRES and rules.name == "postgres"):
        return cast_moment(site, node, word)
    if operand.kind is Kind.NULL:
        return operand
    if target is Kind.STRING and not sized and (word != "CHAR" or rules.name == "mysql"):
        if word in _CHARSETS and not _is_kept(node, operand):
            raise site.refused("cast", node, "converts text to another character set")
        return replace(as_text(site, node.this), affinity=None, of_text=True)
    if rules.name == "postgres" and (constant := _number_of_text(node, operand)) is not None:
        operand = site.value(constant)
    if operand.kind is Kind.STRING and operand.form is not TextForm.INTEGER:
        raise site.refused("cast", node, "reads a number out of text")
    if operand.temporal:
        operand = _digits_of(site, node, operand.local)
    elif rules.name == "mysql" and word == "UBIGINT" and not _never_negative(site, node.this):
        raise site.refused("cast", node, "may take a number below 0 for one near 2^64")
    if word == "BOOLEAN" and operand.kind is Kind.BOOLEAN:
        return operand
    if sized or word == "BOOLEAN" or target is None or target is Kind.STRING:
        raise site.refused("cast", node, "casts to a type that is not supported")
    number_ = as_number(operand)
    if number_ is None:
        raise site.refused("cast", node, "reads a number out of text")
    if target is Kind.ANY:
        if not rules.plain_decimal:
            raise site.refused("decimal-scale", node, "has a scale of its own")
        whole = number_.whole  # which a decimal divides with a fraction
        kind = Kind.FLOAT if whole else number_.kind
        plain = replace(number_, kind=kind, affinity=None, unique=False, short=False)
        exact = exactness(site, number_)
        if exact is None and _is_double(site, number_):
            exact = of_float(number_.expr, few=number_.few)
        return replace(plain, integers=whole, exact=exact)
    if target is Kind.INTEGER and (made := microseconds_of(number_.expr)) is not None:
        return Value(_rounded(*made), Kind.INTEGER, number_.nullable)
    if target is Kind.INTEGER and number_.kind is Kind.FLOAT and rules.rounds:
        if rules.name == "postgres" and is_whole(node.this) and not number_.constant:
            return Value(ir.Call("toInteger", (number_.expr,)), Kind.INTEGER, number_.nullable)
        known = decimal_type(site, node.this)
        sure = exactness(site, number_) is not None and not number_.constant
        if known is None and not (sure and rules.name == "postgres"):
            sentence = "rounds halves by the type, which is no decimal for sure: cut it by floor()"
            raise site.refused("cast", node, sentence)
        if isinstance(number_.expr, ir.Literal):
            decimal = Decimal(repr(number_.expr.value))
            return number(int(decimal.to_integral_value(ROUND_HALF_UP)))
        rounded = ir.Call("toInteger", (half_away(near_decimal(site, node, number_, known)),))
        return Value(rounded, Kind.INTEGER, number_.nullable)
    short = word == "FLOAT" and rules.name in ("postgres", "duckdb")
    if short and operand.semantics is not Semantics.SINGLE:
        constant = getattr(number_.expr, "value", None)
        if not isinstance(constant, int | float) or not is_single(constant):
            raise site.refused("cast", node, "rounds to a float of 32 bits")
    if target is Kind.FLOAT:  # of decimals, the nearest
        semantics = Semantics.SINGLE if short else Semantics.PROPERTY
        if number_.exact is not None and number_.exact.rough:
            raise site.refused("decimal-scale", node, "has digits of which a float has others")
        near = replace(as_real(site, node, number_), exact=None, semantics=semantics)
        return replace(_cast_number(site, node, target, near), affinity=Affinity.REAL)
    return replace(_cast_number(site, node, target, number_), affinity=None)


def _digits_of(site: Site, node: exp.Cast, when: Value) -> Value:
    """A date, time or moment as the number of its digits: 20240131, 100000, 20240131100000
    (dev.mysql.com: Conversion Between Date and Time Types); with fractions of a second it is no
    integer, and cut or rounded by the version."""
    single = node.to.is_type("float")
    if site.house.rules.name != "mysql" or when.kind not in _PARTS_OF or single or when.of_text:
        raise site.refused("cast", node, "makes a number of a date or time")
    if when.kind is not Kind.DATE and not when.format.whole:
        raise site.refused("cast", node, "makes a number of fractions of a second")
    whole: ir.Expr | None = None
    for name in _PARTS_OF[when.kind]:
        part = ir.Prop(when.expr, name)
        grown = whole and ir.Arith(ir.ArithOp.MUL, whole, ir.Literal(100))
        whole = ir.Arith(ir.ArithOp.ADD, grown, part) if grown else part
    exact = Exactness(0)
    return Value(whole or when.expr, Kind.INTEGER, when.nullable, exact=exact)


_DAY, _CLOCK = ("year", "month", "day"), ("hour", "minute", "second")
_PARTS_OF = {Kind.DATE: _DAY, Kind.TIME: _CLOCK, Kind.DATETIME: (*_DAY, *_CLOCK)}


def _never_negative(site: Site, node: exp.Expr) -> bool:
    """Whether a number is not below 0 for any data: a count, a part of a date, of unsigned types,
    or made of such ones without a minus."""
    inner = node.unnest()
    if isinstance(inner, exp.Literal):
        return not inner.is_string
    if isinstance(inner, _COUNTS) or (isinstance(inner, exp.Cast) and inner.to.is_type("ubigint")):
        return True
    if isinstance(inner, _OF_ITS_PARTS):
        return all(_never_negative(site, part) for part in parts_of(inner))
    value = site.value(inner)
    if value.kind in (Kind.BOOLEAN, Kind.NULL) or value.number is not None:
        return True  # of dates, or of a few digits of one
    word = declared(site, inner).lower()
    return "unsigned" in word or word.startswith(("year", "bit"))


_COUNTS = (
    *(exp.Count, exp.Length, exp.StrPosition, exp.Abs, exp.Predicate, exp.Boolean, exp.Null),
    *(exp.Extract, exp.Year, exp.Quarter, exp.Month, exp.Week, exp.Day, exp.DayOfMonth),
    *(exp.DayOfWeek, exp.DayOfYear, exp.Hour, exp.Minute, exp.Second),
)
_OF_ITS_PARTS = (
    *(exp.Add, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Round, exp.Floor, exp.Ceil),
    *(exp.Min, exp.Max, exp.Sum, exp.Avg, exp.Coalesce, exp.Greatest, exp.Least),
    *(exp.Case, exp.If, exp.Window),
)
_CHARSETS = ("CHARACTER_SET", "NCHAR", "NVARCHAR")  # in MySQL of a character set of their own


def _is_kept(node: exp.Cast, text: Value) -> bool:
    """Whether a character set has all characters of a text, or number, and is no `binary`."""
    named = node.to.args.get("kind")
    charset = named.name.lower() if isinstance(named, exp.Expr) else "utf8mb3"
    plain = text.ascii or text.kind is not Kind.STRING
    return charset == "utf8mb4" or (plain and charset in ("utf8mb3", "utf8", "latin1", "ascii"))


_BITS = {"SMALLINT": 16, "INT": 32, "BIGINT": 64}
_INTEGER = re.compile(r"\s*[+-]?\d{1,19}\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[+-]?\d{1,15}(\.\d{1,15})?\s*", re.ASCII)


def _number_of_text(node: exp.Cast, operand: Value) -> exp.Expr | None:
    """The number of a text constant that is cast to a type of numbers, as PostgreSQL reads it
    (https://www.postgresql.org/docs/current/datatype-numeric.html); None for other texts."""
    word = operand.expr.value if isinstance(operand.expr, ir.Literal) else None
    name = node.to.this.name
    of_reals = name in ("DECIMAL", "DOUBLE") and not node.to.expressions
    if not isinstance(word, str) or not (of_reals or name in _BITS):
        return None
    if not (_NUMBER if of_reals else _INTEGER).fullmatch(word):
        return None
    bare = word.strip()
    most = 2 ** (_BITS.get(name, 64) - 1)
    if not of_reals and not -most <= int(bare) < most:
        return None
    number = exp.Literal.number(bare.lstrip("+-"))
    return exp.Neg(this=number) if bare.startswith("-") else number


def _is_double(site: Site, value: Value) -> bool:
    """Whether it may be a binary float of PostgreSQL, which has more digits than the decimal that a
    cast makes of it."""
    rules, mapping = site.house.rules, site.house.mapping
    if isinstance(value.expr, ir.Literal):
        return has_more_digits(Decimal(repr(value.expr.value)))
    known = value.affinity is Affinity.NUMERIC or value.integers or value.kind is not Kind.FLOAT
    return not known and rules.name == mapping.dialect == "postgres"


def _rounded(count: ir.Expr, size: int) -> ir.Expr:
    """Microseconds as a whole number of units of so many, halves away from zero."""
    half, whole = ir.Literal(size // 2), ir.Literal(size)
    up, down = (ir.Arith(op, count, half) for op in (ir.ArithOp.ADD, ir.ArithOp.SUB))
    below = ir.When(
        ir.Compare(ir.CompareOp.LT, count, ir.Literal(0)), ir.Arith(ir.ArithOp.DIV, down, whole)
    )
    return ir.Case((below,), ir.Arith(ir.ArithOp.DIV, up, whole))


def cast_moment(site: Site, node: exp.Cast, word: str) -> Value:
    """CAST to a date, a time of day or a moment, of what is one.

    PostgreSQL's moments with a zone are read, and made, in that of the session
    (https://www.postgresql.org/docs/current/functions-datetime.html, 9.9.4).
    """
    given = site.value(node.this)
    operand = given.local
    kind = _MOMENTS.get(word) or _OF_POSTGRES[word]
    every = "0" if site.house.rules.name == "mysql" else "6"
    digits = next((size.name for size in node.to.expressions), every)
    constant_word = operand.expr.value if isinstance(operand.expr, ir.Literal) else None
    whole = "." not in constant_word if isinstance(constant_word, str) else operand.format.whole
    if kind is not Kind.DATE and digits != "6" and operand.kind is not Kind.DATE and not whole:
        raise site.refused("cast", node, "rounds fractions of a second")
    if operand.kind is Kind.NULL or given.kind is kind:
        return given
    if isinstance(constant_word, str) and site.house.rules.untyped:
        constant = constant_of(kind, constant_word)
        if constant is not None:
            return constant
    if kind is Kind.ZONED_DATETIME and operand.kind in (Kind.DATE, Kind.DATETIME):
        clock = operand.kind is Kind.DATETIME
        start = Moment(operand, clock, typed=True).local()
        return replace(operand, expr=start, kind=Kind.DATETIME, unique=False).at_session()
    if kind is Kind.TIME and operand.kind is Kind.DATETIME:
        return replace(operand, expr=ir.Call("localtime", (operand.expr,)), kind=kind, unique=False)
    if operand.kind is kind:
        return operand
    if isinstance(operand.expr, ir.Literal) and isinstance(operand.expr.value, str):
        iso_text = operand.expr.value
        if kind is Kind.DATETIME:
            iso_text = (
                iso_text.replace(" ", "T", 1) if len(iso_text) > 10 else f"{iso_text}T00:00:00"
            )
        made = temporal(kind, iso_text)
        if made is not None:
            return Value(made, kind, nullable=False)
    if kind is Kind.DATETIME and operand.kind is Kind.DATE:
        start = Moment(operand, clock=False, typed=True).local()
        return Value(start, kind, operand.nullable, midnight=operand.expr)
    if kind is Kind.DATE and operand.kind is Kind.DATETIME:
        return replace(operand, expr=ir.Call("date", (operand.expr,)), kind=kind, unique=False)
    if kind is Kind.DATE and operand.kind is Kind.STRING and operand.form is TextForm.DATE:
        return replace(operand, expr=ir.Call("date", (operand.expr,)), kind=kind, unique=False)
    raise site.refused("date-text", node, "is not known to be a date in ISO form")


_MOMENTS = {"DATE": Kind.DATE} | dict.fromkeys(
    ("TIMESTAMP", "TIMESTAMPNTZ", "DATETIME"), Kind.DATETIME
)
_OF_POSTGRES = {"TIMESTAMPTZ": Kind.ZONED_DATETIME, "TIME": Kind.TIME}


@VALUES.of(exp.AtTimeZone)
def at_time_zone(site: Site, node: exp.AtTimeZone) -> Value:
    """`x AT TIME ZONE 'UTC'`: a moment with a zone as it is read there, another as one there."""
    zone = node.args["zone"]
    value = site.value(node.this)
    named = isinstance(zone, exp.Literal) and zone.name in ("UTC", "Z", "GMT")
    if not named or site.house.rules.name != "postgres":
        raise site.refused("time-zone", node, "reads a moment in another zone than UTC")
    if value.of_session or value.kind is Kind.NULL:
        return value.local
    if value.kind is Kind.DATETIME:
        return value.at_session()
    raise site.refused("date-text", node, "is not known to be a moment")


# A cast compares as a column of the type would (https://www.sqlite.org/datatype3.html, 3.2).
_CAST_AFFINITY: dict[Kind | None, Affinity] = {
    Kind.INTEGER: Affinity.INTEGER,
    Kind.FLOAT: Affinity.REAL,
    Kind.ANY: Affinity.NUMERIC,
}


def _cast_kind(declared: str) -> Kind | None:
    """What a cast makes; ANY is NUMERIC, an integer where the value is whole."""
    if "INT" in declared:
        return Kind.INTEGER
    if any(word in declared for word in ("CHAR", "TEXT", "CLOB")):
        return Kind.STRING
    if any(word in declared for word in ("FLOAT", "DOUBLE", "REAL")):
        return Kind.FLOAT
    if declared in ("DECIMAL", "NUMERIC", "BOOLEAN", "BIGDECIMAL"):
        return Kind.ANY
    return None
