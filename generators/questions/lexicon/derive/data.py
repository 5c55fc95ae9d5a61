"""The words of `data/lexicon`: kinds of nouns, heads of properties, links, confidence."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from generators.questions.lexicon.model import Phrase, Tense, ThingKind
from graphmill.english.inflection import head_of
from graphmill.english.lists import word_set
from graphmill.english.names import is_agent, singular
from graphmill.files import data_folder


@cache
def table(name: str) -> dict[str, Any]:
    """A file of `data/lexicon`."""
    path = data_folder() / "lexicon" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def territories() -> frozenset[str]:
    """The English names of countries and parts of the world."""
    from babel import Locale  # slow to load, and wanted by those who derive alone

    return frozenset(Locale("en").territories.values()) | {
        *("USA", "UK", "US", "England", "Scotland", "Wales", "Northern Ireland")
    }


@cache
def precision(rule: str) -> float:
    """The measured precision of a class of rule (benchmarks/lexicon.py)."""
    return float(table("confidence")["precision"][rule])


@cache
def _kinds() -> dict[str, ThingKind]:
    entries = table("nouns").items()
    return {
        noun.replace("_", " "): ThingKind(kind) for kind, nouns in entries for noun in nouns.split()
    }


def head_word(noun: str) -> str:
    """The head of a noun phrase: "stop" of "bus stop", "kind" of "kind of wine"."""
    return head_of(noun).rpartition(" ")[2].lower()


def spells(parts: list[str], noun: str) -> bool:
    """Whether the words are a noun itself, in the singular or plural."""
    return [singular(p).lower() for p in parts] == [singular(p).lower() for p in noun.split()]


def kind_of(noun: str) -> tuple[ThingKind, str]:
    """The kind of thing that a noun names, and the class of the rule that says so.

    >>> kind_of("police officer"), kind_of("office")[0].value, kind_of("bookshelf")[0].value
    ((<ThingKind.PERSON: 'person'>, 'kind-noun'), 'place', 'thing')
    """
    low = noun.partition(" of ")[0].lower()
    before, _, last = low.rpartition(" ")
    if before and last in _DONE:
        return kind_of(before)
    for place in range(low.count(" "), -1, -1):
        last = " ".join(low.split(" ")[-place - 1 :])
        if last in _kinds() and place < 2:
            return _kinds()[last], "kind-noun"
    head = head_word(noun)
    for end in ("man", "woman", "person", "wright"):
        if head.endswith(end) and len(head) > len(end) + 1:
            return ThingKind.PERSON, "kind-ending"
    if is_agent(head):
        return ThingKind.PERSON, "kind-ending"
    if head.endswith(("ing", "tion", "sion", "ment")):
        return ThingKind.EVENT, "kind-ending"
    return ThingKind.THING, "kind-unknown"


def is_firm(name: str) -> bool:
    """Whether a name reads as that of an organisation.

    >>> is_firm("Ribble Valley GP Federation"), is_firm("J. Walker & Sons"), is_firm("Ann Lee")
    (True, True, False)
    """
    words = [word.strip(".,").lower() for word in name.split()]
    firms = word_set("abbreviated_names") | word_set("establishments")
    return "&" in words or any(
        _kinds().get(word) is ThingKind.ORGANISATION or word in firms - {"jr", "sr"}
        for word in words[1:]
    )


_DONE = frozenset({"made", "received", "sold", "bought", "paid", "sent", "taken", "held"})


@dataclass(frozen=True, slots=True)
class Head:
    """What a head of properties says; `frames` are parts of a Property."""

    words: frozenset[str]
    of: frozenset[str]
    role: str
    strict: bool
    needs: frozenset[str]
    frames: dict[str, Any]


@cache
def heads() -> tuple[Head, ...]:
    """The entries of `heads.toml`, in its order."""
    entries = []
    for raw in table("heads")["head"]:
        entry = dict(raw)
        words, of = entry.pop("words").split(), entry.pop("of", "").split()
        role, strict = entry.pop("role"), entry.pop("strict", False)
        needs = entry.pop("needs", "").split()
        entry.pop("numeric", None)
        entries.append(Head(frozenset(words), frozenset(of), role, strict, frozenset(needs), entry))
    return tuple(entries)


@cache
def plain_words() -> frozenset[str]:
    """What may stand before a head without changing what it is about."""
    return frozenset(table("heads")["plain"].split())


def phrase(text: str) -> Phrase | None:
    """A phrase of `links.toml`: `-` before it is past, the last words are its particle.

    >>> phrase("-take part in")
    Phrase(verb='take', be='', noun='', particle='part in', tense=<Tense.PAST: 'past'>)
    >>> phrase("be taught by").be, phrase("be from").particle, phrase("be")
    ('taught', 'from', None)
    """
    tense = Tense.PAST if text.startswith("-") else Tense.PRESENT
    first, _, rest = text.removeprefix("-").partition(" ")
    if first != "be":
        return Phrase(verb=first, particle=rest, tense=tense)
    if not rest:
        return None
    be, _, particle = rest.rpartition(" ")
    if not be and not _is_preposition(particle):
        return Phrase(be=particle, tense=tense)
    if be and not _is_preposition(particle):
        return Phrase(be=rest, tense=tense)
    return Phrase(be=be, particle=particle, tense=tense)


def listed_pair(
    source: str, target: str, kind: str = ""
) -> tuple[Phrase | None, Phrase | None] | None:
    """What `links.toml` has for two nouns, or of a `kind`: said by the first, and by the second.

    >>> listed_pair("bank employee", "department")[0].particle, listed_pair("x", "y")
    ('in', None)
    >>> listed_pair("guest", "section", "person")[0].verb
    'belong'
    """
    pairs = table("links")["pairs"]
    for one in shorter_nouns(source):
        for other in shorter_nouns(target):
            there, back = pairs.get(f"{one} > {other}"), pairs.get(f"{other} > {one}")
            if there or back:
                return phrase(there) if there else None, phrase(back) if back else None
    anybody = table("links")["anybody"]
    for other in shorter_nouns(target):
        if f"{kind} > {other}" in anybody:
            return phrase(anybody[f"{kind} > {other}"]), None
    return None


def shorter_nouns(noun: str) -> list[str]:
    """A noun, its last two words, its last."""
    words = noun.lower().partition(" of ")[0].split()
    return list(dict.fromkeys(" ".join(words[-n:]) for n in (len(words), 2, 1)))


def _is_preposition(word: str) -> bool:
    return word in word_set("prepositions") or word == "as" or word == "by"
