"""Values of categories as people say them: "with a V8 engine", "paid by card", "midfielders"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lemminflect import getAllLemmas

from generators.questions.goals.model import Test
from generators.questions.lexicon.derive.clear import are_words
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.frames import category_frames
from generators.questions.lexicon.model import Lexicon, Property, Role, Tense, ThingKind
from generators.questions.phrases.tree import ALIKE, NP, Clause, Text
from generators.questions.realise.conditions.adjectives import MEDIA, as_adjective, as_descended
from generators.questions.realise.conditions.category_value import (
    SORTS,
    STATIVE,
    CategoryValue,
    channel,
    had,
    is_trait,
    phrase_options,
)
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.conditions.traits import as_trait
from generators.questions.realise.conditions.values import value_text, values_text
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_past

_WAYS = {
    "payment": "paid",
    "shipping": "shipped",
    "shipment": "shipped",
    "delivery": "delivered",
    "contact": "contacted",
}
_MEANS = frozenset({"card", "check", "cheque", "debit", "invoice", "transfer"})
_FETCHED = frozenset({"collection", "pick-up", "pickup"})  # by which nothing is delivered
_SOMEBODY = frozenset({ThingKind.PERSON, ThingKind.ORGANISATION})
_ROLES = frozenset(
    {
        *("position", "role", "occupation", "profession", "job", "function"),
        *("relationship", "relation"),
    }
)


def shapes(test: Test, words: Property, lexicon: Lexicon) -> list[Option]:
    """The ways to say that a property without words of its own has a value, the best first.

    Empty where the lexicon has words for it, or there is no better way than by its noun.
    """
    known = words.equal not in ("", f"with the {words.noun} {{}}")
    if words.kind not in (Role.CATEGORY, Role.PLACE, Role.TEXT) or known:
        return []
    if test.op not in ("=", "in", "<>", "not in"):
        return []
    no = test.op in ("<>", "not in")
    texts = [_unquoted(value_text(value, words)) for value in test.values]
    if not all(isinstance(value.value, str) for value in test.values):
        return []
    text = _unquoted(values_text(test.values, words))
    thing = lexicon.thing(test.owner)
    owner = thing.noun.singular if thing is not None and thing.noun is not None else ""
    person = thing is not None and thing.kind is ThingKind.PERSON
    if '"' in text:
        return []
    one = texts[0] if len(texts) == 1 else ""
    value = CategoryValue(test, words.noun, one, thing, no)
    if (options := as_descended(value)) is not None:
        return options
    return (
        _as_people(test, words.noun, one, person, no)
        or _as_phrase(test, words.noun, text, person, no)
        or _as_sort(test, words.noun, one, owner, no)
        or _as_way(test, words.noun, text, one, owner, person, no, _has_status(test.owner, lexicon))
        or as_adjective(value)
        or _by_its_own_noun(test, words.noun, text, one, no)
        or as_trait(value)
    )


def _unquoted(text: str) -> str:
    """What is so as it is said of it: out of print, and not "out of print"."""
    plain = text.strip('"')
    stands = plain.partition(" ")[0].lower() in STATIVE and plain.replace(" ", "").isalpha()
    return plain if stands else text


@cache
def _plain_noun(noun: str) -> str:
    """ "country" for "country name", where the name is that of another thing."""
    base = noun.removesuffix(" name")
    return base if base != noun and kind_of(base)[0] is not ThingKind.THING else noun


def plainly(words: Property, owner: str) -> Property:
    """The words of a property that repeats another thing's name: "country", not "country name"."""
    noun = _plain_noun(words.noun)
    if noun in (words.noun, owner) or words.kind is not Role.CATEGORY:
        return words
    frames = category_frames(noun)
    equal, unequal = frames.get("equal", ""), frames.get("unequal", "")
    return replace(words, noun=noun, plural=plural(noun), group=noun, equal=equal, unequal=unequal)


def _as_people(test: Test, noun: str, one: str, person: bool, no: bool) -> list[Option]:
    """Players whose position is "Goalkeeper" are goalkeepers."""
    titled = noun == "job title" or noun.rpartition(" ")[2] in _ROLES
    role, atoms = one.lower(), (test,)
    if not (person and titled) or not (one.isalpha() or _is_title(one)):
        return []
    if kind_of(role.rpartition(" ")[2])[0] is not ThingKind.PERSON:
        return []
    clause = _being(role, test, no)
    options = [Option("rel", clause, 0.4), Option("pred", clause, 0.0)]
    kin = noun.rpartition(" ")[2] in ("relationship", "relation")  # of somebody, who stays said
    return options if no or kin else [Option("head", Text(role, atoms), 0.0), *options]


