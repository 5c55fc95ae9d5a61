"""Nodes of a pattern that belong together in one more way: an edge, or a node between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from generators.queries.archetypes.estimates import Estimates
from generators.queries.archetypes.parts import step_to
from generators.queries.evolution.operators.paths import MOST_WALKS, distinct, may_multiply
from generators.queries.rewriting.operator import Operator, Step, effect, shuffled
from generators.queries.rewriting.scope import Place
from generators.queries.rewriting.site import Site
from graph_ir import nodes as ir
from schemagraph.model import NodeType
from schemagraph.views import Hop

CLOSINGS = 6  # ways to close a cycle that are looked at together


@dataclass(frozen=True, slots=True)
class _Closing:
    """A path that joins two places, `several` where it may do so more than once."""

    path: ir.Path
    clause: int
    seen: str
    several: bool


def _closings(site: Site) -> Iterator[tuple[Place, Place, Hop]]:
    """Pairs of places that an edge, not yet walked, can join."""
    for left in site.places:
        for hop in site.hops(left):
            for right in site.places:
                if (
                    right.type.name == hop.ends[1]
                    and left.var < right.var
                    and not site.used(left.var, hop)
                    and not site.used(right.var, Hop(hop.edge, not hop.forward))
                    and not (_is_back(site, left, right, hop) and not _mutual(site, hop))
                ):
                    yield left, right, hop


def _is_back(site: Site, left: Place, right: Place, hop: Hop) -> bool:
    """Whether the pattern walks the same edge type between the two the other way."""
    return any(
        {link.left, link.right} == {left.var, right.var} and link.hop.edge == hop.edge
        for link in site.links
    )


def _mutual(site: Site, hop: Hop) -> bool:
    """Whether some edges of the type have their opposite, and some have not."""
    known = site.statistics.edges[hop.edge.name]
    return 0 < known.mutual < known.count


def _can_close(site: Site) -> bool:
    if not site.links or site.staged or not site.narrows:
        return False
    return any(True for _ in _closings(site)) or any(True for _ in _squares(site))


def _close(site: Site, rng: Random) -> Iterator[Step]:
    """An edge, or a node between, that joins two nodes of some rows and not of others."""
    direct = [_joined(left, right, hop) for left, right, hop in _closings(site)]
    squares = [_squared(site, *square) for square in shuffled(rng, list(_squares(site)))]
    multiplies = may_multiply(site)
    ways = [way for way in (*shuffled(rng, direct), *squares) if multiplies or not way.several]
    queries: list[ir.Query] = []
    sayable: list[_Closing] = []
    for way in ways:
        final = distinct(site.final) if way.several else site.final
        query = site.ending(_with_path(site, way.clause, way.path), final)
        if site.sayable(query):
            queries.append(query)
            sayable.append(way)
        if len(sayable) == CLOSINGS:
            break
    tests = [ir.Exists(ir.Query((ir.Match((way.path,)),))) for way in sayable]
    for number in site.telling_of(tests):
        yield Step(queries[number], sayable[number].seen)


def _joined(left: Place, right: Place, hop: Hop) -> _Closing:
    direction = ir.Direction.OUT if hop.forward else ir.Direction.IN
    edge = ir.EdgePattern(types=ir.LabelName(hop.edge.label), direction=direction)
    path = ir.Path(ir.NodePattern(left.var), (ir.Step(edge, ir.NodePattern(right.var)),))
    arrow = f"-[:{hop.edge.label}]->" if hop.forward else f"<-[:{hop.edge.label}]-"
    seen = f"({left.var}){arrow}({right.var})"
    return _Closing(path, max(left.clause, right.clause), seen, several=False)


def _squared(
    site: Site, left: Place, right: Place, first: Hop, second: Hop, middle: NodeType
) -> _Closing:
    new = site.fresh(middle.labels[0])
    steps = (step_to(first, site.schema, new), step_to(second, site.schema, right.var))
    steps = (steps[0], replace(steps[1], node=ir.NodePattern(right.var)))
    path = ir.Path(ir.NodePattern(left.var), steps)
    seen = f"{left.var} and {right.var} over {first.edge.label} and {second.edge.label}"
    single = site.is_single(first) or site.is_single(Hop(second.edge, not second.forward))
    return _Closing(path, max(left.clause, right.clause), seen, several=not single)


def _squares(site: Site) -> Iterator[tuple[Place, Place, Hop, Hop, NodeType]]:
    """Pairs of places that a third node can join over two edges that are not walked yet."""
    for left in site.places:
        for right in site.places:
            if left.var >= right.var:
                continue
            for first in site.hops(left):
                if site.used(left.var, first):
                    continue
                middle = site.schema.node_by_name[first.ends[1]]
                for back in site.hops(right):
                    second = Hop(back.edge, not back.forward)
                    if (
                        back.ends[1] == middle.name
                        and not site.used(right.var, back)
                        and not _is_crowded(site, first, second)
                    ):
                        yield left, right, first, second, middle


def _is_crowded(site: Site, first: Hop, second: Hop) -> bool:
    """Whether nodes between join so many pairs that to look for them takes seconds."""
    figures = Estimates(site.schema, site.statistics)
    onward = figures.fanout(second, again=first.edge == second.edge)
    return site.statistics.edges[first.edge.name].count * onward > MOST_WALKS


def _with_path(site: Site, clause: int, path: ir.Path) -> tuple[ir.Clause, ...]:
    clauses = list(site.body)
    match = clauses[clause]
    if not isinstance(match, ir.Match):
        return (*clauses, ir.Match((path,)))
    clauses[clause] = replace(match, paths=(*match.paths, path))
    return tuple(clauses)


OPERATORS = (
    Operator(
        "close-cycle",
        "that belong together",
        effect(edge_patterns=1, hops=1, closes=True),
        _can_close,
        _close,
        0.5,
    ),
)
