"""Constants and comparisons in words: how values are written and what people say of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generators.questions.author import NotExpressible
from generators.questions.lexicon.properties import PropertyWords
from graph_ir import nodes as ir
from graph_ir.values import whole_period
from graphmill.english.inflection import listing, within
from schemagraph.naming import singular

FLIPPED = {
    ir.CompareOp.EQ: ir.CompareOp.EQ,
    ir.CompareOp.NE: ir.CompareOp.NE,
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}
OPPOSITE = {
    ir.CompareOp.EQ: ir.CompareOp.NE,
    ir.CompareOp.NE: ir.CompareOp.EQ,
    ir.CompareOp.LT: ir.CompareOp.GE,
    ir.CompareOp.LE: ir.CompareOp.GT,
    ir.CompareOp.GT: ir.CompareOp.LE,
    ir.CompareOp.GE: ir.CompareOp.LT,
}
MORE = {
    ir.CompareOp.EQ: "exactly",
    ir.CompareOp.NE: "not exactly",
    ir.CompareOp.GT: "more than",
    ir.CompareOp.GE: "at least",
    ir.CompareOp.LT: "fewer than",
    ir.CompareOp.LE: "at most",
}
ABOVE = {
    ir.CompareOp.EQ: "of {}",
    ir.CompareOp.NE: "other than {}",
    ir.CompareOp.GT: "above {}",
    ir.CompareOp.GE: "of at least {}",
    ir.CompareOp.LT: "below {}",
    ir.CompareOp.LE: "of at most {}",
}
_MOMENTS = frozenset({"date", "datetime", "localdatetime", "time", "localtime", "duration"})
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")
_CLOCK = re.compile(r"\d\d:\d\d(?::\d\d)?")
_FOLDING = frozenset({"toLower", "toUpper", "lower", "upper"})


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a condition: its value, and whether it is a moment."""

    value: bool | int | float | str | None
    moment: str = ""

    @property
    def timely(self) -> bool:
        """Whether it is a moment, if only written as a text."""
        dated = isinstance(self.value, str) and bool(_ISO_DATE.fullmatch(self.value))
        return bool(self.moment) or dated

    def text(self, words: PropertyWords | None = None, *, bare: bool = False) -> str:
        """How it is written: text in quotation marks, large numbers with commas."""
        value = self.value
        if self.moment == "duration":
            return duration_text(str(value))
        if self.moment in ("datetime", "localdatetime") and isinstance(value, str):
            return moment_text(value)
        if isinstance(value, str):
            if _ISO_DATE.fullmatch(value) and (_dated(words) or self.moment):
                return moment_text(value) if "T" in value else value
            if self.moment or bare:
                return value
            return f'"{value}"'
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None:
            return "unknown"
        plain = abs(value) < 10_000 or (words is not None and (words.year or words.reference))
        shown = str(value) if plain else f"{value:,}"
        shown = shown.removesuffix(".0")
        if words is None or not words.unit:
            return shown
        unit = words.unit
        return f"{shown} {singular(unit) if shown == '1' and len(unit) > 3 else unit}"


def _dated(words: PropertyWords | None) -> bool:
    return words is not None and ("date" in words.noun or words.temporal)


def constant(expr: ir.Expr) -> Constant | None:
    """The constant that an expression is, if it is one."""
    match expr:
        case ir.Literal(value):
            return Constant(value)
        case ir.Call(name, (ir.Literal(value),)) if name in _MOMENTS and isinstance(value, str):
            return Constant(value, name)
        case ir.Param(name):
            return Constant(f"${name}", "parameter")
        case ir.Neg(arg):
            inner = constant(arg)
            if inner is not None and isinstance(inner.value, int | float):
                return Constant(-inner.value)
    return None


_PARTS = (
    ("Y", "year"),
    ("M", "month"),
    ("W", "week"),
    ("D", "day"),
    ("h", "hour"),
    ("m", "minute"),
    ("s", "second"),
)
_DURATION = re.compile(
    r"P(?:(?P<Y>\d+)Y)?(?:(?P<M>\d+)M)?(?:(?P<W>\d+)W)?(?:(?P<D>\d+)D)?"
    r"(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>[\d.]+)S)?)?"
)


def duration_text(text: str) -> str:
    """An ISO duration in words, as it is where it has no plain ones.

    >>> duration_text("P30D"), duration_text("P1Y6M"), duration_text("PT12H"), duration_text("-P1D")
    ('30 days', '1 year and 6 months', '12 hours', '-P1D')
    """
    found = _DURATION.fullmatch(text)
    if found is None:
        return text
    parts = [(found[key], noun) for key, noun in _PARTS if found[key]]
    said = [f"{many} {noun}{'' if many == '1' else 's'}" for many, noun in parts]
    return listing(said) if said else text


_MIDNIGHT = re.compile(r"[T ]00:00(?::00(?:\.0+)?)?Z?$")


def moment_text(text: str) -> str:
    """A moment as people write it: without the T, the day alone where it is midnight.

    >>> moment_text("2024-05-01T00:00:00"), moment_text("2024-05-01T08:30:00")
    ('2024-05-01', '2024-05-01 08:30')
    """
    found = _MIDNIGHT.sub("", text).replace("T", " ")
    return found.removesuffix("Z").removesuffix(":00") if " " in found else found


MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
YEARS = {
    ir.CompareOp.EQ: "in {}",
    ir.CompareOp.NE: "not in {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "in {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "in {} or earlier",
}


def unfolded(expr: ir.Expr) -> tuple[ir.Expr, bool]:
    """An expression without toLower() and toString() around it, and whether case was folded."""
    folded = False
    while isinstance(expr, ir.Call) and len(expr.args) == 1:
        if expr.name in _FOLDING:
            folded = True
        elif expr.name != "toString":
            break
        expr = expr.args[0]
    return expr, folded


def compared(
    op: ir.CompareOp, other: str, words: PropertyWords | None, value: Constant | None
) -> str:
    """The verb phrase of a comparison: "is more than 5", "is on or after 2020-01-01".

    `words` belong to the left side, `value` is the right side where that is a constant.
    """
    kind = _kind(words, value)
    plural = words is not None and words.plural
    be = "are" if plural else "is"
    bare = words is not None and not within(words.noun) and not words.unit
    if kind == "number" and plural and bare:
        be = "number"
    if op is ir.CompareOp.EQ:
        same = "" if value is not None else "the same as "
        be = "number" if be == "number" and value is not None else "are" if plural else "is"
        return f"{be} {'exactly ' if plural else ''}{same}{other}"
    if op is ir.CompareOp.NE:
        if value is None:
            return f"{'differ' if plural else 'differs'} from {other}"
        return f"{'are' if plural else 'is'} not {other}"
    if be == "number" and op is ir.CompareOp.LT:
        return f"number fewer than {other}"
    return f"{be} {_COMPARISONS[kind][op].format(other)}"


_COMPARISONS = {
    "number": {
        ir.CompareOp.GT: "more than {}",
        ir.CompareOp.GE: "at least {}",
        ir.CompareOp.LT: "less than {}",
        ir.CompareOp.LE: "at most {}",
    },
    "year": {
        ir.CompareOp.GT: "after {}",
        ir.CompareOp.GE: "{} or later",
        ir.CompareOp.LT: "before {}",
        ir.CompareOp.LE: "{} or earlier",
    },
    "date": {
        ir.CompareOp.GT: "after {}",
        ir.CompareOp.GE: "on or after {}",
        ir.CompareOp.LT: "before {}",
        ir.CompareOp.LE: "on or before {}",
    },
    "time": {
        ir.CompareOp.GT: "after {}",
        ir.CompareOp.GE: "{} or later",
        ir.CompareOp.LT: "before {}",
        ir.CompareOp.LE: "{} or earlier",
    },
    "text": {
        ir.CompareOp.GT: "after {} in the alphabet",
        ir.CompareOp.GE: "{} or after it in the alphabet",
        ir.CompareOp.LT: "before {} in the alphabet",
        ir.CompareOp.LE: "{} or before it in the alphabet",
    },
}


def _kind(words: PropertyWords | None, value: Constant | None) -> str:
    if value is not None and isinstance(value.value, str) and value.moment != "parameter":
        if value.moment in ("time", "localtime") or _CLOCK.fullmatch(value.value):
            return "time"
        if value.moment and value.moment != "duration":
            return "date"
        if _ISO_DATE.fullmatch(value.value):
            return "date"
        return "text"
    if words is not None:
        if words.year:
            return "year"
        if words.temporal:
            return "date"
        if words.clock:
            return "time"
        if words.textual:
            return "text"
    return "number"


def between(lo: str, hi: str) -> str:
    """Both ends included.

    >>> between("1 dollar", "10 dollars"), between("2020", "2021")
    ('between 1 and 10 dollars', 'between 2020 and 2021')
    """
    bare, _, unit = lo.partition(" ")
    if unit and bare[:1].isdigit() and singular(hi.partition(" ")[2]) == singular(unit):
        lo = bare
    return f"between {lo} and {hi}"


def period(lo: str, hi: str) -> str:
    """The first moment included, the last not: "in March 2021" for a whole month.

    >>> period("2021-03-01", "2021-04-01"), period("2021-01-01", "2022-01-01")
    ('in March 2021', 'in 2021')
    >>> period("2021-03-01", "2021-05-01")
    'on or after 2021-03-01 and before 2021-05-01'
    """
    whole = whole_period(lo, hi)
    return f"in {whole}" if whole else f"on or after {lo} and before {hi}"


def tested(op: ir.TextOp, value: str, *, folded: bool, negated: bool) -> str:
    """The verb phrase of a text test."""
    verbs = {
        ir.TextOp.STARTS: ("starts with", "does not start with"),
        ir.TextOp.ENDS: ("ends with", "does not end with"),
        ir.TextOp.CONTAINS: ("contains", "does not contain"),
        ir.TextOp.REGEX: (
            "matches the regular expression",
            "does not match the regular expression",
        ),
    }
    anyhow = " (ignoring case)" if folded else ""
    return f"{verbs[op][negated]} {value}{anyhow}"


_MANY = {
    "is": "are",
    "does": "do",
    "starts": "start",
    "ends": "end",
    "contains": "contain",
    "matches": "match",
}


def agreed(verb: str, words: PropertyWords | None) -> str:
    """The verb phrase, for many where the property is a plural: "details start with"."""
    first, blank, rest = verb.partition(" ")
    many = words is not None and words.plural
    return f"{_MANY.get(first, first)}{blank}{rest}" if many else verb


def chosen(values: list[str], *, negated: bool) -> str:
    """The verb phrase of IN."""
    if negated:
        if len(values) == 1:
            return f"is not {values[0]}"
        return f"is neither {listing(values, 'nor')}"
    return f"is {listing(values, 'or')}"


def number(expr: ir.Expr) -> int:
    """A number literal.

    Raises:
        NotExpressible: it is something else.
    """
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int):
        return expr.value
    raise NotExpressible("a number that is computed")
