"""English inflection by rule: plurals, articles, verb forms, lists, numbers as words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.verbs import by_base, by_past

_VOWEL_SOUND = re.compile(r"(?:[aeiouäöüáéíóúâêîôûåøæ]|hono|hour|heir|honest)", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(
    r"(?:uni(?!n|m)|use|usu|usa|uti|ure|ubi|uk\b|eu|ewe|one\b|once|o(?=ne-))", re.IGNORECASE
)
_INNER = re.compile(
    r"(.+?)( (?:to be|per|for|as|in|at|on|by|from|with|without|under|between|until) .+"
    r"|(?:(?<=\btime)|(?<=\bway)) to .+"
    r"| (?:affected|concerned|involved)$)"
)
_COUNTED_WORDS = "amount cost date day fee number price quantity rate time value year"
_COUNTED = frozenset(_COUNTED_WORDS.split())
_LETTERS_WITH_VOWEL = frozenset("AEFHILMNORSX8")


_DONE = re.compile(r"(?:[^e]ed|[^aeiou]en|ing|paid)$")
_HANGING = frozenset({"from", "to", "until", "valid", "in", "out", "by", "for", "undergoes"})


def plural(noun: str) -> str:
    """The plural of an English noun phrase: its last word, or the one before "of".

    >>> [plural(n) for n in ("city", "staff member", "bus", "number of stops", "person", "series")]
    ['cities', 'staff members', 'buses', 'numbers of stops', 'people', 'series']
    >>> plural("date order placed"), plural("bikes available"), plural("quantity damaged")
    ('dates order placed', 'bikes available', 'quantities damaged')
    >>> plural("document to be destroyed"), plural("price per unit"), plural("date in office")
    ('documents to be destroyed', 'prices per unit', 'dates in office')
    >>> plural("way to get there"), plural("time to fix"), plural("press run")
    ('ways to get there', 'times to fix', 'press runs')
    >>> plural("tactic and technique"), plural("person involved")
    ('tactics and techniques', 'people involved')
    >>> plural("payment received"), plural("seed"), plural("used car")
    ('payments received', 'seeds', 'used cars')
    >>> plural("master thesis"), plural("midwife"), plural("genus")
    ('master theses', 'midwives', 'genera')
    >>> plural("day"), plural("ID"), plural("country of origin"), plural("work of art")
    ('days', 'IDs', 'countries of origin', 'works of art')
    """
    first, _, last = noun.partition(" ")
    if first in _COUNTED and (_DONE.search(last) or last.rpartition(" ")[2] in _HANGING):
        return f"{_plural(first)} {last}"
    if match := _INNER.match(noun):
        return f"{plural(match[1])}{match[2]}"
    head, of, rest = noun.partition(" of ")
    if of:
        return f"{plural(head)} of {rest}"
    for word in (" or ", " and "):
        if word in head:
            return word.join(plural(each) for each in head.split(word))
    before, _, last = head.rpartition(" ")
    if is_plural(head):
        return noun
    run = last == "run" and before not in word_set("measured_nouns")
    if before and is_done(last) and not run:
        return f"{plural(before)} {last}"  # payments received
    return f"{before} {_plural(last)}".strip()


_TAXES = frozenset({"GST", "VAT"})  # amounts that are not counted, where a vat is

_DONE_TO = frozenset(
    {
        *("bought", "driven", "flown", "given", "held", "kept", "lost", "made", "paid", "read"),
        *("run", "sent", "sold", "spent", "taken", "won", "written"),
    }
)


def is_done(word: str) -> bool:
    """Whether a word says what was done with what stands before it: "held" of "office held"."""
    if word.endswith("ed"):
        return by_past(word) is not None and by_base(word) is None
    return word in _DONE_TO


def head_of(noun: str) -> str:
    """A noun without what follows its head: "student" of "student in detention"."""
    match = _INNER.match(noun)
    return (match[1] if match else noun).partition(" of ")[0]


def within(noun: str) -> bool:
    """Whether a noun has something after its head: "units on order"."""
    return _INNER.match(noun) is not None


_FOREIGN = re.compile(r"(?:sis|us|ife|craft|ium|atum|ouse|lga)$")  # theses, midwives, nuclei


@cache
def _engine() -> Any:
    import inflect  # takes a while to load

    return inflect.engine()


def _plural(word: str) -> str:
    low = word.lower()
    if low in word_set("uncounted") or word in _TAXES or is_plural(word):
        return word
    plurals = word_map("plurals")
    if low in plurals:
        irregular = plurals[low]
        return irregular.capitalize() if word[:1].isupper() else irregular
    if low.endswith("man") and low not in ("human", "german", "roman", "talisman"):
        return word[:-2] + "en"
    if low.endswith("ics") and low not in ("topics", "clinics"):
        return word
    if word.isupper() or not word.isascii():
        return f"{word}s" if word.isascii() else word
    if _FOREIGN.search(low):
        return _engine().plural_noun(word) or word
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", low):
        return word + ("zes" if re.search(r"[^z]z$", low) and len(low) < 5 else "es")
    return word + "s"


@cache
def is_plural(noun: str) -> bool:
    """Whether a noun phrase is in the plural already.

    >>> is_plural("annual visitors"), is_plural("address"), is_plural("monthly dues")
    (True, False, True)
    >>> is_plural("games played"), is_plural("shots made"), is_plural("amount paid")
    (True, True, False)
    """
    head = noun.partition(" of ")[0]
    if match := _INNER.match(head):
        return is_plural(match[1])
    before, _, last = head.rpartition(" ")
    done = last in word_set("adjectives") or _DONE.search(last) or is_done(last)
    if before and done and is_plural(before):
        return True
    low = last.lower()
    if low in word_set("plural_only"):
        return True
    return low not in word_set("uncounted") and singular(last) != last


def a(noun: str) -> str:
    """The noun with its indefinite article, none for a plural or what is not counted.

    >>> [a(n) for n in ("artwork", "museum", "hour", "unit", "HR officer", "URL", "MBA", "staff")]
    ['an artwork', 'a museum', 'an hour', 'a unit', 'an HR officer', 'a URL', 'an MBA', 'staff']
    >>> a("HAS_OWNER edge"), a("REVIEWED edge"), a("ACTED_IN edge")
    ('a HAS_OWNER edge', 'a REVIEWED edge', 'an ACTED_IN edge')
    """
    inner = _INNER.match(noun)
    last = (inner[1] if inner else noun).partition(" of ")[0].rpartition(" ")[2]
    bare = last.lower() in word_set("uncounted") and last.lower() not in word_set("unchanged")
    if is_plural(noun) or bare or last in _TAXES:
        return noun
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{article(noun)} {noun}"


def are(nouns: Sequence[str]) -> str:
    """ "is" for one noun that is not counted, "are" for the plurals of others.

    >>> are(["stock"]), are(["prices"]), are(["stock", "information"]), are(["series"])
    ('is', 'are', 'are', 'are')
    """
    if len(nouns) != 1 or " and " in nouns[0]:
        return "are"
    last = nouns[0].rpartition(" ")[2].lower()
    bare = last in word_set("uncounted") and last not in word_set("unchanged")
    return "is" if bare and not is_plural(nouns[0]) and a(nouns[0]) == nouns[0] else "are"


def article(text: str) -> str:
    """ "a" or "an", by the sound that follows.

    >>> article("HAS_OWNER edge"), article("ISBN"), article("eel")
    ('a', 'an', 'an')
    """
    return "an" if _vowel(text) else "a"


def _vowel(text: str) -> bool:
    first = re.split(r"[\s-]", text, maxsplit=1)[0]
    if "_" in first:
        return _vowel(first.lower().replace("_", " "))
    if len(first) > 1 and first.isupper():
        edge = text.endswith(" edge") and first.lower() not in word_set("acronyms")
        if edge or first.lower() in word_set("spoken_acronyms"):
            return _vowel(first.lower())
        spelt = (
            len(first) < 4
            or first.lower() in word_set("acronyms")
            or not re.search("[AEIOUY]", first)
        )
        return first[0] in _LETTERS_WITH_VOWEL if spelt else _vowel(first.lower())
    if first in word_map("mixed").values():
        return first[0].upper() in _LETTERS_WITH_VOWEL  # an MSc
    if _CONSONANT_SOUND.match(text):
        return False
    return bool(_VOWEL_SOUND.match(text)) or text.startswith(("8", "11 ", "18 "))


def possessive(noun: str) -> str:
    """The noun as an owner.

    >>> possessive("the museum"), possessive("the museums"), possessive("the boss")
    ("the museum's", "the museums'", "the boss's")
    """
    return f"{noun}'" if noun.endswith("s") and is_plural(noun) else f"{noun}'s"


def listing(items: Sequence[str], last: str = "and") -> str:
    """Items as people list them.

    >>> listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b, or c')
    """
    if len(items) < 3:
        return f" {last} ".join(items)
    return f"{', '.join(items[:-1])}, {last} {items[-1]}"


_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
_ORDINALS = (
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def cardinal(number: int) -> str:
    """A small number as a word, a large one with its thousands marked off.

    >>> cardinal(5), cardinal(21), cardinal(-3), cardinal(12000)
    ('five', '21', '-3', '12,000')
    """
    return _ONES[number] if 0 <= number < len(_ONES) else f"{number:,}"


def ordinal(number: int) -> str:
    """A place in an order.

    >>> ordinal(2), ordinal(11), ordinal(22)
    ('second', '11th', '22nd')
    """
    if 0 <= number < len(_ORDINALS):
        return _ORDINALS[number]
    teen = 10 <= number % 100 <= 20
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def sentence(text: str, end: str = ".") -> str:
    """Text as a sentence: a capital at the start, one mark at the end.

    >>> sentence("which museums are open", "?"), sentence('name "A."')
    ('Which museums are open?', 'Name "A.".')
    """
    parts = re.split(r'("[^"]*")', text)  # values stay as they are
    parts[::2] = [re.sub(r"\s+", " ", part) for part in parts[::2]]
    joined = "".join(parts).strip()
    parts = re.split(r'("[^"]*")', joined)
    parts[::2] = [re.sub(r" ([,.;?])", r"\1", part) for part in parts[::2]]
    text = "".join(parts)
    return f"{text[:1].upper()}{text[1:]}{end}"
