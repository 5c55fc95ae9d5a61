"""The frames that follow from what a property is for, where its head has none of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.questions.lexicon.derive.data import head_word, kind_of
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Phrase, Tense, ThingKind
from graphmill.english.inflection import a, is_done, is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import EdgeType, NodeType, Property

_PORTIONS = word_set("portions") | word_set("cloths") | word_set("nutrients")
_OPENED = (ThingKind.PRODUCT, ThingKind.DOCUMENT, ThingKind.RECORD, ThingKind.TRANSACTION)
_DONE_ONCE = (ThingKind.EVENT, ThingKind.TRANSACTION)
_HAPPENING = (*_DONE_ONCE, ThingKind.DOCUMENT, ThingKind.RECORD)


def country_frames(given: dict[str, Any], *, abroad: bool) -> dict[str, Any]:
    """Frames of a value that stands before its noun, or behind it where it is a country."""
    if given.get("place") == "before" and abroad:
        return {"equal": "from {}", "unequal": "not from {}"}
    return given


def is_counted(noun: str) -> bool:
    """Whether a property is how many there are, by its noun: seats, pups born."""
    things, _, done = noun.rpartition(" ")
    return is_plural(noun) or (is_plural(things) and by_past(done) is not None)


def count_frames(noun: str, owner: ThingKind) -> dict[str, str]:
    """Frames of a number of things.

    >>> count_frames("number of seats", ThingKind.PLACE)["above"]
    'with more than {} seats'
    >>> count_frames("visitors", ThingKind.PLACE)["range"]
    'with {} to {} visitors'
    """
    counted = noun.removeprefix("number of ")
    if counted == noun and noun.endswith((" count", " quantity", " number")) and _counts(noun):
        one = noun.rpartition(" ")[0]
        counted = plural(f"{one} member" if one.endswith(("crew", "staff")) else one)
    if not any(map(is_plural, (counted, counted.partition(" ")[0]))):
        return measure_frames(noun)
    # "How many seats sold do halls have" is read twice.
    asks = owner is not ThingKind.EVENT and not is_done(counted.rpartition(" ")[2])
    return {
        "equal": f"with {{}} {counted}",
        "above": f"with more than {{}} {counted}",
        "below": f"with fewer than {{}} {counted}",
        "at_least": f"with at least {{}} {counted}",
        "at_most": f"with at most {{}} {counted}",
        "range": f"with {{}} to {{}} {counted}",
        **({"ask": f"how many {counted} … have"} if asks else {}),
    }


def _counts(noun: str) -> bool:
    """Whether a count names what it counts, not how it came about (an ordered quantity, on hand) or
    what became of them: nobody has "deads"."""
    *before, last = noun.split()[:-1]
    done = by_past(last) is not None and by_base(last) is None
    done = done or last in word_set("victims")
    return not done and not {last, *before} & word_set("prepositions")


def measure_frames(noun: str, *, lasting: bool = False) -> dict[str, str]:
    """Frames of a number that is measured; `lasting`: in units of time.

    >>> measure_frames("support rate")["above"], measure_frames("annual sales")["below"]
    ('with a support rate above {}', 'with annual sales below {}')
    >>> measure_frames("term", lasting=True)["above"], measure_frames("amount of salt")["above"]
    ('with a term of more than {}', 'with more than {} of salt')
    """
    if own := _portion_frames(noun) or _paid_frames(noun) or _away_frames(noun):
        return own
    one = a(noun.removeprefix("paid "))  # with a fee, if one paid it
    above, below = ("of more than", "of less than") if lasting else ("above", "below")
    between = "of between" if lasting else "between"
    return {
        "equal": f"with {one} of {{}}",
        "above": f"with {one} {above} {{}}",
        "below": f"with {one} {below} {{}}",
        "at_least": f"with {one} of at least {{}}",
        "at_most": f"with {one} of at most {{}}",
        "range": f"with {one} {between} {{}} and {{}}",
    }


def _paid_frames(noun: str) -> dict[str, str]:
    """Frames of what somebody paid, none of anything else."""
    paid, _, payer = noun.partition(" by ")
    return _amount_frames(f"for which {payer} paid") if paid == "amount paid" and payer else {}


def _away_frames(noun: str) -> dict[str, str]:
    """Frames of how far it is to somewhere, none of anything else."""
    what, _, where = noun.partition(" from ")
    if what != "distance" or not where:
        return {}
    frames = {part: f"{frame} from {where}" for part, frame in _amount_frames("").items()}
    frames |= {"more": f"farther from {where} than", "less": f"nearer to {where} than"}
    return {**frames, "ask": f"how far from {where}"}


def _amount_frames(before: str) -> dict[str, str]:
    """Frames of so much or more behind some words."""
    bounds = {
        "equal": "{}",
        "above": "more than {}",
        "below": "less than {}",
        "at_least": "at least {}",
        "at_most": "at most {}",
        "range": "between {} and {}",
    }
    return {part: f"{before} {bound}".strip() for part, bound in bounds.items()}


def _portion_frames(noun: str) -> dict[str, str]:
    """Frames of how much there is of a substance, none of anything else."""
    what = noun.removeprefix("amount of ")
    if what == noun or head_word(what) not in _PORTIONS:
        return {}
    return {
        "equal": f"with {{}} of {what}",
        "above": f"with more than {{}} of {what}",
        "below": f"with less than {{}} of {what}",
        "at_least": f"with at least {{}} of {what}",
        "at_most": f"with at most {{}} of {what}",
        "range": f"with {{}} to {{}} of {what}",
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
    if last == "format":
        return {"equal": f"in {{}} {noun}"}
    if last in word_set("sorting") and not before:
        return {"equal": f"of {noun} {{}}"}
    if last in ("type", "kind") and before in _ANYTHING:
        return {"equal": f"of {last} {{}}"}
    if last in ("type", "kind") and before and before not in owner.split():
        part = before.rpartition(" ")[2]
        kind, rule = kind_of(part)
        concrete = rule == "kind-noun" and part not in word_set("substances")
        concrete &= kind is not ThingKind.ANIMAL or head_word(owner) not in word_set("classes")
        if concrete and not is_plural(part):
            return {"equal": f"with a {{}} {before}"}
    return {}


_ANYTHING = frozenset({"entity", "item", "object", "product", "record", "unit"})


type _Deed = tuple[str, bool]
"""The participle of what is done, or with True the verb where its subject does it."""


def date_frames(
    words: PropertyWords, element: NodeType | EdgeType, facts: Facts, owner: ThingKind
) -> tuple[dict[str, Any], str]:
    """Frames of a moment, and the class of the rule: a verb, the date of an event, or its noun.

    `verb` has no particle: on, in or at follow from the value.
    """
    moment = _Moment(words, element, facts, owner)
    deed = moment.named_deed()
    if deed is None and moment.is_own_year():
        return dict(_OF_YEAR), "main-date"
    if deed is None and (made := moment.making()):
        return _verbal((made, False), moment.before, owner), "moment-verb"
    if deed == ("start", True) and not _has_begun(moment.thing, owner):
        deed = None  # with a start date: started what?
    deed = _fitting(deed, owner, moment.thing) if deed is not None else None
    deed = None if deed is not None and _is_said_before(deed[0], moment.thing) else deed
    born = moment.noun.startswith(("birth", "date of birth"))
    if deed is not None and not (born and owner not in _BORN):
        return moment.deed_frames(deed), "moment-verb"
    happens = owner in _HAPPENING or owner is ThingKind.PERIOD
    if moment.is_main() and (isinstance(element, EdgeType) or happens):
        return moment.main_frames(), "main-date"
    if words.settled:
        return _timed(f"whose {words.settled}", moment.before), "moment-verb"
    one = a(words.noun)
    frames = {
        "equal": f"with the {words.noun} {{}}",
        "above": f"with {one} after {{}}",
        "below": f"with {one} before {{}}",
        "range": f"with {one} between {{}} and {{}}",
    }
    return frames, "date-frame"


@dataclass(frozen=True, slots=True)
class _Moment:
    """A date, time or year of a thing or a link."""

    words: PropertyWords
    element: NodeType | EdgeType
    facts: Facts
    owner: ThingKind

    @property
    def noun(self) -> str:
        return self.words.noun.lower()

    @property
    def before(self) -> str:
        """The preposition before its values."""
        timed = self.words.noun.rpartition(" ")[2] == "time"
        return "in" if self.words.year else "at" if timed else "on"

    @property
    def thing(self) -> str:
        """The noun of what it is a moment of."""
        return self.facts.nouns.get(self.element.name, "")

    def named_deed(self) -> _Deed | None:
        """What is done then, by its noun or the verb in its name."""
        stem = self.noun.removesuffix(" date").removesuffix(" year").removesuffix(" time")
        stem = stem if stem in _VERBS else stem.removeprefix("date of ").removeprefix("year of ")
        known = _VERBS.get(stem) or (_DONE.get(stem) if stem != self.noun else None)
        if stem in _CLOSINGS and self.noun.endswith((" date", " year")):
            known = ("close", True) if self.owner in _BY_ITSELF else None
        verb = self.words.verb
        if known is not None or verb is None:
            return known
        before, _, rest = verb.base.partition(" ")
        if rest:  # first held, not what is picked up
            return (verb.participle, False) if before in ("first", "last") else None
        does = self.words.active or (self.owner is ThingKind.PERSON and verb.active)  # who joined
        if verb.base in word_set("own_moves") and not does:
            return (verb.base, True) if self.owner in _MOVERS else None  # no landing sails
        return (verb.base if does else verb.participle, does)

    def making(self) -> str:
        """How a thing comes about in its only year: published, released, built; "" of others."""
        if self.noun != "year" or isinstance(self.element, EdgeType):
            return ""
        if self.owner is ThingKind.WORK:
            read = self.thing.rpartition(" ")[2] in word_set("read")
            return "published" if read else "released"
        return {ThingKind.VEHICLE: "built", ThingKind.PRODUCT: "made"}.get(self.owner, "")

    def is_own_year(self) -> bool:
        """Whether a product's year is named after it, which says no making: the year of a crop."""
        product = self.owner is ThingKind.PRODUCT and self.noun == "year"
        return product and any(p.name.lower() != "year" for p in self._own())

    def _own(self) -> list[Property]:
        """The property, by its words."""
        words = self.facts.words
        return [p for p in self.element.properties if words(self.element, p) == self.words]

    def deed_frames(self, deed: _Deed) -> dict[str, Any]:
        """Frames by what is done then."""
        own = _is_own_deed(deed[0], self.thing)
        if own and not deed[1] and self.owner in _DONE_ONCE:  # no shipment is shipped
            noun = self.thing.rpartition(" ")[2]
            done = self.owner is ThingKind.EVENT and noun.endswith(("tion", "sion"))
            deed = _DEEDS.get(noun, "carried out" if done else "made"), False
        main = own or (self.owner in _DONE_ONCE and self._is_only())
        made = _verbal(deed, self.before, self.owner, over=self.is_over())
        if made.get("least") in _LASTING and self._has_end():
            del made["least"]  # who has left serves no more
        return {**made, **(_ORDERED if main else {})}

    def _has_end(self) -> bool:
        """Whether another moment says until when."""
        wordings = (self.facts.words(self.element, p) for p in self.element.properties)
        nouns = (each.noun.lower() for each in wordings if each.timely)
        return any(word_set("last_dates") & {*noun.split()} for noun in nouns if noun != self.noun)

    def is_over(self) -> bool:
        """Whether it is past, of all of them: by its name, or as other things were done since."""
        if self.words.verb is not None:
            return not self.words.active
        figures = (self.facts.figures(self.element, each) for each in self._own())
        last = [str(value) for each in figures for value in each.quantiles[-1:]]
        return bool(last) and max(last) < self.facts.newest

    def is_main(self) -> bool:
        """Whether it says when its thing happens, by its noun or as the only moment."""
        if self.noun in ("date", "year", "time", "day", "season"):
            return True
        named = self.noun in (f"{self.thing} {tail}" for tail in ("date", "year", "time"))
        return named or self._is_only()

    def main_frames(self) -> dict[str, Any]:
        """Frames of when a thing happens, which need no noun of the moment."""
        return {
            **({"ask": "when"} if self.owner is not ThingKind.TRANSACTION else {}),
            "equal": f"{self.before} {{}}",
            "above": "after {}",
            "below": "before {}",
            "range": "between {} and {}",
            **_ORDERED,
            "more": "later than",
            "less": "earlier than",
        }

    def _is_only(self) -> bool:
        """Whether nothing else of the thing is a moment, so that it is the moment of the thing."""
        wordings = [self.facts.words(self.element, p) for p in self.element.properties]
        timely = [each for each in wordings if each.timely]
        moments = [each for each in timely if not each.noun.startswith("creation")]
        others = {"end", "due", "expiry", "expiration", "first", "last", "next"}
        return len(moments) == 1 and not others & set(self.noun.split())


