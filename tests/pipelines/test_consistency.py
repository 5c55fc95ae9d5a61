"""What a corpus says of itself is held against itself, whatever else of it is damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.files import file_digest
from graphmill.record import Certificate
from pipelines.configuration.progress import Watch
from pipelines.release.held import digests, held_files
from pipelines.release.lock import load_lock, write_lock
from pipelines.verification.consistency import consistency
from pipelines.verification.verify import verify
from tests.pipelines.pages.corpora import record, write_corpus


def problems(folder: Path) -> set[tuple[str, str]]:
    return {(each.where, each.code) for each in consistency(folder, load_lock(folder)).problems}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A record whose certificate of source SQL is of another text, and whose sample is empty."""
    one = record(1, source_sql="SELECT 1")
    ran = Certificate("sqlite", "3", "sqlite", 2, "h", True, "SELECT 2")
    assert one.answer is not None
    spoilt = replace(
        one, certificates=(*one.certificates, ran), answer=replace(one.answer, sample=())
    )
    folder = write_corpus(tmp_path / "c", [spoilt], pages=False)
    lock = load_lock(folder)
    write_lock(folder, {**lock, "files": digests(folder, held_files(folder, lock["graphs"]))})
    return folder


@pytest.mark.parametrize("name", ["nodes/Person.parquet", "manifest.json"])
def test_a_damaged_graph_hides_nothing_that_needs_no_data(corpus: Path, name: str) -> None:
    whole = problems(corpus)
    id = record(1).id
    assert {(f"{id} sqlite (sqlite)", "text"), (id, "sample"), (id, "text")} < whole
    (corpus / "graphs" / "contract" / name).unlink()
    damaged = problems(corpus)
    assert ("graphs/contract", "file-damaged") in damaged
    assert whole - damaged <= {("graphs/contract", "file-changed")}
    found = verify(corpus, Watch(quiet=True))
    told = {(each.where, each.code) for each in found.problems}
    assert told == damaged | {(f"{id} sqlite (sqlite)", "engine")}
    assert found.left_out["duckdb", "whose graph cannot be had"] == 1


@pytest.mark.parametrize("kind", [pa.int32(), pa.float64()])
@pytest.mark.parametrize("stated", [False, True])
def test_a_column_of_another_type_hides_nothing_that_needs_no_data(
    corpus: Path, kind: Any, stated: bool
) -> None:
    """It ended in a traceback of Arrow's; where the manifest was written anew nobody told of it."""
    whole = problems(corpus)
    graph = corpus / "graphs" / "contract"
    file = graph / "nodes" / "Person.parquet"
    table = pq.read_table(file)
    place = table.column_names.index("age")
    pq.write_table(table.set_column(place, "age", table["age"].cast(kind)), file)
    if stated:
        manifest = json.loads((graph / "manifest.json").read_text())
        for entry in manifest["tables"]:
            entry["sha256"] = file_digest(graph / entry["file"])
        (graph / "manifest.json").write_text(json.dumps(manifest))
    found = consistency(corpus, load_lock(corpus)).problems
    (damage,) = [each for each in found if each.code == "file-damaged"]
    assert damage.where == "graphs/contract"
    assert damage.detail == f"{file}: age is {kind}; the schema says int64."
    assert whole - {(each.where, each.code) for each in found} <= {
        ("graphs/contract", "file-changed")
    }
    verify(corpus, Watch(quiet=True))


def test_records_that_cannot_be_read_are_told_alone(corpus: Path) -> None:
    """They were missed by the figures as well."""
    whole = problems(corpus)
    (data,) = (corpus / "data").glob("*.parquet")
    name = data.relative_to(corpus).as_posix()
    assert ("funnel.json", "records") in whole
    data.write_bytes(b"PAR1")
    assert problems(corpus) <= whole - {("funnel.json", "records")} | {
        (name, "file-changed"),
        (name, "rows-damaged"),
    }
    data.unlink()
    assert problems(corpus) <= whole - {("funnel.json", "records")} | {(name, "file-missing")}


def test_a_graph_without_a_schema_hides_nothing_that_needs_none(corpus: Path) -> None:
    (corpus / "graphs" / "contract" / "schema.json").unlink()
    id = record(1).id
    assert {(f"{id} sqlite (sqlite)", "text"), (id, "sample")} < problems(corpus)
