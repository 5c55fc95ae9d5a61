"""Things as noun phrases: their names or nouns, with all that restricts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from generators.questions.author import NoWording
from generators.questions.goals.model import Atom, Either, Relation, Test, Thing
from generators.questions.lexicon.model import (
    Lexicon,
    Noun,
    Path,
    Role,
    Tense,
    ThingKind,
    turned,
)
from generators.questions.lexicon.model import (
    Phrase as PathPhrase,
)
from generators.questions.phrases.tree import NP, Clause, Phrase, Text, depth_of
from generators.questions.realise.chains import (
    chain_text,
    followed,
    is_chain,
    participle,
    role_of,
)
from generators.questions.realise.conditions.category_value import SORTS
from generators.questions.realise.conditions.options import Form, Option
from generators.questions.realise.conditions.tests import Tests
from generators.questions.realise.links import (
    ROWS,
    Link,
    all_such,
    backward_options,
    determiner,
    forward_options,
    has_verb,
    is_agent_of,
    is_on_the_way,
    is_telling,
    is_with,
    of_phrase,
    once_done,
    prep,
    role_noun,
    see_telling,
)
from generators.questions.realise.names import TELLING, named
from generators.questions.realise.placing import another, clumsiness, ends_in_others, placed
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_set

type Restriction = Test | Either | Relation

_MOST = 3  # restrictions of one thing
_EDGE = 3  # parts of a path along one edge
_BEAM = 4  # descriptions of one thing that are kept
_LINKED_BY = frozenset(
    {
        *("with", "without", "on", "in", "at", "after", "before", "since", "between", "for"),
        *("from", "of", "by", "over", "under", "during", "as"),
    }
)  # what a condition of a link may begin with
_MOVING = frozenset({ThingKind.PERSON, ThingKind.DOCUMENT, ThingKind.TRANSACTION})
_ON_ACCOUNT = _MOVING - {ThingKind.PERSON} | {ThingKind.EVENT, ThingKind.RECORD}
_KNOWN = frozenset(
    {
        *(ThingKind.PRODUCT, ThingKind.VEHICLE, ThingKind.EVENT, ThingKind.ANIMAL),
        ThingKind.WORK,
    }
)
_WITH = PathPhrase(particle="with")
_HAPPENING = frozenset({ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.RECORD})
_LISTED = frozenset({ThingKind.CATEGORY, ThingKind.PRODUCT, ThingKind.THING})
_SORTED = frozenset({ThingKind.CATEGORY, ThingKind.PERSON})
_PIECES = frozenset({"baggage", "clothing", "equipment", "furniture", "luggage", "machinery"})
_SORTS = SORTS | {"status"}


@dataclass(frozen=True, slots=True)
class Described:
    """A noun phrase with what it costs to read."""

    np: NP
    cost: float


class Things:
    """Describes things, in one form."""

    def __init__(self, lexicon: Lexicon, form: Form) -> None:
        self.lexicon = lexicon
        self.form = form
        self.tests = Tests(lexicon, form)
        self._nouns: dict[str, Noun] = {}
        # What several fillings of a goal ask again. By identity, so that what is known by it stays.
        self._known: dict[tuple[object, ...], tuple[list[Described], object]] = {}
        self._ways: dict[tuple[int, bool, bool], tuple[list[Option], Relation]] = {}

    def noun(self, type: str) -> Noun:
        """The noun of a node type.

        Raises:
            NoWording: there is none.
        """
        if type not in self._nouns:
            self._nouns[type] = self._noun(type)
        return self._nouns[type]

    def _noun(self, type: str) -> Noun:
        words = self.lexicon.thing(type)
        noun = words.noun if words is not None else None
        if noun is None:
            raise NoWording(f"the type {type}", f"There is no noun for {type}.")
        if noun.singular in _PIECES:
            mass = noun.singular
            return Noun(singular=f"piece of {mass}", plural=f"pieces of {mass}")
        return noun

    def part(self, type: str, owner: str) -> Noun:
        """The noun of what belongs to things of the type `owner`, without theirs: the "orders" of a
        shop that has shop orders, where nothing else is called so."""
        noun, lead = self.noun(type), f"{self.noun(owner).singular} "
        rest = noun.singular.removeprefix(lead)
        if rest in (noun.singular, *ROWS) or any(
            t.singular == rest for t in self.lexicon.things.values()
        ):
            return noun
        return Noun(singular=rest, plural=noun.plural.removeprefix(lead))

    def parts(
        self,
        thing: Thing,
        owner: str,
        *,
        many: bool = True,
        det: str = "",
        deep: bool = False,
        whole: bool = False,
    ) -> list[Described]:
        """The noun phrases for a thing beside what it belongs to, of the type `owner`."""
        described = self.describe(thing, many=many, det=det, deep=deep, whole=whole)
        noun, part = self.noun(thing.type), self.part(thing.type, owner)
        if part == noun:
            return described
        one, several = part.singular, part.plural
        return [
            replace(each, np=replace(each.np, one=one, several=several))
            if each.np.one == noun.singular
            else each
            for each in described
        ]

    def who(self, type: str) -> bool:
        """Whether things of a type are people."""
        words = self.lexicon.thing(type)
        return words is not None and words.kind is ThingKind.PERSON

    def known(self, type: str) -> bool:
        """Whether the name of such a thing tells what it is, as that of a person or a place."""
        words = self.lexicon.thing(type)
        return words is not None and (words.kind in _KNOWN or words.kind in TELLING)

    def describe(
        self,
        thing: Thing,
        *,
        many: bool = True,
        det: str = "",
        but: Iterable[Atom] = (),
        deep: bool = False,
        whole: bool = False,
    ) -> list[Described]:
        """The best noun phrases for a thing, without what is said elsewhere.

        `deep`: it stands in a relative clause already, and may have none itself.
        `whole`: a name needs its noun, as no verb says what is named.

        Raises:
            NoWording: there is none.
        """
        elsewhere = tuple(but)
        key = (id(thing), many, det, frozenset(map(id, elsewhere)), deep, whole)
        if key not in self._known:
            made = self._describe(thing, NP("", "", many, det), set(key[3]), deep, whole)
            self._known[key] = made, (thing, elsewhere)
        return self._known[key][0]

    def _describe(
        self, thing: Thing, bare: NP, gone: set[int], deep: bool, whole: bool
    ) -> list[Described]:
        base, cost = self._head(thing, gone, bare, whole=whole)
        rest: list[Restriction] = [t for t in thing.tests if id(t) not in gone]
        rest += [r for r in thing.relations if id(r) not in gone]
        self._see_together(rest)
        if thing.against and id(thing.against[0]) not in gone:
            raise NoWording("a comparison within a description")
        if len(rest) > _MOST:
            raise NoWording("more than three restrictions")
        choices = [self._options(each, base, deep) for each in rest]
        descriptions = []
        for chosen in product(*choices):
            np = placed(base, chosen, deep)
            if np is not None and not (np.relative and ends_in_others(np)):
                dear = sum(option.cost for option in chosen) + clumsiness(chosen)
                descriptions.append(Described(np, cost + dear))
        if not descriptions:
            raise NoWording("a description that takes two relative clauses")
        return sorted(descriptions, key=lambda each: each.cost)[:_BEAM]

    def _head(self, thing: Thing, gone: set[int], bare: NP, *, whole: bool) -> tuple[NP, float]:
        """The name of a thing, or its noun with the number and determiner of `bare`."""
        noun, cost = self.noun(thing.type), 0.0
        if thing.name and not any(id(test) in gone for test in thing.name):
            base, cost = named(thing, noun.singular, self.lexicon, self.form, whole=whole)
        else:
            base = replace(bare, one=noun.singular, several=noun.plural, who=self.who(thing.type))
        if thing.apart is not None and id(thing.apart) not in gone:
            led = any(map(self._leads_on, thing.relations))
            # What a part is built into is another one; friends of friends may be oneself.
            plain = replace(base, atoms=(*base.atoms, thing.apart))
            base = plain if led and base.det != "a" else another(base, thing.apart)
        return base, cost

    def _see_together(self, rest: list[Restriction]) -> None:
        """See that one description has room for several restrictions.

        Raises:
            NoWording: it has none.
        """
        places = [self.lexicon.property(t.owner, t.key) for t in rest if isinstance(t, Test)]
        if sum(words is not None and words.kind is Role.PLACE for words in places) > 1:
            raise NoWording("a place within a place")
        if sum(isinstance(each, Relation) and each.how == "no" for each in rest) > 1:
            raise NoWording("two things that there are not")
        if len(rest) > 1 and any(isinstance(each, Either) and each.mixed for each in rest):
            raise NoWording("one condition or another beside a third")

    def fellows(self, thing: Thing) -> list[Described]:
        """A thing beside others of its kind, which is not said again: "older than Ann Lee"."""
        descriptions = self.describe(thing, many=False)
        coded = any(self.is_coded(test) and not _is_worded(test) for test in thing.name)
        if thing.tests or thing.relations or coded:
            return descriptions
        noun = self.noun(thing.type).singular
        plain = []
        for each in descriptions:
            np, name = each.np, each.np.one.removeprefix(f"{noun} ").removeprefix("of ")
            written = f"{thing.name[0].values[0].value}"
            name = written if name == f"{written} {noun}" else name
            bare = np if name == np.one else replace(np, one=name, several=name, det="")
            plain.append(replace(each, np=bare))
        return plain

    # --- restrictions --------------------------------------------------------------------

    def _options(self, rest: Restriction, base: NP, deep: bool) -> list[Option]:
        if isinstance(rest, Relation):
            options = [*self.relation(rest, deep=True, many=base.many)]
            if not deep:  # "built in a plant that …": what is behind a participle has its clause
                whole = self.relation(rest, deep=False, many=base.many)
                options += [o for o in whole if o.place == "post" and depth_of(o.phrase)]
            else:
                options += self._doing(rest, many=base.many)
            options = [o for o in options if not (is_on_the_way(rest) and is_with(o.phrase))]
        else:
            options = self.tests.options(rest)
        options = [o for o in options if o.place not in ("pred", "rel" if deep else "")]
        if not options:
            raise NoWording("a restriction that cannot stand there")
        return sorted(options, key=lambda option: option.cost)[:3]

    def predicates(self, rest: Restriction) -> list[Option]:
        """The ways in which a restriction is the verb of the question."""
        if isinstance(rest, Relation):
            options = [o for o in self.relation(rest, deep=False, many=True) if o.place == "pred"]
            steps = any(map(is_chain, rest.other.relations))  # finds that have periods that …
            return [o for o in options if not (steps and is_on_the_way(rest) and is_with(o.phrase))]
        return [o for o in self.tests.options(rest) if o.place == "pred"]

    def relation(self, relation: Relation, *, deep: bool, many: bool) -> Sequence[Option]:
        """The ways to say of one, or of many, that there is something along a path.

        Raises:
            NoWording: there are no words for the path, or for what lies at its end.
        """
        key = id(relation), deep, many
        if key not in self._ways:
            self._ways[key] = [*self._relation(relation, deep=deep, many=many)], relation
        return self._ways[key][0]

    def _relation(self, relation: Relation, *, deep: bool, many: bool) -> Iterator[Option]:
        path = self.path(relation)
        self._refuse_unclear(relation, path)
        adjuncts = self.adjuncts(relation)
        atoms = (relation, *([relation.bound] if relation.bound else ()))
        dear = self._loose(path, relation)
        link = Link(relation, adjuncts, atoms)
        if relation.how == "only":
            yield from self._all_such(relation, path)
        agent = "" if is_chain(relation) else self.agent(path, relation)
        if agent and relation.how != "only":
            yield from self._by_agent(path, link, agent, deep=deep, many=many)
            dear += 1.0
        if path.forward is not None:
            for other in self._others(relation, deep, path.forward, many):
                nested = 2.0 * (relation.how == "only" and bool(other.np.relative))
                for option in forward_options(path.forward, other.np, link):
                    there = self._there(option, relation)
                    yield replace(there, cost=there.cost + other.cost + dear + nested)
        if self.form == "search" and self._is_bluntly_lacking(relation, path):
            for other in self.parts(relation.other, relation.along[0], det="any", deep=deep):
                yield Option("post", prep("without", other.np, adjuncts, atoms), other.cost)
        passive = path.backward is not None and path.backward.be and path.forward is not None
        if path.backward is not None and not passive and relation.how in ("some", "no"):
            for other in self._others(relation, deep, path.backward, many, subject=True):
                for option in backward_options(path.backward, other.np, link, many=many):
                    yield replace(option, cost=option.cost + other.cost + dear)

    def _is_bluntly_lacking(self, relation: Relation, path: Path) -> bool:
        """Whether a search says no more than that there are none of what somebody does: "analysts
        without any submissions"."""
        other, roles = relation.other, (path.forward, path.backward)
        if relation.how != "no" or relation.one or relation.rivals or relation.steps or other.name:
            return False
        own = other.type == relation.along[0] or any(each and each.noun for each in roles)
        return has_verb(path) and not own and len(relation.along) == _EDGE

    def _all_such(self, relation: Relation, path: Path) -> Iterator[Option]:
        """ "Whose matters are all open", "whose matters all have the channel Online"."""
        other, loose = relation.other, path.forward in (_WITH, PathPhrase(verb="have"))
        if not loose or relation.tests or other.relations or len(other.tests) != 1 or other.name:
            return
        noun = self.part(other.type, relation.along[0])
        every = NP(noun.singular, noun.plural, many=True, atoms=(relation,))
        for option in self.tests.options(other.tests[0]):
            if (such := all_such(option, every, kept=self._is_kept(other))) is not None:
                yield such

    def _is_kept(self, other: Thing) -> bool:
        """Whether the one test of a thing holds a category against one text as it is stored."""
        (test,) = other.tests
        if not isinstance(test, Test) or test.op != "=" or len(test.values) != 1:
            return False
        words, value = self.lexicon.property(test.owner, test.key), test.values[0].value
        stored = isinstance(value, str) and words is not None and not words.word(value)
        return stored and words is not None and words.kind is Role.CATEGORY

    def _refuse_unclear(self, relation: Relation, path: Path) -> None:
        """Raise where a relation has words that a reader would take for another, or for none."""
        if any(" by " in phrase.noun for phrase in (path.forward, path.backward) if phrase):
            raise NoWording(f"the path {' '.join(relation.along)}")
        if relation.rivals and not is_telling(path):
            raise NoWording("one of several relations", "Nothing says which of them is meant.")
        if any(o.along == turned(relation.along) for o in relation.other.relations):
            raise NoWording("there and back", "What shares a third thing is a goal of its own.")
        here, other = self.lexicon.thing(relation.along[0]), relation.other
        listed = here is not None and here.kind in _LISTED
        any_one = other.bare and relation.how == "some" and not relation.tests
        if listed and any_one and self.part(other.type, relation.along[0]) != self.noun(other.type):
            raise NoWording("a part that says nothing", "Nobody asks for mixed coffees so.")
        tests = (*relation.tests, *relation.other.tests)
        if relation.how == "no" and any(map(self._is_day, tests)):
            raise NoWording("nothing on one day", "Nobody asks who did not buy on 23 August.")

    def _by_agent(
        self, path: Path, link: Link, agent: str, *, deep: bool, many: bool
    ) -> Iterator[Option]:
        """A relation by who did it: "inspections by Ann", "captains of ships"."""
        done = path.forward is not None and path.forward.particle == "by"
        phrase = PathPhrase(particle=("by" if done else "of") if agent == "own" else "with")
        for other in self._others(link.relation, deep, phrase, many):
            for option in forward_options(phrase, other.np, link):
                if option.place == "post" or agent == "other":
                    yield replace(option, cost=other.cost)

    def _there(self, option: Option, relation: Relation) -> Option:
        """A claim that something is in or at a place, as people say it: events "took place" there,
        and people or papers are not simply "in" it."""
        clause, thing = option.phrase, self.lexicon.thing(relation.along[0])
        if not isinstance(clause, Clause) or clause.verb or clause.be or clause.whose is not None:
            return option
        if clause.particle == "for":
            return replace(option, cost=option.cost + 1.5)  # "are there for", not "are for"
        if clause.particle not in ("in", "at") or thing is None:
            return option
        if self.tests.dated(relation.along[0]).verb:
            return replace(option, phrase=replace(clause, verb="take place", tense=Tense.PAST))
        moving = thing.kind in _MOVING  # "are there in", not "are in"
        return replace(option, cost=option.cost + 1.5 * moving)

    def _is_day(self, test: Test | Either) -> bool:
        """Whether a condition is that something was on one day."""
        if isinstance(test, Either) or test.op not in ("=", "in"):
            return False
        words = self.lexicon.property(test.owner, test.key)
        return words is not None and words.kind is Role.DATE

    def _leads_on(self, relation: Relation) -> bool:
        """Whether a relation is a chain that is not the same both ways."""
        path = self.lexicon.path(relation.along)
        return is_chain(relation) and path is not None and not path.symmetric

    def _doing(self, relation: Relation, *, many: bool) -> Iterator[Option]:
        """The relation by a participle, where there is no room for another clause: "a supplier that
        processes a metal coming from Chile"."""
        forward = self.path(relation).forward
        if forward is None or not (doing := participle(forward, relation)):
            return
        atoms = (relation, *([relation.bound] if relation.bound else ()))
        for other in self._others(relation, True, forward, many):
            phrase = prep(doing, other.np, self.adjuncts(relation), atoms)
            yield Option("post", phrase, other.cost + 1.2)

    def path(self, relation: Relation) -> Path:
        """The words along a relation; of one that is followed several times, those of its steps.

        Raises:
            NoWording: there are none.
        """
        path = self.lexicon.path(relation.along)
        if path is not None and is_chain(relation):
            borne = self._is_borne(relation.along[0])
            forward = followed(path.forward, borne=borne)
            path = replace(path, forward=forward, backward=followed(path.backward, borne=borne))
            if not has_verb(path):
                raise NoWording("a chain without a verb")
            if forward is not None and forward.particle == "with" and not path.symmetric:
                raise NoWording("a chain of what is mutual", "Parts are doubled either way.")
        if path is None or (path.forward is None and path.backward is None):
            raise NoWording(f"the path {' '.join(relation.along)}")
        if self._sorted_part(relation) and not has_verb(path):
            path = replace(path, forward=PathPhrase(particle="with"), backward=None)
        if relation.other.name and relation.one and path.forward == PathPhrase(verb="have"):
            here = self.lexicon.thing(relation.along[0])  # "shipments for" one, not "with" it
            of = "for" if here is not None and here.kind in _ON_ACCOUNT else "of"
            path = replace(path, forward=PathPhrase(particle=of))
        if path.forward == _WITH and relation.along[1].startswith("<") and not relation.one:
            self._see_had(relation)
        return path

    def _see_had(self, relation: Relation) -> None:
        """See that things have what refers to them, where no verb is known.

        Raises:
            NoWording: nobody has it.
        """
        here, there = (self.lexicon.thing(t) for t in (relation.along[0], relation.other.type))
        other = relation.other
        if here is None or there is None or relation.how != "some":
            return
        if any(map(self.is_coded, other.name)) and there.kind not in _SORTED:
            raise NoWording("whose it is", "One site has accession 17, and no sites are with it.")
        event = there.kind is ThingKind.EVENT and here.kind is ThingKind.ORGANISATION
        event = event or (there.kind in _HAPPENING and here.kind is ThingKind.PLACE)
        if other.tests and event:
            raise NoWording("where something is done", "No place has a donation above 480 ml.")

    def _loose(self, path: Path, relation: Relation) -> float:
        """What it costs that no verb is known here, nor on the way from there."""
        if has_verb(path):
            return 0.0
        further = (self.lexicon.path(each.along) for each in relation.other.relations)
        return 3.0 * sum(each is not None and not has_verb(each) for each in further)

    def agent(self, path: Path, relation: Relation) -> str:
        """Which end is named after the verb of the path, as "climbers climb": nobody says both."""
        own = self.noun(relation.along[0]).singular.rpartition(" ")[2]
        if (
            path.forward is not None
            and path.forward.particle == "of"
            and role_noun(path.forward) == own
        ):
            return "own"  # captains are captain of ships
        other = self.noun(relation.other.type).singular.rpartition(" ")[2]
        back = path.backward
        if back is not None and back.particle == "of" and role_noun(back) == other:
            return "" if relation.other.name else "other"
        for phrase in (path.forward, path.backward):
            if phrase is None or phrase.particle not in ("", "by"):
                continue
            if is_agent_of(self.noun(relation.along[0]).singular, phrase):
                return "own"
            if is_agent_of(self.noun(relation.other.type).singular, phrase):
                return "" if relation.other.name else "other"
        return ""

    def adjuncts(self, relation: Relation) -> tuple[Phrase, ...]:
        """What is said of the link itself: "with a grade above 3"."""
        adjuncts: list[Phrase] = []
        for test in relation.tests:
            options = [o for o in self.tests.options(test) if o.place == "post"]
            if not options:
                raise NoWording("a condition on a link")
            phrase = options[0].phrase
            if isinstance(phrase, Text) and phrase.words.split()[0] not in _LINKED_BY:
                raise NoWording("a condition on a link")
            adjuncts.append(phrase)
        if relation.steps is not None:
            steps = relation.steps
            noun = self.noun(relation.other.type).singular
            adjuncts.append(Text(chain_text(steps.least, steps.most, noun), (steps,)))
        return tuple(adjuncts)

    def _others(
        self,
        relation: Relation,
        deep: bool,
        phrase: PathPhrase,
        plural: bool,
        *,
        subject: bool = False,
    ) -> list[Described]:
        """The other end, with the determiner that the relation gives it."""
        det, many = determiner(relation, phrase, many=plural, subject=subject)
        loose = not (phrase.verb or phrase.be or phrase.noun)
        see_telling(relation, by=loose and phrase.particle == "by")
        whole = (loose and phrase.particle == "with") or phrase.verb == "have"
        whole = whole or (loose and not self.known(relation.other.type))
        if is_chain(relation) and (role := role_of(phrase)) and not relation.steps:
            others = list(self._twice(relation.other, role, many=many, det=det))
        elif relation.other.name and self._is_said(relation, phrase):
            others = self.fellows(relation.other)
        else:
            here = relation.along[0]
            others = self.parts(relation.other, here, many=many, det=det, deep=deep, whole=whole)
        if phrase.particle == "as":
            others = self._as_roles(relation.other, others)
        if phrase.verb or phrase.be:
            return [replace(each, np=once_done(each.np, phrase)) for each in others]
        return [replace(each, np=self._sort_of(relation, each.np)) for each in others]

    def _is_borne(self, type: str) -> bool:
        """Whether the parents of things of a type bear them: people, animals, versions."""
        thing, noun = self.lexicon.thing(type), self.noun(type).singular
        animal = thing is not None and thing.kind is ThingKind.ANIMAL
        return animal or noun.rpartition(" ")[2] in word_set("descending")

    def _is_said(self, relation: Relation, phrase: PathPhrase) -> bool:
        """Whether what the other end is need not be said with its name: it is of the same kind
        ("staff members that Ann Lee reports to"), or named after the deed ("owned by Hanbit")."""
        doer = is_agent_of(self.noun(relation.other.type).singular, phrase)
        return relation.other.type == relation.along[0] or (doer and phrase.particle == "by")

    def _as_roles(self, other: Thing, others: list[Described]) -> list[Described]:
        """Behind "as", a name is a role: "work as a Stock Manager", but "as car 7"."""
        coded = any(map(self.is_coded, other.name))
        if not other.name or coded or self.form == "explicit":
            return others
        noun = self.noun(other.type).singular
        return [
            replace(o, np=replace(o.np, one=o.np.one.removeprefix(f"{noun} "), det="a"))
            for o in others
        ]

    @staticmethod
    def is_coded(test: Test) -> bool:
        """Whether a thing is known by a code and not by a name."""
        return any(map(str.isdigit, f"{test.values[0].value}"))

    def _twice(self, between: Thing, role: str, *, many: bool, det: str) -> Iterator[Described]:
        """Those who are to somebody what he is to another: "friends of Ann" of friends of hers."""
        if len(between.relations) > 1:
            raise NoWording("a chain that branches", "Nobody asks for friends of two friends.")
        (further,) = between.relations
        for each in self.describe(further.other):
            named = (of_phrase(each.np),)
            np = NP(role, plural(role), many, det, post=named, atoms=(further,))
            yield Described(np, each.cost)

    def _sorted_part(self, relation: Relation) -> str:
        """What of a thing a named type sorts: its "membership", of a member's membership type."""
        own, sort = self.noun(relation.along[0]).singular, self.noun(relation.other.type).singular
        part, _, last = sort.rpartition(" ")
        sorts = last in ("type", "kind") and bool(relation.other.name) and not is_plural(part)
        return part if sorts and part not in own else ""

    def _sort_of(self, relation: Relation, np: NP) -> NP:
        """A category that repeats the noun of what is sorted, without it: documents "of type CD",
        not "of the document type CD"; members "with a Family membership"."""
        own, sort = self.noun(relation.along[0]).singular, self.noun(relation.other.type).singular
        if (part := self._sorted_part(relation)) and self.form != "explicit":
            kind = f"{np.one.removeprefix(f'{sort} ')} {part}"
            return replace(np, one=kind, several=plural(kind), det="a")
        last = sort.removeprefix(f"{own} ")
        if not relation.other.name or last not in _SORTS:
            return np
        return replace(
            np, one=np.one.removeprefix(f"{own} "), det="" if last != "status" else "the"
        )


def _is_worded(test: Test) -> bool:
    """Whether a name with a number has words enough to be known by: Red Peony 50 mm."""
    words = f"{test.values[0].value}".split()
    return sum(len(word) > 2 and word.isalpha() for word in words) > 1