def _fitting(deed: _Deed, owner: ThingKind, noun: str) -> _Deed | None:
    """What its owner does then, or what is done with it; None where that says another thing.
    `noun` is the owner's."""
    if deed in _LEFT and noun.rpartition(" ")[2] in word_set("belonging"):
        return ("end", True)  # no enrolment leaves
    if deed[0] == "open" and not _is_thing(owner):
        return None  # nobody opens: somebody's account was opened
    if deed == ("left", False):
        return ("leave", True)  # who left, not those who are left
    if deed == ("paid", False) and owner in _BOUGHT:
        return deed if noun.rpartition(" ")[2] in word_set("paid_things") else ("paid for", False)
    if deed == ("end", True) and owner is ThingKind.PERSON:
        return ("leave", True)  # nobody ends
    if deed == ("enter service", True) and owner is not ThingKind.VEHICLE:
        return ("put into service", False) if _is_thing(owner) else None
    if deed == ("retire", True) and _is_thing(owner):
        return ("retired", False)  # no bicycle retires
    if deed in (("sampled", False), ("read", False), ("measured", False)):
        head = noun.rpartition(" ")[2]
        if head in word_set("taken_things"):
            return ("taken", False)  # samples are
        if head in word_set("assays"):
            return None  # no water test is sampled
    if deed == ("start", True) and owner is ThingKind.PRODUCT:
        return ("launched", False)
    if deed == ("open", True) and (owner in _OPENED or noun.endswith("account")):
        return ("opened", False)  # an account, a bottle
    if deed[0] in _OPENINGS and owner in _BY_ITSELF:
        return _OPENINGS[deed[0]], True  # nobody closes a maker
    return deed


