"""DDL text of several dialects becomes tables: `ddl.pairs`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graphmill.errors import SourceError
from schemagraph.convert.column_types import unseen_type
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.relational import SourceTable
from schemagraph.sources._ddl_text import DdlText
from schemagraph.sources.ddl import DdlSource
from schemagraph.sources.sqlite import SqliteDatabase
from tests.schemagraph.cases import Case, cases, database

MUSEUMS = Path(__file__).parents[2] / "data" / "sources" / "museum_loans" / "schema.sql"


def line(table: SourceTable) -> str:
    columns = ", ".join(
        f"{c.name} {unseen_type(c).type}" + " NOT NULL" * (not c.nullable) for c in table.columns
    )
    unique = "".join(f" unique {{{', '.join(names)}}}" for names in table.unique)
    references = "".join(
        f" -> {r.table} ({', '.join(map(' = '.join, zip(r.columns, r.referenced, strict=True)))})"
        for r in table.references
    )
    return f"{table.name} ({columns}) [{', '.join(table.key)}]{unique}{references}"


def undeclared(table: SourceTable) -> SourceTable:
    """Without the spelling of types: `DECIMAL(5, 2)` is `DECIMAL(5,2)`."""
    return replace(table, columns=tuple(replace(c, declared="") for c in table.columns))


@pytest.mark.parametrize("case", cases("ddl.pairs"), ids=lambda case: case.place)
def test_ddl(case: Case) -> None:
    lines = [*case.given, *case.expected]
    first = next(text for text in lines if text[:2] not in ("! ", "~ "))
    auto, _, found = first.partition(" ")
    given = [text for text in case.given[1:] if text[:2] not in ("! ", "~ ")]
    errors = [text[2:] for text in lines if text.startswith("! ")]
    notes = [text[2:] for text in lines if text.startswith("~ ")]
    text = "\n".join(given)
    if errors:
        with pytest.raises(SourceError) as caught:
            DdlText("t", "t.sql", text, "" if auto == "auto" else auto)
        assert errors[0] in str(caught.value)
        return
    read = DdlText("t", "t.sql", text, "" if auto == "auto" else auto)
    assert read.dialect == (found or auto)
    assert [line(table) for table in read.tables] == list(case.expected)
    for note in notes:
        assert any(note in said for said in read.notes)


def test_the_schema_is_that_of_the_empty_database(tmp_path: Path) -> None:
    text = MUSEUMS.read_text(encoding="utf-8")
    path = tmp_path / "museum.sql"
    path.write_text(text, encoding="utf-8")
    empty = database(tmp_path, text, "museum.sqlite")
    first = convert(str(path), tmp_path / "first", dialect="sqlite")
    convert(str(empty), tmp_path / "second")
    assert first.kind == "sqlite"
    assert load_schema(tmp_path / "first").nodes == load_schema(tmp_path / "second").nodes
    assert check_graph(tmp_path / "first") == []
    source = SqliteDatabase(empty)
    read = DdlText("x", "x", text, "sqlite").tables
    assert list(map(undeclared, read)) == list(map(undeclared, source.tables))
    source.close()


LIBRARY = """
CREATE TABLE author (code TEXT PRIMARY KEY, name TEXT, born INTEGER, fee NUMERIC, mail TEXT UNIQUE);
CREATE TABLE book (id INTEGER NOT NULL UNIQUE, mail TEXT UNIQUE, author TEXT REFERENCES author,
  editor TEXT NOT NULL REFERENCES author);
CREATE TABLE wrote (author TEXT REFERENCES author, book INTEGER REFERENCES book (id));
CREATE TABLE lent (author TEXT NOT NULL REFERENCES author, book INTEGER REFERENCES book (id),
  days INTEGER, PRIMARY KEY (author, book));
"""


def test_nothing_is_observed_of_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "library.sql"
    path.write_text(LIBRARY, encoding="utf-8")
    graph = tmp_path / "graph"
    report = convert(str(path), graph, dialect="sqlite")
    mapping = load_mapping(graph)
    assert mapping is not None
    columns = {(t.table, c.name): c for t in mapping.nodes for c in t.columns}
    columns |= {(t.table, c.name): c for t in mapping.edges for c in (*t.columns, *t.end_columns)}
    assert [place for place, column in columns.items() if not column.nullable] == [
        ("author", "code"),
        ("book", "id"),
        ("book", "editor"),
        ("lent", "author"),
        ("lent", "book"),
    ]
    assert not any(column.ascii or column.form for column in columns.values())
    assert [c.name for c in columns.values() if c.integers] == ["fee"]
    assert mapping.node_by_table["book"].key == ("id",)
    complete = {r.columns: r.complete for r in mapping.node_by_table["book"].foreign_keys}
    assert complete == {("author",): False, ("editor",): True}
    # That no row lacks an end, no row shows: the key does, or who chose it.
    assert [table.table for table in mapping.edges] == ["lent"]
    assert any("wrote is no link table: a row may lack an end" in one for one in report.decisions)
    chosen = tmp_path / "tables.toml"
    chosen.write_text('[tables.wrote]\nas = "edges"\n', encoding="utf-8")
    convert(str(path), tmp_path / "other", dialect="sqlite", tables=chosen)
    other = load_mapping(tmp_path / "other")
    assert other is not None
    assert [table.table for table in other.edges] == ["wrote", "lent"]
    assert not any(column.nullable for column in other.edges[0].end_columns)


def test_nothing_is_known_of_what_has_no_type(tmp_path: Path) -> None:
    path = tmp_path / "t.sql"
    path.write_text(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, u, n NOT NULL, g UUID, s STRING, t TEXT, "
        "m NUMBER, d DATE, b BLOB, o BOOLEAN);"
        "CREATE TABLE s (id INTEGER PRIMARY KEY, a ANY, t TEXT) STRICT;",
        encoding="utf-8",
    )
    report = convert(str(path), tmp_path / "graph")
    mapping = load_mapping(tmp_path / "graph")
    assert mapping is not None
    assert mapping.dialect == "sqlite"
    columns = [column for table in mapping.nodes for column in table.columns]
    assert [c.name for c in columns if c.unseen] == ["u", "n", "g", "s", "a"]
    assert [c.name for c in columns if c.mixed] == ["u", "n", "g", "s", "a"]
    assert sum("no row and no type shows" in one for one in report.warnings) == 5
    assert check_graph(tmp_path / "graph") == []


def test_what_is_ddl(tmp_path: Path) -> None:
    kind = DdlSource()
    path = tmp_path / "a.txt"
    path.write_text("-- x\nCREATE TABLE t (x INTEGER)", encoding="utf-8")
    assert kind.accepts(str(path), path, path.read_bytes())
    assert not kind.accepts(str(path), path, b"{}")
    assert not kind.accepts("sqlite:///x", None, b"")


def test_types_that_are_created_as_enumerations_are_closed_sets(tmp_path: Path) -> None:
    path = tmp_path / "shop.sql"
    path.write_text(
        "CREATE TYPE app.mood AS ENUM ('sad', 'it''s ok');\n"
        "CREATE TABLE a (id int PRIMARY KEY, m app.mood NOT NULL, n text,\n"
        "  e varchar(9) CHECK (e = ANY (ARRAY['x', 'y'])));\n"
    )
    convert(str(path), tmp_path / "graph")
    (node,) = load_schema(tmp_path / "graph").nodes
    values = {p.name: p.values for p in node.properties if p.values}
    assert values == {"m": ("sad", "it's ok"), "e": ("x", "y")}
