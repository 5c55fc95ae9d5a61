"""Dates and times that are stored as text: which texts printing a typed value gives back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.model import Kind, Type


def _iso_time(array: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.replace_substring_regex(array.cast(pa.string()), r"\.000000$", "")


def _iso_datetime(array: Any) -> Any:
    import pyarrow.compute as pc

    return pc.replace_substring(_iso_time(array), " ", "T", max_replacements=1)


def _iso_date(array: Any) -> Any:
    import pyarrow as pa

    return array.cast(pa.string())


PRINTS: dict[Kind, Callable[[Any], Any]] = {
    Kind.DATE: _iso_date,
    Kind.TIME: _iso_time,
    Kind.DATETIME: _iso_datetime,
}
_LENGTHS = {Kind.DATE: (10,), Kind.TIME: (8, 15), Kind.DATETIME: (19, 26)}


def prints_exactly(kind: Kind, texts: Any) -> bool:
    """Whether every text is what printing its typed value gives."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lengths = pc.is_in(pc.utf8_length(texts), value_set=pa.array(_LENGTHS[kind], pa.int32()))
    if not pc.all(pc.or_kleene(lengths, texts.is_null())).as_py():
        return False
    if kind is not Kind.TIME and pc.min(texts).as_py() < "0001-01-01":
        return False
    try:
        printed = PRINTS[kind](typed(kind, texts))
    except pa.ArrowInvalid:
        return False
    return bool(printed.equals(texts))


def typed(kind: Kind, texts: Any) -> Any:
    """ISO texts as an array of the temporal kind; Arrow parses no times, so they get a day."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if kind is Kind.TIME:
        dated = pc.binary_join_element_wise("1970-01-01", texts, "T")
        return dated.cast(pa.timestamp("us")).cast(pa.time64("us"))
    return texts.cast(arrow_type(Type(kind)))


_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
_ZONE = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_READABLE = {
    Kind.ZONED_DATETIME: rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T{_CLOCK}{_ZONE}$",
    Kind.ZONED_TIME: rf"^{_CLOCK}{_ZONE}$",
    Kind.DURATION: r"^P(-?[0-9]+Y)?(-?[0-9]+M)?(-?[0-9]+D)?"
    r"(T(-?[0-9]+H)?(-?[0-9]+M)?(-?[0-9]+(\.[0-9]{1,6})?S)?)?$",
}


def is_readable(kind: Kind, texts: Any) -> bool:
    """Whether all texts are values of a kind that GraphData keeps as ISO 8601 text."""
    import pyarrow.compute as pc

    if kind not in _READABLE:
        return True
    if not pc.all(pc.match_substring_regex(texts, _READABLE[kind])).as_py():
        return False
    if kind is Kind.DURATION:
        return bool(pc.all(pc.match_substring_regex(texts, "[0-9][YMDHS]$")).as_py())
    return kind is not Kind.ZONED_DATETIME or bool(pc.min(texts).as_py() >= "0001-01-01")
