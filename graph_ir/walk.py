"""The only generic traversal of Graph-IR: children, search and rewriting."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from operator import is_not
from typing import Any

from graph_ir import nodes
from graph_ir.identity_cache import once
from graph_ir.nodes import Node

type Shape = tuple[tuple[str, bool], ...]
"""The fields of a class that hold nodes, in their order, and whether they hold tuples of them."""

_SHAPES: dict[type[Node], tuple[Shape, Shape, tuple[str, ...]]] = {}


def _shape(cls: type[Node]) -> tuple[Shape, Shape, tuple[str, ...]]:
    """The shape, the same backwards, and the names of all fields."""
    known = _SHAPES.get(cls)
    if known is None:
        shape = tuple(
            (f.name, f.type.startswith("tuple["))
            for f in fields(cls)
            if isinstance(f.type, str) and _holds_nodes(f.type, cls.__module__)
        )
        known = _SHAPES[cls] = (shape, shape[::-1], tuple(f.name for f in fields(cls)))
    return known


def _holds_nodes(annotation: str, module: str) -> bool:
    """Whether a field may hold nodes, by its type as a module of node classes writes it."""
    plain = annotation.removeprefix("tuple[").removesuffix(" | None").removesuffix(", ...]")
    named = [_named(name, module) for name in plain.split(" | ")]
    return not all(isinstance(each, type) and not issubclass(each, Node) for each in named)


def _named(name: str, module: str) -> Any:
    """What a type's name, dotted or not, stands for in a module."""
    first, _, rest = name.partition(".")
    base = next(
        vars(scope)[first]
        for scope in (sys.modules[module], nodes, builtins)
        if first in vars(scope)
    )
    return getattr(base, rest) if rest else base


def with_fields[N: Node](node: N, updates: Mapping[str, Any]) -> N:
    """The node with other values in some of its fields; quicker than `dataclasses.replace`.

    Fields that a class works out itself (`Literal.kind`) stay as they are.
    """
    changed = object.__new__(type(node))
    for name in _shape(type(node))[2]:
        value = updates[name] if name in updates else getattr(node, name)
        object.__setattr__(changed, name, value)
    return changed


def children(node: Node) -> Iterator[Node]:
    """Direct children, in the order of the fields."""
    for name, many in _shape(type(node))[0]:
        value = getattr(node, name)
        if many:
            yield from value or ()
        elif value is not None:
            yield value


def descend(node: Node) -> Iterator[Node]:
    """The node itself and all below it, parents first, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        known = _SHAPES.get(type(current)) or _shape(type(current))
        for name, many in known[1]:
            value = getattr(current, name)
            if many:
                stack += value[::-1] if value else ()
            elif value is not None:
                stack.append(value)


def find[N: Node](node: Node, *kinds: type[N]) -> Iterator[N]:
    """All nodes of the given classes, `node` included, parents first."""
    if isinstance(node, nodes.Query | nodes.Union):
        sorts = by_class(node)
        meant = [sort for sort in sorts if issubclass(sort, kinds)]
        if len(meant) < 2:
            return iter(sorts[meant[0]] if meant else ())  # type: ignore[arg-type] # of that sort
    return (descendant for descendant in descend(node) if isinstance(descendant, kinds))


@once(256)
def by_class(statement: Node) -> dict[type[Node], list[Node]]:
    """All nodes of a statement by their class: many ask for one class of the same statement."""
    classes: dict[type[Node], list[Node]] = {}
    for node in descend(statement):
        classes.setdefault(type(node), []).append(node)
    return classes


def rewrite[N: Node](node: N, change: Callable[[Node], Node]) -> N:
    """A copy in which `change` was applied to every node, children first.

    Unchanged subtrees are returned as they are (the same object).
    """
    updates = _below(node, rewrite, change)
    changed = with_fields(node, updates) if updates else node
    return change(changed)  # type: ignore[return-value] # a change keeps the category


def each_query(
    statement: nodes.Statement, change: Callable[[nodes.Query], nodes.Query]
) -> nodes.Statement:
    """The statement with each query that its unions join changed; what is within them is not."""
    if isinstance(statement, nodes.Union):
        left = each_query(statement.left, change)
        return replace(statement, left=left, right=change(statement.right))
    return change(statement)


def substitute[N: Node](node: N, change: Callable[[Node], Node | None]) -> N:
    """A copy in which each node that `change` answers for is replaced, parents first.

    What `change` returns is not looked into again; None means: go on below this node.
    """
    replacement = change(node)
    if replacement is not None:
        return replacement  # type: ignore[return-value] # a change keeps the category
    updates = _below(node, substitute, change)
    return with_fields(node, updates) if updates else node


def _below(
    node: Node, apply: Callable[[Node, Callable[[Node], Any]], Node], change: Callable[[Node], Any]
) -> dict[str, Any]:
    """The fields of a node that differ after a change is applied to its children."""
    updates: dict[str, Any] = {}
    known = _SHAPES.get(type(node)) or _shape(type(node))
    for name, many in known[0]:
        value = getattr(node, name)
        if not value:
            continue
        if not many:
            new = apply(value, change)
            if new is not value:
                updates[name] = new
            continue
        items = tuple([apply(item, change) for item in value])
        if any(map(is_not, items, value)):
            updates[name] = items
    return updates
