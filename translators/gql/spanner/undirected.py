"""Undirected edges that could begin where they end, as directed edges passed either way.

Cypher matches such an edge once. How often Spanner does, its documentation leaves open ("GQL
patterns", any-direction edges), so a text is made that does not ask: the edge with both of its
ends, which are the two nodes in one order or the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type
from translators.gql.emit.uniqueness import edges_of


def both_ways(node: ir.Match, schema: SchemaGraph, names: Iterator[str]) -> ir.Match:
    """The same MATCH without undirected edges that could be loops; `names` are for its nodes.

    Raises:
        Refused: one is of variable length, or belongs to a path that is named or searched.
    """
    paths: list[ir.Path] = []
    tests: list[ir.Expr] = []
    apart = [each for each in conjuncts(node.where) if _differ(each)]
    for path in node.paths:
        begin, steps = path.head, list[ir.Step]()
        for step in path.steps:
            last = steps[-1].node if steps else begin
            edge = step.edge
            if not _could_loop(last, edge, step.node, schema) or _apart(last, step.node, apart):
                steps.append(step)
                continue
            if (
                not isinstance(edge, ir.EdgePattern)
                or edge.hops is not None
                or path.var is not None
                or path.selector is not None
                or path.mode not in (None, ir.PathMode.WALK, ir.PathMode.TRAIL)
                or (path.mode is ir.PathMode.TRAIL and node.mode is ir.MatchMode.REPEATABLE)
            ):
                raise Refused(
                    "undirected-loop",
                    "-[ ]-",
                    "An edge from a node to itself matches an undirected pattern once in Cypher; "
                    "of Spanner it is not known.",
                    edge.span,
                )
            first = last if last.var else replace(last, var=next(names))
            second = step.node if step.node.var else replace(step.node, var=next(names))
            if steps:
                steps[-1] = replace(steps[-1], node=first)
            else:
                begin = first
            source, target = next(names), next(names)
            passed = ir.Step(
                replace(edge, direction=ir.Direction.OUT), ir.NodePattern(target, type=_NODE)
            )
            paths.append(_part(path, begin, steps))
            paths.append(ir.Path(ir.NodePattern(source, type=_NODE), (passed,), span=path.span))
            tests.append(_either(first, second, source, target))
            begin, steps = second, []
        paths.append(_part(path, begin, steps))
    if not tests:
        return node
    return replace(node, paths=tuple(paths), where=conjunction(node.where, *tests))


_NODE = Type(Kind.NODE)


def _could_loop(
    left: ir.NodePattern,
    edge: ir.EdgePattern | ir.Quantified,
    right: ir.NodePattern,
    schema: SchemaGraph,
) -> bool:
    """Whether an edge passed either way could end where it begins."""
    if isinstance(edge, ir.Quantified):
        return any(
            each.direction is ir.Direction.BOTH and _joins_itself(each, (), schema)
            for each in edges_of(edge.path)
        )
    if edge.direction is not ir.Direction.BOTH:
        return False
    ends = () if edge.hops is not None else (left.type.of, right.type.of)
    return _joins_itself(edge, ends, schema)


def _joins_itself(
    edge: ir.EdgePattern, ends: tuple[tuple[str, ...], ...], schema: SchemaGraph
) -> bool:
    """Whether an edge type that the pattern can match has both ends in one type of `ends`."""
    known = schema.edge_by_name
    types = [known[name] for name in edge.type.of if name in known] or [*known.values()]
    return any(
        each.source == each.target and all(not of or each.source in of for of in ends)
        for each in types
    )


def _differ(test: ir.Expr) -> bool:
    sides = (test.left, test.right) if isinstance(test, ir.Compare) else ()
    return (
        isinstance(test, ir.Compare)
        and test.op is ir.CompareOp.NE
        and all(isinstance(side, ir.Var) for side in sides)
    )


def _apart(left: ir.NodePattern, right: ir.NodePattern, tests: list[ir.Expr]) -> bool:
    """Whether the query says that two nodes are not the same."""
    names = {left.var, right.var}
    return any(
        isinstance(test, ir.Compare)
        and {side.name for side in (test.left, test.right) if isinstance(side, ir.Var)} == names
        for test in tests
    )


def _either(one: ir.NodePattern, other: ir.NodePattern, source: str, target: str) -> ir.Expr:
    """Whether `one` and `other` are the ends of an edge, in any order."""

    def same(end: str, node: ir.NodePattern) -> ir.Expr:
        return ir.Compare(
            ir.CompareOp.EQ, ir.Var(end, type=_NODE), ir.Var(node.var or "", type=_NODE)
        )

    ways = ((source, target), (target, source))
    return ir.Bool(
        ir.BoolOp.OR,
        tuple(ir.Bool(ir.BoolOp.AND, (same(a, one), same(b, other))) for a, b in ways),
    )


def _part(path: ir.Path, head: ir.NodePattern, steps: list[ir.Step]) -> ir.Path:
    return replace(path, head=head, steps=tuple(steps), mode=path.mode if steps else None)
