"""Finished work that machines share by URL: whole or not there, whoever writes or fails."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from graphmill.errors import ConfigError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.store import MOST, Gathered, Store, a_text, key_of, pack, sealed
from pipelines.jobs import shared
from pipelines.jobs.shared import ENOUGH, REST, TRIES, SharedStore
from tests.pipelines.jobs.farms import released

pytestmark = pytest.mark.slow


fsspec = pytest.importorskip("fsspec", reason="the extra store is not installed")


@pytest.fixture(params=["folder", "memory", "s3"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "s3":
        return f"{request.getfixturevalue('s3')}/{tmp_path.name}"
    return f"file://{tmp_path}/shared" if request.param == "folder" else f"memory://{tmp_path.name}"


def test_what_one_machine_finished_another_takes(url: str, tmp_path: Path) -> None:
    here = Store(tmp_path / "here", shared=SharedStore(url))
    there = Store(tmp_path / "there", shared=SharedStore(url))
    key = here.key("stage", "input")
    assert here.done(key, lambda: {"n": 1, "text": "Ü\ud800"}) == {"n": 1, "text": "Ü\ud800"}
    assert there.done(key, lambda: "again")["n"] == 1
    gathered = Gathered(SharedStore(url))
    assert gathered.done(key, lambda: "again")["n"] == 1
    assert [name for name, _ in gathered.entries] == [key]
    assert here.done(here.key("stage", "other"), lambda: 2) == 2


def test_a_damaged_object_is_done_again(url: str) -> None:
    store = SharedStore(url)
    key, other = key_of("a"), key_of("b")
    store.put(key, pack("whole"))
    path = store._path(key)
    whole = bytes(store._fs.cat_file(path))
    for harmed in (whole[:-1], whole[:-9] + b"12345678\n", b"", whole[::-1]):
        store._fs.pipe_file(path, harmed)
        assert SharedStore(url).get(key) is None
    store._fs.makedirs(store._path(other).rpartition("/")[0], exist_ok=True)
    store._fs.pipe_file(store._path(other), whole)  # another key's value
    assert store.get(other) is None
    store.put(key, pack("whole"))
    assert store.get(key) == pack("whole")


class Failing:
    """A file system that fails one call in ten."""

    def __init__(self, fs: Any, share: float) -> None:
        self._fs, self._share, self._random = fs, share, Random(5)
        self.failures = 0
        self.protocol = fs.protocol

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._fs, name)

        def sometimes(*args: Any, **named: Any) -> Any:
            if self._random.random() < self._share:
                self.failures += 1
                raise OSError(5, "Input/output error")
            return call(*args, **named)

        return sometimes


def test_a_store_that_fails_one_call_in_ten_changes_nothing(
    farms: Path, by_one: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PAUSE", 0.0)
    url = f"memory://failing-{tmp_path.name}"
    store = shared.shared_store(url)
    assert store is not None
    failing = store._fs = Failing(store._fs, 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is given up
        for name in ("first", "second"):
            run.build(load(farms), tmp_path / name, Watch(quiet=True), store=url)
            assert released(tmp_path / name) == by_one
    assert failing.failures > 5


def _folder(path: Path) -> None:
    path.mkdir()


def _huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(MOST + 1)  # a hole, which takes no room


NO_OBJECTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (os.mkfifo, "it is a named pipe"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "it is a character device"),
    "folder": (_folder, "it is a folder"),
    "hole": (_huge, f"it has more than {MOST:,} bytes"),
}


@pytest.mark.parametrize("kind", NO_OBJECTS)
def test_what_is_no_object_is_told_of_once_and_never_read(kind: str, tmp_path: Path) -> None:
    spoil, why = NO_OBJECTS[kind]
    store, notes = SharedStore(f"file://{tmp_path}/shared"), list[str]()
    store.begin(notes.append)
    keys = [key_of(name) for name in "abcd"]
    for key in keys:
        path = Path(store._path(key))
        path.parent.mkdir(parents=True, exist_ok=True)  # two keys may begin alike
        spoil(path)
    finished = Store(tmp_path / "here", shared=store)
    assert [finished.done(key, lambda: 7) for key in keys] == [7] * 4
    (note,) = notes
    assert why in note
    assert "damaged objects" in note
    assert not list(tmp_path.rglob("*.part"))
    if kind != "folder":  # they are replaced
        assert SharedStore(store.url).get(keys[0]) == sealed(keys[0], 7)


def test_an_object_that_is_larger_than_any_is_damaged(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, notes, key = SharedStore(url), list[str](), key_of("a")
    store.begin(notes.append)
    store.put(key, pack("whole" * 100))
    monkeypatch.setattr(shared, "MOST", 100)
    assert store.get(key) is None
    assert "it has more than" in notes[0]


@pytest.mark.parametrize("value", [sealed("1" * 64, "another's"), pack([]), b"?", sealed("k", [])])
def test_an_object_that_no_stage_writes_is_made_anew(value: bytes, tmp_path: Path) -> None:
    store, notes, key = SharedStore(f"memory://{tmp_path.name}"), list[str](), key_of("a")
    store.begin(notes.append)
    for finished in Gathered(store), Store(tmp_path, shared=store):
        store.put(key, value)
        assert finished.done(key, lambda: "whole", a_text) == "whole"
        assert store.get(key) == sealed(key, "whole")
    (note,) = notes
    assert "its stage writes no such thing); what they had is made anew" in note


def test_a_store_that_stays_away_is_told_of_once_and_asked_now_and_then(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shared, "PAUSE", 0.0)
    now = [0.0]
    monkeypatch.setattr(shared, "monotonic", lambda: now[0])
    store, notes = SharedStore("memory://gone"), list[str]()
    store.begin(notes.append)
    whole = store._fs
    failing = store._fs = Failing(whole, 1.0)
    finished = Store(tmp_path, shared=store)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(50):
            assert finished.done(finished.key(str(number)), lambda: 7) == 7
    asked = 2 * (TRIES + ENOUGH - 1)
    assert failing.failures == asked
    assert notes == [
        f"warning: The store memory://gone cannot be {way} ([Errno 5] Input/output error); {left}."
        for way, left in (
            ("read", "the work is done here"),
            ("written", "what is finished stays here"),
        )
    ]
    now[0] += REST
    finished.done(finished.key("later"), lambda: 7)
    assert failing.failures == asked + 2
    assert len(notes) == 2
    store._fs, now[0] = whole, now[0] + REST
    key = finished.key("at last")
    finished.done(key, lambda: 7)
    assert store.get(key) == sealed(key, 7)


def test_where_a_file_is_instead_of_a_store_nothing_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PAUSE", 1e9)
    (tmp_path / "shared").write_text("mine")
    store, notes = SharedStore(f"file://{tmp_path}/shared"), list[str]()
    store.begin(notes.append)
    finished = Store(tmp_path / "here", shared=store)
    for number in range(9):
        assert finished.done(finished.key(str(number)), lambda: 7) == 7
    assert [note.split(" (")[0].rpartition(" ")[2] for note in notes] == ["read", "written"]


def test_what_is_no_address_is_told_at_once() -> None:
    with pytest.raises(ConfigError, match="no address"):
        SharedStore("gopher://farm/work")
