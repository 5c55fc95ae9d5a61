"""Conditions that nobody asks for, by their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from generators.questions.author import NoWording
from generators.questions.goals.model import Bound, Test
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Property,
    Role,
    Thing,
    ThingKind,
)
from generators.questions.realise.conditions.values import value_text
from graphmill.english.lists import word_set

SHORT = 3  # letters, below which a word is a code
_ANSWERS = frozenset({"true", "false", "yes", "no", "y", "n", "t", "f"})
_NO_VALUES = word_set("no_values") | {"all", "any", "both", "mixed", "other"}
_CLOCK = re.compile(r"\d{1,2}:\d\d")
_DAY = re.compile(r"\d{4}(?:-\d\d){0,2}|P\d|-?P")
_CLOCKED = frozenset({"datetime", "localdatetime"})
_DIGITS = 4  # that people say of an amount
_MARKS = frozenset("[]{}<>|†‡")  # what tables put beside values
_WORDED = frozenset({Role.CATEGORY, Role.TEXT, Role.PLACE})  # whose values are words
_COLOURLESS = frozenset(
    {ThingKind.DOCUMENT, ThingKind.EVENT, ThingKind.RECORD, ThingKind.TRANSACTION}
)
_KINDS = frozenset({"gender", "sex", "type", "kind", "category", "status", "state"})


@dataclass(frozen=True)
class Condition:
    """A test, the words of its property, and what the lexicon says of the thing that has it."""

    test: Test
    words: Property
    owner: Thing | None

    @cached_property
    def texts(self) -> list[str]:
        """Those of its values that are texts."""
        return [v.value for v in self.test.values if isinstance(v.value, str)]

    @property
    def excludes(self) -> bool:
        """Whether it holds for all values but its own."""
        return self.test.op in ("<>", "not in")


def refuse_unasked(condition: Condition) -> None:
    """Stops at a condition that nobody asks for.

    Raises:
        NoWording: it is one.
    """
    for is_unasked, construct, reason in _UNASKED:
        if is_unasked(condition):
            raise NoWording(construct, reason)


def _has_empty_text(condition: Condition) -> bool:
    return any(value.value == "" for value in condition.test.values)


def _is_yes_or_no(condition: Condition) -> bool:
    word = condition.words.word
    return any(text.casefold() in _ANSWERS and not word(text) for text in condition.texts)


def _has_no_value(condition: Condition) -> bool:
    return any(text.casefold() in _NO_VALUES for text in condition.texts)


def _is_of_clock(condition: Condition) -> bool:
    return any(_CLOCK.match(text) for text in condition.texts)


def _is_worded_date(condition: Condition) -> bool:
    dated = condition.words.kind is Role.DATE or condition.words.noun.endswith("date")
    return dated and not all(_DAY.match(text) for text in condition.texts)


def _leaves_out_a_sex(condition: Condition) -> bool:
    return condition.excludes and condition.words.noun in ("sex", "gender")


def _is_coded(condition: Condition) -> bool:
    """Whether a text is a code: the "Th" days of a course, which are counted, or a letter."""
    words, texts = condition.words, condition.texts
    if words.kind is Role.COUNT and texts:
        return True
    return words.kind in _WORDED and any(_is_letter(text, words) for text in texts)


def _is_letter(text: str, words: Property) -> bool:
    short = len(text) == 1 or (len(text) < SHORT and not text.isupper())
    return short and text.isalpha() and not words.word(text)


def _is_numbered_kind(condition: Condition) -> bool:
    """Whether a number stands for a kind of things: gender 1, status 3."""
    words = condition.words
    if words.noun.rpartition(" ")[2] not in _KINDS or words.kind is Role.COUNT:
        return False
    values = [value.value for value in condition.test.values]
    numbers = [value for value in values if isinstance(value, int) or f"{value}".isdigit()]
    return any(not words.word(number) for number in numbers)


def _is_of_itself(condition: Condition) -> bool:
    owner, words = condition.owner, condition.words
    called = (owner.singular, owner.plural) if owner is not None else ()
    return any((words.word(text) or text).casefold() in called for text in condition.texts)


def _is_exact_quantity(condition: Condition) -> bool:
    exact = condition.test.op in ("=", "in", "between", "period")
    return exact and condition.words.noun == "quantity"


def _is_between_next(condition: Condition) -> bool:
    """Whether its bounds are whole numbers with none in between."""
    if condition.test.op != "between":
        return False
    low, high = (value.value for value in condition.test.values)
    return isinstance(low, int) and isinstance(high, int) and high - low <= 1


def _is_fewer_than_one(condition: Condition) -> bool:
    test = condition.test
    return condition.words.kind is Role.COUNT and test.op == "<" and test.values[0].value == 1


def _is_above_a_debt(condition: Condition) -> bool:
    """Whether an amount is above a negative one, which only temperatures are."""
    above = condition.test.op in (">", ">=") and condition.words.kind in QUANTITIES
    return above and not condition.words.unit.startswith("°") and is_negative(condition.test)


def is_negative(test: Test | Bound) -> bool:
    """Whether what something is held against is below zero."""
    (value, *_) = test.values if isinstance(test, Test) else (test.value,)
    return isinstance(value.value, int | float) and value.value < 0


def _is_unspeakable(condition: Condition) -> bool:
    amount = condition.words.kind in QUANTITIES
    return amount and any(_is_odd(value.value) for value in condition.test.values)


def _is_odd(number: object) -> bool:
    """Whether a number has more digits than people say of an amount: 103,498.49."""
    digits = f"{number}".lstrip("-0.").removesuffix(".0").replace(".", "")
    return not isinstance(number, str) and len(digits.strip("0")) > _DIGITS


def _is_remark(condition: Condition) -> bool:
    return any(text.startswith("(") or set(text) & _MARKS for text in condition.texts)


def _is_comment(condition: Condition) -> bool:
    """Whether a comment is held against a whole one."""
    whole = condition.test.op in ("=", "<>", "in", "not in")
    commented = condition.words.noun.rpartition(" ")[2].removesuffix("s") in word_set("comments")
    return whole and commented and condition.words.kind is Role.TEXT


def _leaves_out_a_name(condition: Condition) -> bool:
    return condition.excludes and condition.words.kind is Role.NAME


def _is_colour_of_another(condition: Condition) -> bool:
    """Whether something has a colour that has none: the report of a pink bag is not pink."""
    coloured = condition.words.noun.rpartition(" ")[2] in ("color", "colour")
    return coloured and condition.owner is not None and condition.owner.kind in _COLOURLESS


def _is_number_as_text(condition: Condition) -> bool:
    worded = condition.words.kind in _WORDED
    return worded and any(not any(map(str.isalpha, text)) for text in condition.texts)


def _is_to_the_minute(condition: Condition) -> bool:
    words = condition.words
    moment = words.kind in MOMENTS
    clocked = [v for v in condition.test.values if moment or v.moment in _CLOCKED]
    return any(" on " in value_text(value, words) for value in clocked)


# In the order in which they are tried; each with what has no wording and, where it is not that,
# with the reason.
_UNASKED: tuple[tuple[Callable[[Condition], bool], str, str], ...] = (
    (_has_empty_text, "an empty text", ""),
    (_is_yes_or_no, "a yes or no without words", ""),
    (_has_no_value, "a value that is none", ""),
    (_is_of_clock, "a time of day kept as a text", ""),
    (_is_worded_date, "a date kept as a text", ""),
    (_leaves_out_a_sex, "not of a sex", ""),
    (_is_coded, "a code that nobody knows", ""),
    (_is_numbered_kind, "a code that nobody knows", ""),
    (_is_of_itself, "what a thing is anyway", "A student is a student."),
    (_is_exact_quantity, "so many of a line", "Nobody looks for a quantity."),
    (_is_between_next, "a range of two numbers", "People name the two."),
    (_is_fewer_than_one, "fewer than one", ""),
    (_is_above_a_debt, "more than a negative amount", ""),
    (_is_unspeakable, "a number that nobody says", ""),
    (_is_remark, "a remark in the place of a value", ""),
    (_is_comment, "a comment in full", "Nobody knows what somebody wrote."),
    (_leaves_out_a_name, "all names but one", "Nobody leaves out one of them."),
    (_is_colour_of_another, "the colour of another thing", ""),
    (_is_number_as_text, "a number kept as a text", ""),
    (_is_to_the_minute, "a moment to the minute", ""),
)
