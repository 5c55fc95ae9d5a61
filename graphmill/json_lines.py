"""Lines of JSON as strict as the standard: what is wrong with a line is an error of that line.

Python's reader takes what no other reads alike: NaN, numbers beyond a float, the last of two equal
keys, halves of surrogate pairs. Such a value cannot be written back, or not as what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from graphmill.errors import GraphmillError
from graphmill.json_places import HugeError, TwiceError, finite, once, second
from graphmill.regular import check_regular

MAX_LINE = 16 << 20  # bytes; the longest query that anybody has written has some thousands
MAX_DEPTH = 200
BOM = b"\xef\xbb\xbf"

SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_BREAK = re.compile(rb"\r\n?|\n")


def parse_json(text: str, *, bare: bool = False) -> Any:
    """The value of a JSON text; with `bare` one that may have NaN and Infinity as Python has them.

    >>> parse_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}

    Bytes that are not UTF-8 may come as Python's `surrogateescape` has them: they are refused.

    Raises:
        GraphmillError: it is none; the message says why, and in which column if it can.
    """
    if not text.isascii() and SURROGATE.search(text):
        raise GraphmillError("not UTF-8 text")
    try:
        value = json.loads(
            text,
            parse_constant=None if bare else _constant,
            parse_float=None if bare else _float,
            object_pairs_hook=once,
        )
    except TwiceError as problem:
        line, column = second(text, problem.key)
        raise GraphmillError(
            f"{_place(line, column)}: the key {problem.key[:60]!r} is there twice; one of them "
            "would be lost"
        ) from None
    except json.JSONDecodeError as problem:
        place = _place(problem.lineno, problem.colno)
        raise GraphmillError(f"{place}: not JSON ({problem.msg})") from problem
    except RecursionError as problem:
        raise GraphmillError(f"not JSON: nested deeper than {MAX_DEPTH} levels") from problem
    except ValueError as problem:  # an integer with more digits than Python converts
        raise GraphmillError("a number has too many digits") from problem
    if text.count("[") + text.count("{") > MAX_DEPTH or _SURROGATE_ESCAPE.search(text):
        _check(value)
    return value


def _place(line: int, column: int) -> str:
    """Where something stands, of which the line is known where the text is a line."""
    return f"line {line}, column {column}" if line > 1 else f"column {column}"


def _constant(name: str) -> Any:
    raise GraphmillError(f"not JSON: {name} is no number there; write null or a text")


def _float(text: str) -> float:
    try:
        return finite(text)
    except HugeError:
        raise GraphmillError(f"the number {text[:30]} is beyond what a float holds") from None


def _check(value: Any) -> None:
    """Depth, and texts that are Unicode."""
    level: list[Any] = [value]
    depth = 0
    while level:
        if depth > MAX_DEPTH:
            raise GraphmillError(f"nested deeper than {MAX_DEPTH} levels")
        depth += 1
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.keys()
                inner += item.values()
            elif isinstance(item, list):
                inner += item
            elif isinstance(item, str) and SURROGATE.search(item):
                raise GraphmillError("a text has half of a surrogate pair (\\ud800 to \\udfff)")
        level = inner


BYTES = "$bytes"  # the key of bytes, in base64
FLOAT = "$float"  # the key of a float that JSON has no number for
NO_NUMBERS = ("nan", "inf", "-inf")


def float_of(value: object) -> float | None:
    """The float that an object stands for which JSON has no number for; None for all else.

    >>> float_of({"$float": "-inf"}), float_of({"$float": "1"}), float_of(1.5)
    (-inf, None, None)
    """
    if isinstance(value, dict) and len(value) == 1 and value.get(FLOAT) in NO_NUMBERS:
        return float(value[FLOAT])
    return None


def read_json(path: Path, error: type[GraphmillError] = GraphmillError) -> Any:
    """The value of a JSON file that graphmill or a user wrote, which may have NaN as Python writes
    it; `error` is what is raised.

    Raises:
        GraphmillError: it is missing or cannot be read, or is none; the message names file and
            place.
        SourceError: it is a pipe, a device or a socket.
    """
    check_regular(path)
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"), bare=True)
    except OSError as problem:
        raise error(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    except UnicodeDecodeError as problem:
        raise error(f"{path} is not JSON: byte {problem.start + 1} is not UTF-8.") from problem
    except GraphmillError as problem:
        raise error(f"{path}, {problem}.") from problem


def values_of(stream: IO[bytes]) -> Iterator[tuple[int, Any | GraphmillError]]:
    """Line numbers (from 1) with values; a broken line yields an error, and the next is read.

    A line ends with a line feed, a carriage return or both; blank lines are skipped.
    """
    number = 0
    for raw in _lines(stream):
        number += 1
        if raw is None:
            yield number, GraphmillError(f"a line has at most {MAX_LINE:,} bytes")
            continue
        try:
            text = (raw.removeprefix(BOM) if number == 1 else raw).decode()
            if text.strip():
                yield number, parse_json(text)
        except UnicodeDecodeError as problem:
            byte = raw[problem.start : problem.start + 1]
            place = f"byte {problem.start + 1} (0x{byte.hex()}): {problem.reason}"
            yield number, GraphmillError(f"not UTF-8 text, {place}")
        except GraphmillError as problem:
            yield number, problem


def bounded_lines(stream: IO[bytes], most: int) -> Iterator[tuple[bytes | None, int]]:
    """Lines with the bytes that they have; None for one of more than `most`, its end apart, which
    is not held."""
    while raw := stream.readline(most + 1):
        size = len(raw)
        if size <= most or raw.endswith(b"\n"):
            yield raw, size
            continue
        while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
            size += len(rest)
        yield None, size + len(rest)


def _lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """Lines without their ends; None for one that is too long."""
    for raw, _ in bounded_lines(stream, MAX_LINE):
        if raw is None:
            yield None
            continue
        pieces = _BREAK.split(raw)
        yield from pieces if pieces[-1] else pieces[:-1]
