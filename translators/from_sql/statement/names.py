"""Readable names for variables and result columns, unique where they must be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set

# Aliases that say nothing: T1, t2, and what generators write for derived tables.
# Words of Cypher and GQL that some parser takes for a keyword even where a name must stand.
_WORDS = """
all and any as asc at avg between by call case cast check collate collect column
constraint contains count create cross current default delete desc distinct do edge else
end ends except exists false fetch filter for foreign from full grant group having if in
inner insert intersect into is join left let like limit match max merge min natural next
node not null offset on only optional or order outer path primary references remove return
right row select set skip some starts sum table then to true union unique unwind use user
using value values when where window with xor yield
"""
KEYWORDS = frozenset(_WORDS.split())
_EMPTY = re.compile(r"^_*[a-z]?_?\d+$", re.IGNORECASE)


def camel(name: str) -> str:
    """A table's name as a variable.

    >>> camel("Order Details"), camel("PLAYLIST"), camel("domain_author"), camel("InvoiceLine")
    ('orderDetails', 'playlist', 'domainAuthor', 'invoiceLine')
    >>> camel("MATCH")
    'matchRow'
    """
    words = re.findall(r"[^\W_]+", name)
    if not words:
        return "x"
    if len(words) == 1 and words[0].isupper():
        words = [words[0].lower()]
    first, *rest = words
    whole = first[:1].lower() + first[1:] + "".join(w[:1].upper() + w[1:] for w in rest)
    if whole[0].isdigit():
        return f"n{whole}"
    return f"{whole}Row" if whole.lower() in KEYWORDS else whole


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
        # Result columns that are computed: a value may have their names no more than a row.
        self.computed: set[str] = set()
        # By a wish, the number before which no name is free: of each kind, for its own sets.
        self._variables: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._values: dict[str, int] = {}

    def variable(self, wish: str) -> str:
        """A new variable called `wish` or nearly so."""
        return self._take(wish, self._variables, (self.used, self.reserved))

    def column(self, wish: str, avoid: Collection[str] = ()) -> str:
        """A new name for a value, which may be that of a result column not in `avoid`."""
        return self._take(wish, self._columns, (self.used,), avoid)

    def value(self, wish: str) -> str:
        """A new name for a column of a derived table, which result columns may bear too."""
        return self._take(wish, self._values, (self.used, self.computed))

    def reserve(self, names: Iterable[str]) -> None:
        """Keep variables from being called one of `names`."""
        self.reserved.update(names)

    def fork(self) -> Names:
        """Names for a scope beside others: what is used there stays free here."""
        other = Names(self.reserved)
        other.used = set(self.used)
        other.computed = set(self.computed)
        return other

    def _take(
        self,
        wish: str,
        free: dict[str, int],
        taken: tuple[Set[str], ...],
        avoid: Collection[str] = (),
    ) -> str:
        """The first name that is nowhere in `taken`, sets that only grow, nor in `avoid`."""
        number = _first(wish, free.get(wish, 1), taken)
        free[wish] = number
        if avoid:
            number = _first(wish, number, (*taken, avoid))
        name = numbered(wish, number)
        self.used.add(name)
        return name


def numbered(wish: str, number: int) -> str:
    """`wish`; from number 2 on, with the number behind it.

    >>> numbered("name", 1), numbered("name", 2), numbered("line1", 2)
    ('name', 'name2', 'line1_2')
    """
    if number == 1:
        return wish
    return f"{wish}_{number}" if wish[-1:].isdigit() else f"{wish}{number}"


def _first(wish: str, number: int, taken: tuple[Collection[str], ...]) -> int:
    """The first number from `number` on whose name is free."""
    while any(numbered(wish, number) in each for each in taken):
        number += 1
    return number


def distinct(wishes: Iterable[str]) -> tuple[str, ...]:
    """The wishes, with numbers where one occurs again.

    >>> distinct(["name", "count", "name"])
    ('name', 'count', 'name2')
    """
    all_wishes = [wish or "column" for wish in wishes]
    wished = set(all_wishes)
    given: dict[str, None] = {}
    free: dict[str, int] = {}  # by a wish that is given, the number to look from
    for wish in all_wishes:
        name = wish
        if wish in given:
            free[wish] = _first(wish, free.get(wish, 2), (given, wished))
            name = numbered(wish, free[wish])
        given[name] = None
    return tuple(given)
