"""Errors and refusals of source SQL say where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.errors import QueryTextError, Refused
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from tests.schemagraph.cases import database
from tests.translators.from_sql.conftest import Library
from translators.from_sql.reader import SqlTranslator


@pytest.mark.parametrize(
    ("sql", "line", "column"),
    [
        ("SELECT title FORM book", 1, 19),
        ("SELECT title\nFROM book\nWHERE (pages > 1", 3, 16),
        ("SELECT title, FROM book WHERE", 1, 25),
        ("SELECT 'open FROM book", 1, 1),
        ("", 1, 1),
        ("-- nothing", 1, 1),
    ],
)
def test_syntax(sql: str, line: int, column: int, library: Library) -> None:
    """A text that is no SQL is a syntax error with its place."""
    with pytest.raises(QueryTextError) as caught:
        library.translator.translate(sql)
    assert caught.value.kind == "syntax"
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("sql", "code", "line", "column"),
    [
        ("SELECT titel\nFROM book", "unknown-column", 1, 8),
        ("SELECT title\nFROM books", "unknown-table", 2, 6),
        ("SELECT b.titel FROM book b", "unknown-column", 1, 8),
        ("SELECT 1 FROM book\nWHERE x.title = 'a'", "unknown-table", 2, 7),
    ],
)
def test_semantic(sql: str, code: str, line: int, column: int, library: Library) -> None:
    """A name that does not exist is a semantic error with its place, and a proposal."""
    with pytest.raises(QueryTextError) as caught:
        library.translator.translate(sql)
    assert (caught.value.kind, caught.value.code) == ("semantic", code)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_proposal(library: Library) -> None:
    """The closest name is offered."""
    with pytest.raises(QueryTextError, match="Did you mean 'title'"):
        library.translator.translate("SELECT titel FROM book b")
    with pytest.raises(QueryTextError, match="Did you mean 'book'"):
        library.translator.translate("SELECT title FROM boook")


def test_refusal_span(library: Library) -> None:
    """A refusal names the construct and its place."""
    with pytest.raises(Refused) as caught:
        library.translator.translate("SELECT title,\n  group_concat(title) FROM book")
    assert caught.value.construct == "GroupConcat"
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (2, 3)


def test_nesting(library: Library) -> None:
    """Deep nesting is refused or translated, never a crash."""
    sql = f"SELECT {'(' * 5000}1{')' * 5000} FROM book"
    with pytest.raises((Refused, QueryTextError)):
        library.translator.translate(sql)


def test_same_input_same_output(library: Library) -> None:
    """A translator keeps nothing from one text to the next."""
    sql = "SELECT a.name, count(*) FROM author a JOIN book b ON b.author_id = a.id GROUP BY a.id"
    first = library.translator.translate(sql)
    library.translator.translate("SELECT name FROM member")
    assert library.translator.translate(sql) == first


@pytest.mark.parametrize("word", ["upper", "lower"])
def test_case_on_both_sides_is_refused_for_its_letters(word: str, tmp_path: Path) -> None:
    """Letters beyond ASCII are the reason, where each side is another of the same kind."""
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
        "INSERT INTO t VALUES (1, 'É', 'é'), (2, 'x', 'X');",
    )
    convert(str(source), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    translator = SqlTranslator(mapping, load_schema(tmp_path / "graph"))
    for test in (f"{word}(a) = {word}(b)", f"{word}(a) IN ({word}(b), 'X')"):
        with pytest.raises(Refused) as caught:
            translator.translate(f"SELECT id FROM t WHERE {test}")
        assert caught.value.code == "ascii-case"
    translator.translate(f"SELECT id FROM t WHERE {word}(a) = {word}('x')")


def test_texts_that_become_numbers_beside_a_column_are_refused(tmp_path: Path) -> None:
    """SQLite makes a number of '1' in a column without a type beside one of numeric affinity."""
    source = database(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, mb INT, ul, um);"
        "INSERT INTO t VALUES (1, 1, '1', 1), (2, X'31', 1, 'x'), (3, 'x', '10', 10);",
    )
    convert(str(source), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    translator = SqlTranslator(mapping, load_schema(tmp_path / "graph"))
    for test in ("a.mb = b.ul", "a.ul <> b.mb"):
        with pytest.raises(Refused) as caught:
            translator.translate(f"SELECT a.id FROM t a JOIN t b ON {test}")
        assert caught.value.code == "affinity"
    translator.translate("SELECT a.id FROM t a JOIN t b ON a.mb = b.mb")


@pytest.mark.parametrize("over", ["> ALL", "= ANY", "<> ALL", "> SOME"])
def test_sqlite_has_no_quantified_comparison(library: Library, over: str) -> None:
    with pytest.raises(Refused) as caught:
        library.translator.translate(f"SELECT id FROM book WHERE id {over} (SELECT id FROM author)")
    assert caught.value.code == "unsupported-expression"
    assert "ANY or ALL" in str(caught.value)
