"""All rows of a corpus are read, whatever their file is called; what is no row is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.errors import GraphmillError
from graphmill.files import read_rows, write_records
from graphmill.record import FORMAT
from pipelines.configuration.progress import Watch
from pipelines.preview import readable
from pipelines.release.held import digests, held_files
from pipelines.release.lock import load_lock, write_lock
from pipelines.verification.integrity import Problem
from pipelines.verification.released import Released, read_released
from pipelines.verification.verify import verify
from tests.pipelines.pages.corpora import LANGUAGES, record

TRAIN = "data/train-00000-of-00001.parquet"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with the records of one split and no graph."""
    mine = [replace(record(number), split="train") for number in range(3)]
    write_records(tmp_path / TRAIN, mine, LANGUAGES)
    return tmp_path


def _locked(folder: Path, form: int = FORMAT) -> dict[str, Any]:
    files = digests(folder, held_files(folder, []))
    write_lock(folder, {"format": form, "graphs": {}, "files": files})
    return load_lock(folder)


def _read(folder: Path) -> tuple[list[Released], list[Problem]]:
    return read_released(folder, _locked(folder))


def test_a_release_has_one_file_for_each_split(corpus: Path) -> None:
    rows, problems = _read(corpus)
    assert [row.stored for row in rows] == [row.record.id for row in rows]
    assert [row.split for row in rows] == ["train"] * 3
    assert not problems


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("data/train-00001-of-00002.parquet", "train"),
        ("data/test-x.parquet", "test"),
        ("data/more.parquet", None),
        ("data/sub/train-00000-of-00001.parquet", "train"),
    ],
)
def test_another_shard_is_told_and_its_records_are_read(
    corpus: Path, name: str, split: str | None
) -> None:
    write_records(corpus / name, [replace(record(7), split="train")], LANGUAGES)
    rows, problems = _read(corpus)
    assert len(rows) == 4
    added = record(7).id
    assert [row.split for row in rows if row.stored == added] == [split]
    assert [(each.where, each.code) for each in problems] == [(name, "rows-name")]
    told = {problem.code for problem in verify(corpus, Watch(quiet=True)).problems}
    assert {"rows-name", "no-graph"} <= told


def test_a_shard_beside_the_records_is_told(corpus: Path) -> None:
    name = "unanswerable/train-00001-of-00002.parquet"
    write_records(corpus / name, [record(7)], LANGUAGES)
    assert [each.where for each in _read(corpus)[1]] == [name]


def test_a_file_that_is_no_parquet_is_told_and_the_others_are_read(corpus: Path) -> None:
    name = "data/test-00000-of-00001.parquet"
    (corpus / name).write_bytes(b"not parquet")
    rows, problems = _read(corpus)
    assert len(rows) == 3
    assert [(each.where, each.code) for each in problems] == [(name, "rows-damaged")]


@pytest.mark.parametrize(("field", "value"), [("instances", ["../schema"]), ("score", 0.1)])
def test_columns_that_differ_from_the_detail_are_told(
    corpus: Path, field: str, value: object
) -> None:
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    rows[1]["discrimination"][field] = value
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), corpus / TRAIN)
    kept, problems = _read(corpus)
    assert len(kept) == 3
    assert [(each.where, each.code) for each in problems] == [(rows[1]["id"], "discrimination")]


@pytest.mark.parametrize("detail", ["{", "[]", None])
def test_a_row_that_is_no_record_is_told_by_its_id(corpus: Path, detail: str | None) -> None:
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    rows[1]["discrimination"]["detail"] = detail
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), corpus / TRAIN)
    kept, problems = _read(corpus)
    assert [row.stored for row in kept] == [rows[0]["id"], rows[2]["id"]]
    assert [(each.where, each.code) for each in problems] == [
        (f"{rows[1]['id']} ({TRAIN})", "record-damaged")
    ]


DEEP = "[" * 300 + "]" * 300


@pytest.mark.parametrize(
    ("field", "part", "value"),
    [
        ("constructs", "", [None, "match"]),
        ("answer", "rows", None),
        ("answer", "sample", DEEP),
        ("discrimination", "detail", '{"score": 1.0, "instances": [[]]}'),
    ],
)
def test_what_is_of_another_kind_within_a_row_is_told(
    corpus: Path, field: str, part: str, value: object
) -> None:
    """One of these ended `verify` with a traceback, and nothing else was told."""
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    if part:
        rows[1][field][part] = value
    else:
        rows[1][field] = value
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), corpus / TRAIN)
    kept, problems = _read(corpus)
    assert [row.stored for row in kept] == [rows[0]["id"], rows[2]["id"]]
    assert [each.code for each in problems] == ["record-damaged"]