def as_somebody(value: CategoryValue) -> list[Option]:
    """Customers of the type "school" are schools: "that are schools", "other than schools"; none of
    values that are no nouns of somebody."""
    word, thing, atoms = value.word, value.thing, (value.test,)
    owner = thing.noun.singular if thing is not None and thing.noun is not None else ""
    own = {*value.noun.split()[:-1]} <= {*owner.split()}  # no employee is his contract's agency
    sorts = own and value.head in SORTS and thing is not None and thing.kind in _SOMEBODY
    plain = _is_words(word) and not value.one.isupper() and are_words(word)
    kind, rule = kind_of(word)
    noun = rule == "kind-noun" and (" " in word or "ADJ" not in getAllLemmas(word))
    does = kind in _SOMEBODY or word.rpartition(" ")[2] in word_set("establishments")
    if not (sorts and plain and noun and does):
        return []
    clause = replace(_being(word, value.test, value.no), of_things=kind is not ThingKind.PERSON)
    behind = Option("rel", clause, 0.2)
    if value.no:
        behind = Option("post", Text(f"other than {plural(word)}", atoms), 0.1)
    return [behind, Option("pred", clause)]


def _is_title(one: str) -> bool:
    """Whether several words say what somebody is: "Maintenance engineer", no "Head of IT"."""
    low = one.lower()
    plain = _is_words(one) and not word_set("prepositions").intersection(low.split())
    return plain and not any(part.isupper() for part in one.split()) and are_words(low)


def _being(noun: str, test: Test, no: bool) -> Clause:
    """ "are towns", "is a town"."""
    kind = NP(noun, plural(noun), many=True, det=ALIKE)
    return Clause(negated=no, object=kind, atoms=(test,))


def _as_phrase(test: Test, noun: str, text: str, person: bool, no: bool) -> list[Option]:
    """People whose home town is Lyon are from Lyon, those whose birth place it is were born there;
    companies whose headquarters it is are headquartered there."""
    parts = {*noun.lower().replace("town", " town").split()} - {"of", "the"}
    for marks, places, frame, tense in _PHRASES:
        if not parts & marks or (marks <= _OF_PEOPLE and not person):
            continue
        if places and parts - marks - word_set("places") - {"place", "location"}:
            continue
        frame = "ranked {}" if frame == "of {} rank" and text[:1].isdigit() else frame  # "3rd"
        shown = f'"{text}"' if frame.startswith("described") and " " in text else text
        phrase = frame.format(shown)
        clause = Clause(be=phrase, tense=tense, negated=no, atoms=(test,))
        behind = Option("rel", clause, 0.2) if no else Option("post", Text(phrase, (test,)))
        return [behind, Option("pred", clause)]
    return []


_OF_PEOPLE = frozenset({"born", "birth", "birthplace", "home", "party"})
_PHRASES = (  # words of a noun, whether only places may be beside them, the phrase, its tense
    (frozenset({"born", "birth", "birthplace"}), True, "born in {}", Tense.PAST),
    (frozenset({"home"}), True, "from {}", Tense.PRESENT),
    (frozenset({"headquarters", "headquartered"}), True, "headquartered in {}", Tense.PRESENT),
    (frozenset({"incorporation", "incorporated"}), True, "incorporated in {}", Tense.PRESENT),
    (frozenset({"rank", "ranking"}), True, "of {} rank", Tense.PRESENT),
    (frozenset({"origin"}), True, "from {}", Tense.PRESENT),
    (frozenset({"description"}), False, "described as {}", Tense.PRESENT),
    (frozenset({"topic"}), False, "about {}", Tense.PRESENT),
    (frozenset({"employer"}), False, "employed by {}", Tense.PRESENT),
    (frozenset({"party"}), True, "from the {} party", Tense.PRESENT),
)


