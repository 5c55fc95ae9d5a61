"""The only generic traversal of Graph-IR: children, search and rewriting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from graph_ir.nodes import Node

_LEAF = frozenset({"span", "type"})


_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _fields(cls: type[Node]) -> tuple[str, ...]:
    names = _FIELDS.get(cls)
    if names is None:
        names = tuple(f.name for f in fields(cls) if f.name not in _LEAF and f.init)
        _FIELDS[cls] = names
    return names


def children(node: Node) -> Iterator[Node]:
    """Direct children, in the order of the fields."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def descend(node: Node) -> Iterator[Node]:
    """The node itself and all below it, parents first, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        below: list[Node] = []
        for name in _fields(type(current)):
            value = getattr(current, name)
            if isinstance(value, Node):
                below.append(value)
            elif isinstance(value, tuple):
                below += [item for item in value if isinstance(item, Node)]
        below.reverse()
        stack += below


def find[N: Node](node: Node, *kinds: type[N]) -> Iterator[N]:
    """All nodes of the given classes, `node` included, parents first."""
    return (found for found in descend(node) if isinstance(found, kinds))


def rewrite[N: Node](node: N, change: Callable[[Node], Node]) -> N:
    """A copy in which `change` was applied to every node, children first.

    Unchanged subtrees are returned as they are (the same object).
    """
    updates: dict[str, Any] = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            new = rewrite(value, change)
            if new is not value:
                updates[name] = new
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            items = tuple(rewrite(i, change) if isinstance(i, Node) else i for i in value)
            if any(a is not b for a, b in zip(items, value, strict=True)):
                updates[name] = items
    changed = replace(node, **updates) if updates else node
    return change(changed)  # type: ignore[return-value] # a change keeps the category


def substitute[N: Node](node: N, change: Callable[[Node], Node | None]) -> N:
    """A copy in which each node that `change` answers for is replaced, parents first.

    What `change` returns is not looked into again; None means: go on below this node.
    """
    found = change(node)
    if found is not None:
        return found  # type: ignore[return-value] # a change keeps the category
    updates: dict[str, Any] = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            new = substitute(value, change)
            if new is not value:
                updates[name] = new
        elif isinstance(value, tuple) and any(isinstance(item, Node) for item in value):
            items = tuple(substitute(i, change) if isinstance(i, Node) else i for i in value)
            if any(a is not b for a, b in zip(items, value, strict=True)):
                updates[name] = items
    return replace(node, **updates) if updates else node
