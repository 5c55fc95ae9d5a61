"""Conditions on properties as phrases: what can stand before a noun, behind it, or be its verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from generators.questions.author import NoWording
from generators.questions.goals.model import Either, Test
from generators.questions.lexicon.model import QUANTITIES, Lexicon, Property, Role, Standing
from generators.questions.lexicon.model import Phrase as Said
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.values import period_text, value_text, values_text
from graphmill.english.inflection import a, plural

type Place = Literal["head", "pre", "post", "rel", "pred"]
type Form = Literal["explicit", "contracted", "search"]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to say a restriction of a thing: where it stands, and what it costs."""

    place: Place
    phrase: Phrase
    cost: float = 0.0


_ABOVE = {
    ">": ("above", "more than {}", "over {}"),
    ">=": ("at_least", "at least {}", "of at least {}"),
    "<": ("below", "less than {}", "under {}"),
    "<=": ("at_most", "at most {}", "of at most {}"),
}
_TIMED = {">": "after {}", ">=": "on or after {}", "<": "before {}", "<=": "on or before {}"}
_YEARLY = {">": "after {}", ">=": "in or after {}", "<": "before {}", "<=": "in or before {}"}
_THAN = {">": "above {}", ">=": "of at least {}", "<": "below {}", "<=": "of at most {}"}
_UNASKED = frozenset({Role.REFERENCE, Role.KEY, Role.CONTACT})
_CLOCKED = frozenset({"datetime", "localdatetime"})
_NO_BE = ("of", "with", "that", "who", "whose", "without")


class Tests:
    """Says conditions on properties, in one form."""

    def __init__(self, lexicon: Lexicon, form: Form) -> None:
        self.lexicon = lexicon
        self.form = form

    def words(self, owner: str, key: str) -> Property:
        """The words of a property that may be spoken of.

        Raises:
            NoWording: there are none, or nobody would ask for it.
        """
        words = self.lexicon.property(owner, key)
        if words is None or not words.noun or words.hidden or words.kind in _UNASKED:
            raise NoWording(f"the property {key}", f"Nobody asks for the property {key}.")
        return words

    def options(self, test: Test | Either, *, who: bool) -> list[Option]:
        """The ways to say a condition of a thing; `who`: it is somebody.

        Raises:
            NoWording: there is none.
        """
        if isinstance(test, Either):
            return self._either(test, who)
        words = self.words(test.owner, test.key)
        if any(" on " in value_text(v, words) for v in test.values if v.moment in _CLOCKED):
            raise NoWording("a moment to the minute")
        found = list(self._by_frame(test, words))
        if not (test.op == "=" and words.word(test.values[0].value)):
            found += self._by_noun(test, words, who)
        if not found:
            raise NoWording(f"the condition {test.op} on {test.key}")
        return found

    def _either(self, either: Either, who: bool) -> list[Option]:
        parts = [self.options(test, who=who) for test in either.tests]
        found = []
        for place in ("post", "pred"):
            each = [next((o for o in options if o.place == place), None) for options in parts]
            if all(each):
                said = tuple(option.phrase for option in each if option)
                cost = sum(option.cost for option in each if option)
                found.append(Option(place, Listing(said, "or", (either,)), cost))
        if not found:
            raise NoWording("one condition or another")
        return found

    # --- the frames of the lexicon -------------------------------------------------------

    def _by_frame(self, test: Test, words: Property) -> Iterator[Option]:
        atoms = (test,)
        dear = 2.0 if self.form == "explicit" else 0.0
        if test.op in ("=", "in") and len(test.values) == 1:
            word = words.word(test.values[0].value)
            if word:
                yield from _valued(word, words, atoms, dear)
                return
            if words.place is Standing.BEFORE and not words.values:
                said = value_text(test.values[0], words)
                if '"' not in said:
                    yield Option("pre", Text(said, atoms), dear - 0.2)
                    return
        frame, said = self._frame(test, words)
        if frame:
            yield from _framed(frame.replace("{}", said), atoms, dear)
        if test.op in _ABOVE and words.verb is not None and words.kind in QUANTITIES:
            amount = _ABOVE[test.op][1].replace("{}", value_text(test.values[0], words))
            yield from _verbal(words.verb, amount, atoms, dear)

    def _frame(self, test: Test, words: Property) -> tuple[str, str]:
        match test.op:
            case "=" | "in":
                return words.equal, values_text(test.values, words)
            case "<>" | "not in":
                said = values_text(test.values, words)
                if words.unequal and not words.unequal.startswith("with another "):
                    return words.unequal, said
                bare = words.equal and words.equal.split()[0] not in _NO_BE
                return (f"not {words.equal}" if bare else ""), said
            case ">" | ">=" | "<" | "<=":
                return getattr(words, _ABOVE[test.op][0]), value_text(test.values[0], words)
            case "between":
                lo, hi = (value_text(value, words) for value in test.values)
                if words.range.count("{}") == 2:
                    return words.range.replace("{}", lo, 1), hi
            case "period":
                whole = period_text(test.values, words)
                if whole and words.equal.endswith((" in {}", " on {}", "in {}", "on {}")):
                    return words.equal[: words.equal.rindex("n {}") - 1] + "{}", whole
            case "null":
                return words.absent, ""
            case "known":
                return words.present, ""
        return "", ""

    # --- by the noun of the property -----------------------------------------------------

    def _by_noun(self, test: Test, words: Property, who: bool) -> Iterator[Option]:
        atoms = (test,)
        noun = NP(words.noun, words.plural or plural(words.noun))
        one = a(words.noun)
        dear = 0.0 if self.form == "explicit" else 1.0
        timed = words.kind in (Role.DATE, Role.TIME, Role.YEAR)
        number = words.kind in QUANTITIES or words.kind in (Role.RANK, Role.YEAR)
        match test.op:
            case "=" | "in" if number or timed:
                said = f"{one} of {values_text(test.values, words)}"
                yield from _having(said, atoms, dear)
            case "=" | "in":
                yield from self._is(noun, values_text(test.values, words), test, dear)
            case "<>" | "not in":
                yield from self._is(noun, values_text(test.values, words), test, dear, no=True)
            case ">" | ">=" | "<" | "<=":
                table = _YEARLY if words.kind is Role.YEAR else _TIMED if timed else _THAN
                than = table[test.op].replace("{}", value_text(test.values[0], words))
                if not (number or timed):
                    return
                yield from _having(f"{one} {than}", atoms, dear)
            case "between":
                lo, hi = (value_text(value, words) for value in test.values)
                yield from _having(f"{one} between {lo} and {hi}", atoms, dear)
            case "period":
                whole = period_text(test.values, words)
                lo, hi = (value_text(value, words) for value in test.values)
                if timed:
                    said = whole or f"from {lo} up to, but not including, {hi}"
                    yield from _having(f"{one} {said}", atoms, dear + (0 if whole else 3))
            case "null":
                yield from _having(f"no {words.noun} recorded", atoms, dear)
            case "known":
                yield from _having(f"a known {words.noun}", atoms, dear)
            case "contains" | "starts" | "ends":
                yield from self._text(noun, test, words, dear)

    def _is(
        self, noun: NP, said: str, test: Test, dear: float, *, no: bool = False
    ) -> Iterator[Option]:
        """ "whose engine type is V8", "with the engine type V8", "with one other than V8"."""
        yield Option("rel", Clause(be=said, negated=no, whose=noun, atoms=(test,)), dear + 1.3)
        text = f"{a(noun.one)} other than {said}" if no else f"the {noun.one} {said}"
        yield Option("pred", Clause(verb="have", object=Text(text), atoms=(test,)), dear + 1.5)
        yield Option("post", Text(f"with {text}", (test,)), dear + 1.5)

    def _text(self, noun: NP, test: Test, words: Property, dear: float) -> Iterator[Option]:
        if words.kind is not Role.NAME and words.kind is not Role.TEXT:
            return
        said = value_text(test.values[0], None, quoted=True)
        verb = {"contains": "contain", "starts": "start", "ends": "end"}[test.op]
        particle = "" if test.op == "contains" else "with"
        clause = Clause(verb=verb, particle=particle, object=Text(said), whose=noun, atoms=(test,))
        yield Option("rel", clause, dear)
        if test.op == "contains":
            there = f"{said} in the {noun.one}"
            yield Option("post", Text(f"with {there}", (test,)), dear)
            yield Option("pred", Clause(verb="have", object=Text(there), atoms=(test,)), dear)


