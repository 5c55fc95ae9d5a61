"""Where a JSON text has a key twice in one object, of which Python's reader keeps the last and
says nothing, or a number that it takes for infinite.

It lies on the lowest layer because lines, files of a corpus and sources are all read like this.
"""

from __future__ import annotations

import json
import re
from math import isinf
from typing import Any

_COLON = re.compile(r"\s*:")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class TwiceError(Exception):
    """An object has the key `key` twice."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these members: the `object_pairs_hook` of those who refuse a key twice.

    Raises:
        TwiceError: a key is there twice, of which one value would be lost.
    """
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise TwiceError(key)
            seen.add(key)
    return value


class HugeError(ValueError):
    """A number is beyond what a float holds, or an integer has more digits than Python converts."""

    def __init__(self, number: str) -> None:
        super().__init__("too large")
        self.number = number


def finite(number: str) -> float:
    """The float of a written number: the `parse_float` of those who refuse what would be infinite.

    Raises:
        HugeError: it is too large.
    """
    value = float(number)
    if isinf(value):
        raise HugeError(number)
    return value


def integer(number: str) -> int:
    """The integer of a written one: the `parse_int` of those who say where one is too long.

    Raises:
        HugeError: it has too many digits.
    """
    try:
        return int(number)
    except ValueError:
        raise HugeError(number) from None


def first(text: str, number: str) -> tuple[int, int]:
    r"""Line and column, from 1, where a number stands in a JSON text for the first time.

    >>> first('{"1e400":\n 1e400}', "1e400")
    (2, 2)
    """
    for token in TOKEN.finditer(text):
        if token[0] == number:
            return _place(text, token.start())
    return 1, 1


def _place(text: str, start: int) -> tuple[int, int]:
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def second(text: str, key: str) -> tuple[int, int]:
    r"""Line and column, from 1, where an object of valid JSON has the key for the second time.

    >>> second('{"a": 1,\n "a": 2}', "a")
    (2, 2)
    """
    open_keys: list[set[str]] = [set()]
    for token in TOKEN.finditer(text):
        piece = token[0]
        if piece in "{[":
            open_keys.append(set())
        elif piece in "}]":
            open_keys.pop()
        elif piece[0] == '"' and _COLON.match(text, token.end()):
            name = unquoted(piece)
            if name == key and name in open_keys[-1]:
                return _place(text, token.start())
            open_keys[-1].add(name)
    return 1, 1


def unquoted(quoted: str) -> str:
    """The text that a JSON text stands for.

    >>> unquoted('"\\u0061"')
    'a'
    """
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]


def is_deeper(text: str, most: int) -> bool:
    r"""Whether lists and objects of a JSON text may stand deeper than `most` within each other.

    Brackets within texts count, too: who is told so has to look at the values.

    >>> is_deeper("[[1], {}]", 2), is_deeper("[[[1]]]", 2)
    (False, True)
    """
    if text.count("[") + text.count("{") <= most:
        return False
    left = _BUT_BRACKETS.sub("", text)
    for _ in range(most):
        if not left:
            break
        left = left.replace("[]", "").replace("{}", "")
    return bool(left)


_BUT_BRACKETS = re.compile(r"[^\[\]{}]+")


def depth(value: object) -> int:
    """How many lists and objects stand within each other.

    >>> depth([1, {"a": [2]}])
    3
    """
    deepest, left = 0, [(value, 1)]
    while left:
        inner, level = left.pop()
        if isinstance(inner, list | tuple | dict):
            deepest = max(deepest, level)
            parts = inner.values() if isinstance(inner, dict) else inner
            left += [(part, level + 1) for part in parts]
    return deepest


_HALF = re.compile("[\ud800-\udfff]")
_HALF_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")


def half_character(text: str, value: object) -> str:
    r"""The first key of a JSON value that has half of a surrogate pair; "" where none has. `text`
    is what it was read from.

    >>> half_character('{"\\ud800": 1}', {"\ud800": 1})
    '\ud800'
    """
    left = [value] if _HALF_ESCAPED.search(text) else []
    while left:
        inner = left.pop()
        if isinstance(inner, dict):
            left += inner.values()
            for key in inner:
                if _HALF.search(key):
                    return str(key)
        elif isinstance(inner, list):
            left += inner
    return ""
