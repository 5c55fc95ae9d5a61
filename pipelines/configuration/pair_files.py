"""Files of questions with queries, as others publish them: one object an item, with its line.

JSON lines, a JSON array, a table as CSV with a header, or a Cypher script, whose comments are the
questions of the queries below them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines
from graphmill.json_lines import BOM, parse_json
from graphmill.regular import check_regular

_SCRIPTS = (".cypher", ".cql", ".cyp")
_HEADER = 1 << 20  # bytes of the longest first line of a table
_LINE_END = re.compile(rb"[\r\n]")
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]|[^\s\[\]{},"]+', re.DOTALL)


def read_items(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    """Items with the line on which each begins (its number in the array, for an array).

    Raises:
        GraphmillError: the file cannot be read as what it is.
    """
    check_regular(path)
    if path.suffix.lower() in _SCRIPTS:
        for line, item in _script(_text(path)):
            yield line, _checked(path, line, item)
        return
    start = _start(path)
    if start == "[":
        yield from _array(path)
    elif start in ("{", ""):
        yield from read_json_lines(path)
    elif _is_table(path):
        yield from _table(path)
    else:
        yield from read_json_lines(path)


def _bytes(path: Path, size: int = -1) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(size).removeprefix(BOM)
    except OSError as problem:
        raise GraphmillError(f"Cannot read {path}: {problem.strerror or problem}.") from problem


def _start(path: Path) -> str:
    """The first character that is no blank."""
    return _bytes(path, 4096).decode("utf-8", "ignore").lstrip()[:1]


def _is_table(path: Path) -> bool:
    first = _LINE_END.split(_bytes(path, _HEADER), 1)[0]
    return b"," in first and (path.suffix.lower() == ".csv" or b"{" not in first)


def _text(path: Path) -> str:
    """The whole file; bytes that are not UTF-8 are kept apart, for the item that has them."""
    return _bytes(path).decode(errors="surrogateescape")


def _checked(path: Path, line: int, item: dict[str, Any]) -> dict[str, Any] | GraphmillError:
    """An item of texts, unless one of them is none."""
    text = "".join(map(str, item.values()))
    return item if _is_text(text) else GraphmillError(f"{path}, line {line}: not UTF-8 text.")


def _is_text(text: str) -> bool:
    """Whether what `_text` read is UTF-8, and nothing that only binary files have."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _array(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    text = _text(path)
    try:
        yield from enumerate(parse_json(text), 1)
        return
    except GraphmillError as problem:
        first = text.lstrip().split("\n", 1)[0].rstrip()
        if first.endswith("]") and "\n" in text.strip():  # lines that happen to be arrays
            yield from read_json_lines(path)
            return
        items = list(_items(text))
        if not items:
            raise GraphmillError(f"{path} is not JSON: {problem}.") from problem
    for number, item in enumerate(items, 1):
        if isinstance(item, GraphmillError):
            item = GraphmillError(f"{path}, item {number}: {item}.")
        yield number, item


def _items(text: str) -> Iterator[Any | GraphmillError]:
    """The items of an array of which one cannot be read; none where its form is broken."""
    spans, at, start = [], text.find("[") + 1, None
    depth = 0
    for token in _PIECE.finditer(text, at):
        piece = token[0]
        if start is None and piece not in "]},":
            start = token.start()
        if piece in "[{":
            depth += 1
        elif piece in "]}" and depth:
            depth -= 1
        elif piece in ",]" and not depth:
            if start is not None:
                spans.append((start, token.start()))
            start = None
            if piece == "]":
                if text[token.end() :].strip():
                    return
                break
    else:
        return
    for begin, end in spans:
        try:
            yield parse_json(text[begin:end])
        except GraphmillError as problem:
            yield problem


def _table(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    csv.field_size_limit(1 << 30)
    # Lines may end with CR, LF or both; "" leaves those inside of quotes as they are.
    reader = csv.DictReader(io.StringIO(_text(path), newline=""))
    line = 1
    try:
        names = list(reader.fieldnames or ())
    except csv.Error as problem:
        raise GraphmillError(f"{path}, line {line}: not CSV ({problem}).") from problem
    if not _is_text("".join(names)):
        raise GraphmillError(
            f"{path}, line {line}: no header of a table, but bytes that are not UTF-8 text. Pairs "
            "are JSON lines, a JSON array, CSV with a header, or a Cypher script."
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise GraphmillError(f"{path}, line 1: the column {twice!r} is there twice.")
    try:
        for row in reader:
            cells = {name: value for name, value in row.items() if value not in ("", None)}
            yield line + 1, _checked(path, line + 1, cells)
            line = reader.line_num
    except csv.Error as problem:
        raise GraphmillError(f"{path}, line {line + 1}: not CSV ({problem}).") from problem


def _script(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Queries that end with `;` or at the next comment of a whole line."""
    question: list[str] = []
    query: list[str] = []
    begun = 1
    for number, raw in enumerate([*re.split(r"\r\n|\r|\n", text), "//"], 1):
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
