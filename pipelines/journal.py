"""What has been done, by content: finished work is on disk before the next begins.

A line holds a key (hash of stage, code, inputs, settings) and a value. A run that was killed
leaves at most one torn last line, which is dropped when the journal is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from graphmill.errors import GraphmillError
from graphmill.files import canonical, write_text


class Journal:
    """An append-only file of finished work; `put` returns when the line is on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._done: dict[str, Any] = {}
        self._used: set[str] = set()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("a+b")
        except OSError as problem:
            raise GraphmillError(
                f"Cannot write {path}: {problem.strerror or problem}."
            ) from problem
        self._recover()

    def _recover(self) -> None:
        self._stream.seek(0)
        good = 0
        for line in self._stream:
            try:
                key, value = json.loads(line)
            except ValueError:
                break
            if not line.endswith(b"\n"):
                break
            self._done[key] = value
            good += len(line)
        self._stream.truncate(good)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._stream.close()

    def done(self, key: str, work: Callable[[], Any]) -> Any:
        """The value under `key`: as it was recorded, else from `work`, recorded now."""
        self._used.add(key)
        if key not in self._done:
            value = work()
            self._stream.write(f"{canonical([key, value])}\n".encode())
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._done[key] = json.loads(canonical(value))
        return self._done[key]

    def has(self, key: str) -> bool:
        """Whether the work under `key` is finished."""
        return key in self._done

    def compact(self) -> None:
        """Keep what this run used, in the order of the keys: the same run, the same bytes."""
        lines = (canonical([key, self._done[key]]) for key in sorted(self._used))
        write_text(self.path, "".join(f"{line}\n" for line in lines))
