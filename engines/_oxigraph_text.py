"""SPARQL as Oxigraph (0.5.13) reads it: its REPLACE takes replacements in Rust's notation.

There `$1` is `${1}`, a dollar is `$$`, and a backslash stands for itself; the standard (XPath,
https://www.w3.org/TR/xpath-functions/#func-replace) writes `\\$` and `\\\\`.
"""

from __future__ import annotations

import re

from graphmill.errors import QueryError

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'|<[^<>\"{}|^`\\\x00-\x20]*>|#[^\n\r]*|[\w?$:.%-]+|\s+|.",
    re.DOTALL,
)
_CALL = re.compile(r"\bREPLACE\b", re.IGNORECASE)
_PART = re.compile(r"\\([\\$])|\$(\d)|\\|\$")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def for_oxigraph(text: str) -> str:
    """The text with its replacements as Oxigraph reads them.

    Raises:
        QueryError: a replacement is computed, and may hold a dollar or a backslash, or it is none
            of the standard's.
    """
    if not _CALL.search(text):
        return text
    tokens = _TOKEN.findall(text)
    calls: list[list[int]] = []  # depth inside, number of the argument; -1 outside of REPLACE
    before = ""
    for place, part in enumerate(tokens):
        if part.isspace() or part.startswith("#"):
            continue
        if part == "(":
            calls.append([0 if before.upper() == "REPLACE" else -1, 0])
        elif part == ")" and calls:
            calls.pop()
        elif part == "," and calls and calls[-1][0] == 0:
            calls[-1][1] += 1
        elif calls and calls[-1] == [0, 2]:
            if part[0] not in "\"'":
                raise QueryError("Oxigraph replaces by rules of its own what is no constant.")
            tokens[place] = _literal(part)
        before = part
    return "".join(tokens)


def _literal(token: str) -> str:
    quotes = 3 if token[:3] in ('"""', "'''") else 1
    value = _ESCAPE.sub(_character, token[quotes:-quotes])
    made = _PART.sub(_part, value)
    shown = re.sub(r'[\\"]', r"\\\g<0>", made)
    return '"' + shown.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _character(match: re.Match[str]) -> str:
    escape = match[1]
    if len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _ESCAPES.get(escape, escape)


def _part(match: re.Match[str]) -> str:
    if match[1]:
        return "$$" if match[1] == "$" else "\\"
    if match[2]:
        return f"${{{match[2]}}}"
    raise QueryError("In a replacement, \\ stands before \\ or $, and $ before a digit.")
