"""Whether a tree is Graph-IR at all: its nodes' fields hold what their types say.

Readers make no other trees; programs and JSON of other hands may.
"""

from __future__ import annotations

from dataclasses import fields
from types import UnionType
from typing import Any, TypeAliasType, Union, get_args, get_origin, get_type_hints

from graph_ir import nodes as ir

_NO_STATEMENT = "A statement is a Query or a Union of Graph-IR, not {}: `parse` reads texts."


def fault_of(statement: object) -> str:
    """What is wrong with the shape of a statement; "" when nothing is."""
    if not isinstance(statement, ir.Query | ir.Union):
        return _NO_STATEMENT.format(type(statement).__name__)
    return _fault(statement)


def _fault(node: ir.Node) -> str:
    if isinstance(node, ir.Query) and node.clauses == ():
        return "A Query has at least one clause."
    hints = get_type_hints(type(node))
    for field in fields(node):
        value = getattr(node, field.name)
        if not _fits(value, hints[field.name]):
            return f"{type(node).__name__}.{field.name} cannot be {value!r:.60}."
        for child in value if isinstance(value, tuple) else (value,):
            fault = _fault(child) if isinstance(child, ir.Node) else ""
            if fault:
                return fault
    return ""


def _fits(value: object, hint: Any) -> bool:
    if isinstance(hint, TypeAliasType):
        return _fits(value, hint.__value__)
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in args)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if args[-1:] == (Ellipsis,):
            return all(_fits(item, args[0]) for item in value)
        return len(value) == len(args) and all(map(_fits, value, args))
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    return isinstance(value, hint) if isinstance(hint, type) else True
