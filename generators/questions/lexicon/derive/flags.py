"""What closed codes mean: flags by their name, sexes, values that are adjectives."""

from __future__ import annotations

import re

from generators.questions.lexicon.derive.clear import are_words
from generators.questions.lexicon.derive.data import head_word, kind_of
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Standing, ThingKind, value_key
from graphmill.english.inflection import a, is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import by_base, by_past
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import Kind, Property

type Values = tuple[dict[str, str], Standing, str]

_YES = {"true": True, "-1": True, "1": True, "t": True, "y": True, "yes": True, "1.0": True}
_NO = {"false": False, "0": False, "f": False, "n": False, "no": False, "0.0": False}
_TRUTH = {**_YES, **_NO}
_NAMED = re.compile(
    r"^(?i:is|has|have|was|can|does|allows|accepts|with|if|whether)[_ ]"
    r"|(?i:[_ ](?:yn|flag|flg|ind|indicator|tf|y_n))$|^(?:[Ii]s|[Hh]as|[Ww]as|[Cc]an)[A-Z]"
)
_OPPOSITES = {
    "active": "inactive",
    "available": "unavailable",
    "valid": "invalid",
    "visible": "hidden",
    "open": "closed",
    "paid": "unpaid",
    "public": "private",
    "married": "unmarried",
    "known": "unknown",
    "employed": "unemployed",
    "full-time": "part-time",
    "male": "female",
    "female": "male",
    "complete": "incomplete",
    "official": "unofficial",
    "reserved": "free",
    "online": "offline",
    "free": "not free",
}
_SEX = {"m": "male", "f": "female", "male": "male", "female": "female", "man": "male"}
_SEX |= {"w": "female", "woman": "female", "boy": "male", "girl": "female"}
_MOST = 12  # values of a closed set


def closed_values(column: Property, figures: PropertyStatistics) -> tuple[str, ...]:
    """The keys of all values of a closed set, () where there are too many to be one."""
    if column.type.kind is Kind.BOOLEAN:
        return ("true", "false")
    known: tuple[object, ...] = column.values or column.observed.values
    if not known and figures.distinct == len(figures.common):
        known = tuple(value for value, _ in figures.common)
    return tuple(map(value_key, known)) if 0 < len(known) <= _MOST else ()


def truth_values(column: Property, figures: PropertyStatistics) -> tuple[str, ...]:
    """The keys of the values of a flag, () where it is none, or nothing says what is 1."""
    values = closed_values(column, figures)
    if not {value.lower() for value in values} <= _TRUTH.keys():
        return ()
    bits = {value.lower() for value in values} <= {"0", "1", "-1", "0.0", "1.0"}
    if {"1", "-1"} <= {*values}:
        return ()  # up and down
    telling = bool(_NAMED.search(column.name)) or set(values) == {"-1", "0"}  # Access
    named = column.type.kind is Kind.BOOLEAN or not bits or telling
    return values if named else ()


def flag_values(
    words: PropertyWords, name: str, values: tuple[str, ...], owner: str = ""
) -> Values | None:
    """What the two values of a flag of that name mean; None where its words do not say it.

    `owner` is the noun of the thing that has the property.
    """
    bare = words.noun
    what, _, done = bare.rpartition("-")
    where = bare if bare.partition(" ")[0] in ("in", "on", "at", "under", "for", "off") else ""
    adjective = words.adjective or _adjective(bare)
    if words.does is not None:
        doing = _doing(words.does[1])
        yes, no, place, rule = doing, f"not {doing}", Standing.AFTER, "flag-verb"
    elif re.match(r"(?:[Hh]as|HAS|[Hh]ave|[Ww]ith)(?:[_ ]|[A-Z])", name):
        noun = words.noun
        yes, no, place, rule = f"with {a(noun)}", f"without {a(noun)}", Standing.AFTER, "flag-thing"
    elif adjective in _COMING and head_word(owner) in word_set("of_patients"):
        come = f"by {_COMING[adjective]}"
        yes, no, place, rule = come, f"not {come}", Standing.AFTER, "flag-adjective"
    elif what and done in word_set("settled"):
        yes, no = f"whose {what} was {done}", f"whose {what} was not {done}"
        place, rule = Standing.AFTER, "flag-thing"
    elif where:
        yes, no, place, rule = where, f"not {where}", Standing.AFTER, "flag-adjective"
    elif adjective.startswith(("a ", "an ")):
        bare = adjective.partition(" ")[2]
        yes, no, place, rule = bare, f"not {adjective}", Standing.HEAD, "flag-adjective"
    elif len(adjective.split()) in (1, 2):  # more are hardly one: "amount paid in full"
        no = _OPPOSITES.get(adjective, f"not {adjective}")
        yes, place, rule = adjective, Standing.BEFORE, "flag-adjective"
    else:
        return None
    return {value: yes if _TRUTH[value.lower()] else no for value in values}, place, rule


def _doing(phrase: str) -> str:
    first, blank, rest = phrase.partition(" ")
    verb = by_base(first)
    papers = rest and kind_of(rest)[0] is ThingKind.DOCUMENT and not is_plural(rest)
    return f"{verb.gerund if verb else first}{blank}{a(rest) if papers else rest}"


