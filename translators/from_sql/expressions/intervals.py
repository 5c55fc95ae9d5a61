"""Dates as dialects with types for them compute: parts, truncation, intervals, differences."""

from __future__ import annotations

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Semantics
from schemagraph.model import Kind
from translators.from_sql.expressions.moments import (
    EPOCH,
    Moment,
    added,
    moment,
    moment_of,
    where_there,
)
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.date_formats import NAMES
from translators.from_sql.statement.exactness import Exactness
from translators.from_sql.statement.prints import cut
from translators.from_sql.statement.terms import all_of
from translators.from_sql.statement.typed_constants import constant_of, interval_of, microseconds
from translators.from_sql.statement.values import (
    NULL,
    SECOND,
    Value,
    as_integer,
    of_microseconds,
)

VALUES = ValueTable()

_PARTS: dict[type[exp.Expr], str] = {
    exp.Year: "year",
    exp.Month: "month",
    exp.Day: "day",
    exp.DayOfMonth: "day",
    exp.Hour: "hour",
    exp.Minute: "minute",
    exp.Second: "second",
    exp.Quarter: "quarter",
    exp.DayOfWeek: "dayofweek",
    exp.DayOfYear: "doy",
}
_SIMPLE = ("year", "month", "day", "hour", "minute", "second")
_QUARTERS = ("01", "04", "07", "10")
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_UNITS = {unit: f"{unit}s" for unit in _SIMPLE} | {"week": "weeks"}


@VALUES.of(exp.Extract, *_PARTS)
def part(site: Site, node: exp.Expr) -> Value:
    """EXTRACT(part FROM date), YEAR(date) and their like, as numbers."""
    if isinstance(node, exp.Extract):
        name, argument = node.name.lower(), node.expression
    else:
        name, argument = _PARTS[type(node)], node.this
    value = site.value(argument)
    if value.kind is Kind.DURATION and value.number is not None:
        return _of_interval(site, node, value, name)
    if value.kind is Kind.TIME and site.house.rules.name == "mysql" and name in _SIMPLE[3:]:
        return Value(ir.Prop(value.expr, name), Kind.INTEGER, value.nullable)
    when = moment_of(site, argument, value)
    if when is None:
        return NULL
    if name == "epoch" and site.house.rules.name == "postgres":
        since = ir.Call("duration.inSeconds", (EPOCH, when.local()))
        count = ir.Prop(since, "microseconds")
        return of_microseconds(count, SECOND, nullable=when.value.nullable)
    if name == "second" and site.house.rules.name == "postgres" and not when.whole:
        seconds, rest = (ir.Prop(when.value.expr, part) for part in ("second", "microsecond"))
        grown = ir.Arith(ir.ArithOp.MUL, seconds, ir.Literal(SECOND))
        micros = ir.Arith(ir.ArithOp.ADD, grown, rest)
        shown = ir.Arith(ir.ArithOp.DIV, micros, ir.Literal(float(SECOND)))  # the nearest float
        return Value(shown, Kind.FLOAT, when.value.nullable, exact=Exactness(6))
    number = _number(site, when, name)
    if number is None:
        raise site.refused("date-format", node, "takes a part of a date without a form here")
    if isinstance(number, ir.Literal):
        number = where_there(when.value, number)  # the clock of a day is zero
    return Value(number, Kind.INTEGER, when.value.nullable)


def _of_interval(site: Site, node: exp.Expr, value: Value, name: str) -> Value:
    """A part of the days and the time between two moments, of which all have one sign."""
    length = value.number or value.expr
    constant = isinstance(length, ir.Literal)
    if name == "epoch" and not constant:
        return of_microseconds(length, SECOND, nullable=value.nullable)
    sizes = {"day": (0, 86_400), "hour": (86_400, 3_600), "minute": (3_600, 60)}
    if name not in sizes or constant:
        raise site.refused("date-format", node, "takes a part of an interval without a form here")
    above, size = sizes[name]
    if above:
        length = ir.Arith(ir.ArithOp.MOD, length, ir.Literal(above * SECOND))
    whole = ir.Arith(ir.ArithOp.DIV, length, ir.Literal(size * SECOND))
    return Value(whole, Kind.INTEGER, value.nullable)


