"""Constants in texts of queries, and what a question says of them, replaced.

Queries are read as far as quotes and comments go: `'…'` and `"…"` in SQL (a quote in it is
doubled), and in Cypher (a quote in it follows a backslash). Comments go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pipelines.pseudonyms.columns import is_time
from pipelines.pseudonyms.words import Pseudonyms

type Quoting = Literal["sql", "cypher"]

_FORMAT = re.compile(r"[\s:/.,T-]*(%-?[A-Za-z][\s:/.,T-]*)+")
_UNITS = frozenset(
    ("second", "minute", "hour", "day", "week", "month", "quarter", "year", "epoch", "now")
)
_LONG = 8  # characters from which an original is replaced wherever it stands
_TOKENS = {
    "sql": re.compile(
        r"(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<text>'(?:[^']|'')*')|(?P<other>\"(?:[^\"]|\"\")*\")"
        r"|(?P<name>`[^`]*`|\[[A-Za-z_][^\]\n]*\])|(?P<number>(?<![\w.])\d{4,}(?![\w.]))",
        re.DOTALL,
    ),
    "cypher": re.compile(
        r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
        r"|(?P<name>`[^`]*`)|(?P<number>(?<![\w.])\d{4,}(?![\w.]))",
        re.DOTALL,
    ),
}


@dataclass(frozen=True, slots=True)
class Replaced:
    """A query without originals, and the constants that were replaced in it."""

    text: str
    constants: tuple[str, ...]


def replaced_query(
    text: str, quoting: Quoting, made: Pseudonyms, names: frozenset[str]
) -> Replaced:
    """A query with its constants replaced; `names` (of tables and columns, in small letters) in
    double quotes are no constants of SQL."""
    constants: list[str] = []

    def one(match: re.Match[str]) -> str:
        kind, whole = match.lastgroup, match[0]
        if kind == "comment":
            return " "
        if kind == "name" or (kind == "other" and whole[1:-1].lower() in names):
            return whole
        if kind == "number":
            number = made.numbers.get(int(whole))
            if number is None:
                return whole
            constants.append(whole)
            return str(number)
        value = _unquoted(whole, quoting)
        new = replaced_constant(value, made)
        if new == value:
            return whole
        constants.append(value)
        return _quoted(new, whole[0], quoting)

    return Replaced(_TOKENS[quoting].sub(one, text), tuple(dict.fromkeys(constants)))


def replaced_constant(value: str, made: Pseudonyms) -> str:
    """A constant: an original as a whole, else the words that are known of a piece of one; formats
    and units of time stay."""
    if made.knows(value):
        return made.text(value)
    if _FORMAT.fullmatch(value) or value.lower() in _UNITS or is_time(value):
        return value
    bare = value.strip("%_*. ")
    if made.knows(bare) and bare:
        return value.replace(bare, made.text(bare))
    return made.fragment(value)


def replaced_prose(text: str, constants: Iterable[str], made: Pseudonyms, long: LongTexts) -> str:
    """A question or note without the constants of its query, long originals and quoted ones."""
    for constant in sorted(constants, key=lambda each: (-len(each), each)):
        bare = constant.strip("%_*. ")
        text = _mention(bare).sub(lambda match: _stand_in(match[0], made), text)
    text = re.sub(
        r"(['\"“‘])([^'\"“”‘’]+)(['\"”’])",
        lambda match: f"{match[1]}{replaced_constant(match[2], made)}{match[3]}",
        text,
    )
    return long.replaced(text)


def says(text: str, constant: str) -> bool:
    """Whether a question says a constant of its query, whatever its capitals.

    >>> says("Who lives in oslo?", "Oslo"), says("Who is Norwegian?", "Norway")
    (True, False)
    """
    bare = constant.strip("%_*. ")
    return bool(_mention(bare).search(text)) if bare else True


class LongTexts:
    """Originals of eight characters and more, found wherever they stand in a text."""

    def __init__(self, made: Pseudonyms) -> None:
        self._made = made
        self._by_start: dict[str, list[str]] = {}
        for text in made.texts:
            if len(text) >= _LONG:
                self._by_start.setdefault(text[:_LONG], []).append(text)
        for group in self._by_start.values():
            group.sort(key=lambda each: (-len(each), each))

    def at(self, text: str) -> list[tuple[int, str]]:
        """The originals in a text with their places, the longest first; none overlaps another."""
        places, place, last = [], 0, len(text) - _LONG
        while place <= last:
            for each in self._by_start.get(text[place : place + _LONG], ()):
                if text.startswith(each, place):
                    places.append((place, each))
                    place += len(each) - 1
                    break
            place += 1
        return places

    def replaced(self, text: str) -> str:
        """The text with all of them replaced."""
        for place, each in reversed(self.at(text)):
            text = text[:place] + self._made.text(each) + text[place + len(each) :]
        return text


def _mention(constant: str) -> re.Pattern[str]:
    before = r"(?<!\w)" if constant[:1].isalnum() else ""
    after = r"(?!\w)" if constant[-1:].isalnum() else ""
    return re.compile(before + re.escape(constant) + after, re.IGNORECASE)


def _stand_in(text: str, made: Pseudonyms) -> str:
    if text.isdecimal() and int(text) in made.numbers:
        return str(made.numbers[int(text)])
    return replaced_constant(text, made)


def _unquoted(text: str, quoting: Quoting) -> str:
    inner = text[1:-1]
    if quoting == "sql":
        return inner.replace(text[0] * 2, text[0])
    return re.sub(r"\\(.)", r"\1", inner, flags=re.DOTALL)


def _quoted(text: str, quote: str, quoting: Quoting) -> str:
    if quoting == "sql":
        return quote + text.replace(quote, quote * 2) + quote
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote
