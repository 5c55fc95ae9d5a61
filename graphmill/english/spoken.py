"""The words of a name as people write them: split, abbreviations expanded, acronyms in capitals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from lemminflect import getAllLemmas

from graphmill.english.lists import word_map, word_set
from graphmill.english.names import words
from graphmill.english.senses import ALONE, Around, meanings, sense

_STEM = 3  # letters of the word before one for a table's records, at least
_WORD = 4  # letters of each of two nouns that are written together, at least
_SPELT = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,4}")  # no word without a vowel: "HS"


def spoken(name: str, around: Around = ALONE) -> list[str]:
    """The words of a name in lower case, acronyms and abbreviations as people write them.

    `around`: the words of the names that it stands among, which say what an abbreviation means. A
    name without letters and digits (an emoji) is a word as it is.

    >>> spoken("CustomerID"), spoken("unit_qty"), spoken("GDP_per_capita")
    (['customer', 'ID'], ['unit', 'quantity'], ['GDP', 'per', 'capita'])
    >>> spoken("%"), spoken("comm_pct"), spoken("comm_txt")
    (['%'], ['commission', 'percentage'], ['comm', 'text'])
    """
    return list(_spoken(name, around)[0])


def guessed(name: str, around: Around = ALONE) -> bool:
    """Whether a word of a name is one of several that its abbreviation may stand for.

    >>> guessed("comm_pct"), guessed("unit_qty")
    (True, False)
    """
    return _spoken(name, around)[1]


def senses_in(name: str, around: Around = ALONE) -> dict[str, str]:
    """What the abbreviations of a name with several meanings stand for in it.

    >>> senses_in("MNT_ORD"), senses_in("customer")
    ({'mnt': 'maintenance', 'ord': 'order'}, {})
    """
    parts = split(name)
    meant = {part.lower(): _meant(name, parts, i, around) for i, part in enumerate(parts)}
    return {short: means for short, means in meant.items() if means}


def compounded(parts: list[str]) -> list[str]:
    """The words of a name with a verb and a particle as the noun that they are.

    >>> compounded(["add", "ons"]), compounded(["call", "out", "fee"]), compounded(["followup"])
    (['add-ons'], ['callout', 'fee'], ['follow-up'])
    >>> compounded(["sign", "in", "sheet"])
    ['sign', 'in', 'sheet']
    """
    made: list[str] = []
    for part in parts:
        end = part.removesuffix("s")
        both = _particled().get(f"{made[-1]} {end}", "") if made else ""
        if both:
            made.pop()
        both = both or _particled().get(end, "")
        made.append(both + part[len(end) :] if both else part)
    return made


@cache
def _particled() -> dict[str, str]:
    """Nouns of a verb and a particle, by both words and by one."""
    nouns: dict[str, str] = {}
    for noun in word_set("particle_nouns"):
        apart = noun.replace("_", " ").replace("-", " ")
        nouns[apart] = nouns[apart.replace(" ", "")] = noun.replace("_", "")
    return nouns


_HALVES = {"f": "first", "l": "last", "lst": "last"}  # of a person's name
_CALENDAR = frozenset(
    f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
)


@cache
def _spoken(name: str, around: Around) -> tuple[tuple[str, ...], bool]:
    """The words of a name, and whether an abbreviation with several meanings is among them."""
    spoken: list[str] = []
    parts = split(name)
    guessed = False
    for place, word in enumerate(parts):
        low = word.lower()
        if meant := _meant(name, parts, place, around):
            spoken.extend(meant.split())
            guessed = True
        elif word == word_map("mixed").get(low):
            spoken.append(word)
        elif low in word_set("acronyms") and not (low in ("it", "us", "pos") and len(parts) > 1):
            spoken.append("IDs" if low == "ids" else word_map("mixed").get(low, word.upper()))
        elif low in word_map("abbreviations") and not _initials(name, parts, place):
            spoken.extend(word_map("abbreviations")[low].split())
        elif word.isupper() and len(word) > 1 and not name.isupper() and (place or len(word) < 5):
            spoken.append(word)
        elif low.removesuffix("s") in _CALENDAR or low in word_set("proper_adjectives"):
            spoken.append(low.capitalize())
        elif _SPELT.fullmatch(low) and low not in word_map("units"):
            spoken.append(word.upper())
        else:
            spoken.extend(_apart(low))
    spoken = [word for place, word in enumerate(spoken) if not place or spoken[place - 1] != word]
    if spoken[-2:] == ["postcode", "code"]:
        spoken.pop()  # zip_code
    if spoken[-3:] in (["telephone", "number", "no"], ["phone", "number", "no"]):
        spoken.pop()  # tel_no
    if len(spoken) > 1 and spoken[-1] == "name":
        spoken[-2] = _HALVES.get(spoken[-2].lower(), spoken[-2])
    return tuple(spoken) or (_wordless(name),) * bool(name), guessed


def _meant(name: str, parts: list[str], place: int, around: Around) -> str:
    """What an abbreviation with several meanings stands for, "" where nothing says it."""
    if _initials(name, parts, place):
        return ""
    others = [part for other, part in enumerate(parts) if other != place]
    beside = frozenset(word for part in others for word in _plainly(part, around))
    short = parts[place].lower()
    if meant := sense(short, beside, around):
        return meant
    # Two that explain each other: MNT_ORD, where an order may be one of maintenance.
    maybe = frozenset(word for part in others for word in meanings(part.lower()))
    return sense(short, beside | maybe, around) if maybe else ""


def _plainly(part: str, around: Around = ALONE) -> list[str]:
    """The words of a part of a name whatever stands beside it."""
    low = part.lower()
    if meant := sense(low, frozenset(), around):
        return meant.split()
    if low in ("no", "num", "nbr"):
        return ["number"]
    return word_map("abbreviations").get(low, "ID" if low == "id" else low).split()


def plain_words(names: Iterable[str]) -> frozenset[str]:
    """The words of names as `Around` has them, whatever each name stands among.

    >>> sorted(plain_words(["prem_amt", "pol_cd"]))
    ['amount', 'code', 'pol', 'premium']
    """
    return frozenset(word.lower() for name in names for word in spoken(name))


def _wordless(name: str) -> str:
    """A name without letters and digits as one word."""
    return "".join(name.split()) or "blank"


def _initials(name: str, parts: list[str], place: int) -> bool:
    """Whether a word is some body's initials, not an abbreviation: ACC_Home."""
    word = parts[place]
    return len(word) == 3 and word.isupper() and not name.isupper() and not place and len(parts) > 1


