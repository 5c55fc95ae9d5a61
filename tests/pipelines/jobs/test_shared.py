"""Finished work that machines share by URL: whole or not there, whoever writes or fails."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random
from typing import Any

import pytest

from graphmill.errors import ConfigError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.configuration.store import Gathered, Store, key_of, pack
from pipelines.jobs import shared
from pipelines.jobs.shared import SharedStore
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


def test_a_store_that_is_gone_is_told_of_and_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shared, "PAUSE", 0.0)
    store = SharedStore("memory://gone")
    store._fs = Failing(store._fs, 1.0)
    finished = Store(tmp_path, shared=store)
    with pytest.warns(RuntimeWarning, match="memory://gone cannot"):
        assert finished.done(finished.key("x"), lambda: 7) == 7


def test_what_is_no_address_is_told_at_once() -> None:
    with pytest.raises(ConfigError, match="no address"):
        SharedStore("gopher://farm/work")
