"""Texts under a PAD SPACE collation, of which blanks at the end do not count: MariaDB's answers,
or a refusal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graphmill.errors import Refused
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from tests.servers import execute
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.proving import made, states
from translators.from_sql.reader import SqlTranslator
from translators.render import render

# `name` has blanks inside alone, `loose` at the end too, `tab` control characters, `code` none.
_TEXT = "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
_TABLES = f"""
CREATE TABLE team (code {_TEXT} PRIMARY KEY, title {_TEXT} NOT NULL)
INSERT INTO team VALUES ('r', 'Red'), ('b', 'Blue'), ('v', '')
CREATE TABLE w (id INTEGER PRIMARY KEY, name {_TEXT}, loose {_TEXT}, tab {_TEXT}, code {_TEXT},
 FOREIGN KEY (code) REFERENCES team (code))
INSERT INTO w VALUES (1, 'Ann', 'Ann ', 'Ann', 'r'), (2, 'Ann Lee', 'Ann', 'Ann\\tB', 'b'),
 (3, 'Bo', '  Bo ', 'Bo', NULL), (4, '', ' ', '\\n', 'r'), (5, NULL, NULL, NULL, 'b'),
 (6, 'A b', 'A', 'A', 'r'), (7, 'Annz', 'Ann\\t', 'Ann', 'v')
"""
_PROVEN = """
SELECT id FROM w WHERE name = 'Ann '
SELECT id FROM w WHERE name <> 'Ann  '
SELECT id FROM w WHERE name IN ('Ann ', 'Bo', ' ')
SELECT id FROM w WHERE name NOT IN ('Ann ', 'Bo')
SELECT id FROM w WHERE name = '   '
SELECT id, nullif(name, 'Bo ') FROM w
SELECT id, CASE name WHEN 'Ann ' THEN 1 WHEN 'Bo' THEN 2 ELSE 3 END FROM w
SELECT id FROM w WHERE name BETWEEN 'Ann ' AND 'Bo '
SELECT id FROM w WHERE name < 'Ann '
SELECT id FROM w WHERE name >= 'Ann   '
SELECT id FROM w WHERE (name, code) = ('Ann ', 'r ')
SELECT id FROM w WHERE (name, code) IN (('Ann ', 'r '), ('Bo', 'b'))
SELECT id FROM w WHERE concat(name, ' ') = name
SELECT id FROM w WHERE concat(code, ' ', name) = 'r '
SELECT id FROM w WHERE concat(name, ' ') > name
SELECT id FROM w WHERE left(name, 2) = 'A'
SELECT id FROM w WHERE trim(name) = 'Bo '
SELECT id FROM w WHERE ltrim(loose) = 'Bo'
SELECT id FROM w WHERE loose = 'Ann'
SELECT id FROM w WHERE loose <> 'Ann   '
SELECT id FROM w WHERE loose IN ('A ', '')
SELECT id FROM w WHERE tab = 'Ann '
SELECT id FROM w WHERE tab LIKE 'Ann%'
SELECT id FROM w WHERE loose LIKE 'Ann'
SELECT a.id, b.id FROM w a JOIN w b ON a.name = b.loose
SELECT a.id, b.id FROM w a JOIN w b ON a.loose = b.loose AND a.id < b.id
SELECT a.id, b.id FROM w a JOIN w b ON a.name = b.name AND a.id < b.id
SELECT w.id, title FROM w JOIN team ON w.code = team.code WHERE title = 'Red '
SELECT id FROM w WHERE name = (SELECT max(name) FROM w WHERE code = 'r ')
SELECT id FROM w WHERE name IN (SELECT name FROM w WHERE code = 'r ')
SELECT id, greatest(name, 'B ') FROM w WHERE id < 3
SELECT DISTINCT name FROM w
SELECT code, count(*) FROM w GROUP BY code
SELECT count(DISTINCT name), max(name) FROM w
SELECT DISTINCT left(code, 1), concat(name, '-', code) FROM w
SELECT DISTINCT CASE WHEN id > 2 THEN name ELSE 'none' END FROM w
SELECT name FROM w UNION SELECT code FROM w
SELECT loose FROM w UNION ALL SELECT name FROM w
SELECT count(*) FROM (SELECT DISTINCT name AS x FROM w) t WHERE x = 'Ann '
SELECT count(*) FROM (SELECT concat(name, ' ') AS x FROM w) t WHERE x = 'Ann'
SELECT id FROM w ORDER BY name, id
""".strip().splitlines()
_REFUSED = """
SELECT DISTINCT loose FROM w
SELECT loose, count(*) FROM w GROUP BY loose
SELECT count(DISTINCT loose) FROM w
SELECT max(loose) FROM w
SELECT DISTINCT left(name, 2) FROM w
SELECT loose FROM w UNION SELECT name FROM w
SELECT id FROM w WHERE tab < 'Ann'
SELECT id FROM w WHERE name < 'Ann\\t'
SELECT id FROM w ORDER BY tab
SELECT max(tab) FROM w
SELECT id FROM w WHERE concat(name, '\\t') < name
SELECT id FROM w ORDER BY loose
""".strip().splitlines()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, mariadb_server: str) -> Path:
    """The graph of the tables."""
    return made(tmp_path_factory.mktemp("padding"), mariadb_server, _TABLES)


@pytest.mark.slow
def test_answers_are_those_of_the_source(shop: Path, mariadb_server: str) -> None:
    assert states(shop, mariadb_server, _PROVEN) == dict.fromkeys(_PROVEN, "proven")


@pytest.mark.slow
@pytest.mark.parametrize("query", _REFUSED)
def test_what_blanks_decide_is_refused(shop: Path, query: str) -> None:
    mapping = load_mapping(shop)
    assert mapping is not None
    with pytest.raises(Refused) as caught:
        SqlTranslator(mapping, load_schema(shop)).translate(query)
    assert caught.value.code == "collation"


@pytest.mark.slow
def test_blanks_count_under_other_collations(tmp_path: Path, mariadb_server: str) -> None:
    """Beside such columns, what is computed from texts is compared where no blank ends it."""
    exact = _TEXT.replace("utf8mb4_bin", "utf8mb4_nopad_bin")
    tables = f"""
