"""Aggregates, as SQLite has them: nothing summed is NULL, NULLs do not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.from_sql.expressions.decimals import (
    is_double,
    is_shown,
    is_whole,
    quotient,
    ratio_of,
)
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.expressions.floats import as_key, binary, decimal, exactness, if_decimal
from translators.from_sql.expressions.output import sorts
from translators.from_sql.statement.context import Collected, Site, ValueTable
from translators.from_sql.statement.exactness import ROUGH, Exactness, Ratio, through
from translators.from_sql.statement.rules import Average
from translators.from_sql.statement.selection import Sort
from translators.from_sql.statement.spelling import folded
from translators.from_sql.statement.terms import all_of
from translators.from_sql.statement.values import (
    DATES,
    Value,
    as_float,
    as_integer,
    as_number,
    is_null,
    microseconds_of,
    of_microseconds,
)

VALUES = ValueTable()


def _argument(site: Site, node: exp.Expr) -> tuple[exp.Expr, bool]:
    """The argument, and whether it is DISTINCT."""
    if not site.aggregates:
        raise site.error("misused-aggregate", node, "An aggregate cannot stand here.")
    inner = node.this
    if isinstance(inner, exp.Distinct):
        if len(inner.expressions) != 1:
            raise site.refused("distinct-arguments", node, "counts distinct rows of several values")
        return inner.expressions[0], True
    return inner, False


def _inner(site: Site, node: exp.Expr) -> Value:
    """The argument's value: no aggregate may stand inside."""
    site.aggregates = False
    try:
        return site.value(node)
    finally:
        site.aggregates = True


@VALUES.of(exp.Count)
def count(site: Site, node: exp.Count) -> Value:
    """count(*), count(x), count(DISTINCT x), count(DISTINCT x, y)."""
    together = _several(node, site.house.rules.name)
    if together:
        return _count_of_several(site, node, together)
    if node.expressions:
        raise site.refused("distinct-arguments", node, "counts several values")
    argument, distinct = _argument(site, node)
    if isinstance(argument, exp.Star) or argument is None:
        return Value(ir.Agg("count"), Kind.INTEGER, nullable=False)
    operand = _inner(site, argument)
    if operand.constant and not distinct and not operand.nullable:
        return Value(ir.Agg("count"), Kind.INTEGER, nullable=False)
    if distinct:
        operand = as_key(site, node, _apart(site, node, operand))
    counted = ir.Var(operand.row) if operand.row and not distinct else operand.expr
    return Value(ir.Agg("count", (counted,), distinct), Kind.INTEGER, nullable=False)


def _apart(site: Site, node: exp.Expr, operand: Value) -> Value:
    """What is counted of distinct values: of texts, which of several spellings is no matter."""
    if site.house.rules.folds and operand.kind is Kind.STRING:
        (operand,) = folded(site, node, (operand,))
    return site.grouped(node, operand)


def _several(node: exp.Count, dialect: str) -> list[exp.Expr]:
    """The values of MySQL's `count(DISTINCT x, y)`, and of `count(DISTINCT (x, y))`."""
    inner = node.this
    if not isinstance(inner, exp.Distinct) or node.expressions:
        return []
    only = inner.expressions[0]
    row = len(inner.expressions) == 1 and isinstance(only, exp.Tuple)
    items = list(only.expressions if row else inner.expressions)
    known = dialect in (("postgres", "duckdb") if row else ("mysql",))
    return items if known and len(items) > 1 else []


def _count_of_several(site: Site, node: exp.Count, items: list[exp.Expr]) -> Value:
    """The number of distinct rows; of values that stand side by side, those without a NULL."""
    if not site.aggregates:
        raise site.error("misused-aggregate", node, "An aggregate cannot stand here.")
    values = [
        as_key(site, item, as_integer(_apart(site, item, _inner(site, item)))) for item in items
    ]
    if any(value.mixed for value in values):
        raise site.refused("distinct-arguments", node, "counts distinct rows of mixed columns")
    listed: ir.Expr = ir.ListOf(tuple(value.expr for value in values))
    tests = [is_null(value, negated=True) for value in values if value.nullable]
    if tests and len(node.this.expressions) > 1:
        listed = ir.Case((ir.When(all_of(tests), listed),))
    return Value(ir.Agg("count", (listed,), True), Kind.INTEGER, nullable=False)


