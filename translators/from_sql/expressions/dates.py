"""SQLite's date functions over values known to be dates: date(), datetime(), strftime(), …."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import TextForm
from schemagraph.model import Kind
from schemagraph.temporal import ISO
from translators.from_sql.expressions.compare import temporal
from translators.from_sql.expressions.expressions import computed
from translators.from_sql.expressions.intervals import between, by_days, shifted
from translators.from_sql.expressions.moments import (
    WHOLE,
    Moment,
    modified,
    moment,
    where_there,
)
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.date_formats import NAMES, PLAIN, is_of_mysql, of_template
from translators.from_sql.statement.prints import cut, part_of, printed
from translators.from_sql.statement.unary_plus import dialect
from translators.from_sql.statement.values import NULL, Value, number, text

VALUES = ValueTable()

_WHOLE = "%Y-%m-%d %H:%M:%S"
# Where each code stands in `2024-02-29 12:00:00`.
_PLACES = {"%Y": (0, 4), "%m": (5, 2), "%d": (8, 2), "%H": (11, 2), "%M": (14, 2), "%S": (17, 2)}
_COMPONENTS = {
    "%Y": "year",
    "%m": "month",
    "%d": "day",
    "%H": "hour",
    "%M": "minute",
    "%S": "second",
}
_MOVES: dict[str, type[exp.Expr]] = {"adddate": exp.DateAdd, "subdate": exp.DateSub}
_LETTERS = re.compile(r"[A-Za-z\"'\\]")
_FUNCTIONS = ("date", "time", "datetime", "julianday", "unixepoch", "strftime")
# Milliseconds from the start of Julian days to 1970, and in a day.
_JULIAN_EPOCH, _DAY = 210_866_760_000_000, 86_400_000.0


@VALUES.of(exp.TimeToStr)
def strftime(site: Site, node: exp.TimeToStr) -> Value:
    """strftime(format, date), and what other dialects call it."""
    if site.house.rules.name == "mysql":
        tokens = dialect(site.house.rules).tokenize(site.house.text.text)
        words = [token.text for token in tokens if token.token_type.name == "STRING"]
        if not is_of_mysql(node.args["format"].name, words):
            raise site.refused("date-format", node, "formats by nothing, or by no code of MySQL")
    return _formatted(site, node, node.args["format"], moment(site, node.this))


def _formatted(site: Site, node: exp.Expr, pattern: exp.Expr, when: Moment | None) -> Value:
    wanted = site.value(pattern)
    if when is None or wanted.kind is Kind.NULL:
        return NULL
    form = wanted.expr.value if isinstance(wanted.expr, ir.Literal) else None
    if not isinstance(form, str):
        raise site.refused("date-format", node, "formats by what is no literal")
    nullable = when.value.nullable
    if form == "%w":
        day = ir.Prop(when.date(), "dayOfWeek")
        return _number_text(ir.Arith(ir.ArithOp.MOD, day, ir.Literal(7)), nullable, 1)
    if form == "%s":
        return _number_text(_epoch(site, node, when), nullable, 0)
    if form == "%j":
        return _number_text(ir.Prop(when.date(), "ordinalDay"), nullable, 3)
    given = of_template(form) if site.house.rules.name == "postgres" else [form]
    if given is None:
        raise site.refused("date-format", node, "has parts of a template without a form here")
    form = "".join(given)
    pieces = [piece for run in _runs(given) for piece in _pieces(when, run)]
    parts = [_part(site, node, when, piece) for piece in pieces]
    if not parts:
        return text("")
    whole = parts[0]
    for part in parts[1:]:
        whole = ir.Arith(ir.ArithOp.ADD, whole, part)
    if all(isinstance(part, ir.Literal) for part in parts):
        whole = where_there(when.value, whole)  # of a day without a clock, or a mere text
    if form in _PLACES:
        component = None
        if when.typed and (when.clock or form in ("%Y", "%m", "%d")):
            component = ir.Prop(when.value.expr, _COMPONENTS[form])
        return _digits(whole, nullable, component, _PLACES[form][1])
    ascii_only = form.isascii()
    shape = TextForm.DATE if form == "%Y-%m-%d" else TextForm.FREE
    return Value(whole, Kind.STRING, nullable, form=shape, ascii=ascii_only)


def _digits(expr: ir.Expr, nullable: bool, number: ir.Expr | None, width: int) -> Value:
    return Value(
        expr,
        Kind.STRING,
        nullable,
        form=TextForm.INTEGER,
        ascii=True,
        number=number,
        width=width,
    )


def _number_text(number: ir.Expr, nullable: bool, width: int) -> Value:
    """A number as text of at least `width` digits."""
    shown: ir.Expr = ir.Call("toString", (number,))
    if width > 1:
        padded = ir.Arith(ir.ArithOp.ADD, ir.Literal("0" * (width - 1)), shown)
        shown = ir.Call("right", (padded, ir.Literal(width)))
    return _digits(shown, nullable, number, width)


def _runs(pieces: Sequence[str]) -> list[str]:
    """The pieces of a template with those joined that stand between names."""
    runs = [""]
    for piece in pieces:
        if piece in NAMES:
            runs += [piece, ""]
        else:
            runs[-1] += piece
    return runs


def _pieces(when: Moment, form: str) -> list[str]:
    """The format in runs that are parts of the whole form, and what stands between."""
    if form in NAMES:
        return [form]
    pieces: list[str] = []
    rest = form
    while rest:
        size = next(
            (n for n in range(len(rest), 1, -1) if _run(when, rest[:n])),
            (3 if rest[1:2] == "-" else 2)
            if rest[0] == "%"
            else len(rest)
            if "%" not in rest
            else rest.find("%"),
        )
        pieces.append(rest[:size])
        rest = rest[size:]
    return pieces


def _run(when: Moment, piece: str) -> bool:
    """Whether a piece of a format is cut out of the ISO text as it stands."""
    whole = _WHOLE if when.clock and not when.typed else _WHOLE[:8]
    return piece.startswith("%") and piece[-2:-1] == "%" and piece in whole


def _part(site: Site, node: exp.Expr, when: Moment, piece: str) -> ir.Expr:
    if _run(when, piece):
        first, last = _PLACES[piece[:2]], _PLACES[piece[-2:]]
        start, end = first[0], last[0] + last[1]
        known = part_of(when.value, start, end) if when.typed else None
        return cut(when.text, start, end) if known is None else known
    if "%" not in piece:
        if site.house.rules.name == "tsql" and _LETTERS.search(piece):
            raise site.refused("date-format", node, "has parts of a format without a form here")
        return ir.Literal(piece)
    if not when.clock and piece in ("%H", "%M", "%S"):
        return ir.Literal("00")
    if piece in ("%H", "%M", "%S"):
        return _two_digits(when, _COMPONENTS[piece])
    if site.house.rules.name in ("duckdb", "postgres", "mysql"):
        worded = _worded(when, piece)
        if worded is not None:
            return worded
    raise site.refused("date-format", node, "formats a date in a way that is not supported")


def _worded(when: Moment, piece: str) -> ir.Expr | None:
    """A name of a month or a day, or a number without zeros in front."""
    if piece in NAMES:
        names, part = NAMES[piece]
        listed = ir.ListOf(tuple(ir.Literal(name) for name in names))
        number = ir.Prop(when.date(), part)
        return ir.Index(listed, ir.Arith(ir.ArithOp.SUB, number, ir.Literal(1)))
    if piece in PLAIN:
        part = PLAIN[piece]
        plain = when.part(part) if part in _COMPONENTS.values() else ir.Prop(when.date(), part)
        return ir.Call("toString", (plain,))
    if piece == "%y":
        return cut(when.text, 2, 4)
    if piece == "%j":
        return _number_text(ir.Prop(when.date(), "ordinalDay"), when.value.nullable, 3).expr
    return None


def _two_digits(when: Moment, part: str) -> ir.Expr:
    """A part of a moment; languages differ in whether its text shows seconds that are zero."""
    shown = ir.Call("toString", (when.part(part),))
    padded = ir.Arith(ir.ArithOp.ADD, ir.Literal("0"), shown)
    return ir.Call("right", (padded, ir.Literal(2)))


@VALUES.of(exp.Date)
def date(site: Site, node: exp.Date) -> Value:
    """date(x): the day of a date and time."""
    if node.this is None or node.args.get("expressions"):
        raise site.refused("date-format", node, "changes a date by modifiers")
    return _day(moment(site, node.this))


@VALUES.of(exp.TsOrDsToDate)
def day_of(site: Site, node: exp.TsOrDsToDate) -> Value:
    """MySQL's date(x): the day of a date and time."""
    return _day(moment(site, node.this))


