"""Whether a name says something: words that English has, no letters that only a schema knows."""

from __future__ import annotations

from functools import cache

from generators.questions.lexicon.derive.data import heads, kind_of
from graphmill.english.lists import word_map, word_set

_MONTHS = frozenset(
    {"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
)  # columns of a table that is laid out by months


def is_clear(noun: str) -> bool:
    """Whether all words of a noun phrase are words.

    >>> is_clear("hiring date"), is_clear("PPG value"), is_clear("crtd ts"), is_clear("ISBN")
    (True, False, False, True)
    """
    return all(_known(word) for word in noun.replace("-", " ").replace("/", " ").split())


@cache
def _known(word: str) -> bool:
    low = word.lower().strip(".,'()")
    if low in word_set("acronyms") or low in ("a", "i", "of", "in", "per", "km²", "m²", "%"):
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
