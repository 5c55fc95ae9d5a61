"""Conditions: comparison, AND / OR / NOT, IS, BETWEEN and IN over lists."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import TextForm
from schemagraph.model import NUMERIC, Kind
from schemagraph.temporal import ISO, Format, text_of
from translators.from_sql.expressions.casing import in_lower_case, lowered
from translators.from_sql.expressions.compare import (
    EQUALITY,
    FLIPPED,
    CannotCompareError,
    always,
    compare,
    temporal,
)
from translators.from_sql.expressions.floats import as_exact, binary, constant_number, exactness
from translators.from_sql.expressions.moments import Moment
from translators.from_sql.expressions.quantified import compared_with_rows, quantifier
from translators.from_sql.statement.context import Site, TruthTable, ValueTable
from translators.from_sql.statement.exactness import has_more_digits
from translators.from_sql.statement.source_types import check_constant
from translators.from_sql.statement.terms import all_of, any_of, conjunction
from translators.from_sql.statement.typed_constants import (
    constant_of,
    in_full,
    is_integer,
    length_of,
    of_mysql,
)
from translators.from_sql.statement.values import (
    SECOND,
    Value,
    as_float,
    by_length,
    fold,
    is_null,
    microseconds_of,
    number,
    parsed_number,
    text,
    truth,
)

VALUES = ValueTable()
TRUTHS = TruthTable()

_OPS: dict[type[exp.Expr], ir.CompareOp] = {
    exp.EQ: ir.CompareOp.EQ,
    exp.NEQ: ir.CompareOp.NE,
    exp.LT: ir.CompareOp.LT,
    exp.LTE: ir.CompareOp.LE,
    exp.GT: ir.CompareOp.GT,
    exp.GTE: ir.CompareOp.GE,
}
# What a literal must look like beside texts that are dates, to be compared as one.
_SHAPES = {
    TextForm.DATE: re.compile(r"\d{4}-\d\d-\d\d"),
    TextForm.DATETIME: re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"),
    TextForm.TIME: re.compile(r"\d\d:\d\d:\d\d"),
}
_SAME_LEVEL = (*_OPS, exp.In, exp.Like, exp.Between, exp.Is, exp.Glob)


def compared(site: Site, node: exp.Expr, op: ir.CompareOp, left: Value, right: Value) -> Value:
    """A comparison, with the refusal that names `node` where it cannot be exact."""
    _check_types(site, node, left, right)
    left, right = _by_length(site, node, left, right)
    left, right = site.alike(node, (left, right), order=op not in EQUALITY)
    if not site.house.rules.affinity:
        op, left, right = _in_microseconds(op, left, right)
        exact = as_exact(site, node, op, *typed(site, node, left, right))
        if isinstance(exact, bool):
            return always(exact, left, right)
        op, left, right = exact
        left, right = (replace(side, affinity=None) for side in (left, right))
    try:
        answer, *others = (compare(op, one, other) for one in _each(left) for other in _each(right))
    except CannotCompareError as problem:
        raise site.refused("affinity", node, problem.reason) from problem
    if any(other != answer for other in others):
        raise site.refused("affinity", node, "compares a column whose affinity SQLite leaves open")
    return answer


def _in_microseconds(op: ir.CompareOp, left: Value, right: Value) -> _Sides:
    """Seconds, hours or days of microseconds beside a constant as the microseconds, which are whole
    numbers; PostgreSQL's quotient has 16 digits at least, which tell those apart that are 15."""
    if left.constant and not right.constant:
        return _in_microseconds(FLIPPED[op], right, left)
    made = microseconds_of(left.expr)
    constant = right.expr.value if isinstance(right.expr, ir.Literal) else None
    if made is None or isinstance(constant, bool) or not isinstance(constant, int | float):
        return op, left, right
    count, size = made
    known = right.exact.constant if right.exact is not None else None
    wanted = (Decimal(repr(constant)) if known is None else known) * size
    most = 10**18 if size == SECOND else 10**15  # a quotient is rounded, the seconds are not
    if wanted != int(wanted) or not abs(wanted) < most:
        return op, left, right
    return op, Value(count, Kind.INTEGER, left.nullable), number(int(wanted))


