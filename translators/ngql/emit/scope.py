"""What lowering knows while it walks through a statement: names, elements, what may be null."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.identity_cache import once
from graph_ir.lowerings import names_in
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type
from schemagraph.nebula import Tags

tags_of = once(64)(Tags)
"""The tags of a schema, worked out once for the many texts that are written of one graph."""


class Scope:
    """State of one statement's lowering; `enter` and `project` follow its clauses."""

    def __init__(self, statement: ir.Statement, schema: SchemaGraph | None) -> None:
        self.schema = schema
        self.tags = tags_of(schema) if schema else None
        self.elements: dict[str, Type] = {}
        self.nullable: set[str] = set()
        self._taken = names_in(statement)

    def fresh(self, stem: str) -> str:
        """A name that the statement does not use: `stem`, else `stem_2`, …."""
        name, number = stem, 1
        while name in self._taken:
            number += 1
            name = f"{stem}_{number}"
        self._taken.add(name)
        return name

    def spare(self, stem: str) -> str:
        """A name as `fresh` gives, which may be given again outside of `reserved`."""
        name = self.fresh(stem)
        self._taken.discard(name)
        return name

    @contextmanager
    def reserved(self, name: str) -> Iterator[None]:
        """Inside, `name` is in use."""
        free = name not in self._taken
        self._taken.add(name)
        try:
            yield
        finally:
            if free:
                self._taken.discard(name)

    def restart(self) -> None:
        """Forget what is bound: the next query of a UNION begins."""
        self.elements = {}
        self.nullable = set()

    def bind(self, name: str, type: Type, *, nullable: bool = False) -> None:
        """A pattern binds `name` to an element."""
        known = self.elements.get(name)
        if known is None or (not known.of and type.of):
            self.elements[name] = type
        if nullable and known is None:
            self.nullable.add(name)

    def project(self, items: Iterable[ir.Item]) -> None:
        """After WITH only its columns are left."""
        kept: dict[str, Type] = {}
        nullable = set()
        for item in items:
            if isinstance(item.expr, ir.Var) and item.expr.name in self.elements:
                kept[item.alias] = self.elements[item.expr.name]
                if item.expr.name in self.nullable:
                    nullable.add(item.alias)
        self.elements = kept
        self.nullable = nullable

    @contextmanager
    def hidden(self, *names: str) -> Iterator[None]:
        """Inside, `names` are loop variables and no elements of the patterns."""
        elements, nullable = self.elements, self.nullable
        self.elements = {n: t for n, t in elements.items() if n not in names}
        self.nullable = nullable - set(names)
        try:
            yield
        finally:
            self.elements, self.nullable = elements, nullable

    def node_type(self, pattern: ir.NodePattern) -> Type:
        """The type of a node pattern: as bound, or with the pattern's one label for a tag."""
        if self.schema:
            return pattern.type if pattern.type.kind is Kind.NODE else Type(Kind.NODE)
        labels = label_names(plain_labels(pattern.labels)[0]) or ()
        return Type(Kind.NODE, of=labels if len(labels) == 1 else ())

    def edge_type(self, pattern: ir.EdgePattern) -> Type:
        """The type of an edge pattern, a list of edges where it has a length."""
        single = pattern.type
        if single.kind is Kind.LIST and single.item:
            single = single.item
        if single.kind is not Kind.EDGE:
            single = Type(Kind.EDGE)
        return Type(Kind.LIST, item=single) if pattern.hops else single


def rebuilt[N: ir.Node](node: N, change: Callable[[ir.Node], ir.Node]) -> N:
    """A copy of `node` whose direct children went through `change`."""
    updates: dict[str, Any] = {}
    for field in fields(node):
        if field.name in ("span", "type") or not field.init:
            continue
        value = getattr(node, field.name)
        if isinstance(value, ir.Node):
            updates[field.name] = change(value)
        elif isinstance(value, tuple) and any(isinstance(item, ir.Node) for item in value):
            updates[field.name] = tuple(
                change(item) if isinstance(item, ir.Node) else item for item in value
            )
    return replace(node, **updates) if updates else node


def label_names(labels: ir.LabelExpr | None) -> tuple[str, ...] | None:
    """The labels of a plain conjunction (`:A`, `:A:B`), or None where it is none."""
    match labels:
        case None:
            return ()
        case ir.LabelName(name):
            return (name,)
        case ir.LabelAnd(args) if all(isinstance(arg, ir.LabelName) for arg in args):
            return tuple(arg.name for arg in args if isinstance(arg, ir.LabelName))
    return None


def plain_labels(
    labels: ir.LabelExpr | None,
) -> tuple[ir.LabelExpr | None, tuple[ir.LabelExpr, ...]]:
    """The part of a label expression that a pattern can say, and the tests that remain."""
    if label_names(labels) is not None:
        return labels, ()
    parts = labels.args if isinstance(labels, ir.LabelAnd) else (labels,)
    plain = tuple(part for part in parts if isinstance(part, ir.LabelName))
    rest = tuple(p for p in parts if p is not None and not isinstance(p, ir.LabelName))
    kept = ir.LabelAnd(plain) if len(plain) > 1 else plain[0] if plain else None
    return kept, rest


def refuse(code: str, node: ir.Node, construct: str, reason: str) -> Refused:
    """A refusal at the place of `node`."""
    return Refused(code, construct, reason, node.span)