@VALUES.of(exp.Sum)
def total(site: Site, node: exp.Sum) -> Value:
    """sum(x): NULL over nothing, where Cypher has 0."""
    argument, distinct = _argument(site, node)
    operand = _distinct_number(site, node, argument, distinct=distinct)
    _check_digits(site, node, operand)
    summed = ir.Agg("sum", (operand.expr,), distinct)
    value = Value(
        summed,
        operand.kind,
        nullable=True,
        affinity=binary(site, operand),
        integers=operand.integers,
        exact=_of_sum(exactness(site, operand)),
        unsettled=_of_doubles(site, argument, operand),
    )
    typed = site.house.mapping.dialect == "postgres" or argument.find(exp.Column) is None
    typed = typed or not _numbers_of_columns(argument)
    if (
        site.house.rules.wide_sums
        and operand.kind is Kind.INTEGER
        and not (typed and operand.short)
    ):
        value = replace(value, kind=Kind.FLOAT, integers=True)
    if not operand.nullable and _groups(node):
        return replace(value, nullable=False, exact=_as_quotient(value, operand, summed, distinct))
    counted = ir.Agg("count", (operand.expr,) if operand.nullable else ())
    empty = ir.Compare(ir.CompareOp.EQ, counted, ir.Literal(0))
    none = ir.When(empty, ir.Literal(None))
    value = replace(value, expr=ir.Case((none,), summed))
    return replace(value, exact=_as_quotient(value, operand, summed, distinct, none))


def _as_quotient(
    value: Value, operand: Value, summed: ir.Agg, distinct: bool, *nothing: ir.When
) -> Exactness | None:
    """What is known of a sum; one of microseconds is rounded as theirs, and is not NULL over
    something."""
    made = microseconds_of(operand.expr)
    if made is None or value.exact is None:
        return value.exact
    count = ir.Agg("sum", (made[0],), distinct)
    whole: ir.Expr = ir.Case(nothing, count) if nothing else count
    above, below = ir.Call("toFloat", (whole,)), ir.Literal(float(made[1]))
    nearest = ir.Arith(ir.ArithOp.DIV, above, below)
    return replace(value.exact, ratio=Ratio(value.expr, nearest, above, below))


def _check_digits(site: Site, node: exp.Expr, operand: Value) -> None:
    """See that integers are added up within 64 bits, and picked as themselves: Neo4j sums modulo
    2^64, and picks a percentile among floats.

    Raises:
        Refused: there are such of more digits than a float has.
    """
    known = exactness(site, operand)
    if known is not None and known.large and operand.kind is not Kind.NULL:
        raise site.refused("integer-range", node, "takes integers of more than 15 digits together")


def _of_sum(known: Exactness | None) -> Exactness | None:
    """What is known of a sum of exact numbers."""
    if known is None:
        return None
    drifts = known.drifts or known.scale != 0
    cancels = known.cancels or (known.wide and known.drifts)
    if known.rough:
        return ROUGH
    summed = Exactness(known.scale, known.wide, drifts, cancels, large=known.large)
    return replace(summed, cut=known.cut, of_double=known.of_double)


def _of_doubles(site: Site, argument: exp.Expr, operand: Value) -> str:
    """How what is added up is unsettled: a sum of doubles depends on the order of the rows, but of
    whole ones."""
    double = operand.kind is Kind.FLOAT and binary(site, operand) is not None
    of_order = double and site.house.rules.name == "postgres" and not is_whole(argument)
    return operand.unsettled or ("open-order" if of_order else "")


def _numbers_of_columns(node: exp.Expr) -> bool:
    """Whether columns are among the results of a CASE, or there is no CASE."""
    if not isinstance(node, exp.Case | exp.If):
        return True
    branches = node.args["ifs"] if isinstance(node, exp.Case) else [node]
    results = [branch.args["true"] for branch in branches]
    results += [node.args[name] for name in ("default", "false") if node.args.get(name)]
    return any(result.find(exp.Column) is not None for result in results)


