"""The example database of these tests, as SQLite file and as graph."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest

from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.model import SchemaGraph
from translators.from_sql.reader import SqlTranslator


@dataclass(frozen=True)
class Library:
    """A database, its graph and the translator between them."""

    database: Path
    graph: Path
    schema: SchemaGraph
    translator: SqlTranslator


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The library of `library.sql`."""
    folder = tmp_path_factory.mktemp("library")
    database, graph = folder / "library.sqlite", folder / "graph"
    connection = sqlite3.connect(database)
    connection.executescript((Path(__file__).parent / "library.sql").read_text("utf-8"))
    connection.close()
    convert(str(database), graph)
    schema, mapping = load_schema(graph), load_mapping(graph)
    assert mapping is not None
    return Library(database, graph, schema, SqlTranslator(mapping, schema))
