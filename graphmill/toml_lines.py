"""TOML that users write: its value, and where its tables and keys stand, for errors that name a
line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from graphmill.errors import GraphmillError, in_words
from graphmill.json_lines import MAX_DEPTH
from graphmill.json_places import depth, is_deeper


class TomlError(GraphmillError):
    """A text is no TOML: `line` is where, and the message says why."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """The value of a TOML text.

    >>> parse_toml("a = [1, {b = 2}]")
    {'a': [1, {'b': 2}]}

    Raises:
        TomlError: it is none, or nested too deeply.
    """
    try:
        value = tomllib.loads(text)
        if is_deeper(text, MAX_DEPTH) and depth(value) > MAX_DEPTH:
            raise RecursionError
    except RecursionError:
        raise TomlError("nested too deeply to be read") from None
    except ValueError as problem:  # TOMLDecodeError, and integers of too many digits
        place = re.search(r"at line (\d+)", str(problem))
        digits = re.search(r"[\d_]{4300,}", text)  # the most that Python converts
        line = int(place[1]) if place else text.count("\n", 0, digits.start()) + 1 if digits else 1
        raise TomlError(f"not TOML: {syntax_problem(text, problem)}", line) from problem
    return value


_KEY = re.compile(
    r"""^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*="""
)


def positions(
    text: str,
) -> tuple[dict[tuple[str, ...], int], dict[tuple[str, ...], tuple[str, ...]]]:
    r"""Line numbers of tables and keys, and the lines of comment above each.

    A place is the names that lead there; tables of a list are counted from 1.

    >>> positions("[a]\n# why\nb.c = 1\n[[d]]\n[[d]]")[0]
    {('a',): 1, ('a', 'b', 'c'): 3, ('d', '1'): 4, ('d', '2'): 5}
    """
    lines: dict[tuple[str, ...], int] = {}
    comments: dict[tuple[str, ...], tuple[str, ...]] = {}
    table: tuple[str, ...] = ()
    above: list[str] = []
    counts: dict[tuple[str, ...], int] = {}
    inside = ""  # the quotes of a text over several lines
    for number, line in enumerate(text.split("\n"), 1):
        if inside:
            inside = "" if line.count(inside) % 2 else inside
            continue
        stripped = line.strip()
        where: tuple[str, ...] = ()
        if stripped.startswith("["):
            where = table = _header(stripped, counts) or table
        elif key := _KEY.match(line):
            where = (*table, *_steps(f"{key[1]} = 0"))
            inside = next((q for q in ('"""', "'''") if line.count(q) % 2), "")
        elif stripped.startswith("#"):
            above.append(stripped)
            continue
        if where:
            lines.setdefault(where, number)
            if above:
                comments.setdefault(where, tuple(above))
        above = []
    return lines, comments


def _header(line: str, counts: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    steps = _steps(line)
    if not line.startswith("[[") or not steps:
        return steps
    counts[steps] = counts.get(steps, 0) + 1
    return (*steps, str(counts[steps]))


def _steps(line: str) -> tuple[str, ...]:
    """The names that a header or a key alone leads through; none where it is no TOML."""
    try:
        value: Any = tomllib.loads(line)
    except ValueError:
        return ()
    names = []
    while isinstance(value, dict) and value:
        name, value = next(iter(value.items()))
        names.append(name)
    return tuple(names)


def line_of(lines: Mapping[tuple[str, ...], int], where: tuple[str, ...]) -> int:
    """The line of a place, of the first table where it is a list of them, or of the nearest thing
    above it."""
    within = (where[:length] for length in range(len(where), 0, -1))
    either = (place for step in within for place in (step, (*step, "1")))
    return next((lines[place] for place in either if place in lines), 1)


def syntax_problem(text: str, problem: ValueError) -> str:
    """What `tomllib` refuses in a text, with the name of what is there twice.

    >>> def refused(text):
    ...     try:
    ...         tomllib.loads(text)
    ...     except ValueError as problem:
    ...         return syntax_problem(text, problem)
    >>> refused("a = 1\\na = 2\\n")
    "the key 'a' has a value already (at line 2, column 6)"
    >>> refused("[a.b]\\n[a.b]")
    'the table [a.b] is there already (at line 2, column 5)'
    """
    message = in_words(problem)
    place = re.search(r"\(at (?:line (\d+)|end of document)", message)
    if place is None:
        return message
    lines = text.split("\n")
    line, where = lines[int(place[1]) - 1 if place[1] else -1], message[place.start() :]
    if message.startswith("Cannot overwrite") and (key := _KEY.match(line)):
        return f"the key '{key[1]}' has a value already {where}"
    if message.startswith("Cannot declare") and (steps := _steps(line.strip())):
        return f"the table [{'.'.join(steps)}] is there already {where}"
    return message
