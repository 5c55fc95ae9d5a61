"""What fills the slots of a goal's frames: comparisons, and all goals together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Against,
    Ask,
    Atom,
    Column,
    Figure,
    Relation,
    Test,
    Thing,
)
from generators.questions.lexicon.model import MOMENTS, QUANTITIES, Property, Role, ThingKind
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.links import (
    backward_options,
    fellows_of,
    forward_options,
    has_verb,
)
from generators.questions.realise.naming import Naming
from generators.questions.realise.options import Option
from generators.questions.realise.pieces import (
    EXTREME,
    Slots,
    amount_of,
    can_be_asked_back,
    each_of_them,
    ends_loosely,
    extreme,
    grown,
    has_with,
    is_happening,
    only_moment,
    parts_well,
    replace_focus,
    short_clause,
    sole_holder,
    with_option,
)
from generators.questions.realise.placing import ends_in_others
from generators.questions.realise.things import Described
from graphmill.english.inflection import a, is_plural


def _sides(words: Property) -> tuple[str, str]:
    return ("after", "before") if words.kind in MOMENTS else ("above", "below")


_ADJECTIVES = frozenset({"how old", "how tall", "how high", "how long", "how fast", "how deep"})


_OF_ANY = frozenset({"larger than", "smaller than"})  # of whichever amount is said


def _higher(words: Property, *, high: bool) -> str:
    """ "a higher price", "more seats"."""
    counted = words.noun.removeprefix("number of ")
    if counted.partition(" ")[0] in EXTREME:
        raise NoWording("a figure of a figure", "Nobody speaks of a higher high estimate.")
    if is_plural(counted) and words.kind is not Role.COUNT:
        return f"{'higher' if high else 'lower'} {counted}"
    if is_plural(counted):
        return f"{'more' if high else 'fewer'} {counted}"
    return f"a {grown(words.noun)[not high]} {words.noun}"


_LISTS = frozenset(
    {
        *("find", "rank", "exception", "absence", "only", "both", "this-not-that", "either"),
        *("tally", "threshold", "rank-by-tally", "best-of-each", "follow-up", "with-or-without"),
    }
)


_PARTED = frozenset({"breakdown", "trend", "count-values", "share", "tally"})
_BESIDE = 2  # a chain and one condition
_MOST = 3  # conditions and links of a whole question


def _is_too_much(focus: Thing, further: int) -> bool:
    """Whether more is said of a thing and of all that describes it, names apart, than is read at
    once; `further` is what is said beside. Of three links one condition more is read."""
    links = sum(len(thing.relations) for thing in focus.everything())
    return _load(focus) + further > _MOST + (links == _MOST)


def _load(thing: Thing | None) -> int:
    """How much is said of a thing and of all that describes it, names apart."""
    every = thing.everything() if thing is not None else ()
    return sum(len(each.tests) + len(each.relations) for each in every)


class Filling(Naming):
    """Fills the slots of every goal, in one form."""

    def of(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Fillings of the slots of a goal, each with its cost.

        Raises:
            NoWording: a part of it has no words.
        """
        if ask.goal in _LISTS and not self._has_names(ask):
            raise NoWording("a list of numbers", "Nobody wants a list of what has no name.")
        further = (ask.relation is not None) + (ask.bound is not None or ask.top is not None)
        if self.form == "contracted" and _is_too_much(ask.focus, further):
            raise NoWording("more than three conditions")
        chained = any(each.steps for thing in ask.focus.everything() for each in thing.relations)
        if chained and _load(ask.focus) > _BESIDE:
            raise NoWording("a chain beside several conditions")
        lacks = any(each.how == "no" for each in ask.focus.relations)
        measured = ask.goal in _PARTED and any(figure.key for figure in ask.figures)
        if lacks and (measured or ask.goal in ("rank", "rank-by-tally")):
            raise NoWording("the most of those that lack something")
        beside = ask.relation.other if ask.relation is not None else None
        beside = None if beside is ask.focus else beside
        if ask.goal in _PARTED and _load(ask.focus) + _load(beside) > 1:
            raise NoWording("figures of each, under several conditions")
        noun = self.things.noun(ask.focus.type).singular
        if ask.goal in _LISTS and not (ask.named or ask.group) and noun in ("address", "location"):
            raise NoWording("a list of addresses")
        thing = self.lexicon.thing(ask.focus.type)
        if len(ask.named) > 1 and not (thing is not None and {*ask.named} & {*thing.name}):
            raise NoWording("several keys", "Nobody wants a list of what others are known by.")
        if list(ask.named) == ["row_number"] and ask.goal in _LISTS:
            raise NoWording("a list of row numbers")
        if len(ask.named) > 1 and any(self._is_reference(ask, key) for key in ask.named):
            raise NoWording("several keys", "Nobody wants a list of what others are known by.")
        if ask.goal in _LISTS and not ask.named and self._only_sorts(ask):
            raise NoWording("a list of sexes", "Nobody wants a list that says one of few words.")
        alone = not (ask.named or ask.focus.name) and any(column.key for column in ask.columns)
        if ask.goal in _LISTS and alone and (ask.focus.against or lacks or not ask.distinct):
            raise NoWording("values without what has them", "Nobody could tell whose they are.")
        if ask.goal in _LISTS and self.form != "search" and self._misreads(ask):
            raise NoWording("columns that would be said of each other")
        if self._repeats_a_noun(ask):
            raise NoWording("two columns of one name", "It would not say whose each of them is.")
        along = ask.relation.along if ask.relation is not None else ("", "of", "it")
        if ask.goal == "figure-of-figures" and along[0] == along[-1]:
            raise NoWording("so many per one of them", "Genres per genre say nothing.")
        nothing = Text("")
        linked = ask.relation.other if ask.relation is not None else None
        if linked is ask.focus and isinstance(ask.group, Thing):
            linked = ask.group
        first = nothing
        if ask.top is not None and not ask.top.count and isinstance(ask.top.by, Figure):
            order = ", highest first" if ask.top.most else ", lowest first"
            first = Text(order, (ask.top,))
        marks: Slots = {
            "LF": first,
            "NM" if ask.named else "UN": nothing,
            **({"WN": nothing} if self._is_by_name(ask) else {}),
            **({"NC": nothing} if self._is_by_part_of_name(ask) else {}),
            "IDS": Text(self._naming(ask, many=True)),
            "WT": Text("who" if self.things.who(ask.focus.type) else "that"),
            "SH" if ask.shown else "NS": nothing,
            "ZE" if ask.zero else "NZ": nothing,
        }
        if linked is not None and linked.bare and not (ask.relation and ask.relation.tests):
            path = self.lexicon.path(ask.relation.along) if ask.relation is not None else None
            fellows = fellows_of(path) if linked.type == ask.focus.type else ""
            marks["OS"] = Text(fellows or self.things.noun(linked.type).plural)
        for slots, cost in self._of(ask):
            verbs = ("WHOSE", "V", "VT", "MORE", "T")
            verb = next((slots[name] for name in verbs if name in slots), None)
            head = slots.get("KF", slots.get("F"))
            if isinstance(head, NP):
                slots = {**slots, "FR" if ends_loosely(head) else "FL": head}
            if isinstance(verb, Clause) and isinstance(head, NP):
                whole = self._with_clause(head, verb)
                name = "FVM" if head.many else "FV1"
                slots = slots if whole is None else {**slots, name: whole}
                if whole is not None and head.many:
                    slots = {**slots, "FVE": replace(whole, many=False, det="each")}
            if isinstance(verb, Clause) and verb.subject is None and can_be_asked_back(verb):
                again = Clause(verb.verb, verb.be, particle=verb.particle, tense=verb.tense)
                slots = {**slots, "VE": again}
            many = isinstance(head, NP) and head.many
            slots = {**slots, "ID": self._named_by(ask, many=many)}
            if isinstance(head, NP):
                who = self.things.who(ask.focus.type)
                slots = {**slots, "EA": each_of_them(head, who=who)}
            if "OS" in marks:
                names = self._names(ask, many=many and self.form == "search")
                number = Listing((Text("number of"), marks["OS"]), "\0")
                slots = {**slots, "IDN": Listing((*map(Text, names), number))}
            if "C" in slots and isinstance(head, NP) and head.many and not ask.named:
                slots = {**slots, "CD": self._differing(ask, slots["C"])}
            if isinstance(columns := slots.get("C"), NP | Listing) and ask.named:
                parts = columns.parts if isinstance(columns, Listing) else (columns,)
                many = not isinstance(head, NP) or head.many
                names = self._names(ask, many=many) or ["IDs" if many else "ID"]
                slots = {**slots, "IDC": Listing((*map(Text, names), *parts))}
            if isinstance(head, NP) and parts_well(head):
                slots = {**slots, "FX": head}
            yield {**slots, **marks}, cost

    def _with_clause(self, head: NP, verb: Clause) -> NP | None:
        """The noun phrase with what is said of it: "pilots older than Ann Lee", "tracks with the
        most races"; in a relative clause where it has to be."""
        short = short_clause(verb)
        having = isinstance(short, Listing) and short.parts[0] == Text("with")
        plain = len(head.post) < 2 and not has_with(head)
        loose = having and self.form == "search" and plain
        if short is not None and (loose or not head.post) and not head.relative:
            return with_option(head, Option("post", short))
        if ends_in_others(head):
            return None
        return with_option(head, Option("rel", verb))

    def _of(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        match ask.goal:
            case "detail":
                yield from self._detail(ask)
            case "count" | "figure" | "share" if ask.focus.against:
                yield from self._exceptions(ask)
            case "count" | "count-values" | "figure" | "share":
                yield from self._overall(ask)
            case "rank":
                yield from self._rank(ask)
            case "breakdown" | "trend":
                yield from self._breakdown(ask)
            case "tally" | "rank-by-tally" | "threshold" | "count-threshold" | "figure-of-figures":
                yield from self._groups(ask)
            case "exception":
                yield from self._exception(ask)
            case "comparison":
                yield from self._comparison(ask)
            case "mutual" | "ring":
                yield from self._mutual(ask)
            case "distance":
                yield from self._distance(ask)
            case "sequence" if ask.group is None:
                yield from self._rank(ask)
            case "sequence":
                yield from self._groups(ask)
            case "best-of-each":
                yield from self._best(ask)
            case "follow-up":
                yield from self._follow_up(ask)
            case "with-or-without":
                yield from self._shown(ask, [])
            case "both" | "this-not-that":
                yield from self._merged(ask)
            case _:
                if ask.top is None:
                    yield from self._find(ask)

    # --- comparisons ---------------------------------------------------------------------

    def _exception(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        focus = ask.focus
        if len(focus.against) != 1 or ask.top is not None:
            raise NoWording("several comparisons")
        (against,) = focus.against
        figure = against.figure
        assert figure is not None  # noqa: S101 - it is what makes an exception
        words = self.tests.words(focus.type, against.key)
        if not words.averages and figure.how == "avg":
            raise NoWording("an average that means nothing")
        columns = [c for c in ask.columns if c.key]
        if len(columns) < len(ask.columns):
            raise NoWording("things beside an exception")
        extra = self._shown_columns(columns)
        for head in self.things.describe(replace_focus(focus)):
            for clause, cost in self._held(ask, against, figure, words):
                name = "MORE" if clause.whose is None else "WHOSE"
                yield {"F": head.np, name: clause, **extra}, head.cost + cost

    def _comparison(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """What is more than another thing: a named one, or the one beside it."""
        (against,) = ask.focus.against
        if against.relation is not None and not against.relation.one:
            raise NoWording("a comparison with some of what is beside")
        if against.op not in (">", "<") or ask.top is not None:
            raise NoWording("a comparison that may be equal")
        words = self.tests.words(ask.focus.type, against.key)
        if words.kind not in QUANTITIES | MOMENTS:
            raise NoWording("a comparison of codes")
        columns = [c for c in ask.columns if c.key]
        if len(columns) < len(ask.columns):
            raise NoWording("things beside a comparison")
        extra = self._shown_columns(columns)
        for head in self.things.describe(replace_focus(ask.focus)):
            for other, cost in self._compared_with(against):
                for clause, dear in self._differs(against, words, other):
                    name = "MORE" if clause.whose is None else "WHOSE"
                    yield {"F": head.np, name: clause, **extra}, head.cost + cost + dear

    def _compared_with(self, against: Against) -> Iterator[tuple[NP, float]]:
        relation = against.relation
        if relation is None:
            assert against.other is not None  # noqa: S101 - that is what it is held against
            for each in self.things.fellows(against.other):
                yield each.np, each.cost
            return
        path = self.lexicon.path(relation.along)
        role = path.forward.noun if path is not None and path.forward is not None else ""
        if role and relation.one:
            yield NP(role, role, det="their", atoms=(relation,)), 0.0
            return
        for each in self._linked(relation, many=False, det="the" if relation.one else "a"):
            yield each.np, each.cost

    def _differs(
        self, against: Against, words: Property, other: NP
    ) -> Iterator[tuple[Clause, float]]:
        high, atoms = against.op == ">", (against,)
        cmp = words.more if high else words.less
        many = is_plural(words.noun)
        if self.form == "explicit":
            side = _sides(words)[not high]
            that = "those" if many else "that"
            held = Listing((Text(f"{side} {that} of"), other), "\0")
            whose = NP(words.noun, words.noun, many=many)
            timed = words.kind in MOMENTS
            yield Clause(object=held, whose=whose, atoms=atoms), 0.0 if timed else 2.0
            if cmp and words.ask in _ADJECTIVES:
                yield Clause(be=cmp, object=other, atoms=atoms), -0.3
            if not timed:
                than = Listing((Text(f"{_higher(words, high=high)} than"), other), "\0")
                yield Clause(verb="have", object=than, atoms=atoms), 0.0
            return
        if cmp:
            yield Clause(be=cmp, object=other, atoms=atoms), -0.3
        if words.kind in MOMENTS:
            if (verb := words.verb) is not None:
                when = "after" if high else "before"
                yield Clause(verb=verb.verb, be=verb.be and f"{verb.be} {when}",
                             particle="" if verb.be else when, tense=verb.tense, object=other,
                             atoms=atoms), 0.0  # fmt: skip
            return
        higher = _higher(words, high=high)
        yield Clause(verb="have", object=Listing((Text(f"{higher} than"), other), "\0"),
                     atoms=atoms), 0.3  # fmt: skip

    def _mutual(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """What two things do to each other."""
        relation = ask.relation
        assert relation is not None  # noqa: S101 - so it is made
        for head in self.things.describe(ask.focus):
            together, one = (
                list(self._done_to(relation, words, (relation,)))
                for words in ("each other", "the other" if ask.goal == "mutual" else "the next")
            )
            for first, second in zip(together, one, strict=True):
                whole = with_option(head.np, replace(first, place="rel"))
                slots: Slots = {"F": head.np, "P": first.phrase, "P1": second.phrase}
                slots |= {"EA": Text("each")} | ({"FP": whole} if whole is not None else {})
                yield slots, head.cost + first.cost

    def _distance(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """How many steps it is from one thing to another of its kind."""
        relation = ask.relation
        assert relation is not None and relation.steps is not None  # noqa: S101, PT018 - so made
        noun = self.things.noun(ask.focus.type).singular
        for start, end in product(*map(self.things.describe, (ask.focus, relation.other))):
            for option in self._done_to(relation, "the next", (relation, relation.steps)):
                slots: Slots = {"A": start.np, "B": end.np, "E": NP(noun, noun, det="each")}
                yield {**slots, "P": option.phrase}, start.cost + end.cost + option.cost

    def _done_to(self, relation: Relation, other: str, atoms: tuple[Atom, ...]) -> Iterator[Option]:
        """What one thing of a chain does to another, as a verb: "follows the next"."""
        path = self.things.path(relation)
        if path.forward is None or not has_verb(path):
            raise NoWording("what two things do to each other")
        for option in forward_options(path.forward, NP(other, other), relation, (), atoms):
            if option.place == "pred":
                yield option

    def _exceptions(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """How many there are that differ from an average."""
        if ask.goal != "count" or len(ask.focus.against) > 1:
            raise NoWording("a figure of exceptions")
        for slots, cost in self._exception(ask):
            whole = slots["F"]
            assert isinstance(whole, NP)  # noqa: S101 - a description is one
            yield {**slots, "F": replace(whole, atoms=(*whole.atoms, *ask.figures))}, cost

    def _held(
        self, ask: Ask, against: Against, figure: Figure, words: Property
    ) -> Iterator[tuple[Clause, float]]:
        high = against.op in (">", ">=")
        atoms: tuple[Atom, ...] = (against, figure)
        group, extra = self._average(ask, against, figure)
        atoms = (*atoms, *extra)
        if against.op not in (">", "<"):
            raise NoWording("at least the average")
        if against.times != 1:
            raise NoWording("a multiple of the average")
        cmp = words.more if high else words.less
        many = is_plural(words.noun)
        higher = _higher(words, high=high)
        side = "above" if high else "below"
        if not group and not ask.focus.bare_but_against:
            typical = Text(f"the average {self.things.noun(ask.focus.type).singular}")
            if cmp and not (cmp in _OF_ANY and self._is_measured(ask)):
                yield Clause(be=cmp, object=typical, atoms=atoms), -0.5
            than: Phrase = Listing((Text(f"{higher} than"), typical), "\0")
            if not many:  # "a labor amount above the average for all invoices"
                noun = words.noun if self.form == "search" else a(words.noun)
                whole = self.things.noun(ask.focus.type).plural
                than = Text(f"{noun} {side} the average for all {whole}")
            yield Clause(verb="have", object=than, atoms=atoms), 0.3
        elif self.form == "explicit":
            noun = amount_of(words)
            whose = NP(noun, noun, many=many and noun == words.noun)
            again = "" if noun.count(" ") > 1 else f" {noun}"  # "the average number of gates"
            typical = Text(f"{side} the average{again} {self._within(ask)} their {group}")
            held = typical if group else Text(f"{side} average")
            yield Clause(object=held, whose=whose, atoms=atoms), 0.0
        else:
            tail = (Text(f"for their {group}"),) if group else ()
            if cmp:
                yield Clause(be=f"{cmp} average", tail=tail, atoms=atoms), -0.5
            phrase = f"{higher} than average"
            if not many:  # "with an above-average price"
                phrase = f"{side}-average {words.noun}"
                phrase = phrase if self.form == "search" else a(phrase)
            yield Clause(verb="have", object=Text(phrase), tail=tail, atoms=atoms), 0.0

    def _is_measured(self, ask: Ask) -> bool:
        """Whether another measure is said of the focus, of which "larger" would be understood."""
        tests = (test for test in ask.focus.tests if isinstance(test, Test))
        words = (self.lexicon.property(test.owner, test.key) for test in tests)
        return any(each is not None and each.kind in QUANTITIES for each in words)

    def _within(self, ask: Ask) -> str:
        """What stands before the group of an average: "at their school", "for their customer"."""
        path = self.lexicon.path(ask.relation.along) if ask.relation is not None else None
        there = path.forward.particle if path is not None and path.forward is not None else ""
        return there if there in ("in", "at") else "for"

    def _average(self, ask: Ask, against: Against, figure: Figure) -> tuple[str, tuple[Atom, ...]]:
        """The noun of the group whose average it is; "" where it is that of all."""
        if figure.how != "avg":
            raise NoWording("a comparison with a sum")
        if not against.of_group:
            if against.other is not None and not against.other.bare:
                raise NoWording("the average of some others")
            return "", ()
        relation = ask.relation
        if relation is None or not relation.one or not isinstance(ask.group, Thing):
            raise NoWording("an average of several groups")
        if not ask.group.bare:
            raise NoWording("an average of one group")
        return self.things.noun(ask.group.type).singular, (relation,)

    def _best(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        top, focus, relation = ask.top, ask.focus, ask.relation
        assert top is not None and relation is not None  # noqa: S101, PT018 - so it is made
        assert isinstance(top.by, Column) and isinstance(ask.group, Thing)  # noqa: S101, PT018
        words = self.tests.words(top.by.owner, top.by.key)
        if words.kind in (Role.CATEGORY, Role.FLAG, Role.NAME, Role.TEXT, Role.CODE):
            raise NoWording("a rank by the alphabet")
        here = self.lexicon.thing(focus.type)
        dated = words.kind in (Role.DATE, Role.TIME) and is_happening(self.lexicon, focus.type)
        if here is not None and not here.name and not dated:
            raise NoWording("the best of what has no name")
        there = self.lexicon.thing(ask.group.type)
        if not (here is not None and here.name) and not (there is not None and there.name):
            raise NoWording("the best of what has no name")  # the payment of each visit
        if ask.group.type == focus.type:
            raise NoWording("the best of one's own kind", "Nothing says how they are related.")
        if self._has_role(relation):
            raise NoWording("a role that would be lost", "A member reports issues as well.")
        if not relation.one:
            raise NoWording("the best of what others share", "An event is as dear for all donors.")
        columns = [c for c in ask.columns if c.key]
        if any(column.thing is not focus for column in columns):
            raise NoWording("what another is like", "It would be said of what is best.")
        extra: Slots = {"C": self._nouns(columns, many=False)} if columns else {}
        who = self.things.who(focus.type)
        extra |= {"WHO": Text("who" if who else "what"), "OWN": Text("their" if who else "its")}
        atoms: tuple[Atom, ...] = (top, top.by)
        superlative = words.most if top.most else words.least
        superlative = "first" if superlative == "earliest" else superlative  # "its first award"
        by = () if self.form != "explicit" else self._ordered_by(top.by, superlative)
        extremes = extreme(words, most=top.most)
        clause = Clause(verb="have", object=Text(f"the {extremes}"), atoms=atoms)
        for group in self.things.describe(ask.group, many=False):
            their = self.things.describe(focus, many=True)
            for head in their[:2]:
                theirs = replace(
                    head.np, det="its" if not self.things.who(ask.group.type) else "their",
                    atoms=(*head.np.atoms, relation),
                )  # fmt: skip
                theirs = replace(theirs, many=False)
                best = Option("post", Text(f"with the {extremes}", atoms))
                if superlative:  # "its oldest player"
                    best = Option("pre", Text(superlative, atoms))
                stacked = best.place == "post" and has_with(theirs)
                chosen = None if theirs.relative or stacked else with_option(theirs, best)
                if chosen is not None:
                    chosen = replace(chosen, post=(*chosen.post, *by))
                    yield {"g": group.np, "ITB": chosen, **extra}, head.cost + group.cost
            for head in self.things.describe(focus, many=False)[:2]:
                if self.form == "search" and has_with(head.np):
                    continue  # "the player with 35 points with the most tries"
                np = replace(head.np, atoms=(*head.np.atoms, relation))
                cost = head.cost + group.cost
                slots: Slots = {"T": clause, "TM": Text(f"the {extremes}", atoms), "FT": np}
                short: Slots = {} if group.np.post or group.np.relative else {"b": group.np}
                sorts = there is not None and there.kind is ThingKind.CATEGORY  # "with each rank"
                if short and superlative and not sorts:  # "each customer's latest order"
                    pre = (Text(superlative, atoms), *np.pre)
                    short["FS"] = replace(np, det="", pre=pre, post=(*np.post, *by))
                yield {"g": group.np, **short, **slots, **extra}, cost
            if superlative:
                each = replace(group.np, det="each")
                for linked in self._placed_by(relation, focus, each):
                    pre = (Text(superlative, atoms), *linked.np.pre)
                    sg = replace(linked.np, det="the", pre=pre)
                    yield {"SG": sg, **extra}, linked.cost + group.cost

    def _ordered_by(self, column: Column, superlative: str) -> tuple[Phrase, ...]:
        """What orders moments, where a thing has several: "its latest order by shipping date"."""
        if superlative not in ("first", "latest") or only_moment(self.lexicon, column):
            return ()
        return (Text(f"by {self.tests.words(column.owner, column.key).noun}"),)

    def _placed_by(self, relation: Relation, focus: Thing, each: NP) -> Iterator[Described]:
        """One thing by what it belongs to: "player of each team"."""
        path = self.lexicon.path(relation.along)
        if path is None or path.forward is None:
            return
        for head in self.things.describe(focus, many=False):
            for option in forward_options(
                path.forward, each, Relation(relation.along, focus), (), (relation,)
            ):
                if option.place in ("post", "rel"):
                    np = with_option(head.np, option)
                    if np is not None:
                        yield Described(np, head.cost + option.cost)

    def _follow_up(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """What is beside the first few: "Which products did the three best customers buy?"."""
        second, relation = ask.second, ask.relation
        assert second is not None and relation is not None  # noqa: S101, PT018
        if second.relation is None or len(second.figures) != 1 or ask.columns or ask.distinct:
            raise NoWording("a follow-up with figures")
        for firsts, cost in self._groups(second):
            if "V" not in firsts or not isinstance(firsts["V"], Clause):
                continue
            kf, verb = firsts["KF"] if "KF" in firsts else firsts["F"], firsts["V"]
            assert isinstance(kf, NP)  # noqa: S101 - a description is one
            if verb.subject is not None:
                continue
            lead = f"the {kf.det}".strip() if second.goal == "rank-by-tally" else kf.det
            having = verb.object if verb.verb == "have" and not verb.tail else None
            option = Option("rel", verb)
            if having is not None:
                phrase = Listing((Text("with"), having), "\0", verb.atoms)
                option = Option("post", phrase)
            chosen = with_option(replace(kf, det=lead), option)
            if chosen is None:
                continue
            plain = Relation(relation.along, ask.focus, one=relation.one)
            path = self.lexicon.path(relation.along)
            if path is None or not has_verb(path):
                raise NoWording("a follow-up")
            options: list[Option] = []
            if path.forward is not None:
                other = sole_holder(chosen) if path.forward.noun else chosen
                options += forward_options(path.forward, other, plain, (), (relation,))
            if path.backward is not None and path.backward.verb not in ("", "have"):
                options += backward_options(path.backward, replace(chosen), plain, (), (relation,))
            for head in self.things.describe(ask.focus):
                for each in options:
                    if isinstance(each.phrase, Clause) and each.phrase.verb == "have":
                        continue  # "policies that have the four claims with the most payments"
                    if (np := with_option(head.np, each)) is not None:
                        yield {"FP": np}, cost + head.cost + each.cost
