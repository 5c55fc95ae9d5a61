"""Values in the place of `$name` in a query's text, for `graphmill run`.

Texts of engines are not parsed, only read past quotations and comments. A value is what JSON has:
a text stays a text. `graphmill translate` puts values in where types are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graph_ir.bind.parameters import check_tags, constant
from graphmill.errors import QueryTextError, Refused
from graphmill.json_lines import float_of
from translators.duckdb.model.names import text as sql_text
from translators.duckdb.model.values import literal
from translators.language import DIALECTS

_TOKENS = {
    "cypher": re.compile(
        r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:``|[^`])*`|//[^\n]*|/\*.*?\*/"""
        r"""|\$(?:`(?P<quoted>[^`]+)`|(?P<name>\w+))""",
        re.DOTALL,
    ),
    "gql": re.compile(
        r"""'(?:\\.|''|[^'\\])*'|"(?:\\.|""|[^"\\])*"|`(?:``|[^`])*`|//[^\n]*|--[^\n]*|/\*.*?\*/"""
        r"""|\$(?:`(?P<quoted>[^`]+)`|(?P<name>\w+))""",
        re.DOTALL,
    ),
    "sql": re.compile(
        r"""'(?:''|[^'])*'|"(?:""|[^"])*"|--[^\n]*|/\*.*?\*/|\$(?:"(?P<quoted>[^"]+)"|(?P<name>\w+))""",
        re.DOTALL,
    ),
}


def filled(text: str, language: str, parameters: Mapping[str, Any]) -> str:
    """`text` with `parameters` written out; one that has no value stays.

    >>> filled("RETURN $x, '$x'", "cypher", {"x": -1})
    "RETURN (-1), '$x'"

    Raises:
        QueryTextError: a value cannot be written in this language (`bad-parameter`,
            `integer-overflow`).
    """
    if not parameters:
        return text

    def written(token: re.Match[str]) -> str:
        name = token["name"] or token["quoted"]
        if name is None or name not in parameters:
            return token[0]
        check_tags(name, parameters[name])
        return _written(parameters[name], language)

    return _TOKENS[language].sub(written, text)


def _written(value: Any, language: str) -> str:
    try:
        made = _sql(value) if language == "sql" else _graph(value, language)
    except Refused as problem:
        raise QueryTextError(str(problem), kind="semantic", code="bad-parameter") from problem
    return f"({made})" if made.startswith("-") else made


def _graph(value: Any, language: str) -> str:
    return str(DIALECTS.get(language)(None).emit(constant(value)))


type _Shape = str | tuple[str, Any] | None
"""What SQL tells values apart by: a kind, with what a list or a map holds; None of null."""


def _shape(value: Any) -> _Shape:
    """The one type of a value.

    Raises:
        QueryTextError: the items of a list in it have several.
    """
    if value is None or isinstance(value, bool):
        return None if value is None else "truth values"
    if isinstance(value, int | float) or float_of(value) is not None:
        return "numbers"
    if isinstance(value, list):
        whole: _Shape = None
        for item in value:
            whole = _both(whole, _shape(item))
        return "lists", whole
    if isinstance(value, dict):
        return "maps", {str(key): _shape(each) for key, each in value.items()}
    return "texts"


def _both(one: _Shape, other: _Shape) -> _Shape:
    """The shape that two items of a list have."""
    match one, other:
        case (None, each) | (each, None):
            return each
        case ("lists", a), ("lists", b):
            return "lists", _both(a, b)
        case ("maps", dict() as a), ("maps", dict() as b) if a.keys() == b.keys():
            return "maps", {key: _both(a[key], b[key]) for key in a}
    if one == other:
        return one
    kinds = [each if isinstance(each, str) else f"{each[0]}" for each in (one, other) if each]
    what = " beside ".join(kinds) if kinds[0] != kinds[1] else "maps with other keys"
    raise QueryTextError(
        f"The items of a list have one type in SQL, and a parameter's list has {what}.",
        kind="semantic",
        code="bad-parameter",
    )


def _sql(value: Any) -> str:
    _shape(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_written_sql, value))}]"
    if (number := float_of(value)) is not None:
        return literal(number).text
    if isinstance(value, dict):
        entries = (f"{sql_text(str(k))}: {_written_sql(v)}" for k, v in value.items())
        return f"{{{', '.join(entries)}}}"
    return literal(value).text


def _written_sql(value: Any) -> str:
    return _written(value, "sql")
