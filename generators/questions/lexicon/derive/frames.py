"""The frames that follow from what a property is for, where its head has none of its own."""

from __future__ import annotations

from typing import Any

from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Phrase, Tense, ThingKind
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import EdgeType, NodeType

_OPENED = (ThingKind.PRODUCT, ThingKind.DOCUMENT, ThingKind.RECORD, ThingKind.TRANSACTION)
_DONE_ONCE = (ThingKind.EVENT, ThingKind.TRANSACTION)
_HAPPENING = (*_DONE_ONCE, ThingKind.DOCUMENT, ThingKind.RECORD)


def count_frames(noun: str, owner: ThingKind) -> dict[str, str]:
    """Frames of a number of things.

    >>> count_frames("number of seats", ThingKind.PLACE)["above"]
    'with more than {} seats'
    >>> count_frames("visitors", ThingKind.PLACE)["range"]
    'with {} to {} visitors'
    """
    counted = noun.removeprefix("number of ")
    if counted == noun and noun.endswith((" count", " quantity", " number")) and _counts(noun):
        counted = plural(noun.rpartition(" ")[0])
    if not is_plural(counted):
        return measure_frames(noun)
    return {
        "equal": f"with {{}} {counted}",
        "above": f"with more than {{}} {counted}",
        "below": f"with fewer than {{}} {counted}",
        "at_least": f"with at least {{}} {counted}",
        "at_most": f"with at most {{}} {counted}",
        "range": f"with {{}} to {{}} {counted}",
        **({"ask": f"how many {counted} … have"} if owner is not ThingKind.EVENT else {}),
    }


def _counts(noun: str) -> bool:
    """Whether a count names what it counts, not how it came about: an ordered quantity, on hand."""
    *before, last = noun.split()[:-1]
    done = by_past(last) is not None and by_base(last) is None
    return not done and not {last, *before} & word_set("prepositions")


def measure_frames(noun: str, *, lasting: bool = False) -> dict[str, str]:
    """Frames of a number that is measured; `lasting`: in units of time.

    >>> measure_frames("support rate")["above"], measure_frames("annual sales")["below"]
    ('with a support rate above {}', 'with annual sales below {}')
    >>> measure_frames("term", lasting=True)["above"]
    'with a term of more than {}'
    """
    one = a(noun)
    above, below = ("of more than", "of less than") if lasting else ("above", "below")
    return {
        "equal": f"with {one} of {{}}",
        "above": f"with {one} {above} {{}}",
        "below": f"with {one} {below} {{}}",
        "at_least": f"with {one} of at least {{}}",
        "at_most": f"with {one} of at most {{}}",
        "range": f"with {one} between {{}} and {{}}",
    }


def category_frames(noun: str, owner: str = "") -> dict[str, str]:
    """Frames of a value that sorts things; none where "whose … is" says it best.

    `owner` is the noun of the thing that has it.

    >>> category_frames("genre"), category_frames("city")["equal"]
    ({}, 'in {}')
    >>> category_frames("engine type", "car"), category_frames("category")["equal"]
    ({'equal': 'with a {} engine'}, 'of category {}')
    """
    before, _, last = noun.lower().rpartition(" ")
    if noun.lower() in word_set("places") - {"area", "location", "place"}:
        return {"equal": "in {}", "unequal": "outside {}"}
    if last in _SORTS and not before:
        return {"equal": f"of {noun} {{}}"}
    if last in ("type", "kind") and before in _ANYTHING:
        return {"equal": f"of {last} {{}}"}
    if last in ("type", "kind") and before and before not in owner.split():
        part = before.rpartition(" ")[2]
        concrete = kind_of(part)[1] == "kind-noun" and part not in word_set("substances")
        if concrete and not is_plural(part):
            return {"equal": f"with a {{}} {before}"}
    return {}


_SORTS = frozenset({"type", "kind", "category", "class", "format", "size"})
_ANYTHING = frozenset({"entity", "item", "object", "product", "record", "unit"})


