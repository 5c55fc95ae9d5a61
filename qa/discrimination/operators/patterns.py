"""Patterns: another label, edge type, direction or length; a step less; one edge taken twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from qa.discrimination.operators.context import Context, Variant

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
        case ir.NodePattern(labels=ir.LabelName(name)):
            for label in context.schema.labels:
                if label != name:
                    yield "changed-label", replace(node, labels=ir.LabelName(label))
            if _others_fit(node, context):
                yield "dropped-label", replace(node, labels=None)
        case ir.EdgePattern():
            yield from _edge(node, context)
        case ir.Path() if node.steps and node.selector is None:
            yield "dropped-hop", replace(node, steps=node.steps[:-1])
            if len(node.steps) > 1:
                first = node.steps[0].node
                yield "dropped-hop", replace(node, head=first, steps=node.steps[1:])
        case ir.Match():
            name = "inner-for-optional" if node.optional else "optional-for-inner"
            yield name, replace(node, optional=not node.optional)
            if node.mode is ir.MatchMode.DIFFERENT_EDGES and _meets_itself(node):
                yield "lost-uniqueness", replace(node, mode=ir.MatchMode.REPEATABLE)


def _edge(edge: ir.EdgePattern, context: Context) -> Iterator[Variant]:
    if isinstance(edge.types, ir.LabelName):
        ends = {(e.source, e.target) for e in context.schema.edges if e.name in edge.type.of}
        near = {e.label for e in context.schema.edges if _shares(e.source, e.target, ends)}
        for label in sorted(near - {edge.types.name}):
            yield "changed-edge-type", replace(edge, types=ir.LabelName(label))
        if near - {edge.types.name}:
            yield "dropped-edge-type", replace(edge, types=None)
    if edge.direction in _BACK:
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


def _others_fit(node: ir.NodePattern, context: Context) -> bool:
    """Whether nodes of other types have the properties that are read of this one."""
    keys = set(context.keys.get(node.var or "", ()))
    if isinstance(node.props, ir.MapOf):
        keys |= {entry.key for entry in node.props.entries}
    return any(
        other.name not in node.type.of and keys <= {p.name for p in other.properties}
        for other in context.schema.nodes
    )


def _shares(source: str, target: str, ends: set[tuple[str, str]]) -> bool:
    return (source, target) in ends or (target, source) in ends


def _meets_itself(match: ir.Match) -> bool:
    """Whether two single edges of the MATCH could be the same one."""
    edges = [s.edge for path in match.paths for s in path.steps]
    plain = [e for e in edges if isinstance(e, ir.EdgePattern) and e.hops is None]
    if len(plain) < len(edges):
        return False
    return any(set(a.type.of) & set(b.type.of) for n, a in enumerate(plain) for b in plain[n + 1 :])