def coded_values(
    noun: str, column: Property, figures: PropertyStatistics, owner: str = ""
) -> Values | None:
    """What the codes of a closed set mean, where their noun or they themselves say it.

    `owner` is the noun of the thing that has the property.

    >>> from schemagraph.model import Observed, Type
    >>> sex = Property("Sex", Type(Kind.STRING), observed=Observed(values=("F", "M")))
    >>> coded_values("sex", sex, PropertyStatistics(9, 0, 2))[0]
    {'F': 'female', 'M': 'male'}
    >>> sort = Property("type", Type(Kind.STRING), observed=Observed(values=("Savings", "Joint")))
    >>> coded_values("type", sort, PropertyStatistics(9, 0, 2), "account")[0]
    {'Savings': 'savings', 'Joint': 'joint'}
    >>> coded_values("preferred gender", sex, PropertyStatistics(9, 0, 2), "client") is None
    True
    """
    values = closed_values(column, figures)
    if len(values) < 2 or column.type.kind is not Kind.STRING:
        return None
    folded = [value.strip().lower() for value in values]
    if noun.rpartition(" ")[2] in _SORTS and word_set("passing") & {*folded}:
        return None  # a sale of the kind "open" is not one that is open now
    own = set(noun.lower().split()[:-1]) <= set(owner.lower().split())
    sexed = noun.rpartition(" ")[2] in ("sex", "gender") and own  # none that somebody prefers
    if sexed and len({*folded} & _SEX.keys()) > 1:
        meanings = {v: _SEX[low] for v, low in zip(values, folded, strict=True) if low in _SEX}
        return meanings, Standing.BEFORE, "sex-code"
    if set(folded) & _TRUTH.keys():
        return None
    states = {v: low for v, low in zip(values, folded, strict=True) if _adjective(low)}
    if kind_of(owner)[0] is ThingKind.PERSON:  # students who passed are no "passed students"
        states = {v: low for v, low in states.items() if low not in word_map("results")}
    # A fair copy is no copy in fair condition.
    states = {v: low for v, low in states.items() if low not in word_set("grades")}
    if head_word(owner) in word_set("of_patients"):  # who are discharged, and not their admission
        states = {v: low for v, low in states.items() if low not in word_set("patients_are")}
    if 2 * len(states) >= len(values) and own and noun.rpartition(" ")[2] in _STATES | _SORTS:
        placed = {v: low for v, low in zip(values, folded, strict=True) if _is_placed(low)}
        meanings = {v: re.sub("[_ ]", "-", low) for v, low in (states | placed).items()}
        return (
            {v: meanings[v] for v in values if v in meanings},
            Standing.BEFORE,
            "adjective-values",
        )
    return _sorts(noun, values, owner)


def _sorts(noun: str, values: tuple[str, ...], owner: str) -> Values | None:
    """Values that say what sort of thing it is: "savings accounts", "sedans"."""
    before, _, last = noun.lower().rpartition(" ")
    head = owner.partition(" of ")[0].rpartition(" ")[2].lower()
    if not owner or last not in _SORTS or not set(before.split()) <= set(owner.lower().split()):
        return None
    words = {value: _plain_word(value) for value in values}
    if not all(words.values()):
        return None
    kinds = {kind_of(word) for word in words.values()}
    own = kind_of(owner)[0]
    people = own is ThingKind.PERSON
    named = all(kind is own and (people or rule == "kind-noun") for kind, rule in kinds)
    named &= head not in word_set("classes")  # a breed of dogs is none
    if named or all(word.split()[-1] == head for word in words.values()):
        return words, Standing.HEAD, "sort-values"
    if any(word.split()[-1] == head for word in words.values()):
        words = {v: word.removesuffix(head).strip() or word for v, word in words.items()}
    return words, Standing.BEFORE, "sort-values"


def _plain_word(value: str) -> str:
    """A value of one or two plain words as it stands before a noun, "" for any other.

    >>> _plain_word("Modern_art"), _plain_word("SUV"), _plain_word("AIR"), _plain_word("Ann Lee")
    ('modern art', 'SUV', 'air', '')
    """
    words = value.strip().replace("_", " ").split()
    if not 0 < len(words) < 3 or not all(w.replace("-", "").isalpha() for w in words):
        return ""
    if len(words) == 1 and value.isupper():
        if value.lower() in word_set("short_sorts"):
            return value.lower()
        return value if 1 < len(value) < 5 else ""
    low = [w if w.isupper() and len(w) > 1 else w.lower() for w in words]
    known = all(are_words(w) or w.isupper() for w in low)
    many = is_plural(low[-1]) and low[-1] not in word_set("modifiers")
    return " ".join(low) if known and not many else ""


_STATES = frozenset({"status", "state", "condition", "result", "outcome", "decision", "stage"})
_SORTS = frozenset(
    {"type", "kind", "category", "class", "style", "genre", "colour", "color", "level", "mode"}
)


def _adjective(word: str) -> str:
    """The word where it is an adjective or a participle, "" else.

    >>> _adjective("cancelled"), _adjective("active"), _adjective("died"), _adjective("table")
    ('cancelled', 'active', '', '')
    >>> _adjective("withdrawn"), _adjective("went")
    ('withdrawn', '')
    """
    if word in word_set("adjectives") or word in _OPPOSITES:
        return word
    done = by_past(word) if word.isalpha() and not by_base(word) else None
    stays = done is not None and word == done.participle and done.base not in _HAPPEN
    return word if stays else ""


def _is_placed(text: str) -> bool:
    """Whether a text says in which state something is as before a noun: in progress, on hold.

    >>> _is_placed("in progress"), _is_placed("on road"), _is_placed("on hold")
    (True, False, True)
    """
    first, _, rest = text.partition(" ")
    state = first in _WITHIN and rest.isalpha() and are_words(rest)
    return state and kind_of(rest)[0] not in (ThingKind.PLACE, ThingKind.VEHICLE)


_COMING = {"referred": "referral", "transferred": "transfer"}
_WITHIN = frozenset({"at", "in", "off", "on", "under"})


_HAPPEN = frozenset({"arrive", "belong", "die", "exist", "happen", "occur", "remain", "survive"})
