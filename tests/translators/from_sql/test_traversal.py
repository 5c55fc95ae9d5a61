"""Joins on declared keys are traversals, also where a key's columns are those of an edge's end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlglot

from benchmarks.fill_databases import fill, tables_of
from benchmarks.traversal_share import key_joins, value_joins
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from translators.from_sql.reader import SqlTranslator

SCHOOL = """
CREATE TABLE course (code TEXT PRIMARY KEY, title TEXT);
CREATE TABLE section (code TEXT REFERENCES course(code), term INTEGER, room TEXT,
  PRIMARY KEY (code, term));
CREATE TABLE student (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE takes (student INTEGER NOT NULL REFERENCES student(id), code TEXT NOT NULL,
  term INTEGER NOT NULL, PRIMARY KEY (student, code, term),
  FOREIGN KEY (code, term) REFERENCES section(code, term));
"""
QUERIES = [
    "SELECT c.title FROM course c JOIN section s ON c.code = s.code WHERE s.room = 'A1'",
    "SELECT s.name, t.term FROM student s JOIN takes t ON s.id = t.student WHERE t.code = 'sql'",
    "SELECT c.title FROM takes t JOIN course c ON c.code = t.code JOIN student s"
    " ON s.id = t.student WHERE s.name = 'Ada'",
]


@pytest.fixture
def school(tmp_path: Path) -> Path:
    """The school's database without any row."""
    path = tmp_path / "school.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(SCHOOL)
    connection.close()
    return path


def test_filled(school: Path, tmp_path: Path) -> None:
    """An empty database gets rows that every query finds, that keep all keys, and the same
    ones for the same seed."""
    out = tmp_path / "out" / "school.sqlite"
    assert fill(school, out, QUERIES, rows=5, seed=1, more=False) > 15
    with closing(sqlite3.connect(out)) as connection:
        assert all(connection.execute(query).fetchall() for query in QUERIES)
        assert not connection.execute("PRAGMA foreign_key_check").fetchall()
        rows = list(connection.iterdump())
    fill(school, out, QUERIES, rows=5, seed=1, more=False)
    with closing(sqlite3.connect(out)) as connection:
        assert list(connection.iterdump()) == rows


def test_traversal(school: Path, tmp_path: Path) -> None:
    """No declared key is joined by value, counted apart from the translation."""
    filled, graph = tmp_path / "filled.sqlite", tmp_path / "graph"
    fill(school, filled, QUERIES, rows=5, seed=1, more=False)
    convert(str(filled), graph)
    mapping = load_mapping(graph)
    assert mapping is not None
    translator = SqlTranslator(mapping, load_schema(graph))
    with closing(sqlite3.connect(filled)) as connection:
        tables = tables_of(connection)
    expected = [1, 1, 1]  # `takes.code` refers to sections, not to courses
    for query, number in zip(QUERIES, expected, strict=True):
        assert key_joins(tables, sqlglot.parse_one(query, dialect="sqlite")) == number
        statement = translator.translate(query)
        assert value_joins(mapping, statement) == 0
        assert not list(find(statement, ir.Subquery))
    edges = list(find(translator.translate(QUERIES[2]), ir.EdgePattern))
    assert len(edges) == 2


def test_value_join_is_seen(school: Path, tmp_path: Path) -> None:
    """The count is not blind: a key that an outer reference compares is reported."""
    convert(str(school), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    section, course = (
        ir.NodePattern(var, ir.LabelName(mapping.node_by_table[table].label))
        for var, table in (("s", "section"), ("c", "course"))
    )
    equal = ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var("s"), "code"), ir.Prop(ir.Var("c"), "code"))
    query = ir.Query((ir.Match((ir.Path(section), ir.Path(course)), equal),))
    assert value_joins(mapping, query) == 1