_BOUGHT = (
    *(ThingKind.PRODUCT, ThingKind.VEHICLE, ThingKind.ANIMAL, ThingKind.WORK, ThingKind.PLACE),
    ThingKind.EVENT,
)
_BY_ITSELF = (ThingKind.PLACE, ThingKind.ORGANISATION)  # open and close
_OPENINGS = {"closed": "close", "opened": "open", "reopened": "reopen"}
_CLOSINGS = ("close", "closing", "closure")


_LEFT = (("left", False), ("leave", True))


def _has_begun(noun: str, owner: ThingKind) -> bool:
    """Whether one says of something that it started, without what: of those who work, not of
    donors, and of what is no company."""
    if owner is ThingKind.PERSON:
        return noun.rpartition(" ")[2] not in word_set("clients") or noun.startswith("staff ")
    return owner is not ThingKind.ORGANISATION


def _is_said_before(done: str, noun: str) -> bool:
    """Whether a noun says before its head what is done, so that it would be said twice: running
    days that were run, roast batches that were roasted."""
    verb = by_past(done) or by_base(done)
    before = {*noun.split()[:-1]}
    return verb is not None and not before.isdisjoint({verb.base, verb.gerund, verb.participle})


def _is_own_deed(done: str, noun: str) -> bool:
    """Whether what is done makes the thing: what is ordered is an order, what is booked a
    booking, so that the latest of them is the one that was done last."""
    verb = by_past(done)
    deed = noun.rpartition(" ")[2]
    if verb is None:
        return False
    return deed in (verb.base, verb.gerund, verb.event, word_map("deeds").get(verb.base))


