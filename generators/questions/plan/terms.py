"""The smallest pieces of speech: what is counted, measured, or so or not so."""

from __future__ import annotations

from generators.questions.author import NotExpressible
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.plan.model import (
    Derived,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    TrailRef,
)
from generators.questions.plan.wording import Constant
from graph_ir import nodes as ir
from graphmill.english.inflection import a, plural

AGGREGATES = {
    "sum": "total",
    "avg": "average",
    "min": "lowest",
    "max": "highest",
    "stDev": "standard deviation of the",
    "stDevP": "standard deviation of the",
}
# What stands where in an ISO date.
DATE_PARTS: dict[tuple[object, object], str] = {
    (0, 4): "year",
    (0, 7): "year and month",
    (5, 2): "month",
    (8, 2): "day",
}


def date_part(words: PropertyWords | None, start: object, length: Constant | None) -> str:
    """What a piece of an ISO date is: its year, its month; "" where it is none."""
    if words is None or not words.temporal or length is None:
        return ""
    return DATE_PARTS.get((start, length.value), "")


SHIFTS = {ir.ArithOp.ADD: "after", ir.ArithOp.SUB: "before"}
SHIFTED = {
    ir.CompareOp.GT: "later than {}",
    ir.CompareOp.GE: "no earlier than {}",
    ir.CompareOp.LT: "earlier than {}",
    ir.CompareOp.LE: "no later than {}",
}
TIMELY = {"min": "earliest", "max": "latest"}
ALPHABETIC = {"min": "alphabetically first", "max": "alphabetically last"}


def gathers(call: ir.Call) -> bool:
    """Whether a function is asked of a list or a path, not of a text."""
    match call.args:
        case (ir.Agg("collect") | ir.Call("nodes" | "relationships") | TrailRef(),):
            return True
        case (Derived(expr=ir.Agg("collect")) | Inner(kind="collect") | ir.ListComp(),):
            return True
    return call.name in ("head", "last")


def flag(words: PropertyWords, *, truth: bool, many: bool) -> str:
    """The verb phrase of a boolean property: "are vegan", "are smokers", "have a pool"."""
    if words.does is not None:
        one, several = words.does
        if truth:
            return several if many else one
        return f"{'do' if many else 'does'} not {several}"
    if words.adjective:
        what = words.adjective
        if many and what == a(words.noun):
            what = plural(words.noun)
        return f"{'are' if many else 'is'} {'' if truth else 'not '}{what}"
    have = "have" if many else "has"
    return f"{have} {a(words.noun) if truth else f'no {words.noun}'}"


def thing_of(base: ir.Expr) -> Entity | Link:
    """The thing whose property it is.

    Raises:
        NotExpressible: it is computed.
    """
    match base:
        case EntityRef(entity=entity):
            return entity
        case LinkRef(link=link):
            return link
    raise NotExpressible("property of an expression")


def amount_of(words: PropertyWords) -> str:
    """ "number of visitors" for visitors, whose values are numbers."""
    many = words.plural and words.numeric and not words.unit
    return f"number of {words.noun}" if many else words.noun


def many_of(thing: Entity | Link) -> str:
    """The things of that kind."""
    return plural(thing.name)


def ranging_over(name: str) -> str:
    """What an aggregate is called before what it ranges over."""
    return {"min": "minimum", "max": "maximum"}.get(name, AGGREGATES[name].removesuffix(" of the"))


def joined(op: ir.ArithOp, one: str, two: str) -> str:
    """Two figures and what is made of them: "A plus B".

    Raises:
        NotExpressible: the operator has no words.
    """
    said = {
        ir.ArithOp.ADD: "plus",
        ir.ArithOp.SUB: "minus",
        ir.ArithOp.MUL: "times",
        ir.ArithOp.DIV: "divided by",
    }
    if op not in said:
        raise NotExpressible("arithmetic on a subquery")
    return f"{one} {said[op]} {two}"
