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
