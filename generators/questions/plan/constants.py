"""Constants of conditions, and the words that engineers have for comparisons of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_ir import nodes as ir
from graphmill.english.inflection import listing

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
_MOMENTS = frozenset({"date", "datetime", "localdatetime", "time", "localtime", "duration"})


_MIDNIGHT = re.compile(r"[T ]00:00(?::00(?:\.0+)?)?Z?$")


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a condition: its value, and which sort of moment it is, if one."""

    value: bool | int | float | str | None
    moment: str = ""

    def text(self) -> str:
        """How engineers write it: text in quotation marks, large numbers with commas."""
        match self.value:
            case str() if self.moment in ("datetime", "localdatetime"):
                return _MIDNIGHT.sub("", self.value).replace("T", " ")
            case str() if self.moment:
                return self.value
            case str():
                return f'"{self.value}"'
            case bool():
                return "true" if self.value else "false"
            case None:
                return "unknown"
        plain = str(self.value) if abs(self.value) < 10_000 else f"{self.value:,}"
        return plain.removesuffix(".0")


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
    match = _DURATION.fullmatch(text)
    if match is None:
        return text
    parts = [(match[key], noun) for key, noun in _PARTS if match[key]]
    amounts = [f"{many} {noun}{'' if many == '1' else 's'}" for many, noun in parts]
    return listing(amounts) if amounts else text


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
