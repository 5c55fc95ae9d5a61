"""Which properties of a graph a question can ask for: those that have words which say something."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.lexicon.model import Lexicon, Property, Role
from graphmill.english.lists import word_set

_UNASKED = frozenset({Role.REFERENCE, Role.KEY, Role.CONTACT})


def has_words(words: Property | None) -> bool:
    """Whether a property may be spoken of: it has a noun, and is no key or address."""
    return (
        words is not None and bool(words.noun) and not words.hidden and words.kind not in _UNASKED
    )


def is_vague(words: Property) -> bool:
    """Whether its noun says nothing of its values: details, data, remarks.

    >>> is_vague(Property(noun="remarks")), is_vague(Property(noun="delivery date"))
    (True, False)
    """
    return words.noun.rpartition(" ")[2] in word_set("vague") and not words.values


def count_wordless(whole: Lexicon, sure: Lexicon) -> tuple[int, int]:
    """How many properties that people might ask for have no words, and how many there are."""
    asked = [
        (owner, name)
        for owner, each in whole.properties.items()
        for name, words in each.items()
        if not words.hidden and words.kind not in _UNASKED
    ]
    return sum(sure.property(*place) is None for place in asked), len(asked)


def askable(whole: Lexicon, sure: Lexicon) -> Lexicon:
    """The words of a graph, with all properties hidden that no question could ask for.

    `sure` is the lexicon without what is less sure than a question may be.
    """

    def seen(owner: str, name: str, words: Property) -> Property:
        known = sure.property(owner, name)
        asked = known is not None and has_words(known) and not is_vague(known)
        return words if asked else replace(words, hidden=True)

    properties = {
        owner: {name: seen(owner, name, words) for name, words in each.items()}
        for owner, each in whole.properties.items()
    }
    return replace(whole, properties=properties)
