"""How the texts of a column are written: which of them a graph reads as SQLite does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any
from unicodedata import normalize

from schemagraph.mapping import TextForm
from schemagraph.model import Kind
from schemagraph.storage_classes import Lane, Lanes
from schemagraph.temporal import Format, prints_exactly

_NUMBERS = {
    TextForm.INTEGER: r"^(0|-?[1-9][0-9]{0,14})$",
    TextForm.DECIMAL: r"^-?[0-9]{1,15}(\.[0-9]{1,15})?$",
}
# Text out of which neither SQLite nor a graph reads a number: it does not begin like one.
_WORD = r"^([^-+.0-9 \t\n\r\f\v](?s:.)*)?$"
_NUMBER_WORD = r"^(?i)(inf|infinity|nan)$"
_MOMENTS = {
    TextForm.DATE: (Kind.DATE, "^[-0-9]{10}$", Format()),
    TextForm.DATETIME: (Kind.DATETIME, "^[-0-9]{10} [:0-9]{8}$", Format(" ", 0)),
    TextForm.TIME: (Kind.TIME, "^[:0-9]{8}$", Format(digits=0)),
}


class Blanks(StrEnum):
    """What decides whether texts compare alike with blanks at the end and without."""

    EMPTY = "empty"  # a text of no character, behind which what comes before is the end
    SOME = "some"  # a blank, wherever it stands
    END = "end"  # a blank at the end
    CONTROL = "control"  # a character that sorts before a blank


_BLANKS = {
    Blanks.EMPTY: r"\A\z",
    Blanks.SOME: " ",
    Blanks.END: r" \z",
    Blanks.CONTROL: r"[\x00-\x1f]",
}


def blanks(texts: Any) -> set[Blanks]:
    """What of `Blanks` occurs in an array of texts."""
    import pyarrow.compute as pc

    matches = {each: pc.match_substring_regex(texts, form) for each, form in _BLANKS.items()}
    return {each for each, match in matches.items() if pc.any(match).as_py()}


class Casing(StrEnum):
    """Which letters of ASCII are capital, so that of texts that differ in case alone one has it.

    What comes before a letter decides: of two texts of one casing, the first difference is none of
    case, so that they are in the same order with their case and without it.
    """

    LOWER = "lower"
    UPPER = "upper"
    TITLE = "title"  # those that begin a word, which other characters end than `'`
    SENTENCE = "sentence"  # the first character of a text


_OTHERWISE = {  # what no text of a casing has
    Casing.LOWER: "[A-Z]",
    Casing.UPPER: "[a-z]",
    Casing.TITLE: r"(\A|[^A-Za-z0-9'])[a-z]|[A-Za-z0-9'][A-Z]",
    Casing.SENTENCE: r"\A[a-z]|(?s:.)[A-Z]",
}
_WORD_START = re.compile(r"(?<![A-Za-z0-9'])[a-z]")
_SPACES = "\t\n\v\f\r"
# Characters of ASCII but letters and digits; other control characters many collations ignore.
SIGNS = frozenset(_SPACES + "".join(s for s in map(chr, range(0x20, 0x7F)) if not s.isalnum()))


@cache
def accented() -> Mapping[str, str]:
    """Latin letters that Unicode makes of one of ASCII and marks, each with that: `é`, `Ç`, `ế`."""
    letters = {}
    for letter in map(chr, (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))):
        parts = normalize("NFD", letter)
        base = parts[0]
        cases = {letter.lower().upper(), letter.upper()}, {letter.upper().lower(), letter.lower()}
        by_letter = all(len(case) == 1 and len(case.pop()) == 1 for case in cases)
        if base.isascii() and base.isalpha() and by_letter:
            letters[letter] = base
    return letters


def cased(word: str, casing: Casing) -> str:
    """A text of ASCII in a casing.

    >>> [cased("o'HARA-smith 2nd", casing) for casing in Casing]
    ["o'hara-smith 2nd", "O'HARA-SMITH 2ND", "O'hara-Smith 2nd", "O'hara-smith 2nd"]
    """
    match casing:
        case Casing.UPPER:
            return word.upper()
        case Casing.TITLE:
            return _WORD_START.sub(lambda letter: letter[0].upper(), word.lower())
        case Casing.SENTENCE:
            return word[:1].upper() + word[1:].lower()
        case _:
            return word.lower()


@dataclass(frozen=True, slots=True)
class Spelling:
    """Of texts of ASCII and `accented` letters: the `signs`, which are all of their characters but
    letters and digits of ASCII, sorted, and the casings that all have, where all are ASCII; `signs`
    is None where there are other characters."""

    signs: str | None = ""
    casings: frozenset[Casing] = frozenset(Casing)

    def __or__(self, other: Spelling) -> Spelling:
        if self.signs is None or other.signs is None:
            return UNKNOWN_SPELLING
        signs = "".join(sorted({*self.signs, *other.signs}))
        return Spelling(signs, self.casings & other.casings)


NO_TEXT = Spelling()
UNKNOWN_SPELLING = Spelling(None, frozenset())


def spelling(texts: Any) -> Spelling:
    """How an array of texts is spelled."""
    import pyarrow.compute as pc

    letters = "".join(accented())
    plain = pc.match_substring_regex(texts, rf"\A[{_SPACES}\x20-\x7e{letters}]*\z")
    if not pc.all(plain).as_py():
        return UNKNOWN_SPELLING
    others = {casing: pc.match_substring_regex(texts, form) for casing, form in _OTHERWISE.items()}
    casings = frozenset(each for each, match in others.items() if not pc.any(match).as_py())
    signs: set[str] = set()
    while len(texts):  # of each round the first text has a sign that none had before
        left = "".join(f"\\x{{{ord(sign):x}}}" for sign in sorted(SIGNS.union(letters) - signs))
        texts = texts.filter(pc.match_substring_regex(texts, f"[{left}]"))
        signs |= SIGNS.union(letters).intersection(texts[0].as_py() if len(texts) else "")
    every = "".join(sorted(signs))
    return Spelling(every, casings if every.isascii() else frozenset())


def of_word(word: object) -> Spelling:
    """How one text is spelled.

    >>> of_word("Ann Lee").signs, sorted(of_word("Ann Lee").casings)
    (' ', [<Casing.TITLE: 'title'>])
    """
    letters = set(word) if isinstance(word, str) else {""}
    signs = {letter for letter in letters if not (letter.isascii() and letter.isalnum())}
    if not isinstance(word, str) or not signs <= SIGNS.union(accented()):
        return UNKNOWN_SPELLING
    casings = (each for each in Casing if word.isascii() and cased(word, each) == word)
    return Spelling("".join(sorted(signs)), frozenset(casings))


@cache
def special_casing() -> frozenset[str]:
    """Letters beyond ASCII whose case is no letter for a letter, or ASCII: `ß`, `İ`, `ſ`, `Σ`, `ﬁ`.

    Unicode's SpecialCasing.txt, and those of UnicodeData.txt that meet ASCII.
    """
    letters = map(chr, range(0x80, 0xFB18))
    return frozenset("Σ").union(
        letter
        for letter in letters
        for cased in (letter.lower(), letter.upper())
        if len(cased) > 1 or cased.isascii()
    )


def special_letters(texts: Any) -> set[str]:
    """Those of `special_casing` that occur in an array of texts."""
    import pyarrow.compute as pc

    special = special_casing()
    matches = pc.match_substring_regex(texts, f"[{''.join(sorted(special))}]")
    cased = texts.filter(matches).to_pylist()
    return {letter for text in cased for letter in text if letter in special}


def candidates(texts: Any) -> list[TextForm]:
    """The forms to try, given some of the texts."""
    import pyarrow.compute as pc

    # words alone are no form: numerals among them make it one
    numerals = pc.match_substring_regex(texts, _NUMBERS[TextForm.DECIMAL])
    words = [TextForm.WORD] if pc.any(numerals).as_py() else []
    return [*_NUMBERS, *_MOMENTS, *words]


def has_form(form: TextForm, texts: Any) -> bool:
    """Whether all texts are written in that form."""
    import pyarrow.compute as pc

    if form is TextForm.WORD:
        decimals = pc.match_substring_regex(texts, _NUMBERS[TextForm.DECIMAL])
        return bool(pc.all(pc.or_(decimals, _words(texts))).as_py())
    if form in _NUMBERS:
        return bool(pc.all(pc.match_substring_regex(texts, pattern=_NUMBERS[form])).as_py())
    kind, pattern, written = _MOMENTS[form]
    matches = pc.match_substring_regex(texts, pattern=pattern)
    return bool(pc.all(matches).as_py()) and prints_exactly(kind, written, texts)


def _words(texts: Any) -> Any:
    import pyarrow.compute as pc

    number_words = pc.match_substring_regex(texts, _NUMBER_WORD)
    return pc.and_(pc.match_substring_regex(texts, _WORD), pc.invert(number_words))


def are_words(cells: Lanes) -> bool:
    """Whether all texts beside numbers are words, and all numbers finite."""
    import pyarrow.compute as pc

    if Lane.REAL in cells and pc.all(pc.is_finite(cells[Lane.REAL])).as_py() is False:
        return False
    return Lane.TEXT not in cells or pc.all(_words(cells[Lane.TEXT])).as_py() is not False
