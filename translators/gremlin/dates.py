"""Temporal constants: TinkerPop has one type for them, so dates are ISO texts in a graph.

Texts of one kind order as the dates do: their parts have a fixed width, and a fraction follows the
seconds of which it is a part (ISO 8601; `engines.values`).
"""

from __future__ import annotations

from graph_ir.temporal.construct import moment
from graphmill.errors import Refused, shortened
from schemagraph.model import Kind
from translators.gremlin.steps.text import Traversal, step

DATES = {"date": Kind.DATE, "localdatetime": Kind.DATETIME, "localtime": Kind.TIME}


def moment_text(function: str, text: str) -> str:
    """The text of `date('…')` and its relatives as a graph holds it.

    >>> moment_text("date", "20240131")
    '2024-01-31'
    """
    try:
        made = moment(DATES[function], text)
    except ValueError as problem:
        raise Refused(
            "temporal-text", function, f"'{shortened(text)}' is no such value."
        ) from problem
    shown = made.shown()
    if not shown[:4].isdigit() and made.kind is not Kind.TIME:
        raise Refused(
            "temporal-text", function, f"The year of '{shortened(text)}' has not four digits."
        )
    return shown


_PLACES = {"year": (0, 4), "month": (5, 7), "day": (8, 10)}
_CLOCK = {"hour": (0, 2), "minute": (3, 5), "second": (6, 8)}


def component(kind: Kind, key: str) -> Traversal:
    """Steps from the text of a date, a time or a local datetime to a part of it.

    Raises:
        Refused: the part has no place of its own in the text.
    """
    places = {
        Kind.DATE: _PLACES,
        Kind.TIME: _CLOCK,
        Kind.DATETIME: {**_PLACES, **{k: (a + 11, b + 11) for k, (a, b) in _CLOCK.items()}},
    }.get(kind, {})
    if key not in places:
        raise Refused("temporal-component", key, "Gremlin has no access to this part of a date.")
    lo, hi = places[key]
    # '08' alone would be read as octal
    number = (step("concat", "'.0'"), step("asNumber", "GType.LONG"))
    return step("substring", str(lo), str(hi)), *number
