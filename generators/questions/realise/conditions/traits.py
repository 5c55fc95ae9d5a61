"""Values of categories as what things have or are known for: "with a manual transmission"."""

from __future__ import annotations

from collections.abc import Callable

from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import ThingKind
from generators.questions.phrases.tree import Clause, Text
from generators.questions.realise.conditions.category_value import (
    SORTS,
    CategoryValue,
    had,
    is_trait,
    phrase_options,
)
from generators.questions.realise.conditions.options import Option
from graphmill.english.inflection import a, is_plural
from graphmill.english.lists import word_set

_UNTRAITED = word_set("places") | word_set("containers") | SORTS
_UNTRAITED |= {
    "name",
    "title",
    "code",
    "number",
    "topic",
    "theme",
    "subject",
    "interest",
    "product",
}
_QUALIFIED = frozenset({"fuel", "tissue", "visibility"})
_RHYTHMS = frozenset({"frequency", "interval"})
_GRADED = frozenset({"priority", "risk", "severity", "urgency"})
_SENIORITIES = frozenset({"grade", "seniority"})
_WEIGHTS = frozenset({"severity", "urgency", "importance", "intensity", "complexity", "difficulty"})
_DEGREES = frozenset({"high", "low", "medium", "moderate"})  # that anything may have
_TITLES = frozenset(
    {"certificate", "degree", "diploma", "licence", "license", "membership", "visa"}
)
_DONENESS = frozenset({"grind", "roast"})  # which beans have, light or dark
_LEARNED = frozenset(  # of what somebody, or what they learn, is at a level
    {
        *("academic", "class", "competition", "course", "degree", "education", "educational"),
        *("entry", "exam", "experience", "grade", "language", "proficiency", "qualification"),
        *("school", "skill", "study", "training"),
    }
)
_ACRONYM = 6  # letters, from which on capitals are no acronym


def as_trait(value: CategoryValue) -> list[Option]:
    """Cars whose transmission is "Manual" have a manual transmission; classes whose study level is
    master are at master level, orders at an interval of months monthly orders."""
    if value.no:
        return []
    one = value.one
    word = one if one.isupper() and len(one) < _ACRONYM else one.lower()
    for rule in _RULES:
        if options := rule(value, word):
            return options
    return []


def _owner(value: CategoryValue) -> str:
    thing = value.thing
    return thing.noun.singular if thing is not None and thing.noun is not None else ""


def _qualified(value: CategoryValue, word: str) -> list[Option]:
    """ "hydro plants", "secret communities", "monthly orders"."""
    rhythm = value.head in _RHYTHMS and word.endswith("ly")
    if not _is_named(value.one) or not (value.head in _QUALIFIED or rhythm):
        return []
    return [Option("pre", Text(word, (value.test,)))]


def _graded(value: CategoryValue, word: str) -> list[Option]:
    """ "high-priority tickets", "medium-risk customers"."""
    first = value.noun.partition(" ")[0]
    graded = first == value.noun or value.head in ("level", "rating", "class")
    if first not in _GRADED or not graded or word not in _DEGREES:
        return []
    before = Option("pre", Text(f"{word}-{first}", (value.test,)), -0.2)
    return [before, *had(value.test, a(f"{word} {value.noun}"))]


def _of_seniority(value: CategoryValue, word: str) -> list[Option]:
    """ "senior mechanics", mechanics "of apprentice grade"."""
    person = value.thing is not None and value.thing.kind is ThingKind.PERSON
    if value.head not in _SENIORITIES or not _is_named(value.one) or not person:
        return []
    if is_trait(word):
        atoms = (value.test,)
        return [Option("pre", Text(word, atoms)), Option("pred", Clause(be=word, atoms=atoms), 0.2)]
    return phrase_options(value.test, f"of {word} {value.noun}")


def _of_weight(value: CategoryValue, word: str) -> list[Option]:
    """ "of major severity"."""
    if value.noun not in _WEIGHTS or not _is_plain(value, word):
        return []
    return phrase_options(value.test, f"of {word} {value.noun}")


def _at_level(value: CategoryValue, word: str) -> list[Option]:
    """ "at master level", "with a medium-dark roast"; no machine is "at manual level"."""
    if value.head != "level" or not _is_named(value.one) or word in _DEGREES:
        return []
    what = value.noun.removesuffix("level").strip()
    if what in _DONENESS:
        return had(value.test, a(f"{word} {what}"))
    if what and not {*what.split()} <= _LEARNED | {*_owner(value).split()}:
        return []
    return phrase_options(value.test, f"at {word if word.endswith('level') else f'{word} level'}")


def _as_had(value: CategoryValue, word: str) -> list[Option]:
    """ "with a manual transmission"."""
    noun, head, one = value.noun, value.head, value.one
    known = word in _DEGREES or (head == "channel" and word == "online")
    if head not in word_set("traits") | _TITLES and not known:
        return []  # nobody has a "geophysical group" or an "oral form"
    held = head in _TITLES and one[:1].isupper()  # "with a Bachelor of Arts degree"
    if not (held or _is_plain(value, word)) or head in _UNTRAITED:
        return []
    if kind_of(noun)[0] is ThingKind.PERSON and not is_trait(word):
        return []
    what = f"{one if held else word} {noun}"
    counted = not is_plural(noun) and head not in word_set("substances") | word_set("masses")
    return had(value.test, a(what) if counted else what)


def _is_named(one: str) -> bool:
    return one.replace("-", "").isalpha() and len(one) > 2


def _is_plain(value: CategoryValue, word: str) -> bool:
    """Whether a value is a word that stands before the noun of its property."""
    one = value.one
    sort = one == word and (one.isupper() or value.head in word_set("traits"))
    return one.replace("-", "").isalpha() and (sort or is_trait(word))


# In the order in which they are tried.
_RULES: tuple[Callable[[CategoryValue, str], list[Option]], ...] = (
    _qualified,
    _graded,
    _of_seniority,
    _of_weight,
    _at_level,
    _as_had,
)
