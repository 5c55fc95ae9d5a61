"""JSON values of one property as a column of one type, and back.

Numbers, texts, booleans and lists of one of them have a type of their own. What has none (several
types, objects, nested lists, integers beyond 64 bits) becomes text: strings as they are and all
else as JSON, or, where that would not tell a string from a number, everything as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.model import Kind, Type

_EXACT = 2**53
_SCALARS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    int: Kind.INTEGER,
    float: Kind.FLOAT,
    str: Kind.STRING,
}


class Form(StrEnum):
    """How values are written in their column."""

    PLAIN = "plain"
    TEXT = "text"  # strings as they are, all else as JSON
    JSON = "json"  # everything as JSON


@dataclass(frozen=True, slots=True)
class JsonColumn:
    """The type of a property, and the form of its values."""

    type: Type
    form: Form = Form.PLAIN

    @property
    def note(self) -> str:
        """What a reader of the schema should know."""
        notes = {
            Form.TEXT: "Values of several types, as text.",
            Form.JSON: "Each value is JSON.",
        }
        return notes.get(self.form, "")

    def encode(self, values: Sequence[Any]) -> Any:
        """Values (None: absent) as an Arrow array."""
        import pyarrow as pa

        target = arrow_type(self.type)
        if self.form is not Form.PLAIN:
            values = [None if value is None else self._text(value) for value in values]
        elif self.type.kind is Kind.FLOAT:
            values = [None if value is None else float(value) for value in values]
        return pa.array(values, target)

    def _text(self, value: Any) -> str:
        return value if self.form is Form.TEXT and isinstance(value, str) else dump(value)

    def decode(self, value: Any) -> Any:
        """The inverse of `encode` for one value."""
        if value is None or self.form is Form.PLAIN:
            return value
        return json.loads(value) if self.form is Form.JSON else _from_text(value)


def dump(value: Any) -> str:
    """A value as JSON, in one way only.

    >>> dump({"b": [1, "ü"], "a": None})
    '{"a": null, "b": [1, "ü"]}'
    """
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair cannot be stored but as an escape
        return json.dumps(value, sort_keys=True)
    return text


def _from_text(text: str) -> Any:
    """A string, or the value whose JSON is this text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) or dump(value) != text else value


def column_of(values: Sequence[Any]) -> JsonColumn:
    """The column for all values of a property; None is an absent one.

    >>> str(column_of([1, None, 2.5]).type), str(column_of([["a"], []]).type)
    ('FLOAT', 'LIST<STRING>')
    >>> column_of([1, "one"]).form.value, column_of([1, "1"]).form.value
    ('text', 'json')
    """
    nullable = any(value is None for value in values)
    present = [value for value in values if value is not None]
    found = _scalar(present)
    if found is not None:
        return JsonColumn(Type(found, nullable=nullable))
    if present and all(isinstance(value, list) for value in present):
        items = [item for value in present for item in value]
        item = _scalar(items) if None not in items else None
        if item is not None:
            return JsonColumn(Type(Kind.LIST, Type(item), nullable=nullable))
    text = Type(Kind.STRING, nullable=nullable)
    texts = [value for value in present if isinstance(value, str)]
    if not texts or any(not _storable(v) or _from_text(v) != v for v in texts):
        return JsonColumn(text, Form.JSON)
    return JsonColumn(text, Form.TEXT)


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _scalar(values: Sequence[Any]) -> Kind | None:
    """The one kind that holds all values exactly; STRING where there are none."""
    kinds = set(map(type, values))
    if not kinds:
        return Kind.STRING
    if kinds == {int, float}:
        exact = all(-_EXACT <= value <= _EXACT for value in values if type(value) is int)
        return Kind.FLOAT if exact else None
    if len(kinds) > 1:
        return None
    (kind,) = kinds
    if kind is int and not all(-(2**63) <= value < 2**63 for value in values):
        return None
    if kind is str and not all(map(_storable, values)):
        return None
    return _SCALARS.get(kind)


def same(before: Any, after: Any) -> bool:
    """Whether two JSON values are equal: numbers by value, true is not 1, NaN is NaN."""
    if isinstance(before, bool) or isinstance(after, bool):
        return before is after
    if isinstance(before, int | float) and isinstance(after, int | float):
        return before == after or (before != before and after != after)
    if type(before) is not type(after):
        return False
    if isinstance(before, list):
        return len(before) == len(after) and all(map(same, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(same(before[k], after[k]) for k in before)
    return bool(before == after)