def test_a_file_without_a_column_is_told(corpus: Path) -> None:
    (path,) = (corpus / "data").glob("train-*")
    table = pq.read_table(path)
    pq.write_table(table.drop_columns(["readings"]), path)
    (problem,) = [each for each in _read(corpus)[1] if each.code == "columns-missing"]
    assert problem.detail.endswith("are gone: readings.")


def test_a_lock_of_a_lower_format_than_its_rows_is_told(corpus: Path) -> None:
    """Without its own hash it would pass for one of before it had one."""
    _, problems = read_released(corpus, _locked(corpus, 2))
    assert [(each.where, each.code) for each in problems] == [(TRAIN, "format")]


@pytest.mark.parametrize("marked", [True, False])
def test_rows_of_an_older_corpus_have_no_problem(corpus: Path, marked: bool) -> None:
    """One that this graphmill wrote for it, as reviews do, and one of before files said it."""
    mine = [replace(record(number), split="train", format=2) for number in range(3)]
    write_records(corpus / TRAIN, mine, LANGUAGES)
    if not marked:
        table = pq.read_table(corpus / TRAIN)
        pq.write_table(table.replace_schema_metadata(None), corpus / TRAIN)
    rows, problems = read_released(corpus, _locked(corpus, 2))
    assert (len(rows), problems) == (3, [])


