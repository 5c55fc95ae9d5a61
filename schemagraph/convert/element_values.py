"""Values of one property of a graph as a column of one type, and back.

Numbers, texts, booleans, bytes, dates and times and lists of one of them have a type of their own.
What has none (several types, objects, nested lists, integers beyond 64 bits, points) becomes text:
strings as they are and all else as JSON, or, where that would not tell a string from a number,
everything as JSON.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Any

from schemagraph.arrow import arrow_type
from schemagraph.model import Kind, Type

_EXACT = 2**53
_KINDS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    int: Kind.INTEGER,
    float: Kind.FLOAT,
    str: Kind.STRING,
    bytes: Kind.BYTES,
    date: Kind.DATE,
    list: Kind.LIST,
    dict: Kind.MAP,
}


@dataclass(frozen=True, slots=True)
class Written:
    """A value that Python has no type for, as its ISO text: durations, nanoseconds, points."""

    kind: Kind
    text: str


def kind_of(value: Any) -> Kind:
    """The kind of a value that is not None.

    >>> kind_of(1).value, kind_of(datetime(2024, 1, 31)).value
    ('INTEGER', 'DATETIME')
    """
    if isinstance(value, Written):
        return value.kind
    if isinstance(value, datetime):
        return Kind.DATETIME if value.tzinfo is None else Kind.ZONED_DATETIME
    if isinstance(value, time):
        return Kind.TIME if value.tzinfo is None else Kind.ZONED_TIME
    return _KINDS[type(value)]


class Form(StrEnum):
    """How values are written in their column."""

    PLAIN = "plain"
    TEXT = "text"  # strings as they are, all else as JSON
    JSON = "json"  # everything as JSON
    ISO = "iso"  # one kind of value that properties cannot have: a point, a time with nanoseconds


_AS_TEXT: dict[Kind, Callable[[str], Any]] = {
    Kind.ZONED_TIME: time.fromisoformat,
    Kind.ZONED_DATETIME: datetime.fromisoformat,
    Kind.DURATION: lambda text: Written(Kind.DURATION, text),
}
"""Kinds that Parquet has no type for, with what reads their text."""


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """The type of a property, and the form of its values; `of` is the kind that ISO texts tell."""

    type: Type
    form: Form = Form.PLAIN
    of: Kind = Kind.STRING

    @property
    def note(self) -> str:
        """What a reader of the schema should know."""
        notes = {
            Form.TEXT: "Values of several types, as text.",
            Form.JSON: "Each value is JSON.",
            Form.ISO: f"Values of the kind {self.of} that no property type holds, as text.",
        }
        return notes.get(self.form, "")

    def encode(self, values: Sequence[Any]) -> Any:
        """Values (None: absent) as an Arrow array."""
        import pyarrow as pa

        make = self._maker()
        if make is not None:
            values = [None if value is None else make(value) for value in values]
        return pa.array(values, arrow_type(self.type))

    def _maker(self) -> Callable[[Any], Any] | None:
        if self.form is Form.JSON:
            return dump
        if self.form is Form.ISO:
            return iso
        if self.form is Form.TEXT:
            return lambda value: value if isinstance(value, str) else dump(value)
        return _for_list(self.type, lambda kind: float if kind is Kind.FLOAT else _printer(kind))

    def decode(self, values: Sequence[Any]) -> Sequence[Any]:
        """The inverse of `encode`, for the array's Python values."""
        if self.form is Form.JSON:
            read: Callable[[Any], Any] | None = load
        elif self.form is Form.TEXT:
            read = _from_text
        elif self.form is Form.ISO:
            read = partial(_written, self.of)
        else:
            read = _for_list(self.type, _AS_TEXT.get)
        return values if read is None else [None if v is None else read(v) for v in values]


def _printer(kind: Kind) -> Callable[[Any], str] | None:
    return iso if kind in _AS_TEXT else None


def _for_list(
    kind: Type, find: Callable[[Kind], Callable[[Any], Any] | None]
) -> Callable[[Any], Any] | None:
    """What `find` gives for the kind, or, for a list, for each of its items."""
    if kind.item is None:
        return find(kind.kind)
    of = find(kind.item.kind)
    return None if of is None else lambda value: [of(item) for item in value]


def iso(value: Any) -> str:
    """A date, a time or a written value as ISO text; UTC is `Z`."""
    if isinstance(value, Written):
        return value.text
    text: str = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


# --- JSON ----------------------------------------------------------------------------------


def dump(value: Any) -> str:
    """A value as JSON, in one way only; what it has no type for is `{"$KIND": text}`.

    >>> dump({"b": [1, "ü"], "a": None}), dump(date(2024, 1, 31))
    ('{"a": null, "b": [1, "ü"]}', '{"$DATE": "2024-01-31"}')
    """
    value = _tagged(value)
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair cannot be stored but as an escape
        return json.dumps(value, sort_keys=True)
    return text


def load(text: str) -> Any:
    """The inverse of `dump`.

    >>> load(dump([date(2024, 1, 31), {"$DATE": 1}, b"x"]))
    [datetime.date(2024, 1, 31), {'$DATE': 1}, b'x']
    """
    return _untagged(json.loads(text))


