"""A SQLite database with its texts replaced, and nothing of it besides tables, keys and indexes.

Views, triggers, checks, defaults, comments and bytes are not taken over: they may hold values.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError, naming
from pipelines.pseudonyms.columns import holds_texts, names_by_number
from pipelines.pseudonyms.words import Pseudonyms

_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Column:
    """A column as SQLite tells of it."""

    name: str
    declared: str
    required: bool
    key: int  # its place in the primary key, from 1; 0: none
    collation: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns, foreign keys (columns, table, columns), sets of columns that are unique,
    and the text of its declaration."""

    name: str
    columns: tuple[Column, ...]
    references: tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]
    unique: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Values:
    """What a database holds: texts and numbers that are replaced, the names of its schema, and
    columns that stay as they are (`table.column`)."""

    texts: frozenset[str]
    numbers: frozenset[int]
    names: frozenset[str]
    numbered: frozenset[tuple[str, str]]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{path.as_posix()}?mode=ro", uri=True)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def tables_of(connection: sqlite3.Connection) -> tuple[Table, ...]:
    """The tables of a database, none of SQLite's own or of a virtual table."""
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' "
        "AND sql NOT LIKE 'CREATE VIRTUAL%' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    ).fetchall()
    return tuple(_table(connection, name, sql) for name, sql in rows)


def _table(connection: sqlite3.Connection, name: str, sql: str) -> Table:
    def asked(pragma: str, of: str) -> list[Any]:
        return connection.execute(f"PRAGMA {pragma}({_quoted(of)})").fetchall()

    columns = tuple(
        Column(column, declared, bool(required), key, _collation(sql, column))
        for _, column, declared, required, _, key, hidden in asked("table_xinfo", name)
        if hidden != 1
    )
    parts: dict[int, list[Any]] = defaultdict(list)
    for number, _, other, own, foreign, *_ in asked("foreign_key_list", name):
        parts[number].append((other, own, foreign))
    references = tuple(
        (
            tuple(own for _, own, _ in part),
            part[0][0],
            tuple(foreign for *_, foreign in part if foreign is not None),
        )
        for _, part in sorted(parts.items())
    )
    unique = tuple(
        tuple(column for _, _, column in asked("index_info", index))
        for _, index, is_unique, origin, partial in asked("index_list", name)
        if is_unique and origin != "pk" and not partial
    )
    unique = tuple(each for each in unique if all(each))  # none over an expression
    return Table(name, columns, references, unique)


def _collation(sql: str, column: str) -> str:
    """How a column compares its texts, as its declaration says."""
    name = re.escape(column)
    match = re.search(
        rf"[(,]\s*[\"`\[]?{name}[\"`\]]?\s[^,]*?\bCOLLATE\s+\"?(NOCASE|RTRIM|BINARY)", sql, re.I
    )
    return match[1].upper() if match else ""


def values_of(path: Path) -> Values:
    """What is replaced in a database.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        with closing(_opened(path)) as connection:
            tables = tables_of(connection)
            texts: set[str] = set()
            numbers: set[int] = set()
            numbered: set[tuple[str, str]] = set()
            for table in tables:
                for column in table.columns:
                    cells = _column(connection, table, column)
                    strings = {each for each in cells if isinstance(each, str) and each}
                    if strings and holds_texts(strings):
                        texts |= strings
                    whole = {each for each in cells if isinstance(each, int)}
                    if names_by_number(column.name, whole, is_key=bool(column.key)):
                        numbers |= whole
                        numbered.add((table.name, column.name))
            _close(tables, numbered)
            names = {table.name for table in tables}
            names |= {column.name for table in tables for column in table.columns}
            return Values(
                frozenset(texts), frozenset(numbers), frozenset(names), frozenset(numbered)
            )
    except sqlite3.Error as problem:
        raise SourceError(f"{path} cannot be read: {problem}.") from problem


def _column(connection: sqlite3.Connection, table: Table, column: Column) -> list[Any]:
    wanted = f"SELECT DISTINCT {_quoted(column.name)} FROM {_quoted(table.name)}"
    return [row[0] for row in connection.execute(wanted)]


def _close(tables: tuple[Table, ...], numbered: set[tuple[str, str]]) -> None:
    """Columns that refer to one another are replaced together."""
    known = {table.name.lower(): table for table in tables}
    links: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for table in tables:
        for own, other, foreign in table.references:
            there = known.get(other.lower())
            if there is None:
                continue
            keys = tuple(c.name for c in sorted(there.columns, key=lambda c: c.key) if c.key)
            links += [
                ((table.name, a), (there.name, b))
                for a, b in zip(own, foreign or keys, strict=False)
            ]
    size = -1
    while size != len(numbered):
        size = len(numbered)
        for one, two in links:
            if one in numbered or two in numbered:
                numbered.update((one, two))


def copied(path: Path, out: Path, made: Pseudonyms, numbered: frozenset[tuple[str, str]]) -> None:
    """Write the database in `path` to `out` with what is to be replaced replaced.

    Raises:
        SourceError: it cannot be read or written.
    """
    draft = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        with naming(draft, out):
            draft.unlink(missing_ok=True)
        with closing(_opened(path)) as there, closing(sqlite3.connect(draft)) as here:
            here.execute("PRAGMA journal_mode = OFF")
            tables = tables_of(there)
            for table in tables:
                here.execute(_declaration(table))
            for table in tables:
                marks = ", ".join("?" * len(table.columns))
                here.executemany(
                    f"INSERT INTO {_quoted(table.name)} VALUES ({marks})",
                    _rows(there, table, made, numbered),
                )
            here.commit()
        draft.replace(out)
    except sqlite3.Error as problem:
        raise SourceError(f"{path} cannot be copied with pseudonyms: {problem}.") from problem
    finally:
        draft.unlink(missing_ok=True)


def _declaration(table: Table) -> str:
    keys = [column.name for column in sorted(table.columns, key=lambda c: c.key) if column.key]
    parts = []
    for column in table.columns:
        text = f"{_quoted(column.name)} {column.declared}"
        text += f" COLLATE {column.collation}" if column.collation else ""
        text += " NOT NULL" if column.required else ""
        parts.append(text + (" PRIMARY KEY" if keys == [column.name] else ""))
    if len(keys) > 1:
        parts.append(f"PRIMARY KEY ({_listed(keys)})")
    parts += [f"UNIQUE ({_listed(each)})" for each in table.unique]
    for own, other, foreign in table.references:
        there = f" ({_listed(foreign)})" if foreign else ""
        parts.append(f"FOREIGN KEY ({_listed(own)}) REFERENCES {_quoted(other)}{there}")
    return f"CREATE TABLE {_quoted(table.name)} ({', '.join(parts)})"


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(_quoted, names))


def _rows(
    connection: sqlite3.Connection,
    table: Table,
    made: Pseudonyms,
    numbered: frozenset[tuple[str, str]],
) -> Iterator[list[Any]]:
    """The rows of a table in their order, replaced."""
    in_numbers = [(table.name, column.name) in numbered for column in table.columns]
    required = [column.required for column in table.columns]
    cursor = connection.execute(
        f"SELECT {_listed([c.name for c in table.columns])} FROM {_quoted(table.name)}"
    )
    while rows := cursor.fetchmany(_BATCH):
        for row in rows:
            yield [
                made.texts.get(value, value)
                if isinstance(value, str)
                else (b"" if needed else None)
                if isinstance(value, bytes)
                else made.numbers.get(value, value)
                if numeric and isinstance(value, int)
                else value
                for value, numeric, needed in zip(row, in_numbers, required, strict=True)
            ]