def _day(when: Moment | None) -> Value:
    if when is None:
        return NULL
    value = replace(when.value, affinity=None, unique=False, row="")
    if isinstance(value.expr, ir.Literal):
        return text(str(value.expr.value)[:10])
    if not when.clock:
        return value
    if when.typed:
        return replace(value, expr=when.date(), kind=Kind.DATE, format=ISO, day_of=value)
    return replace(value, expr=cut(value.expr, 0, 10), form=TextForm.DATE)


@VALUES.of(exp.Anonymous)
def by_name(site: Site, node: exp.Anonymous) -> Value:
    """Functions that the parser knows by their names only."""
    name, args = node.name.lower(), node.expressions
    if name == "total" and len(args) == 1:
        return _total(site, node, args[0])
    if name == "date_part" and len(args) == 2 and not site.house.rules.affinity:
        part = args[0].name.upper()
        if part in ("EPOCH", "SECOND") and site.house.rules.name == "postgres":
            sentence = f"is a binary float: write EXTRACT({part} FROM …)"
            raise site.refused("date-format", node, sentence)
        return site.value(exp.Extract(this=exp.Var(this=args[0].name), expression=args[1]))
    if name == "make_date" and len(args) == 3 and site.house.rules.name in ("postgres", "duckdb"):
        return _made_date(site, node, [site.value(arg).expr for arg in args])
    if name == "weekday" and len(args) == 1 and site.house.rules.name == "mysql":
        return _weekday(moment(site, args[0], day=True))
    if name in _MOVES and len(args) == 2 and site.house.rules.name == "mysql":
        unit = None if isinstance(args[1], exp.Interval) else exp.Var(this="DAY")
        return site.value(_MOVES[name](this=args[0], expression=args[1], unit=unit))
    if name not in _FUNCTIONS or not args or not site.house.rules.affinity:
        raise site.refused("unsupported-expression", node, "is a function that is not supported")
    values = [site.value(arg) for arg in args]
    if all(value.constant for value in values):
        return _computed(site, node, name, values)
    if name == "strftime" and len(args) > 1:
        return _formatted(site, node, args[0], modified(site, args[1], args[2:]))
    when = modified(site, args[0], args[1:])
    if when is None:
        return NULL
    if name == "date":
        return _day(when)
    nullable = when.value.nullable
    if name == "unixepoch":
        return Value(_epoch(site, node, when), Kind.INTEGER, nullable)
    if name == "julianday":
        return _julian_day(site, node, when)
    if name == "datetime" and when.clock and when.typed and when.whole:
        return Value(when.value.expr, Kind.DATETIME, nullable, format=WHOLE)
    whole = _whole_text(when)
    if name == "datetime":
        return Value(whole, Kind.STRING, nullable, form=TextForm.DATETIME, ascii=True)
    known = part_of(when.value, 11, 19) if when.typed and when.clock else None
    clock = cut(whole, 11, 19) if known is None else known
    return Value(clock, Kind.STRING, nullable, form=TextForm.TIME, ascii=True)


