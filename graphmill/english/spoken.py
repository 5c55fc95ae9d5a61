"""The words of a name as people write them: split, abbreviations expanded, acronyms in capitals."""

from __future__ import annotations

import re
from functools import cache

from graphmill.english.lists import word_map, word_set
from graphmill.english.names import words

_SPELT = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,4}")  # no word without a vowel: "HS"


def spoken(name: str) -> list[str]:
    """The words of a name in lower case, acronyms and abbreviations as people write them.

    A name without letters and digits (an emoji) is a word as it is.

    >>> spoken("CustomerID"), spoken("unit_qty"), spoken("GDP_per_capita")
    (['customer', 'ID'], ['unit', 'quantity'], ['GDP', 'per', 'capita'])
    >>> spoken("%")
    ['%']
    """
    return list(_spoken(name))


_CALENDAR = frozenset(
    f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
)


@cache
def _spoken(name: str) -> tuple[str, ...]:
    spoken: list[str] = []
    parts = split(name)
    for place, word in enumerate(parts):
        low = word.lower()
        if low in word_set("acronyms") and not (low in ("it", "us", "pos") and len(parts) > 1):
            spoken.append("IDs" if low == "ids" else word.upper())
        elif low in word_map("abbreviations") and not _initials(name, parts, place):
            spoken.extend(word_map("abbreviations")[low].split())
        elif word.isupper() and len(word) > 1 and not name.isupper() and (place or len(word) < 5):
            spoken.append(word)
        elif low.removesuffix("s") in _CALENDAR:
            spoken.append(low.capitalize())
        elif _SPELT.fullmatch(low) and low not in word_map("units"):
            spoken.append(word.upper())
        else:
            spoken.extend(_apart(low))
    spoken = [word for place, word in enumerate(spoken) if not place or spoken[place - 1] != word]
    if spoken[-2:] == ["postcode", "code"]:
        spoken.pop()  # zip_code
    if spoken[-2:] in (["f", "name"], ["l", "name"]):
        spoken[-2] = "first" if spoken[-2] == "f" else "last"
    return tuple(spoken) or (_wordless(name),) * bool(name)


def _wordless(name: str) -> str:
    """A name without letters and digits as one word."""
    return "".join(name.split()) or "blank"


def _initials(name: str, parts: list[str], place: int) -> bool:
    """Whether a word is some body's initials, not an abbreviation: ACC_Home."""
    word = parts[place]
    return len(word) == 3 and word.isupper() and not name.isupper() and not place and len(parts) > 1


def split(name: str) -> list[str]:
    """The words of a name as it has them; a unit with capitals inside is one.

    >>> split("ROM_MiB"), split("birthDate")
    (['ROM', 'MiB'], ['birth', 'Date'])
    """
    head, _, tail = name.rpartition("_")
    if head and tail.lower() in word_map("units"):
        return [*words(head), tail]
    return words(name)


def _apart(word: str) -> list[str]:
    """The two words of a name that writes them together.

    >>> _apart("hiredate"), _apart("candidate"), _apart("jobcode")
    (['hire', 'date'], ['candidate'], ['job', 'code'])
    >>> _apart("partitionid"), _apart("hybrid")
    (['partition', 'ID'], ['hybrid'])
    """
    if word.endswith("id") and word not in word_set("no_ids"):
        stem = word.removesuffix("id")
        if stem in word_map("abbreviations"):
            return [*word_map("abbreviations")[stem].split(), "ID"]  # custid
        if len(word) > 6:
            return [stem, "ID"]
    for end in word_set("compound_ends"):
        if word.endswith(end) and word.removesuffix(end) in word_set("compound_starts"):
            return _spoken_word(word.removesuffix(end)) + _spoken_word(end)
    return [word]


def _spoken_word(word: str) -> list[str]:
    return ["ID"] if word == "id" else ["number"] if word == "no" else [word]


def abbreviates(short: str, noun: str) -> bool:
    """Whether letters are a short form of a noun: its first letter and some of the others.

    >>> abbreviates("apt", "apartment"), abbreviates("li", "line item"), abbreviates("ea", "area")
    (True, True, False)
    """
    rest = iter(noun.casefold())
    short = short.casefold()
    return noun[:1].casefold() == short[:1] and all(letter in rest for letter in short)


def half_name(noun: str) -> str:
    """Which half of a person's name a property is: "first", "last", or none.

    >>> half_name("forename"), half_name("family name"), half_name("full name")
    ('first', 'last', '')
    """
    if noun in ("first name", "forename", "given name"):
        return "first"
    return "last" if noun in ("last name", "surname", "family name") else ""
