"""The nodes and edges of one MATCH while it is joined: candidates first, then what they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions.compare import equal
from translators.duckdb.expressions.frame import Frame
from translators.duckdb.expressions.relations import Way, node_source
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Binding, Element, Hopping, Sql, Value
from translators.duckdb.model.types import T


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


@dataclass(frozen=True, slots=True)
class Leg:
    """What one repetition of a walk passes: node, edge, node, …, and the ways of each edge.

    `grouped`: it is written as a quantified path pattern, whose variables become lists.
    """

    nodes: tuple[ir.NodePattern, ...]
    edges: tuple[ir.EdgePattern, ...]
    hops: ir.Hops
    where: ir.Expr | None = None
    grouped: bool = False


@dataclass(eq=False, slots=True)
class EdgeSlot:
    """An edge of the pattern between two nodes, or a walk over a `leg`; `ways` are its candidates.

    `ways` has one entry for each edge of the leg, and one for a single edge. `selector` chooses
    among the walks.
    """

    left: NodeSlot
    right: NodeSlot
    ways: list[tuple[Way, ...]]
    pattern: ir.EdgePattern | None = None
    leg: Leg | None = None
    selector: ir.Selector | None = None
    bound: Element | Value | Hopping | None = None
    outer: Element | Value | None = None
    lists: dict[str, Value] = field(default_factory=dict)

    @property
    def of(self) -> tuple[str, ...]:
        """Candidate edge types."""
        return tuple(dict.fromkeys(name for ways in self.ways for name, _ in ways))

    @property
    def var(self) -> str | None:
        """The variable of the edge, or of the list of edges."""
        return self.pattern.var if self.pattern is not None else None


@dataclass(eq=False, slots=True)
class Trail:
    """One path of the MATCH."""

    path: ir.Path
    nodes: list[NodeSlot]
    edges: list[EdgeSlot]


def place(
    cx: Compiler,
    frame: Frame,
    slot: NodeSlot,
    columns: list[str] | None = None,
    *,
    keyed: bool = False,
) -> None:
    """Join the node's relation, where `columns` of an edge lead to it; a bound one is there."""
    if slot.bound is not None:
        return
    wish = next((p.var for p in slot.patterns if p.var is not None), None) or "n"
    alias = cx.alias(wish)
    of = T(Kind.NODE, of=slot.of)
    slot.bound = Element(ident(alias), of, cx.catalog.direct(of))
    conditions = meet(cx, columns, slot, keyed=keyed) if columns is not None else []
    if slot.dynamic is not None:
        own = values.identity(cx.catalog, slot.bound)
        wanted = f"{cx.macro('cy_node')}({slot.dynamic.sql.text})"
        conditions.append(f"{own.operand} = {wanted}")
    frame.join(node_source(cx, of), alias, conditions)


def meet(cx: Compiler, columns: list[str], slot: NodeSlot, *, keyed: bool) -> list[str]:
    """Conditions that the end columns of an edge are the node in `slot`."""
    own = anchor(cx, slot, keyed=keyed)
    return [f"{column} = {key}" for column, key in zip(columns, own, strict=True)]


def anchor(cx: Compiler, slot: NodeSlot, *, keyed: bool) -> list[str]:
    """What identifies the node in `slot` to an edge: its key columns or its identity."""
    assert slot.bound is not None  # noqa: S101 # placed before
    return identified(cx, slot.bound, keyed=keyed)


def identified(cx: Compiler, bound: Element | Value, *, keyed: bool) -> list[str]:
    """What identifies a node to an edge: its key columns or its identity."""
    catalog = cx.catalog
    if not keyed:
        return [values.identity(catalog, bound).operand]
    fields = {f.key: f for f in catalog.layout(bound.type)}
    return [
        values.field_of(catalog, bound, fields[key]).text
        for key in catalog.node(bound.type.of[0]).key
    ]


def property_of(cx: Compiler, bound: Element | Value, key: str) -> Sql:
    """A property of an element; NULL where no candidate has it."""
    stored = cx.catalog.field(bound.type, key)
    return values.field_of(cx.catalog, bound, stored) if stored else values.NOTHING


def demand(
    cx: Compiler,
    frame: Frame,
    bound: Binding,
    props: ir.MapOf | ir.Param | None,
    where: ir.Expr | None,
) -> None:
    """Add the conditions that a pattern puts on one element, inline map and predicate."""
    if isinstance(props, ir.Param):
        why = "SQL needs the value of a parameter: give it in the line's `parameters`."
        raise Refused("parameter", f"${props.name}", why, props.span)
    if props is not None and isinstance(bound, Element | Value):
        for entry in props.entries:
            own = property_of(cx, bound, entry.key)
            wanted = cx.expr(entry.value, frame.scope())
            frame.where.append(equal(cx, own, wanted).text)
    if where is not None:
        frame.filter(cx, where)
