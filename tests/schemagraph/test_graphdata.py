"""Graph folders: whole or not there, and every change of one is seen."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmill.errors import GraphmillError, LosslessError, SchemaError, SourceError
from schemagraph.convert import tables_to_graph
from schemagraph.convert.edges import reference_batches
from schemagraph.convert.service import convert
from schemagraph.encoding import encode
from schemagraph.folder import serde
from schemagraph.folder.graphdata import (
    check_tables,
    decode,
    edge_table,
    graph_fingerprint,
    node_table,
)
from schemagraph.folder.graphdata import encode as encode_name
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.writer import GraphWriter
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from tests.schemagraph.cases import database

FERRIES = """
CREATE TABLE port (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, home INTEGER REFERENCES port);
CREATE TABLE calls (ship INTEGER REFERENCES ship, port INTEGER REFERENCES port, berth TEXT);
INSERT INTO port VALUES (1, 'Kiel'), (2, 'Oslo'), (3, NULL);
INSERT INTO ship VALUES (1, 'Brim', 2), (2, 'Aurora', NULL);
INSERT INTO calls VALUES (1, 2, 'a'), (1, 3, 'b');
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    convert(str(database(tmp_path, FERRIES)), tmp_path / "graph")
    return tmp_path / "graph"


def content(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_a_failed_conversion_leaves_the_old_graph(graph: Path, tmp_path: Path) -> None:
    before = content(graph)
    bad = database(tmp_path, "CREATE TABLE a (x INTEGER REFERENCES gone)", "bad.sqlite")
    with pytest.raises(GraphmillError, match="gone"):
        convert(str(bad), graph)
    assert content(graph) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bad.sqlite",
        "graph",
        "shop.sqlite",
    ]


def test_key_columns_come_first_in_the_order_of_the_key(tmp_path: Path) -> None:
    script = """
    CREATE TABLE berth (note TEXT, pier INTEGER, side TEXT, PRIMARY KEY (side, pier));
    CREATE TABLE log (text TEXT, pier INTEGER, side TEXT, at TEXT UNIQUE NOT NULL,
        FOREIGN KEY (side, pier) REFERENCES berth);
    INSERT INTO berth VALUES ('x', 1, 'W');
    INSERT INTO log VALUES ('y', 1, 'W', 'noon');
    """
    convert(str(database(tmp_path, script)), tmp_path / "graph")
    columns = {
        path.stem: pq.read_schema(path).names for path in (tmp_path / "graph").glob("*/*.parquet")
    }
    assert columns == {
        "Berth": ["side", "pier", "note"],
        "Log": ["at", "text", "pier", "side"],
        "Log__HAS_BERTH__Berth": ["source.at", "target.side", "target.pier"],
    }


def test_a_new_graph_replaces_the_old_one(graph: Path, tmp_path: Path) -> None:
    other = database(tmp_path, "CREATE TABLE only (x INTEGER PRIMARY KEY)", "other.sqlite")
    convert(str(other), graph)
    assert [path.name for path in (graph / "nodes").iterdir()] == ["Only.parquet"]


def test_what_a_killed_conversion_left_is_tidied(graph: Path, tmp_path: Path) -> None:
    whole = content(graph)
    graph.rename(tmp_path / ".graph.old")  # killed between the two renames of a replacement
    (tmp_path / ".graph.part").mkdir()
    bad = database(tmp_path, "CREATE TABLE a (x INTEGER REFERENCES gone)", "bad.sqlite")
    with pytest.raises(GraphmillError):
        convert(str(bad), graph)
    assert not graph.exists()
    convert(str(database(tmp_path, FERRIES, "again.sqlite")), graph)
    assert set(content(graph)) == set(whole)
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_what_cannot_be_written_is_named_as_it_would_be_called(tmp_path: Path) -> None:
    out = tmp_path / "g"

    def fails() -> None:
        with GraphWriter(out) as writer:
            (writer.folder / "manifest.json").mkdir()
            writer.commit(SchemaGraph("none", (), ()), None, origin={})

    with pytest.raises(GraphmillError, match=rf"^Cannot write {out}/manifest\.json: Is a dir"):
        fails()


def test_what_is_no_graph_is_not_replaced(tmp_path: Path) -> None:
    source = database(tmp_path, FERRIES)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    convert(str(source), tmp_path / "graph")
    for origin in (source, tmp_path / "graph"):
        for out in (tmp_path / "mine", source):
            with pytest.raises(GraphmillError, match="is no graph, so it is not replaced"):
                convert(str(origin), out)
    with pytest.raises(GraphmillError, match="Cannot write"):
        convert(str(source), source / "graph")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda column, array: pa.nulls(len(array), array.type), "the graph gives None back"),
        (
            lambda column, array: array.take(pa.array(range(len(array))[::-1])),
            "the source has 'Kiel', and the graph gives None back",
        ),
        (lambda column, array: array.fill_null("?"), "the source has None, and the graph"),
    ],
)
def test_a_graph_that_lost_something_is_not_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[object, pa.Array], pa.Array],
    said: str,
) -> None:
    def spoiled(column: object, cells: object, length: int) -> pa.Array:
        array = encode(column, cells, length)  # type: ignore[arg-type]
        name = column.name  # type: ignore[attr-defined]
        return spoil(column, array) if name == "name" and length == 3 else array

    monkeypatch.setattr(tables_to_graph, "encode", spoiled)
    with pytest.raises(LosslessError, match=r"Table port, column name, row \d") as problem:
        convert(str(database(tmp_path, FERRIES)), tmp_path / "graph")
    assert said in str(problem.value)
    assert not (tmp_path / "graph").exists()


