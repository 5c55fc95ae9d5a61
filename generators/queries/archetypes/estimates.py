"""What the figures of a graph tell of a pattern before it is asked for: how many rows it has.

Degrees are taken as independent of each other, but for an edge type that is walked back from where
it led to: a node that has many edges is then reached more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from generators.queries.archetypes.load import Archetype
from graph_ir import nodes as ir
from graphmill.english.lists import word_set
from graphmill.english.spoken import spoken
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.views import Hop

MOST_ROWS = 200_000  # that a pattern may have on the whole graph
MOST_DRAWN = 40_000  # and where its nodes that are named are fixed
FAR = 12  # steps of a path without a bound that are reckoned with
READ = 900  # rows that somebody would read
SELDOM = 0.05  # another edge of the same type, at a node that such an edge led to
CLOSED = 20  # times as likely as by chance an edge may be that closes a cycle
MIRRORED = 10  # edges, all of them both ways, that say that a relation has no direction
LIKELY = 0.4  # that a node drawn by its name has the rest of the pattern


class Estimates:
    """Degrees of hops, and rows of patterns, on one graph."""

    def __init__(self, schema: SchemaGraph, statistics: GraphStatistics) -> None:
        self.schema = schema
        self.statistics = statistics
        self.symmetric = {
            edge.name
            for edge in schema.edges
            if is_symmetric(edge)
            or (self.is_mirrored(edge) and statistics.edges[edge.name].count >= MIRRORED)
        }

    def most(self, hop: Hop) -> int:
        """The most edges that one node has at the hop's beginning."""
        figures = self.statistics.edges[hop.edge.name]
        return (figures.out_degrees if hop.forward else figures.in_degrees)[-1]

    def usual(self, hop: Hop) -> float:
        """How many edges a node at the hop's beginning has on average, those with none apart."""
        figures = self.statistics.edges[hop.edge.name]
        return figures.count / max(1, figures.sources if hop.forward else figures.targets)

    def share(self, hop: Hop) -> float:
        """The share of the nodes at the hop's beginning that have such an edge."""
        figures = self.statistics.edges[hop.edge.name]
        having = figures.sources if hop.forward else figures.targets
        return having / max(1, self.statistics.nodes[hop.ends[0]])

    def fanout(self, hop: Hop, *, again: bool) -> float:
        """How many nodes a hop leads to; `again`: from a node that an edge of the type led to."""
        figures = self.statistics.edges[hop.edge.name]
        if again:
            degrees = figures.out_degrees if hop.forward else figures.in_degrees
            return sum(d * d for d in degrees) / (sum(degrees) or 1) - 1
        return figures.count / max(1, self.statistics.nodes[hop.ends[0]])

    def walks(self, hop: Hop, hops: ir.Hops, *, both: bool) -> float:
        """How many walks of the lengths that a pattern allows begin at a node."""
        figures = self.statistics.edges[hop.edge.name]
        having = figures.sources if hop.forward else figures.targets
        fan = figures.count / max(1, having)
        if both:
            fan = 2 * figures.count / max(1, figures.sources, figures.targets)
        longest = min(hops.hi or FAR, FAR)
        if both and hop.edge.source != hop.edge.target:
            back = Hop(hop.edge, not hop.forward)
            walks = [self.share(hop)]
            for step in range(longest):
                walks.append(walks[-1] * max(0.1, self.fanout((hop, back)[step % 2], again=True)))
            return sum(walks[hops.lo :]) * 2
        further = fan
        if hop.edge.source == hop.edge.target and figures.count:
            further = self.onward(hop, both=both)
            if both or self.most(Hop(hop.edge, not hop.forward)) > 1:
                further = max(fan, further)  # no tree, in which a node is reached once
        lengths = range(max(hops.lo, 1), longest + 1)
        far = sum(fan * further ** (steps - 1) for steps in lengths)
        return self.share(hop) * (far + (hops.lo == 0))

    def onward(self, hop: Hop, *, both: bool) -> float:
        """How many edges of a relation among equals lead on from where one of them led to.

        Where a few nodes have most of the edges, that is many times the mean.
        """
        figures = self.statistics.edges[hop.edge.name]
        turns = figures.turns / max(1, figures.count)
        if not both:
            return turns
        out, into = (self.fanout(Hop(hop.edge, way), again=True) for way in (True, False))
        return (out + into) / 2 + turns

    def matches(self, patterns: Iterable[ir.Match]) -> float:
        """About how many matches bound patterns have on the whole graph, conditions aside.

        Those with searched or quantified paths, or with edges of several types, have no end.
        """
        number = 1.0
        known: set[str] = set()
        for path in (path for match in patterns for path in match.paths):
            here, came = path.head, ""
            if here.var is None or here.var not in known:
                number *= sum(self.statistics.nodes[name] for name in here.type.of)
            known.add(here.var or "")
            for step in path.steps:
                edge, here = step.edge, step.node
                if path.selector or isinstance(edge, ir.Quantified) or len(edge.type.of) != 1:
                    return inf
                kind = self.schema.edge_by_name[edge.type.of[0]]
                if edge.hops is not None:
                    both = edge.direction is ir.Direction.BOTH
                    number *= self.walks(
                        Hop(kind, edge.direction is not ir.Direction.IN), edge.hops, both=both
                    )
                elif here.var is None or here.var not in known:
                    ways = {ir.Direction.OUT: (True,), ir.Direction.IN: (False,)}
                    hops = [Hop(kind, way) for way in ways.get(edge.direction, (True, False))]
                    number *= sum(self.fanout(hop, again=came == kind.name) for hop in hops)
                known.add(here.var or "")
                came = kind.name
        return number

    def rows(
        self, archetype: Archetype, nodes: Mapping[str, NodeType], hops: Mapping[str, Hop]
    ) -> float:
        """How many rows the pattern may have; 0 where it makes little sense by its degrees."""
        template = archetype.template
        size = self.statistics.nodes
        rows = 1.0 if template.edges else float(size[nodes[template.labels[0]].name])
        chance: dict[str, float] = {}  # that a node is there, by variable
        came: dict[str, str] = {}  # the edge type by which a node was reached
        walked: set[tuple[str, str, str]] = set()
        hoped = 1.0  # how much likelier than by chance the edges are taken to be that close a cycle
        for edge in template.edges:
            left, right, hop = edge.left, edge.right, hops[edge.slot]
            if (right, left, edge.slot) in walked:  # there and back
                figures = self.statistics.edges[hop.edge.name]
                rows *= figures.mutual / max(1, figures.count)
                continue
            walked.add((left, right, edge.slot))
            if right in chance and left not in chance:
                left, right, hop = right, left, Hop(hop.edge, not hop.forward)
            if left not in chance:
                rows *= size[hop.ends[0]]
                chance[left] = 1.0
            if right in chance:
                edges = self.statistics.edges[hop.edge.name].count
                chances = edges / max(1, size[hop.ends[0]] * size[hop.ends[1]])
                rows *= min(1.0, CLOSED * chances)
                hoped *= min(CLOSED, 1 / max(chances, 1e-9))
                continue
            again = came.get(left) == hop.edge.name and not edge.long
            fan = self.fanout(hop, again=again)
            if again and fan < SELDOM:
                return 0
            alike = hop.edge.source == hop.edge.target
            if edge.long and alike and self.onward(hop, both=edge.both) < SELDOM:
                return 0  # the length would say nothing
            if not edge.search:
                rows *= self.walks(hop, edge.hops, both=edge.both) if edge.long else fan
            chance[right] = chance[left] * self.share(hop)
            came[right] = hop.edge.name
            if template.anchors and not archetype.joint and chance[right] < LIKELY:
                return 0
        if rows < 0.5:
            return 0
        rows = max(0.5, rows / max(1.0, hoped))
        if rows > MOST_ROWS:
            return 0
        for variable in template.anchors:
            rows /= size[nodes[template.variables[variable]].name]
        if rows > MOST_DRAWN:
            return 0
        lists_all = archetype.lists and not archetype.values
        return 0 if archetype.lists and rows > READ * (1 if lists_all else 30) else rows

    def is_shared(self, hop: Hop) -> bool:
        """Whether a path can go to and fro over this edge type, and over no other."""
        back = Hop(hop.edge, not hop.forward)
        alone = sum(edge.label == hop.edge.label for edge in self.schema.edges) == 1
        return alone and hop.edge.source != hop.edge.target and self.most(back) > 1

    def is_mirrored(self, edge: EdgeType) -> bool:
        """Whether each edge is stored in both directions."""
        figures = self.statistics.edges[edge.name]
        return 0 < figures.count == figures.mutual


def is_symmetric(edge: EdgeType) -> bool:
    """Whether an edge type is a relation of equals, by its name: nobody asks for its direction.

    >>> is_symmetric(EdgeType("KNOWS", "Person", "Person"))
    True
    >>> is_symmetric(EdgeType("REPORTS_TO", "Person", "Person"))
    False
    >>> is_symmetric(EdgeType("TRAVELS_WITH", "Person", "Person"))
    True
    """
    words = {word.lower() for word in spoken(edge.label)}
    together = "with" in words and words & word_set("together")
    return edge.source == edge.target and bool(words & word_set("symmetric") or together)
