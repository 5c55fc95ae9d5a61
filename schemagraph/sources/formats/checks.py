"""What conditions declare of a column: `CHECK (status IN ('a', 'b'))`, `CHECK (age IS NOT NULL)`.

ENUM types are closed sets, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

_TEXT = r"'(?:[^']|'')*'"
_LISTED = rf"{_TEXT}(?:\s*,\s*{_TEXT})*"
_QUOTED = rf"{_TEXT}|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]"
_BRACKET = re.compile(rf"(?P<quoted>{_QUOTED})|(?P<check>\bCHECK\s*\()|(?P<sign>[()])", re.I)
_ENUM = re.compile(rf"ENUM\s*\(\s*({_LISTED})\s*\)", re.I)
_COMMENT = re.compile(rf"({_QUOTED})|--[^\n]*|/\*.*?\*/", re.S)


def conditions(created: str) -> list[str]:
    """The conditions of all CHECK in a CREATE TABLE statement.

    >>> conditions("CREATE TABLE t (s TEXT CHECK (s IN ('a', ')')), CHECK(n > 0)) -- CHECK(1)")
    ["s IN ('a', ')')", 'n > 0']
    """
    if "check" not in created.lower():
        return []
    plain = _COMMENT.sub(lambda match: match[1] or " ", created)
    opened: list[int] = []
    inside = []
    for match in _BRACKET.finditer(plain):
        if match["check"] or match["sign"] == "(":
            opened.append(match.end() if match["check"] else -1)
        elif match["sign"] and opened and (start := opened.pop()) >= 0:
            inside.append(plain[start : match.start()])
    return inside


def closed_set(condition: exp.Expr) -> tuple[str, tuple[str | int, ...]]:
    """The column and the texts, or integers, that a condition allows it, both empty where it says
    no such thing.

    NULL, which every condition lets pass, is none of them.

    >>> import sqlglot
    >>> closed_set(sqlglot.parse_one("(s = ANY (ARRAY['a'::text, 'b'::text]))", dialect="postgres"))
    ('s', ('a', 'b'))
    >>> closed_set(sqlglot.parse_one("s = 'a' OR s = 'b' OR s IS NULL"))
    ('s', ('a', 'b'))
    >>> closed_set(sqlglot.parse_one("n IN (-1, 0, 1)"))
    ('n', (-1, 0, 1))
    >>> closed_set(sqlglot.parse_one("s IN ('a', NULL) OR t > 1"))
    ('', ())
    """
    from sqlglot import exp

    inner = _plain(condition)
    if isinstance(inner, exp.And):
        return next(filter(all, map(closed_set, _parts(inner, exp.And))), ("", ()))
    if isinstance(inner, exp.Or):
        parts = [part for part in _parts(inner, exp.Or) if not _null_column(part)]
        absent = {_null_column(part) for part in _parts(inner, exp.Or)} - {""}
        sets = [closed_set(part) for part in parts]
        names = {name for name, _ in sets}
        if len(names) != 1 or "" in names or absent - names:
            return "", ()
        every = [value for _, values in sets for value in values]
        return (names.pop(), tuple(dict.fromkeys(every))) if _are_alike(every) else ("", ())
    items: list[exp.Expr] = []
    if isinstance(inner, exp.In):
        items = inner.expressions
    elif isinstance(inner, exp.EQ) and isinstance(inner.expression, exp.Any):
        listed = _plain(inner.expression.this)
        items = listed.expressions if isinstance(listed, exp.Array) else []
    elif isinstance(inner, exp.EQ):
        items = [inner.expression]
    column = _plain(inner.this) if items else None
    if isinstance(inner, exp.EQ) and isinstance(item := _plain(inner.expression), exp.Column):
        column, items = item, [inner.this]
    values = [value for item in map(_plain, items) if (value := _constant(item)) is not None]
    if not isinstance(column, exp.Column) or len(values) != len(items) or not _are_alike(values):
        return "", ()
    return column.name, tuple(dict.fromkeys(values))


def _constant(item: exp.Expr) -> str | int | None:
    """The text or the integer that is written there."""
    if item.is_string:
        return item.name
    try:
        return int(item.sql()) if item.is_int else None
    except ValueError:  # more digits than any column has
        return None


def _are_alike(values: Sequence[str | int]) -> bool:
    """Whether all are texts, or all integers."""
    return len({type(value) for value in values}) <= 1


def never_null(condition: exp.Expr) -> list[str]:
    """The columns that a condition lets hold no NULL.

    >>> import sqlglot
    >>> never_null(sqlglot.parse_one("(a IS NOT NULL) AND (b > 1 AND NOT c IS NULL)"))
    ['a', 'c']
    >>> never_null(sqlglot.parse_one("a IS NOT NULL OR b IS NOT NULL"))
    []
    """
    from sqlglot import exp

    names = []
    for part in _parts(condition, exp.And):
        if isinstance(part, exp.Not):
            names.append(_null_column(_plain(part.this)))
        elif part.args.get("negate"):
            names.append(_null_column(part, denied=True))
    return [name for name in names if name]


def _parts(condition: exp.Expr, of: type[exp.Expr]) -> Iterator[exp.Expr]:
    """The conditions that AND, or OR, joins, without parentheses, in their order."""
    waiting = [condition]
    while waiting:
        inner = _plain(waiting.pop())
        if isinstance(inner, of):
            waiting += [inner.expression, inner.this]
        else:
            yield inner


def _null_column(condition: exp.Expr, *, denied: bool = False) -> str:
    """The column of which a condition says that it is NULL; empty where it says something else.

    With `denied` that it is not, where sqlglot has that in one (`negate`, of PostgreSQL).
    """
    from sqlglot import exp

    if not isinstance(condition, exp.Is) or not isinstance(condition.expression, exp.Null):
        return ""
    if bool(condition.args.get("negate")) is not denied:
        return ""
    column = _plain(condition.this)
    return column.name if isinstance(column, exp.Column) else ""


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


@dataclass(frozen=True, slots=True)
class Declared:
    """What the conditions of a table declare: closed sets by column, and columns without NULL.

    Names are in small letters.
    """

    values: Mapping[str, tuple[str | int, ...]]
    needed: frozenset[str]


def declared_by(given: Sequence[str], dialect: str) -> Declared:
    """What conditions declare; those that cannot be read declare nothing.

    >>> declared_by(["(length(s) < 9)", "(s IN ('a', 'b'))", "S IS NOT NULL"], "duckdb")
    Declared(values={'s': ('a', 'b')}, needed=frozenset({'s'}))
    """
    values: dict[str, tuple[str | int, ...]] = {}
    needed: set[str] = set()
    if not given:
        return Declared(values, frozenset())
    import sqlglot
    from sqlglot.errors import SqlglotError

    for condition in given:
        try:
            tree = sqlglot.parse_one(condition, dialect=dialect)
        except (SqlglotError, RecursionError):
            continue
        name, texts = closed_set(tree)
        if texts:
            values.setdefault(name.lower(), texts)
        needed |= {column.lower() for column in never_null(tree)}
    return Declared(values, frozenset(needed))


def enumerated(declared: str) -> tuple[str, ...]:
    """The texts of an ENUM type.

    >>> enumerated("enum('x','y')")
    ('x', 'y')
    """
    match = _ENUM.fullmatch(declared.strip())
    return _texts(match[1]) if match else ()


def _texts(listed: str) -> tuple[str, ...]:
    return tuple(text[1:-1].replace("''", "'") for text in re.findall(_TEXT, listed))
