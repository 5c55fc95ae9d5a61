"""Which columns of a database hold what is replaced: texts that are no dates, numbers or flags;
and numbers that are kept for what they name (telephones, cards, accounts, large keys)."""

from __future__ import annotations

import re
from collections.abc import Collection

_TIME = re.compile(
    r"\d{4}-\d\d?(-\d\d?)?([ T]\d\d?:\d\d.*)?|\d\d?:\d\d(:\d\d)?(\.\d+)?|"
    r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}( \d\d?:\d\d.*)?|P[\dYMWDTHS.]+"
)
_NUMBER = re.compile(r"[+-]?\d{1,4}|[+-]?\d*\.\d+([eE][+-]?\d+)?")
_FLAGS = frozenset(("true", "false", "t", "f", "0", "1"))
_NAMED = re.compile(
    r"phone|fax|mobile|cell|ssn|social|passport|tax|vat|iban|account|acct|card|licen[cs]e|plate|"
    r"zip|postal|postcode|isbn|issn|barcode|serial|imei|patient|insurance|national|contact",
    re.IGNORECASE,
)
_LEAST = 1_000  # smaller numbers name nobody
_LARGE = 1_000_000


def is_time(text: str) -> bool:
    """Whether a text is a date, a time or a span of time."""
    return bool(_TIME.fullmatch(text))


def holds_texts(values: Collection[str]) -> bool:
    """Whether a column's texts are words, names or codes.

    >>> holds_texts({"1999-01-02"}), holds_texts({"0.5", "12"}), holds_texts({"94040", "12"})
    (False, False, True)
    """
    for is_other in (is_time, _NUMBER.fullmatch, lambda text: text.lower() in _FLAGS):
        if all(is_other(text) for text in values):
            return False
    return True


def names_by_number(column: str, values: Collection[int], *, is_key: bool) -> bool:
    """Whether a column's whole numbers are kept for what they name.

    >>> names_by_number("phone", [5551234], is_key=False), names_by_number("id", [1], is_key=True)
    (True, False)
    """
    if not values or min(map(abs, values)) < _LEAST:
        return False
    if _NAMED.search(column):
        return True
    spread = max(values) - min(values)
    return is_key and min(map(abs, values)) >= _LARGE and spread > 20 * len(values)
