"""Closed sets of values that tables declare: `CHECK (status IN ('a', 'b'))` and ENUM types."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TEXT = r"'(?:[^']|'')*'"
_LISTED = rf"{_TEXT}(?:\s*,\s*{_TEXT})*"
_NAME = r'"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[^\W\d]\w*'
_CHECK = re.compile(rf"\bCHECK\s*\(\s*({_NAME})\s+IN\s*\(\s*({_LISTED})\s*\)\s*\)", re.I)
_ENUM = re.compile(rf"ENUM\s*\(\s*({_LISTED})\s*\)", re.I)
_COMMENT = re.compile(rf"({_TEXT}|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\])|--[^\n]*|/\*.*?\*/", re.S)


def closed_sets(created: str, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The sets of texts that a CREATE TABLE statement allows, by column.

    >>> closed_sets("CREATE TABLE t (s TEXT CHECK (s IN ('a', 'it''s')))", ["s"])
    {'s': ('a', "it's")}
    """
    if "check" not in created.lower():
        return {}
    plain = _COMMENT.sub(lambda found: found[1] or " ", created)
    names = {name.lower(): name for name in columns}
    found = {}
    for name, listed in _CHECK.findall(plain):
        bare = name[1:-1].replace('""', '"') if name[0] in '"`[' else name
        if bare.lower() in names:
            found[names[bare.lower()]] = _texts(listed)
    return found


def enumerated(declared: str) -> tuple[str, ...]:
    """The texts of an ENUM type.

    >>> enumerated("enum('x','y')")
    ('x', 'y')
    """
    match = _ENUM.fullmatch(declared.strip())
    return _texts(match[1]) if match else ()


def _texts(listed: str) -> tuple[str, ...]:
    return tuple(text[1:-1].replace("''", "'") for text in re.findall(_TEXT, listed))