def date_frames(
    words: PropertyWords, element: NodeType | EdgeType, facts: Facts, owner: ThingKind
) -> tuple[dict[str, Any], str]:
    """Frames of a moment, and the class of the rule: a verb, the date of an event, or its noun.

    `verb` has no particle: on, in or at follow from the value.
    """
    noun = words.noun.lower()
    last = words.noun.rpartition(" ")[2]
    year = words.year
    before = "in" if year else "at" if last == "time" else "on"
    stem = noun.removesuffix(" date").removesuffix(" year").removesuffix(" time")
    stem = stem if stem in _VERBS else stem.removeprefix("date of ").removeprefix("year of ")
    verb: tuple[str, bool] | None = _VERBS.get(stem) or (_DONE.get(stem) if stem != noun else None)
    if verb is None and words.verb is not None and " " not in words.verb.base:
        does = words.active or (owner is ThingKind.PERSON and words.verb.active)  # who joined
        verb = (words.verb.base if does else words.verb.participle, does)
    if verb is None and noun == "year" and not isinstance(element, EdgeType):
        head = facts.nouns.get(element.name, "").rpartition(" ")[2]
        read = head in word_set("read")
        made = {ThingKind.WORK: "published" if read else "released", ThingKind.VEHICLE: "built"}
        if owner in made:
            return _verbal((made[owner], False), before, owner), "moment-verb"
    if verb is not None and verb[0] == "open" and not _is_thing(owner):
        verb = None  # nobody opens: somebody's account was opened
    if verb == ("left", False):
        verb = ("leave", True)  # who left, not those who are left
    if verb == ("end", True) and owner is ThingKind.PERSON:
        verb = ("leave", True)  # nobody ends
    if verb == ("open", True) and owner in _OPENED:
        verb = ("opened", False)  # an account, a bottle
    if verb is not None and not (noun.startswith(("birth", "date of birth")) and _is_thing(owner)):
        own = _is_own_deed(verb[0], facts.nouns.get(element.name, ""))
        if own and not verb[1] and owner in _DONE_ONCE:  # no shipment is shipped
            deed = facts.nouns[element.name].rpartition(" ")[2]
            verb = _DEEDS.get(deed, "made"), False
        main = own or (owner in _DONE_ONCE and _only_moment(words, element, facts))
        return {**_verbal(verb, before, owner), **(_ORDERED if main else {})}, "moment-verb"
    main = noun in ("date", "year", "time", "day", "season") or noun in (
        f"{facts.nouns.get(element.name, '')} {tail}" for tail in ("date", "year", "time")
    )
    main = main or _only_moment(words, element, facts)
    if main and (isinstance(element, EdgeType) or owner in _HAPPENING):
        frames = {
            **({"ask": "when"} if owner is not ThingKind.TRANSACTION else {}),
            "equal": f"{before} {{}}",
            "above": "after {}",
            "below": "before {}",
            "range": "between {} and {}",
            **_ORDERED,
            "more": "later than",
            "less": "earlier than",
        }
        return frames, "main-date"
    one = a(noun)
    frames = {
        "equal": f"with the {noun} {{}}",
        "above": f"with {one} after {{}}",
        "below": f"with {one} before {{}}",
        "range": f"with {one} between {{}} and {{}}",
    }
    return frames, "date-frame"


def _is_own_deed(done: str, noun: str) -> bool:
    """Whether what is done makes the thing: what is ordered is an order, what is booked a
    booking, so that the latest of them is the one that was done last."""
    verb = by_past(done)
    deed = noun.rpartition(" ")[2]
    return verb is not None and deed in (verb.base, verb.gerund, word_map("deeds").get(verb.base))


_DEEDS = {"order": "placed", "performance": "given", "rental": "begun", "visit": "paid"}
_ORDERED = {"most": "latest", "least": "earliest"}


def is_moment(noun: str) -> bool:
    """Whether a bare noun says when something happens: a launch, a release."""
    return noun in _VERBS and noun not in ("birth", "death", "return")


def _only_moment(words: PropertyWords, element: NodeType | EdgeType, facts: Facts) -> bool:
    """Whether nothing else of the thing is a moment, so that it is the moment of the thing."""
    wordings = [facts.words(element, p) for p in element.properties]
    moments = [each for each in wordings if each.timely and not each.noun.startswith("creation")]
    first = words.noun.lower().split(" ", maxsplit=1)[0]
    return len(moments) == 1 and first not in ("end", "due", "expiry", "expiration", "last")


