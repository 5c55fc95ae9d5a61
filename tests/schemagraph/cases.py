"""Fixture files of this folder: blocks of lines between blank lines, and databases made of them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import duckdb

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One block: where it stands, its lines of input, and those expected (marked `= `)."""

    place: str
    given: tuple[str, ...]
    expected: tuple[str, ...]


def cases(name: str) -> list[Case]:
    """The blocks of the file `name`. Lines that begin with `--` are comments,
    and lines that begin with `= ` are expected; where a block has none, its last line is.
    """
    found: list[Case] = []
    block: list[str] = []
    start = 0
    for number, line in enumerate([*(HERE / name).read_text("utf-8").splitlines(), ""], 1):
        if line.startswith("--"):
            continue
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            expected = tuple(text[2:] for text in block if text.startswith("= "))
            given = tuple(text for text in block if not text.startswith("= "))
            if not expected:
                given, expected = given[:-1], given[-1:]
            found.append(Case(f"{name}:{start}", given, expected))
            block = []
    return found


def database(folder: Path, script: str, name: str = "shop.sqlite") -> Path:
    """A SQLite file made by an SQL script."""
    path = folder / name
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()
    return path


def duck_database(folder: Path, script: str, name: str = "shop.duckdb") -> Path:
    """A DuckDB file made by an SQL script."""
    path = folder / name
    with duckdb.connect(str(path)) as connection:
        connection.execute(script)
    return path
