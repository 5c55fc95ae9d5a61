"""Columns that a system keeps for itself: who changed a row and when, where it stands in a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_STAMPS = re.compile(
    r"(?:crtd|created?|updated?|modified|inserted|changed|edited|last_?update[d]?|last_?modified)"
    r"_?(?:ts|at|on|date|time|timestamp|datetime|by)?$|^(?:ts|timestamp|row_?version)$",
    re.IGNORECASE,
)
_AUDIT = re.compile(
    r"(?:^|_)(?:(?:created|inserted|updated|modified|changed|entered)_(?:by|user|date|time|id)"
    r"|deleted(?:_(?:by|user|date|time|at|on|ind|indicator|fl|flg|flag|yn))?)$"
)
_CHANGES = re.compile(r"(?:updated|modified|changed)_(?:by|user|date|time)$")
_PLACES = (("line", "number"), ("sequence", "number"), ("sort", "order"), ("display", "order"))
_DIGITS = re.compile(
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?"
)


def is_stamp(name: str, words: Sequence[str]) -> bool:
    """Whether a column says who made, changed or deleted its row, or when.

    >>> is_stamp("CRE_DT", ["created", "date"]), is_stamp("opened", ["opened"])
    (True, False)
    """
    return bool(_STAMPS.search(name) or _AUDIT.search(_joined(words)))


def is_audit(words: Sequence[str]) -> bool:
    """Whether a column says who changed its row, or when."""
    return bool(_CHANGES.search(_joined(words)))


def is_place(words: Sequence[str]) -> bool:
    """Whether a number only says where a row stands among others.

    >>> is_place(["payment", "sequence", "no"]), is_place(["line", "total"])
    (True, False)
    """
    low = tuple("number" if word == "no" else word.lower() for word in words[-2:])
    return low in _PLACES


def is_digit_day(value: Any) -> bool:
    """Whether a text or a number writes a day of 1900 to 2099, or a moment of one, in digits alone.

    >>> is_digit_day("20110930"), is_digit_day(201109301530), is_digit_day("20111330")
    (True, True, False)
    """
    return isinstance(value, str | int) and bool(_DIGITS.fullmatch(str(value)))


def _joined(words: Sequence[str]) -> str:
    return "_".join(words).lower()