def _check_types(site: Site, node: exp.Expr, left: Value, right: Value) -> None:
    """See that PostgreSQL compares the types of two sides.

    Raises:
        Refused: one is a number and the other a truth value, or one a text constant of that type.
    """
    if not site.house.rules.untyped:
        return
    kinds = {left.kind, right.kind}
    text_beside = any(side.of_text and side.constant for side in (left, right))
    other = kinds - {Kind.STRING, Kind.NULL}
    if (text_beside and other) or (Kind.BOOLEAN in kinds and kinds & NUMERIC):
        raise site.refused("affinity", node, "compares values of two types")


def _by_length(site: Site, node: exp.Expr, left: Value, right: Value) -> tuple[Value, Value]:
    """Intervals as the numbers of their microseconds, text constants beside them, too: PostgreSQL
    compares an interval with intervals alone
    (https://www.postgresql.org/docs/current/functions-datetime.html, table 9.32).

    Raises:
        Refused: an interval stands beside another type, or beside a text that is read as no length.
    """
    if not any(side.kind is Kind.DURATION and side.number is not None for side in (left, right)):
        return left, right
    sides = []
    for side in (left, right):
        word = side.expr.value if isinstance(side.expr, ir.Literal) else None
        if isinstance(word, str) and (length := length_of(word)) is not None:
            side = number(length)
        elif side.kind not in (Kind.DURATION, Kind.NULL):
            raise site.refused("duration", node, "compares an interval with what is none for sure")
        sides.append(by_length(side))
    return sides[0], sides[1]


type _Sides = tuple[ir.CompareOp, Value, Value]


def _each(side: Value) -> list[Value]:
    """A side of a comparison with each affinity that it may have."""
    return [replace(side, affinity=affinity, others=()) for affinity in side.affinities]


def typed(site: Site, node: exp.Expr, left: Value, right: Value) -> tuple[Value, Value]:
    """The sides of a comparison where types are strict: a literal takes the other side's.

    Raises:
        Refused: the two have no common type for sure.
    """
    if site.house.rules.untyped:
        left, right = _in_full(left, right), _in_full(right, left)
        if _stored(left) and _stored(right):
            return left, right
    if site.house.rules.name == "mysql" and isinstance(node, (*_OPS, exp.Between, exp.NullSafeEQ)):
        left, right = _of_mysql(site, node, left, right), _of_mysql(site, node, right, left)
    left, right = _as_read(left), _as_read(right)
    if left.mixed or right.mixed:
        raise site.refused("mixed-types", node, "compares a column that mixes numbers and text")
    check_constant(site, node, left, right)
    check_constant(site, node, right, left)
    literals = left.constant and right.constant and Kind.NULL not in (left.kind, right.kind)
    if literals and site.house.rules.sticky and not (left.numeric and right.numeric):
        if left.numeric or right.numeric:
            raise site.refused("affinity", node, "compares a number with a text")
        raise site.refused("collation", node, "compares literals by the server's collation")
    if left.temporal and right.temporal:  # of which types compare the values, not their texts
        left, right = (replace(side, format=ISO) for side in _of_one_time(left, right))
    return _typed(site, node, left, right), _typed(site, node, right, left)


def _in_full(one: Value, other: Value) -> Value:
    """A text constant beside a date or time as its type reads it."""
    word = one.expr.value if isinstance(one.expr, ir.Literal) else None
    if not isinstance(word, str) or not other.temporal:
        return one
    if other.of_session:
        return constant_of(Kind.ZONED_DATETIME, word) or one
    full = in_full(other.kind, word)
    return one if full is None else one.like(ir.Literal(full))


def _of_mysql(site: Site, node: exp.Expr, one: Value, other: Value) -> Value:
    """A text constant beside a date, time or moment of a column as MySQL reads it; what its
    functions make of texts are texts, and items of IN may be compared as such."""
    word = one.expr.value if isinstance(one.expr, ir.Literal) else None
    if isinstance(word, str) and other.of_text and other.kind is Kind.DATETIME and len(word) < 11:
        raise site.refused("affinity", node, "compares the text of a moment with that of a day")
    match other.expr:
        case ir.Prop() | ir.Call("date", (ir.Prop(),)) | ir.Agg("min" | "max", (ir.Prop(),)):
            if isinstance(word, str) and other.temporal:
                return one.like(ir.Literal(of_mysql(other.kind, word)))
    return one


def _as_read(side: Value) -> Value:
    """A side of a comparison as the session reads it."""
    return side if side.numeric else replace(side.local, affinity=None)