def split(name: str) -> list[str]:
    """The words of a name as it has them; a unit or a degree with capitals inside is one.

    >>> split("ROM_MiB"), split("birthDate"), split("PhDYear")
    (['ROM', 'MiB'], ['birth', 'Date'], ['PhD', 'Year'])
    """
    head, _, tail = name.rpartition("_")
    if head and tail.lower() in word_map("units"):
        return [*words(head), tail]
    parts = words(name)
    for place in range(len(parts) - 1, 0, -1):
        both = "".join(parts[place - 1 : place + 1])
        if both.lower() in word_map("mixed"):
            parts[place - 1 : place + 1] = [word_map("mixed")[both.lower()]]
    for place in range(len(parts) - 1, -1, -1):
        stem = parts[place][:-2]
        if parts[place][-2:].lower() == "cd" and stem.lower() in word_set("compound_starts"):
            parts[place : place + 1] = [stem, "cd"]  # FAILCD
    return parts


def _apart(word: str) -> list[str]:
    """The two words of a name that writes them together.

    >>> _apart("hiredate"), _apart("candidate"), _apart("jobcode")
    (['hire', 'date'], ['candidate'], ['job', 'code'])
    >>> _apart("partitionid"), _apart("hybrid")
    (['partition', 'ID'], ['hybrid'])
    >>> _apart("custmast"), _apart("hirehdr"), _apart("feedpillar"), _apart("airline")
    (['customer', 'master'], ['hire', 'header'], ['feed', 'pillar'], ['airline'])
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
    return _of_records(word) or [word]


def _of_records(word: str) -> list[str]:
    """The words of an old system's name of a table that is no word: CUSTMAST, FEEDPILLAR."""
    if getAllLemmas(word) or word in word_set("written_together"):
        return []
    for end, meant in word_map("record_ends").items():
        start = word.removesuffix(end)
        known = word_map("abbreviations").get(start)
        if start != word and len(start) >= _STEM and (known or _is_noun(start)):
            return [*(known or start).split(), meant]
    ways = [(word[:at], word[at:]) for at in range(_WORD, len(word) - _WORD + 1)]
    nouns = [way for way in ways if all(map(_is_noun, way))]
    return [*nouns[0]] if len(nouns) == 1 else []


def _is_noun(word: str) -> bool:
    return "NOUN" in getAllLemmas(word)


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


def is_skeleton(short: str, word: str) -> bool:
    """Whether letters are a word's first and some of its consonants, in their order.

    >>> is_skeleton("ctr", "contract"), is_skeleton("ptnt", "patient"), is_skeleton("tnt", "tent")
    (True, True, False)
    >>> is_skeleton("pln", "patient"), is_skeleton("con", "contract"), is_skeleton("ct", "court")
    (False, False, False)
    """
    bones = re.sub(r"(?<=.)[aeiou]", "", word.casefold())
    rest = iter(bones)
    return (
        len(short) > 2
        and short[0] == bones[0]
        and len(word) > len(short) + 1
        and all(letter in rest for letter in short)
        and not set(short[1:]) & set("aeiou")
    )


def half_name(noun: str) -> str:
    """Which half of a person's name a property is: "first", "last", or none.

    >>> half_name("given names"), half_name("family name"), half_name("full name")
    ('first', 'last', '')
    """
    if noun.removesuffix("s") in ("first name", "forename", "given name"):
        return "first"
    return "last" if noun in ("last name", "surname", "family name") else ""
