"""MATCH: candidates of every element, joins along the paths, and different edges.

Each element gets the set of node or edge types it can be, from labels, edge types and the ends
of the schema's edges. An element with one candidate is its table; one with several is a relation
that unites their tables and carries identities.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.base import check_length
from translators.duckdb.clauses.walks import Walk
from translators.duckdb.expressions.frame import Frame
from translators.duckdb.expressions.relations import Way, edge_element, edge_source, ends_of
from translators.duckdb.expressions.slots import EdgeSlot, Leg, NodeSlot, Trail, demand, meet, place
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import Binding, Element, Hopping, PathBinding, Value
from translators.duckdb.model.types import T, list_of, merge_of
from translators.searches import FUNCTIONS, into_search

SPELLED = 3  # edges up to which a walk of one length is as many joins, which is quicker


class Matcher:
    """Adds one MATCH to a frame."""

    def __init__(self, cx: Compiler, frame: Frame, match: ir.Match) -> None:
        self.cx = cx
        self.frame = frame
        self.match = match
        self.slots: dict[str, NodeSlot] = {}
        self.trails: list[Trail] = []

    def run(self) -> None:
        """Join the pattern's tables and bind its variables."""
        paths = self._searched()
        for path in paths:
            self.trails.append(self._trail(_spelled_out(path)))
        self._prune()
        for trail in self.trails:
            self._join(trail)
        self._bind()
        self._filter()
        if self.match.mode is ir.MatchMode.DIFFERENT_EDGES:
            self._different()

    # --- slots -----------------------------------------------------------------------------

    def _searched(self) -> tuple[ir.Path, ...]:
        """The paths, with the predicates that take part in Cypher's path searches inside."""
        paths = []
        for path in self.match.paths:
            selector = path.selector
            if selector is not None and selector.kind in FUNCTIONS:
                path, rest = into_search(path, self.match.where)
                self.match = replace(self.match, where=rest)
            paths.append(path)
        return tuple(paths)

    def _trail(self, path: ir.Path) -> Trail:
        if path.mode not in (None, ir.PathMode.TRAIL):
            raise self._no_search(path, str(path.mode))
        if path.selector is not None and (
            len(path.steps) != 1 or path.mode is not None or len(self.match.paths) > 1
        ):
            raise self._no_search(path, path.selector.kind.value)
        trail = Trail(path, [self._node(path.head)], [])
        for step in path.steps:
            left, right = trail.nodes[-1], self._node(step.node)
            edge = self._edge(step.edge, left, right, path.selector)
            trail.edges.append(edge)
            trail.nodes.append(right)
        return trail

    def _no_search(self, path: ir.Path, what: str) -> Refused:
        return Refused("path-search", what, "This path search has no SQL form.", path.span)

    def _node(self, pattern: ir.NodePattern) -> NodeSlot:
        catalog = self.cx.catalog
        slot = self.slots.get(pattern.var) if pattern.var is not None else None
        if slot is None:
            slot = NodeSlot(catalog.all_nodes())
            bound = self.frame.env.get(pattern.var) if pattern.var is not None else None
            if bound is not None and bound.type.kind is Kind.NULL:
                slot.of, slot.outer = (), True
            elif isinstance(bound, Value) and bound.type.kind is Kind.ANY:
                slot.dynamic = bound
            elif bound is not None:
                if not isinstance(bound, Element | Value) or bound.type.kind is not Kind.NODE:
                    raise Refused(
                        "dynamic-element",
                        pattern.var or "",
                        f"It is not known before the query runs that {pattern.var} is a node.",
                        pattern.span,
                    )
                slot.bound, slot.outer, slot.of = bound, True, bound.type.of
            if pattern.var is not None:
                self.slots[pattern.var] = slot
        slot.patterns.append(pattern)
        slot.of = tuple(n for n in slot.of if catalog.has_label(Kind.NODE, n, pattern.labels))
        return slot

    def _edge(
        self,
        pattern: ir.EdgePattern | ir.Quantified,
        left: NodeSlot,
        right: NodeSlot,
        selector: ir.Selector | None,
    ) -> EdgeSlot:
        if isinstance(pattern, ir.Quantified):
            return self._group(pattern, left, right, selector)
        bound = self.frame.env.get(pattern.var) if pattern.var is not None else None
        ways = self._ways(pattern)
        outer: Element | Value | None = None
        hops = pattern.hops if selector is None else pattern.hops or ir.Hops(1, 1)
        if bound is not None:
            if (
                not isinstance(bound, Element | Value)
                or bound.type.kind is not Kind.EDGE
                or hops is not None
            ):
                raise Refused(
                    "dynamic-element",
                    pattern.var or "",
                    f"{pattern.var} is bound before, and not to one edge.",
                    pattern.span,
                )
            outer = bound
            ways = tuple(way for way in ways if way[0] in bound.type.of)
        slot = EdgeSlot(left, right, [ways], pattern, selector=selector, outer=outer)
        if hops is not None:
            slot.leg = Leg((ir.NodePattern(), ir.NodePattern()), (pattern,), hops)
        return slot

    def _ways(self, pattern: ir.EdgePattern) -> tuple[Way, ...]:
        catalog = self.cx.catalog
        ways: list[Way] = []
        for name in catalog.all_edges():
            if not catalog.has_label(Kind.EDGE, name, pattern.types):
                continue
            if pattern.direction is not ir.Direction.IN:
                ways.append((name, True))
            if pattern.direction is not ir.Direction.OUT:
                ways.append((name, False))
        return tuple(ways)

    def _group(
        self,
        group: ir.Quantified,
        left: NodeSlot,
        right: NodeSlot,
        selector: ir.Selector | None,
    ) -> EdgeSlot:
        """A quantified path pattern: its edges are single inside."""
        edges = [step.edge for step in group.path.steps]
        plain = [e for e in edges if isinstance(e, ir.EdgePattern) and e.hops is None]
        named = [n.var for n in (group.path.head, *(s.node for s in group.path.steps)) if n.var]
        if len(plain) != len(edges) or group.path.var is not None or len(set(named)) < len(named):
            raise Refused(
                "quantified-path",
                "Quantified",
                "This repeats more than single edges between different nodes.",
                group.span,
            )
        nodes = (group.path.head, *(step.node for step in group.path.steps))
        leg = Leg(nodes, tuple(plain), group.hops, group.where, grouped=True)
        ways = [self._ways(edge) for edge in plain]
        return EdgeSlot(left, right, ways, leg=leg, selector=selector)

    def _prune(self) -> None:
        """Narrow candidates until nothing changes."""
        changed = True
        while changed:
            before = self._sizes()
            for trail in self.trails:
                for edge in trail.edges:
                    if edge.leg is None:
                        self._prune_hop(edge)
                    elif not edge.leg.grouped:
                        self._prune_walk(edge, edge.leg.hops)
            changed = self._sizes() != before

    def _sizes(self) -> list[int]:
        return [
            len(part)
            for trail in self.trails
            for part in (*(n.of for n in trail.nodes), *(w for e in trail.edges for w in e.ways))
        ]

    def _prune_hop(self, edge: EdgeSlot) -> None:
        kept = [
            way
            for way in edge.ways[0]
            if self.ends(way)[0] in edge.left.of and self.ends(way)[1] in edge.right.of
        ]
        self._keep(edge, kept)

    def _prune_walk(self, edge: EdgeSlot, hops: ir.Hops) -> None:
        ends = [self.ends(way) for way in edge.ways[0]]
        ahead = self._reach(edge.left.of, ends)
        behind = self._reach(edge.right.of, [end[::-1] for end in ends])
        kept = [
            way
            for way in edge.ways[0]
            if self.ends(way)[0] in ahead and self.ends(way)[1] in behind
        ]
        self._keep(edge, kept, stays=hops.lo == 0)

    def _keep(self, edge: EdgeSlot, kept: list[Way], *, stays: bool = False) -> None:
        """Narrow an edge to the ways `kept`, and its ends to theirs; `stays`: or to one node."""
        edge.ways[0] = tuple(kept)
        starts = {self.ends(way)[0] for way in kept}
        ends = {self.ends(way)[1] for way in kept}
        if stays:
            starts, ends = starts | set(edge.right.of), ends | set(edge.left.of)
        edge.left.of = tuple(n for n in edge.left.of if n in starts)
        edge.right.of = tuple(n for n in edge.right.of if n in ends)

    def ends(self, way: Way) -> tuple[str, str]:
        """The node types at which a way begins and ends."""
        return ends_of(self.cx.catalog, way)

    def _reach(self, start: Iterable[str], steps: list[tuple[str, str]]) -> set[str]:
        reached = set(start)
        grown = True
        while grown:
            new = {end for begin, end in steps if begin in reached} - reached
            grown = bool(new)
            reached |= new
        return reached

    # --- joins -----------------------------------------------------------------------------

    def _join(self, trail: Trail) -> None:
        first = next((i for i, node in enumerate(trail.nodes) if node.bound is not None), 0)
        if any(edge.leg is not None for edge in trail.edges[:first]):
            first = 0  # a walk begins at its left node
        place(self.cx, self.frame, trail.nodes[first])
        for edge in trail.edges[first:]:
            self._connect(edge, trail)
        for edge in reversed(trail.edges[:first]):
            self._connect(edge, trail)

    def _connect(self, edge: EdgeSlot, trail: Trail) -> None:
        cx, frame = self.cx, self.frame
        if edge.leg is not None:
            edge.bound = self._walk(edge, edge.leg, trail)
            return
        keyed = self._keyed(edge)
        alias = cx.alias(edge.var or "e")
        ways = edge.ways[0]
        bound, begin, end = edge_element(cx.catalog, ways, alias, keyed=keyed)
        conditions = []
        if edge.left.bound is not None:
            conditions += meet(cx, begin, edge.left, keyed=keyed)
        if edge.right.bound is not None:
            conditions += meet(cx, end, edge.right, keyed=keyed)
        if edge.outer is not None:
            conditions.append(self.same(bound, edge.outer))
        frame.join(edge_source(cx, bound, ways, keyed=keyed), alias, conditions)
        edge.bound = bound if edge.outer is None else edge.outer
        place(cx, frame, edge.left, begin, keyed=keyed)
        place(cx, frame, edge.right, end, keyed=keyed)

    def _walk(self, edge: EdgeSlot, leg: Leg, trail: Trail) -> Hopping:
        whole = trail.path.var is not None
        seen = dict(self.frame.env)
        for name, slot in self.slots.items():
            if slot.bound is not None:
                seen[name] = slot.bound
        repeats = self.match.mode is ir.MatchMode.REPEATABLE
        walk = Walk(
            self.cx,
            self.frame,
            edge,
            leg,
            seen,
            self.match.where,
            wants_edges=whole or (edge.var is not None and not leg.grouped),
            wants_nodes=whole,
            repeats=repeats,
        )
        return walk.join()

    def _keyed(self, edge: EdgeSlot) -> bool:
        """Whether the edge can be joined by key columns: one type at either end."""
        starts = {self.ends(way)[0] for way in edge.ways[0]}
        ends = {self.ends(way)[1] for way in edge.ways[0]}
        catalog = self.cx.catalog
        return (
            len(starts) == 1
            and len(ends) == 1
            and edge.left.type.of == tuple(starts)
            and edge.right.type.of == tuple(ends)
            and all(catalog.plain_key(name) for name in starts | ends)
        )

    def same(self, a: Element | Value, b: Element | Value) -> str:
        """The condition that two elements are one."""
        catalog = self.cx.catalog
        left, right = values.identity(catalog, a), values.identity(catalog, b)
        return f"{left.operand} = {right.operand}"

    # --- bindings and conditions -----------------------------------------------------------

    def _bind(self) -> None:
        env: dict[str, Binding] = {}
        for var, slot in self.slots.items():
            if slot.bound is not None and not slot.outer:
                env[var] = slot.bound
        for trail in self.trails:
            for edge in trail.edges:
                if edge.var is not None and edge.outer is None and edge.bound is not None:
                    env[edge.var] = edge.bound
                env.update(edge.lists)
            if trail.path.var is not None:
                env[trail.path.var] = self._path(trail)
        self.frame.env.update(env)

    def _path(self, trail: Trail) -> PathBinding:
        nodes: list[Element | Value] = []
        edges: list[Element | Value | Hopping] = []
        node_of: tuple[str, ...] = ()
        edge_of: tuple[str, ...] = ()
        for slot in trail.nodes:
            assert slot.bound is not None  # noqa: S101 # joined before
            nodes.append(slot.bound)
            node_of = merge_of(node_of, slot.bound.type.of)
        for edge in trail.edges:
            assert edge.bound is not None  # noqa: S101 # joined before
            edges.append(edge.bound)
            edge_of = merge_of(edge_of, edge.bound.type.of)
            if isinstance(edge.bound, Hopping):
                node_of = merge_of(node_of, edge.bound.nodes.of)
        fields = (
            ("nodes", list_of(T(Kind.NODE, of=tuple(sorted(node_of))))),
            ("edges", list_of(T(Kind.EDGE, of=tuple(sorted(edge_of))))),
        )
        return PathBinding(tuple(nodes), tuple(edges), T(Kind.PATH, fields=fields))

    def _filter(self) -> None:
        done: set[int] = set()
        for trail in self.trails:
            for slot in trail.nodes:
                if id(slot) in done or slot.bound is None:
                    continue
                done.add(id(slot))
                if slot.outer:
                    self._narrow(slot)
                for pattern in slot.patterns:
                    demand(self.cx, self.frame, slot.bound, pattern.props, pattern.where)
            for edge in trail.edges:
                if edge.leg is None and edge.pattern is not None and edge.bound is not None:
                    props, where = edge.pattern.props, edge.pattern.where
                    demand(self.cx, self.frame, edge.bound, props, where)
        if self.match.where is not None:
            self.frame.filter(self.cx, self.match.where)

    def _narrow(self, slot: NodeSlot) -> None:
        catalog = self.cx.catalog
        bound = slot.bound
        assert bound is not None  # noqa: S101 # an outer slot is bound
        allowed = [
            name
            for name in bound.type.of
            if all(catalog.has_label(Kind.NODE, name, p.labels) for p in slot.patterns)
        ]
        identity = values.identity(catalog, bound)
        if len(allowed) < len(bound.type.of):
            positions = ", ".join(str(catalog.node_order[name]) for name in allowed)
            place = catalog.position(Kind.NODE, identity.operand)
            self.frame.where.append(f"{place} IN ({positions})" if allowed else "false")
        elif identity.null:
            self.frame.where.append(f"{identity.operand} IS NOT NULL")

    def _different(self) -> None:
        """No edge is bound twice in one MATCH."""
        catalog = self.cx.catalog
        slots = [edge for trail in self.trails for edge in trail.edges]
        tests = 0
        for position, a in enumerate(slots):
            for b in slots[:position]:
                if not set(a.of) & set(b.of):
                    continue
                tests += 1
                check_length(tests, self.match)
                if isinstance(a.bound, Hopping) and isinstance(b.bound, Hopping):
                    test = f"NOT list_has_any({b.bound.alias}.ids, {a.bound.alias}.ids)"
                elif isinstance(a.bound, Hopping) or isinstance(b.bound, Hopping):
                    hop, one = (a, b) if isinstance(a.bound, Hopping) else (b, a)
                    assert isinstance(hop.bound, Hopping)  # noqa: S101 # chosen so
                    assert isinstance(one.bound, Element | Value)  # noqa: S101 # chosen so
                    own = values.identity(catalog, one.bound)
                    test = f"NOT list_contains({hop.bound.alias}.ids, {own.text})"
                else:
                    assert isinstance(a.bound, Element | Value)  # noqa: S101 # joined before
                    assert isinstance(b.bound, Element | Value)  # noqa: S101 # joined before
                    test = self._unequal(b.bound, a.bound)
                self.frame.where.append(test)
                self.frame.apart.add(test)

    def _unequal(self, a: Element | Value, b: Element | Value) -> str:
        if isinstance(a, Element) and isinstance(b, Element) and a.base and b.base:
            return f"{a.alias}.rowid <> {b.alias}.rowid"
        catalog = self.cx.catalog
        left, right = values.identity(catalog, a), values.identity(catalog, b)
        return f"{left.operand} <> {right.operand}"


def _spelled_out(path: ir.Path) -> ir.Path:
    """The path with its short walks of one length as single edges, where nobody asks for them."""
    if path.var is not None or path.selector is not None:
        return path
    steps: list[ir.Step] = []
    for step in path.steps:
        edge = step.edge
        if not isinstance(edge, ir.EdgePattern) or edge.var is not None or edge.hops is None:
            steps.append(step)
            continue
        least, most = edge.hops.lo, edge.hops.hi
        if least != most or not 0 < least <= SPELLED:
            steps.append(step)
            continue
        single = replace(edge, hops=None)
        steps += [ir.Step(single, ir.NodePattern())] * (least - 1)
        steps.append(ir.Step(single, step.node))
    return replace(path, steps=tuple(steps))
