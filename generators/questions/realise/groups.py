"""Slots of figures for each thing: tallies, ranks and bounds by them, figures of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Ask,
    Atom,
    Bound,
    Column,
    Figure,
    Relation,
    Test,
    Thing,
    Top,
)
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Path,
    Role,
    ThingKind,
    turned,
)
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.phrases.tree import NP, Clause, Listing, Text, atoms_of
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.conditions.values import number_text, value_text
from generators.questions.realise.figure_rules import refuse_catalogue
from generators.questions.realise.figures import Figures
from generators.questions.realise.links import Link, backward_options, forward_options, once_done
from generators.questions.realise.pieces import (
    ABOVE,
    BOUNDS,
    Slots,
    also,
    asked_when,
    done_once,
    farthest,
    has_with,
    is_amount_of,
    is_single_moment,
    numbered,
    only_moment,
    parts_well,
    verb_slot,
    with_option,
)
from generators.questions.realise.things import Described
from graphmill.english.inflection import a, is_done

_LASTING = frozenset(
    {
        *(ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.PLACE, ThingKind.WORK),
        *(ThingKind.PRODUCT, ThingKind.VEHICLE, ThingKind.ANIMAL),
    }
)
_ITEMISED = frozenset({ThingKind.DOCUMENT, ThingKind.RECORD, ThingKind.TRANSACTION})
_PLAIN = frozenset({ThingKind.CATEGORY, ThingKind.PERIOD, ThingKind.PLACE, ThingKind.THING})
_OWNERS = frozenset({"owner", "holder", "keeper"})  # have what is theirs
_ANYBODY = frozenset({"person", "party"})  # whose role says what they are
_OWNED_BY = frozenset({"of", "by", "for", "in", "at", "on"})
_EDGE = 3  # parts of a path along one edge
_BRIEF = 2  # blanks of a compound measure that is read at once: "total repair cost"
_STAYING = frozenset({"attend", "work", "live", "study", "stay", "play", "teach"})


@dataclass(frozen=True, slots=True)
class _Beside:
    """A figure of what is beside things; `measure` calls it theirs: "average product price"."""

    focus: Thing
    relation: Relation
    figure: Figure
    members: NP
    measure: str


class Groups(Figures):
    """Fills the slots of figures for each thing."""

    # --- figures for each thing ----------------------------------------------------------

    def _groups(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        relation, focus = ask.relation, ask.focus
        if relation is None or not isinstance(ask.group, Thing):
            yield from self._value_groups(ask)
            return
        if len(ask.figures) != 1 or ask.columns:
            raise NoWording("several figures for each thing")
        inner, outer = (self.things.noun(t.type).singular for t in (relation.other, focus))
        if inner.endswith(f" {outer}"):
            raise NoWording(
                "rows that belong to what they are", f"Nobody says {inner} of a {outer}."
            )
        if self._has_role(relation):
            raise NoWording("a role that would be lost", "A pilot has other matches than he wins.")
        (figure,) = ask.figures
        if figure.how == "count" and figure.key:
            raise NoWording("a number of values for each thing")
        if figure.how in ("min", "max") and not self._is_lasting(focus):
            words = self.lexicon.property(figure.owner, figure.key)
            if words is not None and words.kind in MOMENTS:
                raise NoWording("the first or last date of a record")
        if ask.goal in ("tally", "sequence"):
            yield from self._tally(ask, relation, figure)
        elif figure.key:
            yield from self._by_measure(ask, relation, figure)
        else:
            yield from self._by_count(ask, relation, figure, focus)

    def _has_role(self, relation: Relation, *, but: Collection[str] = _ANYBODY) -> bool:
        """Whether one end is to the other what not all are with which it has to do: the winning
        pilot of a match, the supplier of an asset; ends of the nouns `but` are told by it."""
        path = self.lexicon.path(relation.along)
        if path is None or relation.other.type == relation.along[0]:
            return False
        but = () if relation.rivals else but  # a husband's marriages are not all
        ends = ((path.forward, relation.other.type), (path.backward, relation.along[0]))
        roles = [(each.noun, type) for each, type in ends if each is not None and each.noun]
        return any(
            role.rpartition(" ")[2] not in _OWNERS
            and role not in (noun := self.things.noun(type).singular)
            and noun not in but
            for role, type in roles
        )

    def _is_lasting(self, focus: Thing) -> bool:
        """Whether things of a type go on, so that something happens to them more than once."""
        thing = self.lexicon.thing(focus.type)
        return thing is not None and thing.kind in _LASTING

    def _tally(self, ask: Ask, relation: Relation, figure: Figure) -> Iterator[tuple[Slots, float]]:
        if ask.zero and relation.other.type == ask.focus.type:
            raise NoWording("how many of one's own kind, or none")
        if any(each.how == "no" for each in ask.focus.relations):
            raise NoWording("figures for each of those that lack something")
        for head in self.things.describe(ask.focus, many=False):
            if head.np.relative and ask.zero:
                continue
            if self.form == "contracted" and (head.np.relative or head.np.post):
                # "how many rooms does each hotel whose status is open have"
                head = replace(head, cost=head.cost + (2.0 if head.np.relative else 1.0))
            if figure.key:
                yield from self._measures_of_each(ask.focus, relation, figure, head)
            else:
                yield from self._numbers_of_each(ask.focus, relation, figure, head)

    def _measures_of_each(
        self, focus: Thing, relation: Relation, figure: Figure, head: Described
    ) -> Iterator[tuple[Slots, float]]:
        """ "The total price of each customer's orders", "when was their latest order placed"."""
        if not relation.other.bare or relation.tests:
            raise NoWording("a figure of a part of what is beside")
        if relation.rivals:
            raise NoWording("a figure of one of several relations")
        measure = self._measure(figure)
        words = self.tests.words(figure.owner, figure.key)
        goes_on = words.kind in MOMENTS and words.verb is not None and words.verb.verb
        if goes_on and not self._when(figure, relation, ""):
            raise NoWording("a date of what is beside", "Nobody asks when the first of it ends.")
        if own := self._own_amount(relation, figure):
            one = replace(head.np, det="")
            brief: Slots = {} if one.post or one.relative else {"a": one, "b": one}
            yield {**brief, "AO": also(own, relation)}, head.cost
        for linked in self._of_each(relation, replace(head.np, det="each")):
            yield {"M": measure, "OG": linked.np}, head.cost + linked.cost
        theirs = self._theirs(relation, focus, many=False)
        one = replace(head.np, det="")
        typed = self.form == "search"  # "total capacity of layers per cover with …"
        if not one.relative and (typed or not one.post):
            yield {"M": measure, "a": one, "OP": replace(theirs, det="")}, head.cost + 0.1
            short: Slots = {} if one.post else {"b": one}
            if then := self._when(figure, relation, theirs.det):
                yield {"a": one, "g": one, **short, **then}, head.cost
            if short:
                yield {**short, "M": measure, "THEIR": theirs}, head.cost
        yield {"M": measure, "g": one, "THEIR": theirs}, head.cost

    def _own_amount(self, relation: Relation, figure: Figure) -> NP | None:
        """ "Average plan payment", "total plan payments": of what is an amount itself."""
        noun = self.things.noun(relation.other.type)
        if not is_amount_of(noun.singular, self.tests.words(figure.owner, figure.key)):
            return None
        lead, many = self._measure(figure).one.partition(" ")[0], figure.how == "sum"
        return NP(f"{lead} {noun.singular}", f"{lead} {noun.plural}", many=many, atoms=(figure,))

    def _numbers_of_each(
        self, focus: Thing, relation: Relation, figure: Figure, head: Described
    ) -> Iterator[tuple[Slots, float]]:
        """ "How many orders did each customer place", "the number of orders of each customer"."""
        noun = self.things.noun(focus.type)
        every: Slots = {"GS": Text(noun.plural)}
        rivals = relation.rivals  # movements from a berth are not those to it
        g, one = replace(head.np, det="each"), replace(head.np, det="")
        for other in self.things.parts(relation.other, focus.type, deep=True):
            o = replace(other.np, atoms=(*other.np.atoms, figure))
            cost = head.cost + other.cost
            for slots, dear in self._numbers_by_verb(relation, o, g):
                yield {**slots, **every}, cost + dear
            if not relation.tests and relation.other.type != focus.type and not rivals:
                for slots, dear in self._numbers_without_verb(relation, o, g):
                    yield {**slots, **every}, cost + dear
        if rivals and relation.other.type != focus.type:
            for linked in self._of_each(relation, g):
                np = replace(linked.np, atoms=(*linked.np.atoms, figure), det="")
                yield {"ON": np, **every}, head.cost + linked.cost
        if self._unnamed(relation) or rivals:
            who = self.things.who(focus.type)
            they, them = ("they", "them") if who else ("it", "it")
            subject, object_ = NP(they, they, many=who), NP(them, them, many=who)
            for linked in self._of_each(relation, object_, subject):
                if not parts_well(linked.np):  # "captains of it": its captains
                    continue
                np = replace(linked.np, atoms=(*linked.np.atoms, figure), det="")
                yield {"LK": np, "g": one, **every}, head.cost + linked.cost + 0.5

    def _numbers_by_verb(self, relation: Relation, o: NP, g: NP) -> Iterator[tuple[Slots, float]]:
        """ "How many orders did each customer place?", "how many orders belong to each"."""
        for option in self._verbs_for(relation, NP("", "", many=True)):
            if not isinstance(option.phrase, Clause):
                continue
            if option.phrase.subject is None:
                clause = replace(option.phrase, object=None)
                yield {"O": o, "V": clause, "g": g}, option.cost + 0.6 * (clause.particle == "by")
            elif not option.phrase.be and option.phrase.verb != "belong":
                clause = replace(option.phrase, subject=None, object=g)
                yield {"O": o, "VO": clause}, option.cost - 0.8

    def _numbers_without_verb(
        self, relation: Relation, o: NP, g: NP
    ) -> Iterator[tuple[Slots, float]]:
        """ "How many orders are there for each customer", "each customer's number of orders"."""
        there, one = replace(o, atoms=(*o.atoms, relation)), replace(g, det="")
        dear = self._own(relation) + self._unnamed(relation)
        length = "OTL" if there.post or there.relative else "OTS"
        alone = length == "OTS" and bool(one.post or one.relative)
        silent = dear - 0.5 * alone if self.form == "explicit" else 0.4
        silent -= 0.9 * (alone and self.form == "search")
        yield {"OT": there, length: there, "g": g, "a": one}, silent
        if relation.other.bare:  # "each shop's", "for each shop in Lyon"
            slot = "bb" if one.post or one.relative else "b"
            yield {slot: also(one, *there.atoms)}, dear

    def _when(self, figure: Figure, relation: Relation, their: str) -> Slots:
        """ "When was each customer's latest order placed?", "the date of their latest order", and
        where what is latest is known by its verb, "when their newest employee was hired"; none
        where it is latest by another moment."""
        words = self.tests.words(figure.owner, figure.key)
        main = words.most == "latest"
        timed = words.kind in MOMENTS and (main or words.ask == "when")
        # "When was their latest loan returned?" asks for that of the latest loan.
        timed = timed and (bool(words.most) or is_single_moment(self.lexicon, figure))
        if not timed or figure.how not in ("min", "max"):
            return {}
        if relation.other.type == relation.along[0]:
            return {}  # "each manager's latest manager"
        noun = self.things.noun(relation.other.type)
        who = self.things.who(relation.other.type)
        first = "first" if figure.how == "min" else "newest" if who else "latest"
        event = NP(noun.singular, noun.plural, pre=(Text(first),), atoms=(figure, relation))
        if self.form == "contracted":
            return asked_when(words.verb, event)
        theirs: Slots = {"EL": event, "THEIRS": replace(event, det=their)}
        sent = is_done(words.noun.rpartition(" ")[2])  # "when … was sent", not its "date sent"
        if (main or only_moment(self.lexicon, figure)) and not sent:
            return {"DAY": Text(words.noun), **theirs}
        done = done_once(words.verb)
        return {**theirs, "DID": Text(done)} if done else {}

    def _unnamed(self, relation: Relation) -> float:
        """What it costs to leave out the verb of a path, which level 2 names, and a search where
        the thing itself does it."""
        path = self.lexicon.path(relation.along)
        if path is None or self.form == "contracted" or self.things.agent(path, relation):
            return 0.0
        phrases = (path.forward, path.backward if self.form == "explicit" else None)
        verbs = {each.verb or each.be for each in phrases if each is not None}
        return 2.5 if verbs - {"", "have", "belong"} else 0.0

    def _of_each(
        self, relation: Relation, each: NP, subject: NP | None = None
    ) -> Iterator[Described]:
        """The counted things with what they belong to: "the orders placed by each customer".

        `subject` is the form of `each` as the subject of a clause, where that is another one.
        """
        path = self.lexicon.path(turned(relation.along))
        if path is None:
            return
        back = Relation(
            turned(relation.along), relation.other, tests=relation.tests, rivals=relation.rivals
        )
        adjuncts = self.things.adjuncts(back)
        for head in self.things.describe(relation.other, det="the", deep=True):
            options: list[Option] = []
            if path.forward is not None:
                owned = self.things.agent(path, back) == "own"  # "episodes of each series"
                words = PathPhrase(particle="of") if owned else path.forward
                options += forward_options(words, each, Link(back, adjuncts, (relation,)))
            if path.backward is not None:
                they = subject or each
                options += backward_options(path.backward, they, Link(back, adjuncts, (relation,)))
            for option in options:
                clause = option.phrase
                if isinstance(clause, Clause) and clause.whose is not None:
                    continue
                if isinstance(clause, Listing) and clause.parts[0] == Text("with"):
                    continue  # "the cities with each county"
                passive = isinstance(clause, Clause) and clause.subject is not None and clause.be
                if option.place in ("post", "rel") and (np := with_option(head.np, option)):
                    yield Described(np, head.cost + option.cost + (0.8 if passive else 0.0))

    def _by_measure(
        self, ask: Ask, relation: Relation, figure: Figure
    ) -> Iterator[tuple[Slots, float]]:
        """Things ranked or bounded by a figure of what is beside them."""
        focus = ask.focus
        self._check_measure(focus, relation, figure)
        measure = self._measure(figure)
        members = replace(self._theirs(relation, focus), det="", atoms=())
        prefix, _, rest = measure.one.partition(" ")
        rest = rest.removeprefix("number of ")
        own_measure = f"{prefix} {members.one} {rest}"  # "average product price"
        if " " in members.one or " " in rest:
            own_measure = f"{measure.one} of {members.several}"
        if own := self._own_amount(relation, figure):
            own_measure = own.several if own.many else own.one
        beside = _Beside(focus, relation, figure, members, own_measure)
        if ask.top is not None and ask.goal == "rank-by-tally":
            yield from self._ranked_by_measure(ask.top, beside)
        elif ask.bound is not None:
            yield from self._bounded_by_measure(ask.bound, beside)
        elif ask.goal == "figure-of-figures":
            raise NoWording("a figure of measures")

    def _check_measure(self, focus: Thing, relation: Relation, figure: Figure) -> None:
        """Refuse figures that would be taken for others, or that nobody asks for.

        Raises:
            NoWording: it is one.
        """
        own = self.lexicon.property(focus.type, figure.key)
        words = self.tests.words(figure.owner, figure.key)
        if own is not None and own.noun == words.noun and self.form == "contracted":
            raise NoWording("a figure that the things have themselves")
        if not relation.other.bare or relation.tests:
            raise NoWording("a figure of a part of what is beside")
        if relation.rivals:
            raise NoWording("a figure of one of several relations")
        if figure.how == "avg" and self._is_itemised(focus):
            raise NoWording("an average of the parts of one", "Invoices have few payments.")

    def _ranked_by_measure(self, top: Top, beside: _Beside) -> Iterator[tuple[Slots, float]]:
        figure, members, own_measure = beside.figure, beside.members, beside.measure
        measure, atoms, many = self._measure(figure), (beside.relation,), top.count != 1
        extreme = farthest(measure.one, most=top.most)
        number = number_text(top.count) if many else ""
        for head in self.things.describe(beside.focus, many=many):
            slots: Slots = {"KF": replace(head.np, det=number)}
            superlative = Text(f"the {extreme} {measure.one}", (figure, top))
            clause = Clause(verb="have", object=superlative, whose=members, atoms=atoms)
            compound = Text(f"the {extreme} {own_measure}", (figure, top, *atoms))
            yield {**slots, "WHOSE": clause}, head.cost
            plain = own_measure.count(" ") <= _BRIEF and "number of" not in measure.one
            brief: Slots = {"TOC": compound} if plain else {}
            yield {**slots, **brief, "TO": compound}, head.cost

    def _bounded_by_measure(self, limit: Bound, beside: _Beside) -> Iterator[tuple[Slots, float]]:
        figure, members, own_measure = beside.figure, beside.members, beside.measure
        measure, atoms = self._measure(figure), (beside.relation,)
        words = self.tests.words(figure.owner, figure.key)
        bound = value_text(limit.value, words)
        if limit.op not in ABOVE:
            raise NoWording("a figure that is exactly so much")
        than = f"{ABOVE[limit.op]} {bound}"
        spoken = figure.how == "avg" and words.verb is not None and words.kind in QUANTITIES
        counted = " " in words.noun or (figure.how == "sum" and words.kind is Role.COUNT)
        if self.form == "contracted" and not spoken and counted:
            raise NoWording("a bound of a figure", "It would read as columns of two tables.")
        for head in self.things.describe(beside.focus):
            base: Slots = {"F": head.np}
            held = NP(f"{measure.one} {than}", "", det="a", atoms=(figure, limit))
            if measure.many:
                held = replace(held, several=held.one, many=True)
            clause = Clause(verb="have", object=held, whose=members, atoms=atoms)
            if own := self._own_amount(beside.relation, figure):
                more = replace(own, post=(Text(than, (limit,)),), det="a", atoms=(figure, *atoms))
                yield {**base, "V": Clause(verb="have", object=more)}, head.cost - 0.5
            yield {**base, "WHOSE": clause}, head.cost
            if spoken and words.verb is not None:
                amount = f"{BOUNDS[limit.op].replace('{}', bound)} on average"
                clause = replace(clause, verb=words.verb.verb, object=Text(amount, (figure, limit)))
                yield {**base, "WHOSE": clause}, head.cost - 0.5
            short = Text(f"{own_measure} {than}", (figure, limit, *atoms))
            yield {**base, "BO": short}, head.cost
            plain = own_measure.count(" ") <= _BRIEF and " of " not in own_measure
            if plain and self.form == "contracted" and self._is_sort(beside.focus):
                short = replace(short, words=a(short.words))
                yield {**base, "V": Clause(verb="have", object=short)}, head.cost - 0.1

    def _is_itemised(self, focus: Thing) -> bool:
        """Whether what a thing has are its items, which nobody averages for each."""
        thing = self.lexicon.thing(focus.type)
        return thing is not None and thing.kind in _ITEMISED

    def _is_sort(self, focus: Thing) -> bool:
        """Whether it is a sort that has its things: "fee types with an average fee above €20"."""
        thing = self.lexicon.thing(focus.type)
        return thing is not None and thing.kind is ThingKind.CATEGORY

    def _theirs(self, relation: Relation, focus: Thing, *, many: bool = True) -> NP:
        noun = self.things.part(relation.other.type, focus.type)
        det = self._owned(focus, many=many)
        return NP(noun.singular, noun.plural, many=True, det=det, atoms=(relation,))

    def _owned(self, focus: Thing, *, many: bool) -> str:
        return "their" if many or self.things.who(focus.type) else "its"

    def _by_count(
        self, ask: Ask, relation: Relation, figure: Figure, focus: Thing
    ) -> Iterator[tuple[Slots, float]]:
        """Things ranked or bounded by how many others they have."""
        if ask.goal == "figure-of-figures":
            yield from self._figures(ask, relation, figure)
            return
        if ask.zero:
            raise NoWording("things with none beside those with some")
        if any(each.bound and each.along == relation.along for each in focus.relations):
            raise NoWording(
                "two numbers of the same", "At least three are said by more than seven."
            )
        top, bound = ask.top, ask.bound
        atoms: tuple[Atom, ...]
        many = True
        if top is not None and ask.goal == "rank-by-tally":
            det = "the most" if top.most else "the fewest"
            atoms = (figure, top)
            many = top.count != 1
        elif bound is not None and isinstance(bound.value.value, int):
            number = number_text(bound.value.value)
            det = BOUNDS.get(bound.op, "").replace("{}", number).replace("less than", "fewer than")
            atoms = (figure, bound)
            if top is not None:
                raise NoWording("a bound and an order")
        else:
            raise NoWording("a tally without a bound")
        for head in self.things.describe(focus, many=many):
            lead = number_text(top.count) if top is not None and top.count != 1 else ""
            kf = replace(head.np, det=lead)
            several = top is not None or bound is None or bound.value.value != 1
            path = self.lexicon.path(relation.along)
            if path is not None and path.symmetric and path.link and relation.other.bare:
                friends = NP(path.link.singular, path.link.plural, several, det, atoms=atoms)
                held = Clause(verb="have", object=friends, atoms=(relation,))
                yield {"KF": kf, "F": kf, "V": held}, head.cost
            others = self.things.parts(relation.other, focus.type, many=several, det=det, deep=True)
            for other in others:
                counted = numbered(replace(other.np, atoms=(*other.np.atoms, *atoms)))
                for option in self._verbs_for(relation, counted):
                    cost = head.cost + other.cost + option.cost
                    base: Slots = {"KF": kf, "F": kf, verb_slot("V", option.phrase): option.phrase}
                    yield base, cost
                short = replace(counted, atoms=(*counted.atoms, relation))
                clear = relation.other.type != focus.type and not relation.rivals
                if clear:  # "users with most users" says too little
                    cost = head.cost + other.cost + self._unnamed(relation)
                    if has_with(kf) or kf.relative:  # "with two bookings and a group"
                        yield {"F": kf, "BJ": short}, cost
                    else:
                        yield {"KF": kf, "F": kf, "TO": short, "BO": short}, cost

    def _verbs_for(self, relation: Relation, other: NP) -> Iterator[Option]:
        """What a thing says of the other end, as the verb of the question."""
        path = self.things.path(relation)
        adjuncts = self.things.adjuncts(relation)
        atoms = (relation,)
        plain = Relation(
            relation.along, relation.other, tests=relation.tests, rivals=relation.rivals
        )
        worded, dear, back = False, 0.0, path.backward
        for phrase in filter(None, (path.forward, back)):
            other = once_done(other, phrase)
        held = Clause(verb="have", object=other, tail=adjuncts, atoms=atoms)
        if relation.steps is not None:
            yield self._under(path.backward, held)
            return
        if self.things.agent(path, relation) == "other":
            worded, dear = True, 1.0
            yield Option("pred", held)
        if path.forward is not None:
            for option in forward_options(path.forward, other, Link(plain, adjuncts, atoms)):
                if option.place == "pred":
                    worded = True
                    yield replace(option, cost=option.cost + dear)
        if self._has_people(path, relation) and not adjuncts:
            yield Option("pred", held, dear)
        if back is not None and back.verb not in ("", "have"):
            most = other.det.startswith("the ") and (back.particle or not other.who)
            active = replace(
                held, verb=back.verb, particle=back.particle, tense=back.tense, object=None,
                subject=other,
            )  # fmt: skip
            # "the job with the most employees", not "that the most employees work as"
            yield Option("pred", held if most else active, 1.0 + dear)
            worded = True
        if back is not None and back.verb == "belong" and relation.other.type != relation.along[0]:
            yield Option("pred", held)  # what belongs to it, it has
        if not worded and back is not None and back.particle in _OWNED_BY:
            yield Option("pred", held, 0.3)

    def _under(self, back: PathPhrase | None, held: Clause) -> Option:
        """Who has the most people under them; nobody else is ranked by what chains lead to."""
        counted = held.object
        if back is None or back.verb != "report" or not isinstance(counted, NP) or not counted.who:
            raise NoWording("a rank by chains", "Nobody counts what others lead to.")
        if self.form == "explicit":
            by = replace(held, verb=back.verb, particle=back.particle, subject=counted, object=None)
            return Option("pred", by)
        if not (counted.post or counted.relative):
            atoms = tuple(atoms_of(counted))
            counted = NP("person", "people", True, counted.det, atoms=atoms)
        return Option("pred", replace(held, object=counted, tail=(Text("under them"), *held.tail)))

    def _has_people(self, path: Path, relation: Relation) -> bool:
        """Whether a place or firm has those who work, live or study there."""
        back = path.backward
        here = self.lexicon.thing(relation.along[0])
        stays = back is not None and back.verb in _STAYING and path.forward is None
        held = here is not None and here.kind in (ThingKind.PLACE, ThingKind.ORGANISATION)
        people = self.things.who(relation.other.type)
        return stays and held and people

    def _figures(
        self, ask: Ask, relation: Relation, figure: Figure
    ) -> Iterator[tuple[Slots, float]]:
        outer = next(atom for atom in ask.extra if isinstance(atom, Figure))
        noun = self.things.part(relation.other.type, ask.focus.type)
        if not relation.other.bare or relation.tests or ask.focus.relations:
            raise NoWording("a figure of a part of what is beside")
        o = NP(noun.singular, noun.plural, many=True, atoms=(figure, outer))
        if outer.how != "avg" and ask.zero:
            raise NoWording("the fewest, of some with none")
        if relation.rivals:
            raise NoWording("a figure of one of several relations")
        for head in self.things.describe(ask.focus, many=False):
            f = head.np
            if outer.how == "avg":
                if ask.focus.name:
                    raise NoWording("an average of one")
                if f.relative or not ask.zero:
                    raise NoWording("an average per some", "Those without any are left out.")
                if ask.focus.tests and self._is_any_sort(ask.focus):
                    raise NoWording("an average per sort", "Nobody asks so of one sort.")
                refuse_catalogue(relation, self.lexicon)
                if self._is_listed_with_amounts(relation):
                    raise NoWording("an average per item", "A parcel has items, no item parcels.")
                each = replace(o, atoms=(*o.atoms, relation))
                every = Text(self.things.noun(ask.focus.type).plural)
                yield {"O": each, "f": f, "GS": every}, head.cost
                continue
            if f.post or f.relative or relation.other.type == ask.focus.type:
                raise NoWording("the most of some", "Nobody could say which.")
            most = Text("most" if outer.how == "max" else "fewest", (outer,))
            counted: Slots = {"O": replace(o, atoms=(figure, relation)), "o": Text(noun.plural)}
            high = Text("highest" if outer.how == "max" else "lowest", (outer,))
            if outer.how == "min" and self.form != "contracted":  # those with none have none
                f = replace(f, post=(Text(f"with {noun.plural}"),))
            yield {**counted, "fb": f, "MO": most, "HI": high}, head.cost

    def _is_any_sort(self, focus: Thing) -> bool:
        """Whether a part of some things is none that people speak of: full plots, but not the
        customers from a town."""
        thing = self.lexicon.thing(focus.type)
        tests = [test for test in focus.tests if isinstance(test, Test)]
        denied = any(test.op in ("<>", "not in") for test in tests)
        words = [self.lexicon.property(test.owner, test.key) for test in tests]
        placed = all(each is not None and each.kind is Role.PLACE for each in words)
        return denied or (not placed and thing is not None and thing.kind in _PLAIN)

    def _is_listed_with_amounts(self, relation: Relation) -> bool:
        """Whether what is counted lists what it is counted for, each with its amount: parcels so
        many of an item."""
        here, label, there = relation.along[0], relation.along[1], relation.along[2]
        edge = f"{there}-{label[1:]}-{here}" if label.startswith("<") else ""
        amounts = self.lexicon.properties.get(edge, {}).values()
        listed = not relation.one and any(each.kind in QUANTITIES for each in amounts)
        return len(relation.along) == _EDGE and listed

    def _value_groups(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Values of a property that have many or few things."""
        if ask.goal not in ("threshold", "rank-by-tally"):
            raise NoWording("figures of values")
        group = ask.group
        if isinstance(group, Column) and self.tests.words(group.owner, group.key).kind is Role.DATE:
            raise NoWording("days that have the most")
        yield from self._breakdown(ask)
