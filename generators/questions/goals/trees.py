"""Patterns as trees of things: from one thing along contracted paths to all that is said of it.

A junction between two things is no thing but a path, unless it is asked for or counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Apart,
    Bound,
    Either,
    How,
    Op,
    Relation,
    Steps,
    Test,
    Thing,
)
from generators.questions.lexicon.model import Lexicon, Role, turned
from generators.questions.plan.constants import FLIPPED, OPPOSITE, Constant, constant
from generators.questions.plan.model import (
    Block,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    Same,
    refs,
)
from graph_ir import nodes as ir

OPS: dict[ir.CompareOp, Op] = {
    ir.CompareOp.EQ: "=",
    ir.CompareOp.NE: "<>",
    ir.CompareOp.LT: "<",
    ir.CompareOp.LE: "<=",
    ir.CompareOp.GT: ">",
    ir.CompareOp.GE: ">=",
}
_TEXTS: dict[ir.TextOp, Op] = {
    ir.TextOp.STARTS: "starts",
    ir.TextOp.ENDS: "ends",
    ir.TextOp.CONTAINS: "contains",
}


class Forest:
    """Grows the trees of one block; every link and condition has to end up in one of them."""

    def __init__(
        self,
        block: Block,
        lexicon: Lexicon,
        kept: Iterable[Entity] = (),
        conditions: Sequence[ir.Expr] | None = None,
    ) -> None:
        self.block = block
        self.lexicon = lexicon
        self.kept = {id(entity) for entity in kept}  # those that are no mere junctions here
        self.links = list(block.links)
        self.conditions = list(block.conditions if conditions is None else conditions)
        self.things: dict[int, Thing] = {}
        self.relations: dict[int, Relation] = {}  # of the entity that a relation leads to

    def grow(self, root: Entity) -> Thing:
        """The tree of one thing.

        Raises:
            NoWording: there are cycles, variable lengths, unknown types, odd conditions.
        """
        thing = self._node(root)
        for link in self._of(root):
            self.links.remove(link)
            self._follow(thing, link)
        for condition in self._about(root):
            self.conditions.remove(condition)
            self._condition(thing, condition)
        self._tidy(thing)
        return thing

    def finish(self) -> None:
        """See that nothing is left.

        Raises:
            NoWording: something is.
        """
        for condition in [c for c in self.conditions if isinstance(c, Same)]:
            self._set_apart(condition)
        if self.links or self.conditions or self.block.trails:
            raise NoWording("a part that hangs on nothing else")
        if self.block.optional:
            raise NoWording("an optional part")

    def _set_apart(self, same: Same) -> None:
        """Of two different things, one is said to be another: the one without a name, else the one
        that is not asked for."""
        pair = [thing for thing in self.things.values() if thing.entity in (same.one, same.two)]
        if same.ordered or len(pair) < 2 or all(thing.name for thing in pair):
            raise NoWording("a pair")
        near, far = pair  # in the order in which they were met
        other = near if far.name else far
        if other.apart is not None or not self._are_linked(near, far):
            raise NoWording("a pair")
        other.apart = Apart()
        self.conditions.remove(same)

    def _are_linked(self, near: Thing, far: Thing) -> bool:
        """Whether one is described by the other, with none but their like in between."""
        return any(
            r.other is far or (r.other.type == near.type and self._are_linked(r.other, far))
            for r in near.relations
        )

    def _node(self, entity: Entity) -> Thing:
        if id(entity) in self.things:
            raise NoWording("a cycle")
        if len(entity.types) != 1:
            raise NoWording("a thing of several types")
        thing = self.things[id(entity)] = Thing(entity.types[0], entity)
        return thing

    def _of(self, entity: Entity) -> list[Link]:
        return [link for link in self.links if entity in (link.left, link.right)]

    def _about(self, thing: Entity | Link) -> list[ir.Expr]:
        return [c for c in self.conditions if set(map(id, refs(c))) == {id(thing)}]

    def _follow(self, thing: Thing, link: Link) -> None:
        """A link becomes a relation; one to a junction goes on to what lies behind it."""
        if link.edge.hops is not None:
            thing.relations.append(self._chain(thing, link, link.edge.hops))
            return
        along, links, here = [thing.type], [link], link.other(thing.entity)
        along += self.step(thing.entity, link)
        tests: list[Test] = []
        while self._passes(here) and len(behind := self._of(here)) == 1:
            for condition in self._about(here):
                self.conditions.remove(condition)
                tests.append(self._plain(here.types[0], condition))
            link = behind[0]
            self.links.remove(link)
            links.append(link)
            along += self.step(here, link)
            here = link.other(here)
        for each in links:
            tests += self._of_link(each)
        relation = Relation(tuple(along), self.grow(here), tests=tests, link=links[0])
        relation.one = all(map(_to_one, links, _starts(thing.entity, links)))
        thing.relations.append(relation)
        self.relations[id(here)] = relation
        again = any(further.along == relation.along for further in relation.other.relations)
        if again and any(each.to_one for each in links):
            raise NoWording("two steps of a line", "Nobody asks for both steps of it.")
        self._back(relation, links[0])

    def _back(self, relation: Relation, link: Link) -> None:
        """Mark what leads back over another edge of the pattern: that is another thing."""
        for further in relation.other.relations:
            if further.along != turned(relation.along) or not isinstance(further.link, Link):
                continue
            words = self.lexicon.path(relation.along)
            unique = relation.one or (words is not None and bool(words.pairs_unique))
            if further.link.clause == link.clause:
                if not unique:
                    raise NoWording("what may lead back to itself")
                further.again = True

    def _chain(self, thing: Thing, link: Link, hops: ir.Hops) -> Relation:
        """A relation of things of one kind that is followed several times, from a named one or to
        those that are counted."""
        here = link.other(thing.entity)
        plain = replace(link.edge, hops=None)
        along = (thing.type, *self.step(thing.entity, replace(link, edge=plain)))
        if along[0] != along[-1] or self._of_link(link):
            raise NoWording("a path of variable length")
        other = self.grow(here)
        counted = id(here) in self.kept and other.bare
        if not (other.name or counted) or other.tests or other.relations:
            raise NoWording("a path of variable length")
        if not _is_said(hops, named=bool(other.name)):
            raise NoWording("a path of variable length", "Nobody counts the steps of a chain.")
        if counted and not other.name and _to_one(link, thing.entity):
            raise NoWording("a line of one each", "Nobody asks who has the most managers.")
        if link.to_one and hops.lo > 1:
            raise NoWording("two steps of a line", "Nobody asks for both steps of it.")
        words = self.lexicon.path(along)
        apart = any(
            isinstance(c, Same) and {c.one, c.two} <= {link.left, link.right}
            for c in self.conditions
        )
        if words is not None and words.symmetric and not apart:
            raise NoWording("a way back", "Nobody counts himself among his friends.")
        if (hops.lo, hops.hi) == (2, 2):  # "follows somebody who follows Ann"
            between = Thing(thing.type, Entity(link.left.types))
            between.relations.append(Relation(along, other, link=link))
            return Relation(along, between, link=link)
        return Relation(along, other, link=link, steps=Steps(hops.lo, hops.hi))

    def _passes(self, entity: Entity) -> bool:
        """Whether an entity is a junction that has no word of its own here."""
        words = self.lexicon.thing(entity.types[0]) if len(entity.types) == 1 else None
        return words is not None and words.junction and id(entity) not in self.kept

    def is_line(self, entity: Entity) -> bool:
        """Whether an entity is a line of a document, which nobody counts by itself."""
        return len(entity.types) == 1 and self.lexicon.is_line(entity.types[0])

    def step(self, start: Entity, link: Link) -> list[str]:
        """A link as a step of a path, with the type that it leads to.

        Raises:
            NoWording: it is of several types or lengths, or its direction is left open.
        """
        if link.edge.hops is not None:
            raise NoWording("a path of variable length")
        if link.edge.direction is ir.Direction.BOTH and len(set(_ends(link))) > 1:
            raise NoWording("a link in either direction")
        if not isinstance(link.edge.types, ir.LabelName):
            raise NoWording("a link of several types")
        other = link.other(start)
        if len(other.types) != 1:
            raise NoWording("a thing of several types")
        label = link.edge.types.name
        if link.edge.direction is ir.Direction.BOTH:
            words = self.lexicon.path((start.types[0], f"{label}>", other.types[0]))
            if words is None or not words.symmetric:
                raise NoWording("a link in either direction")
        return [f"{label}>" if link.source is start else f"<{label}", other.types[0]]

    def _of_link(self, link: Link) -> list[Test]:
        tests = []
        for condition in self._about(link):
            self.conditions.remove(condition)
            tests.append(self._plain(link.labels[0] if link.labels else "", condition))
        return tests

    # --- conditions ----------------------------------------------------------------------

    def _condition(self, thing: Thing, condition: ir.Expr) -> None:
        match condition:
            case Inner("exists", block):
                thing.relations.append(self._existing(thing, block, "some"))
            case ir.Not(Inner("exists", block)):
                thing.relations.append(self._existing(thing, block, "no"))
            case ir.Compare(op, Inner("count", block), value) if number := constant(value):
                relation = self._existing(thing, block, "count")
                relation.bound = Bound(OPS[op], number)
                thing.relations.append(relation)
            case ir.Bool(ir.BoolOp.OR, args):
                thing.tests.append(Either(tuple(self._plain(thing.type, arg) for arg in args)))
            case _:
                thing.tests.append(self._plain(thing.type, condition))

    def _existing(self, thing: Thing, block: Block, how: How) -> Relation:
        """What there is, or is not, beside a thing."""
        if block.optional or block.windowed or block.keys or block.previous or block.trails:
            raise NoWording("a subquery of several parts")
        inner = Forest(block, self.lexicon)
        subject = inner.grow(thing.entity)
        inner.finish()
        if len(subject.relations) != 1 or subject.tests or subject.name or subject.apart:
            raise NoWording("a subquery about two things")
        (relation,) = subject.relations
        relation.how = how
        return relation

    def _plain(self, owner: str, condition: ir.Expr) -> Test:
        """A test of one property."""
        match condition:
            case ir.Compare(op, ir.Prop(EntityRef() | LinkRef(), key), right):
                if value := constant(right):
                    return Test(owner, key, OPS[op], (value,))
            case ir.Compare(op, left, ir.Prop(EntityRef() | LinkRef(), key)):
                if value := constant(left):
                    return Test(owner, key, OPS[FLIPPED[op]], (value,))
            case ir.In(ir.Prop(EntityRef() | LinkRef(), key), ir.ListOf(items)):
                values = [value for item in items if (value := constant(item))]
                if len(values) == len(items):
                    return Test(owner, key, "in", tuple(values))
            case ir.IsNull(ir.Prop(EntityRef() | LinkRef(), key), negated):
                return Test(owner, key, "known" if negated else "null")
            case ir.Text(op, ir.Prop(EntityRef() | LinkRef(), key), right) if op in _TEXTS:
                if value := constant(right):
                    return Test(owner, key, _TEXTS[op], (value,))
            case ir.Prop(EntityRef() | LinkRef(), key):
                return Test(owner, key, "=", (Constant(True),))
            case ir.Not(ir.Prop(EntityRef() | LinkRef(), key)):
                return Test(owner, key, "=", (Constant(False),))
            case ir.Not(ir.Compare(op, left, right)):
                test = self._plain(owner, ir.Compare(OPPOSITE[op], left, right))
                return test
            case ir.Not(ir.In() as test):
                membership = self._plain(owner, test)
                membership.op = "not in"
                return membership
        raise NoWording(f"the condition {type(condition).__name__}")

    def _tidy(self, thing: Thing) -> None:
        """Two bounds of one property are a range; what names the thing is its name."""
        words = self.lexicon.thing(thing.type)
        kept: list[Test | Either] = []
        for test in thing.tests:
            other = _other_bound(test, kept)
            if other is not None and isinstance(test, Test):
                kept.remove(other)
                kept.append(_range(other, test))
            else:
                kept.append(test)
        names = words.name if words is not None else ()
        naming = [t for t in kept if isinstance(t, Test) and t.op == "=" and t.key in names]
        if not naming or len(naming) < len(names):
            naming = [t for t in kept if isinstance(t, Test) and t.op == "=" and self._tells(t)]
        thing.name = naming
        thing.tests = [test for test in kept if test not in naming]

    def _tells(self, test: Test) -> bool:
        words = self.lexicon.property(test.owner, test.key)
        return words is not None and words.kind in (Role.CODE, Role.KEY)


def _is_said(hops: ir.Hops, *, named: bool) -> bool:
    """Whether people say how long such a chain is: "directly or indirectly", "a friend of a
    friend", from a named one "directly or through one other"; more steps they do not count."""
    return (hops.lo, hops.hi) in {(1, None), (2, 2)} or (named and (hops.lo, hops.hi) == (1, 2))


def _to_one(link: Link, start: Entity) -> bool:
    return link.to_one and link.source is start


def _starts(first: Entity, links: Iterable[Link]) -> list[Entity]:
    entities = [first]
    for link in links:
        entities.append(link.other(entities[-1]))
    return entities[:-1]


def _ends(link: Link) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return link.left.types, link.right.types


_LOW: dict[Op, bool] = {">=": True, ">": False}


def _other_bound(test: Test | Either, known: list[Test | Either]) -> Test | None:
    if not isinstance(test, Test) or test.op not in ("<", "<=", ">", ">="):
        return None
    for other in known:
        if not isinstance(other, Test) or (other.owner, other.key) != (test.owner, test.key):
            continue
        if {test.op, other.op} in ({">=", "<="}, {">=", "<"}):
            return other
    return None


def _range(one: Test, two: Test) -> Test:
    low, high = (one, two) if one.op in _LOW else (two, one)
    op: Op = "between" if high.op == "<=" else "period"
    return Test(one.owner, one.key, op, (*low.values, *high.values))
