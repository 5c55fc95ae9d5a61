"""Columns of arrays, staged as the text of a JSON list: when a LIST property can hold them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.model import Kind, Type

_KINDS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    int: Kind.INTEGER,
    float: Kind.FLOAT,
    str: Kind.STRING,
}


def dump(items: Any) -> str:
    """JSON in the one spelling that staged lists have."""
    return json.dumps(items, ensure_ascii=False)


def item_of(batches: Iterable[Any]) -> Kind | None:
    """The kind of all items of all lists; None where no one kind holds them exactly.

    Lists with a NULL in them, of several dimensions or of objects have none.
    """
    kinds: set[Kind | None] = set()
    for texts in batches:
        kinds |= {_item(text) for text in texts.drop_null().unique().to_pylist()}
        if None in kinds or len(kinds - {Kind.NULL}) > 1:
            return None
    return next(iter(kinds - {Kind.NULL}), Kind.STRING)


def _item(text: str) -> Kind | None:
    """The kind of the items of one list: NULL where it has none, None where they have none."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if dump(items) != text or not isinstance(items, list):
        return None
    if not items:
        return Kind.NULL
    kinds = {_KINDS.get(type(item)) for item in items}
    if len(kinds) > 1 or any(type(n) is int and not -(2**63) <= n < 2**63 for n in items):
        return None
    return kinds.pop()


def encode(kind: Type, texts: Any) -> Any:
    """Texts of JSON lists as an Arrow list array."""
    import pyarrow as pa

    lists = [None if text is None else json.loads(text) for text in texts.to_pylist()]
    return pa.array(lists, arrow_type(kind))


def decode(array: Any) -> Any:
    """The inverse of `encode`."""
    import pyarrow as pa

    return pa.array([None if v is None else dump(v) for v in array.to_pylist()], pa.string())
