"""Small graphs made for a query: it finds its pattern there, and near misses beside it.

An instance is made of clusters. A cluster holds copies of the pattern that share some of their
nodes (so that groups, ties and duplicates occur); each copy may miss an edge, have one turned
round, doubled, of another type or to another node, and values at and beside the query's constants.
The patterns of surviving mutants are planted, too: what a mutant finds and the query does not.
Keys are unique, types and nulls are those of the schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from graph_ir import nodes as ir
from qa.discrimination import near
from qa.discrimination.plan import MOST, Demand, Plan, Tie
from qa.fuzz.graphs import Row, SmallGraph
from schemagraph.model import EdgeType, NodeType, SchemaGraph

LARGEST = 70  # nodes of an instance


MODES = ("rich", "sparse", "plain", "counted", "planted", "sparse", "rich", "single", "sparse")
"""What the first, second, … instance made for a query is like.

`rich`: several clusters and what mutants look for; `sparse`: few copies, all but one of them near
misses (a LIMIT hides nothing), in `planted` with what two mutants look for; `plain`: only what the
query looks for, each place of one type; `counted`: groups as large as the query's counts, and one
more; `single`: of everything one.
"""


def instance(
    plans: Sequence[Plan], schema: SchemaGraph, rng: Random, mode: str = "rich"
) -> SmallGraph:
    """A graph for the query whose plan is the first; the others are those of its mutants."""
    maker = _Maker(schema, rng, plans, mode)
    main, others = plans[0], plans[1:]
    if mode == "single":
        maker.cluster(main, 1)
        return maker.graph()
    if mode == "counted" and main.counts:
        for count in rng.sample(main.counts, min(2, len(main.counts))):
            for copies in (count, count + 1):
                maker.cluster(main, min(MOST, max(1, copies)))
        return maker.graph()
    if mode in ("sparse", "planted"):
        maker.cluster(main, rng.choice((3, 4)))
        for plan in others[:2] if mode == "planted" else ():
            maker.cluster(plan, 1)
        return maker.graph()
    for _ in range(rng.choice((2, 3))):
        maker.cluster(main, maker.copies(main))
    for plan in others if mode == "rich" else ():
        if len(maker) < LARGEST:
            maker.cluster(plan, rng.choice((1, 1, 2)))
    maker.noise(rng.choice((1, 2, 4)))
    return maker.graph()


class _Maker:
    """Rows of one graph in the making."""

    def __init__(self, schema: SchemaGraph, rng: Random, plans: Sequence[Plan], mode: str) -> None:
        self.schema = schema
        self.rng = rng
        self.nodes: dict[str, dict[tuple[Any, ...], Row]] = {n.name: {} for n in schema.nodes}
        self.edges: dict[str, list[Row]] = {e.name: [] for e in schema.edges}
        self.asked: dict[str, list[Any]] = {}
        for plan in plans:
            for (_, key), demands in plan.demands.items():
                self.asked.setdefault(key, []).extend(
                    d.value for d in demands if d.value is not None
                )
        # How many copies are what the query looks for.
        self.calm = {"counted": 0.95, "single": 0.7}.get(mode) or rng.choice((0.5, 0.7, 0.9))
        self.sparse = mode in ("sparse", "planted")
        self.settled = mode == "plain"
        self.nulls = rng.choice((0.0, 0.1, 0.25))
        self.equal: dict[tuple[str, str], Any] = {}

    def __len__(self) -> int:
        return sum(map(len, self.nodes.values()))

    def copies(self, plan: Plan) -> int:
        """How often a cluster repeats the pattern: so that counts and limits are met or missed."""
        near_counts = [c + d for c in plan.counts if 0 <= c < MOST for d in (0, 1, 1, 2)]
        if near_counts and self.rng.random() < 0.6:
            return min(MOST, max(1, self.rng.choice(near_counts)))
        return self.rng.choice((1, 2, 3, 4))

    def cluster(self, plan: Plan, copies: int) -> None:
        """Copies of the pattern that share the nodes of some vertices."""
        rng = self.rng
        share = rng.choice((0.15, 0.4, 0.6))
        common = {v for v in plan.vertices if rng.random() < (0.8 if v in plan.shared else share)}
        if common == set(plan.vertices) and len(common) > 1:
            common.discard(rng.choice(sorted(common)))
        kept: dict[str, tuple[str, tuple[Any, ...]]] = {}
        vertices = plan.vertices
        if self.settled:
            vertices = {vertex: (rng.choice(of),) for vertex, of in vertices.items()}
        parts = sorted({tie.part for tie in plan.ties if tie.part})
        for number in range(copies):
            if len(self) > LARGEST:
                return
            places = dict(kept)
            self.equal = {}
            near_miss = number > 0 if self.sparse else rng.random() > self.calm
            missing = {part for part in parts if rng.random() < 0.5}
            for vertex, of in vertices.items():
                if vertex not in places and not plan.parts[vertex] <= missing:
                    spot = self._node(plan, vertex, rng.choice(of), near_miss)
                    places[vertex] = spot
                    if vertex in common:
                        kept[vertex] = spot
            for tie in plan.ties:
                if tie.part in missing or not (tie.left in places and tie.right in places):
                    continue
                if not near_miss or rng.random() < 0.8:
                    self._tie(plan, tie, places, near_miss)

    def noise(self, count: int) -> None:
        """A few edges between nodes that are there."""
        present = [e for e in self.schema.edges if self.nodes[e.source] and self.nodes[e.target]]
        for _ in range(count if present else 0):
            edge = self.rng.choice(present)
            ends = [self.rng.choice(list(self.nodes[end])) for end in (edge.source, edge.target)]
            self._edge(edge, ends[0], ends[1], {})

    def graph(self) -> SmallGraph:
        """All that was made."""
        rows = {name: tuple(found.values()) for name, found in self.nodes.items()}
        return SmallGraph(
            self.schema, {**rows, **{name: tuple(found) for name, found in self.edges.items()}}
        )

    # --- elements ------------------------------------------------------------------------------

    def _node(
        self, plan: Plan, vertex: str, name: str, near_miss: bool
    ) -> tuple[str, tuple[Any, ...]]:
        node = self.schema.node_by_name[name]
        row = self._values(plan, vertex, node, near_miss)
        key = tuple(row[k] for k in node.key)
        own = self.nodes[name]
        asked = any((vertex, k) in plan.demands or (vertex, k) in plan.same for k in node.key)
        if key in own and not asked:
            key = self._fresh(node, row)
        if key not in own:
            own[key] = tuple(row[p.name] for p in node.properties)
        return name, key

    def _fresh(self, node: NodeType, row: dict[str, Any]) -> tuple[Any, ...]:
        """Another key, with which the node is one of its own."""
        own = self.nodes[node.name]
        for attempt in range(200):
            for name in node.key:
                found = node.property(name)
                assert found is not None  # noqa: S101 # keys are properties
                row[name] = near.distinct(found.type, len(own) + attempt, self.rng)
            key = tuple(row[name] for name in node.key)
            if key not in own:
                return key
        return next(iter(own))  # a key of truth values has no other

    def _values(
        self, plan: Plan, name: str, kind: NodeType | EdgeType, near_miss: bool
    ) -> dict[str, Any]:
        row: dict[str, Any] = {}
        keys = kind.key if isinstance(kind, NodeType) else ()
        for p in kind.properties:
            demands = plan.demands.get((name, p.name), ())
            joined = plan.root((name, p.name)) if plan.same else (name, p.name)
            if joined in self.equal and self.rng.random() < 0.85:
                row[p.name] = self.equal[joined]
                continue
            if p.name in keys and not demands:
                row[p.name] = near.distinct(p.type, len(self.nodes[kind.name]), self.rng)
                self._join(plan, joined, row[p.name])
                continue
            nullable = p.nullable and p.name not in keys
            if nullable and self.rng.random() < self._emptiness(demands, near_miss):
                row[p.name] = None
                continue
            compared = [d for d in demands if d.op not in ("is null", "is not null")]
            row[p.name] = self._value(p.name, p.type, compared, near_miss)
            self._join(plan, joined, row[p.name])
        return row

    def _join(self, plan: Plan, place: tuple[str, str], value: Any) -> None:
        """Remember a value for the properties that have to be equal to it."""
        if place in plan.same.values():
            self.equal[place] = value

    def _emptiness(self, demands: Sequence[Demand], near_miss: bool) -> float:
        """How likely a value is null."""
        if any(d.op == "is null" for d in demands):
            return 0.5 if near_miss else 0.75
        return self.nulls if not demands or near_miss else 0.0

    def _value(self, key: str, of: Any, demands: Sequence[Demand], near_miss: bool) -> Any:
        rng = self.rng
        if demands:
            values = [d.value for d in demands]
            pool = near.candidates(of, values)
            good = [v for v in pool if near.fulfils(of, v, demands)]
            if near_miss and rng.random() < 0.3:
                pool = [v for v in pool if v in values] or pool  # at the constant itself
            elif not near_miss or rng.random() < 0.3:
                pool = good or pool
            elif rng.random() < 0.7:
                pool = [v for v in pool if v not in good] or pool
        else:
            asked = self.asked.get(key)
            pool = near.candidates(of, asked) if asked and rng.random() < 0.25 else []
        return rng.choice(pool) if pool else near.anything(of, rng)

    # --- edges ---------------------------------------------------------------------------------

    def _tie(
        self,
        plan: Plan,
        tie: Tie,
        places: dict[str, tuple[str, tuple[Any, ...]]],
        near_miss: bool,
    ) -> None:
        rng = self.rng
        left, right = places[tie.left], places[tie.right]
        forward = tie.direction is ir.Direction.OUT or (
            tie.direction is ir.Direction.BOTH and rng.random() < 0.5
        )
        if near_miss and rng.random() < 0.3:
            forward = not forward
        if tie.hops is not None:
            self._walk(plan, tie, left, right, forward, near_miss)
            return
        names = tie.types
        if near_miss and rng.random() < 0.25:
            names = ()  # any type between these ends
        edge = self._between(names, left[0], right[0], forward)
        if edge is None:
            return
        ends = (left[1], right[1]) if edge[1] else (right[1], left[1])
        values = self._values(plan, tie.name, edge[0], near_miss)
        self._edge(edge[0], *ends, values)
        if rng.random() < 0.15:
            again = values if rng.random() < 0.5 else self._values(plan, tie.name, edge[0], True)
            self._edge(edge[0], *ends, again)

    def _between(
        self, names: Sequence[str], left: str, right: str, forward: bool
    ) -> tuple[EdgeType, bool] | None:
        """An edge type between two node types, and whether it runs from left to right."""
        for ahead in (forward, not forward):
            ends = (left, right) if ahead else (right, left)
            fitting = [
                e
                for e in self.schema.edges
                if (e.source, e.target) == ends and (not names or e.name in names)
            ]
            if fitting:
                return self.rng.choice(fitting), ahead
        return None

    def _walk(
        self,
        plan: Plan,
        tie: Tie,
        left: tuple[str, tuple[Any, ...]],
        right: tuple[str, tuple[Any, ...]],
        forward: bool,
        near_miss: bool,
    ) -> None:
        """A chain of as many edges as the hops allow, or one more or less."""
        rng = self.rng
        hops = tie.hops
        assert hops is not None  # noqa: S101 # the caller has looked
        lengths = [hops.lo, hops.lo + 1, hops.hi or hops.lo + 2]
        if near_miss:
            lengths += [max(0, hops.lo - 1), (hops.hi or hops.lo) + 1]
        length = min(rng.choice(lengths), 7)
        here = left
        for number in range(length):
            edge = None
            if number == length - 1:
                edge = self._between(tie.types, here[0], right[0], forward)
                end = right
            if edge is None:
                step = self._onward(tie.types, here[0], forward)
                if step is None:
                    return
                edge, target = step[:2], step[2]
                node = self.schema.node_by_name[target]
                end = (target, self._fresh(node, row := self._values(plan, " ", node, near_miss)))
                own = self.nodes[target]
                own.setdefault(end[1], tuple(row[p.name] for p in node.properties))
            ends = (here[1], end[1]) if edge[1] else (end[1], here[1])
            self._edge(edge[0], *ends, self._values(plan, tie.name, edge[0], near_miss))
            here = end

    def _onward(
        self, names: Sequence[str], start: str, forward: bool
    ) -> tuple[EdgeType, bool, str] | None:
        ways = [
            (e, ahead, e.target if ahead else e.source)
            for e in self.schema.edges
            for ahead in (True, False)
            if ahead is forward and e.name in names and start == (e.source if ahead else e.target)
        ]
        return self.rng.choice(ways) if ways else None

    def _edge(
        self, edge: EdgeType, source: tuple[Any, ...], target: tuple[Any, ...], values: Any
    ) -> None:
        row = values or self._values(Plan(), " ", edge, False)
        found = (*source, *target, *(row[p.name] for p in edge.properties))
        self.edges[edge.name].append(found)
