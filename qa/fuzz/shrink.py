"""Make a failing statement, then its graph, as small as they can be while they still fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from time import monotonic
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, bind
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import SchemaGraph

# Fields that are no choice of the author's, or whose default says more than what stands there.
_KEPT = frozenset({"span", "type", "kind", "final", "group", "form", "named", "lo", "hi", "count"})
_LEAST = {ir.Bool: 2, ir.LabelAnd: 2, ir.LabelOr: 2, ir.ListOf: 0, ir.MapOf: 0, ir.Path: 0}
_WHOLE = (ir.Call, ir.Agg, ir.Procedure)  # their arguments are not dropped one by one
_CONSTANTS = (ir.Literal(None), ir.Literal(1), ir.Literal(True))

type Fails = Callable[[ir.Statement, SmallGraph], bool]


def shrink(
    statement: ir.Statement, graph: SmallGraph, fails: Fails, *, seconds: float = 60.0
) -> tuple[ir.Statement, SmallGraph]:
    """The smallest statement and graph found for which `fails` still holds."""
    end = monotonic() + seconds
    statement = _shrink_statement(statement, graph, fails, end)
    graph = _shrink_graph(statement, graph, fails, end)
    return _shrink_statement(statement, graph, fails, end), graph


def _shrink_statement(
    statement: ir.Statement, graph: SmallGraph, fails: Fails, end: float
) -> ir.Statement:
    again = True
    while again and monotonic() < end:
        again = False
        for smaller in reductions(statement):
            if monotonic() > end:
                break
            whole = regrouped(smaller)
            if is_steady(whole) and is_valid(whole, graph.schema) and fails(whole, graph):
                statement, again = whole, True
                break
    return statement


def is_valid(statement: ir.Statement, schema: SchemaGraph) -> bool:
    """Whether the checker finds nothing that makes the statement meaningless."""
    return all(error.code in TOLERATED for error in bind(statement, schema).errors)


def is_steady(statement: ir.Statement) -> bool:
    """Whether windows inside the query choose the same rows whatever order engines keep."""
    final = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    for project in find(statement, ir.Project):
        if project is final or (project.skip is None and project.limit is None):
            continue
        keys = {key.expr.name for key in project.order if isinstance(key.expr, ir.Var)}
        if not {item.alias for item in project.items} <= keys and not _counts_only(project):
            return False
    return True


def _counts_only(project: ir.Project) -> bool:
    return project.final and not project.order and project.where is None


def regrouped[N: ir.Node](statement: N) -> N:
    """The statement, or a clause, with the grouping keys that its items imply."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project):
            return node
        keys = tuple(item.expr for item in node.items if not has_aggregate(item.expr))
        group = keys if len(keys) < len(node.items) else None
        return node if node.group == group else replace(node, group=group)

    return rewrite(statement, change)


def reductions(node: Any) -> Iterator[Any]:
    """Smaller versions of a node: big cuts first, then those of its parts."""
    yield from _local(node)
    for name in _fields(node.__class__):
        value = getattr(node, name)
        if isinstance(value, ir.Node):
            for smaller in reductions(value):
                if name != "props" or isinstance(smaller, ir.MapOf):
                    yield replace(node, **{name: smaller})
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                if isinstance(item, ir.Node):
                    for smaller in reductions(item):
                        changed = (*value[:number], smaller, *value[number + 1 :])
                        yield replace(node, **{name: changed})


def _local(node: ir.Node) -> Iterator[ir.Node]:
    match node:
        case ir.Union():
            yield from (node.left, node.right)
        case ir.Path() if node.steps:
            yield replace(node, head=node.steps[0].node, steps=node.steps[1:])
            yield replace(node, steps=node.steps[:-1])
            return
        case ir.LabelAnd() | ir.LabelOr():
            yield from node.args
        case ir.LabelNot():
            yield node.arg
        case ir.Expr() if not isinstance(node, ir.Literal):
            yield from _CONSTANTS
            yield from _parts(node)
    yield from _cuts(node)


def _parts(node: Any) -> Iterator[ir.Expr]:
    """Expressions directly inside."""
    for name in _fields(node.__class__):
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            match part:
                case ir.Expr():
                    yield part
                case ir.Entry():
                    yield part.value
                case ir.When():
                    yield from (part.result, part.condition)


def _cuts(node: Any) -> Iterator[ir.Node]:
    """The node without one of its optional parts."""
    defaults = _defaults(node.__class__)
    for name in _fields(node.__class__):
        value = getattr(node, name)
        if isinstance(node, _WHOLE) and name == "args":
            continue
        if isinstance(value, tuple):
            if len(value) > _LEAST.get(type(node), 1) or (name in defaults and value):
                for number in range(len(value)):
                    yield replace(node, **{name: (*value[:number], *value[number + 1 :])})
        elif name in defaults and value != defaults[name]:
            yield replace(node, **{name: defaults[name]})


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.init and f.name not in _KEPT)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """Defaults of fields where leaving a thing out makes a smaller query."""
    plain = (None, False)
    return {
        f.name: f.default
        for f in fields(kind)
        if f.init and f.name not in _KEPT and (f.default in plain or f.default == ())
    }


# --- graphs ---------------------------------------------------------------------------------


def _shrink_graph(
    statement: ir.Statement, graph: SmallGraph, fails: Fails, end: float
) -> SmallGraph:
    again = True
    while again and monotonic() < end:
        again = False
        for smaller in _smaller_graphs(graph):
            if monotonic() > end:
                break
            if fails(statement, smaller):
                graph, again = smaller, True
                break
    return graph


def _smaller_graphs(graph: SmallGraph) -> Iterator[SmallGraph]:
    names = [e.name for e in graph.schema.edges] + [n.name for n in graph.schema.nodes]
    for name in names:
        rows = graph.rows[name]
        if len(rows) > 1:
            half = len(rows) // 2
            yield from (_without(graph, name, rows[half:]), _without(graph, name, rows[:half]))
    for name in names:
        for row in graph.rows[name]:
            yield _without(graph, name, (row,))
    keys = {each.name: 1 for each in graph.schema.nodes}
    for name in names:
        for number, row in enumerate(graph.rows[name]):
            for place in range(keys.get(name, 2), len(row)):
                if row[place] is not None:
                    empty = (*row[:place], None, *row[place + 1 :])
                    rows = graph.rows[name]
                    yield graph.with_rows(name, (*rows[:number], empty, *rows[number + 1 :]))


def _without(graph: SmallGraph, name: str, gone: tuple[tuple[Any, ...], ...]) -> SmallGraph:
    """The graph without these rows, and without edges that have lost an end."""
    left = list(graph.rows[name])
    for row in gone:
        left.remove(row)
    graph = graph.with_rows(name, tuple(left))
    for edge in graph.schema.edges:
        sources = {row[0] for row in graph.rows[edge.source]}
        targets = {row[0] for row in graph.rows[edge.target]}
        kept = [r for r in graph.rows[edge.name] if r[0] in sources and r[1] in targets]
        graph = graph.with_rows(edge.name, tuple(kept))
    return graph
