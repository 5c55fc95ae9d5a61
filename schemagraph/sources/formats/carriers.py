"""How values of typed engines are staged: each engine type has a carrier, and comes back from it.

An engine's reader asks for a type's values in the form its carrier takes (integers, doubles, text
as the engine prints it, bytes); the carrier makes lanes of them. Texts of times get one spelling
(ISO 8601, six digits after the point or none), from which the engine's own follows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from schemagraph.json_lists import dump
from schemagraph.mapping import Affinity
from schemagraph.model import Kind, Type
from schemagraph.relational import SourceColumn
from schemagraph.storage_classes import Lane, Lanes, arrow_type


@dataclass(frozen=True, slots=True)
class Carrier:
    """A lane, the type that the engine's type promises, and what is done to texts on the way."""

    lane: Lane
    type: Type
    tidy: Callable[[Any], Any] | None = None

    @property
    def affinity(self) -> Affinity:
        """What the column converts when it is compared: typed engines convert numbers alone."""
        if self.lane is Lane.TEXT:
            return Affinity.TEXT if self.type.kind is Kind.STRING else Affinity.BLOB
        return {
            Lane.INTEGER: Affinity.INTEGER,
            Lane.REAL: Affinity.REAL,
            Lane.NUMBER: Affinity.NUMERIC,
        }.get(self.lane, Affinity.BLOB)

    def column(self, name: str, declared: str, collation: str = "BINARY") -> SourceColumn:
        """The source column of that type."""
        return SourceColumn(name, declared, self.affinity, collation, self.type)

    def lanes(self, array: Any) -> Lanes:
        """An Arrow array (or a chunked one) of the engine's values as lanes."""
        array = array.combine_chunks() if hasattr(array, "combine_chunks") else array
        if array.null_count == len(array):
            return {}
        array = array if array.type == arrow_type(self.lane) else array.cast(arrow_type(self.lane))
        return {self.lane: self.tidy(array) if self.tidy else array}


def _moment(texts: Any) -> Any:
    """`2024-02-29 12:00:00.5` as `2024-02-29T12:00:00.500000`; other texts as they are."""
    import pyarrow.compute as pc

    texts = pc.replace_substring_regex(texts, r"^([-0-9]{10}) ([0-9]{2}:)", r"\1T\2")
    if not pc.any(pc.match_substring(texts, ".")).as_py():
        return texts
    texts = pc.replace_substring_regex(texts, r"(:[0-9]{2}\.[0-9]{1,6})$", r"\1000000")
    texts = pc.replace_substring_regex(texts, r"(\.[0-9]{6})0+$", r"\1")
    return pc.replace_substring_regex(texts, r"\.000000$", "")


def _zoned(texts: Any) -> Any:
    """A time with an offset: `12:00:00.5+02` as `12:00:00.500000+02:00`, `+00` as `Z`."""
    import pyarrow.compute as pc

    parts = pc.extract_regex(
        texts,
        r"^(?P<clock>.*:[0-9]{2}(?:\.[0-9]+)?)(?P<zone>[+-][0-9]{2}(?::[0-9]{2})*)(?P<rest>.*)$",
    )
    clock, zone, rest = (pc.struct_field(parts, name) for name in ("clock", "zone", "rest"))
    zone = pc.replace_substring_regex(zone, r"^([+-][0-9]{2})$", r"\1:00")
    zone = pc.replace_substring_regex(zone, r"^[+]00:00$", "Z")
    joined = pc.binary_join_element_wise(_moment(clock), zone, rest, "")
    return pc.coalesce(joined, texts)


def _json(texts: Any) -> Any:
    """JSON in one spelling, so that equal lists have equal texts; what is no JSON as it is."""
    import pyarrow as pa

    coded = texts.dictionary_encode()
    spelled = pa.array([_spelled(text) for text in coded.dictionary.to_pylist()], pa.string())
    return spelled.take(coded.indices)


def _spelled(text: str) -> str:
    try:
        return dump(json.loads(text))
    except (ValueError, RecursionError):
        return text


def duration_text(months: int, days: int, micros: int) -> str:
    """A calendar duration in ISO 8601, in one way only.

    >>> duration_text(14, -3, 90_500_000), duration_text(0, 0, 0)
    ('P14M-3DT90.500000S', 'PT0S')
    """
    calendar = (f"{months}M" if months else "") + (f"{days}D" if days else "")
    if not micros and calendar:
        return f"P{calendar}"
    seconds, rest = divmod(abs(micros), 1_000_000)
    fraction = f".{rest:06}" if rest else ""
    return f"P{calendar}T{'-' if micros < 0 else ''}{seconds}{fraction}S"


def _text(kind: Kind, tidy: Callable[[Any], Any] | None = None) -> Carrier:
    return Carrier(Lane.TEXT, Type(kind), tidy)


BOOLEAN = Carrier(Lane.INTEGER, Type(Kind.BOOLEAN))
INTEGER = Carrier(Lane.INTEGER, Type(Kind.INTEGER))
REAL = Carrier(Lane.REAL, Type(Kind.FLOAT))
DECIMAL = Carrier(Lane.NUMBER, Type(Kind.FLOAT))
BIG_INTEGER = Carrier(Lane.NUMBER, Type(Kind.INTEGER))
TEXT = _text(Kind.STRING)
BYTES = Carrier(Lane.BLOB, Type(Kind.BYTES))
DATE = _text(Kind.DATE)
TIME = _text(Kind.TIME, _moment)
ZONED_TIME = _text(Kind.ZONED_TIME, _zoned)
DATETIME = _text(Kind.DATETIME, _moment)
ZONED_DATETIME = _text(Kind.ZONED_DATETIME, _zoned)
DURATION = _text(Kind.DURATION)
STRINGS = Carrier(Lane.TEXT, Type(Kind.LIST, Type(Kind.STRING)), _json)
INTEGERS = Carrier(Lane.TEXT, Type(Kind.LIST, Type(Kind.INTEGER)), _json)
FLOATS = Carrier(Lane.TEXT, Type(Kind.LIST, Type(Kind.FLOAT)), _json)
BOOLEANS = Carrier(Lane.TEXT, Type(Kind.LIST, Type(Kind.BOOLEAN)), _json)
ISO_DATETIME = _text(Kind.ZONED_DATETIME)