def _number(site: Site, when: Moment, name: str) -> ir.Expr | None:
    dialect = site.house.rules.name
    whole = dialect == "mysql" or (dialect == "postgres" and when.whole)
    if name == "second" and when.typed and when.clock and not whole:
        return None  # with its fraction in some dialects
    if name in _SIMPLE:
        return when.part(name)
    if name == "quarter":
        return ir.Prop(when.date(), "quarter")
    if name == "doy":
        return ir.Prop(when.date(), "ordinalDay")
    weekday = ir.Prop(when.date(), "dayOfWeek")  # Monday is 1
    if name == "isodow":
        return weekday
    from_sunday = ir.Arith(ir.ArithOp.MOD, weekday, ir.Literal(7))
    if name in ("dow", "dayofweek") and dialect in ("postgres", "duckdb"):
        return from_sunday
    if name == "dayofweek" and dialect == "mysql":
        return ir.Arith(ir.ArithOp.ADD, from_sunday, ir.Literal(1))
    if name == "week" and dialect in ("postgres", "duckdb"):
        return ir.Prop(when.date(), "week")
    return None


@VALUES.of(exp.Dayname)
def day_name(site: Site, node: exp.Dayname) -> Value:
    """MySQL's DAYNAME(date), in English."""
    when = moment(site, node.this, day=True)
    if when is None:
        return NULL
    if site.house.rules.name != "mysql":
        raise site.refused("date-format", node, "names a day in a way of its own")
    names = ir.ListOf(tuple(ir.Literal(name) for name in NAMES["%A"][0]))
    place = ir.Arith(ir.ArithOp.SUB, ir.Prop(when.date(), "dayOfWeek"), ir.Literal(1))
    return Value(ir.Index(names, place), Kind.STRING, when.value.nullable, ascii=True)


@VALUES.of(exp.LastDay)
def last_day(site: Site, node: exp.LastDay) -> Value:
    """LAST_DAY(date): the last day of its month."""
    when = moment(site, node.this, day=True)
    if when is None:
        return NULL
    if node.args.get("unit") is not None:
        raise site.refused("date-format", node, "takes the last day of another unit than a month")
    first = ir.Arith(ir.ArithOp.ADD, cut(when.text, 0, 7), ir.Literal("-01"))
    last = added(added(ir.Call("date", (first,)), months=1), days=-1)
    return Value(last, Kind.DATE, when.value.nullable)


@VALUES.of(exp.TimestampTrunc, exp.DateTrunc)
def truncated(site: Site, node: exp.Expr) -> Value:
    """date_trunc(unit, date): the moment at which the unit began.

    PostgreSQL has it with the session's time zone where the date has no clock
    (https://www.postgresql.org/docs/current/functions-datetime.html, 9.9.2).
    """
    when = moment(site, node.this)
    if when is None:
        return NULL
    unit = str(node.args["unit"].name).lower()
    known = site.house.rules.name in ("postgres", "duckdb")
    begun = _begun(when, unit) if known else None
    if begun is None:
        raise site.refused("date-format", node, "cuts a date in a way that is not supported")
    start = Value(begun, Kind.DATETIME, when.value.nullable)
    zoned = when.of_session or (site.house.rules.name == "postgres" and not when.clock)
    return start.at_session() if zoned else start


