"""The best of each: "each customer's latest order", "the oldest player of each team"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from generators.questions.author import NoWording
from generators.questions.goals.model import Ask, Atom, Column, Relation, Thing, Top
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.lexicon.model import Property, Role, Tense, ThingKind
from generators.questions.phrases.tree import NP, Clause, Phrase, Text
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.links import Link, forward_options
from generators.questions.realise.naming import Naming
from generators.questions.realise.pieces import (
    Slots,
    done_at_end,
    done_behind,
    extreme,
    has_with,
    is_happening,
    is_vague,
    only_moment,
    superlative_of,
    with_option,
)
from generators.questions.realise.things import Described
from graphmill.english.inflection import listing

_UNRANKED = frozenset({Role.CATEGORY, Role.FLAG, Role.NAME, Role.TEXT, Role.CODE})


@dataclass(frozen=True, slots=True)
class _Best:
    """Which of `focus` is the best for each of `group`, to which `relation` leads: the adjective,
    "oldest", where there is one, the noun, "highest price", and what was `done` with it first or
    last; `order` says by what it is so, where that is not plain."""

    focus: Thing
    group: Thing
    relation: Relation
    superlative: str
    extreme: str
    done: Clause | None
    order: tuple[Phrase, ...]
    atoms: tuple[Atom, ...]


class BestOfEach(Naming):
    """Says what is the best of each, in one form."""

    def _best(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        top, relation, group = ask.top, ask.relation, ask.group
        assert top is not None and relation is not None  # noqa: S101, PT018 - so it is made
        assert isinstance(top.by, Column) and isinstance(group, Thing)  # noqa: S101, PT018
        words = self.tests.words(top.by.owner, top.by.key)
        self._refuse_nameless(ask.focus, group, words)
        self._refuse_unrelated(ask, group, relation)
        beside = self._beside_best(ask)
        best = self._described_best(ask.focus, group, relation, top, top.by, words)
        for each in self.things.describe(group, many=False):
            theirs = not (each.np.relative or self._is_passing(relation))
            extra = beside | self._named_groups(group, ask.group_named, theirs=theirs)
            ways = (self._its_best, self._with_most, self._best_of)
            for slots, cost in chain.from_iterable(way(best, each.np) for way in ways):
                yield {**slots, **extra}, cost + each.cost

    def _refuse_nameless(self, focus: Thing, group: Thing, words: Property) -> None:
        if words.kind in _UNRANKED:
            raise NoWording("a rank by the alphabet")
        here = self.lexicon.thing(focus.type)
        dated = words.kind in (Role.DATE, Role.TIME) and is_happening(self.lexicon, focus.type)
        if here is not None and not here.name and not dated:
            raise NoWording("the best of what has no name")
        there = self.lexicon.thing(group.type)
        if not (here is not None and here.name) and not (there is not None and there.name):
            raise NoWording("the best of what has no name")  # the payment of each visit

    def _refuse_unrelated(self, ask: Ask, group: Thing, relation: Relation) -> None:
        if group.type == ask.focus.type:
            raise NoWording("the best of one's own kind", "Nothing says how they are related.")
        if relation.rivals:
            raise NoWording("one of two relations", "A site has shipments to it as well.")
        if self._has_role(relation, but=()):
            raise NoWording("a role that would be lost", "A member reports issues as well.")
        if not relation.one:
            raise NoWording("the best of what others share", "An event is as dear for all donors.")
        if any(column.thing is not ask.focus for column in ask.columns if column.key):
            raise NoWording("what another is like", "It would be said of what is best.")

    def _beside_best(self, ask: Ask) -> Slots:
        """What is shown of the best, and the words that stand for it."""
        columns = [column for column in ask.columns if column.key]
        shown: Slots = {"C": self._nouns(columns, many=False)} if columns else {}
        who = self.things.who(ask.focus.type)
        return {
            **shown,
            "WHO": Text("who" if who else "what"),
            "OWN": Text("their" if who else "its"),
        }

    def _named_groups(self, group: Thing, named: tuple[str, ...], *, theirs: bool) -> Slots:
        """What the groups are shown by, "its code", or that they are not shown; alone where what is
        said next of the best is said to be `theirs`: "the code of each team and its oldest"."""
        names = self._nouns_of_names(group.type, named, many=False)
        if not named:
            return {"GU": Text("")}
        if theirs:
            return {"GH": Text(listing(names or ["ID"]))}
        own = "their" if self.things.who(group.type) else "its"
        return {"GN": Text(f"{own} {listing(names or ['ID'])}")}

    def _described_best(
        self, focus: Thing, group: Thing, relation: Relation, top: Top, by: Column, words: Property
    ) -> _Best:
        superlative = superlative_of(words, most=top.most)
        superlative = "" if is_vague(self.lexicon, by.owner, by.key, superlative) else superlative
        superlative = "first" if superlative == "earliest" else superlative  # "its first award"
        order = () if self.form != "explicit" else self._ordered_by(by, superlative)
        highest = extreme(words, most=top.most)
        done = done_at_end(words, most=top.most)
        done = None if done is None else replace(done, atoms=(top, by))
        return _Best(focus, group, relation, superlative, highest, done, order, (top, by))

    def _ordered_by(self, column: Column, superlative: str) -> tuple[Phrase, ...]:
        """What orders moments, where a thing has several: "its latest order by shipping date"."""
        if superlative not in ("first", "latest") or only_moment(self.lexicon, column):
            return ()
        return (Text(f"by {self.tests.words(column.owner, column.key).noun}"),)

    def _its_best(self, best: _Best, group: NP) -> Iterator[tuple[Slots, float]]:
        """ "its oldest player", "its player with the highest wage"."""
        with_most = Option("post", Text(f"with the {best.extreme}", best.atoms))
        oldest = Option("pre", Text(best.superlative, best.atoms))
        chosen_by = oldest if best.superlative else with_most
        det = "their" if self.things.who(best.group.type) else "its"
        passing = self._is_passing(best.relation)
        det = "the" if passing else det
        for head in self.things.parts(best.focus, best.group.type, many=True)[:2]:
            atoms = (*head.np.atoms, best.relation)
            theirs = replace(head.np, det=det, many=False, atoms=atoms)
            stacked = not best.superlative and has_with(theirs)
            chosen = None if theirs.relative or stacked else with_option(theirs, chosen_by)
            if best.done is not None:
                first = self._first_done(best)
                chosen = with_option(theirs, first) if first else done_behind(theirs, best.done)
            if chosen is not None:
                chosen = replace(chosen, post=(*chosen.post, *best.order))
                yield {"g": group, "ITB": chosen}, head.cost

    def _with_most(self, best: _Best, group: NP) -> Iterator[tuple[Slots, float]]:
        """ "for each team the player with the highest wage", "each customer's latest order"."""
        highest = Text(f"the {best.extreme}")
        clause = best.done or Clause(verb="have", object=highest, atoms=best.atoms)
        there = self.lexicon.thing(best.group.type)
        sorts = there is not None and there.kind is ThingKind.CATEGORY  # "with each rank"
        passing = self._is_passing(best.relation)
        for head in self.things.parts(best.focus, best.group.type, many=False)[:2]:
            if self.form == "search" and has_with(head.np):
                continue  # "the player with 35 points with the most tries"
            np = replace(head.np, atoms=(*head.np.atoms, best.relation))
            slots: Slots = {"g": group}
            if not (group.post or group.relative or passing):
                slots["b"] = group
                first = self._first_done(best) if self.form != "contracted" else None
                if (best.superlative or first) and not sorts:  # "each customer's latest order"
                    lead = first.phrase if first else Text(best.superlative, best.atoms)
                    pre = (lead, *np.pre)
                    slots["FS"] = replace(np, det="", pre=pre, post=(*np.post, *best.order))
            most: Slots = {"TM": replace(highest, atoms=best.atoms)}
            if best.done is not None:
                done = done_behind(np, best.done) if self._first_done(best) is None else None
                most = {"FD": done} if done is not None else {}
            yield {**slots, **most, "T": clause, "FT": np}, head.cost

    def _first_done(self, best: _Best) -> Option | None:
        """What was done first with the best, before its noun: "first contracted"; None where that
        is more than a word."""
        done = best.done.be.removesuffix(" first") if best.done is not None else ""
        if not done.isalpha():
            return None
        return Option("pre", Text(f"first {done}", best.atoms))

    def _is_passing(self, relation: Relation) -> bool:
        """Whether somebody once did something with people, who are not theirs: who found them; or
        nothing says what they have to do with them."""
        path = self.lexicon.path(relation.along)
        people = self.things.who(relation.along[0])
        if path is None or not people:
            return people
        there, back = path.forward, path.backward
        done = there is not None and bool(there.be) and there.tense is Tense.PAST
        does = back is not None and bool(back.verb) and back.tense is Tense.PAST
        return done or does

    def _best_of(self, best: _Best, group: NP) -> Iterator[tuple[Slots, float]]:
        """ "the oldest player of each team"."""
        if not best.superlative:
            return
        for linked in self._placed_by(best.relation, best.focus, replace(group, det="each")):
            pre = (Text(best.superlative, best.atoms), *linked.np.pre)
            yield {"SG": replace(linked.np, det="the", pre=pre)}, linked.cost

    def _placed_by(self, relation: Relation, focus: Thing, each: NP) -> Iterator[Described]:
        """One thing by what it belongs to: "player of each team"."""
        path = self.lexicon.path(relation.along)
        if path is None or path.forward is None:
            return
        there = self.lexicon.thing(relation.along[-1])
        sorts = there is not None and there.kind is ThingKind.CATEGORY
        if path.forward == PathPhrase(particle="with") and not sorts:
            return  # a river is not with its valley
        for head in self.things.describe(focus, many=False):
            for option in forward_options(
                path.forward,
                each,
                Link(Relation(relation.along, focus, rivals=relation.rivals), (), (relation,)),
            ):
                if option.place in ("post", "rel"):
                    np = with_option(head.np, option)
                    if np is not None:
                        yield Described(np, head.cost + option.cost)
