"""Finished work is never done again, and nothing is half-written."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from pipelines.store import Store


def test_work_is_done_once(tmp_path: Path) -> None:
    store, calls = Store(tmp_path), count(1)
    key = store.key("stage", "input")
    for _ in range(2):
        assert store.done(key, lambda: {"n": next(calls)}) == {"n": 1}
    assert Store(tmp_path).done(key, lambda: {"n": 2}) == {"n": 1}


def test_a_key_depends_on_stage_and_input(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keys = {store.key("a", 1), store.key("a", 2), store.key("b", 1), store.key("a", "1")}
    assert len(keys) == 4


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(ZeroDivisionError):
        store.done(store.key("x"), lambda: 1 // 0)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_sweep_keeps_what_this_run_used(tmp_path: Path) -> None:
    old = Store(tmp_path)
    for name in ("a", "b"):
        old.done(old.key(name), lambda: 1)
    new = Store(tmp_path)
    new.done(new.key("a"), lambda: 2)
    new.sweep()
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1