def _groups(node: exp.Expr) -> bool:
    """Whether the SELECT groups, so that no group is empty."""
    select = node.find_ancestor(exp.Select)
    return select is not None and select.args.get("group") is not None


@VALUES.of(exp.Avg)
def average(site: Site, node: exp.Avg) -> Value:
    """avg(x): a real number, NULL over nothing in both."""
    argument, distinct = _argument(site, node)
    operand = _distinct_number(site, node, argument, distinct=distinct)
    if is_double(site, argument, operand):
        operand = as_float(operand)
    kind = site.house.rules.average
    if kind is not Average.REAL and operand.affinity is not Affinity.REAL:
        shown = kind is Average.SCALED and is_shown(site, node)
        of = quotient(site, node) if shown else None
        if of is not None:
            return of.rounded()
        if kind is Average.SCALED or operand.kind is not Kind.INTEGER:
            raise site.refused("decimal-scale", node, "is a decimal of a scale of its own")
        return _whole_average(operand, distinct)
    if site.house.rules.name == "duckdb":
        known = exactness(site, operand)
        if known is not None and known.scale and not known.wide:
            return _decimal_average(operand, known.scale, distinct)
    nullable = operand.nullable or not _groups(node)
    unsettled = _of_doubles(site, argument, operand)
    mean = Value(_mean(site, node, operand, distinct), Kind.FLOAT, nullable, unsettled=unsettled)
    real = replace(mean, affinity=Affinity.REAL)  # of all numbers, where it is no decimal
    if site.house.rules.wide_sums:
        real = operand  # PostgreSQL's of all others is a decimal
        exact = _of_average(site, node, mean, exactness(site, operand))
        mean = replace(mean, exact=exact)
    return replace(mean, affinity=binary(site, real))


def _mean(site: Site, node: exp.Avg, operand: Value, distinct: bool) -> ir.Expr:
    """The mean of numbers: where it is more than shown, their sum divided once, as servers do;
    Neo4j's avg() goes on from mean to mean, of which the last digits are others.

    Raises:
        Refused: the sum may have more digits than a float, and the mean is more than shown.
    """
    plain = ir.Agg("avg", (operand.expr,), distinct)
    if site.house.rules.affinity or _is_only_shown(node):
        return plain
    known = exactness(site, operand)
    if known is not None and known.large:
        raise site.refused("decimal-scale", node, "is the mean of more digits than a float has")
    counted = ir.Agg("count", (operand.expr,) if operand.nullable or distinct else (), distinct)
    summed = ir.Call("toFloat", (ir.Agg("sum", (operand.expr,), distinct),))
    divided = ir.Arith(ir.ArithOp.DIV, summed, counted)
    if not operand.nullable and _groups(node):
        return divided
    none = ir.When(ir.Compare(ir.CompareOp.EQ, counted, ir.Literal(0)), ir.Literal(None))
    return ir.Case((none,), divided)


def _is_only_shown(node: exp.Expr) -> bool:
    """Whether an aggregate is a column of the whole statement, and nothing compares or sorts it."""
    inner = node
    while isinstance(inner.parent, exp.Paren | exp.Alias):
        inner = inner.parent
    select = inner.parent
    if not isinstance(select, exp.Select) or inner.arg_key != "expressions":
        return False
    if select.parent is not None or select.args.get("distinct") is not None:
        return False
    order = select.args.get("order")
    terms = [term.this.unnest() for term in order.expressions] if order is not None else []
    parts = [*terms, *(select.args[name] for name in ("having",) if select.args.get(name))]
    named = any(isinstance(term, exp.Literal) or term.name == inner.alias_or_name for term in terms)
    return not named and all(each != node for part in parts for each in part.find_all(exp.Avg))


