"""`nearest.jsonl`: the pair of train that each pair of test is nearest to, by its questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from graphmill.files import RecordWriter
from graphmill.record import SPLITS, Answer, Provenance, Questions, Record, Split
from pipelines.release.folder import split_file
from pipelines.release.nearest import NEAREST, nearness, write_nearest


def record(db: str, split: Split, question: str, business: str, query: str) -> Record:
    return Record(
        schema="fp",
        db=db,
        questions=Questions(question, business=business),
        queries={"cypher": query},
        provenance=Provenance("test", "1", 7),
        answer=Answer(("n",), 1, "h", ((1,),)),
        split=split,
    )


def written(out: Path, records: list[Record]) -> dict[Split, Path]:
    files: dict[Split, Path] = {split: split_file(out, split) for split in SPLITS}
    for split, path in files.items():
        mine = [each for each in records if each.split == split]
        if mine:
            with RecordWriter(path, ("cypher",)) as writer:
                for each in mine:
                    writer.write(each)
    return files


def test_each_pair_of_test_names_its_nearest_of_train(tmp_path: Path) -> None:
    train = [
        record("a", "train", "museums Oslo", "How many museums does Oslo have?", "RETURN 1 AS n"),
        record("b", "train", "ships Kiel", "Which ships call at Kiel?", "RETURN 2 AS n"),
    ]
    test = [
        record("b", "test", "boats", "Which  ships call at kiel?", "RETURN 3 AS n"),
        record("c", "test", "museums Bergen", "", "RETURN 4 AS n"),
    ]
    files = written(tmp_path, [*train, *test])
    write_nearest(tmp_path, files, "trigrams")
    lines = [json.loads(line) for line in (tmp_path / NEAREST).read_text().splitlines()]
    assert [(each["id"], each["nearest"], each["form"]) for each in lines] == [
        (test[0].id, train[1].id, "business"),
        (test[1].id, train[0].id, "original"),
    ]
    assert lines[0]["cosine"] == 1
    assert [each["same_database"] for each in lines] == [True, False]
    near = nearness(tmp_path)
    assert near is not None
    assert (near.pairs, near.near, near.equal) == (2, 1, 1)


def test_without_test_there_is_no_file(tmp_path: Path) -> None:
    (tmp_path / NEAREST).write_text("{}\n")
    files = written(tmp_path, [record("a", "train", "one", "", "RETURN 1 AS n")])
    write_nearest(tmp_path, files, "trigrams")
    assert not (tmp_path / NEAREST).exists()
    assert nearness(tmp_path) is None


def test_a_damaged_line_is_an_error(tmp_path: Path) -> None:
    (tmp_path / NEAREST).write_text('{"id": "x"}\n')
    with pytest.raises(GraphmillError, match="line 1 has no cosine"):
        nearness(tmp_path)
