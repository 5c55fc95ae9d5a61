"""What no engine of SPARQL may be asked: other servers, other graphs, updates, code of Java."""

from __future__ import annotations

import re

from graphmill.errors import QueryError

_HIDDEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'|(<[^<>\"{}|^`\\\x00-\x20]*>)|#[^\n\r]*",
    re.DOTALL,
)
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_OTHERS = re.compile(
    r"(?<![?$:\w%.-])(SERVICE|FROM|LOAD|INSERT|DELETE|CLEAR|DROP|CREATE|ADD|MOVE|COPY)(?![\w:.%-])",
    re.IGNORECASE,
)
_REASONS = {
    "SERVICE": "SERVICE asks another server.",
    "FROM": "FROM names another graph.",
    "LOAD": "LOAD reads from another server.",
}
_JAVA = re.compile(
    r"<(?:java:|http://jena\.(?:apache|hpl\.hp)\.[^>]*|[^>]*jena[^>]*#?java)", re.IGNORECASE
)


def bare(text: str) -> str:
    """`text` without comments and strings; code point escapes are read as SPARQL reads them.

    >>> bare('SELECT ?x # LOAD').split(), bare('{ ?x ?y "SERVICE" }').split()
    (['SELECT', '?x'], ['{', '?x', '?y', '}'])
    """
    decoded = _CODE_POINT.sub(_character, text)
    return _HIDDEN.sub(lambda match: match[1] or " ", decoded)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code < 0x110000 else " "


_BRACKETS = re.compile(r"<[^<>\s]*>|([(\[{])|([)\]}])")
MOST_NESTED = 200  # brackets; of 1,000 the parser of Oxigraph overflows its stack
# Operators and clauses nest what they are joined to: Oxigraph lives with so many of them.
_JOINED = (
    (2_000, r"\b(?:UNION|OPTIONAL|MINUS|BIND)\b|\|\|?|&&|!(?!=)|[+*/^]|(?<!\w)-"),
    (5_000, r"\bFILTER\b"),
)


def refuse_deep(text: str) -> None:
    """Refuse what is nested so deeply that it ends the process of an engine that recurs into it.

    Raises:
        QueryError: brackets are nested, or operators and clauses joined, more than that.
    """
    seen = bare(text)
    depth = 0
    for bracket in _BRACKETS.finditer(seen):
        depth += bool(bracket[1]) - bool(bracket[2])
        if depth > MOST_NESTED:
            line = seen.count("\n", 0, bracket.start()) + 1
            message = f"Line {line} is nested deeper than {MOST_NESTED} brackets."
            raise QueryError(message, "syntax")
    without = re.sub(r"<[^<>\s]*>", " ", seen)
    for most, link in _JOINED:
        number = len(re.findall(link, without, re.IGNORECASE))
        if number > most:
            message = f"{number:,} operators or clauses are joined; more than {most:,} are not run."
            raise QueryError(message, "syntax")


def refuse_others(text: str) -> None:
    """Refuse what reaches beyond the graph, before any engine sees it, and what ends its process.

    Raises:
        QueryError: the text asks another server or graph, writes, calls code of Java, or is nested
            too deeply.
    """
    refuse_deep(text)
    seen = bare(text)
    without = re.sub(r"<[^<>\s]*>", " ", seen)
    if match := _OTHERS.search(without):
        word = match[1].upper()
        reason = _REASONS.get(word, f"{word} is an update.")
        raise QueryError(f"{reason} Only reads of the graph are run.", "semantic")
    if _JAVA.search(seen):
        raise QueryError("Functions of a server's own are not called.", "semantic")