def _stored(side: Value) -> bool:
    """Whether a moment with a zone is the graph's own, or a constant: all of these are in UTC, so
    that they are equal and in order as instants."""
    match side.expr:
        case ir.Prop() | ir.Call("datetime", (ir.Literal(),)) | ir.Agg("min" | "max", (ir.Prop(),)):
            return side.of_session
    return False


def _of_one_time(left: Value, right: Value) -> tuple[Value, Value]:
    """A day beside a moment is the moment at which it begins; two of which both begin one are
    compared as days."""
    if (left.kind, right.kind) == (Kind.DATETIME, Kind.DATE):
        right, left = _of_one_time(right, left)
    elif (left.kind, right.kind) == (Kind.DATE, Kind.DATETIME):
        if right.midnight is not None:
            return left, replace(right.like(right.midnight), kind=Kind.DATE)
        if isinstance(left.expr, ir.Call) and isinstance(left.expr.args[0], ir.Literal):
            start = temporal(Kind.DATETIME, f"{left.expr.args[0].value}T00:00:00")
        else:
            start = None
        begun = start or Moment(left, clock=False, typed=True).local()
        return replace(left.like(begun), kind=Kind.DATETIME, unique=False), right
    return left, right


def _typed(site: Site, node: exp.Expr, one: Value, other: Value) -> Value:
    """One side as the type of the other."""
    literal = one.expr.value if isinstance(one.expr, ir.Literal) else None
    if one.kind is not Kind.STRING:
        apart = one.temporal and other.temporal and one.kind is not other.kind
        number_or_truth = other.numeric or other.kind is Kind.BOOLEAN
        if apart or (one.temporal and number_or_truth):
            raise site.refused("affinity", node, "compares values of two types")
        return one
    if other.numeric or other.kind is Kind.BOOLEAN:
        if isinstance(literal, str) and other.kind is Kind.BOOLEAN and site.house.rules.untyped:
            truth_value = constant_of(Kind.BOOLEAN, literal)
            if truth_value is not None:
                return truth_value
        parsed = parsed_number(literal) if isinstance(literal, str) else None
        whole = other.kind is Kind.INTEGER and site.house.rules.untyped
        if whole and isinstance(literal, str) and not is_integer(literal, [other]):
            raise site.refused("affinity", node, "compares an integer with a text that is none")
        if parsed is None or other.kind is Kind.BOOLEAN:
            raise site.refused("affinity", node, "compares text with values of another type")
        if site.house.rules.name == "mysql" and has_more_digits(Decimal(str(literal))):
            raise site.refused("decimal-scale", node, "compares more digits than a float has")
        decimal = site.house.rules.untyped and exactness(site, other) is not None
        return constant_number(str(literal)) if decimal else number(parsed)
    plain = isinstance(literal, str) and temporal(other.kind, literal) is not None
    if other.kind is Kind.DATETIME or (other.temporal and not plain):
        moment = _moment(site, other, literal)
        if moment is None:
            raise site.refused("affinity", node, "compares text with a date or time")
        return text(moment)
    shape = _SHAPES.get(other.form)
    if isinstance(literal, str) and shape is not None and not shape.fullmatch(literal):
        raise site.refused("affinity", node, "compares a date or time with another text")
    return one


def _moment(site: Site, column: Value, literal: object) -> str | None:
    """A literal that says a moment with `T` or a space and no more of a fraction than the column's
    type keeps, or a day where a moment is asked for, as the column's texts are written."""
    if column.kind not in (Kind.TIME, Kind.DATETIME) or not isinstance(literal, str):
        return None
    iso_text = literal.replace(" ", "T", 1)
    if column.kind is Kind.DATETIME and len(literal) <= 10:
        iso_text = f"{literal}T00:00:00"
    whole, point, fraction = iso_text.partition(".")
    if temporal(column.kind, whole) is None:
        return None
    if point and not (fraction.isascii() and fraction.isdigit() and len(fraction) <= 6):
        return None
    places = 6 if site.house.rules.name == "postgres" else column.places
    if len(fraction.rstrip("0")) > places:
        return None
    since = f"{datetime.min.date().isoformat()}T{whole}" if column.kind is Kind.TIME else whole
    micros = (datetime.fromisoformat(since) - datetime.min) // timedelta(microseconds=1)
    micros += int(f"{fraction:0<6}")
    exact = micros % column.format.grain == 0
    written = column.format if exact else Format(column.format.separator)
    return text_of(column.kind, written, micros)


