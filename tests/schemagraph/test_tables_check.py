"""A graph's folder whose schema, tables and manifest contradict each other is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines.isolation import IsolatedEngine
from graphmill.errors import EngineUnavailable, SchemaError, SourceError
from qa.fuzz.graphs import read_graph
from schemagraph.folder.graph import Graph
from schemagraph.folder.graphdata import edge_rows, graph_fingerprint, node_rows
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics
from schemagraph.folder.tables_check import check_loadable
from schemagraph.sources.graph_folder import SOURCE

GRAPH = """A(id!: INTEGER, name: STRING, size: INTEGER?, day: DATE?)
B(x!: STRING, y!: INTEGER)
C(at!: ZONED_DATETIME)
A-[R(w: INTEGER?)]->B
B-[S]->A
C-[T]->C

A [1, "a", 2, "2024-02-29"]
A [2, "b", null, null]
B ["u", 1]
B ["u", 2]
C ["2024-01-01T00:00:00Z"]
C ["2024-01-01T01:00:00+01:00"]
A-R-B [1, "u", 2, 7]
B-S-A ["u", 1, 2]
C-T-C ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"]"""
A, B, R = "nodes/A.parquet", "nodes/B.parquet", "edges/A__R__B.parquet"

type Lie = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return read_graph(GRAPH).write(tmp_path / "graph")


def table(name: str, change: Callable[[Any], Any]) -> Lie:
    """A lie of a Parquet file."""
    return lambda folder: pq.write_table(change(pq.read_table(folder / name)), folder / name)


def values(name: str, column: str, given: list[Any], kind: Any = None) -> Lie:
    """A lie of one column."""

    def change(there: Any) -> Any:
        place = there.column_names.index(column)
        return there.set_column(place, column, pa.array(given, kind or there.schema[place].type))

    return table(name, change)


def document(name: str, change: Callable[[Any], object]) -> Lie:
    """A lie of a JSON file."""

    def lie(folder: Path) -> None:
        value = json.loads((folder / name).read_text("utf-8"))
        change(value)
        (folder / name).write_text(json.dumps(value), "utf-8")

    return lie


LIES: dict[str, tuple[Lie, str]] = {
    "a wider type": (values(A, "size", [2.5, None], pa.float64()), "size is double"),
    "a text for a number": (values(A, "size", ["2", None], pa.string()), "size is string"),
    "a type of the schema": (
        document("schema.json", lambda s: s["nodes"][0]["properties"][2].update(type="STRING")),
        "size is int64; the schema says string",
    ),
    "a column too few": (table(A, lambda t: t.drop_columns(["size"])), "has the columns"),
    "a column too many": (table(A, lambda t: t.append_column("z", t["id"])), "has the columns"),
    "columns in another order": (table(A, lambda t: t.select(t.column_names[::-1])), "columns"),
    "null where none may be": (values(A, "name", ["a", None]), "name is null in 1 rows"),
    "a key that is null": (values(A, "id", [1, None]), "id is null"),
    "a key twice": (values(A, "id", [1, 1]), r"key \(id\) occurs before"),
    "a composite key twice": (values(B, "y", [1, 1]), r"key \(x, y\) occurs before"),
    "an edge to nowhere": (values(R, "target.y", [9]), "whose B is not in the graph"),
    "an edge from nowhere": (values(R, "source.id", [9]), "whose A is not in the graph"),
    "an edge without an id": (values(R, "source.id", [None]), "source.id is null"),
    "an edge without its column": (table(R, lambda t: t.drop_columns(["source.id"])), "columns"),
    "an instant that is no node": (
        values("edges/C__T__C.parquet", "source.at", [None]),
        "source.at is null",
    ),
    "fewer rows": (table("edges/B__S__A.parquet", lambda t: t.slice(0, 0)), "has 0 rows"),
    "a count of the manifest": (
        document("manifest.json", lambda m: m["tables"][0].update(rows=1)),
        "has 2 rows; manifest.json says 1",
    ),
    "no digests": (
        document("manifest.json", lambda m: [t.pop("sha256") for t in m["tables"]]),
        "damaged",
    ),
    "no list of tables": (document("manifest.json", lambda m: m.update(tables=None)), "damaged"),
    "no table": (lambda folder: (folder / R).unlink(), "has no file"),
    "no Parquet": (lambda folder: (folder / R).write_text("PAR1"), "cannot be read"),
    "a key that is no property": (
        document("schema.json", lambda s: s["nodes"][0].update(key=["nope"])),
        "nope",
    ),
    "a type twice": (
        document("schema.json", lambda s: s["nodes"].append(s["nodes"][0])),
        "2 times",
    ),
}


