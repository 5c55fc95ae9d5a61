"""Figures that nobody asks for, and what nobody groups them by: rules in the order they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generators.questions.author import NoWording
from generators.questions.goals.model import Ask, Column, Either, Figure, Relation, Test, Year
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Lexicon,
    Property,
    Role,
    ThingKind,
)
from generators.questions.realise.pieces import AVERAGES, EXTREME, NTH, SORTED
from graphmill.english.inflection import plural

_SOLD = frozenset(
    {ThingKind.TRANSACTION, ThingKind.RECORD, ThingKind.DOCUMENT, ThingKind.EVENT}
)  # what has a price of its own each time
_NUMBERED = QUANTITIES | MOMENTS | {Role.YEAR, Role.RANK, Role.RATING}
_WRITTEN = frozenset(
    [
        "body",
        "comment",
        "description",
        "forename",
        "message",
        "name",
        "note",
        "notes",
        "remark",
        "remarks",
        "surname",
        "text",
        "title",
    ]
)
_QUANTITIES = frozenset({"quantity", "units", "items", "pieces"})
_RANGES = frozenset({"<", "<=", ">", ">=", "=", "between"})
_TYPICAL = frozenset({"bottom", "mean", "median", "normal", "typical", "usual"})
_FIGURES = frozenset({"total", "average", "highest", "lowest", "latest", "earliest"})


def _bounds(test: Test | Either, key: str) -> bool:
    """Whether nobody asks for a figure: the average price of books between 10 and 20 euros."""
    return isinstance(test, Test) and test.key == key and test.op in _RANGES


@dataclass(frozen=True, slots=True)
class _Measured:
    """A figure with the words of its property, the kind of what has it, None where unknown, and
    the words of all properties of that."""

    figure: Figure
    words: Property
    kind: ThingKind | None
    beside: tuple[Property, ...] = ()


def _is_not_added(of: _Measured) -> bool:
    how, words = of.figure.how, of.words
    return (how == "sum" and not words.sums) or (how == "avg" and not words.averages)


def _is_bounded(of: _Measured) -> bool:
    return of.figure.how != "sum" and any(_bounds(t, of.figure.key) for t in of.figure.thing.tests)


def _is_birth(of: _Measured) -> bool:
    born = of.words.noun.startswith(("birth ", "date of birth", "year of birth"))
    return born and of.figure.how in ("min", "max")


def _is_sum_of_prices(of: _Measured) -> bool:
    kept = of.kind is not None and of.kind not in _SOLD
    return of.figure.how == "sum" and kept and of.words.noun.rpartition(" ")[2] == "price"


def _is_sum_of_measures(of: _Measured) -> bool:
    weighed = of.kind in (ThingKind.PERSON, ThingKind.RECORD)
    return of.figure.how == "sum" and weighed and of.words.kind is Role.MEASURE


def _is_extreme_rank(of: _Measured) -> bool:
    return of.words.kind is Role.RANK and of.figure.how in ("min", "max")


def _is_no_amount(of: _Measured) -> bool:
    return of.words.kind not in QUANTITIES | MOMENTS


def _is_unknown(of: _Measured) -> bool:
    how = of.figure.how
    return how not in AVERAGES or (how == "sum" and of.words.kind in MOMENTS)


def _is_unweighed(of: _Measured) -> bool:
    """Whether it is an average of prices per unit, of rows with so many units each."""
    noun = of.words.noun
    _, per, unit = noun.partition(" per ")
    if of.figure.how != "avg" or of.words.kind is not Role.MONEY:
        return False
    if per and any(each.unit == unit for each in of.beside):
        return True
    single = noun.startswith("unit ") or unit in ("unit", "item", "piece")
    quantities = {each.noun.rpartition(" ")[2] for each in of.beside}
    return single and of.kind in _SOLD and not quantities.isdisjoint(_QUANTITIES)


def _is_twice(of: _Measured) -> bool:
    """Whether the noun says such a figure already: "the latest last visit"."""
    first, *_ = parts = of.words.noun.split()
    again = not NTH.isdisjoint(parts) and of.figure.how != "avg"
    bound = of.figure.how == "avg" and first in _TYPICAL
    return first in _FIGURES | EXTREME or again or bound


_MEANINGLESS = "Such a figure means nothing."
# Figures that nobody asks for: when, as what one is refused, and why.
_UNMEASURABLE: tuple[tuple[Callable[[_Measured], bool], str, str], ...] = (
    (_is_not_added, "the {how} of {key}", _MEANINGLESS),
    (_is_bounded, "the {how} of {key}", "It is bounded already."),
    (_is_birth, "the latest birth", "People ask for the youngest."),
    (_is_sum_of_prices, "a sum of prices", "Nobody buys one of each."),
    (_is_sum_of_measures, "a sum of measures", "Nobody puts people on one balance."),
    (_is_extreme_rank, "the highest of ranks", "The highest rank is the lowest number."),
    (_is_no_amount, "the {how} of {key}", _MEANINGLESS),
    (_is_unknown, "the figure {how}", ""),
    (_is_twice, "a figure of a figure", ""),
    (_is_unweighed, "a plain average of prices per unit", "There are more of some than of others."),
)


def see_measurable(figure: Figure, words: Property, lexicon: Lexicon) -> None:
    """See that somebody would ask for a figure of a property.

    Raises:
        NoWording: nobody would.
    """
    thing = lexicon.thing(figure.owner)
    beside = tuple(lexicon.properties.get(figure.owner, {}).values())
    of = _Measured(figure, words, thing.kind if thing is not None else None, beside)
    for applies, construct, reason in _UNMEASURABLE:
        if applies(of):
            raise NoWording(construct.format(how=figure.how, key=figure.key), reason)


@dataclass(frozen=True, slots=True)
class Grouped:
    """What figures are grouped by: the property or moment, its words, and the tests beside it."""

    ask: Ask
    group: Column | Year
    words: Property
    tests: tuple[Test, ...]
    lexicon: Lexicon

    @property
    def chosen(self) -> bool:
        """Whether groups are chosen by their figure: those above a bound, the first so many."""
        return self.ask.bound is not None or (self.ask.top is not None and self.ask.top.count > 0)

    @property
    def head(self) -> str:
        """The last word of the noun of the property."""
        return self.words.noun.rpartition(" ")[2]


def _is_flag(by: Grouped) -> bool:
    return by.words.kind is Role.FLAG


def _are_numbers_chosen(by: Grouped) -> bool:
    return by.chosen and (by.words.kind in _NUMBERED or by.words.noun in ("sex", "gender"))


def _are_sorts_bounded(by: Grouped) -> bool:
    counted = by.ask.bound is not None and not by.ask.figures[0].key
    return counted and by.head in SORTED | {"decision", "measure", "outcome", "result", "unit"}


def _is_clock(by: Grouped) -> bool:
    """Whether it is a time of day, or a unit that something is counted in."""
    clock = isinstance(by.group, Column) and by.words.kind is Role.TIME
    return clock or by.words.noun in ("unit", "unit of measure", "unit of measurement")


def _is_written(by: Grouped) -> bool:
    return by.head in _WRITTEN


def _is_day(by: Grouped) -> bool:
    dated = by.words.kind is Role.DATE or by.words.noun.endswith("date")
    return isinstance(by.group, Column) and dated


def _is_of_several(by: Grouped) -> bool:
    several = by.words.noun in (plural(by.words.noun), "headquarters")
    return isinstance(by.group, Column) and several


def _is_period_in_period(by: Grouped) -> bool:
    """Whether years or months stand beside a condition that leaves a period of another moment."""
    timely = isinstance(by.group, Year) or by.head == "year" or by.words.kind is Role.YEAR
    return timely and any(
        test.key != by.group.key
        and test.op in ("=", "between", "in", "period")
        and (words := by.lexicon.property(test.owner, test.key)) is not None
        and words.kind in MOMENTS
        for test in by.tests
    )


def _is_settled(by: Grouped) -> bool:
    """Whether a test says which value it is, or in which place the places are."""
    tested = [by.lexicon.property(test.owner, test.key) for test in by.tests]
    placed = any(words is not None and words.kind is Role.PLACE for words in tested)
    if by.words.kind is Role.PLACE and placed:
        return True
    return isinstance(by.group, Column) and any(test.key == by.group.key for test in by.tests)


# What nobody groups by: when, as what it is refused, and why.
_UNGROUPED: tuple[tuple[Callable[[Grouped], bool], str, str], ...] = (
    (_is_flag, "groups by a yes or no", ""),
    (_are_numbers_chosen, "numbers or sexes by how many there are", ""),
    (_are_sorts_bounded, "sorts by how many there are", ""),
    (_is_clock, "groups by a time of day or a unit", ""),
    (_is_written, "groups by a description", ""),
    (_is_day, "groups by a day", "People ask for each month or year."),
    (_is_of_several, "groups by a plural", "Nobody says what each of several is."),
    (_is_period_in_period, "years within a period", "For each year, the visits of 2024?"),
    (_is_settled, "groups by what is settled already", ""),
)


def see_groups(by: Grouped) -> None:
    """See that somebody would group figures so.

    Raises:
        NoWording: nobody would.
    """
    for applies, construct, reason in _UNGROUPED:
        if applies(by):
            raise NoWording(construct, reason)


_STOCKED = frozenset({ThingKind.CATEGORY, ThingKind.PRODUCT, ThingKind.THING})
_EDGE = 3  # parts of a path along one edge


def refuse_catalogue(relation: Relation, lexicon: Lexicon) -> None:
    """See that what is counted does not happen with many of a catalogue at once: appointments, each
    with several bottles of ink.

    Raises:
        NoWording: it does.
    """
    here, there = (lexicon.thing(t) for t in (relation.along[0], relation.other.type))
    path = lexicon.path(relation.along)
    single = len(relation.along) == _EDGE and path is not None and path.pairs_unique
    listed = here is not None and here.kind in _STOCKED and not single
    if listed and there is not None and there.kind in _SOLD:
        raise NoWording("an average per stock item", "Nobody asks so of one bottle.")