@VALUES.of(*_OPS)
def comparison(site: Site, node: exp.Binary) -> Value:
    """`a = b` and its relatives; rows are compared item by item for equality."""
    left, right = node.this, node.expression
    if isinstance(left, _SAME_LEVEL) or isinstance(right, _SAME_LEVEL):
        raise site.refused("operator-chain", node, "chains comparisons without parentheses")
    over = quantifier(node)
    if over is not None:
        return compared_with_rows(site, node, over)
    if isinstance(left.unnest(), exp.Tuple) or isinstance(right.unnest(), exp.Tuple):
        return _rows(site, node)
    folded = _nocase(site, node)
    if folded is not None:
        return folded
    lower = in_lower_case(site, node)
    if lower is not None:
        return site.value(lower)
    return compared(site, node, _OPS[type(node)], site.value(left), site.value(right))


def _rows(site: Site, node: exp.Binary) -> Value:
    left, right = node.this.unnest(), node.expression.unnest()
    both = isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)
    if not both or len(left.expressions) != len(right.expressions):
        raise site.refused("row-value", node, "compares row values that are no lists of one length")
    op = _OPS[type(node)]
    if op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
        return _ordered_rows(site, node, op)
    parts = [
        _equal_items(site, node, site.value(a), site.value(b))
        for a, b in zip(left.expressions, right.expressions, strict=True)
    ]
    whole = conjunction(part.expr for part in parts) or ir.Literal(True)
    return truth(whole if op is ir.CompareOp.EQ else ir.Not(whole), *parts)


_STRICT = {ir.CompareOp.LE: ir.CompareOp.LT, ir.CompareOp.GE: ir.CompareOp.GT}


def _ordered_rows(site: Site, node: exp.Binary, op: ir.CompareOp) -> Value:
    """`(a, b) < (c, d)`: `a < c OR a = c AND b < d`, three-valued."""
    if site.house.rules.identical_rows:
        raise site.refused("row-value", node, "orders row values, of which NULL is the highest")
    items = zip(node.this.unnest().expressions, node.expression.unnest().expressions, strict=True)
    *before, (left, right) = [(site.value(a), site.value(b)) for a, b in items]
    whole = compared(site, node, op, left, right)
    for left, right in reversed(before):
        apart = compared(site, node, _STRICT.get(op, op), left, right)
        equal = compared(site, node, ir.CompareOp.EQ, left, right)
        later = all_of((equal.expr, whole.expr))
        whole = truth(any_of((apart.expr, later)), apart, equal, whole)
    return whole


def _equal_items(site: Site, node: exp.Expr, left: Value, right: Value) -> Value:
    """Equality of one item of two rows."""
    if site.house.rules.identical_rows:
        return _identical(site, node, left, right, negated=False)
    return compared(site, node, ir.CompareOp.EQ, left, right)


def _nocase(site: Site, node: exp.Binary) -> Value | None:
    """Equality under COLLATE NOCASE, which folds ASCII letters, with an ASCII literal."""
    sides = [node.this, node.expression]
    collations = {s.expression.name.upper() for s in sides if isinstance(s, exp.Collate)}
    if not collations:
        return None
    op = _OPS[type(node)]
    left, right = (site.value(s.this if isinstance(s, exp.Collate) else s) for s in sides)
    if collations == {"BINARY"}:
        return compared(site, node, op, left, right)
    if left.constant:
        left, right = right, left
    lower = fold(right, str.lower)
    equality = op in (ir.CompareOp.EQ, ir.CompareOp.NE)
    if collations != {"NOCASE"} or lower is None or left.kind is not Kind.STRING or not equality:
        raise site.refused("collation", node, "compares under a collation of its own")
    if not str(getattr(lower.expr, "value", "")).isascii():
        raise site.refused("ascii-case", node, "folds the case of letters beyond ASCII")
    word = str(getattr(lower.expr, "value", ""))
    return truth(ir.Compare(op, lowered(site, node, left, word), lower.expr), left)


