"""Terms of SPARQL: prefixed names, strings, numbers, typed literals."""

from __future__ import annotations

import math
import re

from graph_ir.temporal.values import Moment, Span, clock_text, date_text, offset_text
from graphmill.errors import Refused
from schemagraph.model import Kind
from schemagraph.rdf.names import encode
from schemagraph.rdf.terms import double, quoted

NOTHING = "pg:nothing"  # a resource that no graph has
ERROR = "1/0"  # an expression without a value: SPARQL's null


def label(name: str) -> str:
    """The class of a label."""
    return f"label:{encode(name)}"


def edge(name: str) -> str:
    """An edge type."""
    return f"edge:{encode(name)}"


def prop(key: str) -> str:
    """The predicate of a property."""
    return f"prop:{encode(key)}"


def string(text: str) -> str:
    """A string."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Refused("name-character", "string", "Half of a surrogate pair is no character.")
    return quoted(text)


def integer(value: int) -> str:
    """An integer; the least of 64 bits is one token, as no greater number is negated."""
    return typed(str(value), "xsd:integer") if value == -(2**63) else str(value)


def number(value: float) -> str:
    """A double."""
    if value == 0 and math.copysign(1, value) < 0:
        raise Refused("number", "-0.0", "In SPARQL negative zero is no less than zero.")
    if not math.isfinite(value):
        return f'"{double(value)}"^^xsd:double'
    text = repr(value)
    if "e" in text:
        return text
    return f"{text}e0"


def decimal(value: float) -> str | None:
    """A number with a point, where comparing with it is comparing with the double."""
    text = repr(value)
    return text if "e" not in text and math.isfinite(value) else None


def typed(text: str, datatype: str) -> str:
    """A literal of a datatype by its prefixed name."""
    return f"{quoted(text)}^^{datatype}"


_MOMENTS = {
    Kind.DATE: "xsd:date",
    Kind.TIME: "xsd:time",
    Kind.ZONED_TIME: "xsd:time",
    Kind.DATETIME: "xsd:dateTime",
    Kind.ZONED_DATETIME: "xsd:dateTime",
}


def moment(value: Moment) -> str:
    """A temporal constant.

    Raises:
        Refused: XSD has no such value: named zones, offsets with seconds, years of five digits.
    """
    if value.zone or (value.offset or 0) % 60:
        raise Refused("temporal", str(value), "XSD knows offsets of minutes, and no named zones.")
    shown = ""
    if value.kind not in (Kind.TIME, Kind.ZONED_TIME):
        day = date_text(value.days)
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", day) or day.startswith("0000"):
            raise Refused("temporal", str(value), "Years have four digits here.")
        shown = day
    if value.kind is not Kind.DATE:
        clock = _fractions(clock_text(value.nanos))
        shown += f"T{clock}" if shown else clock
    if value.kind in (Kind.ZONED_TIME, Kind.ZONED_DATETIME):
        shown += offset_text(value.offset or 0)
    return typed(shown, _MOMENTS[value.kind])


def _fractions(clock: str) -> str:
    """With seconds, and a fraction without zeros at its end."""
    if clock.count(":") == 1:
        clock += ":00"
    return clock.rstrip("0").rstrip(".") if "." in clock else clock


def span(value: Span) -> str:
    """A constant duration, in the form of those that are stored."""
    return typed(str(value), "pg:duration")
