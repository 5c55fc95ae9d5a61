"""Abbreviations that stand for more than one word, decided by the words around them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from graphmill.files import data_folder


@dataclass(frozen=True, slots=True)
class Around:
    """Which words a name stands among, in full and in lower case.

    Those of its table and of its schema; `beside` those that were taken off its beginning. `tables`
    are the abbreviations that whole tables are called by, each with its meaning. `clipped`
    are other short forms of the schema, each with the only word there that it is short for.
    """

    table: frozenset[str] = frozenset()
    schema: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    tables: frozenset[tuple[str, str]] = frozenset()
    clipped: frozenset[tuple[str, str]] = frozenset()


ALONE = Around()


@dataclass(frozen=True, slots=True)
class _Sense:
    means: str
    beside: frozenset[str]
    among: frozenset[str]
    table: frozenset[str]
    itself: frozenset[str]


@cache
def _senses() -> dict[str, tuple[_Sense, ...]]:
    """The senses of `data/english/senses.toml`, by abbreviation."""
    text = (data_folder() / "english" / "senses.toml").read_text(encoding="utf-8")
    return {
        short: tuple(
            _Sense(
                means,
                frozenset(where.get("beside", "").split()),
                frozenset(where.get("among", "").split()),
                frozenset(where.get("table", "").split()),
                frozenset(where.get("itself", "").split()),
            )
            for means, where in senses.items()
        )
        for short, senses in tomllib.loads(text).items()
    }


def sense(short: str, beside: frozenset[str], around: Around = ALONE) -> str:
    """What an abbreviation means, "" where nothing near it says so, or two things do.

    A table that is called so decides, then the words beside it in its name, then those of its
    table, then those of its schema, then the only word there that it is short for.

    >>> sense("comm", frozenset({"percentage"})), sense("comm", frozenset({"text"}))
    ('commission', '')
    >>> sense("dep", frozenset({"airport", "amount"}))
    ''
    """
    for meanings in _fitting(short, beside, around):
        if meanings:
            return meanings.pop() if len(meanings) == 1 else ""
    return ""


def meanings(short: str) -> frozenset[str]:
    """All that an abbreviation may stand for, as single words.

    >>> sorted(meanings("ord")), meanings("order")
    (['order', 'ordered'], frozenset())
    """
    return frozenset(word for sense in _senses().get(short, ()) for word in sense.means.split())


def calls_tables(short: str) -> bool:
    """Whether tables are called by an abbreviation, even where it is a word: an `own` of owners."""
    return any(sense.itself for sense in _senses().get(short, ()))


def table_sense(short: str, around: Around) -> str:
    """What a table is that is called by an abbreviation, by its columns; "" where they do not say.

    `around.table` are the words of its columns.

    >>> table_sense("prov", Around(frozenset({"first", "last", "name", "role"})))
    'provider'
    >>> table_sense("prov", Around(frozenset({"name", "capital"})))
    'province'
    """
    meanings = {s.means for s in _senses().get(short, ()) if s.itself & around.table}
    if meanings:
        return meanings.pop() if len(meanings) == 1 else ""
    return sense(short, frozenset(), around)


def _fitting(short: str, beside: frozenset[str], around: Around) -> Iterator[set[str]]:
    """The meanings that words speak for, the nearest first."""
    senses = _senses().get(short, ())
    yield {means for name, means in around.tables if name == short}
    yield {s.means for s in senses if s.beside & (beside | around.beside)}
    yield {s.means for s in senses if (s.among | s.table) & around.table}
    yield {s.means for s in senses if s.among & around.schema}
    yield {means for name, means in around.clipped if name == short}
