"""How a property is spoken of: its noun, its unit, what its values are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import Verb, by_base, by_past
from schemagraph.model import NUMERIC, Kind

ADJECTIVE_END = re.compile(r"(?:able|ible|al|ive|ous|ful|less|ic|ary|ent|ant)$")
_DATED = frozenset({"date", "datetime", "timestamp", "birthday"})


@dataclass(frozen=True, slots=True)
class PropertyWords:
    """What the name of a property says.

    `noun` is what it is called; `unit` what its numbers are in. `verb` is set for moments that a
    verb names (`hired_on`), `active` when its subject does it (`opens_on`). `adjective` is set for
    flags that are adjectives. `identity` properties name their owner; `year` values are years.
    `does` is set for flags that are verbs, for one and for many: "supports 5G", "support 5G".
    """

    noun: str
    kind: Kind = Kind.ANY
    unit: str = ""
    verb: Verb | None = None
    active: bool = False
    adjective: str = ""
    identity: bool = False
    year: bool = False
    reference: bool = False
    does: tuple[str, str] | None = None
    settled: str = ""  # what was done then with something of its owner's: "waiver was signed"

    @property
    def temporal(self) -> bool:
        """Whether values are moments, if only by the name of a text."""
        words = self.noun.split()
        timed = words[-1] == "time" and words[0] not in word_set("lasting")
        named = timed or words[-1] in _DATED or words[0] == "date" or words in (["start"], ["end"])
        named = named and self.kind is Kind.STRING
        return named or self.kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)

    @property
    def timely(self) -> bool:
        """Whether values are earlier and later."""
        return self.temporal or self.year or self.clock

    @property
    def clock(self) -> bool:
        """Whether values are times of day."""
        return self.kind in (Kind.TIME, Kind.ZONED_TIME)


@dataclass(frozen=True, slots=True)
class PropertyName:
    """What is known of a property's name while rules read it.

    `text` is the name as the schema has it. `parts` are its words, of which rules take away what
    they have understood, and `whole` those before its owner's were taken away; `owner` is the
    owner's noun. `unit` is what its numbers are in, once that is read.
    """

    text: str
    parts: list[str]
    whole: list[str]
    kind: Kind
    owner: str
    unit: str = ""

    @property
    def own(self) -> list[str]:
        """The words of its owner's noun in small letters."""
        return self.owner.lower().split()

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.kind in NUMERIC

    @property
    def last(self) -> str:
        """Its last word in small letters."""
        return self.parts[-1].lower()

    @property
    def last_but_one(self) -> str:
        """The word before its last in small letters; "" where there is none."""
        return self.parts[-2].lower() if len(self.parts) > 1 else ""

    def reworded(self, *parts: str) -> PropertyName:
        """The same name with other words."""
        return replace(self, parts=[*parts])

    def called(self, noun: str) -> PropertyWords:
        """Its words, where they are a noun and nothing else."""
        return PropertyWords(noun, self.kind)


type Rule = Callable[[PropertyName], PropertyName | PropertyWords | None]
"""Reads a name: to the end, to a name with other words, or not at all."""

type Answer = Callable[[PropertyName], PropertyWords | None]
"""Reads a name to the end, or not at all."""


def first_answer(rules: Iterable[Answer], name: PropertyName) -> PropertyWords | None:
    """What the first of the rules says that reads the name; None where none does."""
    return next((words for rule in rules if (words := rule(name)) is not None), None)


def surely_done(word: str) -> Verb | None:
    """The verb whose past form a word is, where it is no base form as well: sent, not put."""
    return by_past(word) if by_base(word) is None else None


def noun_phrase(parts: list[str]) -> str:
    """Words as one noun phrase.

    >>> noun_phrase(["number", "of", "stops"]), noun_phrase(["n", "stops"])
    ('number of stops', 'number of stops')
    """
    if parts[:2] == ["how", "to"] and len(parts) > 2:
        return " ".join(["way", *parts[1:]])
    if len(parts) == 3 and parts[1] == "per" and parts[0] in word_map("units"):
        return f"amount in {' '.join(parts)}"  # kg_per_day
    if parts[1:2] == ["of"] and parts[0] in _NUMBER_OF:
        return _number_of(parts[2:])
    if len(parts) == 3 and parts[0] == "number" and by_past(parts[2]) and not by_past(parts[1]):
        return f"number of {plural(parts[1])} {parts[2]}"  # number_city_affected
    if parts[0] in _NUMBER_OF and len(parts) > 1 and is_plural(parts[-1]):
        return f"number of {' '.join(parts[1:])}"
    if len(parts) > 1 and parts[-1] == "no":
        parts = [*parts[:-1], "number"]
    return " ".join(parts)


_NUMBER_OF = ("number", "nb", "n", "no", "count")


def _number_of(counted: list[str]) -> str:
    """What is said of the number of something: that of many, or the amount of one."""
    one = len(counted) == 1 and not is_plural(counted[0])
    if one and counted[0] not in word_set("workers"):
        if counted[0] in word_set("uncounted"):
            return f"amount of {counted[0]}"  # num_of_stock
        return f"{counted[0]} count"  # num_of_component
    return " ".join(["number", "of", *counted])
