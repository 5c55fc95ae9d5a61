"""Rules of proofs: what a pattern says by itself, and what the schema's types add to it.

Each rule is a rewrite that keeps the meaning on all graphs of the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find, rewrite, with_fields
from schemagraph.model import SchemaGraph


def types[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Labels as the node types that the pattern's neighbours leave; directions that are forced;
    lengths that a path to and fro between two types can have.

    What must exist beside a node (EXISTS in its MATCH's condition) leaves types, too.
    """
    statement = rewrite(statement, _narrowed)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.NodePattern() if node.type.of:
                return with_fields(node, {"labels": _any_of(node.type.of)})
            case ir.EdgePattern() if node.type.of:
                return with_fields(node, {"types": _any_of(node.type.of)})
            case ir.Path():
                return _even(_directed(node, schema), schema)
        return node

    return rewrite(statement, change)


@lru_cache(maxsize=1024)
def _any_of(types: tuple[str, ...]) -> ir.LabelName:
    return ir.LabelName(" ".join(sorted(types)))


def _narrowed(node: ir.Node) -> ir.Node:
    """A MATCH whose nodes have only the types that its EXISTS conditions leave them."""
    if not isinstance(node, ir.Match) or node.where is None or node.optional:
        return node
    left: dict[str, set[str]] = {}
    for part in conjuncts(node.where):
        if isinstance(part, ir.Exists) and isinstance(part.query, ir.Query):
            first = part.query.clauses[0]
            if isinstance(first, ir.Match) and not first.optional:
                for inner in (n for path in first.paths for n in find(path, ir.NodePattern)):
                    if inner.var is not None and inner.type.of:
                        left.setdefault(inner.var, set(inner.type.of)).intersection_update(
                            inner.type.of
                        )

    def change(each: ir.Node) -> ir.Node:
        if isinstance(each, ir.NodePattern) and each.var in left:
            of = tuple(name for name in each.type.of if name in left[each.var or ""])
            if of and of != each.type.of:
                return replace(each, type=replace(each.type, of=of))
        return each

    return (
        replace(node, paths=tuple(rewrite(path, change) for path in node.paths)) if left else node
    )


def _directed(path: ir.Path, schema: SchemaGraph) -> ir.Path:
    """A step of either direction that only one direction can take."""
    left = path.head
    steps = []
    for step in path.steps:
        edge = step.edge
        if (
            isinstance(edge, ir.EdgePattern)
            and edge.direction is ir.Direction.BOTH
            and edge.hops is None
            and edge.type.of
        ):
            out = _possible(edge, left, step.node, schema)
            into = _possible(edge, step.node, left, schema)
            if out != into:
                way = ir.Direction.OUT if out else ir.Direction.IN
                step = replace(step, edge=replace(edge, direction=way))
        steps.append(step)
        left = step.node
    return replace(path, steps=tuple(steps)) if tuple(steps) != path.steps else path


def _even(path: ir.Path, schema: SchemaGraph) -> ir.Path:
    """Lengths that a step of several edges can have: some, where its ends are different nodes; an
    even number on the way back to one of the two kinds of node that the edges are between."""
    left = path.head
    steps = []
    for step in path.steps:
        edge = step.edge
        if isinstance(edge, ir.EdgePattern) and edge.hops is not None:
            odd = _is_odd(edge, left, step.node, schema)
            lo, hi = edge.hops.lo, edge.hops.hi
            lo = max(lo, int(_are_told_apart(left, step.node)))
            if odd is not None:
                lo += lo % 2 != odd
                hi = None if hi is None else hi - (hi % 2 != odd)
            if hi is None or lo <= hi:
                step = replace(step, edge=replace(edge, hops=ir.Hops(lo, hi)))
        steps.append(step)
        left = step.node
    return replace(path, steps=tuple(steps)) if tuple(steps) != path.steps else path


def _are_told_apart(one: ir.NodePattern, other: ir.NodePattern) -> bool:
    """Whether two patterns want different values of one property."""
    wanted = [
        {e.key: e.value.value for e in node.props.entries if isinstance(e.value, ir.Literal)}
        for node in (one, other)
        if isinstance(node.props, ir.MapOf)
    ]
    return len(wanted) == 2 and any(
        type(wanted[0][key]) is type(wanted[1][key]) and wanted[0][key] != wanted[1][key]
        for key in wanted[0].keys() & wanted[1].keys()
    )


def _is_odd(
    edge: ir.EdgePattern, left: ir.NodePattern, right: ir.NodePattern, schema: SchemaGraph
) -> bool | None:
    """Whether every path of such edges between the two has an odd length; None: either may be."""
    kinds = [e for e in schema.edges if e.name in edge.type.of]
    sides = {e.source for e in kinds}, {e.target for e in kinds}
    if edge.direction is not ir.Direction.BOTH or not kinds or sides[0] & sides[1]:
        return None
    at = [[set(n.type.of) <= side for side in sides] for n in (left, right) if n.type.of]
    if len(at) != 2 or not all(map(any, at)):
        return None
    return at[0] != at[1]


def _possible(
    edge: ir.EdgePattern, source: ir.NodePattern, target: ir.NodePattern, schema: SchemaGraph
) -> bool:
    return any(
        e.source in source.type.of and e.target in target.type.of
        for e in schema.edges
        if e.name in edge.type.of
    )


def different_ends[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Edges that may repeat, where one edge in two places would make one node unlike itself."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Match) or node.mode is not ir.MatchMode.REPEATABLE:
            return node
        unlike = {
            frozenset((a.name, b.name)) for part in conjuncts(node.where) for a, b in _unlike(part)
        }
        edges = [
            (left, step.edge, step.node)
            for path in node.paths
            for left, step in zip(
                (path.head, *(s.node for s in path.steps)), path.steps, strict=False
            )
        ]
        for number, one in enumerate(edges):
            for other in edges[number + 1 :]:
                if not _cannot_meet(one, other, unlike):
                    return node
        return replace(node, mode=ir.MatchMode.DIFFERENT_EDGES)

    return rewrite(statement, change)


type _Step = tuple[ir.NodePattern, ir.EdgePattern | ir.Quantified, ir.NodePattern]


def _unlike(part: ir.Expr) -> Iterator[tuple[ir.Var, ir.Var]]:
    match part:
        case ir.Compare(op, ir.Prop(ir.Var() as a, x), ir.Prop(ir.Var() as b, y)):
            if x == y and op in (ir.CompareOp.LT, ir.CompareOp.GT, ir.CompareOp.NE):
                yield a, b
        case ir.Compare(ir.CompareOp.NE, ir.Var() as a, ir.Var() as b):
            yield a, b


def _cannot_meet(one: _Step, other: _Step, unlike: set[frozenset[str]]) -> bool:
    ends = []
    for left, edge, right in (one, other):
        if not isinstance(edge, ir.EdgePattern) or edge.hops is not None:
            return False
        if edge.direction is ir.Direction.BOTH:
            return False
        ends.append((left, right) if edge.direction is ir.Direction.OUT else (right, left))
    if not set(one[1].type.of) & set(other[1].type.of):  # type: ignore[union-attr] # looked above
        return True
    return any(
        (not set(a.type.of) & set(b.type.of))
        or (a.var is not None and b.var is not None and frozenset((a.var, b.var)) in unlike)
        for a, b in zip(*ends, strict=True)
    )
