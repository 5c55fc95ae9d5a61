"""What sort of thing a number is: told by its name, its type and its values.

A number that tells things apart, refers to one or stands for a category is no amount: a question
for its average means nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum, auto

from graphmill.english.lists import word_set
from graphmill.english.spoken import abbreviates
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import Kind, Property

_SERIAL = ("id", "no", "nbr", "nr", "number", "ssn")  # ends of glued names: `dormid`, `pno`
_COUNTS = ("number", "count", "total")
_EXTENTS = ("area", "count")  # of floors, of pages
_MANY = 20  # so many whole numbers without a gap are no chance


class Sort(Enum):
    """From what says least of a thing to what says most."""

    IDENTIFIER = auto()  # of the thing or of another one
    CODE = auto()  # a category or a place in numbers: zip codes, rooms
    ORDER = auto()  # years, ranks, coordinates: more and less, but no amount of anything
    MEAN = auto()  # an amount of which an average means something, and a sum does not
    SUM = auto()


def sort_of_number(
    prop: Property,
    words: Sequence[str],
    figures: PropertyStatistics,
    labels: Collection[str],
    others: Collection[str],
) -> Sort:
    """The sort of a number whose name has these words, in lower case.

    `labels` are the nouns of all nodes, `others` those of the nodes that do not have it.
    """
    last, alone = words[-1], len(words) == 1
    things = {*others, *word_set("people")} - word_set("crowds")
    named = alone and last in things and 0 not in figures.sample
    if _is_whole(prop, figures) and (named or _is_glued(last, labels)):
        return Sort.IDENTIFIER
    if words[0] not in _COUNTS and (last in word_set("codes") or last in word_set("contact")):
        return Sort.CODE
    placed = bool(word_set("no_amounts") & set(words)) and not ({"per", *_EXTENTS} & set(words))
    ordered = placed or last in word_set("serial") | word_set("ordinals")
    coordinate = alone and (len(last) == 1 or last == "long")
    if ordered or coordinate or _are_years(figures) or _is_count_up(prop, figures):
        return Sort.ORDER
    return Sort.MEAN if word_set("no_sums") & set(words) else Sort.SUM


def _is_whole(prop: Property, figures: PropertyStatistics) -> bool:
    return prop.type.kind is Kind.INTEGER or all(float(v).is_integer() for v in figures.sample)


def _is_glued(word: str, labels: Collection[str]) -> bool:
    """Whether the word is a short form of a node's noun and `id` or `no`."""
    if word in word_set("no_ids"):
        return False
    for end in _SERIAL:
        short = word.removesuffix(end)
        if short not in (word, "") and any(
            abbreviates(short, part) for label in labels for part in label.split()
        ):
            return True
    return False


def _are_years(figures: PropertyStatistics) -> bool:
    """Whether the values are years, nearly all of the last centuries."""
    values = figures.sample
    late = sum(value >= 1700 for value in values)
    whole = all(value == int(value) and 1000 <= value <= 2100 for value in values)
    return whole and late >= 0.9 * len(values)


def _is_count_up(prop: Property, figures: PropertyStatistics) -> bool:
    """Whether the values are whole numbers, each once, without gaps."""
    if prop.type.kind is not Kind.INTEGER or not figures.quantiles or figures.distinct < _MANY:
        return False
    width = figures.quantiles[-1] - figures.quantiles[0] + 1
    return figures.distinct == figures.count and width <= 1.1 * figures.count