def _made_date(site: Site, node: exp.Expr, parts: Sequence[ir.Expr]) -> Value:
    """make_date(2024, 2, 29) of constants."""
    numbers = [part.value for part in parts if isinstance(part, ir.Literal)]
    made = None
    if len(numbers) == len(parts) and all(type(number) is int for number in numbers):
        year, month, day = map(str, numbers)
        made = temporal(Kind.DATE, f"{year:0>4}-{month:0>2}-{day:0>2}")
    if made is None:
        raise site.refused("date-format", node, "is made of what are no constants of a day")
    return Value(made, Kind.DATE, nullable=False)


def _weekday(when: Moment | None) -> Value:
    """The number of a day, of which Monday is 0."""
    if when is None:
        return NULL
    day = ir.Arith(ir.ArithOp.SUB, ir.Prop(when.date(), "dayOfWeek"), ir.Literal(1))
    return Value(day, Kind.INTEGER, when.value.nullable)


def _whole_text(when: Moment) -> ir.Expr:
    if not when.clock:
        return ir.Arith(ir.ArithOp.ADD, when.text, ir.Literal(" 00:00:00"))
    if not when.typed:
        return when.text
    return printed(replace(when.value, format=WHOLE)).expr


def _epoch(site: Site, node: exp.Expr, when: Moment) -> ir.Expr:
    """Seconds since 1970; SQLite rounds to milliseconds first."""
    if when.fine:
        raise site.refused("date-format", node, "rounds fractions of a second to milliseconds")
    return when.epoch()


