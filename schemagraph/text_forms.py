"""How the texts of a column are written: which of them a graph reads as SQLite does."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any

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
