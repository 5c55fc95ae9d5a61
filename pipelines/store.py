"""Finished work by content: a value is on disk under the hash of what it was made from.

One file a value, written atomically, so that runs may be killed anywhere and tasks may share
the store. Its key holds stage, code, libraries, inputs and settings: whatever changes, only
what depends on it is done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmill.files import canonical, digest, write_text
from pipelines.version import code_version, library_versions


class Store:
    """A folder of finished work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._used: set[Path] = set()

    def key(self, stage: str, *inputs: Any) -> str:
        """The key of one piece of work: everything that its result depends on."""
        return digest(stage, code_version(), library_versions(), *inputs)

    def done(self, key: str, work: Callable[[], Any]) -> Any:
        """The JSON value under `key`: as it was stored, else from `work`, stored now."""
        path = self.folder / key[:2] / f"{key}.json"
        self._used.add(path)
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
        text = canonical(work())
        write_text(path, text)
        return json.loads(text)

    def sweep(self) -> None:
        """Remove what this run did not use: results of other code, inputs and settings."""
        for path in sorted(self.folder.glob("*/*")):
            if path not in self._used:
                path.unlink()
        for folder in sorted(self.folder.glob("*")):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
