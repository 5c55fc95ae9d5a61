"""Identifiers and text literals of DuckDB, and names that no two things in a query share."""

from __future__ import annotations

import re
from collections.abc import Iterable

# duckdb_keywords() of DuckDB 2.0 without the unreserved ones.
_WORDS = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between
    bigint binary bit boolean both by case cast char character check coalesce collate
    collation column columns concurrently constraint create cross dec decimal default
    deferrable desc describe distinct do else end except exists extract false fetch float
    for foreign freeze from full generated glob group grouping grouping_id having ilike in
    initially inner inout int integer intersect interval into is isnull join lambda lateral
    leading left like limit map national natural nchar none not notnull null nullif numeric
    offset on only or order out outer overlaps overlay pivot pivot_longer pivot_wider
    placing position positional precision primary qualify real references returning right
    row select semi setof show similar smallint some struct substring summarize symmetric
    table tablesample then time timestamp to trailing treat trim true try_cast tuple union
    unique unpack unpivot using values varchar variadic verbose when where window with
    xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
    xmlroot xmlserialize xmltable
"""
_KEYWORDS = frozenset(_WORDS.split())
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9_]*\Z")


def ident(name: str) -> str:
    """`name` as an identifier, quoted where it must be.

    >>> print(ident("name"), ident("Order"), ident('a"b'), ident("source.id"))
    name "Order" "a""b" "source.id"
    """
    if _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    r"""`value` as a string literal; DuckDB's literals know no escapes but the doubled quote.

    >>> print(text("it's"), text("a\x00b"))
    'it''s' ('a' || chr(0) || 'b')
    """
    if "\0" in value:
        return "(" + " || chr(0) || ".join(text(part) for part in value.split("\0")) + ")"
    return "'" + value.replace("'", "''") + "'"


class Names:
    """Gives out names, each once, whatever their case: DuckDB's identifiers ignore case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.casefold() for name in taken}
        self._numbers: dict[str, int] = {}  # by the wish, the last number that it was given

    def fresh(self, wish: str) -> str:
        """`wish`, or `wish_2`, `wish_3`, … when it is taken.

        >>> names = Names(["n"]); names.fresh("N"), names.fresh("n"), names.fresh("m")
        ('N_2', 'n_3', 'm')
        """
        number = self._numbers.get(wish.casefold(), 1)
        name = wish if number == 1 else f"{wish}_{number}"
        while name.casefold() in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._taken.add(name.casefold())
        self._numbers[wish.casefold()] = number
        return name
