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
    Figure,
    Relation,
    Test,
    Thing,
)
from generators.questions.lexicon.model import MOMENTS, QUANTITIES, Property, Role, ThingKind
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.best_of_each import BestOfEach
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.links import (
    Link,
    backward_options,
    fellows_of,
    forward_options,
    has_verb,
)
from generators.questions.realise.pieces import (
    EXTREME,
    Slots,
    amount_of,
    can_be_asked_back,
    counted_noun,
    each_of_them,
    ends_loosely,
    given_last,
    grown,
    has_with,
    is_amount_of,
    is_given,
    is_its_own,
    is_lasting,
    is_vague,
    parts_well,
    replace_focus,
    short_clause,
    sole_holder,
    with_option,
)
from generators.questions.realise.placing import ends_in_others
from generators.questions.realise.refusals import Refusals
from graphmill.english.inflection import a, is_plural, listing


def _sides(words: Property) -> tuple[str, str]:
    if words.kind in MOMENTS:
        return "after", "before"
    lasts = is_lasting(words.noun) and words.most != "farthest"  # no distance to a place is long
    return ("longer than", "shorter than") if lasts else ("above", "below")


_ADJECTIVES = frozenset({"how old", "how tall", "how high", "how long", "how fast", "how deep"})


_OF_ANY = frozenset({"larger than", "smaller than"})  # of whichever amount is said


_SPENT = frozenset({"seconds", "minutes", "hours", "days", "weeks", "months", "years"})


def _higher(words: Property, *, high: bool) -> str:
    """ "a higher price", "more seats"."""
    counted = counted_noun(words)
    if counted.partition(" ")[0] in EXTREME:
        raise NoWording("a figure of a figure", "Nobody speaks of a higher high estimate.")
    spent = counted.partition(" ")[0] in _SPENT
    if is_plural(counted) and words.kind is not Role.COUNT and not spent:
        return f"{grown(counted)[not high]} {counted}"
    if is_plural(counted):
        return f"{'more' if high else 'fewer'} {counted}"
    more, less = ("greater", "smaller") if words.most == "farthest" else grown(words.noun)
    return f"a {more if high else less} {words.noun}"


def _joined(head: NP, short: Phrase | None) -> NP | None:
    """What things have beside what else they have: "with two bookings and more than one group",
    not "with two bookings that have more than one group". Without a word before it the other would
    be counted with the first: "with fewer than 3 floors and lifts"."""
    match head.post, short:
        case (
            (
                *first,
                Listing(parts=(Text("with"), Listing(parts=(NP(post=(), relative=()),)))) as last,
            ),
            Listing(parts=(Text("with"), NP(det=det) as other)),
        ) if det and not det.startswith("the ") and not head.relative:
            both = Listing((last, Text("and"), other), "\0", short.atoms)
            return replace(head, post=(*first, both))
    return None


_EDGE = 3  # parts of a path along one edge
_VERBS = ("WHOSE", "V", "VT", "MORE", "T")  # slots of what is said of the head, the first of them