@VALUES.of(exp.And, exp.Or)
def connective(site: Site, node: exp.Connector) -> Value:
    """AND and OR as values, three-valued."""
    join = all_of if isinstance(node, exp.And) else any_of
    parts = [_exact(site, part) for part in operands(node)]
    return truth(join(part.expr for part in parts), *parts)


@VALUES.of(exp.Xor)
def exclusive(site: Site, node: exp.Xor) -> Value:
    """XOR, three-valued; the parser has it bind as tightly as AND, which MySQL has not."""
    if any(isinstance(beside, exp.And | exp.Or) for beside in (node.parent, *node.args.values())):
        raise site.refused("operator-chain", node, "mixes XOR with AND or OR without parentheses")
    parts = [_exact(site, side) for side in (node.this, node.expression)]
    return truth(ir.Bool(ir.BoolOp.XOR, tuple(part.expr for part in parts)), *parts)


@VALUES.of(exp.Not)
def negation(site: Site, node: exp.Not) -> Value:
    """NOT as a value, three-valued."""
    part = _exact(site, node.this)
    return truth(_not(part.expr), part)


def _exact(site: Site, node: exp.Expr) -> Value:
    operand = site.value(node)
    return operand if operand.kind is Kind.BOOLEAN else truth(site.condition(node), operand)


def _not(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.IsNull):
        return ir.IsNull(expr.arg, negated=not expr.negated)
    if isinstance(expr, ir.Not):
        return expr.arg
    return ir.Not(expr)


@TRUTHS.of(exp.And, exp.Or)
def connective_truth(site: Site, node: exp.Connector, wanted: bool) -> ir.Expr:
    """AND and OR in a condition; what is wanted false turns into the other one."""
    whole = _plain_condition(site, node, wanted)
    if whole is not None:
        return whole
    join = all_of if isinstance(node, exp.And) is wanted else any_of
    say = site.true if wanted else site.false
    return join(say(part) for part in operands(node))


@TRUTHS.of(exp.Not)
def negation_truth(site: Site, node: exp.Not, wanted: bool) -> ir.Expr:
    """NOT in a condition."""
    whole = _plain_condition(site, node, wanted)
    if whole is not None:
        return whole
    return site.false(node.this) if wanted else site.true(node.this)


@TRUTHS.of(exp.Paren)
def parenthesised_truth(site: Site, node: exp.Paren, wanted: bool) -> ir.Expr:
    """Parentheses around a condition."""
    return site.true(node.this) if wanted else site.false(node.this)


def _plain_condition(site: Site, node: exp.Expr, wanted: bool) -> ir.Expr | None:
    """The condition as a three-valued predicate, where no part needs to know what is wanted."""
    logic = (exp.And, exp.Or, exp.Not, exp.Paren)
    special = tuple(kind for kind in site.house.handlers.truths if kind not in logic)
    if any(isinstance(part, special) and _needs_wanted(part) for part in node.walk()):
        return None
    whole = site.condition(node)
    return whole if wanted else _not(whole)


def _needs_wanted(node: exp.Expr) -> bool:
    return not isinstance(node, exp.In) or node.args.get("query") is not None


def operands(node: exp.Expr) -> list[exp.Expr]:
    """The parts of a run of one connective, in order."""
    kind = type(node)
    parts: list[exp.Expr] = []
    for side in (node.this, node.expression):
        inner = side.unnest()
        parts.extend(operands(inner) if type(inner) is kind else [side])
    return parts


