"""What closed codes mean: flags by their name, sexes, values that are adjectives."""

from __future__ import annotations

import re

from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import Standing, value_key
from graphmill.english.inflection import a
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import Kind, Property

type Values = tuple[dict[str, str], Standing, str]

_YES = {"true": True, "1": True, "t": True, "y": True, "yes": True, "1.0": True}
_NO = {"false": False, "0": False, "f": False, "n": False, "no": False, "0.0": False}
_TRUTH = {**_YES, **_NO}
_NAMED = re.compile(
    r"^(?i:is|has|have|was|can|does|allows|accepts|with|if|whether)[_ ]"
    r"|(?i:[_ ](?:yn|flag|tf|y_n))$|^(?:is|has|was|can)[A-Z]"
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
    known = column.values or column.observed.values
    if not known and figures.distinct == len(figures.common):
        known = tuple(value_key(value) for value, _ in figures.common)
    return tuple(known) if 0 < len(known) <= _MOST else ()


def flag_values(
    words: PropertyWords, column: Property, figures: PropertyStatistics
) -> Values | None:
    """What the two values of a flag mean; None where it is none, or nothing says what is 1."""
    values = closed_values(column, figures)
    if not values or not {value.lower() for value in values} <= _TRUTH.keys():
        return None
    if column.type.kind is not Kind.BOOLEAN and not _NAMED.search(column.name):
        return None
    bare = words.noun.removesuffix(" flag")
    where = bare if bare.partition(" ")[0] in ("in", "on", "at", "under", "for", "off") else ""
    adjective = words.adjective or _adjective(bare)
    if words.does is not None:
        doing = _doing(words.does[1])
        yes, no, place, rule = doing, f"not {doing}", Standing.AFTER, "flag-verb"
    elif re.match(r"(?:has|have|with)(?:[_ ]|[A-Z])", column.name):
        noun = words.noun.removesuffix(" flag").removeprefix("has ")
        yes, no, place, rule = f"with {a(noun)}", f"without {a(noun)}", Standing.AFTER, "flag-thing"
    elif where:
        yes, no, place, rule = where, f"not {where}", Standing.AFTER, "flag-adjective"
    elif adjective.startswith(("a ", "an ")):
        bare = adjective.partition(" ")[2]
        yes, no, place, rule = bare, f"not {adjective}", Standing.HEAD, "flag-adjective"
    elif adjective:
        no = _OPPOSITES.get(adjective, f"not {adjective}")
        yes, place, rule = adjective, Standing.BEFORE, "flag-adjective"
    else:
        return None
    return {value: yes if _TRUTH[value.lower()] else no for value in values}, place, rule


def _doing(phrase: str) -> str:
    first, blank, rest = phrase.partition(" ")
    verb = by_base(first)
    return f"{verb.gerund if verb else first}{blank}{rest}"


def coded_values(noun: str, column: Property, figures: PropertyStatistics) -> Values | None:
    """What the codes of a closed set mean, where their noun or they themselves say it.

    >>> from schemagraph.model import Observed, Type
    >>> sex = Property("Sex", Type(Kind.STRING), observed=Observed(values=("F", "M")))
    >>> coded_values("sex", sex, PropertyStatistics(9, 0, 2))[0]
    {'F': 'female', 'M': 'male'}
    """
    values = closed_values(column, figures)
    if len(values) < 2 or column.type.kind is not Kind.STRING:
        return None
    folded = [value.strip().lower() for value in values]
    if noun.rpartition(" ")[2] in ("sex", "gender") and all(value in _SEX for value in folded):
        said = {v: _SEX[low] for v, low in zip(values, folded, strict=True)}
        return said, Standing.BEFORE, "sex-code"
    if all(_adjective(value) for value in folded):
        said = {v: low.replace("_", "-") for v, low in zip(values, folded, strict=True)}
        return said, Standing.BEFORE, "adjective-values"
    return None


def _adjective(word: str) -> str:
    """The word where it is an adjective or a participle, "" else.

    >>> _adjective("cancelled"), _adjective("active"), _adjective("red"), _adjective("table")
    ('cancelled', 'active', '', '')
    """
    if word in word_set("adjectives") or word in _OPPOSITES:
        return word
    if word.isalpha() and word.endswith("ed") and by_past(word) and not by_base(word):
        return word
    return ""
