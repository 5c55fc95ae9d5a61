"""Closed sets of values that tables declare: `CHECK (status IN ('a', 'b'))` and ENUM types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

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
    plain = _COMMENT.sub(lambda match: match[1] or " ", created)
    names = {name.lower(): name for name in columns}
    allowed = {}
    for name, listed in _CHECK.findall(plain):
        bare = name[1:-1].replace('""', '"') if name[0] in '"`[' else name
        if bare.lower() in names:
            allowed[names[bare.lower()]] = _texts(listed)
    return allowed


def closed_set(condition: exp.Expr) -> tuple[str, tuple[str, ...]]:
    """The column and the texts that a condition allows it, both empty where it says no such thing.

    >>> import sqlglot
    >>> closed_set(sqlglot.parse_one("(s = ANY (ARRAY['a'::text, 'b'::text]))", dialect="postgres"))
    ('s', ('a', 'b'))
    >>> closed_set(sqlglot.parse_one("s IN ('a', NULL) OR t > 1"))
    ('', ())
    """
    from sqlglot import exp

    inner = _plain(condition)
    items: list[exp.Expr] = []
    if isinstance(inner, exp.In):
        items = inner.expressions
    elif isinstance(inner, exp.EQ) and isinstance(inner.expression, exp.Any):
        listed = _plain(inner.expression.this)
        items = listed.expressions if isinstance(listed, exp.Array) else []
    elif isinstance(inner, exp.EQ):
        items = [inner.expression]
    column = _plain(inner.this) if items else None
    texts = [item.name for item in map(_plain, items) if item.is_string]
    if not isinstance(column, exp.Column) or len(texts) != len(items):
        return "", ()
    return column.name, tuple(dict.fromkeys(texts))


def _plain(item: exp.Expr) -> exp.Expr:
    """Without parentheses, and without casts to text, which change no text."""
    from sqlglot import exp

    texts = (exp.DataType.Type.TEXT, exp.DataType.Type.VARCHAR, exp.DataType.Type.ARRAY)
    while isinstance(item, exp.Paren) or (
        isinstance(item, exp.Cast)
        and item.to.this in texts
        and all(isinstance(part, exp.DataType) for part in item.to.expressions)
    ):
        item = item.this
    return item


def allowed(conditions: Sequence[str], dialect: str) -> tuple[str, ...]:
    """The texts that the conditions on one column allow; empty where they close no set.

    >>> allowed(["(length(s) < 9)", "(s IN ('a', 'b'))"], "duckdb")
    ('a', 'b')
    """
    import sqlglot
    from sqlglot.errors import SqlglotError

    for condition in conditions:
        try:
            _, texts = closed_set(sqlglot.parse_one(condition, dialect=dialect))
        except SqlglotError:
            continue  # no condition that closes a set
        if texts:
            return texts
    return ()


def enumerated(declared: str) -> tuple[str, ...]:
    """The texts of an ENUM type.

    >>> enumerated("enum('x','y')")
    ('x', 'y')
    """
    match = _ENUM.fullmatch(declared.strip())
    return _texts(match[1]) if match else ()


def _texts(listed: str) -> tuple[str, ...]:
    return tuple(text[1:-1].replace("''", "'") for text in re.findall(_TEXT, listed))
