"""Rows of one element type on disk while a graph is read: what its columns are then made from.

A graph tells the types of its properties only when all of it has been read. So rows are laid down
in batches of bounded size, with what is learnt of their values on the way, and read again when
the type of each column is known.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from schemagraph.convert.element_values import Facts
from schemagraph.model import Type

_ROWS = 65_536
_WEIGHT = 1 << 21  # values and 16-byte pieces of text in one batch
_ALL = 1 << 22  # the same over all tables

type Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows as columns: `ends` are an edge's keys, `places` say where in the source each row is."""

    ends: list[Sequence[Any]]
    columns: dict[str, Sequence[Any]]
    places: Sequence[int]

    def column(self, name: str) -> Sequence[Any]:
        """The values of a property, None where it is absent."""
        return self.columns.get(name) or [None] * len(self.places)


@dataclass
class SpoolTable:
    """Rows of one element type. `declared` are types for properties that have no value."""

    path: Path
    spool: Spool
    ends: int = 0
    rows: int = 0
    declared: dict[str, Type] = field(default_factory=dict)
    facts: dict[str, Facts] = field(default_factory=dict)
    end_facts: list[Facts] = field(default_factory=list)
    weight: int = 0
    _properties: list[Row] = field(default_factory=list)
    _ends: list[tuple[Any, ...]] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)

    def add(self, properties: Row, place: int, ends: tuple[Any, ...] = ()) -> None:
        """Take in one row."""
        self._properties.append(properties)
        self._places.append(place)
        if self.ends:
            self._ends.append(ends)
        weight = 2 + len(properties)
        for value in properties.values():
            if isinstance(value, str | bytes | list | dict):
                weight += len(value) >> 4
        self.weight += weight
        self.spool.added(weight)
        if len(self._places) >= _ROWS or self.weight >= _WEIGHT:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        if not self._places:
            return
        names = dict.fromkeys(chain(self.facts, chain.from_iterable(self._properties)))
        columns: dict[str, Sequence[Any]] = {
            name: [row.get(name) for row in self._properties] for name in names
        }
        ends: list[Sequence[Any]] = [list(column) for column in zip(*self._ends, strict=True)]
        for name, values in columns.items():
            self.facts.setdefault(name, Facts()).add(values)
        for n, values in enumerate(ends):
            if n == len(self.end_facts):
                self.end_facts.append(Facts())
            self.end_facts[n].add(values)
        with self.path.open("ab") as stream:
            pickle.dump((ends, columns, self._places), stream, pickle.HIGHEST_PROTOCOL)
        self.rows += len(self._places)
        self.spool.weight -= self.weight
        self.weight = 0
        self._properties, self._ends, self._places = [], [], []

    def batches(self) -> Iterator[Batch]:
        """All rows in the order in which they came."""
        if not self.path.exists():
            return
        with self.path.open("rb") as stream:
            while (parts := _next(stream)) is not None:
                yield Batch(*parts)

    def values(self, name: str) -> Iterator[Sequence[Any]]:
        """One property, batch by batch."""
        return (batch.column(name) for batch in self.batches())

    def places(self, rows: Sequence[int]) -> list[int]:
        """Where in the source the rows with these numbers (from 0) are."""
        first, place_of = 0, {}
        for batch in self.batches():
            for row in rows:
                if first <= row < first + len(batch.places):
                    place_of[row] = batch.places[row - first]
            first += len(batch.places)
        return [place_of[row] for row in rows]


def _next(stream: BinaryIO) -> Any:
    try:
        return pickle.load(stream)  # noqa: S301 - written by this process a moment ago
    except EOFError:
        return None


@dataclass
class Spool:
    """The tables of one graph, in `folder`, with a bound on what all of them hold together."""

    folder: Path
    weight: int = 0
    tables: list[SpoolTable] = field(default_factory=list)

    def table(self, ends: int = 0) -> SpoolTable:
        """A new table; `ends` is how many key values an edge's two ends have together."""
        self.folder.mkdir(parents=True, exist_ok=True)
        made = SpoolTable(self.folder / str(len(self.tables)), self, ends)
        self.tables.append(made)
        return made

    def added(self, weight: int) -> None:
        """Count what a table took in, and empty all where that is too much."""
        self.weight += weight
        if self.weight >= _ALL:
            self.flush()

    def flush(self) -> None:
        """Write what all tables hold."""
        for table in self.tables:
            table.flush()
