"""Two small databases in one configuration."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from graphmill.files import file_digest

SCHEMA = """
CREATE TABLE grower (id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER, town TEXT);
CREATE TABLE variety (id INTEGER PRIMARY KEY, name TEXT NOT NULL, days INTEGER NOT NULL,
  parent INTEGER REFERENCES variety (id));
CREATE TABLE plot (id INTEGER PRIMARY KEY, grower INTEGER NOT NULL REFERENCES grower (id),
  variety INTEGER NOT NULL REFERENCES variety (id), hectares REAL, sown DATE NOT NULL);
"""
ONE = """
[[source]]
kind = "relational"
name = "{name}"
url = "sqlite:///{name}.sqlite"
domain = "agriculture"
subdomain = "{name}"
pairs = "{name}.jsonl"
"""
HEAD = """
[corpus]
name = "farms"
also = ["ngql"]
splits = { train = 0.6, validation = 0.2, test = 0.2 }
"""
NAMES = ("barley", "rye")


def _fill(path: Path, turn: int) -> None:
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        towns = ["Orp", "Lede", None, "Mol"]
        database.executemany(
            "INSERT INTO grower VALUES (?, ?, ?, ?)",
            [(i, f"Grower {i}", 1950 + 7 * i % 60, towns[(i + turn) % 4]) for i in range(1, 9)],
        )
        database.executemany(
            "INSERT INTO variety VALUES (?, ?, ?, ?)",
            [(i, f"V{turn}{i}", 80 + 11 * i % 50, i - 2 if i > 2 else None) for i in range(1, 8)],
        )
        database.executemany(
            "INSERT INTO plot VALUES (?, ?, ?, ?, ?)",
            [
                (i, 1 + (i * 5 + turn) % 8, 1 + i * 3 % 7, i * 1.25, f"2025-0{1 + i % 6}-1{i % 9}")
                for i in range(1, 25)
            ],
        )
    database.close()


def write_farms(folder: Path) -> Path:
    """The configuration of two databases, each with a few given pairs and grown ones."""
    text = HEAD
    for turn, name in enumerate(NAMES):
        _fill(folder / f"{name}.sqlite", turn)
        pairs = [
            {
                "question": f"How many plots of {name} are there?",
                "sql": "SELECT count(*) FROM plot",
            },
            {
                "question": "Who founded late?",
                "sql": "SELECT name FROM grower WHERE founded > 1980",
            },
            {"question": "Which town is unknown?", "sql": "SELECT name FROM grower WHERE town = 7"},
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(p) + "\n" for p in pairs))
        text += ONE.format(name=name)
    text += "[queries]\nper_database = 9\nalike = 0.2\ndifficulty = 'paper'\n"
    config = folder / "corpus.toml"
    config.write_text(text)
    return config


def released(corpus: Path) -> dict[str, str]:
    """The digests of all files but those in `.work`."""
    files = (path for path in sorted(corpus.rglob("*")) if path.is_file())
    return {
        path.relative_to(corpus).as_posix(): file_digest(path)
        for path in files
        if ".work" not in path.parts
    }