def _of_average(
    site: Site, node: exp.Avg, mean: Value, known: Exactness | None
) -> Exactness | None:
    """What is known of PostgreSQL's average of exact numbers, a quotient."""
    if known is None or known.rough:
        return known
    made = _of_mean(site, node, mean, known)
    return replace(made, cut=True, of_double=known.of_double)


def _of_mean(site: Site, node: exp.Avg, mean: Value, known: Exactness) -> Exactness:
    drifts = known.drifts or known.scale != 0
    ratio = None if known.large else _ratio_of_average(site, node, mean)
    if not drifts or known.wide:
        return Exactness(None, known.wide, drifts or known.wide, known.cancels, ratio=ratio)
    of = quotient(site, node)
    near = (mean.expr, of.expr) if of is not None else None
    if near is None and ratio is not None:
        near = (mean.expr, ratio.nearest)
    return Exactness(None, known.wide, drifts, known.cancels, near, ratio, large=known.large)


def _ratio_of_average(site: Site, node: exp.Avg, mean: Value) -> Ratio | None:
    """PostgreSQL's average as the quotient of whole numbers."""
    if isinstance(node.this, exp.Distinct):
        return None
    parts = [exp.Sum(this=node.this.copy()), exp.Count(this=node.this.copy())]
    for part in parts:
        part.parent = node.parent
    above, below = (site.value(part) for part in parts)
    return ratio_of(site, ir.ArithOp.DIV, above, below, mean.expr)


def _whole_average(operand: Value, distinct: bool) -> Value:
    """The average of integers as an integer: NULL over nothing."""
    summed, counted = (ir.Agg(name, (operand.expr,), distinct) for name in ("sum", "count"))
    none = ir.When(ir.Compare(ir.CompareOp.EQ, counted, ir.Literal(0)), ir.Literal(None))
    whole = ir.Arith(ir.ArithOp.DIV, summed, counted)
    return Value(ir.Case((none,), whole), Kind.INTEGER)


def _decimal_average(operand: Value, scale: int, distinct: bool) -> Value:
    """DuckDB's average of decimals: their sum in units of the last digit, divided once."""
    summed, counted = (ir.Agg(name, (operand.expr,), distinct) for name in ("sum", "count"))
    units = ir.Call("round", (ir.Arith(ir.ArithOp.MUL, summed, ir.Literal(10.0**scale)),))
    number = ir.Arith(ir.ArithOp.MUL, counted, ir.Literal(10**scale))
    none = ir.When(ir.Compare(ir.CompareOp.EQ, counted, ir.Literal(0)), ir.Literal(None))
    mean = ir.Case((none,), ir.Arith(ir.ArithOp.DIV, units, number))
    return Value(mean, Kind.FLOAT, affinity=Affinity.REAL)


def _distinct_number(site: Site, node: exp.Expr, argument: exp.Expr, *, distinct: bool) -> Value:
    """A number that is added up; of distinct ones, one for each that is equal in the source."""
    operand = _number(site, node, _inner(site, argument))
    apart = distinct and microseconds_of(operand.expr) is None
    return as_key(site, node, operand) if apart else operand


def _number(site: Site, node: exp.Expr, operand: Value) -> Value:
    number = as_number(operand)
    if number is None or (
        (operand.temporal or operand.kind is Kind.STRING) and not site.house.rules.reads_numbers
    ):
        what = "dates or times" if operand.temporal else "texts"
        raise site.refused("text-as-number", node, f"adds up {what}, which are no numbers for sure")
    if number.kind is Kind.INTEGER and (operand.temporal or operand.form in DATES):
        return replace(number, expr=ir.Call("toFloat", (number.expr,)), kind=Kind.FLOAT)
    return number