def _begun(when: Moment, unit: str) -> ir.Expr | None:
    """When the year, month, …, second of a moment began."""
    ends = {"year": (4, "-01-01T00:00:00"), "month": (7, "-01T00:00:00"), "day": (10, "T00:00:00")}
    if unit in ends:
        padded = ir.Arith(
            ir.ArithOp.ADD, cut(when.text, 0, ends[unit][0]), ir.Literal(ends[unit][1])
        )
        return ir.Call("localdatetime", (padded,))
    if unit == "quarter":
        firsts = ir.ListOf(tuple(ir.Literal(f"-{month}-01T00:00:00") for month in _QUARTERS))
        place = ir.Arith(ir.ArithOp.SUB, ir.Prop(when.date(), "quarter"), ir.Literal(1))
        padded = ir.Arith(ir.ArithOp.ADD, cut(when.text, 0, 4), ir.Index(firsts, place))
        return ir.Call("localdatetime", (padded,))
    if unit == "week":
        back = ir.Arith(ir.ArithOp.SUB, ir.Literal(1), ir.Prop(when.date(), "dayOfWeek"))
        start = _begun(when, "day")
        return None if start is None else where_there(when.value, added(start, days=back))
    if unit not in ("hour", "minute", "second"):
        return None
    start = _begun(when, "day")
    if not when.clock or start is None:
        return start
    clock = {"hours": when.part("hour")}
    if unit != "hour":
        clock["minutes"] = when.part("minute")
    if unit == "second":
        clock["seconds"] = when.part("second")
    return where_there(when.value, added(start, **clock))


@VALUES.of(exp.TimestampDiff)
def whole_units(site: Site, node: exp.TimestampDiff) -> Value:
    """MySQL's TIMESTAMPDIFF(unit, a, b): the whole units from `a` to `b`."""
    later, earlier = moment(site, node.this), moment(site, node.expression)
    if later is None or earlier is None:
        return NULL
    unit = str(node.args["unit"].name).lower() if node.args.get("unit") is not None else ""
    clock = later.clock or earlier.clock
    if site.house.rules.name != "mysql" or unit not in {*_SECONDS, *_MONTHS}:
        raise site.refused("duration", node, "counts units that are not supported")
    if not (later.whole and earlier.whole):
        raise site.refused("duration", node, "counts between fractions of a second")
    nullable = later.value.nullable or earlier.value.nullable
    if unit in _MONTHS:
        return Value(_by(_months(earlier, later), _MONTHS[unit]), Kind.INTEGER, nullable)
    if not clock and unit in ("day", "week"):
        days = ir.Prop(ir.Call("duration.inDays", (earlier.date(), later.date())), "days")
        return Value(_by(days, 7 if unit == "week" else 1), Kind.INTEGER, nullable)
    between = ir.Call("duration.inSeconds", (earlier.local(), later.local()))
    return Value(_by(ir.Prop(between, "seconds"), _SECONDS[unit]), Kind.INTEGER, nullable)


def _by(count: ir.Expr, size: int) -> ir.Expr:
    return count if size == 1 else ir.Arith(ir.ArithOp.DIV, count, ir.Literal(size))


def _months(earlier: Moment, later: Moment) -> ir.Expr:
    """The whole months between two moments: days beyond the end of a month count, too."""
    years, months, rest = (
        ir.Arith(ir.ArithOp.SUB, one, other)
        for one, other in (
            (later.part("year"), earlier.part("year")),
            (later.part("month"), earlier.part("month")),
            (_in_month(later, earlier.clock), _in_month(earlier, later.clock)),
        )
    )
    count = ir.Arith(ir.ArithOp.ADD, ir.Arith(ir.ArithOp.MUL, years, ir.Literal(12)), months)
    whens = tuple(
        ir.When(
            all_of(
                [
                    ir.Compare(sign, count, ir.Literal(0)),
                    ir.Compare(opposite, rest, ir.Literal(0)),
                ]
            ),
            ir.Arith(step, count, ir.Literal(1)),
        )
        for sign, opposite, step in (
            (ir.CompareOp.GT, ir.CompareOp.LT, ir.ArithOp.SUB),
            (ir.CompareOp.LT, ir.CompareOp.GT, ir.ArithOp.ADD),
        )
    )
    return ir.Case(whens, count)


def _in_month(when: Moment, clock: bool) -> ir.Expr:
    """The day of the month, with a clock the seconds of the month up to then."""
    whole = when.part("day")
    if not when.clock and not clock:
        return whole
    for name, size in (("hour", 24), ("minute", 60), ("second", 60)):
        scaled = ir.Arith(ir.ArithOp.MUL, whole, ir.Literal(size))
        whole = ir.Arith(ir.ArithOp.ADD, scaled, when.part(name)) if when.clock else scaled
    return whole


