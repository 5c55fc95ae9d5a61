"""Readable names for variables and result columns, unique where they must be."""

from __future__ import annotations

import re
from collections.abc import Iterable

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

    def variable(self, wish: str) -> str:
        """A new variable called `wish` or nearly so."""
        return self._take(wish, self.used | self.reserved)

    def column(self, wish: str, avoid: Iterable[str] = ()) -> str:
        """A new name for a value, which may be that of a result column not in `avoid`."""
        return self._take(wish, self.used | set(avoid))

    def value(self, wish: str) -> str:
        """A new name for a column of a derived table, which result columns may bear too."""
        return self._take(wish, self.used | self.computed)

    def reserve(self, names: Iterable[str]) -> None:
        """Keep variables from being called one of `names`."""
        self.reserved.update(names)

    def fork(self) -> Names:
        """Names for a scope beside others: what is used there stays free here."""
        other = Names(self.reserved)
        other.used = set(self.used)
        other.computed = set(self.computed)
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