@VALUES.of(exp.Min, exp.Max)
def extreme(site: Site, node: exp.Min | exp.Max) -> Value:
    """min(x) and max(x) of one argument; DISTINCT changes nothing."""
    if node.expressions:
        raise site.refused("distinct-arguments", node, "gives a list of several extremes")
    argument, _ = _argument(site, node)
    operand = as_integer(_inner(site, argument))
    if operand.mixed or operand.kind is Kind.BYTES:
        raise site.refused("affinity", node, "orders a column that mixes storage classes")
    site.grouped(node, operand)
    (ordered,) = site.alike(node, (operand,), order=True)
    if site.house.rules.folds and ordered.expr != operand.expr:
        raise site.refused("collation", node, "is the least or greatest of texts in one case")
    name = "min" if isinstance(node, exp.Min) else "max"
    nullable = operand.nullable or not _groups(node)
    if (made := microseconds_of(operand.expr)) is not None:
        return of_microseconds(ir.Agg(name, (made[0],)), made[1], nullable=nullable)
    known = exactness(site, operand)
    if known is not None and known.wide and known.drifts and not known.rough:
        decimal(site, node, operand)
    return Value(
        ir.Agg(name, (operand.expr,)),
        operand.kind,
        nullable,
        affinity=binary(site, operand),
        integers=operand.integers,
        form=operand.form,
        ascii=operand.ascii,
        special_casing=operand.special_casing,
        padding=operand.padding,
        collation=operand.collation,
        spelled=operand.spelled,
        columns=operand.columns,
        words=operand.words,
        format=operand.format,
        exact=through(operand.exact, operand.expr, lambda expr: ir.Agg(name, (expr,))),
        of_session=operand.of_session,
        semantics=operand.semantics,
    )


@VALUES.of(exp.LogicalOr, exp.LogicalAnd)
def of_truth(site: Site, node: exp.LogicalOr | exp.LogicalAnd) -> Value:
    """bool_or(x), bool_and(x) and every(x): nulls do not count, NULL over nothing."""
    argument, _ = _argument(site, node)
    operand = _inner(site, argument)
    if operand.kind not in (Kind.BOOLEAN, Kind.NULL):
        raise site.refused("aggregate", node, "asks for the truth of what is no truth value")
    some = isinstance(node, exp.LogicalOr)
    sought = operand.expr if some else ir.Not(operand.expr)
    hits = ir.Agg("count", (ir.Case((ir.When(sought, ir.Literal(1)),)),))
    op = ir.CompareOp.GT if some else ir.CompareOp.EQ
    answer = ir.Compare(op, hits, ir.Literal(0))
    if not operand.nullable and _groups(node):
        return Value(answer, Kind.BOOLEAN, nullable=False)
    counted = ir.Agg("count", (operand.expr,) if operand.nullable else ())
    empty = ir.Compare(ir.CompareOp.EQ, counted, ir.Literal(0))
    return Value(ir.Case((ir.When(empty, ir.Literal(None)),), answer), Kind.BOOLEAN)


@VALUES.of(exp.GroupConcat)
def concatenated(site: Site, node: exp.GroupConcat) -> Value:
    """group_concat() and string_agg() with an ORDER BY: NULLs are left out, NULL over nothing.

    The rows are sorted before they are grouped; that the order settles the text is seen to where
    all of the SELECT is known.
    """
    ordered = node.this
    if not isinstance(ordered, exp.Order):
        raise site.refused("open-order", node, "joins texts in an order that SQL leaves open")
    between = _inner_text(site, node.args.get("separator") or exp.Literal.string(","))
    if not isinstance(between.expr, ir.Literal) or between.kind is not Kind.STRING:
        raise site.refused("open-order", node, "joins texts with what is no text constant")
    _, texts, listed = _listed(site, node, ordered, _inner_text)
    some = ir.Call("size", (texts,))
    return Value(_joined(some, listed, str(between.expr.value)), Kind.STRING)


@VALUES.of(exp.ArrayAgg)
def listed_values(site: Site, node: exp.ArrayAgg) -> Value:
    """array_agg(x ORDER BY y) of what is never NULL, as a list; NULL over nothing."""
    ordered = node.this
    if not isinstance(ordered, exp.Order):
        raise site.refused("open-order", node, "lists values in an order that SQL leaves open")
    operand, values, listed = _listed(site, node, ordered, _inner)
    if operand.nullable:
        raise site.refused("aggregate", node, "lists NULLs, too, of which Cypher makes no items")
    if not operand.numeric and (operand.kind is not Kind.STRING or operand.mixed):
        raise site.refused("aggregate", node, "lists what are neither numbers nor texts")
    none = ir.Compare(ir.CompareOp.EQ, ir.Call("size", (values,)), ir.Literal(0))
    if _groups(node):
        return Value(listed, Kind.LIST, nullable=False)
    return Value(ir.Case((ir.When(none, ir.Literal(None)),), listed), Kind.LIST)