def _valued(word: str, words: Property, atoms: tuple[Test, ...], dear: float) -> Iterator[Option]:
    """What a stored value means: "female customers", "orders on hold", "lamps"."""
    match words.place:
        case Standing.BEFORE:
            yield Option("pre", Text(word, atoms), dear)
            yield Option("pred", Clause(be=word, atoms=atoms), dear + 0.6)
        case Standing.HEAD:
            yield Option("head", Text(word, atoms), dear)
        case Standing.AFTER:
            yield from _framed(word, atoms, dear)


def _framed(said: str, atoms: tuple[Test, ...], dear: float) -> Iterator[Option]:
    """A phrase that stands behind its noun; most can be said with "to be", too."""
    first, _, rest = said.partition(" ")
    if first in ("who", "that"):
        yield Option("post", Text(said, atoms), dear + 1)
        return
    yield Option("post", Text(said, atoms), dear)
    if first == "with" and rest:
        yield Option("pred", Clause(verb="have", object=Text(rest), atoms=atoms), dear + 0.5)
    elif first not in _NO_BE and not first.endswith("ing"):
        yield Option("pred", Clause(be=said, atoms=atoms), dear)


def _verbal(verb: Said, amount: str, atoms: tuple[Test, ...], dear: float) -> Iterator[Option]:
    clause = Clause(
        verb=verb.verb,
        be=verb.be,
        particle=verb.particle,
        tense=verb.tense,
        object=Text(amount),
        atoms=atoms,
    )
    yield Option("rel", clause, dear + 0.5)
    yield Option("pred", clause, dear)


def _having(said: str, atoms: tuple[Test, ...], dear: float) -> Iterator[Option]:
    yield Option("post", Text(f"with {said}", atoms), dear)
    yield Option("pred", Clause(verb="have", object=Text(said), atoms=atoms), dear + 0.5)
