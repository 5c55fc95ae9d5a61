"""A small ferry company: enough tables for every stage, small enough for many builds."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

SCHEMA = """
CREATE TABLE port (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT NOT NULL, built INTEGER, home INTEGER
  REFERENCES port (id));
CREATE TABLE crossing (
  id INTEGER PRIMARY KEY, ship INTEGER NOT NULL REFERENCES ship (id),
  origin INTEGER NOT NULL REFERENCES port (id), target INTEGER NOT NULL REFERENCES port (id),
  day DATE NOT NULL, passengers INTEGER);
CREATE TABLE calls_at (ship INTEGER NOT NULL REFERENCES ship (id),
  port INTEGER NOT NULL REFERENCES port (id), berth TEXT, PRIMARY KEY (ship, port));
INSERT INTO port VALUES (1, 'Göteborg', 'Sweden'), (2, 'Frederikshavn', 'Denmark'),
  (3, 'Kiel', 'Germany'), (4, 'Oslo', NULL);
INSERT INTO ship VALUES (1, 'Stena', 1996, 1), (2, 'Aurora', 2011, 2), (3, 'Brim', 2019, NULL);
INSERT INTO crossing VALUES (1, 1, 1, 2, '2024-05-01', 420), (2, 1, 2, 1, '2024-05-01', 388),
  (3, 2, 2, 4, '2024-05-02', NULL), (4, 2, 1, 3, '2024-05-03', 610), (5, 3, 3, 1, '2024-05-04', 35);
INSERT INTO calls_at VALUES (1, 1, 'A1'), (1, 2, 'B2'), (2, 2, NULL), (2, 3, 'C1'), (2, 4, 'A1');
"""

PAIRS: list[dict[str, object]] = [
    {"question": "How many ports are there?", "sql": "SELECT count(*) FROM port"},
    {
        "question": "Which ships were built after 2000?",
        "sql": "SELECT name FROM ship WHERE built > 2000",
    },
    {
        "question": "How many crossings leave each port?",
        "sql": "SELECT p.name, count(*) FROM crossing c JOIN port p ON c.origin = p.id "
        "GROUP BY p.id, p.name",
    },
    {
        "question": "Which ships call at Kiel?",
        "sql": "SELECT s.name FROM ship s JOIN calls_at k ON k.ship = s.id "
        "JOIN port p ON p.id = k.port WHERE p.name = 'Kiel'",
    },
    {
        "question": "Which ports does no ship have as its home?",
        "sql": "SELECT name FROM port WHERE id NOT IN "
        "(SELECT home FROM ship WHERE home IS NOT NULL)",
    },
    {
        "question": "Which crossing carried the most passengers?",
        "sql": "SELECT id, passengers FROM crossing ORDER BY passengers DESC LIMIT 1",
    },
    {
        "question": "Which ships sail to the moon?",
        "sql": "SELECT name FROM ship WHERE built < 1900",
    },
    {"question": "What is wrong here?", "sql": "SELECT name FRM ship"},
    {"question": "How many harbours are there?", "sql": "SELECT COUNT(*) FROM PORT"},
]


@pytest.fixture
def ferries(tmp_path: Path) -> Path:
    """The configuration of a source with good and bad pairs."""
    folder = tmp_path / "ferries"
    folder.mkdir()
    with sqlite3.connect(folder / "ferries.sqlite") as database:
        database.executescript(SCHEMA)
    database.close()
    lines = [json.dumps(pair) for pair in PAIRS]
    lines.insert(3, '{"question": "torn')
    (folder / "pairs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    config = folder / "corpus.toml"
    config.write_text(
        """
[corpus]
name = "ferries"
also = ["ngql"]
splits = { train = 0.6, validation = 0.2, test = 0.2 }
[[source]]
kind = "relational"
url = "sqlite:///ferries.sqlite"
domain = "transport"
subdomain = "ferries"
pairs = "pairs.jsonl"
[queries]
grow = false
""",
        encoding="utf-8",
    )
    return config


LAKES = {
    "directed": True,
    "multigraph": False,
    "graph": {},
    "nodes": [
        {"id": "v", "labels": ["Lake"], "name": "Vättern", "depth": 128, "salt": False},
        {"id": "m", "labels": ["Lake", "Reservoir"], "name": "Mjøsa", "depth": 453, "salt": False},
        {"id": "g", "labels": ["River"], "name": "Gudå", "length": 37.5},
        {"id": "t", "labels": ["River"], "name": "Tresa"},
    ],
    "links": [
        {"source": "g", "target": "v", "type": "FLOWS_INTO", "since": 1900},
        {"source": "t", "target": "v", "type": "FLOWS_INTO"},
        {"source": "m", "target": "t", "type": "FEEDS"},
    ],
}

LAKE_PAIRS = [
    {
        "question": "Which rivers flow into Vättern?",
        "cypher": "MATCH (r:River)-[:FLOWS_INTO]->(l:Lake {name: 'Vättern'}) RETURN r.name AS name",
    },
    {
        "question": "Which lakes are reservoirs?",
        "cypher": "MATCH (l:Lake&Reservoir) RETURN l.name AS name, l.depth AS depth",
    },
    {"question": "Which seas are there?", "cypher": "MATCH (s:Sea) RETURN s.name AS name"},
    {"question": "Drop the lakes.", "cypher": "MATCH (l:Lake) DETACH DELETE l"},
]


@pytest.fixture
def lakes(tmp_path: Path) -> Path:
    """The configuration of a source that is a graph already, with labels in pairs."""
    folder = tmp_path / "lakes"
    folder.mkdir()
    (folder / "lakes.json").write_text(json.dumps(LAKES), encoding="utf-8")
    lines = "".join(json.dumps(pair) + "\n" for pair in LAKE_PAIRS)
    (folder / "pairs.jsonl").write_text(lines, encoding="utf-8")
    config = folder / "corpus.toml"
    config.write_text(
        """
[corpus]
name = "lakes"
[[source]]
kind = "graph"
path = "lakes.json"
domain = "nature"
subdomain = "waters"
pairs = "pairs.jsonl"
[queries]
grow = false
""",
        encoding="utf-8",
    )
    return config
