"""Random SQL over random small databases: SQLite against the graph engines.

    python benchmarks/sql_fuzz.py [--seed 1] [--databases 3] [--queries 200] [--engines cypher,sql]
        [--show 5]

The schema is fixed (a self-reference, a link table with properties, a table without a key,
orphans, NULLs, booleans, dates, numerals as text); rows and queries are drawn. Prints what
`sql_proof` prints; exits with 1 when an answer differs.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.random_sql import Writer, shape_of
from benchmarks.sql_proof import RUNS, Outcome, Proof, report

SCHEMA = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, city TEXT,
  boss INTEGER REFERENCES person(id), member BOOLEAN, joined DATE, points TEXT);
CREATE TABLE club (code TEXT PRIMARY KEY, title TEXT, founded INTEGER, fee REAL,
  head INTEGER REFERENCES person(id));
CREATE TABLE joins (person_id INTEGER NOT NULL REFERENCES person(id),
  club_code TEXT NOT NULL REFERENCES club(code), since INTEGER, role TEXT,
  PRIMARY KEY (person_id, club_code, since));
CREATE TABLE visit (person_id INTEGER REFERENCES person(id), place TEXT, cost REAL, n INTEGER);
CREATE TABLE badge (person_id INTEGER PRIMARY KEY REFERENCES person(id), colour TEXT);
CREATE TABLE "friend of" (a INTEGER NOT NULL REFERENCES person(id),
  b INTEGER NOT NULL REFERENCES person(id), [since when] DATE, PRIMARY KEY (a, b));
CREATE TABLE room (house TEXT NOT NULL, number INTEGER NOT NULL, "group" TEXT UNIQUE,
  PRIMARY KEY (house, number));
CREATE TABLE lesson (id INTEGER PRIMARY KEY, house TEXT, number INTEGER, "group" TEXT
  REFERENCES room("group"), n INTEGER, note TEXT COLLATE NOCASE,
  FOREIGN KEY (house, number) REFERENCES room(house, number));
"""
WORDS = ["ann", "Bob", "bo", "a_b", "50%", "", "x", "10", "9", "Zoë", "it's"]
CITIES = ["Rome", "rome", "Oslo", "Bonn"]


def fill(path: Path, rng: random.Random) -> None:
    """A database with random rows."""
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    size = rng.randint(0, 9)

    def maybe(value: Any) -> Any:
        return None if rng.random() < 0.25 else value

    for i in range(1, size + 1):
        day = f"20{rng.randint(10, 12)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}"
        connection.execute(
            "INSERT INTO person VALUES (?,?,?,?,?,?,?,?)",
            (
                i, rng.choice(WORDS), maybe(rng.randint(1, 4) * 10), maybe(rng.choice(CITIES)),
                maybe(rng.randint(1, size + 1)), maybe(rng.randint(0, 1)), maybe(day),
                maybe(str(rng.randint(-3, 12))),
            ),
        )  # fmt: skip
    codes = rng.sample(["A", "B", "c", "10", "zz"], rng.randint(1, 4))
    for code in codes:
        connection.execute(
            "INSERT INTO club VALUES (?,?,?,?,?)",
            (
                code, maybe(rng.choice(WORDS)), maybe(rng.randint(1990, 1993)),
                maybe(rng.choice([0.0, 1.5, 2.0, 10.25])), maybe(rng.randint(1, size + 2)),
            ),
        )  # fmt: skip
    for _ in range(rng.randint(0, 12) if size else 0):
        connection.execute(
            "INSERT OR IGNORE INTO joins VALUES (?,?,?,?)",
            (
                rng.randint(1, size), rng.choice(codes), rng.randint(1, 3),
                maybe(rng.choice(["x", "y"])),
            ),
        )  # fmt: skip
    for _ in range(rng.randint(0, 9)):
        connection.execute(
            "INSERT INTO visit VALUES (?,?,?,?)",
            (
                maybe(rng.randint(1, size + 1)), maybe(rng.choice(CITIES)),
                maybe(rng.choice([0.5, 3.25, 7.125])), rng.randint(0, 3),
            ),
        )  # fmt: skip
    for i in rng.sample(range(1, size + 1), size // 2):
        connection.execute("INSERT INTO badge VALUES (?,?)", (i, maybe(rng.choice(WORDS))))
    for _ in range(rng.randint(0, 8) if size else 0):
        row = (rng.randint(1, size), rng.randint(1, size), maybe(f"2020-01-0{rng.randint(1, 9)}"))
        connection.execute('INSERT OR IGNORE INTO "friend of" VALUES (?,?,?)', row)
    for number in range(rng.randint(0, 4)):
        room = (rng.choice("AB"), number, maybe(f"r{number}"))
        connection.execute("INSERT INTO room VALUES (?,?,?)", room)
    for number in range(rng.randint(0, 7)):
        lesson = (
            number, maybe(rng.choice("AB")), maybe(rng.randint(0, 3)),
            maybe(f"r{rng.randint(0, 3)}"), maybe(rng.randint(1, 3)), maybe(rng.choice(WORDS)),
        )  # fmt: skip
        connection.execute("INSERT INTO lesson VALUES (?,?,?,?,?,?)", lesson)
    connection.commit()
    connection.close()


def main() -> int:
    """Run the comparison."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--databases", type=int, default=3)
    arguments.add_argument("--queries", type=int, default=200)
    arguments.add_argument("--engines", default="cypher,gql,sql")
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    runs = {name: run for name, run in RUNS.items() if name in options.engines.split(",")}
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder, Proof(runs, 30.0) as proof:
        for number in range(options.databases):
            rng = random.Random(options.seed * 1000 + number)
            path = Path(folder) / f"drawn{number}.sqlite"
            fill(path, rng)
            writer = Writer(rng, shape_of(path, rng))
            texts = list(dict.fromkeys(writer.query() for _ in range(options.queries)))
            outcomes += proof.database(path, Path(folder) / path.stem, texts)
    report(outcomes, options.show)
    return int(any(outcome.state in ("disagrees", "crash") for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
