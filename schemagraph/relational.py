"""What every relational source tells about its tables, whatever database it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from schemagraph.mapping import Affinity, Semantics
from schemagraph.model import Type
from schemagraph.storage_classes import Batch


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column as declared; `collation` is how the source compares its text.

    `type` is what the engine's type says of every value; None where values decide (SQLite).
    `nullable` and the closed set of `values` are declared. `pads`: its texts are compared without
    regard to blanks at the end (a PAD SPACE collation, char(n) of PostgreSQL), however else.
    `ordering` is the collation that orders its texts, where that tells different ones apart.
    `semantics` are its type's.
    `folds`: its collation may take texts that differ for equal, and what they are spelled like is
    to be known; `one_spelling`: the source says that it takes no two of the column for equal.
    `counts_digits`: how many its largest integer has is to be known; `measured`: how large that is.
    """

    name: str
    declared: str
    affinity: Affinity
    collation: str = "BINARY"
    type: Type | None = None
    nullable: bool = True
    values: tuple[str | int, ...] = ()
    pads: bool = False
    ordering: str = "BINARY"
    semantics: Semantics = Semantics.PROPERTY
    folds: bool = False
    one_spelling: bool = False
    counts_digits: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A declared foreign key, resolved to existing tables and columns by their exact names.

    `referenced` is empty where the declaration names no columns and the table has no primary key.
    """

    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table as declared: `key` is its primary key, `unique` are its UNIQUE column sets."""

    name: str
    columns: tuple[SourceColumn, ...]
    key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    references: tuple[Reference, ...] = ()

    def column(self, name: str) -> SourceColumn:
        """The column of that exact name."""
        return next(column for column in self.columns if column.name == name)


class RelationalSource(Protocol):
    """An open relational database.

    `dialect` is the name of its SQL for sqlglot. `notes` are sentences on what was left out
    (views, virtual tables).
    """

    name: str
    dialect: str
    tables: tuple[SourceTable, ...]
    notes: tuple[str, ...]

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """The table's rows in the source's order, in batches of bounded size."""
        ...

    def close(self) -> None:
        """Release the database."""
        ...


class Reopened(Protocol):
    """How another process opens the same content while the first holds it; pickled.

    `cells` says about how many values each table has.
    """

    cells: tuple[int, ...]

    def open(self) -> RelationalSource:
        """The source once more."""
        ...


@runtime_checkable
class Reopenable(Protocol):
    """A source that two processes can read at once."""

    def again(self) -> Reopened | None:
        """How, or None where the other would not be sure to see the same content."""
        ...
