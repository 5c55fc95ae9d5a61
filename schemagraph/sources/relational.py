"""What every relational source tells about its tables, whatever database it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from schemagraph.mapping import Affinity


class RawText(bytes):
    """Text of the source that is not UTF-8, as its bytes."""


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """A column as declared; `collation` is how the source compares its text."""

    name: str
    declared: str
    affinity: Affinity
    collation: str = "BINARY"


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


type Rows = Sequence[Sequence[Any]]


class RelationalSource(Protocol):
    """An open relational database.

    `notes` are sentences on what was left out (views, virtual tables). Values of rows are None,
    int (64 bit), float, str, bytes and `RawText`, in the order of the table's columns.
    """

    name: str
    dialect: str
    tables: tuple[SourceTable, ...]
    notes: tuple[str, ...]

    def rows(self, table: SourceTable) -> Iterator[Rows]:
        """The table's rows in the source's order, in batches of bounded size."""
        ...

    def close(self) -> None:
        """Release the database."""
        ...
