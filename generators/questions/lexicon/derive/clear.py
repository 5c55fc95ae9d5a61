"""Whether a name says something: words that English has, no letters that only a schema knows."""

from __future__ import annotations

import re
from functools import cache

from generators.questions.lexicon.derive.data import head_word, heads, kind_of
from graphmill.english.inflection import is_done, is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.verbs import by_past, by_third

_MONTHS = frozenset(
    {"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
)  # columns of a table that is laid out by months

_AGAIN = re.compile(r"^(?:de|re|un|dis|mis|pre|over)")
_ONCE_MORE = re.compile(r"\bre-(?=\w)")  # re-entry
_COMMON = ("short_nouns", "acronyms", "adjectives", "prepositions")
_BEFORE_NOUNS = frozenset({"first", "last", "next", "previous"})
_SMALL = frozenset({"a", "i", "of", "the", "in", "per", "km²", "m²", "%"})
_BARE = 2  # letters, up to which no noun is a word
_SHORT = 4  # letters, up to which a word that a dictionary knows may be a clipped one


def is_clear(noun: str) -> bool:
    """Whether all words of a noun phrase are words, and its head no clipped one.

    >>> is_clear("hiring date"), is_clear("PPG value"), is_clear("crtd ts"), is_clear("ISBN")
    (True, False, False, True)
    >>> is_clear("pat"), is_clear("tooth surf"), is_clear("total laps"), is_clear("pat amount")
    (False, False, True, True)
    """
    return _is_common(head_word(noun)) and are_words(noun)


def are_words(text: str) -> bool:
    """Whether all words of a text are words, whatever it is: a noun, a value.

    >>> are_words("tall"), are_words("crtd")
    (True, False)
    """
    parts = _ONCE_MORE.sub("", text).replace("-", " ").replace("/", " ").split()
    return all(_known(word) for word in parts)


def is_deed(participle: str) -> bool:
    """Whether a word says what was done, also again, or undone: a dictionary lists few of those.

    >>> is_deed("deactivated"), is_deed("delisted"), is_deed("xqlted")
    (True, True, False)
    """
    bare = _AGAIN.sub("", participle)
    return are_words(participle) or (len(bare) > _SHORT and are_words(bare))


def is_noun_phrase(noun: str) -> bool:
    """Whether words of English are a noun phrase: their head is a noun, or what was done to many.

    >>> is_noun_phrase("call-out fee"), is_noun_phrase("games played"), is_noun_phrase("amount due")
    (True, True, True)
    >>> is_noun_phrase("bounced"), is_noun_phrase("age first"), is_noun_phrase("has bar")
    (False, False, False)
    """
    first, *rest = noun.partition(" of ")[0].lower().split(" ")
    if rest and by_third(first) is not None and not _is_noun(first):
        return False
    head = head_word(noun)
    if rest and head in _BEFORE_NOUNS:
        return False
    if _is_noun(head):
        return True
    before = rest[-2] if len(rest) > 1 else first
    if rest == [head] and first == "date":
        return is_done(head)  # "date sent"
    counted = before in word_set("sums") or is_plural(before) or _is_noun(before, measured=True)
    return bool(rest) and counted and (by_past(head) is not None or head == "due")


def _is_noun(word: str, *, measured: bool = False) -> bool:
    """Whether a word is a noun as well; `measured`: one of amounts."""
    if any(word in head.words and head.role in _AMOUNTS for head in heads()):
        return True
    if measured:
        return False
    import lemminflect  # slow to load, and wanted by those who derive alone

    known = lemminflect.getAllLemmas(word)
    verbal = known and not known.keys() & {"NOUN", "PROPN"}
    return not verbal or word.endswith("ing") or (word.endswith("s") and not by_third(word))


_AMOUNTS = frozenset({"money", "measure", "count"})


@cache
def _is_common(head: str) -> bool:
    """Whether a head of four letters or less is a common word: dictionaries know "pat" as well."""
    one = singular(head)
    if not (head.isascii() and head.isalpha() and _BARE < len(one) <= _SHORT):
        return True
    if any({head, one} & word_set(words) for words in _COMMON):
        return True
    if head in word_map("units").values() or kind_of(one)[1] == "kind-noun":
        return True
    done = by_past(head) is not None or head in ("due", "each", "own", "left", "no")
    return done or any({head, one} & known.words for known in heads())


@cache
def _known(word: str) -> bool:
    low = word.lower().strip(".,'()")
    if word in word_map("mixed").values():
        return True  # pH
    if low in word_set("acronyms") or low in _SMALL:
        return True
    if low.isdigit():
        return True
    if low in _MONTHS:
        return False
    if len(low) < 3 or not low.isalpha():
        return low in ("at", "by", "cm", "id", "is", "kg", "km", "mm", "no", "on", "or", "to", "up")
    if low in word_map("units").values() or kind_of(low)[1] == "kind-noun":
        return True
    if any(low in head.words for head in heads()):
        return True
    if word.isupper():
        return False
    import lemminflect  # slow to load, and wanted by those who derive alone

    return bool(lemminflect.getAllLemmas(low))


def shortens(short: str, noun: str) -> bool:
    """Whether a word is its noun with letters left out.

    >>> shortens("cust", "customer"), shortens("trdr", "trader"), shortens("panel op", "person")
    (True, True, False)
    """
    letters = iter(noun.lower())
    return short[:1] == noun[:1].lower() and all(c in letters for c in short if c.isalpha())