def _is_thing(owner: ThingKind) -> bool:
    return owner not in (ThingKind.PERSON, ThingKind.ANIMAL)


# Nouns of moments: the participle, or the verb where its subject does it.
_VERBS: dict[str, tuple[str, bool]] = {
    "birth": ("born", False),
    "date of birth": ("born", False),
    "birthday": ("born", False),
    "death": ("die", True),
    "date of death": ("die", True),
    "release": ("released", False),
    "availability": ("available", False),
    "first availability": ("first available", False),
    "hiring": ("hired", False),
    "hire": ("hired", False),
    "founding": ("founded", False),
    "foundation": ("founded", False),
    "opening": ("open", True),
    "construction": ("built", False),
    "publication": ("published", False),
    "graduation": ("graduate", True),
    "launch": ("launched", False),
    "delivery": ("delivered", False),
    "shipping": ("shipped", False),
    "shipment": ("shipped", False),
    "expiry": ("expire", True),
    "expiration": ("expire", True),
    "due": ("due", False),
    "return": ("returned", False),
    "arrival": ("arrive", True),
    "departure": ("depart", True),
    "retirement": ("retire", True),
    "premiere": ("premiere", True),
    "original air": ("first aired", False),
    "consenting": ("consent", True),
    "joining": ("join", True),
    "leaving": ("leave", True),
    "start": ("start", True),
    "end": ("end", True),
}
_DONE: dict[str, tuple[str, bool]] = {  # of those, what alone may also be a number or a thing
    "settlement": ("settled", False),
    "completion": ("completed", False),
    "acquisition": ("acquired", False),
    "approval": ("approved", False),
    "submission": ("submitted", False),
    "issue": ("issued", False),
    "introduction": ("introduced", False),
    "establishment": ("established", False),
    "manufacture": ("manufactured", False),
    "registration": ("registered", False),
    "enrollment": ("enrolled", False),
    "enrolment": ("enrolled", False),
    "cancellation": ("cancelled", False),
    "installation": ("installed", False),
    "inauguration": ("inaugurated", False),
}
_PAST = {
    "consent": "consenting",
    "die": "died",
    "graduate": "graduated",
    "expire": "expiring",
    "arrive": "arriving",
}
_PAST |= {"depart": "departing", "retire": "retired", "premiere": "premiering"}
_PAST |= {"leave": "left", "open": "opened", "start": "starting", "end": "ending", "join": "joined"}
_RANKS = {
    "born": ("youngest", "oldest"),
    "hired": ("most recently hired", "longest-serving"),
    "join": ("newest", "longest-standing"),
    "registered": ("most recently registered", ""),
    "founded": ("newest", "oldest"),
    "built": ("newest", "oldest"),
    "open": ("newest", "oldest"),
    "released": ("newest", "oldest"),
    "published": ("newest", "oldest"),
}


def _verbal(verb: tuple[str, bool], before: str, owner: ThingKind) -> dict[str, Any]:
    form, active = verb
    done = _PAST.get(form, "") if active else form
    begun = form == "start" and owner is ThingKind.PERSON  # who started in a job, as all there did
    done = "started" if begun else done
    coming = form in ("expire", "start", "end", "due") and not begun
    tense = Tense.PRESENT if coming else Tense.PAST
    phrase = Phrase(verb=form, tense=tense) if active else Phrase(be=form, tense=tense)
    frames: dict[str, Any] = {"ask": "when", "verb": phrase}
    if done and (done.endswith("ing") or not active):
        frames |= {
            "equal": f"{done} {before} {{}}",
            "above": f"{done} after {{}}",
            "below": f"{done} before {{}}",
            "range": f"{done} between {{}} and {{}}",
        }
    elif done:
        frames |= {
            "equal": f"that {done} {before} {{}}",
            "above": f"that {done} after {{}}",
            "below": f"that {done} before {{}}",
            "range": f"that {done} between {{}} and {{}}",
        }
        if owner is ThingKind.PERSON:
            frames |= {k: v.replace("that ", "who ", 1) for k, v in frames.items() if k in _TEXTS}
    if form in _RANKS and (owner is ThingKind.PERSON or form not in ("join", "registered")):
        frames["most"], frames["least"] = _RANKS[form]
    return frames


_TEXTS = ("equal", "above", "below", "range")
