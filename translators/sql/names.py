"""Readable names for variables and result columns, unique where they must be."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Aliases that say nothing: T1, t2, and what generators write for derived tables.
_EMPTY = re.compile(r"^_*[a-z]?_?\d+$", re.IGNORECASE)


def camel(name: str) -> str:
    """A table's name as a variable.

    >>> camel("Order Details"), camel("PLAYLIST"), camel("domain_author"), camel("InvoiceLine")
    ('orderDetails', 'playlist', 'domainAuthor', 'invoiceLine')
    """
    words = re.findall(r"[^\W_]+", name)
    if not words:
        return "x"
    if len(words) == 1 and words[0].isupper():
        words = [words[0].lower()]
    first, *rest = words
    whole = first[:1].lower() + first[1:] + "".join(w[:1].upper() + w[1:] for w in rest)
    return f"n{whole}" if whole[0].isdigit() else whole


def variable(alias: str, table: str) -> str:
    """What to call the variable of a table: its alias, if that says something.

    >>> variable("T1", "Track"), variable("boss", "Employee"), variable("", "Track")
    ('track', 'boss', 'track')
    """
    return camel(table) if not alias or _EMPTY.match(alias) else camel(alias)


class Names:
    """The names in use within one scope and those below it.

    `reserved` are the names of result columns, which no variable may have, so that an alias
    never hides a variable.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self.used: set[str] = set()
        self.reserved = set(reserved)

    def variable(self, wish: str) -> str:
        """A new variable called `wish` or nearly so."""
        return self._take(wish, self.used | self.reserved)

    def column(self, wish: str) -> str:
        """A new name for a value, which may be that of a result column."""
        return self._take(wish, self.used)

    def reserve(self, names: Iterable[str]) -> None:
        """Keep variables from being called one of `names`."""
        self.reserved.update(names)

    def fork(self) -> Names:
        """Names for a scope beside others: what is used there stays free here."""
        other = Names(self.reserved)
        other.used = set(self.used)
        return other

    def _take(self, wish: str, taken: set[str]) -> str:
        name = next(n for n in numbered(wish) if n not in taken)
        self.used.add(name)
        return name


def numbered(wish: str) -> Iterable[str]:
    """`wish`, then `wish` with 2, 3, … behind it."""
    yield wish
    gap = "_" if wish[-1:].isdigit() else ""
    number = 2
    while True:
        yield f"{wish}{gap}{number}"
        number += 1


def distinct(wishes: Iterable[str]) -> tuple[str, ...]:
    """The wishes, with numbers where one occurs again.

    >>> distinct(["name", "count", "name"])
    ('name', 'count', 'name2')
    """
    given: list[str] = []
    all_wishes = list(wishes)
    for wish in all_wishes:
        taken = set(given) if wish not in given else {*given, *all_wishes}
        given.append(next(n for n in numbered(wish or "column") if n not in taken))
    return tuple(given)
