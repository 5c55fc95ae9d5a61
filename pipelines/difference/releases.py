"""The last releases of a corpus, one folder each, and the one that is being built."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from graphmill.errors import naming
from graphmill.files import write_text
from pipelines.difference.corpora import compare
from pipelines.release.held import CHANGES, replaced
from pipelines.release.lock import load_lock, write_lock


@dataclass(frozen=True, slots=True)
class Releases:
    """Folders `0001`, `0002`, … in `folder`, of which the last `keep` stay.

    Each has in `CHANGES.md` what is new in it and in those before, the last first.
    """

    folder: Path
    keep: int

    @property
    def draft(self) -> Path:
        """Where the next one is built; its finished work stays from one to the next."""
        return self.folder / "build"

    def versions(self) -> list[str]:
        """The releases that are there, the oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if path.name.isdecimal())

    @property
    def last(self) -> str:
        """The folder of the last release; empty before the first."""
        versions = self.versions()
        return str(self.folder / versions[-1]) if versions else ""

    def report(self, version: str) -> str:
        """The address of a release's report."""
        return (self.folder / version / "report.html").resolve().as_uri()

    def take(self) -> tuple[str, str]:
        """Release what was built, unless it equals the last release: its version, and how it
        differs, for people."""
        versions = self.versions()
        if versions:
            difference = compare(self.folder / versions[-1], self.draft)
            if difference.is_equal:
                return versions[-1], "Nothing has changed since the last release."
        version = f"{int(versions[-1]) + 1 if versions else 1:04}"
        part = self.folder / f".{version}.part"
        shutil.rmtree(part, ignore_errors=True)  # of a run that was ended
        with naming(part, self.folder / version):
            shutil.copytree(self.draft, part, ignore=shutil.ignore_patterns(".work"))
        text = str(difference) if versions else "The first release."
        before = self.folder / versions[-1] / CHANGES if versions else None
        entries = before.read_text(encoding="utf-8") if before and before.is_file() else ""
        write_text(part / CHANGES, f"# Release {version}\n\n{text.strip()}\n\n{entries}")
        write_lock(part, replaced(part, load_lock(part), [CHANGES]))
        part.rename(self.folder / version)
        for old in [*versions, version][: -self.keep]:
            shutil.rmtree(self.folder / old)
        return version, text