def _inner_text(site: Site, node: exp.Expr) -> Value:
    site.aggregates = False
    try:
        return as_text(site, node)
    finally:
        site.aggregates = True


def _listed(
    site: Site, node: exp.Expr, ordered: exp.Order, value: Callable[[Site, exp.Expr], Value]
) -> tuple[Value, ir.Expr, ir.Expr]:
    """What is listed in an order, all of it, and the same in its order."""
    argument, distinct = _argument(site, ordered)
    operand = value(site, argument)
    keys = tuple(
        key for term in ordered.expressions for key in sorts(site, term, _inner(site, term.this))
    )
    site.grouped(node, operand, apart=not distinct)
    apart = bool(site.collected) and site.collected[0].order != keys
    site.collected.append(Collected(node, operand.expr, keys, distinct, apart))
    gathered = ir.Agg("collect", (operand.expr,), distinct)
    return operand, gathered, _in_order(site, gathered, keys) if apart else gathered


@VALUES.of(exp.Stddev, exp.StddevSamp, exp.StddevPop)
def deviation(site: Site, node: exp.Stddev | exp.StddevSamp | exp.StddevPop) -> Value:
    """stddev(), of a sample NULL over one value, and stddev_pop(), NULL over nothing."""
    argument, distinct = _argument(site, node)
    if distinct:
        raise site.refused("distinct-arguments", node, "takes the deviation of distinct values")
    operand = _number(site, node, _inner(site, argument))
    if site.house.rules.average is Average.SCALED and operand.affinity is not Affinity.REAL:
        raise site.refused("decimal-scale", node, "has four digits more than what it is taken of")
    whole = isinstance(node, exp.StddevPop)
    counted = ir.Agg("count", (operand.expr,) if operand.nullable else ())
    few = ir.Compare(ir.CompareOp.LT, counted, ir.Literal(1 if whole else 2))
    deviated = ir.Agg("stDevP" if whole else "stDev", (operand.expr,))
    double = operand.kind is Kind.FLOAT and binary(site, operand) is not None
    of_order = double and site.house.rules.name == "postgres"
    unsettled = operand.unsettled or ("open-order" if of_order else "")
    made = ir.Case((ir.When(few, ir.Literal(None)),), deviated)
    return Value(made, Kind.FLOAT, unsettled=unsettled)


@VALUES.of(exp.WithinGroup)
def of_sorted(site: Site, node: exp.WithinGroup) -> Value:
    """percentile_cont(p) and percentile_disc(p) WITHIN GROUP (ORDER BY x)."""
    inner, order = node.this, node.expression
    terms = order.expressions if isinstance(order, exp.Order) else []
    plain = len(terms) == 1 and not terms[0].args.get("desc")
    if not isinstance(inner, exp.PercentileCont | exp.PercentileDisc) or not plain:
        raise site.refused("aggregate", node, "is an aggregate in an order without a form here")
    return _percentile(site, inner, terms[0].this, inner.this)


@VALUES.of(exp.Median)
def median(site: Site, node: exp.Median) -> Value:
    """DuckDB's median(x)."""
    return _percentile(site, node, node.this, exp.Literal.number("0.5"))


