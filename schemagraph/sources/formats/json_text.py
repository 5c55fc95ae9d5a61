"""What a JSON file is about, told from its first bytes, and reading one whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.regular import check_regular

BOM = b"\xef\xbb\xbf"
_COLON = re.compile(r"\s*:")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def head_keys(head: bytes) -> dict[str, str]:
    """Keys of the first object in `head`, each with the first character of its value.

    The object may stand alone, in a list, or on the first line of JSON lines.

    >>> head_keys(b'[{"a": [{"b": 1}], "c": "x"')
    {'a': '[', 'c': '"'}
    >>> head_keys(b"a,b")
    {}
    """
    text = head.removeprefix(BOM).decode("utf-8", "ignore").lstrip()
    start = re.match(r"\[?\s*\{", text)
    if start is None:
        return {}
    depth, tokens, first_characters = 0, _TOKEN.findall(text, start.end() - 1), {}
    for n, piece in enumerate(tokens):
        if piece in "{[":
            depth += 1
        elif piece in "}]":
            depth -= 1
            if not depth:
                break
        elif depth == 1 and piece[0] == '"' and tokens[n + 1 : n + 2] == [":"]:
            value = tokens[n + 2][0] if n + 2 < len(tokens) else ""
            first_characters[_text(piece)] = value
    return first_characters


class _Twice(Exception):
    """An object has a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Twice(key)
            seen.add(key)
    return value


def _second(text: str, key: str) -> tuple[int, int]:
    """Line and column, from 1, where an object of valid JSON has the key for the second time."""
    open_keys: list[set[str]] = [set()]
    for token in _TOKEN.finditer(text):
        piece = token[0]
        if piece in "{[":
            open_keys.append(set())
        elif piece in "}]":
            open_keys.pop()
        elif piece[0] == '"' and _COLON.match(text, token.end()):
            name = _text(piece)
            if name == key and name in open_keys[-1]:
                start = token.start()
                return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
            open_keys[-1].add(name)
    return 1, 1


def _text(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]


def load_json(path: Path) -> Any:
    """The value of a JSON file.

    Raises:
        SourceError: it is none, or an object has a key twice, of which one value would be lost.
    """
    check_regular(path)
    content = path.read_bytes()
    try:
        return json.loads(content, object_pairs_hook=_object)
    except _Twice as problem:
        line, column = _second(content.decode(json.detect_encoding(content)), problem.key)
        raise SourceError(
            f"{path}, line {line}, column {column}: the key {problem.key[:60]!r} is there twice in "
            "one object; one of its values would be lost. Take one away."
        ) from None
    except json.JSONDecodeError as problem:
        raise SourceError(
            f"{path}, line {problem.lineno}, column {problem.colno}: not JSON ({problem.msg})."
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"{path} is not JSON that can be read: {problem}.") from problem
