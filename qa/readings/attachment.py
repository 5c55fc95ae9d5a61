"""Attachment: a restriction of one thing read as one of another thing that has the property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from qa.readings.shape import both, named_nodes, renamed, types_of
from schemagraph.model import NodeType, SchemaGraph


def of_another(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """A condition on one node moved to another node of the same MATCH."""
    for at, clause in enumerate(query.clauses):
        if not isinstance(clause, ir.Match):
            continue
        nodes = named_nodes((clause,))
        parts = conjuncts(clause.where)
        for number, part in enumerate(parts):
            props = [p for p in find(part, ir.Prop) if isinstance(p.base, ir.Var)]
            names = {p.base.name for p in props if isinstance(p.base, ir.Var)}
            if len(props) != 1 or len(names) != 1 or any(True for _ in find(part, ir.Exists)):
                continue
            (name,) = names
            for other, node in nodes.items():
                if name in nodes and other != name and _has(node, props[0], schema):
                    moved = renamed(part, {name: other})
                    where = both(*parts[:number], moved, *parts[number + 1 :])
                    changed = replace(clause, where=where)
                    yield replace(
                        query, clauses=(*query.clauses[:at], changed, *query.clauses[at + 1 :])
                    )


def _has(node: ir.NodePattern, prop: ir.Prop, schema: SchemaGraph) -> bool:
    """Whether nodes there have a property of that name and kind."""
    own = types_of(node, schema)
    return bool(own) and all(
        isinstance(each, NodeType)
        and (prop_there := each.property(prop.key)) is not None
        and prop_there.type.kind is prop.type.kind
        for each in own
    )
