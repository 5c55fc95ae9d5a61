"""Small graphs made for a query: it finds its pattern there, and near misses beside it.

An instance is made of copies of the pattern that may share nodes (so that groups, ties and
duplicates occur). A copy is what the query looks for, or misses it by one thing: a value beside a
constant, a null, an edge that is missing, turned round, of another type or to another node, one
match more or less where matches are counted. For mutants that survive, copies are planted that
one of the two queries finds and the other does not. Keys are unique, types and nulls are those of
the schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graph_ir import nodes as ir
from qa.fuzz.graphs import Row, SmallGraph
from qa.mutation import near
from qa.mutation.near import compares
from qa.mutation.plan import MIRROR, MOST, Place, Plan, Tie
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph, Type

LARGEST = 90  # nodes after which no further copy is begun

MODES = ("directed", "rich", "counted", "rich", "same", *("alone",) * 10)
"""What the first, second, … instance made for a query is like.

`directed`: one copy for the query, and for each mutant copies that tell them apart; `alone`: the
same for one mutant, where others would hide it under a LIMIT or in an aggregate; `rich`:
several clusters, near misses, and what mutants look for; `counted`: groups as large as the
query's counts, and one more (`rich` where it counts nothing); `same`: all values of a property
are one.
"""

type Spot = tuple[str, tuple[Any, ...]]
"""A node: its type and its key."""


@dataclass(frozen=True, slots=True)
class _Columns:
    """The properties of a type that are read, with whether each can be null and is of the key, and
    the values of the others."""

    read: list[tuple[Property, bool, bool]]
    others: dict[str, Any]


def _columns(kind: NodeType | EdgeType, read: frozenset[str] | None) -> _Columns:
    keys = kind.key if isinstance(kind, NodeType) else ()
    columns = _Columns([], {})
    for p in kind.properties:
        if read is None or p.name in read or p.name in keys:
            columns.read.append((p, p.holds_null and p.name not in keys, p.name in keys))
        else:
            columns.others[p.name] = None if p.holds_null else near.plain(p.type)
    return columns


@dataclass
class Copy:
    """How a copy of a pattern is made.

    `values` are what a place may hold whatever is asked of it; `parts` how often a part is
    there; `victim` is the one thing that is wrong with it. `equal`: properties that are compared
    are equal; `merged`: one node may stand in several places, and one edge;
    `distinct`: values of which nothing is asked differ; `same`: properties of one name are equal.
    """

    values: Mapping[Place, Sequence[Any]] = field(default_factory=dict)
    parts: Mapping[int, int] = field(default_factory=dict)
    victim: Place | Tie | None = None
    equal: bool = False
    merged: bool = False
    distinct: bool = False
    same: bool = False


def instance(
    plans: Sequence[Plan],
    schema: SchemaGraph,
    rng: Random,
    mode: str = "rich",
    read: frozenset[str] | None = None,
) -> SmallGraph:
    """A graph for the query whose plan is the first; the others are those of its mutants.

    `read` names the properties that they read; others are null, or all the same.
    """
    maker = _Maker(schema, rng, plans, read)
    main, others = plans[0], plans[1:]
    if mode == "same":
        maker.nulls = 0.0
        maker.cluster(main, maker.pick((1, 2, 3)), [Copy(same=True)])
    elif mode == "alone":
        maker.cluster(main, maker.pick((0, 0, 1)), [Copy()])
        for plan in others:
            maker.directed(main, plan, maker.pick(((plan, main), (main, plan))))
    elif mode == "directed":
        maker.cluster(main, maker.pick((0, 1, 2)), [Copy()])
        for plan in others:
            maker.directed(main, plan, (plan, main))
            maker.directed(main, plan, (main, plan))
    elif mode == "counted" and main.counts:
        maker.counted(main)
    else:
        for _ in range(maker.pick((2, 3))):
            copies = [Copy(), Copy(), *(maker.near_miss(main) for _ in range(3))]
            maker.cluster(main, maker.copies(main), copies)
        for plan in others:
            maker.cluster(plan, maker.pick((1, 1, 2)), [Copy()])
        maker.noise(maker.pick((1, 2, 4)))
    return maker.graph()


class _Maker:
    """Rows of one graph in the making."""

    def __init__(
        self, schema: SchemaGraph, rng: Random, plans: Sequence[Plan], read: frozenset[str] | None
    ) -> None:
        self.schema = schema
        self.rng = rng
        self.read = read
        self.columns: dict[str, _Columns] = {}
        self.nodes: dict[str, dict[tuple[Any, ...], Row]] = {n.name: {} for n in schema.nodes}
        self.edges: dict[str, list[Row]] = {e.name: [] for e in schema.edges}
        self.asked: dict[str, list[Any]] = {}
        for plan in plans:
            for (_, key), values in plan.constants.items():
                self.asked.setdefault(key, []).extend(values)
        self.nulls = self.pick((0.0, 0.1, 0.25))
        self.drawn: dict[Place, Any] = {}
        self.alike: dict[Place, Any] = {}
        self.equal: dict[str, Any] = {}
        self.chosen: dict[int, int] = {}

    def __len__(self) -> int:
        return sum(map(len, self.nodes.values()))

    def pick[Item](self, items: Sequence[Item]) -> Item:
        """One of the items; quicker than `Random.choice`."""
        return items[int(self.rng.random() * len(items))]

    # --- copies --------------------------------------------------------------------------------

    def copies(self, plan: Plan) -> int:
        """How often a cluster repeats the pattern: so that counts and limits are met or missed."""
        near_counts = [c + d for c in plan.counts if 0 <= c < MOST for d in (0, 1, 1, 2)]
        if near_counts and self.rng.random() < 0.5:
            return min(MOST, max(1, self.pick(near_counts)))
        return self.pick((1, 2, 3, 4))

    def near_miss(self, plan: Plan) -> Copy:
        """A copy with one thing wrong."""
        parts = [part for part, each in plan.parts.items() if each.needs]
        victims: list[Any] = [*plan.demands, *plan.ties, *parts]
        if not victims:
            return Copy()
        victim = self.pick(victims)
        if isinstance(victim, int):
            return Copy(parts={victim: self._often(plan, victim, wrong=True)})
        return Copy(victim=victim, equal=self.rng.random() < 0.3, merged=self.rng.random() < 0.3)

    def counted(self, plan: Plan) -> None:
        """Groups as large as they are compared with, and as many rows as limits let through."""
        count = self.pick(plan.counts)
        often = [min(MOST, max(1, n)) for n in (count, count + 1)]
        if count in plan.thresholds:
            for number in self.pick((often, often[:1], often[1:])):
                self.cluster(plan, number, [Copy()], exact=True)
        else:
            self.cluster(plan, often[1] + 1, [Copy(distinct=True)], apart=True)

    def directed(self, main: Plan, mutant: Plan, sides: tuple[Plan, Plan]) -> None:
        """Copies that the first of two plans finds and the other does not."""
        rng = self.rng
        wanted, other = sides
        differing = [
            place
            for place in dict.fromkeys([*main.demands, *mutant.demands])
            if main.demands.get(place) != mutant.demands.get(place)
        ]
        counted = [p for p, each in main.parts.items() if mutant.parts.get(p, each) != each]
        values = {p: self._apart(wanted, other, p) for p in differing}
        parts = {p: self._often(wanted, p, other=other) for p in counted}
        for part in wanted.parts:
            inside = any(wanted.within[p[0]] == {part} for p in differing)
            if inside or (not differing and not counted and rng.random() < 0.5):
                parts[part] = max(1, self._often(wanted, part))
        copy = Copy({p: v for p, v in values.items() if v}, parts, equal=True)
        number = self._enough(wanted)
        kinds = [copy] if number == 1 else self.pick(([copy], [copy, Copy()], [Copy(), copy]))
        self.cluster(wanted, number, kinds, exact=True)
        if wanted.pairs != other.pairs or not (differing or counted):
            copy = Copy(equal=rng.random() < 0.5, merged=rng.random() < 0.5, parts=parts)
            self.cluster(wanted, self.pick((1, 2, 2)), [copy])

    def _enough(self, plan: Plan) -> int:
        """As many copies as counts of groups ask for, or one."""
        if not plan.thresholds:
            return 1
        return min(MOST, max(1, self.pick(plan.thresholds) + self.pick((0, 1, 1, 2))))

    def _apart(self, wanted: Plan, other: Plan, place: Place) -> list[Any]:
        """Values that one plan takes and the other does not."""
        values = []
        for of, nullable in self._types_of(wanted, place):
            both = (*wanted.constants.get(place, ()), *other.constants.get(place, ()))
            mine, theirs = (near.fitting(p, place, of, nullable, both) for p in (wanted, other))
            chosen = dict.fromkeys(range(len(wanted.choices)), 0)
            for demand in wanted.demands.get(place, ()):
                if demand.choice is not None and demand not in other.demands.get(place, ()):
                    chosen[demand.choice[0]] = demand.choice[1]
            self.chosen = chosen
            refused = theirs.bad(chosen)
            values += [v for v in mine.good(chosen) if v in refused]
        return values

    def _types_of(self, plan: Plan, place: Place) -> list[tuple[Type, bool]]:
        """The types that a place can have, and whether null is one of its values."""
        name, key = place
        owners: list[NodeType | EdgeType] = []
        if name in plan.vertices:
            owners += [self.schema.node_by_name[each] for each in plan.vertices[name]]
        for tie in plan.ties:
            if tie.name == name:
                owners += [self.schema.edge_by_name[each] for each in tie.types]
        types = {}
        for owner in owners:
            p = owner.property(key)
            if p is not None:
                types[p.type.kind] = (p.type, p.holds_null)
        return list(types.values())

    def _often(
        self, plan: Plan, part: int, *, wrong: bool = False, other: Plan | None = None
    ) -> int:
        """How often a part is there, so that its counts are met (and not the other's), or not."""
        needs = plan.parts[part].needs
        if not needs:
            return self.pick((0, 1, 1, 2))
        near_counts = sorted({max(0, c + d) for _, c, _ in needs for d in (-1, 0, 1)})
        met = [n for n in near_counts if all(compares(n, op, c) is p for op, c, p in needs)]
        pool = [n for n in near_counts if n not in met] if wrong else met
        if other is not None and part in other.parts:
            theirs = other.parts[part].needs
            apart = [n for n in met if not all(compares(n, op, c) is p for op, c, p in theirs)]
            pool = apart or pool
            if self.rng.random() < 0.4:  # the pattern itself may count, too
                pool = [max(0, n - 1) for n in pool]
        return min(MOST, self.pick(pool or near_counts))

    def cluster(
        self,
        plan: Plan,
        count: int,
        kinds: Sequence[Copy],
        *,
        exact: bool = False,
        apart: bool = False,
    ) -> None:
        """Copies of the pattern that share the nodes of some vertices."""
        rng = self.rng
        share = self.pick((0.15, 0.4, 0.6))
        # A group is of one node, or of several whose values are alike.
        alike = bool(plan.grouped) and (plan.shared >= set(plan.vertices) or rng.random() < 0.4)
        shared = plan.whole if alike else plan.shared
        self.alike = dict.fromkeys(plan.grouped) if alike else {}
        common = {v for v in plan.vertices if v in shared or (not exact and rng.random() < share)}
        if apart or (not exact and rng.random() < 0.3):
            common = set() if apart else common - shared
        if common == set(plan.vertices) and len(common) > 1 and not exact:
            common.discard(self.pick(sorted(common)))
        vertices = plan.vertices
        kept: dict[str, Spot] = {}
        for number in range(count):
            if len(self) > LARGEST:
                return
            self._copy(plan, vertices, kept, common, kinds[number % len(kinds)])

    def _copy(
        self,
        plan: Plan,
        vertices: Mapping[str, tuple[str, ...]],
        kept: dict[str, Spot],
        common: set[str],
        copy: Copy,
    ) -> None:
        rng = self.rng
        self.drawn = {}
        before = set(kept)
        if not copy.values:
            self.chosen = {n: rng.randrange(size) for n, size in enumerate(plan.choices)}
        places = dict(kept)
        for vertex, of in vertices.items():
            if 0 in plan.within[vertex] and vertex not in places:
                again = [spot for spot in places.values() if spot[0] in of] if copy.merged else []
                if again and rng.random() < 0.6:
                    places[vertex] = self.pick(again)
                    continue
                places[vertex] = self._node(plan, vertex, self.pick(of), copy)
                if vertex in common:
                    kept[vertex] = places[vertex]
        self._ties(plan, 0, places, copy)
        for part in plan.parts:
            if plan.anchors[part] <= before:
                continue  # an earlier copy has it already
            often = copy.parts.get(part)
            for _ in range(self._often(plan, part) if often is None else often):
                inner = dict(places)
                for vertex, of in vertices.items():
                    if part in plan.within[vertex] and vertex not in inner:
                        inner[vertex] = self._node(plan, vertex, self.pick(of), copy)
                self._ties(plan, part, inner, copy)

    def _ties(self, plan: Plan, part: int, places: Mapping[str, Spot], copy: Copy) -> None:
        for tie in plan.ties:
            if tie.part == part and tie.left in places and tie.right in places:
                wrong = tie == copy.victim
                if not wrong or self.rng.random() < 0.6:
                    self._tie(plan, tie, places, copy, wrong)

    def noise(self, count: int) -> None:
        """A few edges between nodes that are there."""
        present = [e for e in self.schema.edges if self.nodes[e.source] and self.nodes[e.target]]
        for _ in range(count if present else 0):
            edge = self.pick(present)
            ends = [self.pick(list(self.nodes[end])) for end in (edge.source, edge.target)]
            self._edge(edge, ends[0], ends[1], self._values(Plan(), " ", edge, Copy()))

    def graph(self) -> SmallGraph:
        """All that was made."""
        rows = {name: tuple(elements.values()) for name, elements in self.nodes.items()}
        edges = {name: tuple(elements) for name, elements in self.edges.items()}
        return SmallGraph(self.schema, {**rows, **edges})

    # --- elements ------------------------------------------------------------------------------

    def _node(self, plan: Plan, vertex: str, name: str, copy: Copy) -> Spot:
        node = self.schema.node_by_name[name]
        row = self._values(plan, vertex, node, copy)
        key = tuple(row[k] for k in node.key)
        own = self.nodes[name]
        if key in own and not any(
            (vertex, k) in plan.constants or (vertex, k) in self.drawn for k in node.key
        ):
            key = self._fresh(node, row)
        if key not in own:
            own[key] = tuple(row[p.name] for p in node.properties)
        return name, key

    def _fresh(self, node: NodeType, row: dict[str, Any]) -> tuple[Any, ...]:
        """Another key, with which the node is one of its own."""
        own = self.nodes[node.name]
        for attempt in range(200):
            for name in node.key:
                prop = node.property(name)
                assert prop is not None  # noqa: S101 # keys are properties
                row[name] = near.distinct(prop.type, len(own) + attempt, self.rng)
            key = tuple(row[name] for name in node.key)
            if key not in own:
                return key
        return next(iter(own))  # a key of truth values has no other

    def _values(
        self, plan: Plan, name: str, kind: NodeType | EdgeType, copy: Copy
    ) -> dict[str, Any]:
        known = self.columns.get(kind.name)
        if known is None:
            known = self.columns[kind.name] = _columns(kind, self.read)
        row = dict(known.others)
        rng = self.rng
        for p, nullable, is_key in known.read:
            place = (name, p.name)
            paired = self._paired(plan, place, p.type, copy) if plan.pairs else ()
            if self.alike.get(place) is not None:
                value = self.alike[place]
            elif copy.same and not is_key and p.name in self.equal:
                value = self.equal[p.name]
            elif place in copy.values:
                value = self.pick(copy.values[place])
            elif paired:
                value = self.pick(paired)
            elif place in plan.constants or place in plan.demands:
                value = self._asked(plan, place, p.type, nullable, copy)
            elif is_key:
                value = near.distinct(p.type, self._number(kind), rng)
            elif nullable and rng.random() < self.nulls:
                value = None
            elif copy.distinct:
                value = near.distinct(p.type, len(self), rng)
            elif p.name in plan.avoided and rng.random() < 0.8:
                value = self._avoiding(plan, p.name, p.type)
            else:
                value = self._any(p.name, p.type)
            row[p.name] = value
            if place in self.alike:
                self.alike[place] = value
            if copy.same:
                self.equal.setdefault(p.name, value)
            if plan.pairs:
                self.drawn[place] = value
        return row

    def _number(self, kind: NodeType | EdgeType) -> int:
        """For a key: one that no node has, or for a part of a key one that a few have."""
        if isinstance(kind, NodeType) and len(kind.key) > 1:
            return self.rng.randrange(3)
        return len(self.nodes[kind.name])

    def _asked(self, plan: Plan, place: Place, of: Type, nullable: bool, copy: Copy) -> Any:
        """A value that is what the query asks for, or just not."""
        fitting = near.fitting(plan, place, of, nullable)
        pool = fitting.bad(self.chosen) if place == copy.victim else fitting.good(self.chosen)
        pool = pool or fitting.values
        return self.pick(pool) if pool else near.anything(of, self.rng)

    def _avoiding(self, plan: Plan, key: str, of: Type) -> Any:
        """A value that a pattern which must not be there does not ask for."""
        pool = near.fitting(plan, plan.avoided[key], of, False).bad(self.chosen)
        return self.pick(pool) if pool else self._any(key, of)

    def _any(self, key: str, of: Type) -> Any:
        asked = self.asked.get(key)
        pool = near.candidates(of, asked) if asked and self.rng.random() < 0.25 else []
        return self.pick(pool) if pool else near.anything(of, self.rng)

    def _paired(self, plan: Plan, place: Place, of: Type, copy: Copy) -> list[Any]:
        """Values that compare as they have to with a property that is there already."""
        for left, op, right in plan.pairs:
            for mine, other, how in ((left, right, op), (right, left, MIRROR[op])):
                if mine != place or self.drawn.get(other) is None or mine == other:
                    continue
                value = self.drawn[other]
                if copy.equal or op == "=":
                    return [value]
                beside = near.candidates(of, [value])
                good = [v for v in beside if compares(v, how, value)]
                return good or beside
        return []

    # --- edges ---------------------------------------------------------------------------------

    def _tie(
        self, plan: Plan, tie: Tie, places: Mapping[str, Spot], copy: Copy, wrong: bool
    ) -> None:
        rng = self.rng
        left, right = places[tie.left], places[tie.right]
        forward = tie.direction is ir.Direction.OUT or (
            tie.direction is ir.Direction.BOTH and rng.random() < 0.5
        )
        flaw = self.pick(("turned", "other type", "elsewhere", "longer")) if wrong else ""
        if flaw == "turned":
            forward = not forward
        if tie.hops is not None:
            self._walk(plan, tie, left, right, forward, copy, wrong)
            return
        names = () if flaw == "other type" else tie.types
        if flaw == "elsewhere":
            right = (right[0], self.pick(list(self.nodes[right[0]])))
        edge = self._between(names, left[0], right[0], forward)
        if edge is None:
            return
        ends = (left[1], right[1]) if edge[1] else (right[1], left[1])
        width = len(ends[0]) + len(ends[1])
        known = copy.merged and any(
            row[:width] == (*ends[0], *ends[1]) for row in self.edges[edge[0].name]
        )
        if known and rng.random() < 0.8:
            return
        values = self._values(plan, tie.name, edge[0], copy)
        self._edge(edge[0], *ends, values)
        if rng.random() < 0.12:
            again = values if rng.random() < 0.5 else self._values(plan, tie.name, edge[0], copy)
            self._edge(edge[0], *ends, again)

    def _between(
        self, names: Sequence[str], left: str, right: str, forward: bool
    ) -> tuple[EdgeType, bool] | None:
        """An edge type between two node types, and whether it runs from left to right."""
        for ahead in (forward, not forward):
            ends = (left, right) if ahead else (right, left)
            between = self.schema.edges_between.get(ends, ())
            fitting = [e for e in between if e.name in names] if names else between
            if fitting:
                return self.pick(fitting), ahead
        return None

    def _walk(
        self, plan: Plan, tie: Tie, left: Spot, right: Spot, forward: bool, copy: Copy, wrong: bool
    ) -> None:
        """A chain of as many edges as the hops allow, or one more or less."""
        rng = self.rng
        hops = tie.hops
        assert hops is not None  # noqa: S101 # the caller has looked
        lengths = [
            hops.lo,
            hops.lo,
            hops.hi or hops.lo + 2,
            rng.randint(hops.lo, hops.hi or 4 + hops.lo),
        ]
        if wrong:
            lengths = [max(0, hops.lo - 1), (hops.hi or hops.lo) + 1]
        length = min(self.pick(lengths), 8)
        here = left
        for number in range(length):
            edge, end = None, right
            if number == length - 1:
                edge = self._between(tie.types, here[0], right[0], forward)
            if edge is None:
                step = self._onward(tie.types, here[0], forward)
                if step is None and tie.direction is ir.Direction.BOTH:
                    step = self._onward(tie.types, here[0], not forward)
                if step is None:
                    return
                edge = step[:2]
                end = self._node(plan, " ", step[2], Copy())
            ends = (here[1], end[1]) if edge[1] else (end[1], here[1])
            self._edge(edge[0], *ends, self._values(plan, tie.name, edge[0], copy))
            here = end

    def _onward(
        self, names: Sequence[str], start: str, forward: bool
    ) -> tuple[EdgeType, bool, str] | None:
        ways = [
            (e, forward, e.target if forward else e.source)
            for e in self.schema.edges
            if e.name in names and start == (e.source if forward else e.target)
        ]
        return self.pick(ways) if ways else None

    def _edge(
        self, edge: EdgeType, source: tuple[Any, ...], target: tuple[Any, ...], row: Any
    ) -> None:
        self.edges[edge.name].append((*source, *target, *(row[p.name] for p in edge.properties)))
