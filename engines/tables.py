"""Answers as Arrow tables: a type for each column, whatever is in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

METADATA = {"graphmill": "json"}  # of a field whose values are JSON text
_LARGEST = 1 << 63


def as_arrow(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pa.Table:
    """Columns by name (see `engines.base.Result.to_arrow`); names become distinct."""
    import pyarrow as pa

    names = _distinct(columns)
    fields, arrays = [], []
    for place, name in enumerate(names):
        values = [row[place] for row in rows]
        kind = _type_of(values)
        if kind is None:
            values = [None if value is None else _json(value) for value in values]
            fields.append(pa.field(name, pa.string(), metadata=METADATA))
        else:
            fields.append(pa.field(name, kind))
        arrays.append(pa.array(values, fields[-1].type))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _type_of(values: Sequence[Any]) -> Any:
    """The Arrow type that holds each value as it is; None where only JSON does."""
    import pyarrow as pa

    present = [value for value in values if value is not None]
    kinds = {type(value) for value in present}
    if not kinds:
        return pa.null()
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int}:
        return pa.int64() if all(-_LARGEST <= value < _LARGEST for value in present) else None
    if kinds == {float} or (kinds == {int, float} and all(map(_is_float, present))):
        return pa.float64()
    if kinds == {str}:
        return pa.string() if all(map(_is_text, present)) else None
    if kinds == {list}:
        item = _type_of([each for value in present for each in value])
        return None if item is None else pa.list_(item)
    return None


def _is_float(value: float) -> bool:
    try:
        return not isinstance(value, int) or int(float(value)) == value
    except OverflowError:
        return False


def _is_text(value: str) -> bool:
    """Whether UTF-8 can write it, which has no half of a pair of surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _json(value: Any) -> str:
    """The value as JSON; what UTF-8 cannot write is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if _is_text(text) else json.dumps(value)


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, each later one of several that are alike with a number.

    >>> _distinct(["n", "n", "n_2"])
    ['n', 'n_3', 'n_2']
    """
    taken = set(names)
    seen: set[str] = set()
    distinct = []
    for name in names:
        chosen, number = name, 2
        while chosen in seen or (chosen != name and chosen in taken):
            chosen, number = f"{name}_{number}", number + 1
        seen.add(chosen)
        distinct.append(chosen)
    return distinct
