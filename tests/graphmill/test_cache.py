"""The cache folder: what is kept comes back whole or not at all; its faults are nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.cache import keep, kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHMILL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_comes_back_and_is_replaced(folder: Path) -> None:
    assert kept("tables") is None
    keep("tables", b"one")
    keep("tables", b"another")
    assert kept("tables") == b"another"
    assert [path.name for path in folder.iterdir()] == ["tables"]


@pytest.mark.parametrize("left", [-1, 20, 0])
def test_cut_is_not_there(folder: Path, left: int) -> None:
    keep("tables", b"one")
    (folder / "tables").write_bytes((folder / "tables").read_bytes()[:left])
    assert kept("tables") is None
    keep("tables", b"one")
    assert kept("tables") == b"one"


def test_changed_is_not_there(folder: Path) -> None:
    keep("tables", b"one")
    (folder / "tables").write_bytes((folder / "tables").read_bytes().replace(b"one", b"two"))
    assert kept("tables") is None


def test_no_folder_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GRAPHMILL_CACHE", str(tmp_path / "file" / "cache"))
    keep("tables", b"one")
    assert kept("tables") is None


def test_what_stands_in_the_place_stays(folder: Path) -> None:
    (folder / "tables").mkdir(parents=True)
    keep("tables", b"one")
    assert kept("tables") is None
    assert [path.name for path in folder.iterdir()] == ["tables"]
