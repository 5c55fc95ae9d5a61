"""Equality, order and grouping of values, as Cypher has them (openCypher 9, "Comparability")."""

from __future__ import annotations

import math
from typing import Any

from graph_ir.temporal.values import Moment, Span
from qa.mutation.interpreter.elements import EdgeValue, NodeValue, PathValue
from schemagraph.model import Kind

ZONED = (Kind.ZONED_DATETIME, Kind.ZONED_TIME)


class Unsupported(Exception):
    """The interpreter does not say this; an engine has to."""


class Fault(Exception):
    """The query has no answer on this graph: it divides by zero, or asks a text for a property."""


_NUMBERS = frozenset({int, float})
_SIMPLE = frozenset({bool, int, float, str})
_AS_IT_IS = frozenset({int, str, type(None)})


def is_number(value: Any) -> bool:
    """Whether a value is a number; truth values are none."""
    return type(value) in _NUMBERS


def equals(a: Any, b: Any) -> bool | None:
    """`a = b`."""
    if a is None or b is None:
        return None
    if type(a) is type(b) and type(a) in _SIMPLE:
        return bool(a == b)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return False
        return conjunction([equals(x, y) for x, y in zip(a, b, strict=True)])
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return False
        return conjunction([equals(a[name], b[name]) for name in a])
    if isinstance(a, Moment) and isinstance(b, Moment):
        if a.kind is not b.kind:
            return False
        if a.kind in ZONED and a != b and a.instant == b.instant:
            raise Unsupported("the same instant in two zones")
        return a == b
    return bool(a == b)


def less(a: Any, b: Any, *, also_equal: bool) -> bool | None:
    """`a < b`, or `a <= b`; null where the two have no order."""
    if a is None or b is None:
        return None
    same = type(a) is type(b) and type(a) in _SIMPLE
    if same or (is_number(a) and is_number(b)):
        return bool(a <= b) if also_equal else bool(a < b)
    if isinstance(a, Moment) and isinstance(b, Moment) and a.kind is b.kind:
        if a.kind in ZONED and a != b and a.instant == b.instant:
            raise Unsupported("the same instant in two zones")
        return a.instant <= b.instant if also_equal else a.instant < b.instant
    if isinstance(a, list) and isinstance(b, list):
        raise Unsupported("order of lists")
    return None


def conjunction(values: list[bool | None]) -> bool | None:
    """AND of three-valued logic."""
    if False in values:
        return False
    return None if None in values else True


def sort_key(value: Any) -> tuple[Any, ...]:
    """The place of a value in ORDER BY, ascending, nulls last."""
    if value is None:
        return (9,)
    if isinstance(value, bool):
        return (6, value)
    if isinstance(value, int | float):
        return (8,) if value != value else (7, value)
    if isinstance(value, str):
        return (5, value)
    if isinstance(value, Moment):
        return (4, value.kind, value.instant, value.offset)
    raise Unsupported(f"order of {type(value).__name__}")


def group_key(value: Any) -> Any:
    """What is the same for values that DISTINCT and grouping take for one."""
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, list):
        return ("l", *map(group_key, value))
    if isinstance(value, dict):
        return ("m", *((name, group_key(item)) for name, item in sorted(value.items())))
    if isinstance(value, float) and math.isnan(value):
        return ("nan",)
    return value


def answer_key(value: Any, open_lists: bool) -> Any:
    """What is the same for values that answers take for one: floats by ten digits."""
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ("f", repr(value))
        rounded = float(f"{value:.9e}")
        return int(rounded) if rounded.is_integer() else rounded
    if isinstance(value, list):
        items = [answer_key(item, open_lists) for item in value]
        return ("l", *(sorted(items, key=repr) if open_lists else items))
    if isinstance(value, dict):
        named = sorted(value.items())
        return ("m", *((name, answer_key(item, open_lists)) for name, item in named))
    if isinstance(value, NodeValue):
        return ("n", value.number)
    if isinstance(value, EdgeValue):
        # Parallel edges that are alike are one to whoever reads the answer.
        properties = answer_key(value.props, False)
        return ("e", value.type.name, value.source.number, value.target.number, properties)
    if isinstance(value, PathValue):
        nodes = tuple(node.number for node in value.nodes)
        return ("p", nodes, tuple(answer_key(edge, False) for edge in value.edges))
    if isinstance(value, Moment):
        return ("t", value.shown())
    if isinstance(value, Span):
        return ("d", str(value))
    return value


def shown(value: Any) -> Any:
    """A value as `engines.base.Result` has it."""
    match value:
        case NodeValue():
            return {**_reference(value), "properties": shown(value.props)}
        case EdgeValue():
            ends = {"source": _reference(value.source), "target": _reference(value.target)}
            return {"type": value.label, **ends, "properties": shown(value.props)}
        case PathValue():
            return {"nodes": [*map(shown, value.nodes)], "edges": [*map(shown, value.edges)]}
        case Moment():
            return value.shown()
        case Span():
            return str(value)
        case list():
            return [shown(item) for item in value]
        case dict():
            return {name: shown(item) for name, item in sorted(value.items())}
    return value


def _reference(node: NodeValue) -> dict[str, Any]:
    key = {name: shown(node.props.get(name)) for name in node.type.key}
    return {"labels": sorted(node.labels), "key": key}
