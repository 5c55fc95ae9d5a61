"""Rows beside the records say what their records say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill import convert
from graphmill.files import read_rows, stored_layout, write_records
from graphmill.record import SPLITS, Provenance, Reading, Record, Split
from pipelines.build.context import Graph
from pipelines.release import folder as release
from pipelines.release.exported_columns import exported_problems, text_of_schema
from pipelines.release.masked import masked_file, pair_problems, write_pairs
from pipelines.verification.beside import _flat, beside_problems
from pipelines.verification.record_fields import graph_problems
from tests.pipelines.pages.corpora import LANGUAGES, record

PAIR = replace(record(1), split="train")
HOPELESS = Record(
    PAIR.schema,
    PAIR.db,
    replace(PAIR.questions, business="Who flies?"),
    {},
    Provenance("unanswerable", "1", 7, parent=PAIR.id),
    domain=PAIR.domain,
    subdomain=PAIR.subdomain,
    split="train",
    unanswerable={"reason": "no-thing", "missing": "flying"},
)
ASKED = replace(
    PAIR,
    questions=replace(PAIR.questions, original="Who?"),
    queries={**PAIR.queries, "ngql": "YIELD 1"},
)
LOCK: dict[str, Any] = {"graphs": {}}
NAME = "train-00000-of-00001.parquet"


def _why(record: Record, **changed: str) -> Record:
    return replace(record, unanswerable={**record.unanswerable, **changed})


def _from(record: Record, parent: str) -> Record:
    return replace(record, provenance=replace(record.provenance, parent=parent))


def problems(folder: Path, **lock: Any) -> list[tuple[str, str]]:
    found = beside_problems(folder, {**LOCK, **lock}, [(PAIR.id, PAIR)])
    return [(each.where.split(" ")[0], each.code) for each in found]


@pytest.mark.parametrize(
    ("change", "split", "codes"),
    [
        (lambda one: one, "train", []),
        (lambda one: one, "test", ["split", "splits"]),
        (lambda one: replace(one, split="test"), "test", ["splits"]),
        (lambda one: replace(one, unanswerable={}), "train", ["unanswerable"]),
        (lambda one: _why(one, reason=""), "train", ["unanswerable"]),
        (lambda one: _why(one, reason="tired"), "train", ["unanswerable"]),
        (lambda one: _why(one, missing=""), "train", ["unanswerable"]),
        (lambda one: _from(one, "deadbeef"), "train", ["parent"]),
        (lambda one: _from(one, ""), "train", ["parent"]),
        (lambda one: replace(one, domain="sport"), "train", ["parent"]),
        (lambda one: replace(one, schema="t"), "train", ["parent"]),
        (lambda one: replace(one, difficulty="easy"), "train", ["unanswerable"]),
        (lambda one: replace(one, constructs=("match",)), "train", ["unanswerable"]),
        (lambda one: replace(one, source_sql="SELECT 1"), "train", ["unanswerable"]),
        (
            lambda one: replace(one, readings=(Reading("rows", "logical", "said"),)),
            "train",
            ["unanswerable"],
        ),
        (lambda one: replace(one, queries={"cypher": "RETURN 1"}), "train", ["unanswerable"]),
        (lambda one: replace(one, answer=PAIR.answer), "train", ["unanswerable"]),
    ],
)
def test_questions_without_an_answer_are_such_and_where_their_pair_is(
    tmp_path: Path, change: Callable[[Record], Record], split: Split, codes: list[str]
) -> None:
    one = replace(change(HOPELESS), format=1)
    write_records(tmp_path / "unanswerable" / f"{split}-00000-of-00001.parquet", [one], LANGUAGES)
    assert problems(tmp_path) == [(one.id, code) for code in codes]


def test_a_question_without_an_answer_that_is_there_twice_is_told(tmp_path: Path) -> None:
    one = replace(HOPELESS, format=1)
    place = tmp_path / "unanswerable"
    write_records(place / NAME, [one, one], LANGUAGES)
    assert problems(tmp_path) == [(one.id, "twice")]
    write_records(place / NAME, [one], LANGUAGES)
    found = beside_problems(tmp_path, LOCK, [(PAIR.id, PAIR), (one.id, PAIR)])
    assert [each.code for each in found] == ["twice"]


def test_the_lock_counts_questions_without_an_answer(tmp_path: Path) -> None:
    assert problems(tmp_path) == []
    assert problems(tmp_path, unanswerable=1) == [("unanswerable", "records")]
    write_records(tmp_path / "unanswerable" / NAME, [replace(HOPELESS, format=1)], LANGUAGES)
    assert problems(tmp_path, unanswerable=1) == []


def test_a_release_counts_both_kinds_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "unanswerable", lambda *_: [HOPELESS, HOPELESS])
    config: Any = SimpleNamespace(languages=LANGUAGES)
    files: dict[Split, Path] = {each: tmp_path / "data" / f"{each}.parquet" for each in SPLITS}
    graph = Graph(PAIR.db, tmp_path, "f")
    rows = [(PAIR.db, [PAIR])]
    assert release._write_records(config, tmp_path, [graph], rows, files) == (1, 2)
    assert release._write_records(config, tmp_path, [graph], [], files) == (0, 0)


def test_a_pair_that_experts_took_out_leaves_its_questions(tmp_path: Path) -> None:
    one = replace(_from(HOPELESS, "gone"), format=1)
    write_records(tmp_path / "unanswerable" / NAME, [one], LANGUAGES)
    assert problems(tmp_path) == [(one.id, "parent")]
    line = {"stage": "review", "code": "wrong", "evidence": {"record": "gone"}}
    (tmp_path / "rejects.jsonl").write_text(json.dumps(line) + "\n")
    assert problems(tmp_path) == []


@pytest.mark.parametrize("place", ["data", "unanswerable", "languages/gql"])
@pytest.mark.parametrize(
    ("row", "codes"),
    [
        ({}, []),
        ({"schema_text": "lie"}, ["schema_text"]),
        ({"canary": "lie"}, ["canary"]),
        ({"canary": None, "schema_text": None}, ["canary", "schema_text"]),
    ],
)
def test_what_an_export_adds_to_rows_is_compared(
    tmp_path: Path, place: str, row: dict[str, Any], codes: list[str]
) -> None:
    with sqlite3.connect(tmp_path / "a.sqlite") as db:
        db.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
    db.close()
    convert(tmp_path / "a.sqlite", tmp_path / "graphs" / "a")
    lock = {"graphs": {"a": {}}, "canary": "c"}
    text = text_of_schema(tmp_path / "graphs" / "a")
    whole = {"db": "a", "schema_text": text, "canary": "c", **row}
    (tmp_path / place).mkdir(parents=True)
    layout = pa.schema([(name, pa.string()) for name in whole])
    pq.write_table(pa.Table.from_pylist([whole], schema=layout), tmp_path / place / NAME)
    found = list(exported_problems(tmp_path, lock))
    assert [code for _, code, _ in found] == codes
    assert all(where == f"{place}/{NAME}" for where, _, _ in found)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "unanswerable").mkdir()
    (tmp_path / "unanswerable" / NAME).write_bytes(b"none")
    assert problems(tmp_path) == [(f"unanswerable/{NAME}", "rows-damaged")]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda table: table.drop_columns(["id"]), ["columns-missing", "record-damaged"]),
        (lambda table: table.append_column("x", pa.array(["x"])), ["columns-unknown"]),
        (lambda table: table.append_column("id", table["id"]), ["rows-damaged"]),
        (lambda table: table.replace_schema_metadata({"graphmill.format": "4"}), ["format"]),
        (lambda table: _with(table, readings=None), ["null"]),
        (
            lambda table: _with(
                table, discrimination={"score": 1.0, "instances": [], "detail": "{}"}
            ),
            ["unanswerable"],
        ),
    ],
)
def test_files_of_questions_without_an_answer_are_held_to_what_others_are(
    tmp_path: Path, change: Callable[[Any], Any], codes: list[str]
) -> None:
    """One without ids ended `verify` with a traceback, and nothing else was told."""
    file = tmp_path / "unanswerable" / NAME
    write_records(file, [replace(HOPELESS, format=1)], LANGUAGES)
    pq.write_table(change(pq.read_table(file)), file)
    assert [code for _, code in problems(tmp_path)] == codes


def _with(table: Any, **changes: Any) -> Any:
    rows = [{**row, **changes} for row in table.to_pylist()]
    return pa.Table.from_pylist(rows, schema=table.schema)


def test_an_id_of_another_kind_is_told_of_masked_pairs(tmp_path: Path) -> None:
    (tmp_path / "masked").mkdir()
    pq.write_table(pa.table({"id": [["a"]]}), tmp_path / "masked" / NAME)
    assert [code for _, code, _ in pair_problems(tmp_path, [PAIR])] == ["no-record"]


MASKED_PAIR: dict[str, Any] = {
    **dict.fromkeys(("Qid", "Query_masked", "GQL_masked"), "x"),
    **{name: ["é"] for name in ("SubSchema", "Masked_name", "Oral_name", "Answer")},
    "Query": ASKED.questions.original,
    "GQL": ASKED.queries["ngql"],
    "graphmill": {"hops": 1, "path": "p", "form": "f", "told_back": "t", "similarity": 0.1},
}


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda rows: rows, []),
        (lambda rows: [{**rows[0], "canary": "c", "schema_text": "s"}], []),
        (lambda rows: [{**rows[0], "Query_masked": "y"}], ["text"]),
        (lambda rows: [{**rows[0], "Answer": "[1]"}], ["text"]),
        (lambda rows: [{**rows[0], "hops": 2}], ["text"]),
        (lambda rows: [{**rows[0], "db": "d"}], ["text"]),
        (lambda rows: [{**rows[0], "remark": "r"}], ["columns-unknown"]),
        (lambda rows: rows * 2, ["no-record"]),
        (lambda rows: [], ["no-row"]),
    ],
)
def test_rows_of_masked_pairs_are_those_of_pairs_jsonl(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], codes: list[str]
) -> None:
    write_pairs(tmp_path, [MASKED_PAIR], [ASKED])
    path = masked_file(tmp_path, "train")
    assert not list(pair_problems(tmp_path, [ASKED]))
    _rewrite(path, change(list(read_rows(path))))
    assert [code for _, code, _ in pair_problems(tmp_path, [ASKED])] == codes


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("", ["no-pair"]),
        ("{", ["pair-damaged"]),
        ("[1]", ["pair-damaged"]),
        ('{"graphmill": {"id": "a"}}', ["pair-damaged"]),
    ],
)
def test_lines_that_are_no_masked_pair_are_told(
    tmp_path: Path, line: str, codes: list[str]
) -> None:
    write_pairs(tmp_path, [MASKED_PAIR], [ASKED])
    (tmp_path / "pairs.jsonl").write_text(line)
    assert [code for _, code, _ in pair_problems(tmp_path, [ASKED])] == codes


def _rewrite(path: Path, rows: list[dict[str, Any]]) -> None:
    """The rows in place of those of a file, with its columns and those of text that are new."""
    layout = stored_layout(path)
    names = [name for row in rows for name in row if name not in layout.names]
    layout = pa.schema([*layout, *((name, pa.string()) for name in names)])
    pq.write_table(pa.Table.from_pylist(rows, schema=layout), path)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda rows: rows, []),
        (lambda rows: [{**rows[0], "query": "RETURN 1"}], ["text"]),
        (lambda rows: [{**rows[0], "question_logical": "What?"}], ["text"]),
        (lambda rows: rows * 2, ["no-record"]),
        (lambda rows: [{**rows[0], "id": None}], ["no-record", "no-row"]),
        (lambda rows: [], ["no-row"]),
        (lambda rows: [{**rows[0], "domain": "sport"}], ["text"]),
        (lambda rows: [{**rows[0], "constructs": ["union"]}], ["text"]),
        (lambda rows: [{**rows[0], "canary": "c", "schema_text": "s"}], []),
        (lambda rows: [{**rows[0], "remark": "r"}], ["columns-unknown"]),
    ],
)
def test_rows_of_a_language_are_those_of_the_records(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], codes: list[str]
) -> None:
    rows: list[dict[str, Any]] = [{"id": PAIR.id, **_flat(PAIR, "gql")}]
    place = tmp_path / "languages" / "gql"
    place.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), place / NAME)
    _rewrite(place / NAME, change(rows))
    assert [code for _, code in problems(tmp_path)] == codes


def test_an_export_has_the_rows_of_each_language_that_a_record_has(tmp_path: Path) -> None:
    """Nobody missed a folder that was not there."""
    assert problems(tmp_path) == []  # which is no export
    exported = {"canary": "c"}
    known = [(f"languages/{name}/{NAME}", "file-missing") for name in LANGUAGES]
    assert sorted(problems(tmp_path, **exported)) == sorted(known)
    for name, _ in known[1:]:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"PAR1")
    (told, *damaged) = sorted(problems(tmp_path, **exported))
    assert told == known[0]
    assert damaged == sorted((name, "rows-damaged") for name, _ in known[1:])
    held = {**exported, "files": {name: "hash" for name, _ in known}}
    assert sorted(problems(tmp_path, **held)) == damaged  # the file is told with the files


def test_what_follows_from_records_that_cannot_be_read_is_not_told(tmp_path: Path) -> None:
    """Each row that was made of one was told as well."""
    rows: list[dict[str, Any]] = [{"id": name, **_flat(PAIR, "cypher")} for name in (PAIR.id, "b")]
    for language in LANGUAGES:
        place = tmp_path / "languages" / language
        place.mkdir(parents=True)
        said = [{**row, "query": PAIR.queries[language], "language": language} for row in rows]
        pq.write_table(pa.Table.from_pylist(said), place / NAME)
    write_records(tmp_path / "unanswerable" / NAME, [_from(HOPELESS, "b")], LANGUAGES)

    def codes_without(lost: set[str], stored: str = PAIR.id) -> list[str]:
        found = beside_problems(tmp_path, LOCK, [(stored, PAIR)], lost)
        return sorted({each.code for each in found} & {"no-record", "no-row", "parent"})

    assert codes_without(set()) == codes_without({"test"}) == ["no-record", "parent"]
    assert codes_without({"train"}) == []
    assert codes_without(set(), "0" * 16) == [
        "no-record",
        "parent",
    ]  # and not no-row: the id is told


def test_rows_of_which_none_has_a_record_are_told_once(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": name, **_flat(PAIR, "gql")} for name in "ab"]
    (tmp_path / "languages" / "gql").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "languages" / "gql" / NAME)
    found = [each for each in beside_problems(tmp_path, LOCK, []) if each.code == "no-record"]
    assert [each.detail for each in found] == [
        "None of its 2 rows is of a record of the train split."
    ]


def test_the_count_of_a_file_that_cannot_be_read_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "unanswerable").mkdir()
    (tmp_path / "unanswerable" / NAME).write_bytes(b"PAR1")
    assert problems(tmp_path, unanswerable=3) == [(f"unanswerable/{NAME}", "rows-damaged")]


def test_a_record_of_another_schema_or_domain_than_its_graph_is_told(tmp_path: Path) -> None:
    graph = Graph("contract", tmp_path, "f", "society", "friends")
    graph.__dict__["schema_fingerprint"] = "s"
    assert not list(graph_problems("i", PAIR, graph))
    other = replace(PAIR, schema="t", domain="sport", subdomain="")
    assert [each.code for each in graph_problems("i", other, graph)] == [
        *("schema", "domain", "subdomain")
    ]
