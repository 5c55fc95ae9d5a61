"""Moments that only the values tell of: years of what was done, days and times kept as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.questions.lexicon.derive.property_words import PropertyWords, surely_done
from graphmill.english.inflection import is_plural
from graphmill.english.lists import word_set
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import Kind

_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")
_FIRST, _LAST = 1500, 2100  # years that people write of what somebody did


def told_kind(figures: PropertyStatistics, kind: Kind) -> Kind | None:
    """What the values of a column are by what they look like: INTEGER where numbers may be years,
    DATE, DATETIME or TIME where texts write them; None where they are nothing of that."""
    if kind is Kind.INTEGER and figures.quantiles:
        low, high = figures.quantiles[0], figures.quantiles[-1]
        return Kind.INTEGER if low >= _FIRST and high <= _LAST else None
    texts = [f"{value}" for value in (*figures.sample, *(value for value, _ in figures.common))]
    if kind is not Kind.STRING or not texts:
        return None
    if all(map(_CLOCK.fullmatch, texts)):
        return Kind.TIME
    if not figures.dated:
        return None
    return Kind.DATE if len(texts[0]) == len("2024-05-01") else Kind.DATETIME


def year_of_done(parts: Sequence[str]) -> PropertyWords | None:
    """The year of what a name says alone that was done, by its words: joined, left.

    >>> year_of_done(["joined"]).noun, year_of_done(["left"]).noun, year_of_done(["pages"])
    ('year of joining', 'year of leaving', None)
    """
    verb = surely_done(parts[0].lower()) if len(parts) == 1 else None
    if verb is None:
        return None
    return PropertyWords(f"year of {verb.event}", Kind.INTEGER, verb=verb, year=True)


def clock_noun(noun: str) -> str:
    """What a column is called whose texts are times of day; "" where they may be how long it took.

    >>> clock_noun("alarm"), clock_noun("opening time"), clock_noun("lap time")
    ('alarm time', 'opening time', '')
    """
    words = noun.lower().split()
    lasting = {*words} & (word_set("lasting") | word_set("spans_of_time"))
    if lasting or is_plural(noun):
        return ""
    return noun if words[-1] == "time" else f"{noun} time"


def is_deed(parts: Sequence[str]) -> bool:
    """Whether the words of a name say that something was done, alone or on or at a moment."""
    first, *rest = (part.lower() for part in parts)
    return surely_done(first) is not None and rest in ([], ["at"], ["on"])