def shifted(site: Site, node: exp.Add | exp.Sub) -> Value | None:
    """A date and an interval; None for other sums."""
    if site.house.rules.affinity:
        return None
    sign = 1 if isinstance(node, exp.Add) else -1
    if isinstance(node.expression.unnest(), exp.Interval):
        return _moved(site, node, node.this, node.expression.unnest(), sign)
    if sign > 0 and isinstance(node.this.unnest(), exp.Interval):
        return _moved(site, node, node.expression, node.this.unnest(), sign)
    return None


def between(site: Site, node: exp.Add | exp.Sub, left: Value, right: Value) -> Value | None:
    """The days and the time between two moments, of which one may be a day, or a constant; None for
    other sums (https://www.postgresql.org/docs/current/functions-datetime.html, table 9.33)."""
    if site.house.rules.name != "postgres" or not isinstance(node, exp.Sub):
        return None
    sides = [_constant(left, right).local, _constant(right, left).local]
    if {side.kind for side in sides} not in ({Kind.DATETIME}, {Kind.DATE, Kind.DATETIME}):
        return None
    later, earlier = (
        Moment(side, clock=side.kind is Kind.DATETIME, typed=True).local() for side in sides
    )
    length = ir.Prop(ir.Call("duration.inSeconds", (earlier, later)), "microseconds")
    days = ir.Call("duration.inDays", (earlier, later))
    rest = ir.Call("duration.inSeconds", (ir.Arith(ir.ArithOp.ADD, earlier, days), later))
    return Value(
        ir.Arith(ir.ArithOp.ADD, days, rest),
        Kind.DURATION,
        any(side.nullable for side in sides),
        number=length,
        semantics=Semantics.OWN,
    )


def _constant(one: Value, other: Value) -> Value:
    """A text constant beside a day or moment as one, whatever it is else."""
    word = one.expr.value if isinstance(one.expr, ir.Literal) else None
    made = constant_of(other.kind, word) if isinstance(word, str) and other.temporal else None
    return one if made is None else made


@VALUES.of(exp.Interval)
def interval(site: Site, node: exp.Interval) -> Value:
    """`INTERVAL '1 day'`."""
    parts = _parts(node) if site.house.rules.name == "postgres" else None
    if parts is None:
        raise site.refused("duration", node, "is an interval that is not supported")
    entries = tuple(ir.Entry(name, ir.Literal(number)) for name, number in parts.items())
    made = ir.Call("duration", (ir.MapOf(entries),))
    length = ir.Literal(microseconds(parts))
    return Value(made, Kind.DURATION, nullable=False, number=length, semantics=Semantics.OWN)


def _parts(node: exp.Interval) -> dict[str, int] | None:
    """The months, days and seconds of an interval."""
    unit = node.args.get("unit")
    return interval_of(f"{node.this.name} {unit.name if unit is not None else ''}".strip())


def by_days(site: Site, node: exp.Add | exp.Sub, left: Value, right: Value) -> Value | None:
    """A date and a number of days, or the days between two dates; None for other sums."""
    if site.house.rules.name not in ("postgres", "duckdb"):
        return None
    sign = 1 if isinstance(node, exp.Add) else -1
    if sign < 0 and site.house.rules.name == "postgres":
        left, right = _constant(left, right), _constant(right, left)
    if sign < 0 and left.kind is right.kind is Kind.DATE:
        days = ir.Prop(ir.Call("duration.inDays", (right.expr, left.expr)), "days")
        return Value(days, Kind.INTEGER, left.nullable or right.nullable)
    if left.kind is Kind.DATE and right.kind is Kind.INTEGER:
        return _by_days(left, right, sign)
    if sign > 0 and left.kind is Kind.INTEGER and right.kind is Kind.DATE:
        return _by_days(right, left, sign)
    return None


def _by_days(day: Value, count: Value, sign: int) -> Value:
    """A date some days later or earlier, which is a date."""
    literal = count.expr.value if isinstance(count.expr, ir.Literal) else None
    days = ir.Literal(sign * literal) if isinstance(literal, int) else count.expr
    if sign < 0 and literal is None:
        days = ir.Neg(days)
    made = where_there(count, added(day.expr, days=days))
    return Value(made, Kind.DATE, day.nullable or count.nullable)


