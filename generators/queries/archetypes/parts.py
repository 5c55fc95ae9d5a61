"""Parts of queries that evolution puts together: columns, conditions, steps, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from generators.queries.archetypes.filling import labels_of
from generators.questions.lexicon.derive.words import read_property
from graph_ir import nodes as ir
from graph_ir.bind.parameters import constant as typed
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite
from schemagraph.model import Property, SchemaGraph
from schemagraph.naming import words
from schemagraph.views import Hop
from translators.gql.emit.text import is_variable


def column(expr: ir.Prop) -> ir.Item:
    """A column that is called as it is written, where that needs no quotes."""
    assert isinstance(expr.base, ir.Var)  # noqa: S101 # columns of places
    if expr.key.isidentifier():
        return ir.Item(expr, f"{expr.base.name}.{expr.key}", named=False)
    return ir.Item(expr, "_".join(words(expr.key)).lower() or "value")


def both(left: ir.Expr | None, right: ir.Expr | None) -> ir.Expr | None:
    """The conjunction of two conditions that may be missing."""
    if left is None or right is None:
        return right if left is None else left
    return ir.Bool(ir.BoolOp.AND, (*conjuncts(left), *conjuncts(right)))


def conjuncts(condition: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """What must hold together."""
    if isinstance(condition, ir.Bool) and condition.op is ir.BoolOp.AND:
        return condition.args
    return () if condition is None else (condition,)


def step_to(hop: Hop, schema: SchemaGraph, new: str, hops: ir.Hops | None = None) -> ir.Step:
    """One step along a hop to a node called `new`."""
    far = schema.node_by_name[hop.ends[1]]
    direction = ir.Direction.OUT if hop.forward else ir.Direction.IN
    edge = ir.EdgePattern(types=ir.LabelName(hop.edge.label), direction=direction, hops=hops)
    return ir.Step(edge, ir.NodePattern(new, labels_of(far, schema)))


def regrouped(project: ir.Project) -> ir.Project:
    """The projection with the grouping keys that its items need."""
    if not any(has_aggregate(item.expr) for item in project.items):
        return replace(project, group=None)
    keys = tuple(item.expr for item in project.items if not has_aggregate(item.expr))
    return replace(project, group=keys)


def fresh(label: str, taken: set[str]) -> str:
    """A readable variable: the label's words, numbered where it is taken.

    >>> fresh("TourStop", set()), fresh("City", {"city"}), fresh("Order", set())
    ('tour_stop', 'city2', 'order1')
    """
    stem = "_".join(words(label)).lower()
    if not stem.isidentifier():
        stem = "node"
    name = stem if is_variable(stem) else f"{stem}1"
    for number in count(2):
        if name not in taken:
            break
        name = f"{stem}{number}"
    return name


def named(statement: ir.Query, schema: SchemaGraph) -> ir.Query:
    """The query with a variable for every node pattern of its own MATCH clauses."""
    taken = {name for node in find(statement, ir.Node) for name in names_in(node)}

    def name(node: ir.NodePattern) -> ir.NodePattern:
        if node.var is not None or not isinstance(node.labels, ir.LabelName):
            return node
        var = fresh(node.labels.name, taken)
        taken.add(var)
        return replace(node, var=var)

    clauses: list[ir.Clause] = []
    for clause in statement.clauses:
        if isinstance(clause, ir.Match):
            paths = tuple(
                replace(
                    path,
                    head=name(path.head),
                    steps=tuple(replace(step, node=name(step.node)) for step in path.steps),
                )
                for path in clause.paths
            )
            clause = replace(clause, paths=paths)
        clauses.append(clause)
    return replace(statement, clauses=tuple(clauses))


def unnamed[S: ir.Statement](statement: S, keep: frozenset[str]) -> S:
    """The query without the node variables that nothing reads, but those of `keep`."""
    seen: Counter[str] = Counter()
    for node in find(statement, ir.Node):
        if isinstance(node, ir.NodePattern) and node.var is not None:
            seen[node.var] += 1
        elif isinstance(node, ir.Var):
            seen[node.name] += 1
    lone = {var for var, number in seen.items() if number == 1} - keep

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.NodePattern) and node.var in lone:
            return replace(node, var=None)
        return node

    return rewrite(statement, change)


def is_year(prop: Property) -> bool:
    """Whether the values are years."""
    return read_property(prop.name, prop.type).year


def constant(value: Any, prop: Property) -> ir.Expr:
    """An observed value as an expression of the property's type."""
    return typed(value, prop.type.kind)


def nodes_of(path: ir.Path) -> Iterator[ir.NodePattern]:
    yield path.head
    yield from (step.node for step in path.steps)


def end_of(path: ir.Path) -> ir.NodePattern:
    return path.steps[-1].node if path.steps else path.head


def names_in(node: ir.Node) -> Iterator[str]:
    for field in ("var", "alias", "acc"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ir.Var):
        yield node.name