def test_edges_between_the_wrong_nodes_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reference_batches

    def turned(*arguments: object) -> list[pa.RecordBatch]:
        made = list(real(*arguments))  # type: ignore[arg-type]
        ones = pa.array([1] * made[0].num_rows, pa.int64())
        return [pa.record_batch([batch.column(0), ones], batch.schema) for batch in made]

    monkeypatch.setattr(tables_to_graph, "reference_batches", turned)
    with pytest.raises(LosslessError, match="1 edges HAS_HOME, 0 of them between the right nodes"):
        convert(str(database(tmp_path, FERRIES)), tmp_path / "graph")


def test_the_manifest_counts(graph: Path) -> None:
    manifest = load_manifest(graph)
    assert {table.file: table.rows for table in manifest.tables} == {
        "nodes/Port.parquet": 3,
        "nodes/Ship.parquet": 2,
        "edges/Ship__HAS_HOME__Port.parquet": 1,
        "edges/Ship__CALLS__Port.parquet": 2,
    }
    assert [column.nulls for column in manifest.tables[0].columns] == [0, 1]
    assert manifest.origin["file"] == "shop.sqlite"


def test_the_fingerprint_sees_every_change(graph: Path) -> None:
    whole = graph_fingerprint(graph)
    assert graph_fingerprint(graph, deep=True) == whole
    path = graph / "nodes" / "Port.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take([2, 0, 1]), path, compression="none")
    assert graph_fingerprint(graph, deep=True) == whole  # the same content in other bytes
    changed = table.set_column(1, table.field(1), pa.array(["Kiel", "Bergen", None]))
    pq.write_table(changed, path)
    assert graph_fingerprint(graph, deep=True) != whole
    path.write_bytes(b"PAR1")
    with pytest.raises(SchemaError, match=r"Port\.parquet cannot be read"):
        graph_fingerprint(graph, deep=True)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("schema.json", "HAS_HOME", "HAS_HOMES"), ("mapping.json", "sqlite", "duckdb")],
)
def test_the_fingerprint_covers_schema_and_mapping(
    graph: Path, name: str, old: str, new: str
) -> None:
    whole = graph_fingerprint(graph)
    text = (graph / name).read_text()
    (graph / name).write_text(text.replace(old, new))
    assert graph_fingerprint(graph, deep=True) != whole


def test_schema_and_mapping_come_back_as_written(graph: Path) -> None:
    schema, mapping = serde.load_schema(graph), serde.load_mapping(graph)
    assert mapping is not None
    assert serde.schema_from_json(serde.schema_to_json(schema)) == schema
    assert serde.mapping_from_json(serde.mapping_to_json(mapping)) == mapping


def test_damaged_artefacts_are_named(graph: Path, tmp_path: Path) -> None:
    (graph / "mapping.json").write_text('{"version": 1, "nodes": 5}')
    with pytest.raises(SchemaError, match="damaged"):
        serde.load_mapping(graph)
    (graph / "schema.json").write_text('{"version": 99}')
    with pytest.raises(SchemaError, match="version 99"):
        serde.load_schema(graph)
    (graph / "schema.json").write_text("{")
    with pytest.raises(SchemaError, match="not JSON"):
        serde.load_schema(graph)
    shutil.rmtree(graph)
    with pytest.raises(SchemaError, match="is no graph"):
        serde.load_schema(graph)


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_names_of_files_tell_types_apart(one: str, two: str) -> None:
    assert (encode_name(one) == encode_name(two)) == (one == two)
    assert decode(encode_name(one)) == one
    assert "__" not in encode_name(one)


@pytest.mark.parametrize("name", ["L" * 300, "主" * 90, "<" * 100])
def test_a_file_system_takes_the_name_of_every_type(name: str) -> None:
    others = [NodeType((f"{name}{end}",)) for end in ("", "a", "b")]
    edges = [EdgeType(name, name, each.name) for each in others]
    tables = [*map(node_table, others), *map(edge_table, edges)]
    assert max(len(f".{table}.parquet.part".encode()) for table in tables) <= 255
    assert len(set(tables)) == 6


def test_a_graph_whose_file_decodes_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMILL_MAX_DECODED_MB", "1")
    (tmp_path / "nodes").mkdir()
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 20), ["x" * 100_000])
    pq.write_table(pa.table({"name": text}), tmp_path / "nodes" / "P.parquet")
    with pytest.raises(SourceError, match=r"P\.parquet .* decodes to more than 1 MB"):
        check_tables(tmp_path)
