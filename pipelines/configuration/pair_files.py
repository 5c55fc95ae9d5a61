"""Files of questions with queries, as others publish them: one object an item, with its line.

JSON lines, a JSON array, a table as CSV with a header, or a Cypher script, whose comments are the
questions of the queries below them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines

_SCRIPTS = (".cypher", ".cql", ".cyp")


def read_items(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    """Items with the line on which each begins (its number in the array, for an array).

    Raises:
        GraphmillError: the file cannot be read as what it is.
    """
    if path.suffix.lower() in _SCRIPTS:
        yield from _script(_text(path))
        return
    start = _text(path, 64).lstrip()[:1]
    if start == "[":
        yield from _array(path)
    elif start in ("{", ""):
        yield from read_json_lines(path)
    elif "," in _text(path).split("\n", 1)[0]:
        yield from _table(path)
    else:
        yield from read_json_lines(path)


def _text(path: Path, size: int = -1) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return stream.read(size)
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise GraphmillError(f"Cannot read {path}: {reason}.") from problem


def _array(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    text = _text(path)
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as problem:
        first = text.lstrip().split("\n", 1)[0].rstrip()
        if first.endswith("]") and "\n" in text.strip():  # lines that happen to be arrays
            yield from read_json_lines(path)
            return
        raise GraphmillError(f"{path} is not JSON: {problem}.") from problem
    yield from enumerate(items, 1)


def _table(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    csv.field_size_limit(1 << 30)
    reader = csv.DictReader(io.StringIO(_text(path)))
    line = 1
    try:
        for row in reader:
            yield line + 1, {name: value for name, value in row.items() if value not in ("", None)}
            line = reader.line_num
    except csv.Error as problem:
        raise GraphmillError(f"{path}, line {line + 1}: not CSV ({problem}).") from problem


def _script(text: str) -> Iterator[tuple[int, Any]]:
    """Queries that end with `;` or at the next comment of a whole line."""
    question: list[str] = []
    query: list[str] = []
    begun = 1
    for number, raw in enumerate([*text.split("\n"), "//"], 1):
        line = raw.strip()
        is_comment = line.startswith(("//", "#"))
        if query and (is_comment or query[-1].rstrip().endswith(";")):
            yield begun, {"question": " ".join(question), "cypher": "\n".join(query)}
            question, query = [], []
        if is_comment:
            if not query:
                question.append(line.lstrip("/#").strip())
        elif line:
            if not query:
                begun = number
            query.append(raw.rstrip())