def test_a_folder_as_it_is_written_can_be_loaded(folder: Path) -> None:
    check_loadable(folder)
    (folder / "manifest.json").unlink()
    check_loadable(folder)


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_refused(folder: Path, name: str) -> None:
    lie, words = LIES[name]
    check_loadable(folder)
    lie(folder)
    with pytest.raises(SchemaError, match=words):
        check_loadable(folder)


NULLABLE = """P(name!: STRING?)
L(a!: INTEGER?, b!: STRING)
N(message: STRING)
P-[K]->P
P-[M]->L

P [null]
P [null]
P ["Ann"]
L [null, "x"]
L [null, "x"]
L [1, "x"]
N ["twice"]
N ["twice"]
P-K-P ["Ann", "Ann"]
P-M-L ["Ann", 1, "x"]"""


def test_keys_that_can_be_null_and_nodes_without_keys_are_loaded(tmp_path: Path) -> None:
    folder = read_graph(NULLABLE).write(tmp_path / "graph")
    check_loadable(folder)
    values("edges/P__K__P.parquet", "target.name", [None])(folder)
    with pytest.raises(SchemaError, match=r"target\.name is null"):
        check_loadable(folder)


def test_lists_are_keys(tmp_path: Path) -> None:
    folder = read_graph("G(l!: LIST<INTEGER>)\n\nG [[1, 2]]\nG [[12]]").write(tmp_path / "graph")
    check_loadable(folder)
    values("nodes/G.parquet", "l", [[12], [12]])(folder)
    with pytest.raises(SchemaError, match="occurs before"):
        check_loadable(folder)


def test_an_edge_between_unknown_types_is_no_schema(folder: Path) -> None:
    document("schema.json", lambda s: s["edges"][0].update(source="Nope"))(folder)
    with pytest.raises(SchemaError, match="Nope"):
        load_schema(folder)


def test_an_engine_does_not_start_with_it(folder: Path) -> None:
    LIES["a key twice"][0](folder)
    with (
        IsolatedEngine("duckdb", folder) as engine,
        pytest.raises(EngineUnavailable, match="occurs before"),
    ):
        engine.run("SELECT 1 AS x", language="sql")


@pytest.mark.parametrize("place", ["fingerprint", "sha256", "hash"])
def test_a_manifest_of_another_content_is_not_taken_in(folder: Path, place: str) -> None:
    def change(manifest: Any) -> None:
        (manifest if place == "fingerprint" else manifest["tables"][0])[place] = "0" * 64

    document("manifest.json", change)(folder)
    with pytest.raises(SourceError, match="damaged graph"):
        SOURCE.convert(str(folder), folder.with_name("out"), "")
    assert not folder.with_name("out").exists()


@pytest.mark.parametrize(
    ("name", "column", "kind", "was"),
    [
        *((A, "size", each, "int64") for each in (pa.int32(), pa.int8(), pa.float16())),
        (R, "w", pa.float32(), "int64"),
        (R, "source.id", pa.int32(), "int64"),
        *(
            (A, "name", each, "string")
            for each in (pa.large_string(), pa.dictionary(pa.int32(), pa.string()))
        ),
        (A, "name", pa.string_view(), "string"),
    ],
)
def test_all_who_read_tables_tell_a_column_of_another_type(
    folder: Path, name: str, column: str, kind: Any, was: str
) -> None:
    """Some ended in a traceback of Arrow's."""

    def cast(table: Any) -> Any:
        place = table.column_names.index(column)
        return table.set_column(place, column, table[column].cast(kind))

    table(name, cast)(folder)
    schema = load_schema(folder)
    for read in (
        lambda: graph_fingerprint(folder, deep=True),
        lambda: gather_statistics(folder, schema, 0),
        lambda: Graph(folder).tables(),
        lambda: (
            [list(node_rows(folder, node)) for node in schema.nodes]
            + [list(edge_rows(folder, edge, schema)) for edge in schema.edges]
        ),
        lambda: check_loadable(folder),
    ):
        with pytest.raises(SchemaError) as told:
            read()
        assert str(told.value).startswith(
            f"{folder / name}: {column} is {kind}; the schema says {was}."
        )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "This is no schema: it is no object."),
        ("NaN", "This is no schema: it is no object."),
        ("{}", "This is no schema: it has no number as its version."),
        ('{"version": NaN}', "This is no schema: it has no number as its version."),
        ('{"version": true}', "This is no schema: it has no number as its version."),
        ('{"version": 7}', "This schema has the version 7;"),
    ],
)
def test_what_is_no_schema_says_so(folder: Path, text: str, said: str) -> None:
    """It had the version None."""
    (folder / "schema.json").write_text(text)
    with pytest.raises(SchemaError) as told:
        load_schema(folder)
    assert f"schema.json: {said}" in str(told.value)
