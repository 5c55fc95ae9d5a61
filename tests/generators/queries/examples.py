"""Reads the examples of operators: a comment that names the operator, the parent, the query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_MARK = "-- operator: "


def examples_of(path: Path) -> Iterator[tuple[str, str, str]]:
    """(operator, parent, harder query) of each block."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith(_MARK):
            yield line.removeprefix(_MARK), lines[number + 1], lines[number + 2]
