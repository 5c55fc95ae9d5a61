"""Graph-IR as plain JSON values and back: `{"ir": "Var", "name": "a"}`, spans left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, get_type_hints

from graph_ir import nodes as ir
from graphmill.errors import SchemaError

_SKIPPED = frozenset({"span", "type"})


def to_json(node: ir.Node) -> dict[str, Any]:
    """The node as JSON values; fields at their default are left out."""
    document: dict[str, Any] = {"ir": type(node).__name__}
    for entry in fields(node):
        value = getattr(node, entry.name)
        if entry.name in _SKIPPED or not entry.init or value == entry.default:
            # A literal's value has no default, so `null` is always written.
            continue
        document[entry.name] = _plain(value)
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, ir.Node):
        return to_json(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, StrEnum) else value


def from_json(raw: Mapping[str, Any]) -> ir.Node:
    """The inverse of `to_json`.

    Raises:
        SchemaError: the value is no node.
    """
    name = raw.get("ir")
    kind = ir.NODE_CLASSES.get(str(name))
    if kind is None:
        raise SchemaError(f"Graph-IR has no node {name!r}.")
    hints = _hints(kind)
    try:
        return kind(**{key: _value(value, hints[key]) for key, value in raw.items() if key != "ir"})
    except (KeyError, TypeError, ValueError) as problem:
        raise SchemaError(f"This is no {name} of Graph-IR: {problem}.") from problem


_ENUMS = {
    name: value
    for name, value in vars(ir).items()
    if isinstance(value, type) and issubclass(value, StrEnum) and value is not StrEnum
}
_HINTS: dict[type[ir.Node], dict[str, Any]] = {}


def _hints(kind: type[ir.Node]) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _value(value: Any, hint: Any) -> Any:
    if isinstance(value, Mapping):
        return from_json(value)
    if isinstance(value, list):
        return tuple(_value(item, None) for item in value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    for enum in _ENUMS.values():
        if isinstance(value, str) and hint == (enum | None):
            return enum(value)
    return value
