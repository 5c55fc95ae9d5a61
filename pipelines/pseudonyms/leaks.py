"""Originals that are left in the files of a folder: whole cells, quoted constants, long texts.

Every file is read as what it is: Parquet by value, SQLite by cell, JSON by string, anything else
as text. A text that graphmill or the schema says itself (`known`) is none of the data's.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from graphmill.files import read_rows
from pipelines.pseudonyms.statements import LongTexts
from pipelines.pseudonyms.words import Pseudonyms

_QUOTED = re.compile(r"'((?:[^'\\\n]|\\.|'')*)'|\"((?:[^\"\\\n]|\\.)*)\"")
_SQLITE = b"SQLite format 3\0"
_ABOUT = frozenset(("constructs", "difficulty", "db", "domain", "subdomain"))


@dataclass(frozen=True, slots=True)
class Leak:
    """An original in a file: as a whole value, a quoted constant, or a long text in another."""

    file: str
    kind: Literal["cell", "constant", "long"]
    text: str


def leaks(folder: Path, made: Pseudonyms, known: Collection[str] = ()) -> Iterator[Leak]:
    """All originals in the files of a folder; hidden folders (of unfinished work) are left out."""
    kept = {name.casefold() for name in known}
    long = LongTexts(made)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if not path.is_file() or any(part.startswith(".") for part in name.parts):
            continue
        seen: set[str] = set()
        for text, whole in texts_of(path):
            if text in seen:
                continue
            seen.add(text)
            for kind, one in _in(text, whole, made, long):
                if one.casefold() not in kept:
                    yield Leak(name.as_posix(), kind, one)


def _in(
    text: str, whole: bool, made: Pseudonyms, long: LongTexts
) -> Iterator[tuple[Literal["cell", "constant", "long"], str]]:
    if whole and text in made.texts:
        yield "cell", text
        return
    for match in _QUOTED.finditer(text):
        one = match[1] if match[1] is not None else match[2]
        for each in {one, one.replace("''", "'"), re.sub(r"\\(.)", r"\1", one)}:
            if each in made.texts and made.knows(each):
                yield "constant", each
    for _, one in long.at(text):
        yield "long", one


def texts_of(path: Path) -> Iterator[tuple[str, bool]]:
    """The texts of a file, and whether each is a value as a whole."""
    if path.suffix == ".parquet":
        for row in read_rows(path):
            for name, value in row.items():
                if name not in _ABOUT:
                    yield from _leaves(value)
        return
    raw = path.read_bytes()
    if raw.startswith(_SQLITE):
        yield from _cells(path)
        return
    text = raw.decode("utf-8", "replace")
    if path.suffix in (".json", ".jsonl"):
        lines = [text] if path.suffix == ".json" else text.splitlines()
        for line in lines:
            try:
                yield from _leaves(json.loads(line))
            except (ValueError, RecursionError):
                yield line, False
        return
    yield text, False


def _leaves(value: Any) -> Iterator[tuple[str, bool]]:
    if isinstance(value, str):
        yield value, True
        if value[:1] in "[{":  # JSON in a text, such as the sample of an answer
            try:
                inner = json.loads(value)
            except (ValueError, RecursionError):
                return
            yield from _leaves(inner)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)


def _cells(path: Path) -> Iterator[tuple[str, bool]]:
    with closing(sqlite3.connect(f"file:{path.as_posix()}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
        for name, sql in names:
            yield sql or "", False
            if not sql or not sql.upper().startswith("CREATE TABLE"):
                continue
            quoted = name.replace('"', '""')
            for row in connection.execute(f'SELECT * FROM "{quoted}"'):
                for value in row:
                    if isinstance(value, str):
                        yield value, True