def _julian_day(site: Site, node: exp.Expr, when: Moment) -> Value:
    """The number of days that SQLite computes from whole milliseconds."""
    nullable = when.value.nullable
    scaled: ir.Expr = ir.Arith(ir.ArithOp.MUL, _epoch(site, node, when), ir.Literal(1000))
    if not when.whole:
        scaled = ir.Arith(ir.ArithOp.ADD, scaled, ir.Prop(when.value.expr, "millisecond"))
    whole = ir.Arith(ir.ArithOp.ADD, scaled, ir.Literal(_JULIAN_EPOCH))
    days = ir.Arith(ir.ArithOp.DIV, ir.Call("toFloat", (whole,)), ir.Literal(_DAY))
    return Value(days, Kind.FLOAT, nullable)


def _computed(site: Site, node: exp.Expr, name: str, values: Sequence[Value]) -> Value:
    """A function of literals, which SQLite itself computes."""
    given = [value.expr.value for value in values if isinstance(value.expr, ir.Literal)]
    if any(str(item).lower() in ("now", "localtime", "utc", "auto") for item in given):
        raise site.refused("current-time", node, "reads the clock or its time zone")
    marks = ", ".join("?" * len(given))
    with closing(sqlite3.connect(":memory:")) as connection:
        computed = connection.execute(f"SELECT {name}({marks})", given).fetchone()[0]
    if computed is None:
        return NULL
    return text(computed) if isinstance(computed, str) else number(computed)


def _total(site: Site, node: exp.Anonymous, argument: exp.Expr) -> Value:
    """total(x): the sum as a real number, 0.0 over nothing."""
    summed = exp.Sum(this=argument.copy())
    summed.parent = node.parent
    operand = site.value(summed)
    zero = ir.Literal(0.0)
    called = ir.Call("coalesce", (ir.Call("toFloat", (operand.expr,)), zero))
    return Value(called, Kind.FLOAT, nullable=False)


@VALUES.of(exp.Sub)
def difference(site: Site, node: exp.Sub) -> Value:
    """`julianday(a) - julianday(b)` of dates is a number of days; a duration or a number of
    days taken from a date; else a subtraction."""
    shift = shifted(site, node)
    if shift is not None:
        return shift
    sides = [_julian(side) for side in (node.this, node.expression)]
    if sides[0] is None or sides[1] is None:
        return _sum(site, node)
    later, earlier = (moment(site, side) for side in sides if side is not None)
    if later is None or earlier is None:
        return NULL
    if later.clock or earlier.clock:
        return _sum(site, node)
    days = ir.Prop(ir.Call("duration.inDays", (earlier.date(), later.date())), "days")
    nullable = later.value.nullable or earlier.value.nullable
    return Value(ir.Call("toFloat", (days,)), Kind.FLOAT, nullable)


@VALUES.of(exp.Add)
def addition(site: Site, node: exp.Add) -> Value:
    """A date and a duration, or a sum."""
    return shifted(site, node) or _sum(site, node)


def _sum(site: Site, node: exp.Add | exp.Sub) -> Value:
    """A date and a number of days, or numbers; each side is said once."""
    left, right = site.value(node.this), site.value(node.expression)
    made = between(site, node, left, right) or by_days(site, node, left, right)
    return made or computed(site, node, left, right)


def _julian(node: exp.Expr) -> exp.Expr | None:
    inner = node.unnest()
    julian = isinstance(inner, exp.Anonymous) and inner.name.lower() == "julianday"
    return inner.expressions[0] if julian and len(inner.expressions) == 1 else None


@VALUES.of(exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp)
def clock(site: Site, node: exp.Expr) -> Value:
    """The current date or time."""
    raise site.refused("current-time", node, "reads the clock")
