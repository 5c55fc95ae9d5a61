"""Conditions on properties as phrases: what can stand before a noun, behind it, or be its verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import Either, Test
from generators.questions.lexicon.askable import has_words, is_vague
from generators.questions.lexicon.derive.data import head_word, kind_of
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Lexicon,
    Property,
    Role,
    Standing,
    Tense,
    Term,
    ThingKind,
    filled,
)
from generators.questions.phrases.tree import ALIKE, NP, Clause, Listing, Text
from generators.questions.realise.conditions.by_noun import ByNoun
from generators.questions.realise.conditions.categories import as_somebody, plainly, shapes
from generators.questions.realise.conditions.category_value import STANDINGS, CategoryValue
from generators.questions.realise.conditions.framing import (
    ABOVE,
    NO_BE,
    bound_frame,
    framed,
    is_phrase,
    may_precede,
    unvalued,
    valued,
    verbal,
)
from generators.questions.realise.conditions.knowledge import term_of
from generators.questions.realise.conditions.options import Form, Option
from generators.questions.realise.conditions.unasked import SHORT, Condition, refuse_unasked
from generators.questions.realise.conditions.values import (
    period_text,
    range_text,
    value_text,
    values_text,
)
from graphmill.english.inflection import a, plural
from graphmill.english.lists import word_set
from graphmill.english.names import singular

_OF_EVENTS = frozenset({"date", "year", "time", "month", "day"})
_LASTING = frozenset(
    {ThingKind.PERSON, ThingKind.PLACE, ThingKind.ORGANISATION, ThingKind.CATEGORY}
)
_PAPERS = frozenset({ThingKind.DOCUMENT, ThingKind.TRANSACTION, ThingKind.RECORD})
_OF_SORT = frozenset(f"of {sort} {{}}" for sort in ("type", "kind", "category", "format"))
_AT = frozenset({"in", "on", "at"})
_MEANS = frozenset({"channel", "medium", "method", "mode", "source"})
_SINGLE = frozenset(  # what a thing has one of, where a flag says that it has
    {
        "bonus",
        "charge",
        "commission",
        "deposit",
        "discount",
        "fee",
        "garage",
        "surcharge",
        "warranty",
    }
)
# Events that did not take place, or have not yet.
_NOT_YET = frozenset({"cancelled", "canceled", "future", "missed", "planned", "scheduled"})


class Tests:
    """Says conditions on properties, in one form."""

    def __init__(self, lexicon: Lexicon, form: Form) -> None:
        self.lexicon = lexicon
        self.form = form
        self._words: dict[tuple[str, str], Property] = {}
        self._options: dict[int, list[Option]] = {}

    def words(self, owner: str, key: str) -> Property:
        """The words of a property that may be spoken of.

        Raises:
            NoWording: there are none, or nobody would ask for it.
        """
        words = self._words.get((owner, key))
        if words is None:
            words = self._words[owner, key] = self._askable(owner, key)
        return words

    def _askable(self, owner: str, key: str) -> Property:
        words = self.lexicon.property(owner, key)
        if words is None or not has_words(words):
            raise NoWording(f"the property {key}", f"Nobody asks for the property {key}.")
        if is_vague(words):
            raise NoWording(f"the property {key}", f"Nobody knows what {words.noun} are.")
        thing = self.lexicon.thing(owner)
        noun = thing.noun.singular if thing is not None and thing.noun is not None else ""
        lasting = thing is not None and thing.kind in _LASTING
        several = thing.noun.plural if thing is not None and thing.noun is not None else ""
        counted = words.noun in ("count", "number", noun, several, f"number of {several}")
        if counted or (lasting and words.noun in _OF_EVENTS):
            raise NoWording(f"the property {key}", f"Nobody knows which {words.noun} that is.")
        counts = words.noun.removesuffix(" count")
        if words.kind is Role.COUNT and counts not in {words.noun, *word_set("victims")}:
            words = replace(words, noun=f"number of {plural(counts)}")
        return self._without_owner(owner, noun, plainly(words, noun))

    def _without_owner(self, owner: str, noun: str, words: Property) -> Property:
        """The words without those that the owner has already: the "class" of a student, not the
        "student class", where nothing else of it is called so."""
        if words.noun.endswith(f" of {noun}"):  # the "kind of product" of a product
            kind = words.noun.removesuffix(f" of {noun}")
            return replace(words, noun=kind, plural=plural(kind), group=words.group or words.noun)
        parts, own = words.noun.split(" "), noun.split(" ")
        same = 0
        while same < min(len(parts) - 1, len(own)) and parts[same] == own[same]:
            same += 1
        rest = " ".join(parts[same:])
        others = (p.noun for p in self.lexicon.properties.get(owner, {}).values())
        if same < len(own) and rest != "description":
            return words
        if not same or rest in others or rest in ("ID", "number", "name", "method"):
            return words
        with_article = a(words.noun)
        frames = {
            part: getattr(words, part).replace(with_article, a(rest)).replace(words.noun, rest)
            for part in ("equal", "unequal", "above", "below", "at_least", "at_most", "range")
        }
        many = words.plural.split(" ")
        group = rest if words.group == words.noun else words.group
        plain = replace(words, noun=rest, plural=" ".join(many[same:]), group=group)
        return replace(plain, **frames)

    def options(self, test: Test | Either) -> list[Option]:
        """The ways to say a condition of a thing.

        Raises:
            NoWording: there is none.
        """
        if id(test) not in self._options:
            self._options[id(test)] = self._worked_out(test)
        return self._options[id(test)]

    def _worked_out(self, test: Test | Either) -> list[Option]:
        if isinstance(test, Either):
            return self._either(test)
        if self.form != "explicit" and (term := term_of(test, self.lexicon)) is not None:
            return _as_term(term, test)
        words = self.words(test.owner, test.key)
        condition = Condition(test, words, self.lexicon.thing(test.owner))
        refuse_unasked(condition)
        worded = bool(test.values) and bool(words.word(test.values[0].value))
        if test.values and isinstance(test.values[0].value, bool) and not worded:
            return self._flag(test, words)
        if words.kind is Role.CATEGORY and test.op == "=" and len(condition.texts) == 1:
            (one,) = condition.texts
            # What is cleaning by its status is no cleaning, what came by email is none.
            head = words.noun.rpartition(" ")[2]
            other = head in _MEANS or (one.endswith("ing") and head in STANDINGS)
            if one and not other and self._is_kind(test.owner, one):
                return list(self._as_kind(test.owner, one, (test,)))
        if test.op in ("=", "<>") and words.kind is Role.CATEGORY and len(condition.texts) == 1:
            named = value_text(test.values[0], words)
            value = CategoryValue(test, words.noun, named, condition.owner, test.op == "<>")
            if somebody := as_somebody(value):
                return somebody
        before = words.place is Standing.BEFORE and not words.values and test.op != "<>"
        if not (worded or before) and (shaped := shapes(test, words, self.lexicon)):
            return self._without_own_noun(test, shaped)
        return self._in_words(test, words, worded)

    def _in_words(self, test: Test, words: Property, worded: bool) -> list[Option]:
        """By the frames of the lexicon, and by the noun of the property where these do not say it
        all; `worded`: the value has a word of its own."""
        options = self._without_own_noun(test, self._by_frame(test, words))
        verbal = words.kind in MOMENTS and words.verb is not None  # "opened after 1980"
        if not (options and ((test.op in ("=", "<>") and worded) or verbal)):
            dear = 0.0 if self.form == "explicit" and not options else 1.0
            owner = self.lexicon.thing(test.owner)
            options += ByNoun(test, words, owner, self.form, dear).options()
        if not options:
            raise NoWording(f"the condition {test.op} on {test.key}")
        return options

    def _without_own_noun(self, test: Test, options: list[Option]) -> list[Option]:
        """Options of which none says the noun of the thing twice: "keelboats", and "boats of type
        Keelboat" at level 2, for "keelboat boats"."""
        thing = self.lexicon.thing(test.owner)
        own = thing.noun.singular.rpartition(" ")[2] if thing is not None and thing.noun else ""
        once = []
        for option in options:
            value = option.phrase.words if isinstance(option.phrase, Text) else ""
            last = value.lower().rpartition(" ")[2]
            if option.place != "pre" or len(own) < SHORT or not last.endswith(own):
                once.append(option)
            elif last == own or self.form != "explicit":
                once.append(replace(option, place="head"))
        return once

    def _flag(self, test: Test, words: Property) -> list[Option]:
        """ "with open access", "without open access"."""
        if test.op not in ("=", "<>"):
            raise NoWording(f"the condition {test.op} on {test.key}")
        no = (test.values[0].value is True) is (test.op == "<>")
        atoms = (test,)
        what = a(words.noun) if head_word(words.noun) in _SINGLE else words.noun
        clause = Clause(verb="have", object=Text(what), negated=no, atoms=atoms)
        phrase = f"{'without' if no else 'with'} {what}"
        return [Option("post", Text(phrase, atoms)), Option("pred", clause, 0.2)]

    def _either(self, either: Either) -> list[Option]:
        parts = [self.options(test) for test in either.tests]
        alternatives = []
        for place in ("post", "pred"):
            each = [next((o for o in options if o.place == place), None) for options in parts]
            if all(each):
                phrases = tuple(option.phrase for option in each if option)
                cost = sum(option.cost for option in each if option)
                alternatives.append(Option(place, Listing(phrases, "or", (either,)), cost))
        if not alternatives:
            raise NoWording("one condition or another")
        return alternatives

    # --- the frames of the lexicon -------------------------------------------------------

    def _by_frame(self, test: Test, words: Property) -> list[Option]:
        by_word = self._by_word(test, words)
        if by_word is not None:
            return by_word
        atoms = (test,)
        options: list[Option] = []
        frame, text = self._frame(test, words)
        if frame in _OF_SORT and test.op == "=" and may_precede(text):
            # "Party games", "juvenile patrons"
            options.append(Option("pre", Text(text, atoms), -0.2))
        if frame:
            for option in framed(filled(frame, text), atoms, words, self.dated(test.owner)):
                stays = option.place != "pred" or words.kind is not Role.PLACE
                stays = stays or not self._is_paper(test.owner)  # requests "are there from Lyon"
                options.append(option if stays else replace(option, cost=option.cost + 1.5))
        return [*options, *self._by_verb(test, words)]

    def _by_word(self, test: Test, words: Property) -> list[Option] | None:
        """By what the one value means, or by itself before the noun; None where frames say it."""
        if len(test.values) != 1 or test.op not in ("=", "in", "<>"):
            return None
        (value,) = test.values
        word = words.word(value.value)
        after = words.place is Standing.AFTER
        if after and (words.unequal if test.op == "<>" else words.equal):
            return None  # the frame says it: "working the {} shift"
        if word and after and not is_phrase(word):
            return []  # "whose grade is Near Mint"
        if word:
            mean = unvalued if test.op == "<>" else valued
            return self._as_sorted(word, words, test, list(mean(word, words, (test,))))
        if test.op != "<>" and words.place is Standing.BEFORE and not words.values:
            shown = value_text(value, words)
            if '"' not in shown:
                return [Option("pre", Text(shown, (test,)), -0.2)]
        return None

    def _as_sorted(
        self, word: str, words: Property, test: Test, options: list[Option]
    ) -> list[Option]:
        """Options of which none says of a thing what its sort alone is: "are full plots"."""
        thing = self.lexicon.thing(test.owner)
        person = thing is not None and thing.kind is ThingKind.PERSON
        if person and " " in word and kind_of(word)[0] is ThingKind.PERSON:
            return list(_as_pair(word, test)) if words.place is Standing.BEFORE else options
        sorts = head_word(words.noun) in word_set("sorting")
        if not sorts or word not in word_set("two_sensed") or thing is None or thing.noun is None:
            return options
        own, head = thing.noun.singular, thing.noun.singular.rpartition(" ")[2]
        own = head if kind_of(head) == kind_of(own) else own  # partner libraries that are special
        kind = NP(f"{word} {own}", f"{word} {plural(own)}", many=True, det=ALIKE)
        return [
            replace(each, phrase=replace(each.phrase, be="", object=kind))
            if each.place in ("pred", "rel") and isinstance(each.phrase, Clause)
            else each
            for each in options
        ]

    def _by_verb(self, test: Test, words: Property) -> Iterator[Option]:
        """By the verb of an amount: "weighing more than 20 kg"."""
        if words.verb is None or words.kind not in QUANTITIES:
            return
        values = [value_text(value, words) for value in test.values]
        if test.op == "between":
            low, high = range_text(test.values, words)
            yield from verbal(words.verb, f"between {low} and {high}", (test,))
        elif test.op in ABOVE:
            amount = ABOVE[test.op][1].replace("{}", values[0])
            yield from verbal(words.verb, amount, (test,))

    def _is_kind(self, owner: str, value: str) -> bool:
        """Whether a value is the noun of such a thing itself: a city of which it says "Town"."""
        thing = self.lexicon.thing(owner)
        kind, rule = kind_of(value.lower())
        noun = thing.noun.singular if thing is not None and thing.noun is not None else ""
        known = rule == "kind-noun" and thing is not None and kind is thing.kind
        one = value.isalpha() and not value.endswith("s") and value.lower() not in noun
        # No book is a fiction, and no library a state.
        one = one and value.lower() not in word_set("uncounted") | word_set("two_sensed")
        return known and one and kind not in (ThingKind.PERSON, ThingKind.THING)

    def _as_kind(self, owner: str, value: str, atoms: tuple[Test, ...]) -> Iterator[Option]:
        """ "towns", "cities that are towns" for cities whose status is Town; "dog breeds", which
        are no dogs."""
        noun, thing = value.lower(), self.lexicon.thing(owner)
        own = head_word(thing.noun.singular) if thing is not None and thing.noun else ""
        sorts = own in word_set("classes")
        noun = f"{noun} {own}" if sorts else noun
        kind = NP(noun, plural(noun), many=True, det=ALIKE)
        clause = Clause(object=kind, atoms=atoms)
        if not sorts:
            yield Option("rel", clause, 0.0 if self.form == "explicit" else 0.6)
        yield Option("pred", clause, 0.9 * sorts)
        if sorts or self.form != "explicit":
            yield Option("head", Text(noun, atoms))

    def _is_paper(self, owner: str) -> bool:
        """Whether nobody says of a thing that it "is in" a place."""
        thing = self.lexicon.thing(owner)
        return thing is not None and thing.kind in _PAPERS

    def dated(self, owner: str) -> Clause:
        """How a thing is at a time: events take place, which have one, and what is written is
        dated. What has no time of its own is a kind of event."""
        thing = self.lexicon.thing(owner)
        words = self.lexicon.properties.get(owner, {}).values()
        meant = {meaning for each in words for meaning in each.values.values()}
        timed = any(each.kind in MOMENTS for each in words) and not meant & _NOT_YET
        noun = "" if thing is None or thing.noun is None else thing.noun.singular
        if noun.rpartition(" ")[2] in word_set("taken_things") and timed:
            return Clause(be="taken", tense=Tense.PAST)
        if thing is not None and thing.kind is ThingKind.EVENT and timed:
            return Clause(verb="take", particle="place", tense=Tense.PAST)
        if thing is not None and thing.kind is ThingKind.PERIOD:
            return Clause(tense=Tense.PAST)  # days are "after 1 May"
        return Clause(be="dated")

    def _frame(self, test: Test, words: Property) -> tuple[str, str]:
        match test.op:
            case "=" | "in":
                return words.equal, values_text(test.values, words)
            case "<>" | "not in":
                text = values_text(test.values, words)
                if words.unequal and not words.unequal.startswith("with another "):
                    return words.unequal, text
                bare = words.equal and words.equal.split()[0] not in NO_BE
                return (f"not {words.equal}" if bare else ""), text
            case ">" | ">=" | "<" | "<=":
                return bound_frame(words, test.op), value_text(test.values[0], words)
            case "between":
                lo, hi = range_text(test.values, words)
                if words.range.count("{}") == 2:
                    return words.range.replace("{}", lo, 1), hi
            case "period":
                whole = period_text(test.values, words)
                frame, _, value = words.equal.rpartition(" ")
                before, _, at = frame.rpartition(" ")
                if whole and value == "{}" and at in _AT:
                    return f"{before} {{}}".strip(), whole
            case "null":
                return words.absent, ""
            case "known":
                return words.present, ""
        return "", ""


def _as_pair(word: str, test: Test) -> Iterator[Option]:
    """ "Home gardeners" for clients who are: two words of somebody before theirs are a pile."""
    kind = NP(word, plural(word), many=True, det=ALIKE)
    clause = Clause(object=kind, negated=test.op == "<>", atoms=(test,))
    yield Option("pred", clause, 0.2)
    yield Option("rel", clause) if clause.negated else Option("head", Text(word, (test,)))


def _as_term(term: Term, test: Test) -> list[Option]:
    """By the glossary's term for what passes: "minors"."""
    noun = term.singular or singular(term.term)
    kind = NP(noun, term.term, many=True, det=ALIKE)
    claim = Option("pred", Clause(object=kind, atoms=(test,)), 0.2)
    return [Option("head", Text(noun, (test,)), -0.5), claim]
