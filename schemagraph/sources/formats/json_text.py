"""What a JSON file is about, told from its first bytes, and reading one whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.json_lines import MAX_DEPTH
from graphmill.json_places import (
    TOKEN,
    HugeError,
    TwiceError,
    depth,
    finite,
    first,
    half_character,
    integer,
    is_deeper,
    once,
    second,
    unquoted,
)
from graphmill.regular import check_regular

BOM = b"\xef\xbb\xbf"


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
    depth, tokens, first_characters = 0, TOKEN.findall(text, start.end() - 1), {}
    for n, piece in enumerate(tokens):
        if piece in "{[":
            depth += 1
        elif piece in "}]":
            depth -= 1
            if not depth:
                break
        elif depth == 1 and piece[0] == '"' and tokens[n + 1 : n + 2] == [":"]:
            value = tokens[n + 2][0] if n + 2 < len(tokens) else ""
            first_characters[unquoted(piece)] = value
    return first_characters


def load_json(path: Path) -> Any:
    """The value of a JSON file.

    Raises:
        SourceError: it is none, cannot be read, is nested too deeply, has a number that no float
            holds, or an object has a key twice, of which one value would be lost.
    """
    check_regular(path)
    try:
        content = path.read_bytes()
        text = content.decode(json.detect_encoding(content))
        value = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=once,
            parse_float=finite,
            parse_int=integer,
        )
        if is_deeper(text, MAX_DEPTH) and depth(value) > MAX_DEPTH:
            raise RecursionError
        if name := half_character(text, value):
            raise SourceError(
                f"{path}: the key {name[:60]!r} has half of a surrogate pair, which no name has."
            )
    except OSError as problem:
        raise SourceError(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    except TwiceError as problem:
        line, column = second(text, problem.key)
        raise SourceError(
            f"{path}, line {line}, column {column}: the key {problem.key[:60]!r} is there twice in "
            "one object; one of its values would be lost. Take one away."
        ) from None
    except HugeError as problem:
        line, column = first(text, problem.number)
        raise SourceError(
            f"{path}, line {line}, column {column}: the number {problem.number[:30]} is beyond what"
            " a float holds; write it as a text, or leave it out."
        ) from None
    except json.JSONDecodeError as problem:
        raise SourceError(
            f"{path}, line {problem.lineno}, column {problem.colno}: not JSON ({problem.msg})."
        ) from problem
    except RecursionError:
        raise SourceError(
            f"{path}: lists and objects are nested deeper than {MAX_DEPTH} levels, which no value "
            "of a graph is."
        ) from None
    except ValueError as problem:
        raise SourceError(f"{path} is not JSON that can be read: {problem}.") from problem
    return value
