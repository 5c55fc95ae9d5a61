"""Text fixtures: blocks between blank lines, comments that begin with `--`, settings in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SETTING = re.compile(r"-- (\w+): (\S+)")


@dataclass(frozen=True)
class Block:
    """The lines of one block, where it stands, and the settings that hold there.

    A comment `-- key: value` sets `key` from there on.
    """

    place: str
    settings: dict[str, str]
    lines: tuple[str, ...]


def blocks(path: Path) -> Iterator[Block]:
    """All blocks of a file."""
    settings: dict[str, str] = {}
    lines: list[str] = []
    start = 0
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        if line.startswith("--"):
            found = _SETTING.match(line)
            if found:
                settings = {**settings, found[1]: found[2]}
        elif line.strip():
            start = start if lines else number
            lines.append(line.strip())
        elif lines:
            yield Block(f"{path.parent.name}/{path.name}:{start}", settings, tuple(lines))
            lines = []
