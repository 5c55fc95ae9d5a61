"""Columns get the type that holds them exactly: `types.pairs`, and any values at all."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import node_rows
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Column
from tests.schemagraph.cases import Case, cases, database

pytestmark = pytest.mark.slow


FLAGS = ("integers", "mixed", "literals", "undecodable")


def shown(column: Column) -> str:
    flags = (flag for flag in FLAGS if getattr(column, flag))
    return " ".join([str(column.type), *flags, *filter(None, [column.format])])


@pytest.mark.parametrize("case", cases("types.pairs"), ids=lambda case: case.place)
def test_types(case: Case, tmp_path: Path) -> None:
    given_lines = [*case.given, *case.expected]
    declared, _, listed = given_lines[0].partition(":")
    literals = listed.strip().split(" | ")
    script = f"CREATE TABLE t (v {declared});"
    script += "".join(f"INSERT INTO t VALUES ({literal});" for literal in literals)
    path = database(tmp_path, script)
    convert(str(path), tmp_path / "graph")
    mapping, schema = load_mapping(tmp_path / "graph"), load_schema(tmp_path / "graph")
    assert mapping is not None
    column = mapping.nodes[0].columns[0]
    assert shown(column) == given_lines[1]
    assert column.nullable == any(literal == "NULL" for literal in literals)
    found = [row["v"] for row in node_rows(tmp_path / "graph", schema.nodes[0])]
    if len(given_lines) > 2:
        names = {"date": date, "datetime": datetime, "time": time}
        expected = [eval(text, names) for text in given_lines[2].split(" | ")]
    else:
        connection = sqlite3.connect(path)
        expected = [row[0] for row in connection.execute("SELECT v FROM t")]
        connection.close()
        if found and isinstance(found[0], date):
            expected = [value and date.fromisoformat(value) for value in expected]
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1, 2**53, 2**53 + 1, -(2**53) - 1]),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=70),
    st.sampled_from(["1", "-0", "1.0", "1e5", "inf", "01", "2024-01-31", "12:00:00", "'", "X''"]),
    st.dates().map(str),
    st.times().map(str),
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.datetimes().map(str),
    st.datetimes().map(lambda moment: moment.isoformat(" ", "milliseconds")),
    st.binary(max_size=70),
)
DECLARED = st.sampled_from(
    ["", "INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "BOOLEAN", "DATE", "TIME", "DATETIME", "ANY"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(DECLARED, min_size=1, max_size=4).flatmap(
    lambda kinds: st.tuples(
        st.just(kinds), st.lists(st.tuples(*[VALUES] * len(kinds)), max_size=12)
    )
))  # fmt: skip
def test_whatever_is_stored_comes_back(drawn: tuple[list[str], list[tuple[Any, ...]]]) -> None:
    """`convert` compares all values with the source; this gives it all that SQLite can store."""
    kinds, rows = drawn
    with TemporaryDirectory() as folder:
        path = Path(folder) / "any.sqlite"
        connection = sqlite3.connect(path)
        listed = ", ".join(f"c{n} {kind}" for n, kind in enumerate(kinds))
        connection.execute(f"CREATE TABLE t ({listed})")
        marks = ", ".join("?" for _ in kinds)
        connection.executemany(f"INSERT INTO t VALUES ({marks})", rows)
        connection.commit()
        connection.close()
        report = convert(str(path), Path(folder) / "graph")
    assert report.checks[0].rows == len(rows)
