"""Forms of English verbs, found from whichever form a name holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lemminflect import getAllLemmas

from graphmill.english.lists import word_lines, word_map, word_set
from graphmill.english.names import singular


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb in all the forms that a question needs."""

    base: str
    past: str
    participle: str

    @property
    def third(self) -> str:
        """Third person singular: reports, passes, flies."""
        special = {"be": "is", "have": "has", "do": "does", "go": "goes"}
        if self.base in special:
            return special[self.base]
        if self.base.endswith("y") and self.base[-2] not in "aeiou":
            return self.base[:-1] + "ies"
        return self.base + ("es" if self.base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")

    @property
    def gerund(self) -> str:
        """The -ing form: reporting, making, stopping."""
        if self.base.endswith("ie"):
            return self.base[:-2] + "ying"
        if (
            self.base.endswith("e")
            and not self.base.endswith(("ee", "oe", "ye"))
            and (len(self.base) > 2)
        ):
            return self.base[:-1] + "ing"
        doubled = self.past.removesuffix("ed")
        if self.past.endswith("ed") and doubled == self.base + self.base[-1]:
            return doubled + "ing"
        return self.base + (self.base[-1] if self.base in _DOUBLING else "") + "ing"

    @property
    def event(self) -> str:
        """What happens, as a noun.

        >>> [by_past(word).event for word in ("completed", "produced", "inspected", "hired")]
        ['completion', 'production', 'inspection', 'hiring']
        """
        if " " in self.base:
            return self.base.replace(" ", "-")  # pick-up
        events = word_map("happenings")
        known = events.get(self.base) or events.get(f"{self.base}e")  # completed: complet
        if known:
            return known
        for ending, noun in _EVENTS:
            if self.base.endswith(ending) and len(self.base) > len(ending) + 1:
                return self.base.removesuffix(ending) + noun
        done = self.base in word_set("also_nouns") and self.base not in word_set("no_deeds")
        return self.base if done else self.gerund  # request

    @property
    def agent(self) -> str:
        """Who does it: director, writer, publisher."""
        if self.base.endswith("ate"):
            return f"{self.base[:-1]}or"
        if self.base.endswith(("ct", "dit", "vent", "ibute")):
            return f"{self.base.removesuffix('e')}or"
        return self.gerund.removesuffix("ing") + "er"

    @property
    def intransitive(self) -> bool:
        """Whether the verb has no passive."""
        return self.base in word_set("intransitive")

    @property
    def active(self) -> bool:
        """Whether the past form before a preposition is active: "acted in", "played for"."""
        return self.intransitive or self.base in word_set("either_way")


_EVENTS = (
    *(("duce", "duction"), ("ect", "ection"), ("ify", "ification"), ("ize", "ization")),
    *(("solve", "solution"), ("cribe", "cription"), ("ate", "ation"), ("clude", "clusion")),
)
_DOUBLING = frozenset({"begin", "get", "hit", "let", "put", "run", "set", "sit", "split", "win"})


def _regular(base: str) -> Verb:
    if base.endswith("e"):
        past = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = base[:-1] + "ied"
    else:
        past = base + "ed"
    return Verb(base, past, past)


@cache
def _forms() -> tuple[dict[str, Verb], dict[str, Verb], dict[str, Verb]]:
    """Verbs by base form, by third person, and by past form or participle."""
    verbs = [Verb(*line) for line in word_lines("irregular_verbs")]
    irregular = {verb.base for verb in verbs}
    verbs += [_regular(base) for base in sorted(word_set("verbs")) if base not in irregular]
    bases = {verb.base: verb for verb in verbs}
    thirds = {verb.third: verb for verb in verbs}
    pasts = {form: verb for verb in verbs for form in (verb.past, verb.participle)}
    return bases, thirds, pasts


def by_base(word: str) -> Verb | None:
    """The verb with this base form, where it is known."""
    return _forms()[0].get(word)


def by_third(word: str) -> Verb | None:
    """The verb whose third person singular this is, where it is known.

    >>> by_third("follows").base, by_third("genres")
    ('follow', None)
    """
    return _forms()[1].get(word)


def by_past(word: str) -> Verb | None:
    """The verb whose past form or participle this is; any word in -ed is taken for one.

    >>> by_past("written").base, by_past("acted").base, by_past("museum")
    ('write', 'act', None)
    >>> by_past("deposited").base, by_past("invited").base, by_past("transcribed").base
    ('deposit', 'invite', 'transcribe')
    >>> by_past("associated").base, by_past("processed").base, by_past("settled").base
    ('associate', 'process', 'settle')
    >>> by_past("ringed").base, by_past("ranged").base
    ('ring', 'range')
    >>> by_past("bleed"), by_past("steed"), by_past("succeed"), by_past("guaranteed").base
    (None, None, None, 'guarantee')
    >>> by_past("zapped").gerund, by_past("delivered").gerund, by_past("hired").gerund
    ('zapping', 'delivering', 'hiring')
    """
    known = _forms()[2].get(word)
    if known or not word.endswith("ed") or len(word) < 5 or word in _NOT_PAST:
        return known
    if word.endswith("eed") and {word} == {*getAllLemmas(word).get("VERB", (word,))}:
        return None  # bleed, succeed, steed
    stem = word.removesuffix("ed")
    if stem in word_set("also_nouns") or stem.endswith(("dit", "sit", "bit", "fit", "mit")):
        return Verb(stem, word, word)  # deposited
    if stem.endswith("e"):
        return Verb(f"{stem}e", word, word)  # agreed
    if stem.endswith("i"):
        return Verb(stem[:-1] + "y", word, word)
    if stem[-1] == stem[-2] and stem[-1] not in "sl":
        return Verb(stem[:-1], word, word)
    if stem.endswith("ng") and {"NOUN", "ADJ"} & getAllLemmas(stem).keys():
        return Verb(stem, word, word)  # ringed, and not as changed
    silent = (
        stem.endswith(("c", "g", "s", "u", "v", "z", "iat", "ttl", "crib")) and stem[-2:] != "ss"
    )
    silent = silent or (
        stem[-1] in "rtdnlk" and stem[-2] in "aiou" and stem[-3:-2] not in tuple("aeiou")
    )
    return Verb(stem + "e" if silent else stem, word, word)


def supposed(word: str) -> Verb | None:
    """The verb of which a word in -s would be the third person singular.

    >>> supposed("flows").base, supposed("drains").gerund, supposed("flow")
    ('flow', 'draining', None)
    """
    base = singular(word)
    if base == word or not word.endswith("s"):
        return None
    return by_base(base) or _regular(base)


_NOT_PAST = frozenset({"breed", "exceed", "feed", "hundred", "need", "proceed", "seed", "speed"})
