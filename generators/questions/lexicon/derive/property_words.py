"""How a property is spoken of: its noun, its unit, what its values are."""

from __future__ import annotations

from dataclasses import dataclass

from graphmill.english.lists import word_set
from graphmill.english.verbs import Verb
from schemagraph.model import Kind

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
