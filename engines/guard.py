"""What no engine may be asked: to read files or hosts, or to run code it was not given.

Writes are refused by the engines themselves, which open their data read-only. Reading a file is
no write, so it is refused here, before the engine sees the text.
"""

from __future__ import annotations

import re

from graphmill.errors import QueryError

_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")  # Neo4j decodes these before it parses
_HIDDEN = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`|//[^\n]*|/\*.*?\*/", re.DOTALL
)
_LOAD = re.compile(r"\bLOAD\s+(?:CSV|DATA)\b", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"\b(apoc\s*\.\s*(?:load|import|export|cypher|systemdb|nlp|util)|dbms|genai)\s*\.",
    re.IGNORECASE,
)


def bare(text: str) -> str:
    """`text` without comments and with every string and quoted name replaced by a space.

    >>> bare("MATCH (n) /* x */ WHERE n.`a b` = 'LOAD CSV' RETURN n").split()
    ['MATCH', '(n)', 'WHERE', 'n.', '=', 'RETURN', 'n']
    """
    decoded = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return _HIDDEN.sub(" ", decoded)


def refuse_files(text: str) -> None:
    """Refuse LOAD and procedures that reach files, hosts or the server itself.

    Raises:
        QueryError: the text has one.
    """
    seen = bare(text)
    if _LOAD.search(seen):
        raise QueryError("LOAD reads files and hosts. Only reads of the graph are run.", "semantic")
    procedure = _PROCEDURE.search(seen)
    if procedure:
        text = f"{procedure[1]} reaches beyond the graph. Only reads of the graph are run."
        raise QueryError(text, "semantic")
