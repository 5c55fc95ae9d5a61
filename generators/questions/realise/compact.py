"""Entities with their restrictions in few words, the way from one to the other left out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.relations import Predicate
from generators.questions.plan.cardinality import single
from generators.questions.plan.model import Block, Entity, Inner, Link, Same, refs
from generators.questions.plan.naming import another, introduced, mentioned
from generators.questions.realise.modifiers import (
    MARKS,
    VERB,
    aside,
    crowded,
    denied,
    fill,
    gathers,
    in_turn,
    later,
    relative,
)
from generators.questions.realise.mods import Mods, add_condition, quoted
from generators.questions.realise.noun_phrases import DEEP, Teller
from graph_ir import nodes as ir
from graphmill.english.inflection import a, listing, plural
from graphmill.english.lists import word_set

# Predicates that say no more than that two things belong together.
_GENERIC = re.compile(r"(?:has|belongs to) \{\}$")
_THERE = re.compile(r"is (in|at|on|within|inside|under|near|for) \{\}$")
_PLACE = re.compile(r"in (?!an? |another )")  # what is said of a thing by that of another
_WITH = re.compile(r" (?:with|without) ")
_HAS_AS = re.compile(r"has \{\} as (?:an? )?(.+)$")
_KINDS = frozenset({"kind", "type", "form", "part", "version"})  # they are no nouns of their own
_IS_OF = re.compile(r"is (?:the|an?) ([^,]+) of \{\}$")


@dataclass
class Compact(Teller):
    """Describes with modifiers instead of relative clauses.

    `notes` are the ways that were left out, as sentences; `spoken` are entities that the rest of
    the sentence names anyway.
    """

    brief: ClassVar[bool] = True
    notes: list[str] = field(default_factory=list)
    spoken: list[Entity] = field(default_factory=list)

    def describe(self, entity: Entity, det: str) -> str:
        """The entity with its modifiers."""
        if self.is_known(entity):
            return self.speech.the(entity)
        return " ".join(filter(None, self.parts(entity, det)))

    def parts(self, entity: Entity, det: str) -> tuple[str, str]:
        """The noun with what stands before it, and what follows."""
        self.known.append(entity)
        self.depth += 1
        mods = self.modifiers(entity, many=self.many(entity, det))
        self.depth -= 1
        return self.dressed(entity, mods, det)

    def dressed(self, entity: Entity, mods: Mods, det: str) -> tuple[str, str]:
        """The noun with modifiers: "coastal cities", "with more than …"."""
        many = det in ("plural", "all")
        noun = mods.head or entity.noun
        noun = plural(noun) if many else noun
        if any(entity is one for one in self.block.carried):
            these = {
                "plural": "these",
                "all": "all of these",
                "a": "one of these",
                "bare": "one of these",
            }
            if single(self.block):
                return " ".join(["this", *mods.before, mods.head or entity.noun]), mods.text()
            noun = " ".join([*mods.before, plural(mods.head or entity.noun)])
            return f"{these.get(det, f'{det} of these')} {noun}", mods.text()
        bare = " ".join([*mods.before, noun])
        other = introduced(entity) != entity.noun
        if other and det == "a":
            bare = f"{introduced(entity).removesuffix(entity.noun)}{bare}"
        elif det == "a":
            bare = a(bare)
        elif det in ("no", "bare") and another(entity, self.block):
            bare = f"{'no ' if det == 'no' else ''}other {bare}"
        elif det != "plural" and det != "bare":
            bare = f"{det} {bare}"
        return bare + mods.aside, mods.text()

    def text(self, entity: Entity, mods: Mods, det: str) -> str:
        """The same in one piece."""
        return " ".join(filter(None, self.dressed(entity, mods, det)))

    # --- modifiers -----------------------------------------------------------------------

    def modifiers(self, entity: Entity, *, many: bool) -> Mods:
        """All restrictions of the entity, links included."""
        mods = Mods(who=self.who(entity), many=many)
        outer, self.speech.here = self.speech.here, entity
        for condition in list(self.open_conditions):
            about = [thing for thing in refs(condition) if not self._is_settled(thing, entity)]
            if about or not any(thing is entity for thing in refs(condition)):
                continue
            if isinstance(condition, Same) or gathers(condition):
                continue
            self._close(condition)
            self._add(mods, condition, entity, many=many)
        self.speech.here = outer
        self._place_note(mods, entity)
        for link in self._links_of(entity):
            if any(link is other for other in self.open_links):
                self._follow(mods, entity, link, many=many)
        mods.late = in_turn(sorted(mods.late, key=lambda text: (crowded(text), later(text))))
        return mods

    def _place_note(self, mods: Mods, entity: Entity) -> None:
        """Say which place is meant, where a thing has several."""
        if mods.area and len(self.words.places(entity.types)) > 1:
            its = "their" if is_person(entity.noun) else "its"
            note = f"the place of {a(entity.noun)} is {its} {mods.area}"
            if note not in self.notes:
                self.notes.append(note)

    def _add(self, mods: Mods, condition: ir.Expr, entity: Entity, *, many: bool) -> None:
        """One condition as a modifier, as a relative clause where there is no shorter way."""
        negated, test = False, condition
        while isinstance(test, ir.Not):
            negated, test = not negated, test.arg
        if isinstance(test, Inner) and test.kind == "exists":
            self._existing(mods, test.block, entity, negated=negated, many=many)
            return
        if add_condition(mods, test, entity, self.speech, negated=negated):
            return
        said = self._attribute(condition, entity, many=many)
        who = f"{self.who(entity)} " if said.startswith(VERB) else ""
        mods.own_late.append(f"{who}{said.lstrip(MARKS)}")

    # --- links ---------------------------------------------------------------------------

    def _follow(self, mods: Mods, entity: Entity, link: Link, *, many: bool) -> None:
        """What a link adds: a place, a name, a thing with modifiers of its own."""
        shared = self._shared(entity, link)
        self.open_links = [k for k in self.open_links if k is not link]
        other = link.other(entity)
        predicate = self.predicate(link, entity)
        who = self.who(entity)
        if shared:
            sharer = self._sharer(entity, link)
            said = shared.verb(plural=many).format(self.describe(sharer, "a"))
            mods.late.append(f"{who} {said}")
            return
        if self.is_known(other):
            mods.late.append(_clause(predicate, self.speech.the(other), entity, who, many=many))
            return
        if self.depth >= DEEP:
            self.open_links.append(link)  # said by `rest`
            return
        self.known.append(other)
        if predicate.relative and self._long(other):
            other.vague = False  # `rest` comes back to it
            mods.late.append(_clause(predicate, self.head(other, "a"), entity, who, many=many))
            return
        self.depth += 1
        more = self.modifiers(other, many=False)
        self.depth -= 1
        more.aside = aside(link, apart=self._told_apart(link))
        remarks = self._remarks(link)
        more.aside = f"{more.aside}{remarks}".replace(") (", ", ")
        leads = link.functional and entity is link.source
        carried = any(other is e for e in self.block.carried)
        spoken = any(other is e for e in self.spoken) and not carried
        spoken = spoken and self.words.alone(link.labels)
        spoken = spoken and sum(e.noun == other.noun for e in self.block.every_entity()) == 1
        form = predicate.singular
        optional = any(other in (k.left, k.right) for p in self.block.optional for k in p.links)
        bare = leads and not more and not remarks and spoken and not optional
        if bare and self._left_out(other, form):
            return
        role = role_of(predicate)
        if role and not other.vague and other.name not in (other.noun, role):
            said = fill(predicate, self.text(other, more, "a"), link, entity, many=many)
            mods.late.append(f"{who} {said}")  # "the other artist" is spoken of again
        elif role:
            mods.own(self._in_role(other, more, role))
        elif mine := own_role(predicate):
            alone = not mods and not self._links_of(entity)
            alone = alone and mine not in _KINDS and not mentioned(self.block, entity)
            if alone and other.noun == entity.noun and not remarks:
                mods.head, entity.vague = mine, True  # nothing comes back to it
                mods.of.append(f"of {self._definite(other, more)}")
                return
            said = self._definite(other, more)
            mods.late.append(_clause(predicate, said, entity, who, many=many))
        elif there := _THERE.match(form):
            self._located(mods, entity, other, more, there[1])
        elif _GENERIC.match(form) and carried:
            said = self._definite(other, more)
            mods.late.append(_clause(predicate, said, entity, who, many=many))
        elif _GENERIC.match(form) and not (form.startswith("belongs") and who == "who"):
            only = link.functional and entity is link.source
            if not self._lent(mods, entity, other, more, form, only=only):
                the = only and other.noun.split()[-1] in word_set("held")
                said = self._definite(other, more) if the else self.text(other, more, "a")
                mods.own(said)
        else:
            said = self._definite(other, more)
            mods.late.append(_clause(predicate, said, entity, who, many=many))

    def _told_apart(self, link: Link) -> bool:
        """Whether more is said of links with this name than what `_remarks` says of each."""
        block = self.block
        exprs = [c for c in block.conditions if len({id(thing) for thing in refs(c)}) > 1]
        exprs += [*block.having, *(block.keys or ()), *(item.expr for item in block.items)]
        exprs += [key.expr for key in block.order]
        spoken = [thing for expr in exprs for thing in refs(expr) if isinstance(thing, Link)]
        return any(thing.words.noun == link.words.noun for thing in spoken)

    def _left_out(self, other: Entity, form: str) -> bool:
        """Whether a link need not be said where results name its end; a role names it, too."""
        if found := _HAS_AS.match(form):
            return self._takes_role(other, found[1])
        return bool(_GENERIC.match(form) or _THERE.match(form))

    def _takes_role(self, other: Entity, role: str) -> bool:
        """Whether what a role introduces can go by it from here on: "the guide's full name"."""
        taken = {entity.name for entity in self.block.every_entity()}
        if role not in taken and other.name == other.noun:
            other.name = role
        return other.name == role

    def _definite(self, other: Entity, more: Mods) -> str:
        """ "the movie "Up"" where it has a name, else "a movie with …"."""
        if more.name and not more.beyond_name() and not self._one_apart(other):
            return f"the {other.noun} {more.name}{more.aside}"
        return self.text(other, more, "a")

    def _one_apart(self, other: Entity) -> bool:
        """Whether it is another one than the thing asked for, which its name does not say."""
        plain = next((e for e in self.block.every_entity() if e.name == other.noun), None)
        if plain is None or introduced(other) == other.noun:
            return False
        return not any(
            isinstance(c, ir.Compare)
            and c.op is ir.CompareOp.EQ
            and isinstance(c.left, ir.Prop)
            and any(thing is plain for thing in refs(c))
            and (words := self.speech.of(c.left)) is not None
            and words.identity
            for c in self.block.conditions
        )

    def _in_role(self, other: Entity, more: Mods, role: str) -> str:
        """ "a birth city in Norway", ""Elbe Gallery" as lender"."""
        if more.name and not more.beyond_name() and not self._one_apart(other):
            return f"{more.name} as {role}{more.aside}"
        if not more.head and not other.noun.endswith(f" {role}"):
            more.head = role
            self._takes_role(other, role)
        return self.text(other, more, "a")

    def _located(
        self, mods: Mods, entity: Entity, other: Entity, more: Mods, preposition: str
    ) -> None:
        """Something in a place: "in Bergen", "in Norway", "in a coastal city"."""
        if self._lent(mods, entity, other, more, "", only=True):
            return
        said = f"{preposition} {self._definite(other, more)}"
        if more.name and not more.beyond_name() and other.noun.split()[-1] in word_set("places"):
            said = f"{preposition} {quoted(more.name)}"
        if _WITH.search(said):
            mods.late.append(f"{self.who(entity)} {'are' if mods.many else 'is'} {said}")
            return
        mods.place = f"{mods.place} {said}".strip()

    def _lent(
        self, mods: Mods, entity: Entity, other: Entity, more: Mods, form: str, *, only: bool
    ) -> bool:
        """Modifiers of the other end that can be said of the entity itself.

        `only`: the entity has just one such end, so that its place is the entity's place.
        """
        if self.words.places(entity.types):
            only = False  # it has a place of its own
        simple = bool(_PLACE.match(more.place)) and not more.aside
        if only and simple and not more.name and not more.beyond_place() and not mods.place:
            its = "their" if is_person(entity.noun) else "its"
            note = f"{a(entity.noun)} is where {its} {other.noun} is"
            if more.area:
                note = f"the {more.area} of {a(entity.noun)} is that of {its} {other.noun}"
            if note not in self.notes:
                self.notes.append(note)
            mods.place, mods.area = more.place, more.area
            return True
        of = form.startswith(("belongs to", "is part of")) or form == "has {}"
        if of and more.name and not more.beyond_name() and form:
            kind = other.noun in word_set("kinds_of_things") and self.who(entity) == "that"
            if kind or not form.startswith("has"):
                mods.of.append(f"of the {other.noun} {more.name}")
                mods.things.append(mods.of[-1])
                return True
        return False

    def _remarks(self, link: Link) -> str:
        """Conditions on the link itself, in brackets: " (with the role "assistant")"."""
        own = [c for c in self.open_conditions if all(thing is link for thing in refs(c))]
        own = [c for c in own if any(True for _ in refs(c))]
        if not own:
            return ""
        mods, late = Mods(), []
        for condition in own:
            self._close(condition)
            if not add_condition(mods, condition, link, self.speech, negated=False):
                late.append(self.speech.clause(condition))
        rest = [*mods.of, mods.place, *mods.doing, *mods.having, *mods.own_late]
        plain = [re.sub(r"^(?:of the|the|an?) ", "", text) for text in rest if text]
        plain = [re.sub(r"^(\w+) of (?=\d)", r"\1 ", text) for text in plain]
        said = [*mods.before, *plain, *late]
        return f" ({', '.join(said)})"

    def _existing(
        self, mods: Mods, inner: Block, entity: Entity, *, negated: bool, many: bool
    ) -> None:
        """EXISTS: "with at least one tour …", "without any loan as lender"."""
        teller = self.inside(inner, [e for e in self.known if e is not entity])
        links = [k for k in inner.links if entity in (k.left, k.right)]
        if len(links) != 1 or inner.optional or inner.keys:
            raise NotExpressible("a subquery that is not one link")
        (link,) = links
        if any(all(r is entity for r in refs(c)) for c in teller.open_conditions):
            raise NotExpressible("a subquery with conditions on the outside")
        teller.open_links = [k for k in teller.open_links if k is not link]
        other = link.other(entity)
        teller.known += [entity, other]
        more = teller.modifiers(other, many=False)
        more.aside += teller._remarks(link)
        rest = teller.rest()
        self.notes += teller.notes
        predicate = self.predicate(link, entity)
        role = role_of(predicate)
        generic = bool(_GENERIC.match(predicate.singular) or role)
        where = f" where {listing(rest)}" if rest else ""
        if not generic:
            det = "no" if negated else "a"
            said = f"{teller.text(other, more, det)}{where}"
            mods.late.append(_clause(predicate, said, entity, self.who(entity), many=many))
            return
        if role:
            more.head = more.head or ("" if other.noun.endswith(f" {role}") else role)
        said = f"{teller.text(other, more, 'bare')}{where}"
        if negated:
            mods.without.append(f"any {said}")
            mods.things.append(f"any {said}")
        else:
            mods.own(f"at least one {said}")

    def inside(self, block: Block, known: list[Entity]) -> Compact:
        """A teller of the same style for a subquery."""
        return Compact(self.words, block, known)


def role_of(predicate: Predicate) -> str:
    """What the other end is to the subject: "has {} as lender"."""
    found = _HAS_AS.match(predicate.singular)
    return found[1] if found else ""


def own_role(predicate: Predicate) -> str:
    """What the subject is to the other end: "is the lender of {}"."""
    found = _IS_OF.match(predicate.singular)
    return found[1] if found else ""


def sharing(predicate: Predicate, noun: str) -> str:
    """What things that belong to one other thing share: "in the same city".

    >>> sharing(Predicate("is in {}", "are in {}"), "city")
    'in the same city'
    >>> sharing(Predicate("has {} as lender", "have {} as lender"), "museum")
    'with the same lender'
    """
    if role := role_of(predicate):
        return f"with the same {role}"
    said = predicate.plural.format(f"the same {noun}")
    for start, short in (("are ", ""), ("were ", ""), ("have ", "with "), ("belong to ", "of ")):
        if said.startswith(start):
            return f"{short}{said.removeprefix(start)}"
    return f"that {said}"


def _clause(predicate: Predicate, other: str, entity: Entity, who: str, *, many: bool) -> str:
    if predicate.relative:
        return relative(predicate, entity).format(other)
    verb = predicate.verb(plural=many)
    return f"{who} {denied(verb, other) or verb.format(other)}"
