"""Slots of lists and look-ups: things, what restricts them, what is shown beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Ask,
    Atom,
    Column,
    Either,
    Relation,
    Test,
    Thing,
)
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import (
    MOMENTS,
    Lexicon,
    Path,
    Property,
    Role,
    Tense,
    ThingKind,
    turned,
)
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text, depth_of
from generators.questions.realise.conditions.category_value import SORTS
from generators.questions.realise.conditions.options import Form, Option
from generators.questions.realise.links import Link, backward_options, forward_options, has_verb
from generators.questions.realise.pieces import (
    Slots,
    amount_of,
    one_of,
    parts_well,
    verb_slot,
    with_option,
)
from generators.questions.realise.placing import ends_in_lacking
from generators.questions.realise.things import Described, Things
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past, by_third

_SIZES = frozenset({Role.MEASURE, Role.DURATION})
_WITHOUT_PEOPLE = frozenset(
    {ThingKind.DOCUMENT, ThingKind.EVENT, ThingKind.RECORD, ThingKind.TRANSACTION}
)
_NUMBERS = (" code", " ID", " number")
_CALLED = SORTS - {"class"}  # by what they are of, as nobody has a kind
_OVER = frozenset({"closed", "completed", "concluded", "ended", "expired", "finished", "past"})
_CIRCUMSTANCES = MOMENTS | {Role.PLACE}
_DATED = MOMENTS | {Role.YEAR}


def _participles(phrase: Phrase) -> set[str]:
    """The participles that a noun phrase or a clause has."""
    if isinstance(phrase, NP):
        return {post.words.partition(" ")[0] for post in phrase.post if isinstance(post, Text)}
    return {phrase.be.partition(" ")[0]} - {""} if isinstance(phrase, Clause) else set()


class Lists:
    """Fills the slots of lists, in one form."""

    def __init__(self, lexicon: Lexicon, form: Form) -> None:
        self.lexicon = lexicon
        self.form = form
        self.things = Things(lexicon, form)
        self.tests = self.things.tests

    # --- things and what is said of them -------------------------------------------------

    def _find(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """A list: all of it in one noun phrase, or one restriction as the verb."""
        whole = [c for c in ask.columns if not c.key]
        if whole:
            yield from self._shown(ask, whole)
            return
        if shared := self._shared(ask):
            yield from shared
            return
        if any(column.thing is not ask.focus for column in ask.columns):
            raise NoWording("what another is like", "It would be said of what is listed.")
        extra = self._shown_columns(ask.columns)
        yield from self._listed(ask.focus, extra)

    def _listed(self, focus: Thing, extra: Slots) -> Iterator[tuple[Slots, float]]:
        """A thing with all that restricts it, or with one restriction as the verb.

        Raises:
            NoWording: it can be said neither way.
        """
        problem: NoWording | None = None
        try:
            for each in self.things.describe(focus):
                yield {"F": each.np, **extra}, each.cost
        except NoWording as unsaid:
            problem = unsaid
        for filled in self._with_predicate(focus, extra):
            problem = None
            yield filled
        if problem is not None:
            raise problem

    def _with_predicate(self, focus: Thing, extra: Slots) -> Iterator[tuple[Slots, float]]:
        for rest in (*focus.tests, *focus.relations):
            try:
                heads = self.things.describe(focus, but=[rest])
                options = self.things.predicates(rest)
            except NoWording:
                continue
            if self._is_over(focus):
                options = [replace(o, phrase=_ended(o.phrase)) for o in options]
            mild = 0.4 if focus.relations and not isinstance(rest, Relation) else 0.0
            mild -= 0.5 if isinstance(rest, Relation) and rest.how == "no" else 0.0
            if self._is_who(focus, rest) and heads and not heads[0].np.atoms:
                for option in options:
                    if isinstance(option.phrase, Clause) and option.phrase.subject is None:
                        yield {"WHO": Text("who"), "P": option.phrase, **extra}, option.cost + mild
            for head in heads[:2]:
                for option in options:
                    if _participles(head.np) & _participles(option.phrase) or _nobody(
                        option.phrase
                    ):
                        continue  # "orders placed after May are placed by …"
                    # "orders loaded at docks whose direction is outbound request an item"
                    crowded = 0.8 * len(head.np.relative) ** 2 + 4.0 * depth_of(head.np.post)
                    # "which sites without any plots opened after 1940"
                    crowded += 1.5 * (not isinstance(rest, Relation) and ends_in_lacking(head.np))
                    # "how many payments by card are for invoice 7"
                    crowded += 1.5 * (bool(focus.tests) and _is_for(option.phrase))
                    cost = head.cost + option.cost + mild + crowded
                    yield (
                        {"F": head.np, verb_slot("P", option.phrase): option.phrase, **extra},
                        cost,
                    )

    def _is_over(self, focus: Thing) -> bool:
        """Whether a test says of things that they are over: finished tournaments "ended"."""
        return any(
            isinstance(test, Test)
            and test.op == "="
            and (words := self.lexicon.property(test.owner, test.key)) is not None
            and (words.word(test.values[0].value) or f"{test.values[0].value}".lower()) in _OVER
            for test in focus.tests
        )

    def _is_who(self, focus: Thing, rest: Test | Either | Relation) -> bool:
        """Whether "who" says it: of people, and of those named after what they do."""
        if self.form != "contracted" or not self.things.who(focus.type):
            return False
        alone = len(focus.tests) + len(focus.relations) == 1 and not (focus.name or focus.apart)
        if not alone or focus.against:
            return False
        if self.things.noun(focus.type).singular == "person":
            return True
        path = self.lexicon.path(rest.along) if isinstance(rest, Relation) else None
        if path is None or not isinstance(rest, Relation) or rest.how == "no":
            return False  # "who did not direct any films": nearly everybody
        return self.things.agent(path, rest) == "own"

    def _shown_columns(self, columns: list[Column]) -> Slots:
        if not columns:
            return {}
        return self._person_columns(columns, self._nouns(columns, many=True))

    def _person_columns(self, columns: list[Column], nouns: Phrase) -> Slots:
        """What is shown, and once more where it is somebody: "who is the manager of …"."""
        shown = [self.tests.words(column.owner, column.key) for column in columns]
        people = all(
            words.kind is not Role.CODE and kind_of(words.noun)[0] is ThingKind.PERSON
            for words in shown
        )
        return {"C": nouns, **({"PC": nouns} if people else {})}

    def _is_name(self, column: Column) -> bool:
        """Whether a property is what things of its type are known by."""
        thing = self.lexicon.thing(column.owner)
        return thing is None or column.key in thing.name

    def _is_numbered(self, type: str) -> bool:
        """Whether things of a type are told by a number though they have names: pets by their
        chips, as more than one is called Luna."""
        thing, props = self.lexicon.thing(type), self.lexicon.properties.get(type, {})
        if thing is None or thing.noun is None or not thing.name:
            return False
        own = {"name", *(f"{word} name" for word in thing.noun.singular.split())}
        numbered = all(props[key].noun.endswith(_NUMBERS) for key in thing.name if key in props)
        return numbered and any(p.noun in own for key, p in props.items() if key not in thing.name)

    def _nouns(self, columns: list[Column], *, many: bool) -> Phrase:
        """The nouns of what is shown."""
        parts: list[NP] = []
        for column in self._in_time(columns):
            words = self.tests.words(column.owner, column.key)
            if words.kind is Role.FLAG:
                raise NoWording("a flag among what is shown")
            if words.noun in ("sex", "gender") or (many and words.kind is Role.CODE):
                raise NoWording("codes of many, and sexes", "Nobody wants a list of them.")
            if words.noun == "name" and not self._is_name(column):
                raise NoWording("a name that several have")
            noun = self._sort_of_somebody(column, words) or amount_of(words)
            several = words.plural if noun == words.noun else ""
            parts.append(
                NP(
                    noun,
                    several or plural(noun),
                    many=many or is_plural(noun),
                    atoms=(column,),
                )
            )
        # One word behind several shares what stands before them: "discharge destination and time".
        shared = [
            place
            for place, part in enumerate(parts)
            if place and " " not in part.one and " " in parts[place - 1].one
        ]
        if shared and self.form == "search":
            parts.sort(key=lambda part: " " in part.one)
        elif shared:
            parts = [parts[0], *(replace(part, det="the") for part in parts[1:])]
        return parts[0] if len(parts) == 1 else Listing(tuple(parts), "and")

    def _in_time(self, columns: list[Column]) -> list[Column]:
        """The columns in the order of their time, where all are moments: a start before an end."""
        words = [self.tests.words(column.owner, column.key) for column in columns]
        if not all(each.kind in _DATED for each in words):
            return columns
        turns = {id(c): _turn(each.noun) for c, each in zip(columns, words, strict=True)}
        return sorted(columns, key=lambda column: turns[id(column)])

    def _sort_of_somebody(self, column: Column, words: Property) -> str:
        """The "donor type" of somebody, who has no kind; "" of what else is shown."""
        thing = self.lexicon.thing(column.owner)
        somebody = thing is not None and thing.kind in (ThingKind.PERSON, ThingKind.ORGANISATION)
        if thing is None or not somebody or thing.noun is None or words.noun not in _CALLED:
            return ""
        return f"{thing.noun.singular} {'category' if words.noun == 'category' else 'type'}"

    def _shown(self, ask: Ask, whole: list[Column]) -> Iterator[tuple[Slots, float]]:
        """Things together with others beside them: "the cars and their buyers"."""
        columns = whole or [c for c in ask.columns if not c.key]
        rest = [c for c in ask.columns if c.key]
        if len(columns) != 1 or rest or any(each.steps for each in ask.focus.relations):
            raise NoWording("several things side by side")
        (column,) = columns
        if self._is_numbered(ask.focus.type) or self._is_numbered(column.thing.type):
            raise NoWording("a number where a name would be given")
        relation = next((r for r in ask.focus.relations if r.other is column.thing), None)
        if relation is None:
            raise NoWording("things that are far apart")
        if ask.goal == "with-or-without" and self._is_not_theirs(relation, ask.focus.type):
            raise NoWording("somebody beside what has nobody", "No repair has employees.")
        for head in self.things.describe(ask.focus, but=[relation])[:2]:
            alike = column.thing.type == ask.focus.type  # "their users" of users are any
            if column.thing.bare and not relation.tests and not alike:
                noun = self.things.noun(column.thing.type)
                plain = NP(noun.singular, noun.plural, many=True, atoms=(column, relation))
                yield {"F": head.np, "W": plain}, head.cost + self._own(relation)
            if len(ask.focus.tests) and not (column.thing.bare and not relation.tests):
                raise NoWording("pairs under two conditions", "It would have to be read twice.")
            det = "any" if ask.goal == "with-or-without" else "the"
            for other in self._linked(relation, det=det):
                np = replace(other.np, atoms=(*other.np.atoms, column))
                yield {"F": head.np, "O": np}, head.cost + other.cost

    def _is_not_theirs(self, relation: Relation, owner: str) -> bool:
        """Whether nobody would say "any" of the one who has to do with a paper or an event."""
        there, back = (self.lexicon.thing(each) for each in (owner, relation.other.type))
        person = back is not None and back.kind is ThingKind.PERSON
        one = relation.one and there is not None and there.kind in _WITHOUT_PEOPLE
        return person and one

    def _own(self, relation: Relation) -> float:
        """What it costs to call the other end theirs; a verb that is known says more."""
        path = self.lexicon.path(relation.along)
        if path is None or (path.forward is None and path.backward is None):
            raise NoWording(f"the path {' '.join(relation.along)}")
        known = path.forward is not None and (path.forward.verb not in ("", "have"))
        return 1.5 if known else 0.0

    def _linked(
        self, relation: Relation, *, many: bool = True, det: str = "the"
    ) -> Iterator[Described]:
        """The other end with the relation behind it: "the cars that they bought"."""
        along = turned(relation.along)
        path = self.lexicon.path(along)
        if path is None:
            raise NoWording(f"the path {' '.join(along)}")
        back = Relation(along, relation.other, tests=relation.tests, rivals=relation.rivals)
        if any(phrase is not None and phrase.noun for phrase in (path.forward, path.backward)):
            raise NoWording("whose role they have", "Nobody is told by whose manager they are.")
        adjuncts = self.things.adjuncts(back)
        for head in self.things.describe(relation.other, many=many, det=det):
            options: list[Option] = []
            if path.forward is not None:
                them = NP("them", "them", many=True)
                options += forward_options(path.forward, them, Link(back, adjuncts, (relation,)))
            if path.backward is not None:
                they = NP("they", "they", many=True)
                options += backward_options(path.backward, they, Link(back, adjuncts, (relation,)))
            for option in options:
                if option.place in ("post", "rel") and (np := with_option(head.np, option)):
                    if not parts_well(np):  # "the engineers of them": their engineers
                        continue
                    by_them = 0.8 * (option.place == "post")
                    yield Described(np, head.cost + option.cost + by_them)

    def _shared(self, ask: Ask) -> list[tuple[Slots, float]]:
        """What shares a third thing with a named one."""
        focus = ask.focus
        for relation in focus.relations:
            third = relation.other
            back = third.relations[0] if len(third.relations) == 1 else None
            if back is None or third.tests or third.name or relation.how != "some":
                continue
            one = back.other
            if back.along != turned(relation.along) or not one.name or one.tests or one.relations:
                continue
            if one.type != focus.type or relation.tests or back.tests or ask.columns:
                continue
            ask.goal = "shared-with"
            return list(self._sharing(focus, relation, back))
        return []

    def _sharing(
        self, focus: Thing, relation: Relation, back: Relation
    ) -> Iterator[tuple[Slots, float]]:
        path = self.lexicon.path(relation.along)
        if path is None or path.forward is None:
            raise NoWording("what things have in common")
        noun = self.things.noun(relation.other.type)
        atoms = (relation, back, *([focus.apart] if focus.apart is not None else []))
        if not (relation.one or path.pairs_unique):
            raise NoWording("what may share with itself")
        for one in self.things.fellows(back.other):
            same = (Text("same"),)
            as_ = Listing((Text("as"), one.np), "\0")
            if relation.one:
                role = path.forward.noun
                if role:  # "with the same manager as Ann Lee"
                    whose = NP(role, plural(role), det="the", pre=same, post=(as_,), atoms=atoms)
                    yield from self._with_the_same(focus, whose, atoms, one.cost)
                    continue
                other = NP(noun.singular, noun.plural, det="the", pre=same, post=(as_,))
            else:
                again = self._again(path, one.np)
                who = self.things.who(relation.other.type)
                other = NP(noun.singular, noun.plural, det="a", relative=(again,), who=who)
            for option in forward_options(path.forward, other, Link(relation, (), atoms)):
                for head in self.things.describe(focus, but=[*atoms])[:2]:
                    if head.np.relative:  # it would be said of the other one
                        continue
                    cost = head.cost + option.cost + one.cost
                    if option.place == "pred":
                        yield {"F": head.np, "P": option.phrase}, cost
                    elif not any(isinstance(post, Listing) for post in head.np.post):
                        np = with_option(head.np, option)
                        if np is not None:
                            yield {"FP": np}, cost

    def _with_the_same(
        self, focus: Thing, whose: NP, atoms: tuple[Atom, ...], dear: float
    ) -> Iterator[tuple[Slots, float]]:
        """ "Officers with the same manager as Ann Lee"."""
        behind = Option("post", Listing((Text("with"), whose), "\0"))
        for head in self.things.describe(focus, but=[*atoms])[:2]:
            whole = None if head.np.post or head.np.relative else with_option(head.np, behind)
            if whole is not None:
                yield {"FP": whole}, head.cost + dear

    def _again(self, path: Path, one: NP) -> Clause:
        """What a named one has to do with the third: "that Ann Lee took too"."""
        there, back = path.forward, path.backward
        too = (Text("too"),)
        if there is not None and there.verb:
            return Clause(
                verb=there.verb, particle=there.particle, tense=there.tense, subject=one, tail=too
            )
        if back is not None and back.verb:
            return Clause(
                verb=back.verb, particle=back.particle, tense=back.tense, object=one, tail=too
            )
        raise NoWording("what things have in common")

    def _merged(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        """Two relations of one kind, said at once: "bought both A and B", "A but not B"."""
        focus = ask.focus
        pair = [r for r in focus.relations if r.how in ("some", "no")]
        if len(pair) != 2 or ask.columns or len(focus.relations) != 2:
            yield from self._find(ask)
            return
        one, two = sorted(pair, key=lambda r: r.how == "no")
        path = self.lexicon.path(one.along)
        if path is None or one.tests or two.tests:
            raise NoWording("two links of one kind")
        if one.other.name and not has_verb(path):
            raise NoWording("two links without a verb", "Nobody has this one but not that one.")
        joiner = "but not" if two.how == "no" else "and"
        det = "" if one.other.name else "a"
        firsts = self.things.describe(one.other, many=False, det=det, deep=True)
        seconds = self.things.describe(two.other, many=False, det=det, deep=True)
        if two.other.name and two.how == "no":  # "by the designer Ann Lee but not Bo Zhu"
            seconds = self.things.fellows(two.other)
        lead = joiner == "and" and det == ""
        second = seconds[0].np if det == "" else one_of(seconds[0].np, joiner)
        joiner = "but" if det and joiner == "but not" else joiner
        parts = Listing((firsts[0].np, second), joiner)
        whole = Listing((Text("both"), parts), "\0") if lead else parts
        cost = firsts[0].cost + seconds[0].cost
        merged = Relation(one.along, one.other, rivals=one.rivals)
        options: list[Option] = []
        if path.forward is not None:
            options += forward_options(path.forward, whole, Link(merged, (), (one, two)))  # type: ignore[arg-type]
        for head in self.things.describe(focus, but=pair)[:2]:
            for option in options:
                if option.place == "pred":
                    name = verb_slot("P", option.phrase)
                    yield {"F": head.np, name: option.phrase}, head.cost + option.cost + cost
                elif (np := with_option(head.np, option)) is not None:
                    yield {"F": np}, head.cost + option.cost + cost + 0.5

    # --- one thing -----------------------------------------------------------------------

    def _detail(self, ask: Ask) -> Iterator[tuple[Slots, float]]:
        focus = ask.focus
        if not ask.columns or focus.tests:
            raise NoWording("a look-up of nothing")
        words = [self.tests.words(column.owner, column.key) for column in ask.columns]
        kinds = {each.kind for each in words}
        sorts = any(each.noun.rpartition(" ")[2] in SORTS for each in words)
        if (kinds & _SIZES and kinds & _CIRCUMSTANCES) or (sorts and kinds & _DATED):
            raise NoWording("two things that have nothing to do with each other")
        for each in self.things.describe(
            focus, many=False, whole=not self.things.known(focus.type)
        ):
            shown = self._person_columns(ask.columns, self._nouns(ask.columns, many=False))
            several: Slots = {"CC": shown["C"]} if len(ask.columns) > 1 else {}
            yield {"N": each.np, **shown, **several}, each.cost
            if len(ask.columns) == 1:
                (column,) = ask.columns
                yield from self._looked_up(focus, column, each.np)

    def _looked_up(self, focus: Thing, column: Column, named: NP) -> Iterator[tuple[Slots, float]]:
        """ "What type of customer is Ann Lee?", "which city is Ann Lee from?"."""
        words = self.tests.words(column.owner, column.key)
        owner = self.things.noun(focus.type).singular
        coded = any(map(self.things.is_coded, focus.name))
        if words.noun in SORTS and not coded and owner.rpartition(" ")[2] not in SORTS:
            if self.form == "explicit":
                yield {"Q": Text(f"what {words.noun} is", (column,)), "N": named}, 0.0
            for plain in self.things.fellows(focus):
                sort = Text(f"what {words.noun} of {owner} is", (column,))
                yield {"Q": sort, "N": plain.np}, plain.cost
        # What is asked for is named at level 2: "which city", not "how old".
        if self.form != "explicit" or f" {words.noun} " in words.ask:
            yield from self._asked(column.owner, column.key, column, {"N": named})

    def _asked(
        self, owner: str, key: str, atom: Atom, slots: Slots
    ) -> Iterator[tuple[Slots, float]]:
        """ "How old is", "where are … from", "how much does … cost"."""
        words = self.tests.words(owner, key)
        if words.noun == "building" and "N" in slots:
            yield {**slots, "Q": Text("in which building is", (atom,))}, -1.0
            return
        within = words.ask == f"which {words.noun} … in"
        if within and self.form == "explicit" and "N" in slots:
            yield {**slots, "Q": Text(f"in which {words.noun} is", (atom,))}, -0.5
            return
        first, _, rest = words.noun.partition(" ")
        past, dated = first in ("first", "last", "latest", "previous"), rest.endswith(" date")
        if words.kind is Role.DATE and past and dated and "N" in slots and not words.verb:
            event = words.noun.removesuffix(" date")  # of a donation, to a donor
            yield {**slots, "Q": Text(f"when was the {event} of", (atom,))}, -1.0
            return
        if words.noun == "population" and "N" in slots:
            yield {**slots, "Q": Text("how many people live in", (atom,))}, -1.0
            return
        if not words.ask or ("people" in words.ask and "F" in slots):
            return
        if words.ask.startswith("how many ") and not is_plural(words.ask.split(" … ")[0]):
            return
        front, dots, end = words.ask.partition("…")
        front, end = front.strip(), end.strip()
        last = front.rpartition(" ")[2]
        if not dots and front.startswith("who ") and (by_past(last) or by_third(last)):
            yield {**slots, "Q": Text(front, (atom,))}, -1.0
            return
        verb = words.verb
        clause = Clause(be="", atoms=(atom,))
        if verb is not None:
            clause = Clause(
                verb=verb.verb, be=verb.be, particle=end or verb.particle if not verb.be else "",
                tense=verb.tense, atoms=(atom,),
            )  # fmt: skip
            end = ""
        elif end and by_base(end.split()[0]) is not None:
            clause, end = Clause(verb=end, atoms=(atom,)), ""
        if not dots and not words.verb and front in ("how much", "how many"):
            return
        yield {**slots, "Q": Text(front), "A": clause, "R": Text(end)}, 0.0


def _turn(noun: str) -> int:
    """When a moment is among others of its thing, by a word of its noun."""
    words = {*noun.split()}
    return 1 + bool(words & word_set("last_dates")) - bool(words & word_set("first_dates"))


def _ended(phrase: Phrase) -> Phrase:
    """The phrase in the past, where it says when something starts or ends."""
    if isinstance(phrase, Clause) and phrase.verb in ("end", "start", "finish", "close"):
        return replace(phrase, tense=Tense.PAST)
    return phrase


def _is_for(phrase: Phrase) -> bool:
    """Whether no more is said than what something is for."""
    bare = isinstance(phrase, Clause) and not (phrase.verb or phrase.be) and phrase.whose is None
    return bare and isinstance(phrase, Clause) and phrase.particle == "for"


def _nobody(phrase: Phrase) -> bool:
    """Whether nobody is the subject: "how many clubs does no player play for"."""
    subject = phrase.subject if isinstance(phrase, Clause) else None
    return isinstance(subject, NP) and subject.det == "no"
