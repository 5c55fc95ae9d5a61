"""Cypher's functions over the interpreter's values; names as `graph_ir.functions` spells them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from graph_ir.temporal.arithmetic import between
from graph_ir.temporal.construct import moment, span, truncate
from graph_ir.temporal.values import Moment, Span, TemporalError
from qa.mutation.interpreter.elements import EdgeValue, NodeValue, PathValue
from qa.mutation.interpreter.values import Fault, Unsupported, equals, is_number
from schemagraph.model import Kind

KINDS = {
    "date": Kind.DATE,
    "localtime": Kind.TIME,
    "time": Kind.ZONED_TIME,
    "localdatetime": Kind.DATETIME,
    "datetime": Kind.ZONED_DATETIME,
}


def text(value: Any) -> str:
    """A string argument."""
    if not isinstance(value, str):
        raise Fault(f"{value!r} is no string")
    return value


def number(value: Any) -> Any:
    """A number argument."""
    if not is_number(value):
        raise Fault(f"{value!r} is no number")
    return value


def _size(value: Any) -> int:
    if isinstance(value, str | list):
        return len(value)
    raise Fault("size of neither string nor list")


def _length(value: Any) -> int:
    if isinstance(value, PathValue):
        return len(value.edges)
    raise Fault("length of no path")


def _round(value: Any, places: Any = 0, mode: Any = None) -> float:
    if mode is not None:
        raise Unsupported("round with a mode")
    value = number(value)
    if not math.isfinite(value):
        return float(value)
    if not places:
        return float(math.floor(value + 0.5))
    step = Decimal(1).scaleb(-places)
    return float(Decimal(repr(value)).quantize(step, ROUND_HALF_UP))


def _substring(value: Any, start: Any, length: Any = None) -> str:
    if start < 0 or (length is not None and length < 0):
        raise Fault("a negative place")
    rest = text(value)[start:]
    return rest if length is None else rest[:length]


def _left(value: Any, length: Any) -> str:
    if length < 0:
        raise Fault("a negative length")
    return text(value)[:length]


def _right(value: Any, length: Any) -> str:
    if length < 0:
        raise Fault("a negative length")
    return text(value)[max(0, len(value) - length) :]


def _split(value: Any, by: Any) -> list[str]:
    if not isinstance(by, str) or not by:
        raise Unsupported("split by a list, or by nothing")
    return text(value).split(by)


def _to_integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else None
    try:
        return int(value) if str(value).isascii() and "_" not in value else None
    except (ValueError, TypeError):
        raise Unsupported("toInteger of a text that is no integer") from None


def _to_float(value: Any) -> float | None:
    if is_number(value):
        return float(value)
    raise Unsupported("toFloat of no number")


def to_string(value: Any) -> str:
    """`toString`; floats are printed as Java does, which is left to engines."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | str():
            return str(value)
        case Moment() | Span():
            return str(value)
    raise Unsupported("toString of this")


def _range(start: Any, end: Any, step: Any = 1) -> list[int]:
    if not step or abs(end - start) > 10_000:
        raise Fault("a range without end")
    return list(range(start, end + (1 if step > 0 else -1), step))


def _labels(value: Any) -> list[str]:
    return sorted(value.labels)


def _entity(value: Any) -> dict[str, Any]:
    if isinstance(value, NodeValue | EdgeValue):
        return value.props
    if isinstance(value, dict):
        return value
    raise Fault("no properties")


def _temporal(kind: Kind) -> Callable[..., Any]:
    def make(value: Any) -> Moment:
        if isinstance(value, Mapping) and None in value.values():
            raise Unsupported("a part that is null")
        return moment(kind, value)

    return make


def _truncate(kind: Kind) -> Callable[..., Any]:
    def make(unit: Any, value: Any, parts: Any = None) -> Moment:
        return truncate(kind, unit, value, parts or {})

    return make


def _math(of: Callable[[float], float]) -> Callable[[Any], float]:
    def call(value: Any) -> float:
        try:
            return of(float(number(value)))
        except (ValueError, OverflowError):
            raise Unsupported("outside the function's domain") from None

    return call


def _whole(of: Callable[[float], int]) -> Callable[[Any], float]:
    return lambda value: float(of(value)) if math.isfinite(number(value)) else float(value)


# All of these give null for a null argument.
STRICT: dict[str, Callable[..., Any]] = {
    "size": _size,
    "length": _length,
    "toUpper": lambda v: text(v).upper(),
    "toLower": lambda v: text(v).lower(),
    "substring": _substring,
    "left": _left,
    "right": _right,
    "replace": lambda v, a, b: text(v).replace(text(a), text(b)) if a else v,
    "split": _split,
    "reverse": lambda v: v[::-1],
    "trim": lambda v: text(v).strip(" "),
    "ltrim": lambda v: text(v).lstrip(" "),
    "rtrim": lambda v: text(v).rstrip(" "),
    "abs": lambda v: abs(number(v)),
    "ceil": _whole(math.ceil),
    "floor": _whole(math.floor),
    "round": _round,
    "sign": lambda v: (number(v) > 0) - (v < 0),
    "sqrt": _math(math.sqrt),
    "exp": _math(math.exp),
    "log": _math(math.log),
    "log10": _math(math.log10),
    "isNaN": lambda v: v != v,
    "toInteger": _to_integer,
    "toFloat": _to_float,
    "toString": to_string,
    "range": _range,
    "head": lambda v: v[0] if v else None,
    "last": lambda v: v[-1] if v else None,
    "tail": lambda v: v[1:],
    "isEmpty": lambda v: not v,
    "labels": _labels,
    "type": lambda v: v.label,
    "startNode": lambda v: v.source,
    "endNode": lambda v: v.target,
    "nodes": lambda v: list(v.nodes),
    "relationships": lambda v: list(v.edges),
    "properties": _entity,
    "keys": lambda v: sorted(_entity(v)),
    "duration": span,
    "duration.between": between,
    "duration.inMonths": lambda a, b: between(a, b, "inMonths"),
    "duration.inDays": lambda a, b: between(a, b, "inDays"),
    "duration.inSeconds": lambda a, b: between(a, b, "inSeconds"),
    **{name: _temporal(kind) for name, kind in KINDS.items()},
    **{f"{name}.truncate": _truncate(kind) for name, kind in KINDS.items()},
}


def strict(name: str, least: int) -> Callable[[list[Any]], Any]:
    """The function `name`, null for nulls.

    Raises:
        Unsupported: it is not here, or `least` arguments would read a clock.
    """
    function = STRICT.get(name)
    if function is None or not least:
        raise Unsupported(f"function {name}")

    def call(args: list[Any]) -> Any:
        if None in args:
            return None
        try:
            return function(*args)
        except TemporalError as problem:
            raise Fault(str(problem)) from problem
        except (TypeError, AttributeError, IndexError) as problem:
            raise Unsupported(f"{name} of {args!r}: {problem}") from problem

    return call


def coalesce(args: list[Any]) -> Any:
    """The first argument that is not null."""
    return next((value for value in args if value is not None), None)


def null_if(args: list[Any]) -> Any:
    """Null where both arguments are equal, else the first."""
    return None if equals(args[0], args[1]) is True else args[0]
