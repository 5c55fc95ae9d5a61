"""The nGQL parser: text to Lark tree, with errors that say where and what was expected."""

from __future__ import annotations

from functools import cache

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from graph_ir.cypher.errors import picture
from graphmill.errors import QueryTextError
from translators.ngql.grammar.keywords import UNRESERVED
from translators.ngql.grammar.tables import parser

type Node = Tree[Token]

_parser = cache(parser)

# What messages call words that have no spelling of their own.
_SPELLING = {
    "NAME": "a name",
    "STR": "a string",
    "INTEGER": "an integer",
    "DECIMAL": "a number",
    "BOOLEAN": "true or false",
    "VARIABLE": "a $variable",
    "IPV4": "an address",
    "CMP": "a comparison",
    "EQ": "'=='",
    "PLUS": "'+'",
    "DASH": "'-'",
    "STAR": "'*'",
    "SLASH": "'/'",
    "PERCENT": "'%'",
    "DOTS": "'..'",
    "OPEN_EDGE": "'-['",
    "CLOSE_EDGE": "']-'",
    "BARE_EDGE": "'-->'",
    "DST_REF": "'$$'",
    "SRC_REF": "'$^'",
    "INPUT_REF": "'$-'",
    "EDGE_FIELD": "'_src'",
    "_LPAR": "'('",
    "_RPAR": "')'",
    "_LSQB": "'['",
    "_RSQB": "']'",
    "_LBRACE": "'{'",
    "_RBRACE": "'}'",
    "_COMMA": "','",
    "_DOT": "'.'",
    "_COLON": "':'",
    "_SEMICOLON": "';'",
    "_AT": "'@'",
    "_QMARK": "'?'",
    "_BANG": "'!'",
    "_VBAR": "'|'",
    "_ASSIGN": "'='",
    "_ARROW": "'->'",
    "$END": "the end",
}


def parse_tree(text: str) -> Node:
    """The syntax tree of `text`; rule names are those of `ngql.lark`.

    Raises:
        QueryTextError: the text is no nGQL; line and column say where.
    """
    try:
        return _parser().parse(text)
    except UnexpectedToken as problem:
        raise _unexpected(text, problem) from None


def _unexpected(text: str, problem: UnexpectedToken) -> QueryTextError:
    token = problem.token
    expected = set(problem.accepts or problem.expected)
    if expected >= UNRESERVED:
        expected = {word for word in expected if word not in UNRESERVED} | {"NAME"}
    words = sorted(_SPELLING.get(word, word.replace("_", " ").strip()) for word in expected)
    shown = ", ".join(words[:8]) + (", …" if len(words) > 8 else "")
    if token.type == "$END":
        last = text.rstrip()
        line = last.count("\n") + 1
        column = len(last) - (last.rfind("\n") + 1) + 1
        what, code = "The text ends too early", "unexpected-end"
    else:
        line, column = token.line or 1, token.column or 1
        what, code = f"'{_raw(text, token)}' cannot stand here", "unexpected-token"
    hint = _hint(token)
    return QueryTextError(
        f"{what}; expected {shown}.{hint}\n{_caret(text, line, column)}",
        code=code,
        line=line,
        column=column,
    )


def _raw(text: str, token: Token) -> str:
    start, end = token.start_pos, token.end_pos
    return text[start:end] if start is not None and end is not None else str(token)


def _hint(token: Token) -> str:
    if token.type == "_ASSIGN":
        return " Equality is written '=='."
    if token.type.isupper() and token.type == str(token).upper() and token.type != "$END":
        return f" To use it as a name, write `{token}`."
    return ""


def _caret(text: str, line: int, column: int) -> str:
    lines = text.splitlines() or [""]
    return picture(lines[min(line, len(lines)) - 1], column - 1)
