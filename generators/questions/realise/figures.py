"""Slots of figures: over all, for each value of a property, ranks by a property.

The frames of a figure draw on one set of slots, which are one class and a module of over 600 lines.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    Year,
)
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import (
    MOMENTS,
    Property,
    Role,
    Standing,
    Tense,
    ThingKind,
)
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.phrases.tree import ALIKE, NP, Clause, Listing, Phrase, Text, depth_of
from generators.questions.realise.conditions.category_value import STANDINGS
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.conditions.values import number_text, value_text
from generators.questions.realise.figure_rules import Grouped, see_groups, see_measurable
from generators.questions.realise.lists import Lists
from generators.questions.realise.pieces import (
    ABOVE,
    AVERAGES,
    BOUNDS,
    EXTREME,
    SORTED,
    Slots,
    also,
    done_at_end,
    done_behind,
    done_by,
    extreme,
    extremes,
    farthest,
    given_last,
    is_amount_of,
    is_given,
    is_happening,
    is_main,
    is_only_date,
    is_vague,
    of_what,
    only_moment,
    superlative_of,
    with_option,
)
from generators.questions.realise.things import Described
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.lists import word_set

_MEMBERED = ("party", "club", "department", "league", "conference", "division", "team")
_GRADED = dict.fromkeys(_MEMBERED, "in") | dict.fromkeys(("level", "stage", "tier"), "at")
_GRADED |= {"status": "in", "role": "in"}  # what stands before "each" of them
_UNMEASURED = STANDINGS | word_set("no_owners")
_SORTS = frozenset(
    {"brand", "breed", "genre", "grade", "level", "make", "priority", "severity", "style"}
)  # of which there is one "of" each thing: each severity of violation
_WAYS = frozenset({"channel", "method", "mode"})
_ALONE = _WAYS - {"channel"}  # which say little without what they are of
_REMARKS = frozenset({"comment", "description", "message", "note", "notes", "remark", "remarks"})
_COMPOUND = 2  # words of a noun before which another makes a compound that is read at once
_RHYTHMS = frozenset({"annual", "daily", "hourly", "monthly", "weekly", "yearly"})
_OWNING = frozenset({ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.PLACE})
_ITEMISED = frozenset({ThingKind.DOCUMENT, ThingKind.EVENT, ThingKind.TRANSACTION})
_ADDED = frozenset({Role.COUNT, Role.DURATION, Role.MONEY})  # of which each has its part
_COUNTABLE = frozenset({Role.CATEGORY, Role.PLACE})  # whose different values are counted


@dataclass(frozen=True, slots=True)
class _Values:
    """Values of a property that are chosen by their figure: its words, their noun phrase, and
    whether they are sorts of what is counted."""

    ask: Ask
    figure: Figure
    words: Property
    np: NP
    sorts: bool


class Figures(Lists):
    """Fills the slots of figures and ranks."""

    # --- figures -------------------------------------------------------------------------

    def _measure(self, figure: Figure, words: Property | None = None) -> NP:
        """ "average price", "number of orders"."""
        if not figure.key:
            raise NoWording("a measure of nothing")
        words = words or self.tests.words(figure.owner, figure.key)
        see_measurable(figure, words, self.lexicon)
        high, low = extremes(words)
        prefix = {**AVERAGES, "min": low, "max": high}[figure.how]
        noun = given_last(words.noun)
        first = noun.split()[0]
        if words.kind is Role.COUNT and is_plural(noun) and first not in EXTREME:
            return NP(f"{prefix} number of {noun}", "", atoms=(figure,))
        measure = f"{prefix} {noun}"
        return NP(measure, measure, many=is_plural(noun), atoms=(figure,))

    def _own_measure(
        self,
        figure: Figure,
        focus: Thing,
        np: NP | None = None,
        *,
        people: bool = False,
        grouped: bool = True,
    ) -> NP | None:
        """ "average trip duration": a measure of things of which nothing else is said; `np` are
        things that may be amounts themselves: "the average fine paid by card"."""
        noun = self.things.noun(focus.type).singular
        words = self.tests.words(figure.owner, figure.key)
        if is_amount_of(noun, words) and figure.how != "sum" and (np or focus.bare):
            average = self._measure(figure).one.partition(" ")[0]
            if np is None:
                return NP(f"{average} {noun}", "", atoms=(figure,))
            return replace(np, many=False, det="", pre=(Text(average, (figure,)), *np.pre))
        if not focus.bare:
            return None
        counted = words.noun.removeprefix("number of ")
        if figure.how == "avg" and words.kind is Role.COUNT and is_plural(counted) and not grouped:
            return NP(f"average number of {counted} per {noun}", "", atoms=(figure,))
        given = is_given(words.noun)
        if figure.how == "avg" and not grouped and (given or self._is_by_each(focus, words)):
            return NP(f"average {given_last(words.noun)} per {noun}", "", atoms=(figure,))
        if self.things.who(focus.type) and not people:  # "how old are pilots on average"
            return None
        if " " in noun or " " in words.noun or is_plural(words.noun) or noun == words.noun:
            return None
        lead, _, rest = self._measure(figure).one.partition(" ")
        measure = f"{lead} {noun} {rest}"
        return NP(measure, measure, atoms=(figure,))

    def _is_by_each(self, focus: Thing, words: Property) -> bool:
        """Whether an amount is of each of what happens: "the average bail amount per charge", but
        "the average payment amount"."""
        thing = self.lexicon.thing(focus.type)
        brief = " " not in words.noun and " " not in self.things.noun(focus.type).singular
        each = thing is not None and thing.kind in _ITEMISED and " per " not in words.noun
        return each and not brief and words.kind in _ADDED

    def _of_extreme(self, figure: Figure, focus: Thing) -> Iterator[tuple[Slots, float]]:
        """ "How old is the oldest driver from Lyon?"."""
        words = self.tests.words(figure.owner, figure.key)
        word = {"max": words.most, "min": words.least}.get(figure.how, "")
        if not word or not words.ask or "…" in words.ask or words.kind in MOMENTS:
            return
        if words.ask == "how much":  # "how much is the heaviest" asks for its price
            return
        for head in self.things.describe(focus, many=False)[:2]:
            np = replace(head.np, det="the", pre=(Text(word, (figure,)), *head.np.pre))
            yield {"Q": Text(words.ask), "XF": np}, head.cost - 0.3

    def _extremes(self, figures: list[Figure]) -> Slots:
        low, high = sorted(figures, key=lambda f: f.how != "min")
        first, second = self._measure(low), self._measure(high)
        adjective = first.one.partition(" ")[0]
        above, _, noun = second.one.partition(" ")
        lead = "number of "
        many = f"numbers of {noun.removeprefix(lead)}" if noun.startswith(lead) else plural(noun)
        both = f"{above} {noun if second.many else many}"
        return {
            "LO": NP(adjective, adjective, atoms=(low,)),
            "HI": NP(second.one, second.several, atoms=(high,)),
            "HIS": Text(both, (high,)),
        }

    def _overall(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """One figure over all things."""
        figure, focus = ask.figures[0], ask.focus
        if focus.name:
            raise NoWording("a figure of one thing")
        if ask.goal == "share" and figure.test is not None:
            test = figure.test
            for each in focus.tests:
                if isinstance(each, Test) and (each.key == test.key or each.op in ("<>", "not in")):
                    raise NoWording("a share of what is settled already")
            if any(relation.how == "no" for relation in focus.relations):
                raise NoWording("a share of those that lack something")
            words = self.tests.words(test.owner, test.key)
            if words.kind is Role.TEXT or words.noun.rpartition(" ")[2] in _REMARKS:
                raise NoWording("a share of one text", "Nobody asks how often it is said.")
            yield from self._shares(focus, figure, test, {})
        elif ask.goal == "count-values":
            yield from self._counted_values(focus, figure)
        elif not figure.key:
            yield from self._owned_by_one(focus, figure)
            for slots, cost in self._listed(focus, {}):
                counted = slots.get("F")
                if isinstance(counted, NP):
                    yield {**slots, "F": also(counted, figure)}, cost
        else:
            figured = self._both_ends if len(ask.figures) == 2 else self._one_figure
            for head in self.things.describe(focus):
                yield from figured(ask, head)

    def _owned_by_one(self, focus: Thing, figure: Figure) -> Iterator[tuple[Slots, float]]:
        """ "How many sites does Hebble Housing have?", for those that are "of" it."""
        for relation in focus.relations if self.form == "contracted" else ():
            other = relation.other
            path = self.lexicon.path(relation.along)
            phrase = path.forward if path is not None else None
            if phrase is None or phrase.particle != "of" or phrase.verb or phrase.be:
                continue
            if relation.how != "some" or not other.name or relation.tests:
                continue
            if other.tests or other.relations or relation.rivals or relation.steps:
                continue
            for head in self.things.describe(focus, but=[relation]):
                if head.np.post or head.np.relative:
                    continue  # "how many sites with a lift does it have"
                counted = replace(head.np, atoms=(*head.np.atoms, figure, relation))
                for owner in self.things.describe(other, many=False):
                    have: Slots = {"OWN": Clause(verb="have"), "OWNER": owner.np}
                    yield {"OWNED": counted, **have}, head.cost + owner.cost

    def _counted_values(self, focus: Thing, figure: Figure) -> Iterator[tuple[Slots, float]]:
        """ "How many different genres do the books have?"."""
        words = self.tests.words(figure.owner, figure.key)
        if words.kind not in _COUNTABLE or is_plural(words.noun) or words.noun in ("sex", "gender"):
            raise NoWording("a number of values that nobody counts")
        noun = NP(words.noun, words.plural or plural(words.noun), many=True, atoms=(figure,))
        name = "CP" if words.kind is Role.PLACE and self.form == "contracted" else "C"
        for head in self.things.describe(focus):
            yield {"F": head.np, name: noun}, head.cost

    def _both_ends(self, ask: Ask, head: Described) -> Iterator[tuple[Slots, float]]:
        """ "The lowest and highest price", "how old are the youngest and the oldest"."""
        yield {"F": head.np, **self._extremes(ask.figures)}, head.cost
        words = self.tests.words(ask.figures[0].owner, ask.figures[0].key)
        paid = words.verb is not None and words.verb.verb == "cost"
        if words.kind in MOMENTS or "…" in words.ask or (words.ask == "how much" and not paid):
            return  # "how much are the lightest" asks for their price
        if words.most and words.least and words.ask:
            low, high = sorted(ask.figures, key=lambda f: f.how != "min")
            ends = {"INF": Text(words.least, (low,)), "SUP": Text(words.most, (high,))}
            yield {"Q": Text(words.ask), "F": head.np, **ends}, head.cost

    def _one_figure(self, ask: Ask, head: Described) -> Iterator[tuple[Slots, float]]:
        """ "The average price of books", "how old is the oldest", "how much do books cost"."""
        figure, np = ask.figures[0], head.np
        yield {"F": np, "M": self._measure(figure)}, head.cost
        if own := self._own_measure(figure, ask.focus, np, grouped=False):
            yield {"OM": own}, head.cost - 0.3
        yield from self._of_extreme(figure, ask.focus)
        if figure.how == "avg" and not np.relative:
            length = sum(1.2 if isinstance(post, Listing) else 0.5 for post in np.post)
            far = (
                length if len(np.post) > 1 or length > 1 else 0.0
            )  # "… founded after 1980 on average"
            for slots, cost in self._asked(figure.owner, figure.key, figure, {"F": np}):
                yield slots, cost + head.cost + far

    def _shares(
        self, focus: Thing, figure: Figure, test: Test, group: Slots
    ) -> Iterator[tuple[Slots, float]]:
        """ "What share of flats have a balcony?", "share of flats with balcony"; of flats of which
        more is said a search says which are the whole: "share of all new flats that have a
        balcony", "of all flats with a lift, share with balcony"."""
        search = self.form == "search" and not focus.bare
        for head in self.things.describe(focus):
            brief = not group and _ends_plainly(head.np)
            parted = search and not brief
            for option in self.things.predicates(test):
                phrase = also(option.phrase, figure, test)
                whole: Slots = {"FA" if search and brief else "FO" if parted else "F": head.np}
                yield {**whole, "P": phrase, **group}, head.cost + option.cost
            for option in self.tests.options(test):
                if group and option.place == "rel":
                    continue  # "stations that are open by class"
                cost = head.cost + option.cost - 0.5
                such = with_option(head.np, option)
                whose = isinstance(option.phrase, Text) and option.phrase.words.startswith("whose")
                if parted and option.place == "post" and not whose:
                    part = also(option.phrase, figure, test)
                    yield {"FO": head.np, "PART": part, **group}, cost
                elif not search and such is not None:
                    yield {"SHARE": also(such, figure), **group}, cost

    def _breakdown(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Figures for each value of a property."""
        by = self._grouped_by(ask)
        verb = by.words.verb if not _paid_for(by.words) else None
        if isinstance(by.group, Year) and ask.relation is None and verb is not None:
            yield from self._done_each(ask, verb, by.group)
            if not only_moment(self.lexicon, by.group):
                return
        noun = self._group_noun(by)
        atoms: list[Atom] = [by.group]
        if ask.relation is not None:
            noun = self._noun_beside(by, ask.relation, noun)
            atoms.append(ask.relation)
        if by.chosen:
            yield from self._top_groups(ask, noun, atoms)
            return
        if ask.top is not None and not isinstance(ask.top.by, Figure):
            if ask.top.most or not isinstance(ask.top.by, Year):
                raise NoWording("groups in an order")
            atoms.append(ask.top)
        g = whole = NP(noun, plural(noun), atoms=tuple(atoms))
        if ask.relation is None and noun in SORTED - {"sex", "gender"} | {*_GRADED}:
            owned = f"{self.things.noun(ask.focus.type).singular} {noun}"
            whole = replace(g, one=owned, several=plural(owned))  # "for each product type, …"
        groups: Slots = {"G": g, "GF": whole}
        figure = ask.figures[0]
        parts = ask.relation is None and noun in SORTED - {"sex", "gender"} | _SORTS
        if parts and ask.focus.bare and figure.key and len(ask.figures) == 1:
            what = self.things.noun(ask.focus.type).singular
            sort = f"{what} status" if noun == "status" else f"{noun} of {what}"
            groups["GT"] = replace(g, one=sort)  # "the average labour time for each type of job"
        if figure.how == "share" and figure.test is not None:
            yield from self._shares(ask.focus, figure, figure.test, groups)
            return
        before = self._of_each_value(ask, by.words)
        each = Text(f"{before} each {noun}", tuple(atoms)) if before else None
        if self.form == "contracted" and not (figure.key or ask.focus.bare):
            of = "of" if before and noun.endswith("status") else before
            yield from self._claimed_of_each(ask, f"{of} each {noun}" if of else "", g)
        for head in self.things.describe(ask.focus):
            if each is not None:
                yield from self._in_each(ask, each, head)
            yield from self._by_group(ask, head, groups, self._parted_by(each, head.np, figure))

    def _grouped_by(self, ask: Ask) -> Grouped:
        """What the figures are grouped by.

        Raises:
            NoWording: nobody groups by it.
        """
        group = ask.group
        assert isinstance(group, Column | Year)  # noqa: S101 - breakdowns have one
        if len(ask.figures) > 1 and {f.how for f in ask.figures} != {"min", "max"}:
            raise NoWording("several figures for each group")
        tests = tuple(test for test in group.thing.tests if isinstance(test, Test))
        by = Grouped(ask, group, self.tests.words(group.owner, group.key), tests, self.lexicon)
        see_groups(by)
        return by

    def _group_noun(self, by: Grouped) -> str:
        """ "genre", "year", "order year", "month of the order date", "payment method"."""
        group, words = by.group, by.words
        if isinstance(group, Column):
            dated = words.kind is not Role.YEAR or is_happening(self.lexicon, group.owner)
            noun = (words.group if dated else "") or words.noun
            own = self.things.noun(group.owner).singular
            return of_what(own, noun) if noun in _ALONE else noun
        if _paid_for(words):
            return f"{group.part} of {words.noun.rpartition(' ')[0]}"
        if not is_main(self.lexicon, group, words):
            raise NoWording("years of a date", "Nobody speaks of an end year.")
        return group.part

    def _done_each(self, ask: Ask, verb: PathPhrase, year: Year) -> Iterator[tuple[Slots, float]]:
        """ "How many remakes were returned each year?"."""
        figure, top = ask.figures[0], ask.top
        ordered = top is None or (isinstance(top.by, Year) and not top.most)
        if len(ask.figures) > 1 or not ordered:
            return
        atoms: tuple[Atom, ...] = (year,) if top is None else (year, top)
        clause = Clause(verb=verb.verb, be=verb.be, tense=Tense.PAST, atoms=atoms)
        brief = Option("post", Text(verb.be, atoms)) if verb.be else Option("rel", clause)
        for head in self.things.describe(ask.focus):
            number = () if figure.key else (figure,)
            np = replace(head.np, atoms=(*head.np.atoms, *number))
            counted: Slots = {"F": np, "DV": clause}
            slots: Slots = {"M": self._measure(figure)} if figure.key else counted
            option = Option("rel", clause) if np.post else brief
            done = None if np.relative else with_option(np, option)
            yield {**slots, "PT": Text(year.part), **({"FD": done} if done else {})}, head.cost

    def _noun_beside(self, by: Grouped, relation: Relation, noun: str) -> str:
        """The noun of a group that is what another thing has: "status of the lease"."""
        if not by.group.thing.bare or relation.tests or relation.how != "some":
            raise NoWording("groups by a part of what is beside")
        if not relation.one:
            raise NoWording("figures that count for several groups")
        if relation.rivals:
            raise NoWording("one of two relations", "A shipment goes to a site as well.")
        other = self.things.noun(by.group.thing.type).singular
        brief = " " not in noun if self.form == "search" else self._is_brief(other, noun)
        if noun in ("gender", "sex"):
            return f"{noun} of the {self.things.noun(by.group.thing.type).plural}"
        compound = noun in SORTED or brief
        if compound and noun not in (other, "name"):
            return f"{other} {noun}"  # "lease status"
        if noun == other:
            return noun
        return other if noun == "name" else f"{noun} of the {other}"

    def _is_brief(self, other: str, noun: str) -> bool:
        """Whether what another thing has reads at once before what it is: "per pilot licence
        class", which level 2 says in full."""
        short = " " not in other and noun.count(" ") < _COMPOUND and " of " not in noun
        return self.form == "contracted" and short and not is_plural(noun)

    def _in_each(self, ask: Ask, each: Text, head: Described) -> Iterator[tuple[Slots, float]]:
        """With the groups behind a noun: "how much do books of each genre cost"."""
        figure, np = ask.figures[0], head.np
        if figure.how == "count" and not figure.key:
            yield from self._parted(ask, each, figure)
        if len(ask.figures) > 1 or not figure.key:
            return
        if figure.how == "avg" and not np.post and not np.relative:
            parted = replace(np, post=(each,))
            for slots, cost in self._asked(figure.owner, figure.key, figure, {}):
                yield {**slots, "FE": parted}, cost + head.cost
        for slots, cost in self._of_extreme(figure, ask.focus):
            oldest = slots["XF"]
            if isinstance(oldest, NP) and not oldest.post and not oldest.relative:
                yield {**slots, "GE": each}, cost - 0.3

    def _claimed_of_each(self, ask: Ask, each: str, g: NP) -> Iterator[tuple[Slots, float]]:
        """ "How many sailings of each status have more than one booking?", "for each town, how many
        owners were registered in May?"."""
        for slots, cost in self._with_predicate(ask.focus, {}):
            head, claim = slots.get("F"), slots.get("P")
            if not isinstance(head, NP) or not isinstance(claim, Clause | Listing):
                continue
            if _is_no_sort(claim):
                continue  # "customers other than churches", not that some "are not churches"
            counted = replace(head, atoms=(*head.atoms, *ask.figures))
            if each and not head.post and not head.relative:
                yield {"FE": replace(counted, post=(Text(each, g.atoms),)), "PE": claim}, cost
            yield {"FH": counted, "PE": claim, "G": g}, cost

    def _by_group(
        self, ask: Ask, head: Described, groups: Slots, parted: Slots
    ) -> Iterator[tuple[Slots, float]]:
        """With the groups apart: "for each genre", "by genre"."""
        figure, np = ask.figures[0], head.np
        if not figure.key:
            number = replace(np, atoms=(*np.atoms, figure))
            some: Slots = {"EV" if ask.focus.bare else "SO": Text("")}  # every group, or some
            yield {"F": number, **groups, **parted, **some}, head.cost
        elif len(ask.figures) == 2:
            yield {"F": np, **groups, **self._extremes(ask.figures)}, head.cost
        else:
            yield {"F": np, "M": self._measure(figure), **groups, **parted}, head.cost
            if own := self._own_measure(figure, ask.focus, np):
                yield {"OM": own, "G": groups["G"]}, head.cost - 0.2

    def _of_each_value(self, ask: Ask, words: Property) -> str:
        """What stands before "each city" or "each type" behind a noun; "" where nothing is safe."""
        if isinstance(ask.group, Year) or ask.relation is not None or self.form == "search":
            return ""
        head = words.noun.rpartition(" ")[2]
        sorts = head in SORTED or words.equal == f"of {words.noun} {{}}"
        if sorts or words.place is Standing.BEFORE:
            return _GRADED.get(head, "of")
        before = words.equal.removesuffix(" {}")
        return before if before in ("in", "from", "at") else _GRADED.get(head, "")

    def _parted_by(self, each: Text | None, np: NP, figure: Figure) -> Slots:
        """ "The products of each type": which of them a figure is of, where nothing that is said of
        them could be said of the types."""
        lead = each.words.partition(" ")[0] if each is not None else ""
        brief = all(
            isinstance(post, Text) and not post.words.startswith("with") for post in np.post
        )
        if each is None or np.relative or not brief or (np.post and lead != "of"):
            return {}
        if figure.key and lead in ("of", "with"):
            return {}  # "the average price of the products of each type": "for each"
        counted = () if figure.key else (figure,)
        return {"FG": replace(np, post=(each, *np.post), atoms=(*np.atoms, *counted))}

    def _parted(self, ask: Ask, ge: Text, figure: Figure) -> Iterator[tuple[Slots, float]]:
        """ "How many companies of each type are there?"; of some companies not each type may have
        any."""
        if ask.focus.bare:
            noun = self.things.noun(ask.focus.type)
            bare = NP(noun.singular, noun.plural, many=True, atoms=(figure,))
            yield {"FB" if ge.words.startswith("of ") else "FI": bare, "GE": ge}, 0.0

    def _top_groups(self, ask: Ask, noun: str, atoms: list[Atom]) -> Iterator[tuple[Slots, float]]:
        """Values of a property by how many things have them, or by a figure of those."""
        (figure,) = ask.figures
        if not isinstance(ask.group, Column):
            raise NoWording("years in an order")
        words = self.tests.words(ask.group.owner, ask.group.key)
        parted = words.noun.rpartition(" ")[2] in _UNMEASURED or words.kind is Role.TEXT
        if figure.key and parted:
            raise NoWording("a measure of a status", "Its things have one, it has none.")
        sorts = noun in SORTED and ask.relation is None
        noun = "type" if sorts and noun == "kind" else noun  # "paper types"
        if sorts and (ask.bound is not None or figure.key):  # "place types", not "types"
            noun = f"{self.things.noun(ask.focus.type).singular} {noun}"
        elif noun in word_set("general") and ask.relation is None:
            noun = of_what(self.things.noun(ask.focus.type).singular, noun)
        values = _Values(ask, figure, words, NP(noun, plural(noun), atoms=tuple(atoms)), sorts)
        for head in self.things.describe(ask.focus):
            if ask.top is not None:
                yield self._first_values(values, ask.top, head.np), head.cost
            elif ask.bound is not None and figure.key:
                yield from self._by_bounded_measure(values, ask.bound, head)
            elif ask.bound is not None:
                yield from self._by_bounded_number(values, ask.bound, head)

    def _first_values(self, values: _Values, top: Top, np: NP) -> Slots:
        """ "The genre with the highest average price", "the three most common genres"."""
        many = top.count != 1
        kg = replace(values.np, many=many, det=number_text(top.count) if many else "")
        if not values.figure.key:
            return self._most_common(values, top, kg, np)
        measure = self._measure(values.figure)
        high = Text(farthest(measure.one, most=top.most), (top,))
        slots: Slots = {"KG": kg, "F": np, "M": measure, "HI": high}
        if _is_owning(values.words):  # no position has reports
            slots["OW"] = Text("")
        else:
            slots["FT"] = replace(np, det="their" if many else "its")
        if values.sorts and values.ask.focus.bare:
            slots["GS"] = kg
        if own := self._own_measure(values.figure, values.ask.focus, people=True):
            slots["OM"] = own
        return slots

    @staticmethod
    def _most_common(values: _Values, top: Top, kg: NP, np: NP) -> Slots:
        """ "The city with the most shops", "the most common screen format"."""
        ask, words, noun = values.ask, values.words, values.np.one
        atoms: tuple[Atom, ...] = (values.figure, top)
        if _is_owning(words):
            most = "the most" if top.most else "the fewest"
            return {"KG": kg, "MF": replace(np, det=most, atoms=(*np.atoms, *atoms))}
        common = Text("most common" if top.most else "least common", atoms)
        named = noun in SORTED | {*_GRADED} or words.equal == f"of {noun} {{}}"
        short = " " not in noun and words.kind is Role.CATEGORY and not np.who
        short = short and noun != "currency"  # in which they are
        named = named or (short and np.one.count(" ") < _COMPOUND)  # "film languages"
        own = noun.startswith((f"{np.one} ", f"{np.one.rpartition(' ')[2]} "))
        if own and ask.relation is None and ask.focus.bare:
            whole = noun if noun.startswith(np.one) else f"{np.one} {noun.partition(' ')[2]}"
            return {"CS": replace(kg, one=whole, several=plural(whole), pre=(common,))}
        if named and ask.relation is None and ask.focus.bare:  # "screen formats"
            kg = replace(kg, one=f"{np.one} {kg.one}", several=f"{np.one} {kg.several}")
            return {"CS": replace(kg, pre=(common,))}
        # "payment methods for sales", "day jobs among volunteers"
        among = Text("among" if np.who or " of " in noun else "for")
        return {"KG": kg, "F": np, "AMG": among, "CG": replace(kg, pre=(common,))}

    def _by_bounded_measure(
        self, values: _Values, bound: Bound, head: Described
    ) -> Iterator[tuple[Slots, float]]:
        """ "The genres whose average price is above €20", "with an average price above €20"."""
        ask, figure = values.ask, values.figure
        g = replace(values.np, many=True)
        words = self.tests.words(figure.owner, figure.key)
        than = f"{ABOVE[bound.op]} {value_text(bound.value, words)}"
        measure = self._measure(figure)
        slots: Slots = {"G": g, "F": head.np, "M": measure, "BV": Text(than, (bound,))}
        slots["AM"] = Text(a(measure.one), measure.atoms)
        if values.sorts and ask.focus.bare:
            slots["GS"] = g
        added = figure.how == "avg" and words.kind in _ADDED and not _is_by_period(words)
        if added and ask.focus.bare:  # "an average income above €5 per visit"
            slots["EACH"] = Text(self.things.noun(ask.focus.type).singular)
        yield slots, head.cost
        if own := self._own_measure(figure, ask.focus, people=True):
            yield {"G": g, "OB": Text(f"{a(own.one)} {than}", (figure, bound))}, 0.0

    @staticmethod
    def _by_bounded_number(
        values: _Values, bound: Bound, head: Described
    ) -> Iterator[tuple[Slots, float]]:
        """ "The genres of more than three books", "the directors who directed at least two"."""
        if not isinstance(bound.value.value, int):
            return
        g = replace(values.np, many=True)
        number = number_text(bound.value.value)
        det = BOUNDS.get(bound.op, "").replace("{}", number).replace("less", "fewer")
        counted = replace(head.np, det=det, atoms=(*head.np.atoms, values.figure, bound))
        yield {"G": g, "BO": counted}, head.cost
        if values.ask.relation is None and (doing := done_by(values.words)) is not None:
            yield {"G": g, "GV": replace(doing, object=counted)}, head.cost - 0.5
        if g.one.rpartition(" ")[2] in _WAYS:  # by which something is done
            used = Listing((Text("used for"), counted), "\0")
            by_them = Clause(be="used", particle="for", tense=Tense.PAST, object=counted)
            yield {"GV": by_them, "G": g, "GU": replace(g, post=(used,))}, head.cost - 0.5

    # --- ranks ---------------------------------------------------------------------------

    def _rank(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        top, focus = ask.top, ask.focus
        assert top is not None  # noqa: S101 - ranks have one
        if not isinstance(top.by, Column) or top.by.thing is not focus:
            raise NoWording("a rank by what is far away")
        words = self.tests.words(top.by.owner, top.by.key)
        if words.kind in (Role.CATEGORY, Role.FLAG, Role.NAME, Role.TEXT, Role.CODE):
            raise NoWording("a rank by the alphabet")
        if any(not column.key for column in ask.columns):
            raise NoWording("things beside a rank")
        by = top.by
        if words.verb is not None and self._is_over(focus):  # "the finished ones that ended last"
            words = replace(words, verb=replace(words.verb, tense=Tense.PAST))
        superlative = superlative_of(words, most=top.most)
        if is_vague(self.lexicon, by.owner, by.key, superlative):
            superlative = ""
        many = top.count != 1
        number = "" if not many else number_text(top.count)
        have = f"the {extreme(words, most=top.most, many=many)}"
        extra: Slots = {}
        if ask.columns:
            extra = {"C": self._nouns(ask.columns, many=many)}
        atoms: tuple[Atom, ...] = (top, by)
        done = done_at_end(words, most=top.most)
        if not superlative and done is None and is_only_date(self.lexicon, by, words):
            superlative = "latest" if top.most else "earliest"
        for head in self.things.describe(focus, many=many):
            kf = replace(head.np, det=number)
            base: Slots = {"KF": kf, **extra}
            if done is not None and not kf.relative:
                yield from self._done_at_end(replace(done, atoms=atoms), base, kf, head.cost)
                continue
            clause = Clause(verb="have", object=Text(have), atoms=atoms)
            yield {**base, "T": clause}, head.cost
            with_most = Option("post", Text(f"with {have}", atoms))
            if not superlative and (kf.relative or _has_things(kf)):
                # not "the permit with the latest date whose material is marble"
                those, word = self.things.describe(focus)[0], number or "one"
                one = NP(word, word, many)
                first = done and done_behind(one, replace(done, atoms=atoms))
                first = first or replace(one, post=(with_most.phrase,))
                yield {**base, "FO": those.np, "ONE": first}, those.cost
                continue
            with_it = with_option(kf, with_most)
            if with_it is not None and not depth_of(kf.post):  # of what a clause ends with
                yield {**base, "KV": with_it}, head.cost
            if superlative:
                lead = f"{number} {superlative}".strip()
                sf = replace(head.np, det="the", pre=(Text(lead, atoms), *head.np.pre))
                yield {"SF": sf, **base}, head.cost - 0.3

    def _done_at_end(
        self, done: Clause, base: Slots, kf: NP, cost: float
    ) -> Iterator[tuple[Slots, float]]:
        """ "Which wheel was loaded first?", "the three wheels loaded most recently"."""
        yield {**base, "T": done}, cost
        behind = None if depth_of(kf.post) else done_behind(kf, done)
        if behind is not None:
            yield {**base, "KV": behind}, cost


def _paid_for(words: Property) -> bool:
    """Whether what is done ends in "for", so that "paid for each year" is read twice."""
    return words.verb is not None and words.verb.be.endswith(" for")


def _ends_plainly(np: NP) -> bool:
    """Whether a clause behind it would be said of it and of nothing that it ends with."""
    ends = [post.words.rpartition(" ")[2] if isinstance(post, Text) else "" for post in np.post]
    return not np.relative and all(end and not is_plural(end) for end in ends)


def _is_owning(words: Property) -> bool:
    """Whether values of a property have things: a town, a director, but not a position."""
    return words.kind is Role.PLACE or kind_of(words.noun)[0] in _OWNING


def _is_no_sort(claim: Phrase) -> bool:
    """Whether things are said to be none of a sort: "are not churches"."""
    match claim:
        case Clause(negated=True, object=NP(det=det)):
            return det == ALIKE
    return False


def _has_things(np: NP) -> bool:
    """Whether what stands behind a noun ends in what it has: "venues with more than four concerts",
    of which "with the highest fee" would be said."""
    return any(isinstance(post, Listing) and post.parts[:1] == (Text("with"),) for post in np.post)


def _is_by_period(words: Property) -> bool:
    """Whether an amount is of a period or of something else, and not of each thing: an income."""
    return " per " in words.noun or words.noun.partition(" ")[0] in _RHYTHMS
