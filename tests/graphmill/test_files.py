"""Records survive the way through a Parquet file, and files are written whole."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError, SourceError, naming
from graphmill.files import (
    example,
    file_digest,
    new_folder,
    read_records,
    remove_leftovers,
    whole_folder,
    write_bytes,
    write_records,
)
from graphmill.record import Answer, Certificate, Evolved, Provenance, Questions, Reading, Record
from tests.full_disk import full_after


def record(**changes: object) -> Record:
    """A record with every part filled."""
    values: dict[str, object] = {
        "schema": "fp",
        "db": "lines",
        "questions": Questions("Which?", "Match it.", "Which lines?", "Where to?"),
        "queries": {"cypher": "MATCH (n) RETURN n"},
        "provenance": Provenance("pairs", "1", 7, trace=(Evolved("add", "RETURN 1"),)),
        "answer": Answer(("n",), 2, "h", ((1, "ü"), (None, [1, {"a": 2}]))),
        "certificates": (Certificate("duckdb", "1", "sql", 2, "h", True, "SELECT"),),
        "difficulty": "easy",
        "split": "train",
        "constructs": ("limit",),
        "readings": (Reading("rows", "business", "said"),),
        "discrimination": {"score": 0.9, "mutants": {"lost-limit": 1}, "instances": ["i001"]},
    }
    return Record(**{**values, **changes})  # type: ignore[arg-type]


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    records = [record(), record(answer=None, questions=Questions("x"), difficulty=None)]
    records.append(record(discrimination={}))
    write_records(path, records, ("cypher", "gql"))
    assert list(read_records(path)) == [(r.id, r) for r in records]


def test_the_same_records_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_records(tmp_path / name, [record()], ("cypher",))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_id_follows_content_and_not_judgement() -> None:
    base = record()
    assert record(certificates=(), split="test").id == base.id
    assert record(queries={"cypher": "MATCH (m) RETURN m"}).id != base.id
    assert record(db="rails").id != base.id
    assert record(readings=()).id == base.id


def test_a_corpus_of_the_first_format_keeps_its_ids(tmp_path: Path) -> None:
    """Its ids are hashes without the database, and its files have no column of readings."""
    import pyarrow.parquet as pq

    path = tmp_path / "train.parquet"
    content = ["fp", {"original": "x", **dict.fromkeys(("syntactic", "logical", "business"), "")}]
    text = json.dumps([*content, {"cypher": "RETURN 1"}], sort_keys=True, ensure_ascii=False)
    expected = hashlib.sha256(text.encode()).hexdigest()[:16]
    old = record(questions=Questions("x"), queries={"cypher": "RETURN 1"}, readings=(), format=1)
    assert old.id == expected
    write_records(path, [old], ("cypher",))
    pq.write_table(pq.read_table(path).drop_columns(["readings"]), path)
    assert list(read_records(path, 1)) == [(expected, old)]


def test_no_corpus_file_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("nonsense")
    with pytest.raises(GraphmillError, match="is no file of a graphmill corpus"):
        list(read_records(tmp_path / "x.parquet"))


def test_an_unwritable_place_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(GraphmillError, match="Cannot write"):
        write_bytes(tmp_path / "file" / "below", b"x")


def test_leftovers_of_the_dead_go_and_of_the_living_stay(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    dead, living = tmp_path / f".a.{ended.pid}.part", tmp_path / f".b.{os.getpid()}.part"
    dead.mkdir()
    (dead / "torn").touch()
    (tmp_path / f".c.{ended.pid}.part-journal").touch()
    for path in (living, tmp_path / "a.part", tmp_path / ".hidden"):
        path.touch()
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [living.name, ".hidden", "a.part"]


def _no_room(draft: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def _beneath_a_file(draft: Path) -> None:
    (draft / "a").touch()
    write_bytes(draft / "a" / "b", b"x")


FAILURES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file in no folder": (
        lambda draft: (draft / "a" / "b").open("w"),
        "Cannot write {out}/a/b: No such file or directory.",
    ),
    "no room": (_no_room, "Cannot write {out}: No space left on device."),
    "an error of ours": (
        _beneath_a_file,
        "Cannot write {out}/a/b: File exists.",
    ),
    "another file": (
        lambda draft: draft.with_name("gone").open(),
        "[Errno 2] No such file or directory: '{beside}/gone'",
    ),
}


@pytest.mark.parametrize("made", [new_folder, whole_folder])
@pytest.mark.parametrize("failure", FAILURES)
def test_errors_name_the_folder_that_is_meant_and_no_draft(
    made: Callable[[Path], AbstractContextManager[Path]], failure: str, tmp_path: Path
) -> None:
    act, says = FAILURES[failure]
    out = tmp_path / "out"

    def fails() -> None:
        with made(out) as draft:
            act(draft)

    with pytest.raises((GraphmillError, OSError)) as caught:
        fails()
    beside = out if made is whole_folder else tmp_path
    assert str(caught.value) == says.format(out=out, beside=beside)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_could_not_be_copied_names_no_draft(tmp_path: Path) -> None:
    problem = shutil.Error([("a", f"{tmp_path}/.b.1.part/c", "no")])
    with pytest.raises(shutil.Error) as caught, naming(tmp_path / ".b.1.part", tmp_path / "b"):
        raise problem
    assert caught.value.args[0] == [("a", f"{tmp_path}/b/c", "no")]


def test_an_unknown_example_names_those_that_exist() -> None:
    with pytest.raises(GraphmillError, match="No example called 'nothing'"):
        example("nothing")


def test_a_pipe_has_no_digest(tmp_path: Path) -> None:
    """To read it would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="a named pipe"):
        file_digest(tmp_path / "pipe")


@pytest.mark.parametrize("size", [20, 3_000])
def test_records_that_a_full_disk_has_no_place_for_are_named(tmp_path: Path, size: int) -> None:
    """What was written last was no error of a file, and its draft stayed."""
    path = tmp_path / "train.parquet"
    with full_after(size), pytest.raises(GraphmillError, match=rf"Cannot write {path}: "):
        write_records(path, [record()], ("cypher",))
    assert list(tmp_path.iterdir()) == []