CREATE TABLE w (id INTEGER PRIMARY KEY, name {_TEXT}, exact {exact})
INSERT INTO w VALUES (1, 'Ann', 'Ann '), (2, 'Bo', 'Bo'), (3, 'A b', 'A b')
"""
    texts = [
        "SELECT id FROM w WHERE exact = 'Ann'",
        "SELECT id FROM w WHERE exact = 'Ann '",
        "SELECT id FROM w WHERE name = 'Ann '",
        "SELECT DISTINCT exact FROM w",
        "SELECT id FROM w WHERE upper(name) = 'BO'",
    ]
    graph = made(tmp_path, mariadb_server, tables)
    refused = ["SELECT id FROM w WHERE left(name, 2) = 'A'", "SELECT id FROM w WHERE name = exact"]
    expected = {**dict.fromkeys(texts, "proven"), **dict.fromkeys(refused, "refused")}
    assert states(graph, mariadb_server, [*texts, *refused]) == expected


@pytest.mark.slow
def test_foreign_keys_that_differ_in_blanks_make_no_edges(
    tmp_path: Path, mariadb_server: str
) -> None:
    """The source joins their rows, and so does the translation."""
    tables = f"""
CREATE TABLE team (code {_TEXT} PRIMARY KEY, title {_TEXT})
INSERT INTO team VALUES ('r', 'Red'), ('b', 'Blue')
CREATE TABLE w (id INTEGER PRIMARY KEY, code {_TEXT}, FOREIGN KEY (code) REFERENCES team (code))
INSERT INTO w VALUES (1, 'r'), (2, 'r '), (3, 'b'), (4, NULL)
"""
    graph = made(tmp_path, mariadb_server, tables)
    assert not load_schema(graph).edges
    texts = ["SELECT id, title FROM w JOIN team ON w.code = team.code"]
    assert states(graph, mariadb_server, texts) == dict.fromkeys(texts, "proven")


_CHARS = """
SELECT id FROM w WHERE upper(c) = 'ANN'
SELECT id, c || 'x' FROM w
SELECT id, concat(c, 'x') FROM w
SELECT id FROM w WHERE c LIKE 'A%n'
SELECT id FROM w WHERE c LIKE 'Ann%'
SELECT id, substr(c, 2, 4), length(c), replace(c, ' ', '-') FROM w
SELECT id, c::text FROM w
SELECT id, coalesce(c, 'none') FROM w
""".strip().splitlines()
_CHARS_REFUSED = """
SELECT id FROM w WHERE coalesce(c, 'x') = 'Ann'
SELECT coalesce(c, 'x'), count(*) FROM w GROUP BY coalesce(c, 'x')
SELECT id, CASE WHEN id > 1 THEN c ELSE t END FROM w
SELECT id FROM w WHERE c = 'Ann'
""".strip().splitlines()


@pytest.mark.slow
def test_char_loses_its_blanks_in_functions(tmp_path: Path, postgres_server: str) -> None:
    """PostgreSQL casts char(n) to text for most functions, which takes blanks at the end away."""
    make = 'CREATE TABLE w (id integer PRIMARY KEY, c char(6), t text COLLATE "C")'
    rows = "INSERT INTO w VALUES (1, 'Ann', 'a'), (2, 'A n', 'b'), (3, '', 'c'), (4, NULL, 'd')"
    execute(postgres_server, ["DROP TABLE IF EXISTS w", make, rows])
    try:
        convert(postgres_server, tmp_path / "graph")
        texts = [*_CHARS, *_CHARS_REFUSED]
        outcomes = states(tmp_path / "graph", postgres_server, texts, "postgresql")
    finally:
        execute(postgres_server, ["DROP TABLE w"])
    refused = dict.fromkeys(_CHARS_REFUSED, "refused")
    assert outcomes == {**dict.fromkeys(_CHARS, "proven"), **refused}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM author WHERE name = 'Ann' ORDER BY name",
        "SELECT DISTINCT upper(name) FROM author WHERE name IN ('Ann', 'Bob Lee') AND name < 'M'",
        "SELECT concat(name, ' (', id, ')') AS x, count(*) FROM author GROUP BY x",
        "SELECT a.id FROM author a JOIN author b ON a.name = b.name",
    ],
)
def test_texts_without_blanks_at_the_end_are_said_as_ever(sql: str, library: Library) -> None:
    mapping = replace(library.translator.mapping, dialect="mysql")
    nodes = tuple(
        replace(
            node,
            columns=tuple(
                replace(column, padding="some") if column.name == "name" else column
                for column in node.columns
            ),
        )
        for node in mapping.nodes
    )
    plain, padded = (
        render(SqlTranslator(each, library.schema).translate(sql), "cypher", library.schema).text
        for each in (mapping, replace(mapping, nodes=nodes))
    )
    assert plain == padded
