"""Values of categories that are said of a thing as adjectives are: "cancelled orders"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.data import head_word
from generators.questions.lexicon.model import Tense, ThingKind
from generators.questions.phrases.tree import ALIKE, NP, Clause, Text
from generators.questions.realise.conditions.category_value import (
    ENDINGS,
    STANDINGS,
    STATIVE,
    CategoryValue,
    channel,
    had,
    is_trait,
    phrase_options,
)
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.conditions.values import spoken_code
from graphmill.english.inflection import a, is_plural, listing, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_base, by_past

_GOING_ON = frozenset({"airing", "recruiting", "running", "touring"})
_FINDINGS = frozenset({"result", "outcome", "verdict"})
_OVERALL = frozenset({"current", "end", "final", "last", "latest", "overall"})
_THEMSELVES = (ThingKind.PERSON, ThingKind.ORGANISATION)
_VIA = {"purpose": "for", "channel": "via", "phase": "in phase"}
_MAIL = frozenset({"email", "fax", "mail", "phone", "post", "telephone"})  # made by phone
MEDIA = word_set("contact") | _MAIL
_FIELDS = frozenset({"industry", "sector", "building", "segment", "group", "division"})
_BEFORE = frozenset({"nationality", "colour", "color", "genre", "cuisine", "ethnicity", "breed"})
_NAMED = frozenset({"nationality", "ethnicity", "cuisine", "genre", "breed"})  # in capitals, too
_PEOPLES = ("n", "ch", "sh", "se", "ss")  # endings of nationalities, which countries have not
_ILLS = frozenset({"illness", "disease", "diagnosis", "indication"})
_CARE = frozenset({"treatment", "therapy", "prescription", "medication", "operation", "surgery"})
_MAKERS = frozenset({"make", "brand", "manufacturer", "maker", "model", "carrier", "network"})
_HELD = frozenset({"account", "contract", "licence", "license", "policy", "subscription"})
_REQUESTED = frozenset({ThingKind.DOCUMENT, ThingKind.TRANSACTION})  # reports "made via phone"
_MADE = frozenset({ThingKind.PRODUCT, ThingKind.VEHICLE})


def as_adjective(value: CategoryValue) -> list[Option]:
    """Orders with the status "Cancelled" are cancelled; hosts of a nationality are so."""
    return _by_first(_RULES, value)


# A rule says nothing (None) of what it is not for: then the next is tried. What it is for, and
# has no good words for, is [].
type _Rule = Callable[[CategoryValue], list[Option] | None]


def _by_first(rules: tuple[_Rule, ...], value: CategoryValue) -> list[Option]:
    for rule in rules:
        if (options := rule(value)) is not None:
            return options
    return []


def _before_noun(value: CategoryValue) -> list[Option] | None:
    """ "French hosts", "hosts from France", "red cars"."""
    if value.head not in _BEFORE or not value.one:
        return None
    shown = value.one if value.head in _NAMED else value.word
    if value.head == "nationality" and not shown.endswith(_PEOPLES):
        return phrase_options(value.test, f"{'not ' if value.no else ''}from {shown}")
    atoms = (value.test,)
    if value.no:
        return [Option("pre", Text(f"non-{shown}", atoms), 0.2)]
    return [Option("pre", Text(shown, atoms)), Option("pred", Clause(be=shown, atoms=atoms), 0.6)]


def as_descended(value: CategoryValue) -> list[Option] | None:
    """ "Exchanged birds", "birds that were bred here": how one came by a thing; [] of an origin
    that is neither that nor a place to be from."""
    if value.head not in ("origin", "provenance", "source"):
        return None
    words = [spoken_code(f"{each.value}").lower() for each in value.test.values]
    if not all(map(_is_deed, words)):
        stored = (f"{each.value}"[:1] for each in value.test.values)
        plain = any(map(str.islower, stored)) or not {*words}.isdisjoint(word_set("adjectives"))
        return [] if value.head == "origin" and (plain or any(map(_is_deed, words))) else None
    if len(words) == 1 and " " not in words[0]:
        return _adjective(replace(value, one=words[0]), relative=0.2, predicate=1.0)
    if value.no and len(words) > 1:
        return []
    done = listing(words, "or")
    clause = Clause(be=done, tense=Tense.PAST, negated=value.no, atoms=(value.test,))
    return [Option("rel", clause), Option("pred", clause)]


def _is_deed(text: str) -> bool:
    """Whether a value says what was done: bred here, captive-bred, exchanged."""
    first = text.partition(" ")[0].rpartition("-")[2]
    verb = by_past(first)
    return verb is not None and verb.participle == first and by_base(first) is None


def _of_era(value: CategoryValue) -> list[Option] | None:
    """ "Victorian costumes", "costumes from the 1920s"."""
    if value.head not in ("era", "period", "epoch") or not value.one or value.no:
        return None
    one = value.one
    if one.endswith(("century", "0s")):
        return phrase_options(value.test, f"from the {one.removeprefix('the ')}")
    named = one.isalpha() and one[:1].isupper() and not one.isupper()
    return [Option("pre", Text(one, (value.test,)))] if named else None


def _for_or_via(value: CategoryValue) -> list[Option] | None:
    """ "requests for renovation", "via a broker", "by phone", "treatments for metritis"."""
    thing, one, word = value.thing, value.one, value.word
    owner = thing.noun.singular if thing is not None and thing.noun is not None else ""
    cared = value.head in _ILLS and owner.rpartition(" ")[2] in _CARE
    if not (value.head in _VIA or cared) or not one or value.no:
        return None
    if value.head == "channel" and thing is not None and thing.kind in _THEMSELVES:
        return None  # nobody is by email
    counted = channel(one) if value.head == "channel" else ""
    known = word in MEDIA or one in word_map("brands").values()
    walked = word.rpartition(" ")[2] in word_set("prepositions")  # walk-in
    if value.head == "channel" and not (counted or known) and (walked or " " not in word):
        return None  # absentee bids
    plain = word in MEDIA or (one[1:].islower() and " " in one)  # "Box office"
    through = _VIA.get(value.head, "for")
    through = "by" if through == "via" and word in _MAIL else through
    behind = f"{through} {counted or (word if plain else one)}"
    made = value.head == "channel" and thing is not None and thing.kind in _REQUESTED
    return phrase_options(value.test, f"made {behind}" if made else behind)


def _in_field(value: CategoryValue) -> list[Option] | None:
    """ "in the public sector", "outside the public sector"."""
    if value.head not in _FIELDS or not value.one:
        return None
    field = f"the {value.word if is_trait(value.word) else value.one} {value.noun}"
    if is_plural(value.one):  # "in the organism group birds"
        field = f"the {value.noun} {value.one}"
    atoms = (value.test,)
    behind = Text(f"{'outside' if value.no else 'in'} {field}", atoms)
    clause = Clause(be=f"in {field}", negated=value.no, atoms=atoms)
    return [Option("post", behind), Option("pred", clause)]


def _of_ownership(value: CategoryValue) -> list[Option] | None:
    """ "public hospitals"."""
    if value.noun != "ownership" or not is_trait(value.word):
        return None
    return _adjective(value, relative=0.2, predicate=1.0)


def _as_rated(value: CategoryValue) -> list[Option] | None:
    """ "films rated PG-13"."""
    work = value.thing is not None and value.thing.kind is ThingKind.WORK
    if value.noun != "rating" or not value.one or not work:
        return None
    return phrase_options(value.test, f"{'not ' if value.no else ''}rated {value.one}")


def _on_subject(value: CategoryValue) -> list[Option] | None:
    """ "Geography modules"."""
    if value.noun != "subject" or not value.one[:1].isupper() or value.no:
        return None
    named = value.thing.noun if value.thing is not None else None
    if named is None:
        return []
    atoms, one = (value.test,), value.one
    kinds = NP(f"{one} {named.singular}", f"{one} {named.plural}", many=True, det=ALIKE)
    return [Option("pre", Text(one, atoms)), Option("pred", Clause(object=kinds, atoms=atoms))]


def _of_make(value: CategoryValue) -> list[Option] | None:
    """ "Toyota cars", "cars whose make is not Toyota"."""
    made = value.thing is not None and value.thing.kind in _MADE
    if value.head not in _MAKERS or not value.one[:1].isupper() or not made:
        return None
    atoms, noun = (value.test,), value.noun
    if not value.no:
        return [Option("pre", Text(value.one, atoms))]
    clause = Clause(object=Text(value.one), negated=True, whose=NP(noun, noun), atoms=atoms)
    return [Option("rel", clause)]


def _of_standing(value: CategoryValue) -> list[Option] | None:
    """What is so by its status, its condition or its result."""
    if value.head not in STANDINGS:
        return None
    named = value.thing.noun.singular if value.thing and value.thing.noun else ""
    of = {*value.noun.split()[:-1]} - {*named.split()} - _OVERALL
    what = value.noun.removesuffix(" status")
    if of and what in _HELD:  # nobody is closed whose account is
        so = value.word.partition(" ")[0] in STATIVE or value.word.endswith(ENDINGS)
        if not (so or value.word in word_set("adjectives")):
            return None
        if not value.no and " " not in value.word:
            return had(value.test, a(f"{value.word} {what}"))
        whose = NP(what, plural(what))
        clause = Clause(be=value.word, negated=value.no, whose=whose, atoms=(value.test,))
        return [Option("rel", clause)]
    # A lot in which salmonella are detected is no detected lot.
    return [] if of and value.head in _FINDINGS else _by_first(_STANDING_RULES, value)


def _as_result(value: CategoryValue) -> list[Option] | None:
    """ "students who passed"."""
    word, no, atoms = value.word, value.no, (value.test,)
    person = value.thing is not None and value.thing.kind is ThingKind.PERSON
    if not person or word not in word_map("results"):
        return None
    clause = Clause(verb=word_map("results")[word], tense=Tense.PAST, negated=no, atoms=atoms)
    behind = Option("rel", clause) if no else Option("post", Text(f"who {word}", atoms))
    return [behind, Option("pred", clause)]


def _in_condition(value: CategoryValue) -> list[Option] | None:
    """ "in fair condition", as fair copies are something else."""
    if value.word.rpartition(" ")[2] not in word_set("grades"):
        return None
    if value.head not in ("condition", "state"):
        return []
    return phrase_options(value.test, f"{'not ' if value.no else ''}in {value.word} condition")


def _as_phrase(value: CategoryValue) -> list[Option] | None:
    """ "under construction", "closed without payment", "who dropped out"."""
    word, no, atoms = value.word, value.no, (value.test,)
    first, _, rest = word.partition(" ")
    done = first.endswith("ed") and by_past(first) is not None and _is_manner(rest)
    if not (first in STATIVE or done) or not rest:
        return None
    verb = by_past(first)
    if verb is not None and word.replace(" ", "-") in word_set("intransitive_phrases"):
        particle = word.partition(" ")[2]
        clause = Clause(verb.base, particle=particle, tense=Tense.PAST, negated=no, atoms=atoms)
        return [Option("rel", clause), Option("pred", clause)]
    clause = Clause(be=word, negated=no, atoms=atoms)
    behind = Option("rel", clause, 0.2) if no else Option("post", Text(word, atoms))
    return [behind, Option("pred", clause)]


def _is_manner(rest: str) -> bool:
    """Whether words go on from what was done: "late", "without payment", "on hold"; what is
    "accepted oral" is so as something."""
    second = rest.partition(" ")[0]
    return second in word_set("prepositions") or "ADV" in getAllLemmas(second)


def _as_going_on(value: CategoryValue) -> list[Option] | None:
    """ "batches that are growing": what a thing does, which is not said before its noun."""
    word, no = value.word, value.no
    if not word.isalpha() or not word.endswith("ing") or value.head not in ("status", "state"):
        return None
    lemmas = getAllLemmas(word)
    verb = by_base(next(iter(lemmas.get("VERB", ())), ""))
    if word not in _GOING_ON and ("ADJ" in lemmas or verb is None or not verb.intransitive):
        return None  # outstanding; no shipment is "packing"
    clause = Clause(be=word, negated=no, atoms=(value.test,))
    return [Option("rel", clause, 0.2), Option("pred", clause)]


def _as_word(value: CategoryValue) -> list[Option] | None:
    """ "cancelled orders"."""
    word, named = value.word, value.thing.noun if value.thing is not None else None
    if not word.isalpha() or not word.endswith(ENDINGS) or word.endswith("ing"):
        return None
    if named is not None and head_word(named.singular) in word_set("of_patients"):
        return (
            []
            if word in word_set("patients_are")
            else _adjective(value, relative=0.3, predicate=0.3)
        )
    return _adjective(value, relative=0.3, predicate=0.3)


def _adjective(value: CategoryValue, *, relative: float, predicate: float) -> list[Option]:
    """Before the noun, or in a clause where it is any other; `relative` is what that clause costs,
    `predicate` what it costs to say instead of the word that the thing is so."""
    atoms = (value.test,)
    clause = Clause(be=value.word, negated=value.no, atoms=atoms)
    if value.no:
        return [Option("rel", clause, relative), Option("pred", clause)]
    return [Option("pre", Text(value.word, atoms)), Option("pred", clause, predicate)]


_RULES: tuple[_Rule, ...] = (
    _before_noun,
    _of_era,
    _for_or_via,
    _in_field,
    _of_ownership,
    _as_rated,
    _on_subject,
    _of_make,
    _of_standing,
)
_STANDING_RULES: tuple[_Rule, ...] = (
    _as_result,
    _in_condition,
    _as_phrase,
    _as_going_on,
    _as_word,
)
