"""Made-up texts for the texts of a database: the same for the same, and none that was there.

A text is replaced word by word. A word has one made-up word wherever it stands, as long and with
the same capitals, so that keys, joins, groups and lengths stay as they are and parts of texts are
found as before. Blanks and punctuation stay; numbers in texts of three digits and more become other
digits. A text of punctuation alone becomes a word. What comes out depends on all texts together:
who lacks them cannot guess a word and make its pseudonym.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from graphmill.files import digest
from graphmill.seed import rng

_PART = re.compile(r"[^\W\d_]+|\d+")
_DIGITS = 3  # shorter numbers in texts stay: of them there are too few to hide anything
_CONSONANTS, _VOWELS = "bdfghklmnprstvwz", "aeiou"
_HAN = "安柏川岱恩枫歌海嘉凯岚铭宁沛青荣舒棠薇溪雅泽珂墨远"
_NEVER = frozenset(("null", "true", "false", "none", "nan", "inf", "and", "not", "in", "or", "is"))
_TRIES = 60


class Pseudonyms:
    """What stands for each text of `originals`, and for each of `numbers` (natural keys).

    `reserved` are names that no made-up word may be (those of the schema). `texts` and `numbers`
    map originals to pseudonyms.

    >>> made = Pseudonyms(["Ada Berg", "Berg", "ADA"], seed=1)
    >>> made.texts["Ada Berg"].split()[1] == made.texts["Berg"]
    True
    >>> made.texts["ADA"] == made.texts["Ada Berg"].split()[0].upper()
    True
    """

    def __init__(
        self,
        originals: Iterable[str],
        numbers: Iterable[int] = (),
        reserved: Iterable[str] = (),
        *,
        seed: int,
    ) -> None:
        known = sorted({text for text in originals if text.strip()})
        whole = sorted(set(numbers))
        self._random = rng(seed, "pseudonyms", digest(known, whole))
        vocabulary = sorted({part.lower() for text in known for part in _PART.findall(text)})
        self._taken = {*vocabulary, *_NEVER}
        for name in reserved:
            self._taken.update(part.lower() for part in _PART.findall(name))
        self.words = {
            word: self._made(word)
            for word in vocabulary
            if not word.isdecimal() or len(word) >= _DIGITS
        }
        there = set(known)
        self.texts: dict[str, str] = {}
        used: set[str] = set()
        for text in known:
            made = self.replaced(text) if _PART.search(text) else self._made("x" * len(text))
            while made in there or made in used:  # nothing of it was long enough to be replaced
                made = _redrawn(text, self._random, len(made) + 1)
            used.add(made)
            self.texts[text] = made
        self.numbers = dict(self._numbers(whole))
        self._lower: dict[str, str] = {}
        for text, made in self.texts.items():
            self._lower.setdefault(text.casefold(), made)

    def text(self, text: str) -> str:
        """What stands for a whole text; one that is no original (but for its capitals) stays."""
        made = self.texts.get(text)
        if made is None and text.casefold() in self._lower:
            made = self.replaced(text)
            return self._lower[text.casefold()] if made == text else made
        return text if made is None else made

    def replaced(self, text: str) -> str:
        """A text with every word that is known replaced."""
        return _PART.sub(self._part, text)

    def knows(self, text: str) -> bool:
        """Whether it is an original that says something, whatever its capitals."""
        return bool(_PART.search(text)) and (text in self.texts or text.casefold() in self._lower)

    def fragment(self, text: str) -> str:
        """A piece that queries look for in texts: its words of three letters and more that are
        known; else it stays as it is."""
        parts = [part for part in _PART.findall(text) if len(part) >= _DIGITS]
        known = [part for part in parts if part.lower() in self.words]
        return self.replaced(text) if known else text

    def to_json(self) -> dict[str, Any]:
        """As it is kept in private: who has it can undo everything."""
        return {
            "texts": self.texts,
            "numbers": {str(number): made for number, made in self.numbers.items()},
        }

    def _part(self, match: re.Match[str]) -> str:
        made = self.words.get(match[0].lower())
        return match[0] if made is None else _capitals(match[0], made)

    def _made(self, word: str) -> str:
        size = len(word)
        while True:
            for _ in range(_TRIES):
                made = _drawn(word, size, self._random)
                if made not in self._taken:
                    self._taken.add(made)
                    return made
            size += 1

    def _numbers(self, whole: list[int]) -> Iterator[tuple[int, int]]:
        taken = set(whole)
        for number in whole:
            digits = len(str(abs(number)))
            while True:
                made = self._random.randrange(10 ** (digits - 1), 10**digits)
                made = -made if number < 0 else made
                if made not in taken:
                    break
                digits = min(digits + (self._random.random() < 1 / _TRIES), 18)
            taken.add(made)
            yield number, made


def _drawn(word: str, size: int, random: Random) -> str:
    """A word of `size` characters of the same kind, in small letters."""
    first = word[0]
    if first.isdecimal():
        return random.choice("123456789") + "".join(random.choices("0123456789", k=size - 1))
    if "\u3400" <= first <= "\u9fff":
        return "".join(random.choices(_HAN, k=size))
    if size < 3:
        return "".join(random.choices(_CONSONANTS + _VOWELS + "cjqxy", k=size))
    start = random.randrange(2)
    return "".join(
        random.choice(_VOWELS if (place + start) % 2 else _CONSONANTS) for place in range(size)
    )


def _capitals(word: str, made: str) -> str:
    """`made` with the capitals of `word`."""
    if word.islower() or word[0].isdecimal():
        return made
    if word.isupper() and len(word) > 1:
        return made.upper()
    if word[0].isupper() and (len(word) == 1 or word[1:].islower() or len(word) != len(made)):
        return made[0].upper() + made[1:]
    if len(word) != len(made):
        return made
    return "".join(m.upper() if w.isupper() else m for w, m in zip(word, made, strict=True))


def _redrawn(text: str, random: Random, size: int) -> str:
    """A text of short numbers alone, with others that may be longer."""
    drawn = "".join(random.choice("0123456789") if each.isdigit() else each for each in text)
    return drawn + "".join(random.choices("0123456789", k=max(0, size - len(text))))
