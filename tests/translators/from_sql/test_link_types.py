"""Link tables whose foreign keys are declared otherwise than what they reference are edges, and SQL
over them has SQLite's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sql_proof import RUNS, Proof
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_mapping, load_schema
from tests.schemagraph.cases import database
from translators.from_sql.reader import SqlTranslator

pytestmark = pytest.mark.slow

CLUBS = """
CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE club (code TEXT PRIMARY KEY, name TEXT);
CREATE TABLE day (at DATETIME PRIMARY KEY, name TEXT);
CREATE TABLE note (at TEXT PRIMARY KEY, name TEXT);
CREATE TABLE plays (player TEXT REFERENCES player(id), club INTEGER REFERENCES club(code),
  since INTEGER);
CREATE TABLE trains (player REAL REFERENCES player(id), day TEXT REFERENCES day(at), hours INTEGER);
CREATE TABLE writes (player BLOB REFERENCES player(id), day DATETIME REFERENCES note(at));
CREATE TABLE wants (player TEXT NOT NULL REFERENCES player(id),
  club INTEGER NOT NULL REFERENCES club(code));
CREATE TABLE odd (player TEXT REFERENCES player(id), club TEXT REFERENCES club(code));
CREATE TABLE fan (n INTEGER PRIMARY KEY, club INTEGER REFERENCES club(code));
INSERT INTO fan VALUES (1, 7), (2, 'x'), (3, 7);
INSERT INTO player VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy'), (10, 'Di');
INSERT INTO club VALUES ('7', 'A'), ('12', 'B'), ('x', 'C');
INSERT INTO day VALUES ('2024-01-01 00:00:00', 'm'), ('2024-01-02 12:00:00', 't');
INSERT INTO note VALUES ('2024-01-01 00:00:00', 'm'), ('2024-01-02 12:00:00', 't'), ('never', 'n');
INSERT INTO plays VALUES ('1', 7, 1999), ('2', 7, 2001), ('10', 12, 2003), ('1', 12, 2004);
INSERT INTO trains VALUES (1, '2024-01-01 00:00:00', 5), (10, '2024-01-02 12:00:00', 6);
INSERT INTO writes VALUES (1, '2024-01-01 00:00:00'), (3, '2024-01-02 12:00:00');
INSERT INTO odd VALUES ('01', '7'), ('2', '12');
"""
QUERIES = """
SELECT p.name, c.name FROM player p JOIN plays l ON l.player = p.id JOIN club c ON l.club = c.code
SELECT player, club, since FROM plays ORDER BY player
SELECT player FROM plays WHERE player > '10' OR player = 1
SELECT max(player), min(club), sum(club), sum(player) FROM plays
SELECT p.name FROM player p WHERE p.id NOT IN (SELECT player FROM plays WHERE since > 2000)
SELECT p.name, count(l.club) FROM player p LEFT JOIN plays l ON p.id = l.player GROUP BY p.id
SELECT a.player, b.player FROM plays a JOIN plays b ON a.club = b.club WHERE a.player < b.player
SELECT a.player, b.player FROM plays a JOIN trains b ON a.player = b.player
SELECT player || '-' || club FROM plays
SELECT player, day FROM trains WHERE day > '2024-01-01' ORDER BY player
SELECT player / 4, player + 1 FROM trains
SELECT player / 4, player + 1 FROM plays
SELECT day, n.name FROM writes JOIN note n ON n.at = writes.day WHERE writes.day < '2024-01-02'
SELECT substr(day, 1, 7), date(day) FROM trains
SELECT p.name FROM wants w JOIN player p ON p.id = w.player
SELECT l.player FROM plays l JOIN odd o ON l.player = o.player
SELECT l.player FROM plays l JOIN odd o ON o.player = l.player JOIN player p ON p.id = o.player
SELECT l.player FROM plays l JOIN player p ON l.player = p.id JOIN odd o ON o.player = p.id
SELECT l.player, p.id FROM plays l JOIN player p ON p.id + 0 = l.player
SELECT a.n, b.n FROM fan a JOIN fan b ON a.club = b.club
""".strip().splitlines()


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The database and its graph."""
    folder = tmp_path_factory.mktemp("clubs")
    path = database(folder, CLUBS)
    convert(str(path), folder / "graph")
    return path, folder / "graph"


def test_they_are_edges(clubs: tuple[Path, Path]) -> None:
    """Where the stored value can be made of what it references: `'01'` cannot be made of 1."""
    mapping = load_mapping(clubs[1])
    assert mapping is not None
    assert [link.table for link in mapping.edges] == ["plays", "trains", "writes", "wants"]
    assert check_graph(clubs[1]) == []


def test_joins_are_traversals(clubs: tuple[Path, Path]) -> None:
    """A join on such a key compares no values."""
    mapping, schema = load_mapping(clubs[1]), load_schema(clubs[1])
    assert mapping is not None
    statement = SqlTranslator(mapping, schema).translate(QUERIES[0])
    assert not list(find(statement, ir.Compare))


def test_answers_are_those_of_the_source(clubs: tuple[Path, Path]) -> None:
    """grafeo and DuckDB answer the translation as SQLite does the SQL."""
    runs = {name: RUNS[name] for name in ("cypher", "sql")}
    with Proof(runs, 30.0) as proof:
        outcomes = list(proof.database(*clubs, QUERIES))
    assert {o.sql: (o.state, o.not_in) for o in outcomes} == dict.fromkeys(QUERIES, ("proven", ""))
