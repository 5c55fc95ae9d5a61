"""NebulaGraph's values: literals of nGQL to store them, and what its client reads as plain values.

Sources: NebulaGraph 3.8 manual, "Data types"; nebula3-python, `common.thrift`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from engines.values import bytes_form, date_text, datetime_text, duration_text, time_text
from graphmill.errors import EngineUnavailable

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
type Keys = Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[Any, ...]]]
"""Vertex id -> labels, names of the key and its values."""


def literal(value: Any) -> str:
    """A stored value in nGQL.

    >>> literal('a"b'), literal(date(2024, 1, 31)), literal(None), literal(1.5)
    ('"a\\\\"b"', 'date("2024-01-31")', 'NULL', '1.5')

    Raises:
        EngineUnavailable: nGQL has no literal of it.
    """
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            raise EngineUnavailable(f"NebulaGraph has no literal of {value}.")
        case int() | float():
            return repr(value)
        case str():
            return f'"{"".join(_ESCAPES.get(char, char) for char in value)}"'
        case datetime():
            moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
            return f'datetime("{moment.isoformat()}")'
        case date():
            return f'date("{value.isoformat()}")'
        case time():
            return f'time("{value.isoformat()}")'
    raise EngineUnavailable(f"NebulaGraph is given no {type(value).__name__} values.")


def plain(value: Any, keys: Keys) -> Any:
    """A `Value` of the client as a plain one; vertices are told by the ids that were given."""
    name = _FIELDS.get(value.getType())
    held = value.value
    match name:
        case None | "nVal":
            return None
        case "bVal" | "iVal" | "fVal":
            return held
        case "sVal":
            return _text(held)
        case "dVal":
            return date_text(date(held.year, held.month, held.day))
        case "tVal":
            return time_text(_clock(held))
        case "dtVal":
            day = date(held.year, held.month, held.day)
            return datetime_text(datetime.combine(day, _clock(held)))
        case "duVal":
            nanos = (held.seconds * 1_000_000 + held.microseconds) * 1000
            return duration_text(held.months, 0, nanos)
        case "vVal":
            return _node(held, keys)
        case "eVal":
            ends = (plain(held.src, keys), plain(held.dst, keys))
            return _edge(held, ends, keys)
        case "pVal":
            return _path(held, keys)
        case "lVal" | "uVal":
            return [plain(item, keys) for item in held.values]
        case "mVal":
            return {_text(key): plain(item, keys) for key, item in held.kvs.items()}
    return bytes_form(repr(held).encode())


_NAMES = """
    nVal bVal iVal fVal sVal dVal tVal dtVal vVal eVal pVal lVal mVal uVal gVal ggVal duVal"""
_FIELDS = dict(enumerate(_NAMES.split(), 1))


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def _clock(held: Any) -> time:
    return time(held.hour, held.minute, held.sec, held.microsec)


def _known(vid: str, keys: Keys) -> dict[str, Any]:
    """The labels and the key of a vertex; of one that was not loaded its id stands for them."""
    labels, names, values = keys.get(vid, ((), ("id",), (vid,)))
    return {"labels": sorted(labels), "key": dict(zip(names, values, strict=True))}


def _node(vertex: Any, keys: Keys) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for tag in vertex.tags or ():
        properties |= _properties(tag.props, keys)
    return {**_known(plain(vertex.vid, keys), keys), "properties": properties}


def _properties(props: Any, keys: Keys) -> dict[str, Any]:
    given = {_text(name): plain(value, keys) for name, value in (props or {}).items()}
    return {name: value for name, value in given.items() if value is not None}


def _edge(edge: Any, ends: tuple[str, str], keys: Keys) -> dict[str, Any]:
    # An edge that was passed against its direction has a negative type.
    source, target = ends if edge.type >= 0 else ends[::-1]
    return {
        "type": _text(edge.name),
        "source": _known(source, keys),
        "target": _known(target, keys),
        "properties": _properties(edge.props, keys),
    }


def _path(path: Any, keys: Keys) -> dict[str, Any]:
    nodes, edges = [_node(path.src, keys)], []
    at = plain(path.src.vid, keys)
    for step in path.steps or ():
        to = plain(step.dst.vid, keys)
        edges.append(_edge(step, (at, to), keys))
        nodes.append(_node(step.dst, keys))
        at = to
    return {"nodes": nodes, "edges": edges}
