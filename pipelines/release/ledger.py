"""`rejects.jsonl`: the lines of what was not released."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import canonical, read_json_lines, whole_file
from graphmill.record import Reject
from pipelines.configuration.store import a_text

LEDGER = "rejects.jsonl"
_LONGEST = 200_000  # characters of a text in the ledger


def ledger_text(rejects: Iterable[Reject]) -> str:
    """The lines of rejects, as they come."""
    return "".join(f"{canonical(ledger_line(each))}\n" for each in rejects)


def checked_text(raw: str) -> str:
    """A text of `ledger_text`.

    Raises:
        ValueError, AttributeError, TypeError: it is none.
    """
    *lines, rest = a_text(raw).split("\n")
    if rest:
        raise ValueError("its last line is cut")
    for line in lines:
        Reject.from_json(json.loads(line))
    return raw


def ranked(rejects: Iterable[Reject]) -> list[Reject]:
    """Rejects in the order of a build's ledger."""
    return sorted(rejects, key=lambda r: (r.db, r.line, r.stage, r.code))


def write_ledger(path: Path, texts: Iterable[str]) -> int:
    """Write the ledger piece by piece, as they come; the number of its lines.

    Raises:
        GraphmillError: the place cannot be written.
    """
    number = 0
    with whole_file(path) as stream:
        for text in texts:
            stream.write(text.encode())
            number += text.count("\n")
    return number


def ledger_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a ledger, one after the other.

    Raises:
        GraphmillError: the file is missing, or a line is none of a reject.
    """
    for number, line in read_json_lines(path):
        if isinstance(line, GraphmillError):
            raise line
        texts = [line.get(name) for name in ("stage", "code")] if isinstance(line, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise GraphmillError(
                f"{path}, line {number}: no reject, which is an object with texts stage and code."
            )
        yield line


def ledger_line(reject: Reject) -> dict[str, Any]:
    """A reject as its line has it, its texts cut where they would make a line that nobody reads.

    >>> ledger_line(Reject("s", "c", "x" * 300_000, "db"))["reason"][-22:]
    '… (300,000 characters)'
    """
    line: dict[str, Any] = _cut(reject.to_json())
    return line


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]}… ({len(value):,} characters)"
    if isinstance(value, Mapping):
        return {name: _cut(each) for name, each in value.items()}
    return [_cut(each) for each in value] if isinstance(value, list | tuple) else value
