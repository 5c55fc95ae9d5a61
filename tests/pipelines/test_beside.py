"""Rows beside the records say what their records say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.files import write_records
from graphmill.record import Provenance, Record, Split
from pipelines.beside import _flat, beside_problems
from pipelines.build.context import Graph
from pipelines.record_fields import graph_problems
from tests.pipelines.pages.corpora import LANGUAGES, record

PAIR = replace(record(1), split="train")
HOPELESS = Record(
    PAIR.schema,
    PAIR.db,
    replace(PAIR.questions, business="Who flies?"),
    {},
    Provenance("unanswerable", "1", 7, parent=PAIR.id),
    split="train",
    unanswerable={"reason": "missing", "missing": "flying"},
)
LOCK: dict[str, Any] = {}
NAME = "train-00000-of-00001.parquet"


def problems(folder: Path) -> list[tuple[str, str]]:
    found = beside_problems(folder, LOCK, [(PAIR.id, PAIR)])
    return [(each.where.split(" ")[0], each.code) for each in found]


@pytest.mark.parametrize(
    ("change", "split", "codes"),
    [
        (lambda one: one, "train", []),
        (lambda one: one, "test", ["split", "splits"]),
        (lambda one: replace(one, split="test"), "test", ["splits"]),
        (lambda one: replace(one, unanswerable={}), "train", ["unanswerable"]),
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


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "unanswerable").mkdir()
    (tmp_path / "unanswerable" / NAME).write_bytes(b"none")
    assert problems(tmp_path) == [(f"unanswerable/{NAME}", "rows-damaged")]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (lambda rows: rows, []),
        (lambda rows: [{**rows[0], "query": "RETURN 1"}], ["text"]),
        (lambda rows: [{**rows[0], "question_logical": "What?"}], ["text"]),
        (lambda rows: rows * 2, ["no-record"]),
        (lambda rows: [{**rows[0], "id": None}], ["no-record", "no-row"]),
        (lambda rows: [], ["no-row"]),
    ],
)
def test_rows_of_a_language_are_those_of_the_records(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], codes: list[str]
) -> None:
    rows: list[dict[str, Any]] = [{"id": PAIR.id, **_flat(PAIR, "gql")}]
    place = tmp_path / "languages" / "gql"
    place.mkdir(parents=True)
    layout = pa.schema([(name, pa.string()) for name in rows[0]])
    pq.write_table(pa.Table.from_pylist(change(rows), schema=layout), place / NAME)
    assert [code for _, code in problems(tmp_path)] == codes


def test_a_record_of_another_schema_or_domain_than_its_graph_is_told(tmp_path: Path) -> None:
    graph = Graph("contract", tmp_path, "f", "society", "friends")
    graph.__dict__["schema_fingerprint"] = "s"
    assert not list(graph_problems("i", PAIR, graph))
    other = replace(PAIR, schema="t", domain="sport", subdomain="")
    assert [each.code for each in graph_problems("i", other, graph)] == [
        *("schema", "domain", "subdomain")
    ]
