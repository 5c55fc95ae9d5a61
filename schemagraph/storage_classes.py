"""Values of one source column as Arrow arrays, one lane for each storage class.

A lane holds the values of its class and NULL elsewhere; a lane without a value is left out. So
`[1, None, 'a']` is `{INTEGER: [1, NULL, NULL], TEXT: [NULL, NULL, 'a']}`. Nothing is converted:
lanes are the exact content of the source, and what content hashes are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any


class RawText(bytes):
    """Text of the source that is not UTF-8, as its bytes."""


class Lane(StrEnum):
    """Storage classes (sqlite.org/datatype3.html, section 2); RAW is text that is not UTF-8.

    NUMBER is an exact number of an engine with decimals or integers beyond 64 bits: its digits as
    the engine prints them (`12.50`), without an exponent.
    """

    INTEGER = "i"
    REAL = "f"
    TEXT = "t"
    BLOB = "b"
    RAW = "r"
    NUMBER = "n"


type Lanes = Mapping[Lane, Any]
"""Arrow arrays of one length by lane; empty where all values are NULL."""

type Batch = tuple[int, Sequence[Lanes]]
"""Some rows of a table: how many, and the lanes of each column."""

_CLASSES: dict[type, Lane] = {
    int: Lane.INTEGER,
    float: Lane.REAL,
    str: Lane.TEXT,
    bytes: Lane.BLOB,
    RawText: Lane.RAW,
}


def arrow_type(lane: Lane) -> Any:
    """The Arrow type of a lane."""
    import pyarrow as pa

    return {
        Lane.INTEGER: pa.int64(),
        Lane.REAL: pa.float64(),
        Lane.TEXT: pa.string(),
        Lane.BLOB: pa.binary(),
        Lane.RAW: pa.binary(),
        Lane.NUMBER: pa.string(),
    }[lane]


def lanes(values: Sequence[Any]) -> Lanes:
    """Python values of one column as lanes."""
    import pyarrow as pa

    classes = set(map(type, values))
    classes.discard(type(None))
    if RawText in classes:
        values = [_text(value) if type(value) is RawText else value for value in values]
        classes = set(map(type, values)) - {type(None)}
    if len(classes) == 1:
        (single,) = classes
        return {_CLASSES[single]: pa.array(values, arrow_type(_CLASSES[single]))}
    return {
        lane: pa.array([v if type(v) is kind else None for v in values], arrow_type(lane))
        for kind, lane in _CLASSES.items()
        if kind in classes
    }


def _text(value: RawText) -> str | RawText:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


@lru_cache(maxsize=32)
def _counting(length: int) -> Any:
    import pyarrow as pa

    return pa.array(range(length), pa.int64())


def numbers(first: int, length: int) -> Any:
    """The integers from `first` on, as an Arrow array."""
    import pyarrow.compute as pc

    return pc.add(_counting(1 << max(length - 1, 0).bit_length()).slice(0, length), first)


def values(cells: Lanes, length: int) -> list[Any]:
    """The inverse of `lanes`."""
    cell_values: list[Any] = [None] * length
    for lane, array in cells.items():
        for i, value in enumerate(array.to_pylist()):
            if value is not None:
                cell_values[i] = RawText(value) if lane is Lane.RAW else value
    return cell_values
