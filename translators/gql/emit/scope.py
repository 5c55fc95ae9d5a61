"""Which GQL variable stands for which IR variable at one point of a query.

IR names are free text and may be bound again after a WITH dropped them. GQL variables are regular
identifiers, and engines differ on names that went out of scope (facts: grafeo keeps them), so a
name is used once in a query and its subqueries; a later binding gets a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from translators.gql.emit.text import is_variable

_NO_WORD = re.compile(r"\W+")


class FoldedNames(set[str]):
    """Names of a language that does not see case: `a` is among them when `A` is.

    >>> names = FoldedNames(["Movie"])
    >>> "movie" in names, "movies" in names
    (True, False)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(name.casefold() for name in names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.casefold())

    def add(self, name: str) -> None:
        super().add(name.casefold())


@dataclass(slots=True)
class Scope:
    """`names`: IR name -> GQL variable, what is visible; `taken`: every variable used so far.

    A language may allow fewer variables than the standard.

    >>> scope = Scope()
    >>> scope.bind("m"), scope.bind("count"), scope.bind("a b"), scope.bind("m")
    ('m', 'count_1', 'a_b', 'm_1')
    """

    names: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    allowed: Callable[[str], bool] = is_variable
    _numbers: dict[str, int] = field(default_factory=dict)  # by a name, the last one that it got

    def fold(self, name: str) -> str:
        """`name` as the language tells it from others."""
        return name.casefold() if isinstance(self.taken, FoldedNames) else name

    def bind(self, name: str) -> str:
        """Make `name` a new variable and return how GQL calls it."""
        chosen = self.fresh(name)
        self.names[name] = chosen
        return chosen

    def fresh(self, hint: str) -> str:
        """An unused variable that reads like `hint`."""
        base = hint if self.allowed(hint) else _NO_WORD.sub("_", hint).strip("_")
        if not self.allowed(base) and not base.isascii():
            base = "".join(char for char in base if char.isascii()).strip("_")
        if not base or base[0].isdigit():
            base = f"v_{base}".rstrip("_")
        number = self._numbers.get(base, 0)
        chosen = f"{base}_{number}" if number else base
        while chosen in self.taken or not self.allowed(chosen):
            number += 1
            chosen = f"{base}_{number}"
        self.taken.add(chosen)
        self._numbers[base] = number
        return chosen

    def release(self, names: Iterable[str]) -> None:
        """Let variables be used again."""
        self.taken -= set(names)
        self._numbers.clear()

    def inner(self) -> Scope:
        """The scope of a subquery: sees what is visible here; what it binds stays inside."""
        taken, numbers = type(self.taken)(self.taken), dict(self._numbers)
        return replace(self, names=dict(self.names), taken=taken, _numbers=numbers)
