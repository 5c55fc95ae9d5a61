"""Walks: variable length, quantified path patterns and path searches, by recursion.

A walk repeats a leg of one or more edges. It is a lateral relation whose recursion begins at the
node on the left; each step takes edges that the walk has not used. A search for shortest paths
keeps what was reached first (`USING KEY`), so that it visits each node once; where that would
not be exact, all walks are made and ranked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from schemagraph.model import Kind
from translators.duckdb.expressions.bindings import whole
from translators.duckdb.expressions.conversion import convert
from translators.duckdb.expressions.frame import Frame
from translators.duckdb.expressions.relations import edge_element, edge_source, ends_of, node_source
from translators.duckdb.expressions.slots import (
    EdgeSlot,
    Leg,
    anchor,
    demand,
    identified,
    meet,
    place,
)
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Binding, Element, Hopping, Sql, Value
from translators.duckdb.model.types import T, list_of
from translators.searches import FUNCTIONS

_ONE = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.ANY_SHORTEST, ir.SelectorKind.ANY)
_ALL = (ir.SelectorKind.FUNCTION_ALL, ir.SelectorKind.ALL_SHORTEST)


@dataclass(frozen=True, slots=True)
class Column:
    """A list that a walk gathers: `start` at its beginning, `grown` after one more leg."""

    name: str
    start: str
    grown: str


@dataclass(slots=True)
class Walk:
    """The recursion of one walk under construction; `own` names it inside of itself.

    `seen` are the variables in sight where the walk begins, `where` is the condition of the
    MATCH. `wants_edges` and `wants_nodes` say whether its elements are read; `repeats` lets it
    pass an edge twice.
    """

    cx: Compiler
    frame: Frame
    slot: EdgeSlot
    leg: Leg
    seen: dict[str, Binding]
    where: ir.Expr | None
    wants_edges: bool
    wants_nodes: bool
    repeats: bool
    starts: list[str] = field(default_factory=list)
    own: str = ""
    joins: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    edges: list[Element] = field(default_factory=list)
    nodes: list[Element | None] = field(default_factory=list)
    end: str = ""
    keyed: bool = False

    def join(self) -> Hopping:
        """Add the walks from the slot's left node to its right one to the frame."""
        cx, frame, slot = self.cx, self.frame, self.slot
        place(cx, frame, slot.left)
        self.keyed = self._stays_in_one_type()
        closed = self._keep_ends_apart()
        alias = ident(cx.alias(slot.var or "walk"))
        self.own = ident(cx.names.fresh("_w"))
        self._pass_leg()
        self._gather()
        self._start_where_asked()
        (start,) = anchor(cx, slot.left, keyed=self.keyed)
        text = self._text(start)
        if closed:
            (other,) = anchor(cx, slot.right, keyed=False)
            text = f"SELECT * FROM (\n{text}\n) AS {self.own}\n{self._guard(start, other)}"
        frame.add(f"LATERAL (\n{text}\n) AS {alias}")
        if slot.right.bound is not None:
            frame.where += meet(cx, [f"{alias}.here"], slot.right, keyed=self.keyed)
        else:
            place(cx, frame, slot.right, [f"{alias}.here"], keyed=self.keyed)
        self._bind(alias)
        return Hopping(alias, self._edge_type(), self._node_type())

    def _stays_in_one_type(self) -> bool:
        """Whether all nodes of the walk are of one type with a key of one column.

        That column then tells them apart, and no edge needs the rows of its ends for that.
        """
        catalog, (left, right) = self.cx.catalog, (self.slot.left, self.slot.right)
        if self.slot.selector is not None or self.leg.grouped or len(left.type.of) != 1:
            return False
        (name,) = left.type.of
        return (
            right.type.of == (name,)
            and self._starts(0) | self._stops(0) == {name}
            and catalog.plain_key(name)
            and len(catalog.node(name).key) == 1
        )

    # --- one leg ---------------------------------------------------------------------------

    def _pass_leg(self) -> None:
        """Join the tables of one leg behind `own`, with what its pattern demands of them."""
        cx, leg = self.cx, self.leg
        previous = f"{self.own}.here"
        inner = Frame(dict(self.seen))
        self._visit(leg.nodes[0], self._starts(0), previous, inner, head=True)
        for number, pattern in enumerate(leg.edges):
            ways = self.slot.ways[number]
            hop = cx.names.fresh("_e")
            one, begin, end = edge_element(cx.catalog, ways, hop, keyed=self.keyed)
            source = edge_source(cx, one, ways, keyed=self.keyed)
            self.joins.append(f"JOIN {source} AS {ident(hop)} ON {begin[0]} = {previous}")
            own = values.identity(cx.catalog, one)
            if not self.repeats:
                self.conditions.append(f"NOT list_contains({self.own}.ids, {own.text})")
                for other in self.edges:
                    another = values.identity(cx.catalog, other)
                    self.conditions.append(f"{own.operand} <> {another.operand}")
            self.edges.append(one)
            if pattern.var is not None:
                inner.env[pattern.var] = one
            demand(cx, inner, one, pattern.props, pattern.where)
            previous = end[0]
            self._visit(leg.nodes[number + 1], self._stops(number), previous, inner, head=False)
        demand(cx, inner, Value(values.TRUE), None, leg.where)
        self.conditions += inner.where
        self.end = previous

    def _visit(
        self, pattern: ir.NodePattern, of: set[str], at: str, inner: Frame, *, head: bool
    ) -> None:
        """Join the node at `at`, where the walk or its pattern needs more than its identity."""
        catalog = self.cx.catalog
        names = tuple(
            n
            for n in catalog.all_nodes()
            if n in of and catalog.has_label(Kind.NODE, n, pattern.labels)
        )
        asked = pattern.var is not None or pattern.props is not None or pattern.where is not None
        if not asked and len(names) == len(of) and (head or not self.wants_nodes):
            self.nodes.append(None)
            return
        visited = self.cx.names.fresh("_n")
        kind = T(Kind.NODE, of=names)
        element = Element(ident(visited), kind, catalog.direct(kind))
        (own,) = identified(self.cx, element, keyed=self.keyed)
        source = node_source(self.cx, kind)
        self.joins.append(f"JOIN {source} AS {ident(visited)} ON {own} = {at}")
        self.nodes.append(element)
        if pattern.var is not None:
            inner.env[pattern.var] = element
        demand(self.cx, inner, element, pattern.props, pattern.where)

    def _starts(self, number: int) -> set[str]:
        return {ends_of(self.cx.catalog, way)[0] for way in self.slot.ways[number]}

    def _stops(self, number: int) -> set[str]:
        return {ends_of(self.cx.catalog, way)[1] for way in self.slot.ways[number]}

    def _edge_type(self) -> T:
        return T(Kind.EDGE, of=self.slot.of)

    def _node_type(self) -> T:
        stops = set().union(*(self._stops(n) for n in range(len(self.leg.edges))))
        return T(Kind.NODE, of=tuple(n for n in self.cx.catalog.all_nodes() if n in stops))

    def _start_where_asked(self) -> None:
        """Begin only at rows that pass what is asked so far; DuckDB may test it afterwards.

        Not what keeps edges apart: that is nearly always so, and each pair of edges would have
        walks of its own (2.3 s against 0.1 s).
        """
        asked = [test for test in self.frame.where if test not in self.frame.apart]
        inner = Frame(dict(self.seen), where=asked)
        left = self.slot.left
        assert left.bound is not None  # noqa: S101 # placed before
        tests = conjuncts(self.where)
        for pattern in left.patterns:
            if all(var.name in self.seen for var in find(pattern, ir.Var)):
                demand(self.cx, inner, left.bound, pattern.props, None)
            tests += conjuncts(pattern.where)
        for test in tests:
            named = {var.name for var in find(test, ir.Var)}
            if named and named <= set(self.seen):
                demand(self.cx, inner, left.bound, None, test)
        # A subquery there would be correlated across the recursion.
        self.starts = [test for test in inner.where if "SELECT" not in test]

    # --- what the walk gathers -------------------------------------------------------------

    def _gather(self) -> None:
        ids = ", ".join(values.identity(self.cx.catalog, one).text for one in self.edges)
        self._list("ids", "[]::BIGINT[]", [ids])
        if self.wants_edges:
            self._elements("edges", self._edge_type(), list(self.edges))
        if self.wants_nodes:
            self._elements("nodes", self._node_type(), [n for n in self.nodes[1:] if n])
        if not self.leg.grouped:
            return
        names = [node.var for node in self.leg.nodes] + [edge.var for edge in self.leg.edges]
        for var, element in zip(names, (*self.nodes, *self.edges), strict=True):
            if var is not None and element is not None:
                name = ident(self.cx.names.fresh(f"_{var}"))
                self._elements(name, element.type, [element])
                self.slot.lists[var] = Value(Sql(name, list_of(element.type), null=False))

    def _elements(self, name: str, of: T, elements: list[Element]) -> None:
        start = f"[]::{values.duck(self.cx.catalog, of)}[]"
        wholes = [whole(self.cx, element) for element in elements]
        self._list(name, start, [convert(self.cx, one, of).text for one in wholes])

    def _list(self, name: str, start: str, items: list[str]) -> None:
        grown = f"list_concat({self.own}.{name}, [{', '.join(items)}])"
        self.columns.append(Column(name, start, grown))

    def _bind(self, alias: str) -> None:
        """What the walk gathered for variables becomes columns of its relation."""
        for name, value in self.slot.lists.items():
            self.slot.lists[name] = Value(Sql(f"{alias}.{value.sql.text}", value.type, null=False))

    # --- the recursion ---------------------------------------------------------------------

    def _text(self, start: str) -> str:
        selector = self.slot.selector
        if selector is None:
            return self._all(start)
        if selector.kind in _ONE and self._short():
            return self._first(start)
        if selector.kind in _ALL and self._short():
            return self._every_shortest(start)
        return self._ranked(start, selector)

    def _short(self) -> bool:
        """Whether a shortest walk passes no edge twice anyway, so that one visit is enough.

        A search that is no function may end where it began, which one visit cannot find along
        edges of both directions.
        """
        returns = self.leg.hops.lo > 0 and self._undirected() and not self._ends_differ()
        if returns and self.slot.selector is not None and self.slot.selector.kind not in FUNCTIONS:
            return False
        return len(self.leg.edges) == 1 and self.leg.hops.lo <= 1

    def _begin(self, start: str) -> str:
        shown = ", ".join(f"{c.start} AS {c.name}" for c in self.columns)
        tests = f" WHERE {' AND '.join(self.starts)}" if self.starts else ""
        return f"SELECT {start} AS here, {shown}{tests}"

    def _room(self) -> list[str]:
        """The upper bound as a condition."""
        most = self.leg.hops.hi
        size = len(self.leg.edges)
        return [] if most is None else [f"len({self.own}.ids) < {most * size}"]

    def _tests(self, *more: str) -> str:
        tests = [*self.conditions, *self._room(), *more]
        return f"\n  WHERE {' AND '.join(tests)}" if tests else ""

    def _from(self) -> str:
        return "\n  ".join([f"FROM {self.own}", *self.joins])

    def _all(self, start: str) -> str:
        grown = ", ".join([self.end, *(c.grown for c in self.columns)])
        least = self.leg.hops.lo * len(self.leg.edges)
        text = (
            f"WITH RECURSIVE {self.own} AS (\n"
            f"  {self._begin(start)}\n"
            f"  UNION ALL\n"
            f"  SELECT {grown}\n"
            f"  {self._from()}{self._tests()}\n"
            f")\nSELECT * FROM {self.own}"
        )
        return f"{text} WHERE len(ids) >= {least}" if least else text

    def _reached(self, start: str) -> str:
        """The recursion that keeps one shortest walk to each node; ties go to the least ids."""
        ids = self.columns[0].grown
        picked = [f"min({ids}) AS ids"]
        picked += [f"arg_min({c.grown}, {ids}) AS {c.name}" for c in self.columns[1:]]
        step = f"SELECT {self.end} AS here, {', '.join(picked)}\n  {self._from()}"
        once = f"NOT EXISTS (SELECT 1 FROM recurring.{self.own} AS r WHERE r.here = {self.end})"
        apart = [f"{self.end} <> {start}"] if self._undirected() else []
        if self.leg.hops.lo == 0:
            base = self._begin(start)
        else:
            zero = f"(SELECT * FROM ({self._begin(start)}) AS _zero)"
            first = "\n  ".join([f"FROM {zero} AS {self.own}", *self.joins])
            base = f"SELECT {self.end} AS here, {', '.join(picked)}\n  {first}"
            base += f"{self._tests(*apart)}\n  GROUP BY {self.end}"
        names = ", ".join(["here", *(c.name for c in self.columns)])
        return (
            f"{self.own}({names}) USING KEY (here) AS (\n"
            f"  {base}\n"
            f"  UNION\n"
            f"  {step}{self._tests(once, *apart)}\n"
            f"  GROUP BY {self.end}\n"
            f")"
        )

    def _first(self, start: str) -> str:
        return f"WITH RECURSIVE {self._reached(start)}\nSELECT * FROM {self.own}"

    def _every_shortest(self, start: str) -> str:
        """All walks of which every part is a shortest one."""
        reached = ident(self.cx.names.fresh("_d"))
        outer = self.own
        distances = (
            f"WITH RECURSIVE {self._reached(start)}\nSELECT here, len(ids) AS hops FROM {outer}"
        )
        grown = ", ".join([self.end, *(c.grown for c in self.columns)])
        nearer = f"{reached}.hops = len({outer}.ids) + 1"
        return (
            f"WITH RECURSIVE {reached} AS MATERIALIZED (\n{distances}\n), {outer} AS (\n"
            f"  {self._begin(start)}\n"
            f"  UNION ALL\n"
            f"  SELECT {grown}\n"
            f"  {self._from()}\n"
            f"  JOIN {reached} ON {reached}.here = {self.end}{self._tests(nearer)}\n"
            f")\nSELECT * FROM {outer}" + (" WHERE len(ids) > 0" if self.leg.hops.lo else "")
        )

    def _ranked(self, start: str, selector: ir.Selector) -> str:
        count = selector.count
        if selector.kind in _ONE or selector.kind is ir.SelectorKind.SHORTEST_K:
            rank = "row_number() OVER (PARTITION BY here ORDER BY len(ids), ids)"
        else:
            rank = "dense_rank() OVER (PARTITION BY here ORDER BY len(ids))"
        return f"{self._all(start)} QUALIFY {rank} <= {count}"

    # --- ends that are one node ------------------------------------------------------------

    def _undirected(self) -> bool:
        return any(edge.direction is ir.Direction.BOTH for edge in self.leg.edges)

    def _keep_ends_apart(self) -> bool:
        """Whether a search would have to go back to its start along edges of both directions.

        One visit to each node cannot find that. Neo4j's shortestPath() refuses ends that are one
        node when it meets them, so the search does the same.
        """
        searches = self.slot.selector is not None and self._short() and self.leg.hops.lo > 0
        if not searches or self._ends_differ() or not self._undirected():
            return False
        place(self.cx, self.frame, self.slot.right)
        return True

    def _guard(self, start: str, other: str) -> str:
        names = ", ".join(f"NULL AS {c.name}" for c in self.columns)
        message = "'A path search needs two different nodes: '"
        return (
            f"UNION ALL\nSELECT error({message} || {start}) AS here, {names}\n"
            f"WHERE {start} = {other}"
        )

    def _ends_differ(self) -> bool:
        """Whether the condition of the MATCH says that the ends are two nodes."""
        sides = [{p.var for p in slot.patterns} for slot in (self.slot.left, self.slot.right)]
        for test in conjuncts(self.where):
            if isinstance(test, ir.Compare) and test.op is ir.CompareOp.NE:
                names = [arg.name for arg in (test.left, test.right) if isinstance(arg, ir.Var)]
                if len(names) == 2 and (
                    all(n in side for n, side in zip(names, sides, strict=True))
                    or all(n in side for n, side in zip(names, reversed(sides), strict=True))
                ):
                    return True
        return False