_DEEDS = {"order": "placed", "performance": "given", "rental": "begun", "visit": "paid"}
_DEEDS |= dict.fromkeys(("bill", "invoice", "ticket"), "issued")
_LASTING = frozenset({"longest-serving", "longest-standing"})
_ORDERED = {"most": "latest", "least": "earliest"}


def is_moment(noun: str) -> bool:
    """Whether a bare noun says when something happens: a launch, a release."""
    return noun in _VERBS and noun not in ("birth", "death", "return")


_OF_YEAR = {
    "equal": "of {}",
    "above": "of years after {}",
    "below": "of years before {}",
    "at_least": "of {} and later",
    "at_most": "of {} and earlier",
    "range": "of {} to {}",
}
_BORN = (ThingKind.PERSON, ThingKind.ANIMAL, ThingKind.THING)


def _is_thing(owner: ThingKind) -> bool:
    return owner not in (ThingKind.PERSON, ThingKind.ANIMAL)


# Nouns of moments: the participle, or the verb where its subject does it.
_VERBS: dict[str, _Deed] = {
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
_DONE: dict[str, _Deed] = {  # of those, what alone may also be a number or a thing
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
    "gun": ("start", True),
    "kick-off": ("kick off", True),
    "take-off": ("take off", True),
    "in-service": ("enter service", True),
    "in-use": ("put into use", False),
    "out-of-service": ("taken out of service", False),
    "out-of-use": ("taken out of use", False),
}
_MOVERS = (ThingKind.PERSON, ThingKind.ANIMAL, ThingKind.VEHICLE)
_PAST = {
    "consent": "consenting",
    "die": "died",
    "graduate": "graduated",
    "expire": "expiring",
    "arrive": "arriving",
}
_PAST |= {"depart": "departing", "retire": "retired", "premiere": "premiering"}
_PAST |= {"leave": "left", "open": "opened", "start": "starting", "end": "ending", "join": "joined"}
_PAST |= {"close": "closed", "reopen": "reopened", "enter service": "entered service"}
_PAST |= {"kick off": "kicked off", "take off": "took off"}
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


def _verbal(deed: _Deed, before: str, owner: ThingKind, *, over: bool = False) -> dict[str, Any]:
    form, active = deed
    done = _PAST.get(form, "") if active else form
    begun = form == "start" and owner is ThingKind.PERSON  # who started in a job, as all there did
    begun = begun or (over and form in ("start", "end"))
    done = f"{form}ed" if begun else done
    coming = form in ("expire", "start", "end", "due") and not begun
    tense = Tense.PRESENT if coming else Tense.PAST
    phrase = Phrase(verb=form, tense=tense) if active else Phrase(be=form, tense=tense)
    frames: dict[str, Any] = {"ask": "when", "verb": phrase}
    if done and (done.endswith("ing") or not active):
        frames |= _timed(done, before)
    elif done:
        frames |= _timed(f"that {done}", before)
        if owner is ThingKind.PERSON:
            frames |= {k: v.replace("that ", "who ", 1) for k, v in frames.items() if k in _TEXTS}
    if form in _RANKS and (owner is ThingKind.PERSON or form not in ("join", "registered")):
        frames["most"], frames["least"] = _RANKS[form]
    return frames


def _timed(done: str, before: str) -> dict[str, Any]:
    return {
        "equal": f"{done} {before} {{}}",
        "above": f"{done} after {{}}",
        "below": f"{done} before {{}}",
        "range": f"{done} between {{}} and {{}}",
    }


_TEXTS = ("equal", "above", "below", "range")
