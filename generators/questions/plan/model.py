"""What a query asks, in the terms of a question: things, links, conditions, results.

`generators.questions.plan.analysis` makes a plan from Graph-IR; the realisers of the three levels
read it. Variables are gone: expressions hold the things themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from graph_ir import nodes as ir
from graph_ir.walk import children


@dataclass(eq=False, slots=True)
class Entity:
    """One node variable and its node types."""

    types: tuple[str, ...] = ()
    var: str = ""
    label: str = ""


@dataclass(eq=False, slots=True)
class Link:
    """One edge variable between two entities, as the pattern walks it.

    `functional`: its source has one such edge at most; `to_one`: so has each node on its way, where
    it has several steps. Links of one `clause` are never the same edge.
    """

    left: Entity
    right: Entity
    edge: ir.EdgePattern
    labels: tuple[str, ...] = ()
    functional: bool = False
    to_one: bool = False
    clause: int = 0

    @property
    def source(self) -> Entity:
        """The entity that the edge starts at."""
        return self.right if self.edge.direction is ir.Direction.IN else self.left

    @property
    def target(self) -> Entity:
        """The entity that the edge ends at."""
        return self.left if self.edge.direction is ir.Direction.IN else self.right

    def other(self, entity: Entity) -> Entity:
        """The end that `entity` is not."""
        return self.right if entity is self.left else self.left


@dataclass(eq=False, slots=True)
class Trail:
    """A path with a name: the link that it is made of, and how it is searched for."""

    link: Link
    shortest: bool = False
    every: bool = False


@dataclass(eq=False, slots=True)
class Block:
    """One stage: what is matched, under which conditions, and what comes of it.

    `keys` is None without aggregates. `having` filters the results. `outer` are entities of an
    enclosing query, `previous` an earlier stage whose results this one goes on with, `carried`
    those of its own entities that come from there. `optional` blocks add entities that may be
    missing. `trails` are paths with a name, `within` is the order in which lists are collected,
    `once` says that a subquery is asked for each row of the stage before, `root` is what a
    subquery lists, where that is known. Of the entities that the keys speak of, `identified` are
    told apart by their keys, and `named` by their names.
    """

    entities: list[Entity] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    conditions: list[ir.Expr] = field(default_factory=list)
    optional: list[Block] = field(default_factory=list)
    outer: list[Entity] = field(default_factory=list)
    previous: Block | None = None
    items: list[ir.Item] = field(default_factory=list)
    keys: list[ir.Expr] | None = None
    identified: list[Entity] = field(default_factory=list)
    named: list[Entity] = field(default_factory=list)
    having: list[ir.Expr] = field(default_factory=list)
    distinct: bool = False
    order: list[ir.SortKey] = field(default_factory=list)
    skip: int | None = None
    limit: int | None = None
    closed: bool = False
    carried: list[Entity] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)
    within: list[ir.SortKey] = field(default_factory=list)
    once: bool = False
    root: Entity | None = None

    @property
    def windowed(self) -> bool:
        """Whether only some of the results are kept."""
        return self.skip is not None or self.limit is not None

    def every_entity(self) -> list[Entity]:
        """Entities of this stage with those of its optional parts."""
        return [*self.entities, *(e for part in self.optional for e in part.every_entity())]

    def every_link(self) -> list[Link]:
        """Links of this stage with those of its optional parts."""
        return [*self.links, *(link for part in self.optional for link in part.every_link())]


@dataclass(frozen=True, slots=True)
class Combined:
    """A set operation: `union`, `union all`, `intersect` or `except`.

    `order` speaks of columns by name, as variables.
    """

    kind: str
    parts: tuple[Plan, ...]
    order: tuple[ir.SortKey, ...] = ()
    skip: int | None = None
    limit: int | None = None


type Plan = Block | Combined


@dataclass(frozen=True, slots=True, eq=False)
class EntityRef(ir.Expr):
    """A node."""

    entity: Entity

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EntityRef) and other.entity is self.entity

    def __hash__(self) -> int:
        return hash((id(self.entity),))


@dataclass(frozen=True, slots=True, eq=False)
class LinkRef(ir.Expr):
    """An edge."""

    link: Link

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LinkRef) and other.link is self.link

    def __hash__(self) -> int:
        return hash((id(self.link),))


@dataclass(frozen=True, slots=True, eq=False)
class TrailRef(ir.Expr):
    """A path."""

    trail: Trail

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrailRef) and other.trail is self.trail

    def __hash__(self) -> int:
        return hash((id(self.trail),))


@dataclass(frozen=True, slots=True, eq=False)
class Member(ir.Expr):
    """What a list or a path holds, in a test of all of them: "each book on the way"."""

    types: tuple[str, ...] = ()
    edge: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Same(ir.Expr):
    """Two things are not the same one; `ordered`: the key of the first is the lower one."""

    one: Entity
    two: Entity
    ordered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Derived(ir.Expr):
    """A column of an earlier stage."""

    block: Block
    alias: str
    expr: ir.Expr

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Derived) and other.block is self.block and other.alias == self.alias
        )

    def __hash__(self) -> int:
        return hash(
            (
                id(self.block),
                self.alias,
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scalar(ir.Expr):
    """The single value of a query that has one row."""

    block: Block
    expr: ir.Expr

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Scalar) and other.block is self.block
        return same and isinstance(other, Scalar) and other.expr == self.expr

    def __hash__(self) -> int:
        return hash((id(self.block), self.expr))


@dataclass(frozen=True, slots=True, eq=False)
class Inner(ir.Expr):
    """A subquery as a value: `exists`, `count` or `collect`."""

    kind: str
    block: Block

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inner) and other.block is self.block

    def __hash__(self) -> int:
        return hash((id(self.block),))


_PARTS: dict[type[ir.Node], tuple[str, ...]] = {}


def parts_of(node: ir.Node) -> tuple[str, ...]:
    """The fields in which other expressions may stand."""
    known = _PARTS.get(type(node))
    if known is None:
        own = (f.name for f in fields(node) if f.init and f.name not in ("span", "type"))
        known = _PARTS[type(node)] = tuple(own)
    return known


def refs(expr: ir.Node) -> Iterator[Entity | Link]:
    """Entities and links that an expression speaks of, with those outside of subqueries."""
    match expr:
        case EntityRef(entity=entity):
            yield entity
        case LinkRef(link=link):
            yield link
        case TrailRef(trail=trail):
            yield trail.link.left
            yield trail.link.right
        case Same(one=one, two=two):
            yield one
            yield two
        case Derived():
            return  # a figure by now
        case Inner(block=block) | Scalar(block=block):
            own = {id(e) for e in block.every_entity()}
            for link in block.every_link():
                yield from (e for e in (link.left, link.right) if id(e) not in own)
            for condition in [*block.conditions, *(i.expr for i in block.items)]:
                for ref in refs(condition):
                    if id(ref) not in own and ref not in block.every_link():
                        yield ref
        case _:
            for child in children(expr):
                yield from refs(child)