def _tagged(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [_tagged(item) for item in value]
        case dict():  # a key of the source that looks like a tag gets a second sign
            return {f"${k}" if k[:1] == "$" else k: _tagged(v) for k, v in value.items()}
        case bytes():
            return {f"${Kind.BYTES}": b64encode(value).decode()}
    return {f"${kind_of(value)}": iso(value)}


_TAGS: dict[str, Callable[[str], Any]] = {
    f"${Kind.BYTES}": b64decode,
    f"${Kind.DATE}": date.fromisoformat,
    f"${Kind.TIME}": time.fromisoformat,
    f"${Kind.DATETIME}": datetime.fromisoformat,
    f"${Kind.POINT}": lambda text: Written(Kind.POINT, text),
    **{f"${kind}": read for kind, read in _AS_TEXT.items()},
}


def _untagged(value: Any) -> Any:
    if isinstance(value, list):
        return [_untagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((tag, text),) = value.items()
        if tag in _TAGS:
            return _written(Kind(tag[1:]), text)
    return {k[1:] if k[:2] == "$$" else k: _untagged(v) for k, v in value.items()}


def _written(kind: Kind, text: str) -> Any:
    """The value that is written so; its text where Python's type holds less of it."""
    try:
        value = _TAGS[f"${kind}"](text)
        if kind is Kind.BYTES or iso(value) == text:
            return value
    except ValueError:
        pass
    return Written(kind, text)


def _from_text(text: str) -> Any:
    """A string, or the value whose JSON is this text."""
    try:
        value = load(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) or dump(value) != text else value


# --- the type of a column ------------------------------------------------------------------


@dataclass
class Facts:
    """What is known of the values of one property, fed batch by batch."""

    present: int = 0
    kinds: set[Kind] = field(default_factory=set)
    low: int = 0
    high: int = 0
    storable: bool = True
    readable: bool = True
    items: Facts | None = None

    def add(self, values: Sequence[Any]) -> None:
        """Take in values; None is an absent one."""
        values = [value for value in values if value is not None]
        self.present += len(values)
        types = set(map(type, values))
        if types <= _KINDS.keys():
            self.kinds.update(_KINDS[kind] for kind in types)
        else:
            self.kinds.update(map(kind_of, values))
        if int in types:
            integers = [value for value in values if type(value) is int]
            self.low, self.high = min(self.low, *integers), max(self.high, *integers)
        if str in types and self.storable:
            self.storable = _storable("".join(v for v in values if type(v) is str))
        if Written in types and self.readable:
            self.readable = all(map(_readable, values))
        if list in types:
            self.items = self.items or Facts()
            items = list(chain.from_iterable(v for v in values if type(v) is list))
            self.items.add(items)
            self.items.readable = self.items.readable and None not in items

    def column(self, rows: int, again: Callable[[], Iterable[Sequence[Any]]]) -> ValueColumn:
        """The column for `rows` values, which `again` gives once more where that is needed."""
        nullable = self.present < rows
        scalar = self._scalar()
        if scalar is not None:
            return ValueColumn(Type(scalar, nullable=nullable))
        if self.kinds == {Kind.LIST} and self.items is not None:
            item = self.items._scalar()
            if item is not None:
                return ValueColumn(Type(Kind.LIST, Type(item), nullable=nullable))
        text = Type(Kind.STRING, nullable=nullable)
        if len(self.kinds) == 1 and not self.readable:
            (of,) = self.kinds
            return ValueColumn(text, Form.ISO, of)
        if Kind.STRING not in self.kinds or not self.storable:
            return ValueColumn(text, Form.JSON)
        clear = all(
            _from_text(value) == value
            for values in again()
            for value in values
            if type(value) is str
        )
        return ValueColumn(text, Form.TEXT if clear else Form.JSON)

    def _scalar(self) -> Kind | None:
        """The one kind that holds all values exactly; STRING where there are none."""
        if not self.readable:
            return None
        if not self.kinds:
            return Kind.STRING
        if self.kinds == {Kind.INTEGER, Kind.FLOAT}:
            return Kind.FLOAT if self.low >= -_EXACT and self.high <= _EXACT else None
        if len(self.kinds) > 1:
            return None
        (kind,) = self.kinds
        if kind is Kind.INTEGER and not (self.low >= -(2**63) and self.high < 2**63):
            return None
        if (kind is Kind.STRING and not self.storable) or kind in (Kind.LIST, Kind.MAP, Kind.POINT):
            return None
        return kind


def column_of(values: Sequence[Any]) -> ValueColumn:
    """The column for all values of a property; None is an absent one.

    >>> str(column_of([1, None, 2.5]).type), str(column_of([["a"], []]).type)
    ('FLOAT', 'LIST<STRING>')
    >>> column_of([1, "one"]).form.value, column_of([1, "1"]).form.value
    ('text', 'json')
    """
    facts = Facts()
    facts.add(values)
    return facts.column(len(values), lambda: [values])


def _readable(value: Any) -> bool:
    """Whether a column of the value's own kind gives it back."""
    return not isinstance(value, Written) or value.kind is Kind.DURATION


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def same(before: Any, after: Any) -> bool:
    """Whether two values are equal: numbers by value, true is not 1, NaN is NaN, zones too."""
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
    if isinstance(before, time | datetime):
        return bool(before.isoformat() == after.isoformat())
    return bool(before == after)
