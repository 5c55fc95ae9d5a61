"""Values of categories as people say them: "with a V8 engine", "paid by card", "midfielders"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lemminflect import getAllLemmas

from generators.questions.goals.model import Test
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.frames import category_frames
from generators.questions.lexicon.model import Lexicon, Property, Role, Tense, Thing, ThingKind
from generators.questions.phrases.tree import ALIKE, NP, Clause, Text
from generators.questions.realise.options import Option
from generators.questions.realise.values import value_text, values_text
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_past

SORTS = frozenset({"type", "kind", "category", "class"})  # "the type of a document"
_WAYS = {
    "payment": "paid by {}",
    "shipping": "shipped by {}",
    "shipment": "shipped by {}",
    "delivery": "delivered by {}",
    "contact": "contacted by {}",
}
_MEANS = frozenset({"card", "check", "cheque", "debit", "invoice", "transfer"})
STANDINGS = frozenset(
    {"status", "state", "condition", "result", "outcome", "verdict", "decision", "stage"}
)
_VIA = {"purpose": "for", "channel": "via", "phase": "in phase"}
_REACHED = frozenset({"app", "internet", "web", "website"})  # "via the web"
_MEDIA = word_set("contact") | {"broker", "counter", "post"}
_FIELDS = frozenset({"industry", "sector", "building", "segment", "group"})
_BEFORE = frozenset({"nationality", "colour", "color", "genre", "cuisine", "ethnicity", "breed"})
_NAMED = frozenset({"nationality", "ethnicity", "cuisine", "genre", "breed"})  # in capitals, too
_ILLS = frozenset({"illness", "disease", "diagnosis", "indication"})
_CARE = frozenset({"treatment", "therapy", "prescription", "medication", "operation", "surgery"})
_ROLES = frozenset(
    {
        *("position", "role", "occupation", "profession", "job", "function"),
        *("relationship", "relation"),
    }
)
_STANDING = frozenset({"in", "on", "out", "under"})  # what is so is under construction
_MAKERS = frozenset({"make", "brand", "manufacturer", "maker", "model", "carrier", "network"})
_MADE = frozenset({ThingKind.PRODUCT, ThingKind.VEHICLE})
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
_DEGREES = frozenset({"high", "low", "medium", "moderate"})  # that anything may have
_TITLES = frozenset(
    {"certificate", "degree", "diploma", "licence", "license", "membership", "visa"}
)
_ACRONYM = 6  # letters, from which on capitals are no acronym
_ENDINGS = ("ed", "ing", "wn", "ive", "able", "ible", "ary", "ous", "ful")


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
    return (
        _as_people(test, words.noun, one, person, no)
        or _as_phrase(test, words.noun, text, person, no)
        or _as_sort(test, words.noun, one, owner, no)
        or _as_way(test, words.noun, text, owner, person, no)
        or _as_adjective(test, words.noun, one, thing, no)
        or _by_its_own_noun(test, words.noun, text, one, no)
        or _as_trait(test, words.noun, one, no)
    )


def _unquoted(text: str) -> str:
    """What is so as it is said of it: out of print, and not "out of print"."""
    plain = text.strip('"')
    stands = plain.partition(" ")[0].lower() in _STANDING and plain.replace(" ", "").isalpha()
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
    if not person or not one.isalpha() or noun.rpartition(" ")[2] not in _ROLES:
        return []
    if kind_of(one.lower())[0] is not ThingKind.PERSON:
        return []
    role, atoms = one.lower(), (test,)
    clause = _being(role, test, no)
    options = [Option("rel", clause, 0.4), Option("pred", clause, 0.0)]
    kin = noun.rpartition(" ")[2] in ("relationship", "relation")  # of somebody, who stays said
    return options if no or kin else [Option("head", Text(role, atoms), 0.0), *options]


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
    (frozenset({"party"}), True, "from the {} party", Tense.PRESENT),
)


def _as_sort(test: Test, noun: str, one: str, owner: str, no: bool) -> list[Option]:
    """Cars of the engine type V8 have a V8 engine."""
    rest, _, sort = noun.rpartition(" ")
    if sort not in SORTS:
        return []
    if no or not one or not rest or rest in owner.split() or sort in ("category", "class"):
        return []
    what = f"{one} {rest}" if is_plural(rest) else a(f"{one} {rest}")
    return _had(test, what)


def _as_way(test: Test, noun: str, text: str, owner: str, person: bool, no: bool) -> list[Option]:
    """Orders with the payment method cash are paid in cash, customers pay in it."""
    what, _, way = noun.rpartition(" ")
    if way not in ("method", "mode") or no:
        return []
    if what and what not in _WAYS and what not in owner:
        return []
    own = not what or what in owner.split() or what in owner
    frame = "by {}" if own else _WAYS.get(what, "")
    if not frame:
        return []
    low = text.lower()
    way = text.upper() if low in word_set("acronyms") else low if _is_words(text) else text
    cash = low == "cash"  # "paid in cash", "by cheque"
    frame = frame.replace("by {}", "in {}") if cash else frame
    if person:
        if what != "payment":
            return []
        by = "in" if cash else "by" if way.rpartition(" ")[2] in _MEANS else "with"
        way = text if by == "with" else way
        clause = Clause(verb="pay", particle=by, object=Text(way), atoms=(test,))
        return [Option("post", Text(f"paying {by} {way}", (test,))), Option("pred", clause)]
    phrase = frame.format(way)
    made = phrase if not own else f"made {phrase}"
    return [
        Option("post", Text(phrase, (test,)), 0.0),
        Option("pred", Clause(be=made, atoms=(test,)), 0.0),
    ]


def _is_words(text: str) -> bool:
    return text.replace(" ", "").isalpha()


def _as_adjective(test: Test, noun: str, one: str, thing: Thing | None, no: bool) -> list[Option]:
    """Orders with the status "Cancelled" are cancelled; hosts of a nationality are so."""
    atoms = (test,)
    word = one.lower()
    head = noun.rpartition(" ")[2]
    if head in _BEFORE and one:
        shown = one if head in _NAMED else word
        if head == "nationality" and not one.endswith(("n", "ch", "sh", "se", "ss")):
            phrase = f"{'not ' if no else ''}from {one}"
            return [
                Option("post", Text(phrase, atoms)),
                Option("pred", Clause(be=phrase, atoms=atoms)),
            ]
        clause = Clause(be=shown, negated=no, atoms=atoms)
        if no:
            return [Option("pre", Text(f"non-{shown}", atoms), 0.2)]
        return [Option("pre", Text(shown, atoms)), Option("pred", clause, 0.6)]
    owner = thing.noun.singular if thing is not None and thing.noun is not None else ""
    cared = head in _ILLS and owner.rpartition(" ")[2] in _CARE  # "treatments for metritis"
    if (head in _VIA or cared) and one and not no:  # "requests for renovation", "via broker"
        plain = word in _MEDIA | _REACHED or (one[1:].islower() and " " in one)  # "Box office"
        reached = word if plain else one
        phrase = f"{_VIA.get(head, 'for')} {'the ' * (word in _REACHED)}{reached}"
        return [
            Option("post", Text(phrase, atoms)),
            Option("pred", Clause(be=phrase, atoms=atoms)),
        ]
    if head in _FIELDS and one:
        field = f"the {word if _is_trait(word) else one} {noun}"
        if is_plural(one):  # "in the organism group birds"
            field = f"the {noun} {one}"
        clause = Clause(be=f"in {field}", negated=no, atoms=atoms)
        return [
            Option("post", Text(f"{'outside' if no else 'in'} {field}", atoms)),
            Option("pred", clause),
        ]
    if noun == "ownership" and _is_trait(word):  # "public hospitals"
        clause = Clause(be=word, negated=no, atoms=atoms)
        if no:
            return [Option("rel", clause, 0.2), Option("pred", clause)]
        return [Option("pre", Text(word, atoms)), Option("pred", clause, 1.0)]
    if noun == "rating" and one and thing is not None and thing.kind is ThingKind.WORK:
        rated = f"{'not ' if no else ''}rated {one}"  # "films rated PG-13"
        return [Option("post", Text(rated, atoms)), Option("pred", Clause(be=rated, atoms=atoms))]
    if noun == "subject" and one[:1].isupper() and not no:  # "Geography modules"
        named = thing.noun if thing is not None else None
        if named is None:
            return []
        kinds = NP(f"{one} {named.singular}", f"{one} {named.plural}", many=True, det=ALIKE)
        return [Option("pre", Text(one, atoms)), Option("pred", Clause(object=kinds, atoms=atoms))]
    if head in _MAKERS and one[:1].isupper() and thing is not None and thing.kind in _MADE:
        clause = Clause(object=Text(one), negated=no, whose=NP(noun, noun), atoms=atoms)
        return [Option("rel", clause)] if no else [Option("pre", Text(one, atoms))]
    if head not in STANDINGS:
        return []
    if thing is not None and thing.kind is ThingKind.PERSON and word in word_map("results"):
        clause = Clause(verb=word_map("results")[word], tense=Tense.PAST, negated=no, atoms=atoms)
        behind = Option("rel", clause) if no else Option("post", Text(f"who {word}", atoms))
        return [behind, Option("pred", clause)]  # "students who passed"
    graded = word.rpartition(" ")[2] in word_set("grades")
    if graded:  # "in fair condition", as fair copies are something else
        if head not in ("condition", "state"):
            return []
        phrase = f"{'not ' if no else ''}in {word} condition"
        return [Option("post", Text(phrase, atoms)), Option("pred", Clause(be=phrase, atoms=atoms))]
    first = word.split(" ")[0]
    done = first.endswith("ed") and by_past(first) is not None  # "closed without payment"
    if (first in _STANDING or done) and " " in word:
        clause = Clause(be=word, negated=no, atoms=atoms)
        behind = Option("rel", clause, 0.2) if no else Option("post", Text(word, atoms))
        return [behind, Option("pred", clause)]
    if not word.isalpha() or not word.endswith(_ENDINGS) or word.endswith("ing"):
        return []
    clause = Clause(be=word, negated=no, atoms=atoms)
    if no:
        return [Option("rel", clause, 0.3), Option("pred", clause)]
    return [Option("pre", Text(word, atoms)), Option("pred", clause, 0.3)]


def _as_trait(test: Test, noun: str, one: str, no: bool) -> list[Option]:
    """Cars whose transmission is "Manual" have a manual transmission; classes whose study level is
    master are at master level, orders at an interval of months monthly orders."""
    head = noun.rpartition(" ")[2]
    word = one if one.isupper() and len(one) < _ACRONYM else one.lower()
    sort = one == word and (one.isupper() or head in word_set("traits"))
    named = one.replace("-", "").isalpha() and len(one) > 2
    plain = one.replace("-", "").isalpha() and (sort or _is_trait(word))
    rhythm = head in _RHYTHMS and word.endswith("ly")
    if named and not no and (head in _QUALIFIED or rhythm):  # "hydro plants", "secret communities"
        return [Option("pre", Text(word, (test,)))]
    first = noun.partition(" ")[0]
    graded = first in _GRADED and (first == noun or head in ("level", "rating", "class"))
    if graded and not no and word in _DEGREES:  # "high-priority tickets", "medium-risk customers"
        return [
            Option("pre", Text(f"{word}-{first}", (test,)), -0.2),
            *_had(test, a(f"{word} {noun}")),
        ]
    if named and not no and head == "level" and word not in _DEGREES:
        at = f"at {word if word.endswith('level') else f'{word} level'}"
        return [Option("post", Text(at, (test,))), Option("pred", Clause(be=at, atoms=(test,)))]
    if head not in word_set("traits") | _TITLES and word not in _DEGREES:
        return []  # nobody has a "geophysical group" or an "oral form"
    somebody = kind_of(noun)[0] is ThingKind.PERSON and not _is_trait(word)
    held = head in _TITLES and one[:1].isupper()  # "with a Bachelor of Arts degree"
    if not (plain or held) or no or somebody or head in _UNTRAITED:
        return []
    word = one if held else word
    counted = not is_plural(noun) and head not in word_set("substances") | word_set("masses")
    return _had(test, a(f"{word} {noun}") if counted else f"{word} {noun}")


@cache
def _is_trait(word: str) -> bool:
    """Whether a word stands before a noun of what it is a value of."""
    known = word in word_set("adjectives") or word.endswith(_ENDINGS) or "ADJ" in getAllLemmas(word)
    return known and not word.endswith("ing")


def _by_its_own_noun(test: Test, noun: str, text: str, one: str, no: bool) -> list[Option]:
    """Where the value has the noun itself: "with the Tony Award"."""
    last = noun.rpartition(" ")[2].lower()
    if no or " " not in one:
        return []
    if one.lower().partition(" ")[0] == last:
        return [Option("post", Text(f"of {one}", (test,)))]
    return _had(test, f"the {one}") if one.lower().rpartition(" ")[2] == last else []


def _had(test: Test, what: str) -> list[Option]:
    atoms = (test,)
    return [
        Option("post", Text(f"with {what}", atoms), 0.0),
        Option("pred", Clause(verb="have", object=Text(what), atoms=atoms), 0.3),
    ]
