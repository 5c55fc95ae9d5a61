"""Values in the place of `$name` in a query's text, for `graphmill run`.

Texts of engines are not parsed, only read past quotations and comments. A value is what JSON has:
a text stays a text. `graphmill translate` puts values in where types are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graph_ir.bind.parameters import constant
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


def _sql(value: Any) -> str:
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
