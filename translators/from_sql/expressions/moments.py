"""Values that are known to be dates or moments, and SQLite's modifiers of them.

SQLite reads a text as a date each time (https://www.sqlite.org/lang_datefunc.html); here that is
exact where the property is temporal, or where the mapping says that all texts of the column are
dates of one form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import TextForm
from schemagraph.model import Kind
from schemagraph.temporal import Format
from translators.from_sql.expressions.compare import temporal
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.prints import cut, iso
from translators.from_sql.statement.values import Value, as_number

WHOLE = Format(" ", 0)  # in whole seconds
EPOCH = ir.Call("localdatetime", (ir.Literal("1970-01-01T00:00:00"),))
_SHIFT = re.compile(r"([+-]?)(\d{1,6}) (day|hour|minute|second|month|year)s?")
_OFFSETS = {"year": (0, 4), "month": (5, 2), "day": (8, 2), "hour": (11, 2), "minute": (14, 2)}


@dataclass(frozen=True, slots=True)
class Moment:
    """A value that is a date, or with `clock` a date and a time; `typed` unless it is text.

    `seconds` since 1970, where the value was made of them. What is made of one `of_session` has
    the session's time zone again.
    """

    value: Value
    clock: bool
    typed: bool
    seconds: ir.Expr | None = None
    of_session: bool = False

    @property
    def text(self) -> ir.Expr:
        """Its ISO text; a typed one has a T before the time."""
        return iso(self.value) if self.typed else self.value.expr

    @property
    def whole(self) -> bool:
        """Whether there is no fraction of a second for sure."""
        return not (self.clock and self.typed) or self.value.format.whole

    @property
    def fine(self) -> bool:
        """Whether a fraction may be finer than the milliseconds in which SQLite computes."""
        return not self.whole and not 1 <= self.value.format.digits <= 3

    def date(self) -> ir.Expr:
        """The day as a date."""
        if self.typed:
            return ir.Call("date", (self.value.expr,)) if self.clock else self.value.expr
        day = cut(self.value.expr, 0, 10) if self.clock else self.value.expr
        return ir.Call("date", (day,))

    def local(self) -> ir.Expr:
        """The date and time as one value."""
        if self.typed and self.clock:
            return self.value.expr
        if self.clock:
            iso_text: ir.Expr = ir.Call("replace", (self.text, ir.Literal(" "), ir.Literal("T")))
        else:
            iso_text = ir.Arith(ir.ArithOp.ADD, self.text, ir.Literal("T00:00:00"))
        return ir.Call("localdatetime", (iso_text,))

    def epoch(self) -> ir.Expr:
        """Seconds since 1970."""
        if self.seconds is not None:
            return self.seconds
        return ir.Prop(ir.Call("duration.inSeconds", (EPOCH, self.local())), "seconds")

    def part(self, name: str) -> ir.Expr:
        """A part as a number: year, month, day, hour, minute or second."""
        if name not in ("year", "month", "day") and not self.clock:
            return ir.Literal(0)
        if self.typed:
            return ir.Prop(self.value.expr, name)
        start, size = _OFFSETS.get(name, (17, 2))
        return ir.Call("toInteger", (cut(self.text, start, start + size),))


def added(whole: ir.Expr, **parts: ir.Expr | int) -> ir.Expr:
    """A date or moment and a duration of some days, months, ….

    >>> added(ir.Var("d"), days=7).right.args[0].entries[0].key
    'days'
    """
    entries = tuple(
        ir.Entry(name, ir.Literal(value) if isinstance(value, int) else value)
        for name, value in parts.items()
    )
    return ir.Arith(ir.ArithOp.ADD, whole, ir.Call("duration", (ir.MapOf(entries),)))


def where_there(part: Value, made: ir.Expr) -> ir.Expr:
    """`made` where `part` is not null, else null: Neo4j makes no duration of null."""
    if not part.nullable:
        return made
    return ir.Case((ir.When(ir.IsNull(part.expr, negated=True), made),))


def moment(site: Site, node: exp.Expr, *, day: bool = False) -> Moment | None:
    """The date that `node` is for sure; None is NULL.

    The parser writes a conversion to a moment of its own around what is formatted. `date(x)`, also
    where it wrote that, takes the clock away, which `day` says is of no matter.

    Raises:
        Refused: it is text in some other form, or the current time.
    """
    dropped = (exp.TsOrDsToTimestamp, exp.Paren, *((exp.TsOrDsToDate,) if day else ()))
    while isinstance(node, dropped):
        node = node.this
    return moment_of(site, node, site.value(node))


def moment_of(site: Site, node: exp.Expr, given: Value) -> Moment | None:
    """The date that the value of `node` is for sure; None is NULL.

    Raises:
        Refused: it is text in some other form, or the current time.
    """
    value = given.local
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
        timed = value.kind is Kind.DATETIME
        return Moment(value, timed, typed=True, of_session=given.of_session)
    if value.kind is Kind.STRING and not value.mixed:
        if value.form in (TextForm.DATE, TextForm.EMPTY):
            return Moment(value, clock=False, typed=False)
        if value.form is TextForm.DATETIME:
            return Moment(value, clock=True, typed=False)
    raise site.refused("date-text", node, "is not known to be a date in ISO form")


def modified(site: Site, node: exp.Expr, modifiers: Iterable[exp.Expr]) -> Moment | None:
    """The date that SQLite makes of `node` and some modifiers, in turn; None is NULL.

    Raises:
        Refused: `node` is no date for sure, or a modifier has no exact form.
    """
    words = []
    for modifier in modifiers:
        value = site.value(modifier)
        if value.kind is Kind.NULL:
            return None
        word = value.expr.value if isinstance(value.expr, ir.Literal) else None
        if not isinstance(word, str):
            raise site.refused("date-format", node, "is changed by what is no literal")
        words.append(" ".join(word.lower().split()))
    if words and words[0] == "unixepoch":
        when: Moment | None = _since(site, node)
        words = words[1:]
    else:
        when = moment(site, node)
    for word in words:
        if when is None:
            return None
        changed = _changed(when, word)
        if changed is None:
            raise site.refused("date-format", node, f"is changed by '{word}', without a form here")
        when = changed
    return when


def _since(site: Site, node: exp.Expr) -> Moment | None:
    seconds = as_number(site.value(node))
    if seconds is None or seconds.kind not in (Kind.INTEGER, Kind.NULL):
        raise site.refused("date-text", node, "is no whole number of seconds for sure")
    if seconds.kind is Kind.NULL:
        return None
    made = where_there(seconds, added(EPOCH, seconds=seconds.expr))
    value = Value(made, Kind.DATETIME, seconds.nullable, format=WHOLE)
    return Moment(value, clock=True, typed=True, seconds=seconds.expr)


def _changed(origin: Moment, word: str) -> Moment | None:
    nullable = origin.value.nullable
    if word in ("start of day", "start of month", "start of year"):
        size, rest = {"day": (10, ""), "month": (7, "-01"), "year": (4, "-01-01")}[word[9:]]
        start = cut(origin.text, 0, size)
        padded = ir.Arith(ir.ArithOp.ADD, start, ir.Literal(rest)) if rest else start
        value = Value(padded, Kind.STRING, nullable, form=TextForm.DATE, ascii=True)
        return Moment(value, clock=False, typed=False)
    match = _SHIFT.fullmatch(word)
    if match is None:
        return None
    number = int(match[2]) * (-1 if match[1] == "-" else 1)
    unit = f"{match[3]}s"
    if unit in ("months", "years"):
        return _by_months(origin, number * (12 if unit == "years" else 1))
    clock = origin.clock or unit != "days"
    start = origin.local() if clock else origin.date()
    kind = Kind.DATETIME if clock else Kind.DATE
    if origin.fine:
        return None
    written = WHOLE if origin.whole else origin.value.format
    value = Value(added(start, **{unit: number}), kind, nullable, format=written)
    return Moment(value, clock, typed=True)


def _by_months(origin: Moment, months: int) -> Moment | None:
    """SQLite goes on from the end of a shorter month, where durations stay in it: so the days
    are added to the first of the month."""
    if origin.clock:
        return None
    first = ir.Arith(ir.ArithOp.ADD, cut(origin.text, 0, 7), ir.Literal("-01"))
    month = added(ir.Call("date", (first,)), months=months)
    days = ir.Arith(ir.ArithOp.SUB, origin.part("day"), ir.Literal(1))
    made = where_there(origin.value, added(month, days=days))
    value = Value(made, Kind.DATE, origin.value.nullable)
    return Moment(value, clock=False, typed=True)
