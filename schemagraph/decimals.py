"""Columns of exact numbers (`Lane.NUMBER`): when a property can hold them, and how.

A double holds every decimal of up to 15 significant digits, and gives it back when it is printed
with as many digits after the point (IEEE 754-2019, section 5.12.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from schemagraph.model import Kind

AS_NEEDED = -1  # every value has as many digits after the point as it needs
_DIGITS = 15
_INTEGER = r"^(0|-?[1-9][0-9]*)$"
_SHORTEST = r"^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$"
_MOST_PLACES = 6  # Arrow prints decimals with more of them with an exponent


def kind_of(batches: Iterable[Any]) -> tuple[Kind, int]:
    """The kind for all of the texts, and the digits after the point (`Column.decimals`)."""
    forms: list[tuple[Kind, int]] | None = None
    for texts in batches:
        present = texts.drop_null()
        if not len(present):
            continue
        if forms is None:
            places = len(present[0].as_py().partition(".")[2])
            forms = [(Kind.INTEGER, 0), (Kind.FLOAT, places), (Kind.FLOAT, AS_NEEDED)]
        forms = [form for form in forms if _fits(*form, present)]
        if not forms:
            break
    return forms[0] if forms else (Kind.STRING, AS_NEEDED)


def _fits(kind: Kind, places: int, texts: Any) -> bool:
    """Whether all texts are written in that form, so that decoding gives them back."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind is Kind.INTEGER:
        if not _all_match(texts, _INTEGER):
            return False
        try:
            texts.cast(pa.int64())
        except pa.ArrowInvalid:
            return False
        return True
    if places == AS_NEEDED:
        digits = pc.replace_substring_regex(texts, "[-.]", "")
        few = pc.max(pc.utf8_length(digits)).as_py() <= _DIGITS
        return few and _all_match(texts, _SHORTEST)
    if not 0 < places <= _MOST_PLACES:
        return False
    fixed = rf"^-?(0|[1-9][0-9]{{0,{_DIGITS - places - 1}}})\.[0-9]{{{places}}}$"
    negative_zero = pc.match_substring_regex(texts, r"^-0\.0+$")
    return _all_match(texts, fixed) and not pc.any(negative_zero).as_py()


def _all_match(texts: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def encode(kind: Kind, texts: Any) -> Any:
    """Texts of numbers as values of a property of that kind."""
    import pyarrow as pa

    return texts.cast({Kind.INTEGER: pa.int64(), Kind.FLOAT: pa.float64()}.get(kind, pa.string()))


def decode(kind: Kind, places: int, array: Any) -> Any:
    """The inverse of `encode`."""
    import pyarrow as pa

    if kind is not Kind.FLOAT:
        return array.cast(pa.string())
    if places != AS_NEEDED:
        return array.cast(pa.decimal128(_DIGITS + 1, places)).cast(pa.string())
    coded = array.dictionary_encode()
    shown = [format(Decimal(repr(v)).normalize(), "f") for v in coded.dictionary.to_pylist()]
    return pa.array(shown, pa.string()).take(coded.indices)
