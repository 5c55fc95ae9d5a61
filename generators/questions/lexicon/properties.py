"""How to speak of a property: its noun, its unit, what its values are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphmill.english.inflection import is_plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import Verb
from schemagraph.model import NUMERIC, Kind

_DATED = frozenset({"date", "datetime", "timestamp", "birthday"})


@dataclass(frozen=True, slots=True)
class PropertyWords:
    """How to speak of a property.

    `noun` is what it is called; `unit` what its numbers are in. `verb` is set for moments that a
    verb names (`hired_on`), `active` when its subject does it (`opens_on`). `adjective` is set for
    flags that are adjectives. `identity` properties name their owner; `year` values are years;
    `raw` nouns are names as in the query. `many` is the plural where that of the noun misleads:
    "numbers of lockers" are no "locker numbers". `does` is set for flags that are verbs, for one
    and for many: "supports 5G", "support 5G".
    """

    noun: str
    kind: Kind = Kind.ANY
    unit: str = ""
    verb: Verb | None = None
    active: bool = False
    adjective: str = ""
    identity: bool = False
    year: bool = False
    place: bool = False
    reference: bool = False
    raw: bool = False
    many: str = ""
    does: tuple[str, str] | None = None

    @property
    def plural(self) -> bool:
        """Whether the noun is a plural: `annual visitors`. A bare name is none."""
        return not self.raw and is_plural(self.noun)

    @property
    def full(self) -> str:
        """The noun with its unit: `height in cm`."""
        if self.plural and self.numeric and not self.unit:
            return f"number of {self.noun}"
        return f"{self.noun} in {self.unit}" if self.unit else self.noun

    @property
    def one(self) -> str:
        """`full` where "the number of the one" would mislead: "locker number"."""
        return self.many.removesuffix("s") or self.full

    @property
    def several(self) -> bool:
        """Whether `full` is a plural: "details", but not "number of visitors"."""
        return self.plural and (not self.numeric or bool(self.unit))

    @property
    def numeric(self) -> bool:
        """Whether values are numbers that are counted or measured."""
        return self.kind in NUMERIC and not self.year and not self.reference

    @property
    def temporal(self) -> bool:
        """Whether values are moments, if only by the name of a text."""
        said = self.noun.split()
        timed = said[-1] == "time" and said[0] not in word_set("lasting")
        named = timed or said[-1] in _DATED or said[0] == "date" or said in (["start"], ["end"])
        named = named and self.kind is Kind.STRING and not self.raw
        return named or self.kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)

    @property
    def textual(self) -> bool:
        """Whether values are texts that are no moments: their order is the alphabet's."""
        return self.kind is Kind.STRING and not self.temporal

    @property
    def timely(self) -> bool:
        """Whether values are earlier and later."""
        return self.temporal or self.year or self.clock

    @property
    def clock(self) -> bool:
        """Whether values are times of day."""
        return self.kind in (Kind.TIME, Kind.ZONED_TIME)


def of_many(words: PropertyWords | None, name: str) -> PropertyWords | None:
    """The words of an aggregate: "the average number of visitors is", a total of years is none."""
    if words is None:
        return None
    year = words.year and name != "sum"
    return replace(words, raw=not words.temporal, unit="", year=year)