def _percentile(site: Site, node: exp.Expr, argument: exp.Expr, share: exp.Expr) -> Value:
    argument, distinct = _argument(site, exp.Sum(this=argument))
    known = site.value(share).expr
    part = known.value if isinstance(known, ir.Literal) else None
    if distinct or not isinstance(part, int | float) or not 0 <= part <= 1:
        raise site.refused("aggregate", node, "takes a share that is no constant from 0 to 1")
    operand = if_decimal(site, _number(site, node, _inner(site, argument)))
    if isinstance(node, exp.PercentileDisc):
        _check_digits(site, node, operand)

        def picked(expr: ir.Expr) -> ir.Expr:
            return ir.Agg("percentileDisc", (expr, ir.Literal(float(part))))

        exact = through(operand.exact, operand.expr, picked)
        made = picked(operand.expr)
        return Value(made, operand.kind, integers=operand.integers, exact=exact)
    between = ir.Agg("percentileCont", (as_float(operand).expr, ir.Literal(float(part))))
    return Value(between, Kind.FLOAT)


def _in_order(site: Site, texts: ir.Agg, order: tuple[Sort, ...]) -> ir.Expr:
    """The texts of a group in an order of their own."""
    text = texts.args[0]
    item = ir.Var(site.names.column("item"))
    keys = {sort.expr: f"key{place}" for place, sort in enumerate(order) if sort.expr != text}
    place: dict[ir.Expr, ir.Expr]
    if not keys or texts.distinct:
        gathered, place, there = texts, {text: item}, None
    else:
        entries = [ir.Entry(name, expr) for expr, name in keys.items()]
        gathered = ir.Agg("collect", (ir.MapOf((ir.Entry("text", text), *entries)),))
        place = {expr: ir.Prop(item, name) for expr, name in {text: "text", **keys}.items()}
        there = ir.IsNull(place[text], negated=True)
    own = [replace(sort, expr=place.get(sort.expr, item)) for sort in order]
    sort_keys = tuple(key for sort in own for key in sort.sort_keys())
    rows: tuple[ir.Clause, ...] = (ir.Unwind(gathered, item.name),)
    if there is not None:
        rows = (*rows, ir.Project((ir.Item(item, item.name),), where=there))
    result = site.names.column("text")
    ending = ir.Project((ir.Item(place[text], result),), order=sort_keys, final=True)
    return ir.CollectOf(ir.Query((*rows, ending)))


def _joined(some: ir.Expr, texts: ir.Expr, between: str) -> ir.Expr:
    """The texts of a list with another between them; NULL where there are not some."""
    whole, text = ir.Var("joined text"), ir.Var("next text")
    added: ir.Expr = ir.Arith(ir.ArithOp.ADD, whole, text)
    if between:
        behind = ir.Arith(ir.ArithOp.ADD, whole, ir.Literal(between))
        added = ir.Arith(ir.ArithOp.ADD, behind, text)
    folded: ir.Expr = ir.Reduce(whole.name, ir.Literal(""), text.name, texts, added)
    if between:
        folded = ir.Call("substring", (folded, ir.Literal(len(between))))
    empty = ir.Compare(ir.CompareOp.EQ, some, ir.Literal(0))
    return ir.Case((ir.When(empty, ir.Literal(None)),), folded)


@VALUES.of(exp.Window)
def window(site: Site, node: exp.Window) -> Value:
    """Window functions."""
    raise site.refused("window-function", node, "is a window function")


@VALUES.of(exp.Filter)
def filtered(site: Site, node: exp.Filter) -> Value:
    """`agg(x) FILTER (WHERE …)`: the argument is null where the condition is not true."""
    inner = node.this
    if not isinstance(inner, exp.AggFunc):
        raise site.refused("aggregate-filter", node, "filters something that is no aggregate")
    star = isinstance(inner, exp.Count) and isinstance(inner.this, exp.Star)
    condition = node.expression.this
    copy = inner.copy()
    holder: exp.Expr = copy.this if isinstance(copy.this, exp.Order) else copy
    distinct = isinstance(holder.this, exp.Distinct)
    value = holder.this.expressions[0] if distinct else holder.this
    value = exp.Literal.number(1) if star else value.copy()
    cased = exp.Case(ifs=[exp.If(this=condition.copy(), true=value)])
    holder.set("this", exp.Distinct(expressions=[cased]) if distinct else cased)
    # The copy stands where the original did, so that names and groups resolve alike.
    copy.parent = node.parent
    return site.value(copy)
