"""Names of Spanner's tables as those of the graph: case does not matter, and some have numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import descend, find, rewrite
from schemagraph.model import SchemaGraph
from schemagraph.spanner import SpannerNames

_PATTERNS = (ir.NodePattern, ir.EdgePattern, ir.Path)


def renamed(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """`statement` with the labels and properties of `schema`; others stay as they are written."""
    names = SpannerNames(schema)
    labels, properties = names.labels_meant, names.properties_meant

    def meant(key: str) -> str:
        return properties.get(key.casefold(), key)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.LabelName(name):
                return replace(node, name=labels.get(name.casefold(), name))
            case ir.Prop(ir.Var() | ir.Index(), key):
                return replace(node, key=meant(key))
            case (
                ir.NodePattern(props=ir.MapOf() as asked)
                | ir.EdgePattern(props=ir.MapOf() as asked)
            ):
                entries = tuple(replace(each, key=meant(each.key)) for each in asked.entries)
                return replace(node, props=replace(asked, entries=entries))
        return node

    return rewrite(statement, change)


def folded(statement: ir.Statement) -> ir.Statement:
    """`statement` with each variable in one spelling: case does not tell them apart.

    A name of a column (`RETURN c.id AS C`) stays what it is beside a variable of a pattern.
    """
    own: dict[str, str] = {}  # variables of patterns, in lower case -> as they are written first
    for node in find(statement, *_PATTERNS):
        match node:
            case ir.NodePattern(var=str(name)) | ir.EdgePattern(var=str(name)):
                own.setdefault(name.casefold(), name)
            case ir.Path(var=str(name)):
                own.setdefault(name.casefold(), name)
    # What `*` and LET hand on has no name of its own.
    handed = {id(item) for item in find(statement, ir.Item) if item.expr == ir.Var(item.alias)}
    others = {
        named
        for node in descend(statement)
        if not isinstance(node, _PATTERNS) and id(node) not in handed
        for field in ("var", "alias")
        if isinstance(named := getattr(node, field, None), str)
    }
    alike: dict[str, list[str]] = {}
    for name in sorted(others):
        alike.setdefault(name.casefold(), []).append(name)

    def meant(name: str) -> str:
        if name in others:
            return name
        known = own.get(name.casefold())
        if known is not None:
            return known
        spelt = alike.get(name.casefold(), [])
        return spelt[0] if len(spelt) == 1 else name

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Var(name) if name != meant(name):
                return replace(node, name=meant(name))
            case (
                ir.NodePattern(var=str(name))
                | ir.EdgePattern(var=str(name))
                | ir.Path(var=str(name))
            ) if name != meant(name):
                return replace(node, var=meant(name))
            case ir.Project(final=False) if any(i.alias != meant(i.alias) for i in node.items):
                return replace(node, items=_handed_on(node.items, meant))
        return node

    return rewrite(statement, change)


def _handed_on(items: tuple[ir.Item, ...], meant: Callable[[str], str]) -> tuple[ir.Item, ...]:
    """Columns of which those that hand on a variable do it in one spelling, once."""
    taken = {item.alias for item in items}
    kept: list[ir.Item] = []
    for item in items:
        name = meant(item.alias)
        if name == item.alias or name not in taken:
            kept.append(replace(item, alias=name))
            taken.add(name)
    return tuple(kept)
