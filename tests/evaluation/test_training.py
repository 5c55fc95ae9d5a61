"""Corpora as rows that models are trained with (TB-J11, TB-J12, TB-L1)."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluation.foreign import load_benchmark
from graphmill.errors import ConfigError, GraphmillError, UnknownNameError
from graphmill.files import read_records
from graphmill.record import Questions, Record
from pipelines.cli.commands import main
from pipelines.publish import training
from pipelines.publish.export import export
from pipelines.publish.training import (
    TARGETS,
    Choice,
    Row,
    _without_leaks,
    export_training,
    gold_folder,
)
from tests.full_disk import full_after


def exported(corpus: Path, out: Path, to: Any, **more: Any) -> dict[str, Any]:
    return export_training(corpus, out, Choice(to, "cypher", **more))


def lines_of(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        found: list[dict[str, Any]] = json.loads(text)
        return found
    return [json.loads(line) for line in text.splitlines()]


def test_chat_rows_end_with_the_query(corpus: Path, records: list[Record], tmp_path: Path) -> None:
    counts = exported(corpus, tmp_path / "out", "chat")
    by_id = {record.id: record for record in records}
    for split in counts["splits"]:
        for line in lines_of(tmp_path / "out" / f"{split}.jsonl"):
            record = by_id[line["id"]]
            assert [m["role"] for m in line["messages"]] == ["system", "user", "assistant"]
            user, answer = line["messages"][1]["content"], line["messages"][2]["content"]
            assert answer == record.queries["cypher"]
            assert record.questions.business in user
            assert "(:Ship" in user  # the schema
            assert record.split == split
    assert counts["splits"]["train"]["prompt_tokens"]["mean"] > 20


@pytest.mark.parametrize("to", [*TARGETS, "huggingface"])
def test_a_full_disk_leaves_nothing(corpus: Path, tmp_path: Path, to: Any) -> None:
    out = tmp_path / "new" / "out"
    choice = Choice(to, "cypher", question="original", hold_out=("test",))
    write = partial(export_training, choice=choice) if to in TARGETS else export
    for size in (10, 200):
        with full_after(size), pytest.raises(GraphmillError):
            write(corpus, out)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("to", TARGETS)
def test_held_out_queries_lie_beside_the_export(
    corpus: Path, records: list[Record], tmp_path: Path, to: Any
) -> None:
    out = tmp_path / "out"
    exported(corpus, out, to, question="original", hold_out=("test",))
    test = [record for record in records if record.split == "test"]
    whole = "".join(
        path.read_text(encoding="utf-8") for path in out.iterdir() if path.stem != "train"
    )
    assert test
    for record in test:
        assert json.dumps(record.queries["cypher"]) not in whole
        assert " ".join(record.queries["cypher"].split()) not in whole
    gold = lines_of(gold_folder(out) / "test.jsonl")
    assert {line["id"]: line["query"] for line in gold} == {
        record.id: record.queries["cypher"] for record in test
    }


def test_the_reference_driver_form_is_read_back(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    """TB-L1: what is written is what `evaluate` reads."""
    exported(corpus, tmp_path / "out", "text2gql-bench", question="original")
    benchmark = load_benchmark(tmp_path / "out" / "train.json")
    by_id = {record.id: record for record in records}
    assert benchmark.items
    for item in benchmark.items:
        assert item.gold == by_id[item.id].queries["cypher"]


def test_spider_has_tables_whose_keys_join(corpus: Path, tmp_path: Path) -> None:
    exported(corpus, tmp_path / "out", "spider")
    (tables,) = lines_of(tmp_path / "out" / "tables.json")
    names, columns = tables["table_names_original"], tables["column_names_original"]
    joined = {
        (names[columns[one][0]], names[columns[two][0]]) for one, two in tables["foreign_keys"]
    }
    assert ("Ship-CALLS_AT-Port", "Ship") in joined
    assert ("Ship-CALLS_AT-Port", "Port") in joined
    assert len(columns) == len(tables["column_types"])
    lines = lines_of(tmp_path / "out" / "train.json")
    gold = (tmp_path / "out" / "train_gold.txt").read_text().splitlines()
    assert len(gold) == len(lines)
    assert all(line["db_id"] == "ferries" for line in lines)


def test_all_forms_give_a_row_each_and_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    one = exported(corpus, tmp_path / "one", "alpaca", question="all")
    exported(corpus, tmp_path / "two", "alpaca", question="all")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    single = exported(corpus, tmp_path / "three", "alpaca")
    assert one["splits"]["train"]["rows"] > single["splits"]["train"]["rows"]
    about = json.loads((tmp_path / "one" / "dataset_info.json").read_text())
    assert about["train"]["file_name"] == "train.json"


def test_rows_of_train_that_test_has_are_left_out(records: list[Record], corpus: Path) -> None:
    """Leak-safe: the same question (signs and case aside), or the same query of the database."""
    first, second, third = records[:3]
    schema: Any = None

    def row(record: Record, question: str, query: str) -> Row:
        return Row(record, "business", question, query, schema)

    kept, left_out = _without_leaks(
        {
            "train": [
                row(first, "Which ships, then?", "MATCH (a) RETURN a"),
                row(second, "Another", "MATCH  (n)  RETURN n;"),
                row(third, "A third", "MATCH (x) RETURN x.name"),
            ],
            "validation": [],
            "test": [row(first, "which ships then", "MATCH (n) RETURN n")],
        }
    )
    assert [each.question for each in kept["train"]] == ["A third"]
    assert len(kept["test"]) == 1
    assert left_out == {"train": 2}


@pytest.mark.parametrize("to", TARGETS)
def test_a_form_of_question_that_no_record_has_is_named_with_those_there_are(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: Any
) -> None:
    """The language was called unknown."""

    def without(*arguments: Any) -> Any:
        for number, record in read_records(*arguments):
            yield number, replace(record, questions=Questions("Which?", "Which, then?"))

    monkeypatch.setattr(training, "read_records", without)
    assert exported(corpus, tmp_path / "a", to, question="original")["splits"]
    if to == "text2gql-bench":  # whose rows have all forms
        return
    lacks = f"No record of {corpus} with a query in cypher has a business question. There are: "
    with pytest.raises(ConfigError, match=rf"{lacks}original, syntactic\. Name one with --quest"):
        exported(corpus, tmp_path / "b", to)


def test_wrong_options_are_sentences(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnknownNameError, match="cypher"):
        export_training(corpus, tmp_path / "a", Choice("chat", "klingon"))
    with pytest.raises(UnknownNameError, match="split"):
        exported(corpus, tmp_path / "a", "chat", hold_out=("tset",))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(ConfigError, match="not empty"):
        exported(corpus, tmp_path / "full", "chat")
    arguments = ["export", str(corpus), str(tmp_path / "b"), "--hold-out", "test"]
    assert main(arguments) == 1
    assert "--hold-out" in capsys.readouterr().err
    assert main(["export", str(corpus), str(tmp_path / "c"), "--to", "chat"]) == 0
    assert (tmp_path / "c" / "counts.json").is_file()
