"""Conditions as modifiers of a noun: "coastal", "of the genre …", "with more than …"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from generators.questions.lexicon.properties import PropertyWords
from generators.questions.plan.model import Entity, EntityRef, Link, LinkRef, Range, Scalar
from generators.questions.plan.terms import amount_of, flag
from generators.questions.plan.wording import (
    ABOVE,
    FLIPPED,
    MORE,
    OPPOSITE,
    Constant,
    between,
    constant,
    unfolded,
)
from generators.questions.realise.expressions import Speech
from generators.questions.realise.modifiers import INSIDE, later
from graph_ir import nodes as ir
from graph_ir.values import whole_period
from graphmill.english.inflection import a, listing
from graphmill.english.lists import word_set
from schemagraph.naming import singular

_DAY = {
    ir.CompareOp.EQ: "on {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "on or after {}",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "on or before {}",
}
_YEAR = {
    ir.CompareOp.EQ: "in {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "in {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "in {} or earlier",
}
_HOUR = {
    ir.CompareOp.EQ: "at {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "at {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "at {} or earlier",
}
_DATED = {
    ir.CompareOp.EQ: "of {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "of {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "of {} or earlier",
}


_NESTED = re.compile(r" (?:with|without|whose|who|that|which|whom) ")
_THING = re.compile(r"\w+ (?:an?|the|this|one of|another|some) ")
_CLAUSE = re.compile(r"\b(?:whose|who|that|which|whom)\b")


@dataclass
class Mods:
    """Modifiers by the place where they stand.

    `head` replaces the noun ("teachers" for artists); `name` is a value in quotation marks;
    `having` and `without` are what follows "with" and "without"; `own_late` are clauses about
    the thing's own properties, `late` about what it is linked to; `aside` is what is said in
    brackets of the link that leads to it. `things` are those of what it has or lacks that
    are things, not properties.
    """

    head: str = ""
    before: list[str] = field(default_factory=list)
    name: str = ""
    of: list[str] = field(default_factory=list)
    place: str = ""
    area: str = ""
    doing: list[str] = field(default_factory=list)
    having: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    own_late: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    who: str = "that"
    many: bool = True
    aside: str = ""
    things: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.name or self.place or self.beyond_name())

    def beyond_name(self) -> bool:
        """Whether there is more than a name."""
        return bool(self.place or self.beyond_place())

    def beyond_place(self) -> bool:
        """Whether there is more than a name and a place."""
        rest = (self.before, self.of, self.doing, self.having, self.without)
        late = self.own_late or self.late
        return bool(self.head or late) or any(rest)

    def text(self) -> str:
        """What follows the noun.

        Where clauses could be taken for those of the wrong thing, all is said in relative
        clauses, the thing's own first: "whose price is … and that have a loan whose …".
        """
        self._apart()
        self.own_late.sort(key=lambda text: "for wh" in text[:8] and " either " in text)
        owners = [text for text in self.of if text in self.things]
        if owners and (self.name or any(text in self.things for text in linked_of(self))):
            self.of = [text for text in self.of if text not in owners]
            belong = f"{self.who} {'belong' if self.many else 'belongs'} to"
            self.late[:0] = [f"{belong} {text.removeprefix('of ')}" for text in owners]
        said = [f"called {self.name}" if self.name else "", " and ".join(self.of), self.place]
        said.append(listing(self.doing))
        linked = linked_of(self)
        self.having.sort(key=lambda text: (text in self.things, later(text)))
        nested_late = bool(self.things) or any(_CLAUSE.search(text) for text in linked)
        if (self.own_late and linked) or (self.late and linked and nested_late):
            have = f"{self.who} {'have' if self.many else 'has'}"
            open_ended = [text for text in self.own_late if " either " in text]
            open_ended += [text for text in self.own_late if INSIDE.match(text)]
            clauses = [text for text in self.own_late if text not in open_ended]
            if self.having:
                clauses.append(f"{have} {listing(self.having)}")
            if self.without:
                without = [text.removeprefix("any ") for text in self.without]
                clauses.append(f"{have} no {listing(without, 'or')}")
            said.append(listing([*clauses, *open_ended, *self.late]))
            return " ".join(filter(None, said))
        nested = [text for text in self.having if _NESTED.search(text)]
        deep = any(text.count(" with ") > 1 for text in nested)
        if len(nested) > 1 or (nested and (deep or self.without or self.late or self.own_late)):
            have = f"{self.who} {'have' if self.many else 'has'}"
            flat = [text for text in self.having if text not in nested]
            said.append(f"with {listing(flat)}" if flat else "")
            clauses = [*self.own_late, *(f"{have} {text}" for text in nested)]
            without = [text.removeprefix("any ") for text in self.without]
            clauses += [f"{have} no {listing(without, 'or')}"] if without else []
            said.append(listing([*clauses, *self.late]))
            return " ".join(filter(None, said))
        joint = "and " if self.having and self.without else ""
        having = [*(text for text in self.having if text not in nested), *nested]
        said.append(f"with {listing(having)}" if having else "")
        said.append(f"{joint}without {listing(self.without, 'or')}" if self.without else "")
        said.append(listing([*self.own_late, *self.late]))
        return " ".join(filter(None, said))

    def own(self, text: str) -> None:
        """Add a thing that it has."""
        self.having.append(text)
        self.things.append(text)

    def _apart(self) -> None:
        """Give a place that is a thing of its own a clause, where modifiers could seem its."""
        more = self.doing or self.having or self.without or self.own_late or self.late
        if more and _THING.match(self.place):
            self.late.insert(0, f"{self.who} {'are' if self.many else 'is'} {self.place}")
            self.place = ""


def linked_of(mods: Mods) -> list[str]:
    """What it has and lacks."""
    return [*mods.having, *mods.without]


def quoted(name: str) -> str:
    """A name without its quotation marks."""
    return name[1:-1] if name.startswith('"') and name.endswith('"') else name


def add_condition(
    mods: Mods, test: ir.Expr, thing: Entity | Link, speech: Speech, *, negated: bool
) -> bool:
    """Add one condition on one thing as a modifier; False where there is no short way."""
    match test:
        case ir.Compare(op, left, right):
            return _compared(mods, OPPOSITE[op] if negated else op, left, right, thing, speech)
        case ir.In(item, ir.ListOf(options)) if not negated:
            words = speech.of(item)
            values = [constant(option) for option in options]
            if words is None or any(v is None or isinstance(v.value, bool) for v in values):
                return False
            found = [v for v in values if v is not None]
            place = words.place and all(_proper(v) for v in found)
            texts = [v.text(words, bare=place) for v in found]
            _equal(mods, words, listing(texts, "or"), place=place)
            return True
        case Range(subject=subject, lo=lo, hi=hi) if not negated:
            ends = (constant(lo), constant(hi))
            return _between(mods, speech.of(subject), ends, thing, open=test.open)
        case ir.Text(op, left, right) if not negated and op is not ir.TextOp.REGEX:
            words, value = speech.of(left), constant(right)
            if words is None or value is None:
                return False
            folded = " (ignoring case)" if unfolded(left)[1] else ""
            mods.having.append(f"{_text(op, words, value)}{folded}")
            return True
        case ir.IsNull(arg, known):
            words = speech.of(arg)
            if words is None:
                return False
            noun = amount_of(words)
            own = noun
            if isinstance(arg, ir.Prop) and isinstance(thing, Entity):
                noun = speech.words.referred(thing.types, arg.key) or noun
            if known is not negated:
                mods.having.append(a(noun) if noun != own else a(f"known {noun}"))
            else:
                mods.having.append(f"no {noun}" if noun != own else f"no known {noun}")
            return True
        case ir.Prop():
            words = speech.of(test)
            if words is not None:
                _flag(mods, words, truth=not negated)
                return True
    return False


def _compared(
    mods: Mods,
    op: ir.CompareOp,
    left: ir.Expr,
    right: ir.Expr,
    thing: Entity | Link,
    speech: Speech,
) -> bool:
    if constant(left) is not None:
        left, right, op = right, left, FLIPPED[op]
    words = speech.of(left)
    value = constant(unfolded(right)[0])
    inner, folded = unfolded(left)
    if words is None or not isinstance(inner, ir.Prop) or folded:
        return False
    if not isinstance(inner.base, EntityRef | LinkRef):
        return False
    if value is None:
        return _average(mods, op, inner, right, words, thing)
    if isinstance(value.value, bool):
        if op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
            return False
        _flag(mods, words, truth=value.value is (op is ir.CompareOp.EQ))
        return True
    said = value.text(words)
    if words.verb is not None:
        table = _YEAR if words.year else _HOUR if _clock(value) else _DAY
        if op in table:
            _happening(mods, words, table[op].format(said), thing)
            return True
    if op is ir.CompareOp.EQ and isinstance(value.value, str) and not value.moment:
        place = words.place and _proper(value)
        _equal(mods, words, value.text(words, bare=True) if place else said, place=place)
        return True
    if words.numeric or words.year or words.temporal or words.reference or words.clock:
        return _measured(mods, op, words, said)
    return False


def _clock(value: Constant) -> bool:
    return value.moment in ("time", "localtime") or " " in value.text()


def _happening(mods: Mods, words: PropertyWords, when: str, thing: Entity | Link) -> None:
    """ "hired after …", "opening on …", "who died in …"."""
    verb = words.verb
    assert verb is not None  # noqa: S101 - the caller asks
    if not words.active and verb.base in word_set("of_itself"):
        mods.own_late.append(f"{mods.who} {verb.past} {when}")
    else:
        mods.doing.append(f"{verb.gerund if words.active else verb.participle} {when}")


def _between(
    mods: Mods,
    words: PropertyWords | None,
    ends_: tuple[Constant | None, Constant | None],
    thing: Entity | Link,
    *,
    open: bool,
) -> bool:
    lo, hi = ends_
    if words is None or lo is None or hi is None:
        return False
    ends = between(lo.text(words), hi.text(words))
    if open:
        whole = whole_period(lo.text(words), hi.text(words))
        ends = f"in {whole}" if whole else f"from {lo.text(words)} until before {hi.text(words)}"
        if not whole and words.noun.endswith(" from"):
            ends = f"on or after {lo.text(words)} and before {hi.text(words)}"
    if words.verb is not None:
        _happening(mods, words, ends, thing)
    elif words.plural and words.numeric and not words.unit:
        mods.having.append(f"{ends} {words.noun}")
    else:
        mods.having.append(f"{a(words.noun)} {ends}")
    return True


def _proper(value: Constant) -> bool:
    """Whether a value is a name, as places have: not the area "administrative"."""
    return not str(value.value)[:1].islower()


def _equal(mods: Mods, words: PropertyWords, said: str, *, place: bool = False) -> None:
    if words.identity and not mods.name:
        mods.name = said
    elif place and not mods.place:
        mods.place, mods.area = f"in {said}", words.noun
    elif words.noun.split()[-1] in word_set("kinds"):
        mods.of.append(f"of the {words.noun} {said}")
    else:
        mods.having.append(f"the {words.noun} {said}")


def _flag(mods: Mods, words: PropertyWords, *, truth: bool) -> None:
    if words.adjective and truth and " " not in words.adjective:
        mods.before.append(words.adjective)
    elif words.adjective or words.does:
        mods.own_late.append(f"{mods.who} {flag(words, truth=truth, many=mods.many)}")
    else:
        mods.having.append(a(words.noun) if truth else f"no {words.noun}")


def _average(
    mods: Mods,
    op: ir.CompareOp,
    left: ir.Prop,
    right: ir.Expr,
    words: PropertyWords,
    thing: Entity | Link,
) -> bool:
    """ "with above-average fees", where all of the same kind are averaged."""
    match right:
        case Scalar(block=block, expr=ir.Agg("avg", (ir.Prop(EntityRef(entity=other), key),))):
            whole = not block.conditions and not block.links and len(block.entities) == 1
            alike = isinstance(thing, Entity) and other.types == thing.types and key == left.key
            if not whole or not alike or op not in (ir.CompareOp.GT, ir.CompareOp.LT):
                return False
            way = "above" if op is ir.CompareOp.GT else "below"
            mods.having.append(a(f"{way}-average {amount_of(words)}"))
            return True
    return False


def _measured(mods: Mods, op: ir.CompareOp, words: PropertyWords, said: str) -> bool:
    if words.noun == "floor" and op is ir.CompareOp.EQ:
        mods.of.append(f"on floor {said}")
    elif words.plural and words.numeric and not words.unit:
        noun = singular(words.noun) if said == "1" and " " not in words.noun else words.noun
        mods.having.append(f"{MORE[op]} {said} {noun}")
    elif words.reference:
        if op is ir.CompareOp.EQ:
            mods.having.append(f"{words.noun} {said}")
        else:
            mods.having.append(f"{a(words.noun)} {ABOVE[op].format(said)}")
    elif words.temporal or words.year or words.clock:
        if op not in _DATED:
            return False
        mods.having.append(f"{a(words.noun)} {_DATED[op].format(said)}")
    else:
        mods.having.append(f"{a(words.noun)} {ABOVE[op].format(said)}")
    return True


def _text(op: ir.TextOp, words: PropertyWords, value: Constant) -> str:
    if op is ir.TextOp.CONTAINS:
        return f"{value.text()} in the {words.noun}"
    verb = "starting with" if op is ir.TextOp.STARTS else "ending in"
    return f"{a(words.noun)} {verb} {value.text()}"
