"""Values of a graph that TinkerGraph gets wrong in some texts (`engines.hazards.stored`)."""

from __future__ import annotations

import re

from engines.hazards.quotients import seeks_quotients
from engines.hazards.stored import Hazard, StoredValues, float_properties
from engines.hazards.strategies import refuse_misplaced
from graphmill.errors import QueryUnsound
from schemagraph.model import SchemaGraph

_NAMED = r"""['"]NAME['"]"""
_READ = r"""\b(?:by|has|values|valueMap)\((?:['"][^'"]*['"], *)*['"]NAME['"]"""
_ANYWHERE = r"\b(?:out|in|both|outE|inE|bothE|E|repeat|match)\(|\bV\(\)(?!\.hasLabel\()"
_AGAINST_ZERO = r"\b(?:lte?|gte?)\((?!\s*-?[\d.]*[1-9])|\b(?:between|inside|outside)\("
_TOLD_APART = r"\b(?:order|dedup|group|groupCount|min|max)\("
_BETWEEN_VALUES = r"\b(?:n?eq|[lg]te?|within(?:out)?|without)\(['\"]"
_WIDE_FLOAT = r"\b\d{16,}(?:\.\d*)?d|\de\+?(?:1[5-9]|[2-9]\d|\d{3})"
_MADE_FLOAT = r"\bby\(constant\(-?\d*\.\d+d\)\)|\bmean\(|\bmath\(|\bGType\.DOUBLE\b|\bdiv\b"
_OF_MIXED = r"\A(?=.*\b(?:order|min|max)\()(?=.*(?:\bchoose\(|\bunion\(|\bcoalesce\([^,]*values))"
_ORDERS = r"\b(?:lte?|gte?|between|inside|outside|order|min|max)\("
_COUNTED = r"\b(?:length|substring)\((?!\d+, \d+\)\.concat\('\.0'\))"  # but parts of dates
_UNITS = "TinkerGraph counts a character beyond U+FFFF as two."
_HALVES = "TinkerGraph has characters beyond U+FFFF before those from U+E000 on."
_HIGH_WRITTEN = re.compile(r"[\U00010000-\U0010ffff]|\\u[dD][89abAB]")
_LATE_WRITTEN = re.compile(r"[\ue000-\uffff]|\\u[eEfF][0-9a-fA-F]{3}")
_EXTREME = re.compile(r"\b(?:max|min)\(")
_QUOTIENT = re.compile(r"\bsack\(div\)\.by\((?!constant\(-?[\d.]*[1-9])")
_WIDE = "Beyond 2^53 TinkerGraph has an integer for equal to the float that is next to it."
_HAZARDS = (
    Hazard(
        "below_zero",
        _NAMED,
        rf"{_AGAINST_ZERO}|{_TOLD_APART}|\bdiv\b",
        "TinkerGraph divides by -0.0 as by 0.0, and has neither before the other.",
        _ANYWHERE,
    ),
    Hazard(
        "infinite",
        _NAMED,
        r"\b(?:sum|mean)\(",
        "TinkerGraph leaves NaN out of sums, as inf - inf.",
        _ANYWHERE,
    ),
    Hazard(
        "zero",
        r"""div\)\.by\(['"]NAME['"]\)""",
        r"\A(?!.*neq\(0)",
        "TinkerGraph divides a float by the integer 0, which is an error in Cypher.",
        _ANYWHERE,
    ),
    Hazard(
        "high",
        _NAMED,
        _COUNTED,
        _UNITS,
        _ANYWHERE,
    ),
    Hazard(
        "orders_by_halves",
        _NAMED,
        _ORDERS,
        _HALVES,
        _ANYWHERE,
    ),
)


def tinkergraph_hazards(schema: SchemaGraph) -> tuple[Hazard, ...]:
    """Those of TinkerGraph with the graph of a schema."""
    between = rf"{_BETWEEN_VALUES}|{_OF_MIXED}"
    beside = float_properties(schema)
    return (
        *_HAZARDS,
        Hazard("wide", _READ, between, _WIDE, _ANYWHERE, beside, _MADE_FLOAT),
        Hazard("wide", _READ, _WIDE_FLOAT, _WIDE, _ANYWHERE),
    )


def refuse_written(text: str, stored: StoredValues) -> None:
    """Refuse a text that orders characters which it writes beside others, or stored ones, that
    counts such, that looks for the greatest of quotients by what may be zero, that shows a number
    which TinkerPop does not count to its end, or that has windows which TinkerPop confuses.

    Raises:
        QueryUnsound: TinkerGraph answers it wrongly.
    """
    refuse_misplaced(text)
    if _EXTREME.search(text) and _QUOTIENT.search(text) and seeks_quotients(text):
        raise QueryUnsound("To TinkerGraph what is no number, as 0.0 / 0.0, is not the greatest.")
    high, late = _HIGH_WRITTEN.search(text), _LATE_WRITTEN.search(text)
    if high and re.search(_COUNTED, text):
        raise QueryUnsound(f"{_UNITS} This text has such characters.")
    if not (high or late) or not re.search(_ORDERS, text):
        return
    if (high or stored.high) and (late or stored.late):
        raise QueryUnsound(f"{_HALVES} This text orders such characters.")
