"""What groups are measured by, and how it hangs together with them."""

from __future__ import annotations

from collections.abc import Callable

from generators.questions.lexicon.properties import PropertyWords
from generators.questions.lexicon.relations import Predicate
from generators.questions.plan.model import Entity, EntityRef, Link, LinkRef
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.english.inflection import within


def valued(expr: ir.Expr, link: Link) -> bool:
    """Whether a property of the link is measured."""
    return any(p.base.link is link for p in find(expr, ir.Prop) if isinstance(p.base, LinkRef))


def simple(condition: ir.Expr) -> bool:
    """Whether a filter on groups compares an aggregate with a number."""
    match condition:
        case ir.Compare(_, ir.Agg() as agg, ir.Literal(int() | float())):
            return agg.name != "collect"
        case ir.Compare(_, ir.Literal(int()), ir.Agg("count")):
            return True
    return False


def between(way: list[Link], key: Entity, thing: Entity) -> list[Entity]:
    """The things on the way from a group to what is measured in it."""
    found: list[Entity] = []
    here = key
    for link in way:
        here = link.other(here)
        if here is not thing:
            found.append(here)
    return found


_THAN = {
    ir.CompareOp.GT: "more {} than",
    ir.CompareOp.LT: "fewer {} than",
    ir.CompareOp.GE: "at least as many {} as",
    ir.CompareOp.LE: "at most as many {} as",
    ir.CompareOp.EQ: "exactly as many {} as",
}


def outnumbers(
    op: ir.CompareOp, left: ir.Expr, right: ir.Expr, of: Callable[[ir.Expr], PropertyWords | None]
) -> str:
    """ "the employer has more employees than the other employer", where that says it, or "".

    `of` finds the words of a property.
    """
    match left, right:
        case ir.Prop(EntityRef(entity=one)), ir.Prop(EntityRef(entity=two)) if op in _THAN:
            words, other = of(left), of(right)
            if words is None or other is None or words.noun != other.noun:
                return ""
            if words.plural and words.numeric and not words.unit and not within(words.noun):
                said = _THAN[op].format(words.noun)
                return f"the {one.name or one.noun} has {said} the {two.name or two.noun}"
    return ""


WAY = 3  # links between what is grouped and what is measured
THINGS_ROOM = 10  # words of what is measured before "per"


def long_things(things: str) -> bool:
    """Whether what is measured has so much after it that "per genre" could be taken for its."""
    return "average" in things or len(things.split()) > THINGS_ROOM


class Pair:
    """Both sides of a grouping: the grouped thing and the measured thing, described."""

    def __init__(self, key: str, key_one: str, things: str, thing: str, verb: Predicate) -> None:
        self.key = key
        self.key_one = key_one
        self.things = things
        self.thing = thing
        self.verb = verb

    def bounded(self, bound: str) -> str:
        """ "more than five loans", "more than one loan"."""
        one = bound.rpartition(" ")[2] == "one"
        return f"{bound} {self.thing if one else self.things}"