def _as_sort(test: Test, noun: str, one: str, owner: str, no: bool) -> list[Option]:
    """Cars of the engine type V8 have a V8 engine."""
    rest, _, sort = noun.rpartition(" ")
    if sort not in SORTS:
        return []
    if owner.rpartition(" ")[2] in word_set("classes") and kind_of(rest)[0] is ThingKind.ANIMAL:
        return []  # no breed has a pony horse, but some a double coat
    if no or not one or not rest or rest in owner.split() or sort in ("category", "class"):
        return []
    value = one.lower() if is_trait(one.lower()) else one
    if rest == "employment":  # nobody has a contractor employment
        return phrase_options(test, f"in {value} employment") if _stands_before(value) else []
    what = f"{value} {rest}" if is_plural(rest) else a(f"{value} {rest}")
    return had(test, what)


def _stands_before(value: str) -> bool:
    """Whether a value is said before a noun: live, fixed-term, pre-recorded."""
    low = value.lower()
    return low.replace("-", "").isalpha() and (is_trait(low) or "-" in low or low.endswith("less"))


def _has_status(owner: str, lexicon: Lexicon) -> bool:
    """Whether some things of a type may not be done yet, as a status says."""
    words = lexicon.properties.get(owner, {}).values()
    return any(each.noun.rpartition(" ")[2] in ("state", "status") for each in words)


def _as_way(
    test: Test, noun: str, text: str, one: str, owner: str, person: bool, no: bool, open_: bool
) -> list[Option]:
    """Orders with the payment method cash are paid in cash, customers pay in it; what is `open_`
    may not be delivered yet: "with delivery by freight"."""
    what, _, way = noun.rpartition(" ")
    if way not in ("method", "mode") or not (manner := _manner(text)):
        return []
    own = not what or what in owner
    if person:
        return _paying(test, text, manner) if what == "payment" and not no else []
    if own and _stands_before(one) and not manner.startswith("via") and " " in manner:
        clause = Clause(be=one.lower(), negated=no, atoms=(test,))  # live broadcasts
        before = Option("rel", clause) if no else Option("pre", Text(one.lower(), (test,)))
        return [before, Option("pred", clause, 0.2)]
    if way == "mode" and own and not _is_means(manner):
        return []  # no broadcast is made by repeat
    if not own and what not in _WAYS:
        return []
    if not own and open_:
        return [] if no else [Option("post", Text(f"with {what} {manner}", (test,)))]
    made = f"{'made' if own else _WAYS[what]} {manner}"
    behind = manner if own and " " in manner else made  # "payments by card", "made online"
    behind = f"not {made}" if no else behind
    clause = Clause(be=made, tense=Tense.PAST, negated=no, atoms=(test,))
    return [Option("post", Text(behind, (test,))), Option("pred", clause)]


def _is_means(manner: str) -> bool:
    """Whether something is surely made so: online, in cash, via the app, by email, by road."""
    by, _, means = manner.partition(" ")
    last = means.rpartition(" ")[2]
    return by != "by" or last in _MEANS | MEDIA or kind_of(last)[0] is ThingKind.VEHICLE


def _manner(text: str) -> str:
    """ "By card", "in cash", "online", "via the app"; "" for one that names a place, too ("card at
    counter"), or what was done instead ("waived")."""
    low = text.lower()
    if word_set("prepositions").intersection(low.split()) or low in _FETCHED:
        return ""
    if low.endswith("ed") and by_past(low.rpartition(" ")[2]) is not None:
        return ""  # nothing is paid by waived
    if low in ("online", "offline", "remotely"):
        return low
    if way := channel(text):
        return f"via {way}"
    way = text.upper() if low in word_set("acronyms") else low if _is_words(text) else text
    return f"{'in' if low == 'cash' else 'by'} {word_map('brands').get(low, way)}"


def _paying(test: Test, text: str, manner: str) -> list[Option]:
    """ "Customers paying by credit card", "who pay with PayPal"."""
    means = manner.rpartition(" ")[2] in _MEANS or not manner.startswith("by ")
    manner = manner if means else f"with {word_map('brands').get(text.lower(), text)}"
    clause = Clause(verb="pay", object=Text(manner), atoms=(test,))
    return [Option("post", Text(f"paying {manner}", (test,))), Option("pred", clause)]


def _is_words(text: str) -> bool:
    return text.replace(" ", "").isalpha()


def _by_its_own_noun(test: Test, noun: str, text: str, one: str, no: bool) -> list[Option]:
    """Where the value has the noun itself: "with the Tony Award"."""
    last = noun.rpartition(" ")[2].lower()
    if no or " " not in one:
        return []
    if one.lower().partition(" ")[0] == last:
        return [Option("post", Text(f"of {one}", (test,)))]
    return had(test, f"the {one}") if one.lower().rpartition(" ")[2] == last else []
