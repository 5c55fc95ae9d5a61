"""Patterns: another label, edge type, direction or length; a step less; one edge taken twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from qa.mutation.operators.context import Context, Variant

NAMES = (
    "changed-label",
    "dropped-label",
    "changed-edge-type",
    "dropped-edge-type",
    "flipped-direction",
    "lost-direction",
    "changed-hops",
    "dropped-hop",
    "inner-for-optional",
    "optional-for-inner",
    "lost-uniqueness",
)
_BACK = {ir.Direction.OUT: ir.Direction.IN, ir.Direction.IN: ir.Direction.OUT}


def variants(node: ir.Node, context: Context) -> Iterator[Variant]:
    """What this family makes of one node."""
    match node:
        case ir.NodePattern(labels=ir.LabelName()) if _others_fit(node, context):
            yield "dropped-label", replace(node, labels=None)
        case ir.Path():
            yield from _path(node, context)
        case ir.Match():
            name = "inner-for-optional" if node.optional else "optional-for-inner"
            yield name, replace(node, optional=not node.optional)
            if node.mode is ir.MatchMode.DIFFERENT_EDGES and meets_itself(node):
                yield "lost-uniqueness", replace(node, mode=ir.MatchMode.REPEATABLE)


def _path(path: ir.Path, context: Context) -> Iterator[Variant]:
    """A path with another label, another edge, or one step less."""
    nodes = [path.head, *(step.node for step in path.steps)]
    edges = [step.edge for step in path.steps]
    for number, node in enumerate(nodes):
        around = [*edges[max(0, number - 1) : number], *edges[number : number + 1]]
        for label in _other_labels(node, around, context):
            changed = replace(node, labels=ir.LabelName(label))
            yield "changed-label", _with_node(path, number, changed)
    for number, edge in enumerate(edges):
        if isinstance(edge, ir.EdgePattern):
            for name, other in _edge(edge, nodes[number], nodes[number + 1], context):
                step = replace(path.steps[number], edge=other)
                steps = (*path.steps[:number], step, *path.steps[number + 1 :])
                yield name, replace(path, steps=steps)
    if path.steps and path.selector is None:
        yield "dropped-hop", replace(path, steps=path.steps[:-1])
        if len(path.steps) > 1:
            yield "dropped-hop", replace(path, head=nodes[1], steps=path.steps[1:])


def _with_node(path: ir.Path, number: int, node: ir.NodePattern) -> ir.Path:
    if not number:
        return replace(path, head=node)
    step = replace(path.steps[number - 1], node=node)
    return replace(path, steps=(*path.steps[: number - 1], step, *path.steps[number:]))


def _other_labels(
    node: ir.NodePattern, around: list[ir.EdgePattern | ir.Quantified], context: Context
) -> Iterator[str]:
    """Labels of types that have the properties that are read, and an end of the edges beside."""
    if not isinstance(node.labels, ir.LabelName):
        return
    keys = _keys(node, context)
    ends: set[str] | None = None
    for edge in around:
        if isinstance(edge, ir.EdgePattern) and isinstance(edge.types, ir.LabelName):
            same_label = [e for e in context.schema.edges if e.label == edge.types.name]
            beside = {end for e in same_label for end in (e.source, e.target)}
            ends = beside if ends is None else ends & beside
    for label in context.schema.labels:
        if label != node.labels.name and any(
            keys <= {p.name for p in each.properties} and (ends is None or each.name in ends)
            for each in context.schema.with_label(label)
        ):
            yield label


def _keys(node: ir.NodePattern, context: Context) -> set[str]:
    keys = set(context.keys.get(node.var or "", ()))
    if isinstance(node.props, ir.MapOf):
        keys |= {entry.key for entry in node.props.entries}
    return keys


def _edge(
    edge: ir.EdgePattern, left: ir.NodePattern, right: ir.NodePattern, context: Context
) -> Iterator[Variant]:
    if isinstance(edge.types, ir.LabelName):
        ends = {(e.source, e.target) for e in context.schema.edges if e.name in edge.type.of}
        near = {e.label for e in context.schema.edges if _shares(e.source, e.target, ends)}
        for label in sorted(near - {edge.types.name}):
            yield "changed-edge-type", replace(edge, types=ir.LabelName(label))
        if near - {edge.types.name}:
            yield "dropped-edge-type", replace(edge, types=None)
    if edge.direction in _BACK:
        if _turns(edge, left, right, context):
            yield "flipped-direction", replace(edge, direction=_BACK[edge.direction])
        yield "lost-direction", replace(edge, direction=ir.Direction.BOTH)
    else:
        yield "flipped-direction", replace(edge, direction=ir.Direction.OUT)
        yield "flipped-direction", replace(edge, direction=ir.Direction.IN)
    if edge.hops is None:
        return
    lo, hi = edge.hops.lo, edge.hops.hi
    ranges = [(lo - 1, hi), (lo + 1, hi)]
    if hi is not None:
        ranges += [(lo, hi + 1), (lo, hi - 1)]
    else:
        ranges += [(lo, max(lo, 1) + 1)]
    for low, high in ranges:
        if low >= 0 and (high is None or high >= max(low, 1)):
            yield "changed-hops", replace(edge, hops=ir.Hops(low, high))


def _turns(
    edge: ir.EdgePattern, left: ir.NodePattern, right: ir.NodePattern, context: Context
) -> bool:
    """Whether an edge of a type that stands there can run the other way."""
    if edge.hops is not None:
        return True
    back = edge.direction is ir.Direction.OUT
    source, target = (right, left) if back else (left, right)
    return any(
        e.source in source.type.of and e.target in target.type.of
        for e in context.schema.edges
        if e.name in edge.type.of
    )


def _shares(source: str, target: str, ends: set[tuple[str, str]]) -> bool:
    return (source, target) in ends or (target, source) in ends


def _others_fit(node: ir.NodePattern, context: Context) -> bool:
    """Whether nodes of other types have the properties that are read of this one."""
    keys = _keys(node, context)
    return any(
        other.name not in node.type.of and keys <= {p.name for p in other.properties}
        for other in context.schema.nodes
    )


def meets_itself(match: ir.Match) -> bool:
    """Whether two single edges of the MATCH could be the same one."""
    edges = [s.edge for path in match.paths for s in path.steps]
    plain = [e for e in edges if isinstance(e, ir.EdgePattern) and e.hops is None]
    if len(plain) < len(edges):
        return False
    return any(set(a.type.of) & set(b.type.of) for n, a in enumerate(plain) for b in plain[n + 1 :])
