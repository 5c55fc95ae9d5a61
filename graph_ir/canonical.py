"""One form for queries that differ only in names, spelling and the order of equal parts.

It serves the search for structural duplicates: equal canonical forms mean equal queries; the
reverse does not hold, because not every equivalence is tried.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from typing import Any

from graph_ir import nodes as ir
from graph_ir.rewrites import without_aliases
from graph_ir.serde import to_json
from graph_ir.variables import columns
from graph_ir.walk import descend, rewrite, with_fields

_FLIPPED = {ir.CompareOp.GT: ir.CompareOp.LT, ir.CompareOp.GE: ir.CompareOp.LE}
_SYMMETRIC = frozenset({ir.CompareOp.EQ, ir.CompareOp.NE})
_BACK = {
    ir.Direction.OUT: ir.Direction.IN,
    ir.Direction.IN: ir.Direction.OUT,
    ir.Direction.BOTH: ir.Direction.BOTH,
}
# Fields that hold a name which a query's author chose.
_NAMES = frozenset({"var", "alias", "acc"})


def canonical(statement: ir.Statement) -> ir.Statement:
    """The canonical form: ordered parts, variables `v1`, `v2`, … in order of appearance."""
    ordered = rewrite(_columns(statement), _order)
    return rewrite(_renamed(ordered), _order)


def _columns(statement: ir.Statement) -> ir.Statement:
    """The statement with columns named by their place: what a result calls them is no meaning."""
    if isinstance(statement, ir.Union):
        right = _query_columns(statement.right, columns(statement))
        return replace(statement, left=_columns(statement.left), right=right)
    return _query_columns(statement, columns(statement))


def _query_columns(query: ir.Query, names: tuple[str, ...]) -> ir.Query:
    """`names` are those of the whole statement: a UNION joins its columns by name."""
    last = query.clauses[-1]
    if not isinstance(last, ir.Project):
        return query
    order = tuple(replace(key, expr=without_aliases(key.expr, last)) for key in last.order)
    places = {name: number for number, name in enumerate(names, 1)}
    items = tuple(
        replace(item, alias=f"column {places.get(item.alias, number)}")
        for number, item in enumerate(last.items, 1)
    )
    last = replace(last, items=items, order=order)
    return replace(query, clauses=(*query.clauses[:-1], last))


def fingerprint(statement: ir.Statement) -> str:
    """Hash of the canonical form (16 hex digits)."""
    return _fingerprint(_Read(repr(statement), statement))


def shape(statement: ir.Statement) -> str:
    """Hash of the canonical form with all values masked: what two queries share but constants."""
    return _shape(_Read(repr(statement), statement))


@dataclass(frozen=True, slots=True)
class _Read:
    """A statement as a key: known by its text, because equality takes 1 for 1.0 and for true."""

    text: str
    statement: ir.Statement = field(compare=False)


@lru_cache(1024)
def _fingerprint(read: _Read) -> str:
    return _hash(canonical(read.statement))


@lru_cache(1024)
def _shape(read: _Read) -> str:
    return _hash(canonical(rewrite(read.statement, _mask)))


def _hash(node: ir.Node) -> str:
    text = json.dumps(to_json(node), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _mask(node: ir.Node) -> ir.Node:
    """Values become one value of their kind; a list of values becomes a list of one."""
    if isinstance(node, ir.Literal) and node.value is not None:
        return ir.Literal("?") if isinstance(node.value, str) else ir.Literal(0)
    if isinstance(node, ir.ListOf) and all(isinstance(i, ir.Literal) for i in node.items):
        return ir.ListOf(node.items[:1])
    return node


def _order(node: ir.Node) -> ir.Node:
    """Equal parts in an order that does not depend on names."""
    match node:
        case ir.Bool(args=args) | ir.LabelAnd(args) | ir.LabelOr(args):
            return with_fields(node, {"args": _sorted(args)})
        case ir.Compare(op, left, right) if op in _FLIPPED:
            return with_fields(node, {"op": _FLIPPED[op], "left": right, "right": left})
        case ir.Compare(op, left, right) if op in _SYMMETRIC:
            first, second = _sorted((left, right))
            return with_fields(node, {"left": first, "right": second})
        case ir.MapOf(entries):
            return with_fields(node, {"entries": _sorted(entries)})
        case ir.Match(paths):
            return with_fields(node, {"paths": _sorted(map(_turned, paths))})
        case ir.Item(named=False):
            return with_fields(node, {"named": True})
        case ir.Exists(form=form) if form is not ir.ExistsForm.SUBQUERY:
            return replace(node, form=ir.ExistsForm.SUBQUERY)
        case _:
            return node


def _turned(path: ir.Path) -> ir.Path:
    """The path read from the end with the smaller key; named paths keep their order."""
    plain = all(isinstance(step.edge, ir.EdgePattern) for step in path.steps)
    if path.var is not None or path.selector is not None or not (plain and path.steps):
        return path
    for step in path.steps:
        edge = step.edge
        assert isinstance(edge, ir.EdgePattern)  # noqa: S101 - `plain` says so
        if edge.hops is not None and edge.var is not None:
            return path  # its list of edges has an order
    nodes = [path.head, *(step.node for step in path.steps)][::-1]
    edges = [step.edge for step in path.steps][::-1]
    back = replace(
        path,
        head=nodes[0],
        steps=tuple(
            ir.Step(replace(edge, direction=_BACK[edge.direction]), node)
            for edge, node in zip(edges, nodes[1:], strict=True)
            if isinstance(edge, ir.EdgePattern)
        ),
    )
    return _sorted((path, back))[0]


def _sorted[N: ir.Node](items: Iterable[N]) -> tuple[N, ...]:
    """Ordered by texts in which names play no part until everything else is equal."""
    elements = tuple(items)
    if len(elements) < 2:
        return elements
    keys = [(_text(item, named=False), "") for item in elements]
    if len(set(keys)) < len(keys):
        pairs = zip(keys, elements, strict=True)
        keys = [(bare, _text(item, named=True)) for (bare, _), item in pairs]
    order = sorted(range(len(elements)), key=keys.__getitem__)
    return tuple([elements[number] for number in order])


def _text(value: Any, *, named: bool) -> str:
    """`repr(value)`, without the names that the author chose unless they are wanted."""
    if isinstance(value, tuple):
        items = ", ".join([_text(item, named=named) for item in value])
        return f"({items},)" if len(value) == 1 else f"({items})"
    if not isinstance(value, ir.Node):
        return repr(value)
    kind: Any = type(value)
    parts = []
    for name, is_chosen in _shown(kind):
        inner = getattr(value, name)
        if is_chosen and inner and not named:
            inner = ""
        parts.append(f"{name}={_text(inner, named=named)}")
    return f"{kind.__qualname__}({', '.join(parts)})"


@cache
def _shown(kind: Any) -> tuple[tuple[str, bool], ...]:
    """The fields that `repr` shows, and whether each holds a name that the author chose."""
    chosen = {"name"} if kind is ir.Var else _NAMES
    return tuple((f.name, f.name in chosen) for f in fields(kind) if f.repr)


@cache
def _chosen_fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name in _NAMES)


def _renamed(statement: ir.Statement) -> ir.Statement:
    """Every name the author chose, by the order in which it first appears."""
    names: dict[str, str] = {}
    for node in descend(statement):
        for name in _chosen(node):
            names.setdefault(name, f"v{len(names) + 1}")

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var):
            return with_fields(node, {"name": names[node.name]})
        if isinstance(node, ir.Subquery):
            node = replace(node, imports=tuple(sorted(names[name] for name in node.imports)))
        kind: Any = type(node)
        new = {name: names[old] for name in _chosen_fields(kind) if (old := getattr(node, name))}
        return with_fields(node, new) if new else node

    return rewrite(statement, change)


def _chosen(node: ir.Node) -> Iterator[str]:
    if isinstance(node, ir.Var):
        yield node.name
    if isinstance(node, ir.Subquery):
        yield from node.imports
    kind: Any = type(node)
    for name in _chosen_fields(kind):
        if chosen := getattr(node, name):
            yield chosen
