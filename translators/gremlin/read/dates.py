"""Dates in Gremlin's predicates: TinkerGraph holds them as their ISO texts, the graph as dates.

A traversal compares them with texts. Where a schema says that a property is a date, a text that is
written as one is that date; comparing it with any other text has no Graph-IR.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from translators.gremlin.read.traversal import refused

_FORMS: dict[Kind, tuple[str, re.Pattern[str], Callable[[str], object]]] = {
    Kind.DATE: ("date", re.compile(r"\d{4}-\d\d-\d\d"), date.fromisoformat),
    Kind.TIME: ("localtime", re.compile(r"\d\d:\d\d:\d\d"), time.fromisoformat),
    Kind.DATETIME: (
        "localdatetime",
        re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"),
        datetime.fromisoformat,
    ),
}


def with_dates(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement with dates where texts stand beside properties that are dates.

    Raises:
        Refused: a date is compared with a text that is none.
    """
    kinds: dict[str, set[Kind]] = {}
    types: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    for each in types:
        for own in each.properties:
            kinds.setdefault(own.name, set()).add(own.type.kind)
    dated = {name for name, own in kinds.items() if own & _FORMS.keys()}

    def temporal(own: ir.Expr, other: ir.Expr) -> ir.Expr:
        if not isinstance(own, ir.Prop) or own.key not in dated:
            return other
        if not isinstance(other, ir.Literal) or not isinstance(other.value, str):
            return other
        (kind, *more) = kinds[own.key]
        name, form, valid = _FORMS.get(kind, ("", None, str))
        if more or form is None or not form.fullmatch(other.value):
            raise refused(f"'{own.key}'", "A date is compared with a text that is none.")
        try:
            valid(other.value)
        except ValueError as problem:
            raise refused(f"'{own.key}'", f"'{other.value}' is no {name}.") from problem
        return ir.Call(name, (other,))

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(_, left, right):
                return replace(node, left=temporal(right, left), right=temporal(left, right))
            case ir.In(item, ir.ListOf(items)):
                listed = tuple(temporal(item, each) for each in items)
                return replace(node, list=ir.ListOf(listed))
        return node

    return rewrite(statement, change) if dated else statement
