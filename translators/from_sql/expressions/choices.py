"""CASE, COALESCE, NULLIF and their like: a value that is one of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity, Semantics
from schemagraph.model import NUMERIC, Kind
from schemagraph.temporal import ISO
from schemagraph.text_forms import Blanks
from translators.from_sql.expressions.decimals import is_double
from translators.from_sql.expressions.floats import as_real, binary, exactness, if_decimal
from translators.from_sql.expressions.moments import Moment
from translators.from_sql.expressions.predicates import compared
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.exactness import Ratio, of_several
from translators.from_sql.statement.padding import of_constant
from translators.from_sql.statement.prints import alike, common, printed
from translators.from_sql.statement.source_types import check_unified
from translators.from_sql.statement.spelling import of_choices, together
from translators.from_sql.statement.terms import all_of, any_of
from translators.from_sql.statement.typed_constants import constant_of, is_integer
from translators.from_sql.statement.values import (
    NULL,
    Value,
    as_float,
    as_integer,
    is_null,
    of_letters,
    one_print,
)

VALUES = ValueTable()


@VALUES.of(exp.Case)
def case(site: Site, node: exp.Case) -> Value:
    """Both forms of CASE."""
    operand = node.this
    whens: list[ir.When] = []
    results: list[exp.Expr] = []
    for branch in node.args["ifs"]:
        if operand is not None:
            pair = site.value(operand), site.value(branch.this)
            texts = (Kind.STRING, Kind.NULL)
            typed = site.house.rules.untyped and pair[1].kind not in texts
            if typed and _word(pair[0]) is not None:
                raise site.refused("mixed-types", node, "compares a text with another type")
            condition = compared(site, node, ir.CompareOp.EQ, *pair).expr
        else:
            condition = site.true(branch.this)
        whens.append(ir.When(condition, ir.Literal(None)))
        results.append(branch.args["true"])
    default = node.args.get("default")
    return _cased(site, node, whens, results, default, operand)


@VALUES.of(exp.If)
def iif(site: Site, node: exp.If) -> Value:
    """IIF(condition, yes, no)."""
    whens = [ir.When(site.true(node.this), ir.Literal(None))]
    return _cased(site, node, whens, [node.args["true"]], node.args.get("false"), None)


def _cased(
    site: Site,
    node: exp.Expr,
    whens: Sequence[ir.When],
    results: Sequence[exp.Expr],
    default: exp.Expr | None,
    operand: exp.Expr | None,
) -> Value:
    values = [_typed(site, result) for result in results]
    last = _typed(site, default) if default is not None else NULL
    *values, last = unified(site, node, [*values, last])

    def chosen(results: Sequence[ir.Expr]) -> ir.Expr:
        pairs = zip(whens, results[:-1], strict=True)
        branches = tuple(ir.When(when.condition, result) for when, result in pairs)
        otherwise = results[-1] if default is not None else None
        subject, simple = _simple_form(branches) if operand is not None else (None, branches)
        return ir.Case(simple, otherwise, subject)

    return _one_of(site, [*values, last], chosen)


def _one_of(
    site: Site, values: Sequence[Value], chosen: Callable[[Sequence[ir.Expr]], ir.Expr]
) -> Value:
    """A value that is one of several, as `chosen` says of their expressions."""
    expr = chosen([value.expr for value in values])
    made = merged(site, values, expr)
    if made.exact is None or not made.exact.drifts:
        return made
    # Each rounds as its own number does.
    near = chosen([if_decimal(site, value).expr for value in values])
    facts = [exactness(site, if_decimal(site, value)) for value in values]
    sure = all(fact is None or fact.rounds or not fact.drifts for fact in facts)
    ratio = Ratio(expr, near) if sure else None
    return replace(made, exact=replace(made.exact, ratio=ratio))


def _simple_form(branches: tuple[ir.When, ...]) -> tuple[ir.Expr | None, tuple[ir.When, ...]]:
    """`CASE x WHEN …` again, where every branch compares the same thing for equality."""
    tests = [b.condition for b in branches]
    plain = [t for t in tests if isinstance(t, ir.Compare) and t.op is ir.CompareOp.EQ]
    if len(plain) != len(tests) or len({t.left for t in plain}) != 1:
        return None, branches
    pairs = zip(plain, branches, strict=True)
    return plain[0].left, tuple(ir.When(test.right, b.result) for test, b in pairs)


def unified(site: Site, node: exp.Expr, values: Sequence[Value]) -> list[Value]:
    """The values in one form: truth values become integers beside numbers, temporal ones text
    beside text.

    Raises:
        Refused: numbers and text would stand in one column.
    """
    plain = ("BINARY",) if site.house.rules.sticky else ("BINARY", "RTRIM")
    if site.house.rules.folds:
        together(site, node, values)
    elif not site.house.rules.affinity and any(v.collation not in plain for v in values):
        raise site.refused("collation", node, "keeps a collation of its own in what is made of it")
    check_unified(site, node, values)
    if site.house.rules.untyped:
        values = _of_one_type(values)
    texts = {value.collation for value in values if value.kind is Kind.STRING}
    if not site.house.rules.affinity and "RTRIM" in texts and not _all_char(values):
        raise site.refused("collation", node, "makes one of char(n) and other texts")
    kinds = {value.kind for value in values} - {Kind.NULL}
    moments = [value for value in values if value.temporal]
    real = binary(site, *values, some=True) is not None
    if site.house.rules.name == "postgres" and Kind.FLOAT in kinds:
        real = real or any(value.fractional is Affinity.REAL for value in values)
    in_one_form = list(values)
    if len(kinds) <= 1 and all(alike(moments[0], value) for value in moments[1:]):
        return [_real(site, node, value) for value in values] if real else in_one_form
    if not site.house.rules.affinity and not kinds <= {Kind.INTEGER, Kind.FLOAT}:
        raise site.refused("mixed-types", node, "mixes values of several types")
    if kinds & {Kind.INTEGER, Kind.FLOAT}:
        in_one_form = [as_integer(value) for value in in_one_form]
        if real:
            in_one_form = [_real(site, node, value) for value in in_one_form]
    elif not kinds & {Kind.BOOLEAN, Kind.BYTES}:
        in_one_form = [printed(value) for value in in_one_form]
    left = {value.kind for value in in_one_form} - {Kind.NULL, Kind.INTEGER, Kind.FLOAT}
    numbers = any(value.kind in (Kind.INTEGER, Kind.FLOAT) for value in in_one_form)
    if len(left) + numbers > 1:
        raise site.refused("mixed-types", node, "gives numbers in some cases and text in others")
    return in_one_form


def _typed(site: Site, node: exp.Expr) -> Value:
    """A value; of an integer of the graph, whether it is a double in the source."""
    value = site.value(node)
    return replace(value, fractional=Affinity.REAL) if is_double(site, node, value) else value


def _real(site: Site, node: exp.Expr, value: Value) -> Value:
    """A number beside a double."""
    if site.house.rules.name != "postgres" or value.constant:
        return as_float(value)
    made = as_real(site, node, value)
    if made.unsettled and not value.unsettled:
        raise site.refused(made.unsettled, node, "makes doubles of quotients of decimals")
    return made


_MOMENTS = (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)


def _of_one_type(values: Sequence[Value]) -> Sequence[Value]:
    """Values as PostgreSQL's UNION and CASE resolve them: a text constant is of the others' type, a
    day beside a moment and a moment beside one with a zone become such
    (https://www.postgresql.org/docs/current/typeconv-union-case.html)."""
    words = [_word(value) for value in values]
    typed = [value for value, word in zip(values, words, strict=True) if word is None]
    kinds = {value.kind for value in typed} - {Kind.NULL}
    if kinds and kinds <= {*_MOMENTS}:
        kind = max(kinds, key=_MOMENTS.index)
    elif kinds and kinds <= NUMERIC:
        kind = Kind.INTEGER if kinds == {Kind.INTEGER} else Kind.FLOAT
    elif kinds in ({Kind.TIME}, {Kind.BOOLEAN}):
        (kind,) = kinds
    else:
        return values
    known = [value for value in typed if value.kind is not Kind.NULL]
    in_range = [
        word is None or kind is not Kind.INTEGER or is_integer(word, known) for word in words
    ]
    if not all(in_range):
        return values
    return [
        widened(value, kind) if word is None else constant_of(kind, word) or value
        for value, word in zip(values, words, strict=True)
    ]


def _word(value: Value) -> str | None:
    """The text of a constant that has no type of its own."""
    word = value.expr.value if isinstance(value.expr, ir.Literal) and not value.of_text else None
    return word if isinstance(word, str) else None


def widened(value: Value, kind: Kind) -> Value:
    """A day or moment as a moment of that kind; anything else as it is."""
    if value.kind is kind or value.kind not in _MOMENTS or kind not in _MOMENTS:
        return value
    start = Moment(value, clock=value.kind is Kind.DATETIME, typed=True).local()
    local = replace(value, expr=start, kind=Kind.DATETIME, format=ISO, unique=False, row="")
    return local.at_session() if kind is Kind.ZONED_DATETIME else local


def _all_char(values: Sequence[Value]) -> bool:
    """Whether texts are of PostgreSQL's char(n) all, with constants, which become so."""
    return all(v.collation == "RTRIM" or v.constant or v.kind is Kind.NULL for v in values)


def merged(site: Site, values: Sequence[Value], expr: ir.Expr) -> Value:
    """A value that is one of several, as `expr`."""
    known = [value for value in values if value.kind is not Kind.NULL]
    kinds = {value.kind for value in known}
    kind = Kind.NULL if not kinds else next(iter(kinds)) if len(kinds) == 1 else Kind.FLOAT
    made = Value(
        expr,
        kind,
        nullable=any(value.nullable for value in values),
        affinity=binary(site, *known),
        mixed=any(value.mixed for value in values),
        literals=any(value.literals for value in values),
        loose=not one_print(known),
        integers=kind is Kind.FLOAT and any(value.whole for value in values),
        short=all(value.short for value in known),
        of_text=any(value.of_text and value.temporal for value in known),
        format=common(values),
        exact=of_several([exactness(site, value) for value in known]),
        of_session=bool(known) and all(value.of_session for value in known),
        semantics=next((v.semantics for v in known if v.semantics), Semantics.PROPERTY),
    )
    if kind is not Kind.STRING:
        return made
    if not site.house.rules.affinity and any(value.collation == "RTRIM" for value in known):
        made = replace(made, collation="RTRIM")
    blanks = [value.padding for value in known if value.padding is not None]
    if blanks and not any(value.padding is None and not value.constant for value in known):
        blanks += [of_constant(getattr(v.expr, "value", None)) for v in known if v.constant]
        made = replace(made, padding=frozenset[Blanks]().union(*blanks))
    if site.house.rules.folds:
        texts = of_choices(site, known)
        name = texts.collation
        made = replace(made, collation=name, spelled=texts.spelled, columns=texts.columns)
        made = replace(made, words=texts.words)
    return of_letters(made, *known)


@VALUES.of(exp.Coalesce)
def coalesce(site: Site, node: exp.Coalesce) -> Value:
    """COALESCE and IFNULL."""
    values = [_typed(site, v) for v in (node.this, *node.expressions)]
    if node.args.get("is_null") and (
        values[0].kind is Kind.STRING or {v.kind for v in values[1:]} - {values[0].kind, Kind.NULL}
    ):
        raise site.refused("cast", node, "takes the type and the length of its first argument")
    values = unified(site, node, values)
    united = _one_of(site, values, lambda exprs: ir.Call("coalesce", tuple(exprs)))
    return replace(united, nullable=all(value.nullable for value in values))


@VALUES.of(exp.Nullif)
def nullif(site: Site, node: exp.Nullif) -> Value:
    """NULLIF(a, b).

    PostgreSQL gives it the type that `a = b` gives its first operand, for an untyped constant that
    of the other (https://www.postgresql.org/docs/current/functions-conditional.html, 9.18.3).
    """
    left, right = if_decimal(site, site.value(node.this)), site.value(node.expression)
    equal = _compared_as_stored(site, node, ir.CompareOp.EQ, left, right)
    untyped = site.house.rules.untyped and _word(left) is not None
    if untyped and right.kind is not Kind.NULL:
        if right.semantics not in (Semantics.PROPERTY, Semantics.CHAR, Semantics.BITS):
            raise site.refused("source-type", node, "makes a value of a type out of a text")
        left, right = unified(site, node, [left, right])
        expr = ir.Case((ir.When(equal.expr, ir.Literal(None)),), left.expr)
        return replace(merged(site, [left, right], expr), nullable=True)
    real = binary(site, right) is not None or is_double(site, node.expression, right)
    if real and left.numeric:
        left = as_real(site, node, left)
    expr = ir.Case((ir.When(equal.expr, ir.Literal(None)),), left.expr)
    return replace(left.like(expr), nullable=True, affinity=binary(site, left), unique=False)


def _compared_as_stored(
    site: Site, node: exp.Expr, op: ir.CompareOp, left: Value, right: Value
) -> Value:
    """A comparison by a function, which SQLite makes without a conversion by affinity."""
    sides = (left, right)
    if not site.house.rules.affinity:
        return compared(site, node, op, left, right)
    if not any(side.mixed for side in sides):
        left, right = (replace(side, affinity=Affinity.BLOB, others=()) for side in sides)
    elif not one_print(sides) and any(
        side.kind is Kind.STRING and not side.mixed for side in sides
    ):
        raise site.refused("affinity", node, "compares a column that mixes numbers and text")
    return compared(site, node, op, left, right)


@VALUES.of(exp.Greatest, exp.Least)
def extreme(site: Site, node: exp.Greatest | exp.Least) -> Value:
    """max(a, b, …) and min(a, b, …) of several arguments: NULL if one is, or without those."""
    op = ir.CompareOp.GE if isinstance(node, exp.Greatest) else ir.CompareOp.LE
    values = unified(site, node, [_typed(site, v) for v in (node.this, *node.expressions)])
    if not site.house.rules.null_extremes and any(value.nullable for value in values):
        return _extreme_of_some(site, node, op, values)
    best = values[0]
    for other in values[1:]:
        wins = _compared_as_stored(site, node, op, best, other).expr

        def chosen(exprs: Sequence[ir.Expr], wins: ir.Expr = wins) -> ir.Expr:
            return ir.Case((ir.When(wins, exprs[0]), ir.When(ir.Not(wins), exprs[1])))

        best = _one_of(site, [best, other], chosen)
    return best


def _extreme_of_some(
    site: Site, node: exp.Expr, op: ir.CompareOp, values: Sequence[Value]
) -> Value:
    """The extreme of the values that are not NULL: the first that no later one beats."""
    values = [value for value in values if value.kind is not Kind.NULL] or [NULL]
    if len(values) == 1:
        return values[0]
    tests = []
    for number, value in enumerate(values[:-1]):
        parts = [is_null(value, negated=True)] if value.nullable else []
        for other in values[number + 1 :]:
            wins = compared(site, node, op, value, other).expr
            parts.append(any_of((is_null(other), wins)) if other.nullable else wins)
        tests.append(all_of(parts))

    def chosen(exprs: Sequence[ir.Expr]) -> ir.Expr:
        whens = tuple(ir.When(test, expr) for test, expr in zip(tests, exprs[:-1], strict=True))
        return ir.Case(whens, exprs[-1])

    united = _one_of(site, values, chosen)
    return replace(united, nullable=all(value.nullable for value in values))
