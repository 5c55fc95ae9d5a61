"""What the values of a column look like: hours, days in digits, labels, fillers, long texts."""

from __future__ import annotations

import re

from generators.questions.lexicon.derive.data import territories
from generators.questions.lexicon.derive.upkeep import is_digit_day
from schemagraph.folder.statistics import PropertyStatistics

_FILLER = re.compile(r"\b(?:lorem|ipsum|dolor|quia|voluptat\w*|asdf|foo|bar)\b", re.IGNORECASE)
_HOUR = re.compile(r"\d{1,2}")
_LABEL = re.compile(r"[A-Z]{1,6}\d{0,2}[-/ ]\d{1,6}(?:[-/]\d{1,6})?")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?|\d{1,3}/\d{1,3}")
_LONG = 60  # characters above which texts are descriptions


def are_labels(figures: PropertyStatistics) -> bool:
    """Whether texts are written so that people say them, and each only once: PIP-527, S20-0001.

    >>> are_labels(PropertyStatistics(2, 0, 2, sample=("PIP-527", "LDG-434")))
    True
    >>> are_labels(PropertyStatistics(2, 0, 2, sample=("9f86d081", "60303ae2")))
    False
    """
    texts = [str(value) for value in figures.sample]
    alike = bool(texts) and all(map(_LABEL.fullmatch, texts))
    return alike and figures.distinct == figures.count


def are_numbers(figures: PropertyStatistics) -> bool:
    """Whether most texts are numbers."""
    texts = [value for value, _ in figures.common if isinstance(value, str)]
    numbers = sum(bool(_NUMBER.fullmatch(text.strip())) for text in texts)
    return len(texts) > 1 and numbers > 0.8 * len(texts)


def are_digit_days(figures: PropertyStatistics) -> bool:
    """Whether days and moments are kept as digits alone: 20110930."""
    values = [value for value, _ in figures.common]
    return bool(values) and all(is_digit_day(value) for value in values)


def are_hours(figures: PropertyStatistics) -> bool:
    """Whether times are kept as bare numbers, of which nobody knows what they count."""
    texts = [f"{value}" for value, _ in figures.common]
    return bool(texts) and all(_HOUR.fullmatch(text.strip()) for text in texts)


def are_territories(figures: PropertyStatistics) -> bool:
    """Whether values are names of countries, not of nationalities."""
    texts = {value for value, _ in figures.common if isinstance(value, str)}
    return bool(texts) and 2 * len(texts & territories()) >= len(texts)


def is_filler(figures: PropertyStatistics) -> bool:
    """Whether most texts say nothing, as those of generated data."""
    texts = [value for value, _ in figures.common if isinstance(value, str)]
    return bool(texts) and sum(bool(_FILLER.search(t)) for t in texts) > len(texts) / 2


def is_long(figures: PropertyStatistics) -> bool:
    """Whether texts are descriptions."""
    texts = [value for value in figures.sample if isinstance(value, str)]
    return bool(texts) and sum(map(len, texts)) / len(texts) > _LONG
