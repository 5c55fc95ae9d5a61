"""Whatever lies in a corpus and is not of it is told, and so is an edited lock."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from pipelines.publish.export import export
from pipelines.release.held import digests, held_files, replaced
from pipelines.release.lock import load_lock, write_lock
from pipelines.verification.integrity import file_problems, lock_problems
from qa.fuzz.graphs import read_graph
from schemagraph.folder.graphdata import graph_fingerprint

DATA, FIGURE = "data/train-00000-of-00001.parquet", "figures/tiers.svg"
GRAPH = """
A(id!: INTEGER)
A-[R]->A

A [1]
A-R-A [1, 1]
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder as a corpus is: a file of rows, a figure, a card, a graph; one is being built."""
    folder = tmp_path / "corpus"
    graph = read_graph(GRAPH).write(folder / "graphs" / "g")
    for name in (DATA, FIGURE, "README.md", ".work/finished.jsonl", ".gitattributes"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    for name in ("graphs/g/instances", "sources"):
        (folder / name).mkdir()
    (graph / "lexicon.toml").write_text("version = 1")
    graphs = {"g": {"fingerprint": graph_fingerprint(graph)}}
    write_lock(folder, {"graphs": graphs, "files": digests(folder, held_files(folder, graphs))})
    return folder


def problems_of(folder: Path) -> set[tuple[str, str]]:
    lock = load_lock(folder)
    problems = [*lock_problems(lock), *file_problems(folder, lock)]
    return {(problem.where, problem.code) for problem in problems}


def test_a_corpus_as_it_was_written_has_no_problem(corpus: Path) -> None:
    """Neither has one that is being built again, nor one from the Hub."""
    assert not problems_of(corpus)


@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        ".hidden",
        "data/.hidden.parquet",
        "data/notes.txt",
        "lexicon.toml",
        "data/lexicon.toml",
        "graphs/lexicon.toml",
        "graphs/g/nodes/lexicon.toml",
        "figures/plot.png",
        "sources/other.sqlite",
    ],
)
def test_a_file_that_the_lock_does_not_know_is_told(corpus: Path, name: str) -> None:
    (corpus / name).write_text("x")
    assert problems_of(corpus) == {(name, "file-unknown")}


@pytest.mark.parametrize("name", ["data/sub", "drafts", "graphs/other", ".git2"])
def test_a_folder_of_somebody_else_is_told_once(corpus: Path, name: str) -> None:
    (corpus / name).mkdir()
    assert problems_of(corpus) == {(name, "folder-unknown")}
    (corpus / name / "deep").mkdir()
    (corpus / name / "deep" / "lexicon.toml").write_text("x")
    assert problems_of(corpus) == {(name, "folder-unknown")}


@pytest.mark.parametrize(
    "name",
    [
        *(DATA, "figures", "graphs/g/lexicon.toml", "notes.md", "graphs"),
        *(".work", ".git", ".cache", ".gitattributes"),
    ],
)
def test_what_is_behind_a_link_is_not_in_the_corpus(
    corpus: Path, tmp_path: Path, name: str
) -> None:
    """Though it has the same content."""
    place = corpus / name
    if place.exists():
        shutil.move(place, tmp_path / "outside")
    else:
        (tmp_path / "outside").touch()
    place.symlink_to(tmp_path / "outside")
    assert problems_of(corpus) == {(name, "file-link")}


@pytest.mark.parametrize(
    ("name", "is_folder", "code"),
    [
        (".cache", False, "file-unknown"),
        (".work", False, "file-unknown"),
        (".gitattributes", True, "folder-unknown"),
        (".git", False, ""),  # of a worktree
        (".git", True, ""),
        (".cache", True, ""),
    ],
)
def test_what_others_keep_beside_a_corpus_is_of_its_kind(
    corpus: Path, name: str, is_folder: bool, code: str
) -> None:
    place = corpus / name
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    if is_folder:
        place.mkdir()
    else:
        place.touch()
    assert problems_of(corpus) == ({(name, code)} if code else set())


def test_a_pipe_is_no_file_and_is_not_waited_for(corpus: Path) -> None:
    os.mkfifo(corpus / "figures" / "pipe.svg")
    assert problems_of(corpus) == {("figures/pipe.svg", "file-kind")}
    table = next((corpus / "graphs" / "g" / "nodes").iterdir())
    table.unlink()
    os.mkfifo(table)
    name = table.relative_to(corpus).as_posix()
    problems = problems_of(corpus)
    assert {(name, "file-kind"), ("graphs/g", "file-damaged")} < problems
    assert (name, "file-missing") not in problems


def _edited(change: Callable[[dict[str, object]], object], folder: Path) -> None:
    path = folder / "corpus.lock"
    lock = json.loads(path.read_text())
    change(lock)
    path.write_text(json.dumps(lock))


def test_an_edited_lock_is_told_and_not_written_again(corpus: Path) -> None:
    _edited(lambda lock: lock.update(libraries={"duckdb": "0"}), corpus)
    assert problems_of(corpus) == {("corpus.lock", "file-changed")}
    with pytest.raises(GraphmillError, match=r"corpus\.lock was edited .*`graphmill verify`"):
        replaced(corpus, load_lock(corpus), ["README.md"])
    with pytest.raises(GraphmillError, match=r"corpus\.lock: It was edited"):
        export(corpus, corpus.parent / "exported")


@pytest.mark.parametrize(("form", "told"), [(None, False), (2, False), (3, True)])
def test_a_lock_without_a_hash_of_its_own_is_an_older_one(
    corpus: Path, form: int | None, told: bool
) -> None:
    lock = {**load_lock(corpus), "format": form}
    if form is None:
        del lock["format"]
    write_lock(corpus, {name: value for name, value in lock.items() if name != "sha256"})
    assert not problems_of(corpus)
    _edited(lambda lock: lock.pop("sha256"), corpus)
    assert problems_of(corpus) == ({("corpus.lock", "file-changed")} if told else set())


def test_a_lock_that_says_something_twice_is_damaged(corpus: Path) -> None:
    """Formatted anew it is the same."""
    path = corpus / "corpus.lock"
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert not problems_of(corpus)
    path.write_text(path.read_text().replace('{"files"', '{"files": {}, "files"'))
    with pytest.raises(GraphmillError, match=r"corpus\.lock is damaged .*'files' is there twice"):
        load_lock(corpus)


def test_a_lock_that_is_no_object_is_damaged(corpus: Path) -> None:
    (corpus / "corpus.lock").write_text("[]")
    with pytest.raises(GraphmillError, match=r"is damaged \(it is no JSON object\)"):
        load_lock(corpus)


def test_a_lock_without_files_is_told(corpus: Path) -> None:
    _edited(lambda lock: (lock.pop("sha256"), lock.update(files={})), corpus)
    assert {("corpus.lock", "lock-empty"), (DATA, "file-unknown")} <= problems_of(corpus)


def test_a_file_outside_is_none_of_the_corpus(corpus: Path) -> None:
    _edited(lambda lock: lock["files"].update({"../other": "0"}), corpus)  # type: ignore[attr-defined]
    (corpus.parent / "other").touch()
    assert ("../other", "file-missing") in problems_of(corpus)


def test_a_pipe_that_no_engine_reads_hides_nothing_of_its_graph(corpus: Path) -> None:
    lexicon = corpus / "graphs" / "g" / "lexicon.toml"
    lexicon.unlink()
    os.mkfifo(lexicon)
    small = corpus / "graphs" / "g" / "instances" / "0123456789ab.json"
    os.mkfifo(small)
    assert problems_of(corpus) == {
        ("graphs/g/lexicon.toml", "file-kind"),
        ("graphs/g/instances/0123456789ab.json", "file-kind"),
        ("graphs/g/instances/0123456789ab.json", "file-changed"),
    }


@pytest.mark.parametrize("name", ["graphs/g/schema.json", "graphs/g/manifest.json", "funnel.json"])
def test_a_key_twice_in_json_is_told_with_its_place(corpus: Path, name: str) -> None:
    path = corpus / name
    text = path.read_text() if path.exists() else "{}"
    path.write_text(text.replace("{", '{"zz": 1,\n "zz": 2' + (", " if text != "{}" else ""), 1))
    graphs = load_lock(corpus)["graphs"]
    write_lock(corpus, {"graphs": graphs, "files": digests(corpus, held_files(corpus, graphs))})
    lock = load_lock(corpus)
    found = [each for each in file_problems(corpus, lock) if each.code == "json-damaged"]
    assert [each.where for each in found] == [name]
    assert found[0].detail.startswith("line 2, column 2: the key 'zz' is there twice")


def test_a_ledger_may_have_what_python_writes_and_no_broken_line(corpus: Path) -> None:
    (corpus / "rejects.jsonl").write_text('{"a": NaN}\n\n{"b": 1}\n{"b": \n')
    lock = replaced(corpus, load_lock(corpus), ["rejects.jsonl"])
    (found,) = file_problems(corpus, lock)
    assert (found.where, found.code) == ("rejects.jsonl", "json-damaged")
    assert found.detail.startswith("line 4, ")
    (corpus / "rejects.jsonl").write_text('{"a": \n' * 3)
    lock = replaced(corpus, load_lock(corpus), ["rejects.jsonl"])
    (found,) = file_problems(corpus, lock)
    assert found.detail.endswith(" 2 more of its lines are damaged.")


def test_a_lock_that_is_no_file_is_said_to_be_none(corpus: Path) -> None:
    (corpus / "corpus.lock").unlink()
    os.mkfifo(corpus / "corpus.lock")
    with pytest.raises(GraphmillError, match=r"corpus\.lock is a named pipe"):
        load_lock(corpus)
    (corpus / "corpus.lock").unlink()
    (corpus / "corpus.lock").mkdir()
    with pytest.raises(GraphmillError, match=r"corpus\.lock is a folder"):
        load_lock(corpus)


@pytest.mark.parametrize(
    "graphs",
    ['{"g": 5}', '{"g": {}}', '{"../x": {"fingerprint": "f"}}', '{"": {"fingerprint": ""}}'],
)
def test_a_lock_with_graphs_that_are_none_is_damaged(corpus: Path, graphs: str) -> None:
    (corpus / "corpus.lock").write_text(f'{{"files": {{}}, "graphs": {graphs}}}')
    with pytest.raises(GraphmillError, match="of its graphs is no name with a fingerprint"):
        load_lock(corpus)
