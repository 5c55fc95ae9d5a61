"""What the values of a column look like: codes, hours, days in digits, labels, long texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from generators.questions.lexicon.derive.clear import are_words
from generators.questions.lexicon.derive.data import kind_of, territories
from generators.questions.lexicon.derive.upkeep import is_digit_day
from generators.questions.lexicon.model import ThingKind
from graphmill.english.inflection import is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.verbs import by_base, by_past
from schemagraph.folder.statistics import PropertyStatistics

_ALIKE = 5  # letters of a word in capitals that may be the start of another: CARP, PLUM
_BRIEF = 4  # letters of an abbreviation that is written as a word: pend, Canc
_NUMBERED = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9.]+")
_LEVELS = re.compile(r"[ABC][12]|[ABO]{1,2}[+-]|\d+[DGK]")  # of a language, blood groups, 3D
_FILLER = re.compile(r"\b(?:lorem|ipsum|dolor|quia|voluptat\w*|asdf|foo|bar)\b", re.IGNORECASE)
_HOUR = re.compile(r"\d{1,2}")
_LABEL = re.compile(r"[A-Z]{1,6}\d{0,2}[-/ ]\d{1,6}(?:[-/]\d{1,6})?")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?|\d{1,3}/\d{1,3}")
_LISTED = re.compile(r"[,;|]")
_TERSE = 2  # words, of which a part of a list has no more
_LONG = 60  # characters above which texts are descriptions


def are_codes(noun: str, values: Iterable[str]) -> bool:
    """Whether half of the values of a property, called by its noun, are codes without a meaning,
    or some of values that are all written like codes.

    >>> are_codes("type", ["BUN", "FLT", "HSE"]), are_codes("category", ["NETWORK", "POWER"])
    (True, False)
    >>> are_codes("country", ["DE", "NL"]), are_codes("province", ["WC", "EC"])
    (False, True)
    >>> are_codes("format", ["CD", "DVD"]), are_codes("party", ["SPD", "CDU"])
    (False, False)
    >>> are_codes("status", ["pend", "canc", "open"]), are_codes("room", ["B12", "B14"])
    (True, False)
    >>> are_codes("trade", ["PLUM", "ELEC", "CARP"]), are_codes("shift", ["DAY", "NIGHT"])
    (True, False)
    >>> are_codes("status", ["ACT", "DROP", "PASS"]), are_codes("status", ["OPEN", "DONE"])
    (True, False)
    """
    parts = frozenset(noun.lower().replace("-", " ").split())
    if kind_of(noun)[0] in (ThingKind.ORGANISATION, ThingKind.PERSON):
        return False  # known by their letters: the BBC
    texts = {value.strip() for value in values}
    codes = sum(_is_code(text, parts) for text in texts)
    alike = all(text.isupper() and len(text) <= _ALIKE for text in texts)
    if alike and noun.rpartition(" ")[2] == "status":
        codes += not any(_is_state(text.lower()) for text in texts)
    return codes > 0 and (alike or 2 * codes >= len(texts))


def _is_state(word: str) -> bool:
    done = by_past(word) is not None and by_base(word) is None
    return done or word in word_set("adjectives") | word_set("passing")


def _is_code(text: str, noun: frozenset[str]) -> bool:
    words = text.replace("_", " ").replace("-", " ").replace("/", " ").split()
    known = _known(noun)
    if not words or text.lower() in known or all(word.lower() in known for word in words):
        return False
    sorts = bool(noun & word_set("sorted"))
    return all(_is_coded(word, sorts) for word in words)


def _is_coded(word: str, sorts: bool) -> bool:
    if _NUMBERED.fullmatch(word):
        return sorts and not _LEVELS.fullmatch(word)
    if not word.isalpha() or len(word) == 1:
        return False
    if word.isupper():
        return not (are_words(word) or are_words(word.lower()))
    bare = not set(word.lower()) & set("aeiouy")
    return (
        sorts and len(word) <= _BRIEF and (bare or word.islower()) and not are_words(word.lower())
    )


def names_of(noun: str, values: Iterable[str]) -> dict[str, str]:
    """What values that are codes of ISO 3166 or ISO 639 stand for, by the noun of their property;
    {} where one of them is none, or two are one.

    >>> names_of("country", ["IT", "NL"]), names_of("country code", ["DEU", "UK"])
    ({'IT': 'Italy', 'NL': 'Netherlands'}, {'DEU': 'Germany', 'UK': 'United Kingdom'})
    >>> names_of("language", ["de", "en"]), names_of("country", ["IT", "Paris"])
    ({'de': 'German', 'en': 'English'}, {})
    """
    head = noun.lower().removesuffix(" code").rpartition(" ")[2]
    if head in ("country", "nation", "nationality"):
        names = {value: _country(value) for value in values}
    elif head in ("language", "locale"):
        names = {value: _language(value) for value in values}
    else:
        return {}
    told_apart = len({*names.values()}) == len(names)  # not by UK and GB
    return names if all(names.values()) and told_apart else {}


def _country(code: str) -> str:
    from babel import Locale  # slow to load, and wanted by those who derive alone
    from babel.core import get_global

    if not (code.isalpha() and code.isupper() and len(code) <= 3):
        return ""
    (known, *more) = get_global("territory_aliases").get(code, [code])
    name = "" if more else Locale("en").territories.get(known, "")
    return name.partition(" (")[0].partition(" SAR ")[0]


def _language(code: str) -> str:
    from babel import Locale  # slow to load, and wanted by those who derive alone

    short = code.isalpha() and len(code) <= 3 and (code.islower() or code.isupper())
    return Locale("en").languages.get(code.lower(), "") if short else ""


@cache
def _known(noun: frozenset[str]) -> frozenset[str]:
    """The codes that people know, in lower case: some wherever they stand, those of countries,
    states, languages and currencies where the noun speaks of them."""
    from babel import Locale  # slow to load, and wanted by those who derive alone
    from babel.core import get_global

    english = Locale("en")
    known = word_set("known_codes") | word_set("acronyms") | word_set("spoken_acronyms")
    known |= word_map("units").keys()
    if noun & {"country", "countries", "nation", "nationality", "market", "origin", "federation"}:
        known |= {f"{code}".lower() for code in english.territories}
        known |= {code.lower() for code in get_global("territory_aliases")}
    if noun & {"state", "states", "province", "region", "territory"}:
        known |= word_set("states")
    if noun & {"language", "locale"}:
        known |= {f"{code}".lower() for code in english.languages}
    if noun & {"currency", "currencies"}:
        known |= {f"{code}".lower() for code in english.currencies}
    return known


def are_labels(figures: PropertyStatistics) -> bool:
    """Whether texts are written so that people say them, and each only once: PIP-527, S20-0001.

    >>> are_labels(PropertyStatistics(2, 0, 2, sample=("PIP-527", "LDG-434")))
    True
    >>> are_labels(PropertyStatistics(2, 0, 2, sample=("9f86d081", "60303ae2")))
    False
    """
    texts = [str(value) for value in figures.sample]
    alike = bool(texts) and all(map(_LABEL.fullmatch, texts))
    return alike and figures.distinct == figures.count


def are_lists(noun: str, figures: PropertyStatistics) -> bool:
    """Whether texts hold lists of words or codes, of which nobody asks for a whole one.

    >>> are_lists("languages", PropertyStatistics(3, 0, 3, sample=("de", "it,de", "rm,de,en")))
    True
    >>> are_lists("address", PropertyStatistics(2, 0, 2, sample=("Rome, Italy", "Pisa, Italy")))
    False
    """
    texts = {str(value) for value in (*figures.sample, *(value for value, _ in figures.common))}
    parts = [[part.strip() for part in _LISTED.split(text)] for text in texts]
    lists = [each for each in parts if len(each) > 1]
    if not lists or any(not 0 < len(part.split()) <= _TERSE for each in lists for part in each):
        return False
    places: dict[str, set[int]] = {}
    for each in parts:
        for place, part in enumerate(each):
            places.setdefault(part, set()).add(place)
    moved = len(lists) > 1 and any(len(each) > 1 for each in places.values())
    free = singular(noun.rpartition(" ")[2]) in word_set("comments")
    return moved or (is_plural(noun) and not free)


def are_numbers(figures: PropertyStatistics) -> bool:
    """Whether most texts are numbers."""
    texts = [value for value, _ in figures.common if isinstance(value, str)]
    numbers = sum(bool(_NUMBER.fullmatch(text.strip())) for text in texts)
    return len(texts) > 1 and numbers > 0.8 * len(texts)


def are_digit_days(figures: PropertyStatistics) -> bool:
    """Whether days and moments are kept as digits alone: 20110930."""
    values = [value for value, _ in figures.common]
    return bool(values) and all(is_digit_day(value) for value in values)


def are_hours(figures: PropertyStatistics) -> bool:
    """Whether times are kept as bare numbers, of which nobody knows what they count."""
    texts = [f"{value}" for value, _ in figures.common]
    return bool(texts) and all(_HOUR.fullmatch(text.strip()) for text in texts)


def are_territories(figures: PropertyStatistics) -> bool:
    """Whether values are names of countries, not of nationalities."""
    texts = {value for value, _ in figures.common if isinstance(value, str)}
    return bool(texts) and 2 * len(texts & territories()) >= len(texts)


def is_filler(figures: PropertyStatistics) -> bool:
    """Whether most texts say nothing, as those of generated data."""
    texts = [value for value, _ in figures.common if isinstance(value, str)]
    return bool(texts) and sum(bool(_FILLER.search(t)) for t in texts) > len(texts) / 2


def is_long(figures: PropertyStatistics) -> bool:
    """Whether texts are descriptions."""
    texts = [value for value in figures.sample if isinstance(value, str)]
    return bool(texts) and sum(map(len, texts)) / len(texts) > _LONG
