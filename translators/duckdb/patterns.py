"""MATCH: candidates of every element, joins along the paths, and different edges.

Each element gets the set of node or edge types it can be, from labels, edge types and the ends
of the schema's edges. An element with one candidate is its table; one with several is a relation
that unites their tables and carries identities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.graphdata import SOURCE, TARGET
from schemagraph.model import Kind
from translators.duckdb import values
from translators.duckdb.catalog import FROM, ID, TO
from translators.duckdb.compare import equal
from translators.duckdb.compiler import Compiler
from translators.duckdb.frame import Frame
from translators.duckdb.names import ident
from translators.duckdb.sql import Binding, Element, Hopping, PathBinding, Sql, Value
from translators.duckdb.types import BOOLEAN, T, list_of, merge_of

type Way = tuple[str, bool]  # an edge type, and whether it is walked from source to target


@dataclass(eq=False, slots=True)
class NodeSlot:
    """A node of the pattern: all its occurrences, its candidates, its binding once there is one."""

    of: tuple[str, ...]
    patterns: list[ir.NodePattern] = field(default_factory=list)
    bound: Element | Value | None = None
    outer: bool = False
    dynamic: Value | None = None

    @property
    def type(self) -> T:
        """The static type."""
        return self.bound.type if self.bound else T(Kind.NODE, of=self.of)


@dataclass(eq=False, slots=True)
class EdgeSlot:
    """An edge of the pattern between two nodes; `ways` are its candidates."""

    pattern: ir.EdgePattern
    left: NodeSlot
    right: NodeSlot
    ways: tuple[Way, ...]
    bound: Element | Value | Hopping | None = None
    outer: Element | Value | None = None

    @property
    def of(self) -> tuple[str, ...]:
        """Candidate edge types."""
        return tuple(dict.fromkeys(name for name, _ in self.ways))


@dataclass(eq=False, slots=True)
class Trail:
    """One path of the MATCH."""

    path: ir.Path
    nodes: list[NodeSlot]
    edges: list[EdgeSlot]


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
        for path in self.match.paths:
            self.trails.append(self._trail(path))
        self._prune()
        for trail in self.trails:
            self._join(trail)
        self._bind()
        self._filter()
        if self.match.mode is ir.MatchMode.DIFFERENT_EDGES:
            self._different()

    # --- slots -----------------------------------------------------------------------------

    def _trail(self, path: ir.Path) -> Trail:
        if path.selector is not None or path.mode is not None:
            raise Refused(
                "path-search",
                path.selector.kind.value if path.selector else str(path.mode),
                "This path search has no SQL form.",
                path.span,
            )
        trail = Trail(path, [self._node(path.head)], [])
        for step in path.steps:
            if isinstance(step.edge, ir.Quantified):
                raise Refused(
                    "quantified-path",
                    "Quantified",
                    "Quantified path patterns have no SQL form.",
                    step.edge.span,
                )
            right = self._node(step.node)
            trail.edges.append(self._edge(step.edge, trail.nodes[-1], right))
            trail.nodes.append(right)
        return trail

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

    def _edge(self, pattern: ir.EdgePattern, left: NodeSlot, right: NodeSlot) -> EdgeSlot:
        catalog = self.cx.catalog
        names = [n for n in catalog.all_edges() if catalog.has_label(Kind.EDGE, n, pattern.types)]
        bound = self.frame.env.get(pattern.var) if pattern.var is not None else None
        outer: Element | Value | None = None
        if bound is not None:
            if (
                not isinstance(bound, Element | Value)
                or bound.type.kind is not Kind.EDGE
                or pattern.hops is not None
            ):
                raise Refused(
                    "dynamic-element",
                    pattern.var or "",
                    f"{pattern.var} is bound before, and not to one edge.",
                    pattern.span,
                )
            outer = bound
            names = [n for n in names if n in bound.type.of]
        ways: list[Way] = []
        for name in names:
            if pattern.direction is not ir.Direction.IN:
                ways.append((name, True))
            if pattern.direction is not ir.Direction.OUT:
                ways.append((name, False))
        return EdgeSlot(pattern, left, right, tuple(ways), outer=outer)

    def ends(self, way: Way) -> tuple[str, str]:
        edge = self.cx.catalog.edge(way[0])
        return (edge.source, edge.target) if way[1] else (edge.target, edge.source)

    def _prune(self) -> None:
        """Narrow candidates until nothing changes."""
        changed = True
        while changed:
            before = self._sizes()
            for trail in self.trails:
                for edge in trail.edges:
                    if edge.pattern.hops is None:
                        self._prune_hop(edge)
                    else:
                        self._prune_walk(edge, edge.pattern.hops)
            changed = self._sizes() != before

    def _sizes(self) -> list[int]:
        return [
            len(part)
            for trail in self.trails
            for part in (*(n.of for n in trail.nodes), *(e.ways for e in trail.edges))
        ]

    def _prune_hop(self, edge: EdgeSlot) -> None:
        kept = []
        for way in edge.ways:
            start, end = self.ends(way)
            if start in edge.left.of and end in edge.right.of:
                kept.append(way)
        edge.ways = tuple(kept)
        starts = {self.ends(way)[0] for way in kept}
        ends = {self.ends(way)[1] for way in kept}
        edge.left.of = tuple(n for n in edge.left.of if n in starts)
        edge.right.of = tuple(n for n in edge.right.of if n in ends)

    def _prune_walk(self, edge: EdgeSlot, hops: ir.Hops) -> None:
        ahead = self._reach(edge.left.of, [self.ends(way) for way in edge.ways])
        behind = self._reach(edge.right.of, [self.ends(way)[::-1] for way in edge.ways])
        kept = []
        for way in edge.ways:
            start, end = self.ends(way)
            if start in ahead and end in behind:
                kept.append(way)
        edge.ways = tuple(kept)
        starts = {self.ends(way)[0] for way in kept}
        ends = {self.ends(way)[1] for way in kept}
        if hops.lo == 0:
            starts |= set(edge.right.of)
            ends |= set(edge.left.of)
        edge.left.of = tuple(n for n in edge.left.of if n in starts)
        edge.right.of = tuple(n for n in edge.right.of if n in ends)

    def _reach(self, start: Iterable[str], steps: list[tuple[str, str]]) -> set[str]:
        found = set(start)
        grown = True
        while grown:
            new = {end for begin, end in steps if begin in found} - found
            grown = bool(new)
            found |= new
        return found

    # --- joins -----------------------------------------------------------------------------

    def _join(self, trail: Trail) -> None:
        first = next((i for i, node in enumerate(trail.nodes) if node.bound is not None), 0)
        self.place(trail.nodes[first])
        for edge in trail.edges[first:]:
            self._connect(edge)
        for edge in reversed(trail.edges[:first]):
            self._connect(edge)

    def _connect(self, edge: EdgeSlot) -> None:
        if edge.pattern.hops is not None:
            from translators.duckdb.walks import walk

            self.place(edge.left)
            edge.bound = walk(self, edge, edge.pattern.hops)
            return
        keyed = self.keyed(edge)
        names = self.cx.names
        alias = names.fresh(edge.pattern.var or "e")
        bound, begin, end = self.edges(edge.ways, alias, keyed)
        conditions = []
        if edge.left.bound is not None:
            conditions += self.meet(begin, edge.left, keyed)
        if edge.right.bound is not None:
            conditions += self.meet(end, edge.right, keyed)
        if edge.outer is not None:
            conditions.append(self.same(bound, edge.outer))
        self.frame.join(self.source(bound, keyed, edge.ways), alias, conditions)
        edge.bound = bound if edge.outer is None else edge.outer
        if edge.left.bound is None:
            self.place(edge.left, begin, keyed)
        if edge.right.bound is None:
            self.place(edge.right, end, keyed)

    def place(self, slot: NodeSlot, columns: list[str] | None = None, keyed: bool = False) -> None:
        if slot.bound is not None:
            return
        wish = next((p.var for p in slot.patterns if p.var is not None), None) or "n"
        alias = self.cx.names.fresh(wish)
        of = T(Kind.NODE, of=slot.of)
        slot.bound = Element(ident(alias), of, self.cx.catalog.direct(of))
        conditions = self.meet(columns, slot, keyed) if columns is not None else []
        if slot.dynamic is not None:
            own = values.identity(self.cx.catalog, slot.bound)
            wanted = f"{self.cx.macro('cy_node')}({slot.dynamic.sql.text})"
            conditions.append(f"{own.operand} = {wanted}")
        self.frame.join(self.nodes(of), alias, conditions)

    def keyed(self, edge: EdgeSlot) -> bool:
        """Whether the edge can be joined by key columns: one type at either end."""
        starts = {self.ends(way)[0] for way in edge.ways}
        ends = {self.ends(way)[1] for way in edge.ways}
        catalog = self.cx.catalog
        return (
            len(starts) == 1
            and len(ends) == 1
            and edge.left.type.of == tuple(starts)
            and edge.right.type.of == tuple(ends)
            and all(catalog.plain_key(name) for name in starts | ends)
        )

    def edges(
        self, ways: tuple[Way, ...], alias: str, keyed: bool
    ) -> tuple[Element, list[str], list[str]]:
        """The edge as an element called `alias`, and the columns of its two ends."""
        of = T(Kind.EDGE, of=tuple(dict.fromkeys(name for name, _ in ways)))
        if keyed and len(ways) == 1 and self.cx.catalog.direct(of):
            table = self.cx.catalog.table(Kind.EDGE, ways[0][0])
            start, end = self.ends(ways[0])
            prefixes = (SOURCE, TARGET) if ways[0][1] else (TARGET, SOURCE)
            sides = [
                [
                    f"{ident(alias)}.{ident(table.column(prefix + key))}"
                    for key in self.cx.catalog.node(name).key
                ]
                for prefix, name in zip(prefixes, (start, end), strict=True)
            ]
            return Element(ident(alias), of, True), sides[0], sides[1]
        if keyed:
            start, end = self.ends(ways[0])
            sides = [
                [
                    f"{ident(alias)}.{ident(prefix + '.' + str(number))}"
                    for number, _ in enumerate(self.cx.catalog.node(name).key)
                ]
                for prefix, name in ((FROM, start), (TO, end))
            ]
        else:
            sides = [[f"{ident(alias)}.{ident(FROM)}"], [f"{ident(alias)}.{ident(TO)}"]]
        return Element(ident(alias), of, False), sides[0], sides[1]

    def meet(self, columns: list[str], slot: NodeSlot, keyed: bool) -> list[str]:
        """Conditions that the end columns of an edge are the node in `slot`."""
        return [
            f"{column} = {own}"
            for column, own in zip(columns, self.anchor(slot, keyed), strict=True)
        ]

    def anchor(self, slot: NodeSlot, keyed: bool) -> list[str]:
        """What identifies the node in `slot` to an edge: its key columns or its identity."""
        catalog = self.cx.catalog
        assert slot.bound is not None  # noqa: S101 # placed before
        if not keyed:
            return [values.identity(catalog, slot.bound).operand]
        fields = {f.key: f for f in catalog.layout(slot.bound.type)}
        return [
            values.field_of(catalog, slot.bound, fields[key]).text
            for key in catalog.node(slot.bound.type.of[0]).key
        ]

    def same(self, a: Element | Value, b: Element | Value) -> str:
        """The condition that two elements are one."""
        catalog = self.cx.catalog
        left, right = values.identity(catalog, a), values.identity(catalog, b)
        return f"{left.operand} = {right.operand}"

    def source(self, bound: Element, keyed: bool, ways: tuple[Way, ...]) -> str:
        """The table or shared relation behind an edge element."""
        if bound.base:
            return ident(self.cx.catalog.table(Kind.EDGE, ways[0][0]).name)
        return self.cx.share(
            ("edges", ways, keyed), "_edges", lambda: self._edge_relation(bound.type, ways, keyed)
        )

    def nodes(self, of: T) -> str:
        """The table or shared relation of nodes with these candidates."""
        catalog = self.cx.catalog
        if catalog.direct(of):
            return ident(catalog.table(Kind.NODE, of.of[0]).name)
        return self.cx.share(("nodes", of.of), "_nodes", lambda: self._node_relation(of))

    def _node_relation(self, of: T) -> str:
        catalog = self.cx.catalog
        branches = []
        for name in of.of:
            element = Element("n", T(Kind.NODE, of=(name,)), True)
            columns = [f"{values.identity(catalog, element).text} AS {ident(ID)}"]
            columns += self._fields(element, of)
            table = ident(catalog.table(Kind.NODE, name).name)
            branches.append(f"SELECT {', '.join(columns)} FROM {table} AS n")
        return "\nUNION ALL\n".join(branches) or f"SELECT NULL::BIGINT AS {ident(ID)} WHERE false"

    def _fields(self, element: Element, of: T) -> Iterator[str]:
        catalog = self.cx.catalog
        own = {f.key for f in catalog.layout(element.type)}
        for f in catalog.layout(of):
            if f.key in own:
                kind = catalog.field(element.type, f.key)
                assert kind is not None  # noqa: S101 # it is among its own
                sql = values.field_of(catalog, element, kind)
                sql = values.convert(self.cx, sql, f.type)
            else:
                sql = Sql(values.null_of(catalog, f.type), f.type)
            yield f"{sql.text} AS {ident(f.name)}"

    def _edge_relation(self, of: T, ways: tuple[Way, ...], keyed: bool) -> str:
        catalog = self.cx.catalog
        branches = []
        for way in ways:
            name, forward = way
            edge = catalog.edge(name)
            table = catalog.table(Kind.EDGE, name)
            element = Element("e", T(Kind.EDGE, of=(name,)), True)
            ends = []
            for prefix, alias, end in ((SOURCE, "s", edge.source), (TARGET, "t", edge.target)):
                keys = catalog.node(end).key
                own = [f"e.{ident(table.column(prefix + key))}" for key in keys]
                theirs = [
                    f"{alias}.{ident(catalog.table(Kind.NODE, end).column(key))}" for key in keys
                ]
                ends.append((alias, end, own, theirs))
            joins = ""
            sides = []
            for alias, end, own, theirs in ends:
                if keyed:
                    sides.append(own)
                    continue
                met = " AND ".join(f"{a} = {b}" for a, b in zip(theirs, own, strict=True))
                joins += f" JOIN {ident(catalog.table(Kind.NODE, end).name)} AS {alias} ON {met}"
                sides.append([catalog.identity(Kind.NODE, end, f"{alias}.rowid")])
            if not forward:
                sides.reverse()
            columns = [f"{values.identity(catalog, element).text} AS {ident(ID)}"]
            for wish, side in zip((FROM, TO), sides, strict=True):
                for number, column in enumerate(side):
                    columns.append(f"{column} AS {ident(f'{wish}.{number}' if keyed else wish)}")
            columns += self._fields(element, of)
            branch = f"SELECT {', '.join(columns)} FROM {ident(table.name)} AS e{joins}"
            if not forward and (name, True) in ways and edge.source == edge.target:
                # A loop is one match of an undirected pattern, not two.
                loop = " AND ".join(
                    f"{a} = {b}" for a, b in zip(ends[0][2], ends[1][2], strict=True)
                )
                branch += f" WHERE NOT ({loop})"
            branches.append(branch)
        if branches:
            return "\nUNION ALL\n".join(branches)
        empty = [f"NULL::BIGINT AS {ident(name)}" for name in (ID, FROM, TO)]
        return f"SELECT {', '.join(empty)} WHERE false"

    # --- bindings and conditions -----------------------------------------------------------

    def _bind(self) -> None:
        env: dict[str, Binding] = {}
        for var, slot in self.slots.items():
            if slot.bound is not None and not slot.outer:
                env[var] = slot.bound
        for trail in self.trails:
            for edge in trail.edges:
                if edge.pattern.var is not None and edge.outer is None and edge.bound is not None:
                    env[edge.pattern.var] = edge.bound
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
        catalog = self.cx.catalog
        done: set[int] = set()
        for trail in self.trails:
            for slot in trail.nodes:
                if id(slot) in done or slot.bound is None:
                    continue
                done.add(id(slot))
                if slot.outer:
                    self._narrow(slot)
                for pattern in slot.patterns:
                    self.properties(slot.bound, pattern.props)
                    self.where(pattern.where)
            for edge in trail.edges:
                if edge.pattern.hops is None and isinstance(edge.bound, Element | Value):
                    self.properties(edge.bound, edge.pattern.props)
                    self.where(edge.pattern.where)
        self.where(self.match.where)
        del catalog

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

    def properties(self, bound: Element | Value, props: ir.MapOf | ir.Param | None) -> None:
        """Add the conditions of an inline map of properties."""
        if props is None:
            return
        if isinstance(props, ir.Param):
            raise Refused("parameter", f"${props.name}", "SQL needs the value.", props.span)
        for entry in props.entries:
            own = property_of(self.cx, bound, entry.key)
            wanted = self.cx.expr(entry.value, self.frame.scope())
            self.frame.where.append(equal(self.cx, own, wanted).text)

    def where(self, predicate: ir.Expr | None) -> None:
        """Add a predicate to the frame."""
        if predicate is not None:
            self.frame.filter(self.cx, predicate)

    def _different(self) -> None:
        """No edge is bound twice in one MATCH."""
        catalog = self.cx.catalog
        slots = [edge for trail in self.trails for edge in trail.edges]
        for position, a in enumerate(slots):
            for b in slots[:position]:
                if not set(a.of) & set(b.of):
                    continue
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

    def _unequal(self, a: Element | Value, b: Element | Value) -> str:
        if isinstance(a, Element) and isinstance(b, Element) and a.base and b.base:
            return f"{a.alias}.rowid <> {b.alias}.rowid"
        catalog = self.cx.catalog
        left, right = values.identity(catalog, a), values.identity(catalog, b)
        return f"{left.operand} <> {right.operand}"


def property_of(cx: Compiler, bound: Element | Value, key: str) -> Sql:
    """A property of an element; NULL where no candidate has it."""
    found = cx.catalog.field(bound.type, key)
    return values.field_of(cx.catalog, bound, found) if found else values.NOTHING


def boolean(text: str) -> Sql:
    """A condition that is never NULL."""
    return Sql(text, BOOLEAN, atom=False, null=False)