@VALUES.of(exp.DateAdd, exp.DateSub, exp.TimestampAdd)
def moved(site: Site, node: exp.DateAdd | exp.DateSub | exp.TimestampAdd) -> Value:
    """DATE_ADD(date, INTERVAL n unit), DATEADD(unit, n, date) and TIMESTAMPADD(unit, n, date)."""
    if isinstance(node, exp.TimestampAdd) and site.house.rules.name != "mysql":
        raise site.refused("unsupported-expression", node, "is not supported")
    sign = -1 if isinstance(node, exp.DateSub) else 1
    if isinstance(node.expression, exp.Interval):
        return _moved(site, node, node.this, node.expression, sign)
    interval = exp.Interval(this=node.expression, unit=node.args.get("unit"))
    return _moved(site, node, node.this, interval, sign)


def _moved(site: Site, node: exp.Expr, day: exp.Expr, interval: exp.Expr, sign: int) -> Value:
    when = moment(site, day)
    parts: dict[str, int | ir.Expr] = {}
    computed = _computed(site, interval)
    if computed is None:
        parts |= {unit: sign * number for unit, number in _length(site, node, interval).items()}
    if when is None:
        return NULL
    nullable = when.value.nullable
    if computed is not None:
        unit, size, count = computed
        if count.kind is Kind.NULL:
            return NULL
        factor = ir.Literal(sign * size)
        units = ir.Arith(ir.ArithOp.MUL, count.expr, factor) if abs(size) > 1 else count.expr
        parts[unit] = ir.Neg(count.expr) if sign < 0 and size == 1 else units
        made = _later(site, when, parts, nullable=True)
        return made.like(_within(count, made.expr, bounded=_is_bounded(interval.this)))
    return _later(site, when, parts, nullable=nullable)


def _within(count: Value, made: ir.Expr, *, bounded: bool) -> ir.Expr:
    """What a number of units makes of a date, if there is one: beyond the year 9999 MySQL has
    NULL. Neo4j makes no duration of null."""
    if bounded:
        return where_there(count, made)
    missing = ir.When(ir.IsNull(count.expr), ir.Literal(None))
    year = ir.Prop(made, "year")
    bounds = ((ir.CompareOp.GE, ir.Literal(1)), (ir.CompareOp.LE, ir.Literal(9999)))
    there = ir.When(all_of([ir.Compare(op, year, bound) for op, bound in bounds]), made)
    return ir.Case((missing, there) if count.nullable else (there,))


def _is_bounded(node: exp.Expr) -> bool:
    """Whether a number is made of parts of dates other than the year, and small constants."""
    inner = node.unnest()
    if isinstance(inner, exp.Add | exp.Sub):
        return _is_bounded(inner.this) and _is_bounded(inner.expression)
    if isinstance(inner, exp.Neg):
        return _is_bounded(inner.this)
    if isinstance(inner, exp.Literal):
        return len(inner.name) < 4
    weekday = isinstance(inner, exp.Anonymous) and inner.name.lower() == "weekday"
    return weekday or (isinstance(inner, tuple(_PARTS)) and not isinstance(inner, exp.Year))


def _later(site: Site, when: Moment, parts: dict[str, int | ir.Expr], *, nullable: bool) -> Value:
    """A date or moment moved by days, months, …; what MySQL makes of a text is one again."""
    of_text = site.house.rules.name == "mysql" and (not when.typed or when.value.of_text)
    days = not parts.keys() & {"hours", "minutes", "seconds"} and not when.clock
    if site.house.rules.name in ("mysql", "tsql") and days:
        return Value(added(when.date(), **parts), Kind.DATE, nullable, of_text=of_text)
    # PostgreSQL and Cypher add months, then days, then a time; a short month ends a day
    whole = added(when.local(), **parts)
    start = added(when.date(), **parts) if days else None
    later = Value(whole, Kind.DATETIME, nullable, midnight=start, of_text=of_text)
    return later.at_session() if when.of_session else later