class Filling(Refusals, BestOfEach):
    """Fills the slots of every goal, in one form."""

    def of(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Fillings of the slots of a goal, each with its cost.

        Raises:
            NoWording: a part of it has no words.
        """
        self._refuse(ask)
        marks = self._marks(ask)
        for slots, cost in self._of(ask):
            yield {**slots, **self._derived(ask, slots, marks.get("OS")), **marks}, cost

    def _marks(self, ask: Ask) -> Slots:
        """The slots that are the same in all fillings of a goal."""
        nothing = Text("")
        first = nothing
        if ask.top is not None and not ask.top.count and isinstance(ask.top.by, Figure):
            order = ", highest first" if ask.top.most else ", lowest first"
            first = Text(order, (ask.top,))
        marks: Slots = {
            "LF": first,
            "FOR": self._before_measured(ask),
            "NM" if ask.named else "UN": nothing,
            **({"WN": nothing} if self._is_plain_which(ask) else {}),
            **({"NC": nothing} if self._is_known(ask) else {}),
            "IDS": Text(self._naming(ask, many=True)),
            "WT": Text("who" if self.things.who(ask.focus.type) else "that"),
            "SH" if ask.shown else "NS": nothing,
            "ZE" if ask.zero else "NZ": nothing,
        }
        if self._is_by_description(ask):
            del marks["NM"]  # "which return reasons have …", not what their descriptions are
        others = self._bare_others(ask)
        return marks if others is None else {**marks, "OS": others}

    def _before_measured(self, ask: Ask) -> Text:
        """What stands between a figure and what it is of: the fee paid "for" permits, and "by"
        members."""
        figures = [figure for figure in ask.figures if figure.key]
        nouns = [self.tests.words(figure.owner, figure.key).noun for figure in figures]
        if any(" per " in noun for noun in nouns):
            return Text("across")  # the average fee per visit
        if not any(map(is_given, nouns)):
            return Text("of")
        thing = self.lexicon.thing(ask.focus.type)
        giver = thing is not None and thing.kind in (ThingKind.PERSON, ThingKind.ORGANISATION)
        paid = "paid" in nouns[0] and " by " not in nouns[0]
        return Text("by" if giver and paid else "for")

    def _bare_others(self, ask: Ask) -> Text | None:
        """The noun of what is counted beside the focus, where nothing restricts it; of its own
        kind, what they are to it."""
        linked = ask.relation.other if ask.relation is not None else None
        if linked is ask.focus and isinstance(ask.group, Thing):
            linked = ask.group
        if ask.relation is None or linked is None or not linked.bare or ask.relation.tests:
            return None
        own = linked.type == ask.focus.type
        fellows = fellows_of(self.lexicon.path(ask.relation.along)) if own else ""
        return Text(fellows or self.things.part(linked.type, ask.focus.type).plural)

    def _derived(self, ask: Ask, slots: Slots, others: Phrase | None) -> Slots:
        """The slots that are made of others, of the head and of what is said of it; `others` is
        the noun of what is counted beside it."""
        given = slots.get("KF", slots.get("F"))
        head = given if isinstance(given, NP) else None
        derived: Slots = {}
        if head is not None:
            derived["FR" if ends_loosely(head) else "FL"] = head
        verb = next((slots[name] for name in _VERBS if name in slots), None)
        if isinstance(verb, Clause):
            derived |= self._of_verb(head, verb)
        many = head is not None and head.many
        derived["ID"] = shown = self._named_by(ask, many=many)
        if shown.many and not many:  # "give me the ID and name", which need not agree
            derived["IDP"] = shown
        if head is not None:
            derived["EA"] = each_of_them(head, who=self.things.who(ask.focus.type))
        derived |= self._of_each_named(ask, others, many=many)
        if (columns := slots.get("C")) is not None:
            derived |= self._of_columns(ask, head, columns)
        if head is not None and parts_well(head):
            derived["FX"] = head
        return derived

    def _of_each_named(self, ask: Ask, others: Phrase | None, *, many: bool) -> Slots:
        """What each thing is shown by, behind its possessive or "its", and how many others there
        are beside it."""
        names = self._names(ask, many=False, plain=True) or ["ID"]
        theirs = "their" if self.things.who(ask.focus.type) else "its"
        named: Slots = {
            "IDB": Text(listing(names)),
            "IT": Text(theirs if "number" in names else "the"),
        }
        if others is None:
            return named
        of = f"the number of {theirs}" if names[-1] == "number" else "number of"
        if self.form == "search":
            names, of = self._names(ask, many=many), "number of"
        number = Listing((Text(of), others), "\0")
        return {**named, "IDN": Listing((*map(Text, names), number))}

    def _of_verb(self, head: NP | None, verb: Clause) -> Slots:
        """The head with what is said of it, all or each of them, and the bare verb."""
        derived: Slots = {}
        whole = self._with_clause(head, verb) if head is not None else None
        if whole is not None and head is not None:
            derived["FVM" if head.many else "FV1"] = whole
            if head.many:
                derived["FVE"] = replace(whole, many=False, det="each")
            if verb.whose is not None and not (head.post or head.relative):
                derived["FW"] = whole  # "how many are there whose size is above average"
        if verb.subject is None and can_be_asked_back(verb):
            again = Clause(verb.verb, verb.be, particle=verb.particle, tense=verb.tense)
            derived["VE"] = again
        return derived

    def _of_columns(self, ask: Ask, head: NP | None, columns: Phrase) -> Slots:
        """Columns behind the names that they are shown with; without names, those that differ."""
        if not ask.named:
            many = head is not None and head.many
            return {"CD": self._differing(ask, columns)} if many else {}
        if not isinstance(columns, NP | Listing):
            return {}
        parts = columns.parts if isinstance(columns, Listing) else (columns,)
        many = head is None or head.many
        names = self._names(ask, many=many) or ["IDs" if many else "ID"]
        return {"IDC": Listing((*map(Text, names), *parts))}

    def _with_clause(self, head: NP, verb: Clause) -> NP | None:
        """The noun phrase with what is said of it: "pilots older than Ann Lee", "tracks with the
        most races"; in a relative clause where it has to be."""
        short = short_clause(verb)
        if (joined := _joined(head, short)) is not None:
            return joined
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
                for clause, dear in self._differs(ask.focus.type, against, words, other):
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

    def _more(self, owner: str, key: str, words: Property, *, high: bool) -> str:
        """What is said of the one with more, or with less, "older than"; "" where nothing is, or
        it would not be plain of what it has more."""
        word = words.more if high else words.less
        return "" if is_vague(self.lexicon, owner, key, word) else word

    def _differs(
        self, owner: str, against: Against, words: Property, other: NP
    ) -> Iterator[tuple[Clause, float]]:
        high, atoms = against.op == ">", (against,)
        cmp = self._more(owner, against.key, words, high=high)
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
        path = self.lexicon.path(relation.along)
        if path is not None and path.pairs_unique and len(path.along) <= _EDGE:
            raise NoWording("steps up a line", "Nobody counts from a branch up to its head office.")
        noun = self.things.noun(ask.focus.type).singular
        for start, end in product(*map(self.things.describe, (ask.focus, relation.other))):
            for option in self._done_to(relation, "the next", (relation, relation.steps)):
                slots: Slots = {"A": start.np, "B": end.np, "E": NP(noun, noun, det="each")}
                yield {**slots, "P": option.phrase}, start.cost + end.cost + option.cost

    def _done_to(self, relation: Relation, other: str, atoms: tuple[Atom, ...]) -> Iterator[Option]:
        """What one thing of a chain does to another, as a verb: "follows the next"."""
        path = self.things.path(relation)
        if path.forward is None or path.forward.noun or not has_verb(path):
            raise NoWording("what two things do to each other", "Nobody does a spouse.")
        for option in forward_options(path.forward, NP(other, other), Link(relation, (), atoms)):
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
        cmp = self._more(ask.focus.type, against.key, words, high=high)
        one = self.things.noun(ask.focus.type).singular
        of_money = cmp in _OF_ANY and words.kind is Role.MONEY
        many = is_plural(words.noun)
        counted = words.kind is Role.COUNT and is_plural(counted_noun(words))
        higher = _higher(words, high=high)
        side = _sides(words)[not high]
        if not group and not ask.focus.bare_but_against:
            typical = Text(f"the average {one}")
            plain = not of_money or is_amount_of(one, words)
            if cmp and plain and not (cmp in _OF_ANY and self._is_measured(ask)):
                yield Clause(be=cmp, object=typical, atoms=atoms), -0.5
            than: Phrase = Listing((Text(f"{higher} than"), typical), "\0")
            whole = self.things.noun(ask.focus.type).plural
            if not self._is_its_own(ask, words):
                held = Text(f"{side} the average for all {whole}")
                yield Clause(object=held, whose=NP(words.noun, words.noun), atoms=atoms), 0.0
                return
            if not many and not counted:  # "a labor amount above the average for all invoices"
                than = Text(f"{a(words.noun)} {side} the average for all {whole}")
            yield Clause(verb="have", object=than, atoms=atoms), 0.3
        elif not counted and (self.form == "explicit" or not self._is_its_own(ask, words)):
            noun = amount_of(words)
            whose = NP(noun, noun, many=many and noun == words.noun)
            again = "" if noun.count(" ") > 1 else f" {noun}"  # "the average number of gates"
            typical = Text(f"{side} the average{again} {self._within(ask)} their {group}")
            held = typical if group else Text(f"{side} average")
            yield Clause(object=held, whose=whose, atoms=atoms), 0.0
        else:
            tail = (Text(f"for their {group}"),) if group else ()
            if cmp and not of_money:  # "invoices larger than average"
                yield Clause(be=f"{cmp} average", tail=tail, atoms=atoms), -0.5
            phrase = f"{higher} than average"
            if not (many or counted or is_lasting(words.noun)):  # "with an above-average price"
                brief = self._brief_amount(against.key, ask.focus.type, words)
                phrase = a(f"{side}-average {brief}")
            yield Clause(verb="have", object=Text(phrase), tail=tail, atoms=atoms), 0.0

    def _is_its_own(self, ask: Ask, words: Property) -> bool:
        plain = words.kind in MOMENTS or is_plural(words.noun) or is_lasting(words.noun)
        return plain or is_its_own(words, self.lexicon.thing(ask.focus.type))

    def _brief_amount(self, key: str, owner: str, words: Property) -> str:
        """The noun of an amount without what was done with it, where its owner has no other such
        amount: "an above-average fee" for a charged one."""
        brief = given_last(words.noun).rpartition(" ")[0]
        if given_last(words.noun) == words.noun or self.form == "explicit" or brief == "amount":
            return words.noun  # an amount of what?
        others = self.lexicon.properties.get(owner, {}).items()
        alike = (each.noun.rpartition(" ")[2] == brief for name, each in others if name != key)
        return words.noun if any(alike) else brief

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

    def _follow_up(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """What is beside the first few: "Which products did the three best customers buy?"."""
        second, relation = ask.second, ask.relation
        assert second is not None and relation is not None  # noqa: S101, PT018
        if second.relation is None or len(second.figures) != 1 or ask.distinct:
            raise NoWording("a follow-up with figures")
        shown = self._shown_columns([column for column in ask.columns if column.key])
        for firsts, cost in self._groups(second):
            chosen = self._first_few(second, firsts)
            if chosen is None:
                continue
            options = self._beside_firsts(ask.focus, relation, chosen)
            for head, each in product(self.things.describe(ask.focus), options):
                if (np := with_option(head.np, each)) is not None:
                    yield {"FP": np, **shown}, cost + head.cost + each.cost

    def _first_few(self, ask: Ask, firsts: Slots) -> NP | None:
        """Those of a filling that are chosen first: "the three customers with the most orders"."""
        verb = firsts.get("V")
        if not isinstance(verb, Clause) or verb.subject is not None:
            return None
        head = firsts["KF"] if "KF" in firsts else firsts["F"]
        assert isinstance(head, NP)  # noqa: S101 - a description is one
        lead = f"the {head.det}".strip() if ask.goal == "rank-by-tally" else head.det
        having = verb.object if verb.verb == "have" and not verb.tail else None
        option = Option("rel", verb)
        if having is not None:
            option = Option("post", Listing((Text("with"), having), "\0", verb.atoms))
        return with_option(replace(head, det=lead), option)

    def _beside_firsts(self, focus: Thing, relation: Relation, chosen: NP) -> list[Option]:
        """What the focus has to do with those that are chosen, from either end of the path."""
        plain = Relation(relation.along, focus, one=relation.one, rivals=relation.rivals)
        path = self.lexicon.path(relation.along)
        if path is None or not has_verb(path):
            raise NoWording("a follow-up")
        options: list[Option] = []
        if path.forward is not None:
            other = sole_holder(chosen) if path.forward.noun else chosen
            options += forward_options(path.forward, other, Link(plain, (), (relation,)))
        if path.backward is not None and path.backward.verb not in ("", "have"):
            options += backward_options(
                path.backward, replace(chosen), Link(plain, (), (relation,))
            )
        # Not "policies that have the four claims with the most payments".
        return [
            o
            for o in options
            if not isinstance(o.phrase, Clause) or o.phrase.verb != "have" or o.phrase.whose
        ]
