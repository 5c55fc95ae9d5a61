"""date(), datetime(), strftime() and differences of julianday() over values known to be dates.

SQLite reads a text as a date each time (https://www.sqlite.org/lang_datefunc.html); here that is
exact where the property is temporal, or where the mapping says that all texts of the column are
dates of one form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import TextForm
from schemagraph.model import Kind
from translators.sql.compare import temporal
from translators.sql.expressions import arithmetic
from translators.sql.site import Site, values_of
from translators.sql.values import NULL, Value, printed, text

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
_DAYS = re.compile(r"([+-]?)(\d{1,5}) days?")


@dataclass(frozen=True, slots=True)
class Moment:
    """A value that is a date, or a date and a time; `typed` unless it is text."""

    value: Value
    clock: bool
    typed: bool

    @property
    def text(self) -> ir.Expr:
        """Its ISO text; a typed one has a T before the time."""
        return printed(self.value).expr


def moment(site: Site, node: exp.Expr) -> Moment | None:
    """The date that `node` is for sure; None is NULL.

    Raises:
        Refused: it is text in some other form, or the current time.
    """
    while isinstance(node, exp.TsOrDsToTimestamp | exp.TsOrDsToDate | exp.Paren):
        node = node.this
    value = site.value(node)
    if value.kind is Kind.NULL:
        return None
    if isinstance(value.expr, ir.Literal) and isinstance(value.expr.value, str):
        word = value.expr.value
        if word.casefold() == "now":
            raise site.refused("current-time", node, "reads the clock")
        clock = temporal(Kind.DATETIME, word.replace(" ", "T", 1))
        if temporal(Kind.DATE, word) is not None or clock is not None:
            return Moment(value, clock is not None, typed=False)
    if value.kind in (Kind.DATE, Kind.DATETIME):
        return Moment(value, value.kind is Kind.DATETIME, typed=True)
    if value.kind is Kind.STRING and not value.mixed:
        if value.form in (TextForm.DATE, TextForm.EMPTY):
            return Moment(value, clock=False, typed=False)
        if value.form is TextForm.DATETIME:
            return Moment(value, clock=True, typed=False)
    raise site.refused("date-text", node, "is not known to be a date in ISO form")


@values_of(exp.TimeToStr)
def strftime(site: Site, node: exp.TimeToStr) -> Value:
    """strftime(format, date) with the codes %Y %m %d %H %M %S and %w."""
    found = moment(site, node.this)
    wanted = site.value(node.args["format"])
    if found is None or wanted.kind is Kind.NULL:
        return NULL
    form = wanted.expr.value if isinstance(wanted.expr, ir.Literal) else None
    if not isinstance(form, str):
        raise site.refused("date-format", node, "formats by what is no literal")
    if form == "%w" and found.typed:
        day = ir.Prop(found.value.expr, "dayOfWeek")
        number = ir.Arith(ir.ArithOp.MOD, day, ir.Literal(7))
        shown = ir.Call("toString", (number,))
        return _digits(shown, found.value.nullable, number, 1)
    parts = [_part(site, node, found, piece) for piece in _pieces(found, form)]
    if not parts:
        return text("")
    whole = parts[0]
    for part in parts[1:]:
        whole = ir.Arith(ir.ArithOp.ADD, whole, part)
    if form in _PLACES:
        component = None
        if found.typed and (found.clock or form in ("%Y", "%m", "%d")):
            component = ir.Prop(found.value.expr, _COMPONENTS[form])
        return _digits(whole, found.value.nullable, component, _PLACES[form][1])
    ascii_only = form.isascii()
    shape = TextForm.DATE if form == "%Y-%m-%d" else TextForm.FREE
    return Value(whole, Kind.STRING, found.value.nullable, form=shape, ascii=ascii_only)


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


def _pieces(found: Moment, form: str) -> list[str]:
    """The format in runs that are parts of the whole form, and what stands between."""
    pieces: list[str] = []
    rest = form
    while rest:
        size = next(
            (n for n in range(len(rest), 1, -1) if _run(found, rest[:n])),
            len(rest) if "%" not in rest else max(rest.find("%"), 1),
        )
        pieces.append(rest[:size])
        rest = rest[size:]
    return pieces


def _run(found: Moment, piece: str) -> bool:
    """Whether a piece of a format is cut out of the ISO text as it stands."""
    whole = _WHOLE if found.clock else _WHOLE[:8]
    if found.clock and found.typed and " " in piece:
        return False
    return piece.startswith("%") and piece[-2:-1] == "%" and piece in whole


def _part(site: Site, node: exp.Expr, found: Moment, piece: str) -> ir.Expr:
    if _run(found, piece):
        first, last = _PLACES[piece[:2]], _PLACES[piece[-2:]]
        return _cut(found.text, first[0], last[0] + last[1])
    if "%" not in piece:
        return ir.Literal(piece)
    if not found.clock and piece in ("%H", "%M", "%S"):
        return ir.Literal("00")
    raise site.refused("date-format", node, "formats a date in a way that is not supported")


def _cut(whole: ir.Expr, start: int, end: int) -> ir.Expr:
    if start == 0:
        return ir.Call("left", (whole, ir.Literal(end)))
    return ir.Call("substring", (whole, ir.Literal(start), ir.Literal(end - start)))


@values_of(exp.Date)
def date(site: Site, node: exp.Date) -> Value:
    """date(x): the day of a date and time."""
    if node.this is None or node.args.get("expressions"):
        raise site.refused("date-format", node, "changes a date by modifiers")
    return _day(site, node.this)


def _day(site: Site, node: exp.Expr) -> Value:
    found = moment(site, node)
    if found is None:
        return NULL
    value = replace(found.value, affinity=None, unique=False)
    if isinstance(value.expr, ir.Literal):
        return text(str(value.expr.value)[:10])
    if not found.clock:
        return value
    if found.typed:
        return replace(value, expr=ir.Call("date", (value.expr,)), kind=Kind.DATE)
    return replace(value, expr=_cut(value.expr, 0, 10), form=TextForm.DATE)


@values_of(exp.Anonymous)
def by_name(site: Site, node: exp.Anonymous) -> Value:
    """Functions that the parser knows by their names only."""
    name, args = node.name.lower(), node.expressions
    if name == "total" and len(args) == 1:
        return _total(site, node, args[0])
    if name == "date" and len(args) == 2:
        return _moved(site, node, args[0], args[1])
    if name == "datetime" and len(args) == 1:
        found = moment(site, args[0])
        if found is not None and not found.typed and found.clock:
            return replace(found.value, affinity=None, unique=False)
    if name in ("julianday", "time", "datetime", "unixepoch", "date"):
        raise site.refused("date-format", node, "is a date function that is not supported here")
    raise site.refused("unsupported-expression", node, "is a function that is not supported")


def _total(site: Site, node: exp.Anonymous, argument: exp.Expr) -> Value:
    """total(x): the sum as a real number, 0.0 over nothing."""
    summed = exp.Sum(this=argument.copy())
    summed.parent = node.parent
    found = site.value(summed)
    zero = ir.Literal(0.0)
    called = ir.Call("coalesce", (ir.Call("toFloat", (found.expr,)), zero))
    return Value(called, Kind.FLOAT, nullable=False)


def _moved(site: Site, node: exp.Expr, start: exp.Expr, modifier: exp.Expr) -> Value:
    """date(x, '+n days')."""
    day, shift = _day(site, start), site.value(modifier)
    if Kind.NULL in (day.kind, shift.kind):
        return NULL
    word = shift.expr.value if isinstance(shift.expr, ir.Literal) else None
    match = _DAYS.fullmatch(word) if isinstance(word, str) else None
    if match is None:
        raise site.refused("date-format", node, "changes a date by a modifier")
    typed = day.expr if day.kind is Kind.DATE else ir.Call("date", (day.expr,))
    days = int(match[2]) * (-1 if match[1] == "-" else 1)
    duration = ir.Call("duration", (ir.MapOf((ir.Entry("days", ir.Literal(days)),)),))
    return Value(ir.Arith(ir.ArithOp.ADD, typed, duration), Kind.DATE, day.nullable)


@values_of(exp.Sub)
def difference(site: Site, node: exp.Sub) -> Value:
    """`julianday(a) - julianday(b)` of dates is a number of days; else a subtraction."""
    sides = [_julian(side) for side in (node.this, node.expression)]
    if sides[0] is None or sides[1] is None:
        return arithmetic(site, node)
    later, earlier = (moment(site, side) for side in sides if side is not None)
    if later is None or earlier is None:
        return NULL
    if later.clock or earlier.clock:
        raise site.refused("date-format", node, "takes the difference of times of day")
    ends = [_typed(earlier), _typed(later)]
    days = ir.Prop(ir.Call("duration.inDays", tuple(ends)), "days")
    nullable = later.value.nullable or earlier.value.nullable
    return Value(ir.Call("toFloat", (days,)), Kind.FLOAT, nullable)


def _typed(found: Moment) -> ir.Expr:
    return found.value.expr if found.typed else ir.Call("date", (found.value.expr,))


def _julian(node: exp.Expr) -> exp.Expr | None:
    inner = node.unnest()
    julian = isinstance(inner, exp.Anonymous) and inner.name.lower() == "julianday"
    return inner.expressions[0] if julian and len(inner.expressions) == 1 else None


@values_of(exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp)
def clock(site: Site, node: exp.Expr) -> Value:
    """The current date or time."""
    raise site.refused("current-time", node, "reads the clock")
