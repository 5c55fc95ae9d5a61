"""Names of a graph made from names of tables and columns: labels and properties.

Labels are PascalCase and singular, properties as the columns are called where that is an
identifier. All of it is by rule, so the same source gets the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphmill.english.names import singular, words

__all__ = ["Given", "distinct", "label", "property_name", "singular", "upper_snake", "words"]

_LONGEST = 60
_MODIFIERS_WORDS = """
antiques arms communications credentials futures glasses honors honours lodgings operations rights
sales securities sports systems utilities
"""
_MODIFIERS = frozenset(_MODIFIERS_WORDS.split())


def label(table: str) -> str:
    """A node label for a table: PascalCase, nouns in the singular.

    >>> [label(t) for t in ("order details", "FILM_ACTOR", "TVChannel", "主公", "2nd_hand_cars")]
    ['OrderDetail', 'FilmActor', 'TVChannel', '主公', 'T2ndHandCar']
    >>> [label(t) for t in ("customers_cards", "sales_people", "tblProducts", "dues_payments")]
    ['CustomerCard', 'SalesPerson', 'Product', 'DuesPayment']
    """
    parts = words(table)
    if len(parts) > 1 and parts[0].lower() == "tbl":
        parts = parts[1:]
    if not parts:
        return "Table"
    last = len(parts) - 1
    parts = [
        word if n < last and word.lower() in _MODIFIERS else singular(word)
        for n, word in enumerate(parts)
    ]
    shouting = not any(letter.islower() for letter in table)
    text = "".join(
        part[:1].upper() + (part[1:].lower() if shouting else part[1:]) for part in parts
    )
    return _identifier(text, "T") if text else "Table"


def property_name(column: str) -> str:
    """A property name for a column: itself, where it is an identifier.

    >>> [property_name(c) for c in ("first_name", "Unit Price", "2nd", "%", "größe", "a.b")]
    ['first_name', 'Unit_Price', 'p_2nd', 'p', 'größe', 'a_b']
    """
    if column.isidentifier():
        return column
    text = re.sub(r"\W+", "_", column).strip("_")
    return _identifier(text, "p_" if text else "p")


def _identifier(text: str, prefix: str) -> str:
    """`text` without what no identifier has (`²` is a word's character), begun as one begins.

    It is cut where names of files made of it would get too long.
    """
    kept = "".join(letter for letter in text if f"a{letter}".isidentifier())[:_LONGEST]
    return kept if kept.isidentifier() else prefix + kept


def upper_snake(parts: Iterable[str]) -> str:
    """Words as UPPER_SNAKE.

    >>> upper_snake(["reports", "To"])
    'REPORTS_TO'
    >>> upper_snake(["2nd", "floor"])
    'E_2ND_FLOOR'
    """
    return _identifier("_".join(part.upper() for part in parts), "E_")


def distinct(name: str, taken: Iterable[str]) -> str:
    """`name`, or with a number, so that it differs from all of `taken` even without case.

    >>> distinct("Name", ["name", "name_2"])
    'Name_3'
    """
    given = Given()
    given.folded.update(other.casefold() for other in taken)
    return given.name(name)


class Given:
    """Names given one after the other, each different from all before even without case.

    >>> given = Given()
    >>> given.name("Name"), given.name("name"), given.name("NAME"), "nAME_2" in given
    ('Name', 'name_2', 'NAME_3', True)
    """

    def __init__(self) -> None:
        self.folded: set[str] = set()
        self._free: dict[str, int] = {}  # by a name, the least number that may be free

    def __contains__(self, name: str) -> bool:
        return name.casefold() in self.folded

    def name(self, wish: str) -> str:
        """`wish`, or with the least number that is free."""
        folded, made = wish.casefold(), wish
        while made in self:
            number = self._free.get(folded, 2)
            self._free[folded] = number + 1
            made = f"{wish}_{number}"
        self.folded.add(made.casefold())
        return made
