"""After a row was added, a build since the last release keeps every pair whose answer stays."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import GraphmillError
from graphmill.record import SPLITS
from pipelines import database, run
from pipelines.build import mutation
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.store import WHOLE
from pipelines.pictures import plots
from pipelines.release import glance, nearest
from pipelines.release.corpus import Corpus
from qa.mutation.analysis import discriminate
from tests.pipelines.jobs.farms import released

pytestmark = pytest.mark.slow


def answers(corpus: Path) -> dict[str, dict[str, str]]:
    """The hash of each pair's answer by id, by database."""
    rows: dict[str, dict[str, str]] = {}
    for split in SPLITS:
        for row in Corpus(corpus).records(split):
            rows.setdefault(row["db"], {})[row["id"]] = row["answer"]["hash"]
    return rows


def splits(corpus: Path) -> dict[str, str]:
    """The split of each pair, by id."""
    return {row["id"]: split for split in SPLITS for row in Corpus(corpus).records(split)}


def test_a_row_more_keeps_the_pairs_whose_answers_stay(
    farms: Path, corpus_by_one: Path, tmp_path: Path
) -> None:
    folder, old = tmp_path / "farms", tmp_path / "old"
    shutil.copytree(farms.parent, folder)
    shutil.copytree(corpus_by_one, old)
    with sqlite3.connect(folder / "barley.sqlite") as barley:
        barley.execute("INSERT INTO plot VALUES (90, 1, 1, 7.5, '2025-03-03')")
    barley.close()
    # the new release is built where the old one was, so that finished work is there
    run.build(load(folder / farms.name), old, Watch(quiet=True), since=old)
    before, after = answers(corpus_by_one), answers(old)
    assert after["rye"] == before["rye"]
    assert set(after["barley"]) == set(before["barley"])  # an answer is no part of an id
    assert after["barley"] != before["barley"]
    assert splits(old) == splits(corpus_by_one)
    grown = {each["db"]: each for each in json.loads((old / "funnel.json").read_text())["grown"]}
    assert grown["barley"]["kept"] == grown["barley"]["asked_again"] > 0
    assert "kept" not in grown["rye"]  # nothing changed there: its finished work was taken


def test_a_database_that_is_finished_is_taken_whole_and_its_pieces_stay(
    farms: Path, corpus_by_one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "corpus"
    shutil.copytree(corpus_by_one, out)
    before = released(out)
    entries = keys(out)
    with monkeypatch.context() as patched:
        patched.setattr(database, "grow", never)
        patched.setattr(database, "select", never)
        for module, name in ((glance, "_scanned"), (nearest, "_nearest"), (run, "ledger_text")):
            patched.setattr(module, name, never)  # nor what is written of it
        patched.setattr(plots, "_svg", never)
        run.build(load(farms), out, Watch(quiet=True))
    assert released(out) == before
    assert keys(out) == entries
    monkeypatch.setattr(database, "select", never)
    with pytest.raises(AssertionError):
        run.build(load(farms), out, Watch(quiet=True), limit=3)  # other settings: not that one


def test_what_is_remembered_changes_no_byte_and_saves_its_work(
    farms: Path, corpus_by_one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, old, anew = tmp_path / "farms", tmp_path / "old", tmp_path / "anew"
    shutil.copytree(farms.parent, folder)
    shutil.copytree(corpus_by_one, old)
    with sqlite3.connect(folder / "barley.sqlite") as barley:
        barley.execute("UPDATE plot SET hectares = hectares + 1 WHERE id = 3")
    barley.close()
    config = load(folder / farms.name)
    tested: dict[Path, int] = {}
    for out in (anew, old):  # the first has no finished work, the second all that there was

        def counted(*given: Any, at: Path = out) -> Any:
            tested[at] = tested.get(at, 0) + 1
            return discriminate(*given)

        monkeypatch.setattr(mutation, "discriminate", counted)
        run.build(config, out, Watch(quiet=True), since=corpus_by_one)
    assert released(old) == released(anew)
    barley_again = len(answers(old)["barley"])
    assert tested.get(old, 0) < barley_again < tested[anew]


def never(*_: object) -> None:
    """What a build must not do again."""
    raise AssertionError


def keys(corpus: Path) -> set[str]:
    """The keys of the finished work."""
    lines = (corpus / ".work" / WHOLE).read_text(encoding="ascii").splitlines()
    return {line.partition(" ")[0] for line in lines}


def test_what_is_no_release_is_told(farms: Path, tmp_path: Path) -> None:
    with pytest.raises(GraphmillError, match="no finished corpus"):
        run.build(load(farms), tmp_path / "new", Watch(quiet=True), since=tmp_path / "none")


def test_a_release_that_was_changed_is_not_taken(
    farms: Path, corpus_by_one: Path, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    shutil.copytree(corpus_by_one, old)
    rows = next((old / "data").glob("train*.parquet"))
    rows.write_bytes(rows.read_bytes() + b" ")
    with pytest.raises(GraphmillError, match=r"train.* is not as corpus\.lock has it"):
        run.build(load(farms), tmp_path / "new", Watch(quiet=True), since=old)
