"""What a JSON file is about, told from its first bytes, and reading one whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.regular import check_regular

BOM = b"\xef\xbb\xbf"
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


def _text(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]


def load_json(path: Path) -> Any:
    """The value of a JSON file.

    Raises:
        SourceError: it is none.
    """
    check_regular(path)
    try:
        return json.loads(path.read_bytes())
    except json.JSONDecodeError as problem:
        raise SourceError(
            f"{path}, line {problem.lineno}, column {problem.colno}: not JSON ({problem.msg})."
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"{path} is not JSON that can be read: {problem}.") from problem
