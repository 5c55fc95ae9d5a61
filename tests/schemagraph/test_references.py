"""Edges of a foreign key are exactly the pairs that SQLite joins."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_mapping, load_schema

pytestmark = pytest.mark.slow

KINDS = st.sampled_from(["INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "TEXT COLLATE NOCASE"])
VALUES = st.sampled_from(
    [None, 0, 1, 2, 1.0, 2.5, -0.0, 2**60, "1", "01", " 1 ", "1.0", "1e0", "2.5", "+1", "", "a",
     "A", "a ", "0x1", "1_0", "inf", b"1", b"a", b"", str(2**60), float(2**60), "9" * 25]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(KINDS, KINDS, st.lists(VALUES, max_size=6), st.lists(VALUES, max_size=8))
def test_edges_are_the_join(
    parent_kind: str, child_kind: str, parents: list[Any], children: list[Any]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        connection = sqlite3.connect(folder / "any.sqlite")
        connection.execute(f"CREATE TABLE p (id INTEGER PRIMARY KEY, k {parent_kind})")
        connection.execute(
            f"CREATE TABLE c (id INTEGER PRIMARY KEY, k {child_kind} REFERENCES p (k))"
        )
        connection.executemany("INSERT INTO p (k) VALUES (?)", [(value,) for value in parents])
        connection.executemany("INSERT INTO c (k) VALUES (?)", [(value,) for value in children])
        connection.commit()
        joins = [
            set(connection.execute(f"SELECT c.id, p.id FROM c JOIN p ON {condition}"))
            for condition in ("c.k = p.k", "p.k = c.k")
        ]
        connection.execute(f"CREATE TEMP TABLE asked (k {child_kind})")
        connection.execute("INSERT INTO asked SELECT k FROM p")
        ambiguous = connection.execute(
            "SELECT count(*) FROM asked JOIN p ON asked.k = p.k GROUP BY asked.rowid "
            "HAVING count(*) > 1 "
            "UNION ALL SELECT 1 FROM p a JOIN p b ON a.k = b.k AND a.id < b.id"
        ).fetchall()
        connection.close()
        convert(str(folder / "any.sqlite"), folder / "graph")
        schema, mapping = load_schema(folder / "graph"), load_mapping(folder / "graph")
        assert mapping is not None
        if not mapping.by_table["c"].foreign_keys:  # type: ignore[union-attr]
            assert ambiguous or "NOCASE" in parent_kind + child_kind
            return
        found = {
            (row.source[0], row.target[0])
            for row in edge_rows(folder / "graph", schema.edges[0], schema)
        }
        assert len(list(node_rows(folder / "graph", schema.nodes[1]))) == len(children)
    assert found == joins[0] == joins[1]