@VALUES.of(exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
def identity(site: Site, node: exp.Binary) -> Value:
    """IS, IS NOT (DISTINCT FROM): true or false, NULL equals NULL."""
    negated = isinstance(node, exp.NullSafeNEQ)
    left, right = node.this, node.expression
    if isinstance(right, exp.Not):
        right, negated = right.this, not negated
    if isinstance(right, exp.Null):
        operand = site.value(left)
        return truth(is_null(operand, negated=negated))
    if isinstance(right, exp.Boolean) and isinstance(node, exp.Is):
        wanted = site.true(left) if right.this else site.false(left)
        sure = _surely(wanted)
        return truth(ir.Not(sure) if negated else sure)
    return _identical(site, node, site.value(left), site.value(right), negated=negated)


def _surely(expr: ir.Expr) -> ir.Expr:
    """A condition that is false where it would be null."""
    if isinstance(expr, ir.Exists | ir.IsNull):
        return expr
    return ir.Call("coalesce", (expr, ir.Literal(False)))


def _identical(site: Site, node: exp.Expr, left: Value, right: Value, *, negated: bool) -> Value:
    equal = compared(site, node, ir.CompareOp.EQ, left, right)
    sure = equal.expr
    if left.nullable and right.nullable:
        both = all_of((is_null(left), is_null(right)))
        sure = ir.Call("coalesce", (sure, both))
    elif equal.nullable:
        sure = _surely(sure)
    return truth(ir.Not(sure) if negated else sure)


@VALUES.of(exp.Between)
def between(site: Site, node: exp.Between) -> Value:
    """`x BETWEEN a AND b`: two comparisons; SYMMETRIC with the bounds in either order."""
    value, ends = site.value(node.this), [site.value(node.args[name]) for name in ("low", "high")]
    either = []
    for least, most in (ends, ends[::-1]) if node.args.get("symmetric") else (ends,):
        low = compared(site, node, ir.CompareOp.GE, value, least)
        high = compared(site, node, ir.CompareOp.LE, value, most)
        either.append(truth(all_of((low.expr, high.expr)), low, high))
    return truth(any_of(each.expr for each in either), *either)


def in_list(site: Site, node: exp.In) -> Value:
    """`x IN (…)` over values: the items have no affinity of their own."""
    if isinstance(node.this.unnest(), exp.Tuple):
        return _in_rows(site, node)
    lower = in_lower_case(site, node)
    if isinstance(lower, exp.In):
        node = lower
    value = site.value(node.this)
    items = [site.value(item) for item in node.expressions]
    if not items:
        return truth(ir.Literal(False))
    items = [_bare(item, site) for item in items]
    typed_items = [item for item in items if item.kind not in (Kind.STRING, Kind.NULL)]
    words = _is_word(value) and any(map(_is_word, items))
    if site.house.rules.untyped and words and typed_items:
        # with which the constants may become numbers or dates
        raise site.refused("mixed-types", node, "compares texts beside another type")
    constants = [item for item in items if item.constant]
    # which PostgreSQL makes of one type before it compares them
    doubles = site.house.rules.untyped and len(constants) > 1
    doubles = doubles and binary(site, *constants, some=True) is not None
    parts = [
        compared(
            site,
            node,
            ir.CompareOp.EQ,
            as_float(value) if doubles and item.constant and value.numeric else value,
            item,
        )
        for item in items
    ]
    left = {p.expr.left for p in parts if isinstance(p.expr, ir.Compare)}
    plain = all(isinstance(p.expr, ir.Compare) or p.kind is Kind.NULL for p in parts)
    if plain and len(left) == 1:
        # The items after conversion, as the comparisons have them.
        rights = [p.expr.right if isinstance(p.expr, ir.Compare) else p.expr for p in parts]
        if len(rights) == 1 and isinstance(parts[0].expr, ir.Compare):
            return parts[0]
        whole: ir.Expr = ir.In(next(iter(left)), ir.ListOf(tuple(rights)))
    else:
        whole = any_of(part.expr for part in parts)
    return truth(whole, value, *parts)


def _is_word(value: Value) -> bool:
    """Whether it is a text constant."""
    return value.constant and value.kind is Kind.STRING


def _in_rows(site: Site, node: exp.In) -> Value:
    """`(a, b) IN ((1, 2), …)`: unknown where a row may be equal and none is."""
    wanted = [site.value(part) for part in node.this.unnest().expressions]
    tests: list[Value] = []
    for item in node.expressions:
        row = item.unnest()
        if not isinstance(row, exp.Tuple) or len(row.expressions) != len(wanted):
            raise site.error("column-count", node, "Both sides of IN need as many columns.")
        parts = [
            _equal_items(site, node, own, _bare(site.value(other), site))
            for own, other in zip(wanted, row.expressions, strict=True)
        ]
        tests.append(truth(all_of(part.expr for part in parts), *parts))
    if not tests:
        return truth(ir.Literal(False))
    return truth(any_of(test.expr for test in tests), *tests)


def _bare(item: Value, site: Site) -> Value:
    if item.affinity is None or not site.house.rules.affinity:
        return item
    return Value(
        item.expr,
        item.kind,
        item.nullable,
        None,
        mixed=item.mixed,
        literals=item.literals,
        loose=item.loose,
        integers=item.integers,
        padding=item.padding,
        format=item.format,
    )
