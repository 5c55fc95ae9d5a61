"""A small theatre world with an engine behind it: what query evolution builds on in tests."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from engines import ENGINES
from engines.base import Engine, Result
from graph_ir import nodes as ir
from graphmill.errors import EngineError, Refused
from graphmill.seed import rng
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics
from translators.render import render

GENRES = ("comedy", "tragedy", "musical", "farce")
FIRST = ("Anna", "Bela", "Carla", "Dora", "Emil", "Franz", "Gita", "Hugo")
LAST = ("Abel", "Brandt", "Conti", "Dahl", "Eriksen")
WORDS = ("Winter", "Silver", "Broken", "Last", "Blue")
THINGS = ("Harbour", "Mirror", "Letter", "Garden", "Night")


TABLES = """
CREATE TABLE city (city_id INTEGER PRIMARY KEY, name TEXT, country TEXT, population INTEGER);
CREATE TABLE theatre (
    theatre_id INTEGER PRIMARY KEY, name TEXT, seats INTEGER, founded_year INTEGER,
    open_air BOOLEAN, city_id INTEGER REFERENCES city);
CREATE TABLE actor (
    actor_id INTEGER PRIMARY KEY, name TEXT, birth_year INTEGER, salary INTEGER,
    birth_city_id INTEGER REFERENCES city, home_city_id INTEGER REFERENCES city,
    teacher_id INTEGER REFERENCES actor);
CREATE TABLE play (
    play_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, minutes INTEGER, premiered_on DATE,
    ticket_price REAL, theatre_id INTEGER REFERENCES theatre);
CREATE TABLE acts_in (
    actor_id INTEGER REFERENCES actor, play_id INTEGER REFERENCES play,
    PRIMARY KEY (actor_id, play_id));
"""


def written(folder: Path) -> Path:
    """The graph as a folder: 8 cities, 12 theatres, 40 actors, 40 plays, their edges."""
    draw = rng(5, "stages")
    database = sqlite3.connect(folder / "stages.sqlite")
    database.executescript(TABLES)

    def add(table: str, *values: object) -> None:
        marks = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO {table} VALUES ({marks})", values)  # our own

    for n in range(8):
        country = ("Norway", "Chile", "Kenya")[n % 3]
        add("city", n, f"{WORDS[n % 5]}town {n}", country, 90_000 + 61_000 * n)
    for n in range(12):
        year, open_air = 1880 + 11 * n, n % 4 == 0
        add("theatre", n, f"{THINGS[n % 5]} House {n}", 150 + 45 * n, year, open_air, n % 6)
    for n in range(40):
        born, pay = 1940 + (n * 7) % 60, 21_000 + 650 * ((n * 13) % 40)
        places = draw.randrange(8), draw.randrange(8)
        teacher = n // 5 if n >= 5 else None
        add("actor", n, f"{FIRST[n % 8]} {LAST[n % 5]}", born, pay, *places, teacher)
    for n in range(40):
        title, genre = f"The {WORDS[n % 5]} {THINGS[n // 8]}", GENRES[draw.randrange(4)]
        day = f"{2012 + n % 9}-{1 + n % 12:02}-11"
        price, where = 8.5 + (n * 3) % 40, draw.randrange(11)
        add("play", n, title, genre, 60 + (n * 17) % 120, day, price, where)
        for number in draw.sample(range(38), 3):
            add("acts_in", number, n)
    database.commit()
    database.close()
    convert(str(folder / "stages.sqlite"), folder / "stages")
    return folder / "stages"


class Stages:
    """A `Ground` over DuckDB."""

    def __init__(self, folder: Path) -> None:
        self.schema = load_schema(folder)
        self.statistics = gather_statistics(folder, self.schema, 5)
        self._engine: Engine = ENGINES.get("duckdb")()
        self._engine.__enter__()
        self._engine.load(folder)
        self._answers: dict[ir.Statement, Result | None] = {}

    def ask(self, statement: ir.Statement, limit: int | None = None) -> Result | None:
        if statement not in self._answers:
            self._answers[statement] = self._run(statement)
        found = self._answers[statement]
        return found and Result(found.columns, found.rows[:limit])

    def _run(self, statement: ir.Statement) -> Result | None:
        try:
            text = render(statement, "sql", self.schema).text
            return self._engine.run(text, language="sql", timeout=10)
        except (EngineError, Refused):
            return None

    def close(self) -> None:
        self._engine.__exit__(None, None, None)