def _edit(corpus: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the second row, whose columns may then be others."""
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    change(rows[1])
    marks = table.schema.metadata
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata(marks), corpus / TRAIN)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row["answer"].update(more=1), "answer has the unknown more"),
        (lambda row: row["certificates"][0].update(x=1), "certificates has the unknown x"),
        (lambda row: row.update(provenance=None), "provenance is null"),
        (lambda row: row.update(queries=None), "queries is no structure of texts by language"),
        (lambda row: row["answer"].update(sample=None), "answer.sample is no text of JSON"),
        (
            lambda row: row["answer"].update(sample=f"[[{'9' * 5000}]]"),
            "(answer.sample cannot be read: a number has too many digits)",
        ),
        (
            lambda row: row["discrimination"].update(detail=f'{{"a": {"9" * 5000}}}'),
            "(discrimination.detail cannot be read: a number has too many digits)",
        ),
        (
            lambda row: row["discrimination"].update(detail='{"score": 1, "score": 1}'),
            "the key 'score' is there twice in one object",
        ),
    ],
)
def test_what_is_wrong_with_a_row_is_said_of_the_record(
    corpus: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    """And not of the program that reads it (`__init__() got an unexpected keyword argument`)."""
    _edit(corpus, change)
    problems = [each for each in _read(corpus)[1] if each.code == "record-damaged"]
    assert problems
    assert all(said in each.detail and "__init__" not in each.detail for each in problems)


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        (f"[[{'9' * 5000}]]", "answer.sample cannot be read: a number has too many digits"),
        ("[" * 100_000, "answer.sample cannot be read"),
        ('{"a": 1, "a": 2}', "answer.sample cannot be read"),
        ("[[1", "answer.sample cannot be read: Expecting ',' delimiter"),
    ],
)
def test_a_row_that_is_shown_says_what_is_wrong_with_it(
    corpus: Path, sample: str, said: str
) -> None:
    """A traceback that spoke of `sys.set_int_max_str_digits()`."""
    _edit(corpus, lambda row: row["answer"].update(sample=sample))
    rows = list(read_rows(corpus / TRAIN))
    readable(rows[0])
    with pytest.raises(GraphmillError) as caught:
        readable(rows[1])
    assert f"The record {rows[1]['id']} is damaged ({said}" in str(caught.value)
    assert "sys." not in str(caught.value)


def test_a_field_that_is_gone_is_named(corpus: Path) -> None:
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    for row in rows:
        del row["answer"]["hash"], row["source_sql"]
    pq.write_table(pa.Table.from_pylist(rows), corpus / TRAIN)
    details = {each.detail for each in _read(corpus)[1] if each.code == "record-damaged"}
    assert details == {"The row is no record (it has no source_sql; answer has no hash)."}


def test_a_column_that_no_record_has_is_told_once_and_the_rows_are_read(corpus: Path) -> None:
    table = pq.read_table(corpus / TRAIN)
    pq.write_table(table.append_column("zz", pa.array([1, 2, 3])), corpus / TRAIN)
    rows, problems = _read(corpus)
    assert len(rows) == 3
    assert [(each.where, each.code) for each in problems] == [(TRAIN, "columns-unknown")]


def test_records_of_an_unknown_graph_are_told_each_and_judged_without_it(corpus: Path) -> None:
    _edit(corpus, lambda row: row.update(difficulty="extra_hard"))
    _locked(corpus)
    found = verify(corpus, Watch(quiet=True))
    ids = [record(number).id for number in range(3)]
    assert [each.where for each in found.problems if each.code == "no-graph"] == ids
    assert ids[1] in [each.where for each in found.problems if each.code == "difficulty"]
    assert found.left_out["duckdb", "whose graph cannot be had"] == 3


def _unlike_utf_8(column: Any) -> Any:
    """A column of texts whose last is none."""
    texts = [text.encode() for text in column.to_pylist()[:-1]] + [b"\xff\xfe"]
    whole = pa.array(texts, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(whole), whole.buffers())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda table: table.set_column(7, "question", _unlike_utf_8(table["question"])),
            "row 3: a text in 'question' is not UTF-8.",
        ),
        (
            lambda table: table.append_column("id", table["db"]),
            "the column 'id' is there twice.",
        ),
        (
            lambda table: table.append_column(
                "more",
                pa.StructArray.from_arrays([table["id"].combine_chunks()] * 2, names=["a", "a"]),
            ),
            "the column 'more.a' is there twice.",
        ),
        (
            lambda table: table.append_column("when", pa.array([0, 0, 2**62], pa.timestamp("us"))),
            "row 3: 'when': ",
        ),
    ],
)
def test_what_cannot_be_read_of_a_file_hides_nothing_else(
    corpus: Path, change: Callable[[Any], Any], said: str
) -> None:
    """Of two columns with one name whoever reads the file took another."""
    name = "data/test-00000-of-00001.parquet"
    write_records(
        corpus / name, [replace(record(number), split="test") for number in range(3)], LANGUAGES
    )
    assert pq.read_schema(corpus / name).names[7] == "question"
    pq.write_table(change(pq.read_table(corpus / name)), corpus / name)
    rows, problems = _read(corpus)
    assert {row.split for row in rows} >= {"train"}
    (problem,) = [each for each in problems if each.code == "rows-damaged"]
    assert problem.where == name
    assert said in problem.detail


@pytest.mark.parametrize("written", ["9" * 6000, "x", "2", "4", None])
def test_a_file_that_does_not_say_the_format_of_its_lock_is_told(
    corpus: Path, written: str | None
) -> None:
    """That it says none is told where all do, since a lock counts unanswerable questions."""
    table = pq.read_table(corpus / TRAIN)
    marks = None if written is None else {"graphmill.format": written}
    pq.write_table(table.replace_schema_metadata(marks), corpus / TRAIN)
    rows, problems = read_released(corpus, {**_locked(corpus), "unanswerable": 0})
    assert len(rows) == 3
    assert [(each.where, each.code) for each in problems] == [(TRAIN, "format")]
    assert len(problems[0].detail) < 120
    if written is None:
        assert not read_released(corpus, _locked(corpus))[1]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda row: row.update(readings=None), "readings"),
        (
            lambda row: row.update(external_knowledge=None, source_sql=None),
            "external_knowledge, source_sql",
        ),
        (lambda row: row["certificates"][0].update(version=None), "certificates.version"),
        (lambda row: row["provenance"].update(model=None), "provenance.model"),
    ],
)
def test_what_is_null_in_no_record_is_told(
    corpus: Path, change: Callable[[dict[str, Any]], object], named: str
) -> None:
    table = pq.read_table(corpus / TRAIN)
    rows = table.to_pylist()
    change(rows[1])
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), corpus / TRAIN)
    (problem,) = _read(corpus)[1]
    assert (problem.where, problem.code) == (rows[1]["id"], "null")
    assert problem.detail.endswith(f": {named}.")
