"""Texts with U+0000, where SQLite's functions and patterns stop: its answers, or a refusal."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping
from schemagraph.mapping import Semantics
from tests.translators.from_sql.proving import states

_TABLES = """
CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, loose, any BLOB, cased TEXT COLLATE NOCASE,
 plain TEXT);
INSERT INTO p VALUES (1, 'ab', 'ab', 7, 'AB', 'ab'), (4, NULL, NULL, NULL, NULL, NULL),
 (2, 'a' || char(0) || 'b', 'a' || char(0), 'a' || char(0), 'a' || char(0) || 'b', 'a'),
 (3, char(0), 7, X'00', 'a' || char(0) || 'B', ''), (5, 'abc', 2.5, '7', 'abc', 'abc');
"""
_PROVEN = """
SELECT name, plain FROM p
SELECT id FROM p WHERE name = 'a'
SELECT id FROM p WHERE name <> 'a' AND name IS NOT NULL
SELECT id FROM p WHERE name IN ('a', 'ab')
SELECT id FROM p WHERE name > 'a' AND name < 'abb'
SELECT id FROM p WHERE name BETWEEN 'a' AND 'ab'
SELECT id FROM p ORDER BY name, id
SELECT name, count(*) FROM p GROUP BY name
SELECT count(DISTINCT name), min(name), max(name) FROM p
SELECT a.id, b.id FROM p a JOIN p b ON a.name = b.name
SELECT id FROM p WHERE cased = 'ab'
SELECT length(plain), substr(plain, 1, 1) FROM p WHERE plain LIKE '%b'
"""
_REFUSED = """
SELECT id FROM p WHERE length(name) = 1
SELECT substr(name, 1, 3) FROM p
SELECT id FROM p WHERE name LIKE '%b'
SELECT id FROM p WHERE name NOT LIKE 'a'
SELECT id FROM p WHERE name GLOB '*b'
SELECT length(name), count(*) FROM p GROUP BY length(name)
SELECT length(n) FROM (SELECT name AS n FROM p) AS s
WITH s AS (SELECT DISTINCT name AS n FROM p) SELECT substr(n, 2) FROM s
SELECT length(max(name)) FROM p
SELECT length(coalesce(name, 'x')) FROM p
SELECT length(CASE WHEN id > 1 THEN name ELSE 'x' END) FROM p
SELECT length(name || 'x') FROM p
SELECT length(upper(name)) FROM p
SELECT length((SELECT name FROM p AS q WHERE q.id = p.id)) FROM p
SELECT length(n) FROM (SELECT name AS n FROM p UNION ALL SELECT plain FROM p) AS s
SELECT length(n) FROM (SELECT plain AS n FROM p UNION SELECT name FROM p) AS s
SELECT id FROM p WHERE loose LIKE 'a'
SELECT length(loose) FROM p
SELECT length(any) FROM p
SELECT id FROM p WHERE cased LIKE 'a'
SELECT length(first_value(name) OVER (ORDER BY id)) FROM p
SELECT length(plain || char(0)) FROM p
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nul")
    connection = sqlite3.connect(folder / "p.sqlite")
    connection.executescript(_TABLES)
    connection.close()
    convert(str(folder / "p.sqlite"), folder / "graph")
    return folder / "graph"


def test_columns_with_such_texts_are_marked(graph: Path) -> None:
    mapping = load_mapping(graph)
    assert mapping is not None
    marked = {each.name for each in mapping.nodes[0].columns if each.semantics is Semantics.NUL}
    assert marked == {"name", "loose", "any", "cased"}
    assert (graph / "mapping.json").read_text("utf-8").count('"semantics"') == len(marked)


def test_the_answers_are_those_of_sqlite(graph: Path) -> None:
    proven = _PROVEN.strip().splitlines()
    refused = _REFUSED.strip().splitlines()
    outcomes = states(graph, str(graph.parent / "p.sqlite"), [*proven, *refused], "sqlite")
    assert outcomes == {**dict.fromkeys(proven, "proven"), **dict.fromkeys(refused, "refused")}