def _computed(site: Site, interval: exp.Expr) -> tuple[str, int, Value] | None:
    """The unit of MySQL's interval of an integer that is computed, `INTERVAL n + 1 DAY`, how many
    of these it has, and the number; None for others.

    A short month ends a day there as in Cypher (dev.mysql.com: DATE_ADD).
    """
    if site.house.rules.name != "mysql" or isinstance(interval.this, exp.Literal):
        return None
    unit = str(getattr(interval.args.get("unit"), "name", "")).lower()
    if unit not in (*_UNITS, "quarter"):
        return None
    count = as_integer(site.value(interval.this))
    if count.kind not in (Kind.INTEGER, Kind.NULL):
        return None
    return (_UNITS[unit], 1, count) if unit in _UNITS else ("months", 3, count)


def _length(site: Site, node: exp.Expr, interval: exp.Expr) -> dict[str, int]:
    """An interval by its units: `INTERVAL '3 months'`, `INTERVAL 3 MONTH`; in PostgreSQL also
    `INTERVAL '1 year 2 months -3 days'`."""
    words = [interval.this.name, interval.args["unit"].name if interval.args.get("unit") else ""]
    words = " ".join(words).split()
    if len(words) == 2:
        unit = _UNITS.get(words[1].lower().removesuffix("s"))
        digits = words[0].removeprefix("-")
        if words[1].lower() == "quarter" and digits.isdigit() and site.house.rules.name == "mysql":
            return {"months": 3 * int(words[0])}
        if unit is not None and digits.isdigit():
            return {unit: int(words[0])}
    parts = None
    if isinstance(interval, exp.Interval) and site.house.rules.name == "postgres":
        parts = _parts(interval)
    if parts is None:
        raise site.refused("duration", node, "adds an interval that is not supported")
    return parts


@VALUES.of(exp.DateDiff)
def difference(site: Site, node: exp.DateDiff) -> Value:
    """DATEDIFF: days, or the months and years whose beginnings lie between."""
    if site.house.rules.name == "mysql" and _plain(node.expression).name == _YEAR_0:
        return _since_year_0(moment(site, node.this, day=True))
    later, earlier = (moment(site, _plain(each), day=True) for each in (node.this, node.expression))
    if later is None or earlier is None:
        return NULL
    unit = node.args.get("unit")
    name = unit.name.lower() if unit is not None else "day"
    nullable = later.value.nullable or earlier.value.nullable
    if name == "day":
        days = ir.Call("duration.inDays", (earlier.date(), later.date()))
        return Value(ir.Prop(days, "days"), Kind.INTEGER, nullable)
    if name not in ("month", "year") or site.house.rules.name not in ("duckdb", "tsql"):
        raise site.refused("duration", node, "counts units that are not supported")
    count = ir.Arith(ir.ArithOp.SUB, later.part("year"), earlier.part("year"))
    if name == "month":
        months = ir.Arith(ir.ArithOp.SUB, later.part("month"), earlier.part("month"))
        count = ir.Arith(ir.ArithOp.ADD, ir.Arith(ir.ArithOp.MUL, count, ir.Literal(12)), months)
    return Value(count, Kind.INTEGER, nullable)


def _since_year_0(when: Moment | None) -> Value:
    """Days from `_YEAR_0`, with which the parser counts in TO_DAYS(date); 719,528 is its number of
    1970-01-01 (dev.mysql.com: TO_DAYS)."""
    if when is None:
        return NULL
    since = ir.Call("duration.inDays", (ir.Call("date", (ir.Literal("1970-01-01"),)), when.date()))
    days = ir.Arith(ir.ArithOp.ADD, ir.Prop(since, "days"), ir.Literal(719_527))
    return Value(days, Kind.INTEGER, when.value.nullable)


_YEAR_0 = "0000-01-01"


def _plain(node: exp.Expr) -> exp.Expr:
    """What the parser of T-SQL wraps in a conversion."""
    while isinstance(node, exp.TimeStrToTime | exp.Paren):
        node = node.this
    return node
