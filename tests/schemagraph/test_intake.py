"""Tables of a hostile program: each is refused in words, before anything reads them in earnest."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.errors import SchemaError
from schemagraph.folder.graphdata import edge_layout, edge_table, node_layout, node_table
from schemagraph.folder.intake import check_intake, take_in
from schemagraph.folder.serde import load_schema
from schemagraph.folder.writer import GraphWriter

SCHEMA = load_schema(Path(__file__).parents[1] / "generators/synthesis/parcels").keys_first()
COUNTS = {node.name: 9 for node in SCHEMA.nodes} | {edge.name: 9 for edge in SCHEMA.edges}
LAYOUTS = {f"nodes/{node_table(node)}": node_layout(node) for node in SCHEMA.nodes} | {
    f"edges/{edge_table(edge)}": edge_layout(edge, SCHEMA) for edge in SCHEMA.edges
}
ROW: dict[str, Any] = {
    "string": "a",
    "int64": 1,
    "double": 1.5,
    "bool": True,
    "date32[day]": date(9999, 12, 31),
    "timestamp[us]": datetime(1, 1, 1),
}


def texts(*values: bytes) -> pa.Array:
    """Texts of any bytes, as no library of ours would write them."""
    raw = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(raw), raw.buffers())


def table(name: str) -> pa.Table:
    """One row of a table, with the first and the last day that there is."""
    layout = LAYOUTS[name]
    lists = [field for field in layout if pa.types.is_list(field.type)]
    columns = {
        f.name: [["a"]] if f in lists else [ROW.get(str(f.type).replace("large_", ""))]
        for f in layout
    }
    return pa.table(columns, schema=layout)


def drawn(folder: Path) -> Path:
    """A folder as a program leaves it."""
    for name in LAYOUTS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table(name), folder / f"{name}.parquet")
    return folder


def taken(folder: Path, graph: Path) -> str:
    """What is said of a folder of tables; empty when it is taken."""
    if problems := check_intake(folder, SCHEMA, COUNTS):
        return "\n".join(f"{problem.message} [{problem.code}]" for problem in problems)
    try:
        with GraphWriter(graph) as writer:
            take_in(folder, SCHEMA, writer)
    except SchemaError as problem:
        return str(problem)
    return ""


def test_the_tables_are_taken(tmp_path: Path) -> None:
    assert taken(drawn(tmp_path / "drawn"), tmp_path / "graph") == ""


CELLS: dict[str, tuple[str, str, Callable[[], pa.Array], str]] = {
    "no text": ("nodes/Depot", "city", lambda: texts(b"\xff\xed\xa0\x80"), "UTF8"),
    "no text, of an end": (
        "edges/Courier__REPORTS_TO__Courier",
        "source.badge",
        lambda: texts(b"\xff"),
        "UTF8",
    ),
    "a day after 9999": (
        "nodes/Depot",
        "opened_on",
        lambda: pa.array([2_932_897], pa.int32()).cast(pa.date32()),
        "after 9999",
    ),
    "the last day of all": (
        "nodes/Depot",
        "opened_on",
        lambda: pa.array([2**31 - 1], pa.int32()).cast(pa.date32()),
        "after 9999",
    ),
    "a moment before the year 1": (
        "nodes/Parcel",
        "posted_at",
        lambda: pa.array([-62_135_596_801], pa.int64()).cast(pa.timestamp("s")),
        "before the year 1",
    ),
    "a moment that overflows": (
        "nodes/Parcel",
        "posted_at",
        lambda: pa.array([2**60], pa.int64()).cast(pa.timestamp("ms")),
        "out of bounds",
    ),
    "not a number": ("nodes/Parcel", "vat", lambda: pa.array([float("nan")]), "without end"),
    "infinity": ("nodes/Parcel", "vat", lambda: pa.array([float("-inf")]), "without end"),
    "no text in a list": (
        "nodes/Customer",
        "languages",
        lambda: pa.ListArray.from_arrays([0, 1], texts(b"\xff")),
        "UTF8",
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_values_that_nothing_can_read_are_refused(name: str, tmp_path: Path) -> None:
    at, column, cell, said = CELLS[name]
    folder = drawn(tmp_path / "drawn")
    given = table(at)
    place = given.column_names.index(column)
    pq.write_table(given.set_column(place, column, cell()), folder / f"{at}.parquet")
    problem = taken(folder, tmp_path / "graph")
    assert column in problem
    assert said in problem


COLUMNS = ",".join(LAYOUTS["nodes/Depot"].names)
CSV = {
    "twice the same": (f"{COLUMNS},city\n".encode(), "more than one column city"),
    "no text": (b"\xff\xfe,\xed\n1,2\n", "cannot be read"),
    "too many": (b"," * 20_000 + b"\n", "20,001 columns"),
    "too many, in lines of quotes": (b'"\n"' + b"," * 20_000 + b"\n", "20,001 columns"),
    "too many, by carriage returns": (b"," * 20_000 + b"\r1\r", "20,001 columns"),
    "too long": (b"x" * 2_000_000, "cannot be read"),
    "nothing": (b"", "cannot be read"),
}


@pytest.mark.parametrize("name", CSV)
def test_columns_that_nothing_can_read_are_refused(name: str, tmp_path: Path) -> None:
    content, said = CSV[name]
    folder = drawn(tmp_path / "drawn")
    (folder / "nodes/Depot.parquet").unlink()
    (folder / "nodes/Depot.csv").write_bytes(content)
    assert said in taken(folder, tmp_path / "graph")


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    folder = drawn(tmp_path / "drawn")
    given = table("nodes/Depot")
    pq.write_table(given.append_column("city", given["city"]), folder / "nodes/Depot.parquet")
    assert "more than one column city" in taken(folder, tmp_path / "graph")
