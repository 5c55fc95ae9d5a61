"""Slots of figures: over all, for each value of a property, ranks by a property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Ask,
    Atom,
    Column,
    Either,
    Figure,
    Test,
    Thing,
    Year,
)
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.links import STATES
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Property,
    Role,
    Standing,
    Tense,
    ThingKind,
)
from generators.questions.phrases.tree import NP, Clause, Listing, Text, depth_of
from generators.questions.realise.conditions.category_value import STANDINGS
from generators.questions.realise.lists import Lists
from generators.questions.realise.options import Option
from generators.questions.realise.pieces import (
    ABOVE,
    AVERAGES,
    BOUNDS,
    EXTREME,
    NTH,
    SORTED,
    Slots,
    also,
    extreme,
    extremes,
    is_happening,
    only_moment,
    with_option,
)
from generators.questions.realise.values import number_text, value_text
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.verbs import by_past

_MEMBERED = ("party", "club", "department", "league", "conference", "division", "team")
_GRADED = dict.fromkeys(_MEMBERED, "in") | dict.fromkeys(("level", "stage", "tier"), "at")
_GRADED |= {"status": "with", "role": "in"}  # what stands before "each" of them
_SOLD = frozenset(
    {ThingKind.TRANSACTION, ThingKind.RECORD, ThingKind.DOCUMENT, ThingKind.EVENT}
)  # what has a price of its own each time
_NUMBERED = QUANTITIES | MOMENTS | {Role.YEAR, Role.RANK, Role.RATING}
_WRITTEN = frozenset(
    [
        "body",
        "comment",
        "description",
        "forename",
        "message",
        "name",
        "note",
        "notes",
        "remark",
        "remarks",
        "surname",
        "text",
        "title",
    ]
)
_UNMEASURED = STANDINGS | {"cause", "reason"}
_RANGES = frozenset({"<", "<=", ">", ">=", "=", "between"})
_COMPOUND = 2  # words of a noun before which another makes a compound that is read at once
_OWNING = frozenset({ThingKind.PERSON, ThingKind.ORGANISATION})
_COUNTABLE = frozenset({Role.CATEGORY, Role.PLACE})  # whose different values are counted


def _done_by(words: Property) -> Clause | None:
    """What somebody does whose name a column has: directors direct what is "directed by {}"."""
    first, _, rest = words.equal.partition(" ")
    verb = by_past(first) if rest == "by {}" else None
    if verb is None:
        return None
    return Clause(verb=verb.base, tense=Tense.PRESENT if verb.base in STATES else Tense.PAST)


def _bounds(test: Test | Either, key: str) -> bool:
    """Whether nobody asks for a figure: the average price of books between 10 and 20 euros."""
    return isinstance(test, Test) and test.key == key and test.op in _RANGES


class Figures(Lists):
    """Fills the slots of figures and ranks."""

    # --- figures -------------------------------------------------------------------------

    def _measure(self, figure: Figure, words: Property | None = None) -> NP:
        """ "average price", "number of orders"."""
        if not figure.key:
            raise NoWording("a measure of nothing")
        words = words or self.tests.words(figure.owner, figure.key)
        if (figure.how == "sum" and not words.sums) or (figure.how == "avg" and not words.averages):
            raise NoWording(f"the {figure.how} of {figure.key}", "Such a figure means nothing.")
        if figure.how != "sum" and any(_bounds(t, figure.key) for t in figure.thing.tests):
            raise NoWording(f"the {figure.how} of {figure.key}", "It is bounded already.")
        born = words.noun.startswith(("birth ", "date of birth", "year of birth"))
        if born and figure.how in ("min", "max"):
            raise NoWording("the latest birth", "People ask for the youngest.")
        thing = self.lexicon.thing(figure.owner)
        kept = thing is not None and thing.kind not in _SOLD
        if figure.how == "sum" and kept and words.noun.rpartition(" ")[2] == "price":
            raise NoWording("a sum of prices", "Nobody buys one of each.")
        weighed = thing is not None and thing.kind in (ThingKind.PERSON, ThingKind.RECORD)
        if figure.how == "sum" and weighed and words.kind is Role.MEASURE:
            raise NoWording("a sum of measures", "Nobody puts people on one balance.")
        if words.kind is Role.RANK and figure.how in ("min", "max"):
            raise NoWording("the highest of ranks", "The highest rank is the lowest number.")
        if words.kind not in QUANTITIES | MOMENTS:
            raise NoWording(f"the {figure.how} of {figure.key}", "Such a figure means nothing.")
        high, low = extremes(words)
        table = {**AVERAGES, "min": low, "max": high}
        if words.kind in MOMENTS:
            table.pop("sum")
        if figure.how not in table:
            raise NoWording(f"the figure {figure.how}")
        noun = words.noun
        prefix = table[figure.how]
        first = noun.split()[0]
        again = first in EXTREME or not NTH.isdisjoint(noun.split())  # "the latest last visit"
        if first in ("total", "average", "highest", "lowest", "latest", "earliest") or (
            again and figure.how != "avg"
        ):
            raise NoWording("a figure of a figure")
        if words.kind is Role.COUNT and is_plural(noun) and first not in EXTREME:
            return NP(f"{prefix} number of {noun}", "", atoms=(figure,))
        measure = f"{prefix} {noun}"
        return NP(measure, measure, many=is_plural(noun), atoms=(figure,))

    def _own_measure(
        self, figure: Figure, focus: Thing, *, people: bool = False, grouped: bool = True
    ) -> NP | None:
        """ "average trip duration": a measure of things of which nothing else is said."""
        noun = self.things.noun(focus.type).singular
        words = self.tests.words(figure.owner, figure.key)
        if not focus.bare:
            return None
        counted = words.noun.removeprefix("number of ")
        if figure.how == "avg" and words.kind is Role.COUNT and is_plural(counted) and not grouped:
            return NP(f"average number of {counted} per {noun}", "", atoms=(figure,))
        if self.things.who(focus.type) and not people:  # "how old are pilots on average"
            return None
        if " " in noun or " " in words.noun or is_plural(words.noun) or noun == words.noun:
            return None
        lead, _, rest = self._measure(figure).one.partition(" ")
        measure = f"{lead} {noun} {rest}"
        return NP(measure, measure, atoms=(figure,))

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
        if ask.focus.name:
            raise NoWording("a figure of one thing")
        figure = ask.figures[0]
        focus = ask.focus
        if ask.goal == "share" and figure.test is not None:
            test = figure.test
            for each in focus.tests:
                if isinstance(each, Test) and (each.key == test.key or each.op in ("<>", "not in")):
                    raise NoWording("a share of what is settled already")
            yield from self._shares(focus, figure, test, {})
            return
        if ask.goal == "count-values":
            words = self.tests.words(figure.owner, figure.key)
            if words.kind not in _COUNTABLE or is_plural(words.noun):
                raise NoWording("a number of values that nobody counts")
            noun = NP(words.noun, words.plural or plural(words.noun), many=True, atoms=(figure,))
            name = "CP" if words.kind is Role.PLACE and self.form == "contracted" else "C"
            for head in self.things.describe(focus):
                yield {"F": head.np, name: noun}, head.cost
            return
        if not figure.key:
            for slots, cost in self._listed(focus, {}):
                counted = slots.get("F")
                if isinstance(counted, NP):
                    yield {**slots, "F": also(counted, figure)}, cost
            return
        for head in self.things.describe(focus):
            np = head.np
            if len(ask.figures) == 2:
                yield {"F": np, **self._extremes(ask.figures)}, head.cost
                words = self.tests.words(figure.owner, figure.key)
                asked = "" if words.kind in MOMENTS or "…" in words.ask else words.ask
                paid = words.verb is not None and words.verb.verb == "cost"
                if asked == "how much" and not paid:
                    asked = ""  # "how much are the lightest" asks for their price
                if words.most and words.least and asked:
                    low, high = sorted(ask.figures, key=lambda f: f.how != "min")
                    yield (
                        {
                            "Q": Text(asked),
                            "F": np,
                            "INF": Text(words.least, (low,)),
                            "SUP": Text(words.most, (high,)),
                        },
                        head.cost,
                    )
            else:
                yield {"F": np, "M": self._measure(figure)}, head.cost
                if own := self._own_measure(figure, focus, grouped=False):
                    yield {"OM": own}, head.cost - 0.3
                yield from self._of_extreme(figure, focus)
                if figure.how == "avg" and not np.relative:
                    far = 1.2 * any(isinstance(post, Listing) for post in np.post)
                    for slots, cost in self._asked(figure.owner, figure.key, figure, {"F": np}):
                        yield slots, cost + head.cost + far

    def _shares(
        self, focus: Thing, figure: Figure, test: Test, group: Slots
    ) -> Iterator[tuple[Slots, float]]:
        """ "What share of flats have a balcony?", "share of flats with balcony"."""
        for head in self.things.describe(focus):
            for option in self.things.predicates(test):
                phrase = also(option.phrase, figure, test)
                yield {"F": head.np, "P": phrase, **group}, head.cost + option.cost
            for option in self.tests.options(test):
                whole = with_option(head.np, option)
                if group and option.place == "rel":
                    continue  # "stations that are open by class"
                if whole is not None and not head.np.post and not head.np.relative:
                    yield {"SHARE": also(whole, figure), **group}, head.cost + option.cost - 0.5

    def _breakdown(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Figures for each value of a property."""
        group = ask.group
        assert isinstance(group, Column | Year)  # noqa: S101 - breakdowns have one
        figures = ask.figures
        if len(figures) > 1 and {f.how for f in figures} != {"min", "max"}:
            raise NoWording("several figures for each group")
        words = self.tests.words(group.owner, group.key)
        if words.kind is Role.FLAG:
            raise NoWording("groups by a yes or no")
        bounded = ask.bound is not None or (ask.top is not None and ask.top.count)
        if bounded and (words.kind in _NUMBERED or words.noun in ("sex", "gender")):
            raise NoWording("numbers or sexes by how many there are")
        counted = ask.bound is not None and not figures[0].key
        if counted and words.noun.rpartition(" ")[2] in SORTED | {"outcome", "result"}:
            raise NoWording("sorts by how many there are")
        if words.noun.rpartition(" ")[2] in _WRITTEN:
            raise NoWording("groups by a description")
        if isinstance(group, Column) and (words.kind is Role.DATE or words.noun.endswith("date")):
            raise NoWording("groups by a day", "People ask for each month or year.")
        if isinstance(group, Column) and words.noun in (plural(words.noun), "headquarters"):
            raise NoWording("groups by a plural", "Nobody says what each of several is.")
        tested = [test for test in group.thing.tests if isinstance(test, Test)]
        if words.kind is Role.PLACE and any(self._is_place(test) for test in tested):
            raise NoWording("groups by what is settled already")
        if isinstance(group, Column) and any(test.key == group.key for test in tested):
            raise NoWording("groups by what is settled already")
        if isinstance(group, Year):
            noun = group.part
            if self.form == "explicit" or not only_moment(self.lexicon, group):
                what = words.noun.removesuffix(" date")
                short = self.form != "explicit" and what != words.noun
                noun = f"{what} {group.part}" if short else f"{group.part} of the {words.noun}"
        else:
            dated = words.kind is not Role.YEAR or is_happening(self.lexicon, group.owner)
            noun = (words.group if dated else "") or words.noun
        atoms: list[Atom] = [group]
        if ask.relation is not None:
            if not group.thing.bare or ask.relation.tests or ask.relation.how != "some":
                raise NoWording("groups by a part of what is beside")
            if not ask.relation.one:
                raise NoWording("figures that count for several groups")
            other = self.things.noun(group.thing.type).singular
            compound = noun in SORTED or (self.form == "search" and " " not in noun)
            if compound and noun not in (other, "name"):
                noun = f"{other} {noun}"  # "lease status"
            elif noun != other:
                noun = other if noun == "name" else f"{noun} of the {other}"
            atoms.append(ask.relation)
        if ask.bound is not None or (ask.top is not None and ask.top.count):
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
        figure = figures[0]
        before = self._of_each_value(ask, words)
        ge = Text(f"{before} each {noun}", tuple(atoms)) if before else None
        for head in self.things.describe(ask.focus):
            np = head.np
            parted = self._parted_by(ge, np, figure)
            if ge is not None and figure.how == "count" and not figure.key:
                yield from self._parted(ask, ge, figure)
            if ge is not None and len(figures) == 1 and figure.key:
                if figure.how == "avg" and not np.post and not np.relative:
                    each = replace(np, post=(ge,))
                    for slots, cost in self._asked(figure.owner, figure.key, figure, {}):
                        yield {**slots, "FE": each}, cost + head.cost
                for slots, cost in self._of_extreme(figure, ask.focus):
                    oldest = slots["XF"]
                    if isinstance(oldest, NP) and not oldest.post and not oldest.relative:
                        yield {**slots, "GE": ge}, cost - 0.3
            if figure.how == "share" and figure.test is not None:
                yield from self._shares(ask.focus, figure, figure.test, {"G": g, "GF": whole})
                return
            elif not figure.key:
                number = replace(np, atoms=(*np.atoms, figure))
                yield {"F": number, "G": g, "GF": whole, **parted}, head.cost
            elif len(figures) == 2:
                yield {"F": np, "G": g, "GF": whole, **self._extremes(figures)}, head.cost
            else:
                slots = {"F": np, "M": self._measure(figure), "G": g, "GF": whole, **parted}
                yield slots, head.cost
                if own := self._own_measure(figure, ask.focus):
                    yield {"OM": own, "G": g}, head.cost - 0.2

    def _is_place(self, test: Test) -> bool:
        words = self.lexicon.property(test.owner, test.key)
        return words is not None and words.kind is Role.PLACE

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
        """ "How many companies of each type have no engineers?"."""
        focus = ask.focus
        if focus.bare:
            noun = self.things.noun(focus.type)
            bare = NP(noun.singular, noun.plural, many=True, atoms=(figure,))
            yield {"FB" if ge.words.startswith("of ") else "FI": bare, "GE": ge}, 0.0
            return
        for slots, cost in self._with_predicate(focus, {}):
            head = slots.get("F")
            if isinstance(head, NP) and not head.post and not head.relative:
                np = replace(head, atoms=(*head.atoms, figure))
                yield {**slots, "F": np, "GE": ge}, cost

    def _top_groups(self, ask: Ask, noun: str, atoms: list[Atom]) -> Iterator[tuple[Slots, float]]:
        """Values of a property by how many things have them, or by a figure of those."""
        (figure,) = ask.figures
        top, bound = ask.top, ask.bound
        if not isinstance(ask.group, Column):
            raise NoWording("years in an order")
        group = self.tests.words(ask.group.owner, ask.group.key)
        parted = group.noun.rpartition(" ")[2] in _UNMEASURED or group.kind is Role.TEXT
        if figure.key and parted:
            raise NoWording("a measure of a status", "Its things have one, it has none.")
        sorts = noun in SORTED and ask.relation is None
        if sorts and (bound is not None or figure.key):  # "place types", not "types"
            noun = f"{self.things.noun(ask.focus.type).singular} {noun}"
        for head in self.things.describe(ask.focus):
            np = head.np
            if top is not None:
                many = top.count != 1
                number = number_text(top.count) if many else ""
                rank_atoms: tuple[Atom, ...] = (figure, top)
                kg = NP(noun, plural(noun), many=many, det=number, atoms=tuple(atoms))
                slots: Slots = {"KG": kg, "F": np}
                if figure.key:
                    slots["M"] = self._measure(figure)
                    slots["HI"] = Text("highest" if top.most else "lowest", (top,))
                    if sorts and ask.focus.bare:
                        slots["GS"] = kg
                    if own := self._own_measure(figure, ask.focus, people=True):
                        slots["OM"] = own
                else:
                    common = Text("most common" if top.most else "least common", rank_atoms)
                    if group.kind is Role.PLACE or kind_of(group.noun)[0] in _OWNING:
                        most = "the most" if top.most else "the fewest"
                        full = replace(np, det=most, atoms=(*np.atoms, *rank_atoms))
                        yield {"KG": kg, "MF": full}, head.cost
                        continue
                    named = noun in SORTED | {*_GRADED} or group.equal == f"of {noun} {{}}"
                    short = " " not in noun and group.kind is Role.CATEGORY and not np.who
                    named = named or (short and np.one.count(" ") < _COMPOUND)  # "film languages"
                    if named and ask.relation is None and ask.focus.bare:  # "screen formats"
                        kg = replace(kg, one=f"{np.one} {kg.one}", several=f"{np.one} {kg.several}")
                        yield {"CS": replace(kg, pre=(common,))}, head.cost
                        continue
                    # "payment methods for sales", "day jobs among volunteers"
                    slots |= {"AMG": Text("among" if np.who or " of " in noun else "for")}
                    slots |= {"CG": replace(kg, pre=(common,))}
                yield slots, head.cost
            elif bound is not None:
                g = NP(noun, plural(noun), many=True, atoms=tuple(atoms))
                if figure.key:
                    words = self.tests.words(figure.owner, figure.key)
                    than = f"{ABOVE[bound.op]} {value_text(bound.value, words)}"
                    measure = self._measure(figure)
                    slots = {"G": g, "F": np, "M": measure, "BV": Text(than, (bound,))}
                    if ask.relation is None:
                        slots["AM"] = Text(a(measure.one), measure.atoms)
                    if sorts and ask.focus.bare:
                        slots["GS"] = g
                    yield slots, head.cost
                    if own := self._own_measure(figure, ask.focus, people=True):
                        yield {"G": g, "OB": Text(f"{a(own.one)} {than}", (figure, bound))}, 0.0
                elif isinstance(bound.value.value, int):
                    number = number_text(bound.value.value)
                    det = BOUNDS.get(bound.op, "").replace("{}", number).replace("less", "fewer")
                    counted = replace(np, det=det, atoms=(*np.atoms, figure, bound))
                    yield {"G": g, "BO": counted}, head.cost
                    group = self.tests.words(ask.group.owner, ask.group.key)
                    if ask.relation is None and (doing := _done_by(group)) is not None:
                        did = replace(doing, object=counted)
                        yield {"G": g, "GV": did}, head.cost - 0.5

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
        superlative = words.most if top.most else words.least
        many = top.count != 1
        number = "" if not many else number_text(top.count)
        have = f"the {extreme(words, most=top.most, many=many)}"
        extra: Slots = {}
        if ask.columns:
            extra = {"C": self._nouns(ask.columns, many=many)}
        atoms: tuple[Atom, ...] = (top, by)
        for head in self.things.describe(focus, many=many):
            kf = replace(head.np, det=number)
            base: Slots = {"KF": kf, **extra}
            clause = Clause(verb="have", object=Text(have), atoms=atoms)
            yield {**base, "T": clause}, head.cost
            with_it = with_option(kf, Option("post", Text(f"with {have}", atoms)))
            if with_it is not None and not depth_of(kf.post):  # of what a clause ends with
                yield {**base, "KV": with_it}, head.cost
            if superlative:
                lead = f"{number} {superlative}".strip()
                sf = replace(head.np, det="the", pre=(Text(lead, atoms), *head.np.pre))
                yield {"SF": sf, **base}, head.cost - 0.3
