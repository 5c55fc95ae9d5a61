"""Values of a source column as values of its property, and back, in whole batches.

`schemagraph.convert.column_types` decides the property's type; decode(encode(x)) is x for every
column, which `schemagraph.convert.lossless` checks on the data itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from schemagraph import decimals, json_lists
from schemagraph.arrow import arrow_type
from schemagraph.mapping import Column
from schemagraph.model import Kind
from schemagraph.storage_classes import Lane, Lanes, RawText, lanes, values
from schemagraph.temporal import PRINTED, format_of, print_all, typed

EXACT = 2**53  # integers up to here are exact in a FLOAT
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
_REAL = re.compile(r"-?([0-9.e+-]+|inf)\Z")
_NUMERIC_CLASSES = frozenset({Lane.INTEGER, Lane.REAL})


def number_of(text: str) -> int | float | None:
    """The number whose shortest text is `text`."""
    if _INTEGER.match(text) and text != "-0":
        number = int(text)
        return number if -(2**63) <= number < 2**63 else None
    if _REAL.match(text):
        try:
            real = float(text)
        except ValueError:
            return None
        return real if repr(real) == text else None
    return None


def encode(column: Column, cells: Lanes, length: int) -> Any:
    """The values of a column as an Arrow array of its property's type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    target = arrow_type(column.type)
    if not cells:
        return pa.nulls(length, target)
    if column.literals:
        return pa.array([sql_literal(value) for value in values(cells, length)], target)
    if column.mixed:
        parts = [cells[Lane.TEXT]] if Lane.TEXT in cells else []
        for lane in _NUMERIC_CLASSES & cells.keys():
            parts.append(_each(cells[lane], repr))
        return pc.coalesce(*parts)
    if column.undecodable:
        return pc.coalesce(*(array.cast(target) for array in cells.values()))
    if column.integers:
        return pc.coalesce(*(array.cast(target) for array in cells.values()))
    (array,) = cells.values()
    if column.decimals is not None:
        return decimals.encode(column.type.kind, array)
    if column.type.kind is Kind.LIST:
        return json_lists.encode(column.type, array)
    if column.type.kind in PRINTED:
        return typed(column.type.kind, array)
    return array if array.type == target else array.cast(target)


def decode(column: Column, array: Any) -> Lanes:
    """The inverse of `encode`: what the source stores for these property values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if array.null_count == len(array):
        return {}
    if column.literals:
        return lanes([_from_literal(text) for text in array.to_pylist()])
    if column.mixed:
        return lanes([_from_mixed(text) for text in array.to_pylist()])
    if column.undecodable:
        return lanes([None if raw is None else RawText(raw) for raw in array.to_pylist()])
    if column.integers:
        whole = pc.equal(pc.floor(array), array)
        bounded = pc.less_equal(pc.abs(array), float(EXACT))
        is_integer = pc.and_(whole, bounded)
        nothing = pa.scalar(None, pa.float64())
        parts = {
            Lane.INTEGER: pc.if_else(is_integer, array, nothing).cast(pa.int64()),
            Lane.REAL: pc.if_else(is_integer, nothing, array),
        }
        return {lane: part for lane, part in parts.items() if part.null_count < len(part)}
    kind = column.type.kind
    if column.decimals is not None:
        return {Lane.NUMBER: decimals.decode(kind, column.decimals, array)}
    if kind is Kind.LIST:
        return {Lane.TEXT: json_lists.decode(array)}
    if kind in PRINTED:
        return {Lane.TEXT: print_all(kind, format_of(column.format), array)}
    if kind is Kind.BOOLEAN:
        return {Lane.INTEGER: array.cast(pa.int64())}
    plain = {Kind.INTEGER: Lane.INTEGER, Kind.FLOAT: Lane.REAL, Kind.BYTES: Lane.BLOB}
    return {plain.get(kind, Lane.TEXT): array}


def _each(array: Any, text: Callable[[Any], str]) -> Any:
    """Texts of an array's values, made once for each distinct value."""
    import pyarrow as pa

    coded = array.dictionary_encode()
    made = pa.array([text(value) for value in coded.dictionary.to_pylist()], pa.string())
    return made.take(coded.indices)


def _from_mixed(text: str | None) -> Any:
    number = None if text is None else number_of(text)
    return text if number is None else number


def sql_literal(value: Any) -> str | None:
    """A value as an SQL literal.

    >>> [sql_literal(v) for v in (1, 1.0, float("-inf"), "it's", b"\\xff", RawText(b"\\xff"))]
    ['1', '1.0', '-9e999', "'it''s'", "X'FF'", "CAST(X'FF' AS TEXT)"]
    """
    match value:
        case None:
            return None
        case float() if value in (float("inf"), float("-inf")):
            return "9e999" if value > 0 else "-9e999"
        case int() | float():
            return repr(value)
        case str():
            return "'" + value.replace("'", "''") + "'"
        case RawText():
            return f"CAST(X'{value.hex().upper()}' AS TEXT)"
    return f"X'{value.hex().upper()}'"


def _from_literal(text: str | None) -> Any:
    if text is None:
        return None
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.startswith("X'"):
        return bytes.fromhex(text[2:-1])
    if text.startswith("CAST("):
        return RawText(bytes.fromhex(text[7:-10]))
    return int(text) if _INTEGER.match(text) else float(text)
