"""Releases on a schedule: numbers go up, the last ones stay, what has not changed is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pipelines.cli import main
from pipelines.difference import releases
from pipelines.difference.releases import Releases
from pipelines.release.lock import load_lock, write_lock


@dataclass
class _Told:
    is_equal: bool

    def __str__(self) -> str:
        return "1 record added"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Releases:
    """Releases whose corpora are one file each, which is all that differs."""

    def compare(old: Path, new: Path) -> _Told:
        return _Told((old / "train").read_text() == (new / "train").read_text())

    monkeypatch.setattr(releases, "compare", compare)
    return Releases(tmp_path / "releases", keep=2)


def _build(mine: Releases, text: str) -> None:
    (mine.draft / ".work").mkdir(parents=True, exist_ok=True)
    (mine.draft / ".work" / "finished").write_text("work")
    (mine.draft / "train").write_text(text)
    write_lock(mine.draft, {"files": {}, "graphs": {}})


def test_releases_are_numbered_and_the_last_ones_stay(mine: Releases) -> None:
    assert mine.versions() == []
    for number, text in enumerate(("a", "b", "c"), 1):
        _build(mine, text)
        assert mine.take()[0] == f"000{number}"
    assert mine.versions() == ["0002", "0003"]
    assert (mine.folder / "0002" / "train").read_text() == "b"
    assert set(load_lock(mine.folder / "0003")["files"]) == {"CHANGES.md"}
    assert (mine.folder / "0003" / "CHANGES.md").read_text() == (
        "# Release 0003\n\n1 record added\n\n"
        "# Release 0002\n\n1 record added\n\n"
        "# Release 0001\n\nThe first release.\n\n"
    )
    assert not (mine.folder / "0003" / ".work").exists()
    assert (mine.draft / ".work" / "finished").exists()


def test_what_has_not_changed_is_no_release(mine: Releases) -> None:
    _build(mine, "a")
    assert mine.take() == ("0001", "The first release.")
    _build(mine, "a")
    assert mine.take() == ("0001", "Nothing has changed since the last release.")
    _build(mine, "b")
    assert mine.take() == ("0002", "1 record added")


def test_a_release_that_was_ended_halfway_is_made_anew(mine: Releases) -> None:
    _build(mine, "a")
    half = mine.folder / ".0001.part"
    half.mkdir()
    (half / "rest").touch()
    assert mine.take()[0] == "0001"
    assert not (mine.folder / "0001" / "rest").exists()


@pytest.mark.parametrize(
    ("more", "what"), [(["--cron", "x"], "no cron expression"), (["--cron", "* * * * *"], "--keep")]
)
def test_a_schedule_that_cannot_be_is_refused(
    more: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("prefect", reason="the extra prefect is not installed")
    keep = ["--keep", "0"] if what == "--keep" else []
    assert main(["schedule", "example:museum_loans", *more, *keep]) == 1
    assert what in capsys.readouterr().err
