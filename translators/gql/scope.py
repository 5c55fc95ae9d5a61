"""Which GQL variable stands for which IR variable at one point of a query.

IR names are free text and may be bound again after a WITH dropped them. GQL variables are regular
identifiers, and engines differ on names that went out of scope (facts: grafeo keeps them), so a
name is used once in a query and its subqueries; a later binding gets a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from translators.gql.text import is_variable

_NO_WORD = re.compile(r"\W+")


@dataclass(slots=True)
class Scope:
    """`names`: IR name -> GQL variable, what is visible; `taken`: every variable used so far.

    >>> scope = Scope()
    >>> scope.bind("m"), scope.bind("count"), scope.bind("a b"), scope.bind("m")
    ('m', 'count_1', 'a_b', 'm_1')
    """

    names: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def bind(self, name: str) -> str:
        """Make `name` a new variable and return how GQL calls it."""
        found = self.fresh(name)
        self.names[name] = found
        return found

    def fresh(self, hint: str) -> str:
        """An unused variable that reads like `hint`."""
        base = hint if is_variable(hint) else _NO_WORD.sub("_", hint).strip("_")
        if not base or base[0].isdigit():
            base = f"v_{base}".rstrip("_")
        found = base
        number = 0
        while found in self.taken or not is_variable(found):
            number += 1
            found = f"{base}_{number}"
        self.taken.add(found)
        return found

    def inner(self) -> Scope:
        """The scope of a subquery: sees what is visible here; what it binds stays inside."""
        return Scope(dict(self.names), set(self.taken))
