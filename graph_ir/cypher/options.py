"""Options before a query, `CYPHER 25 runtime = slotted`, which a server's pre-parser reads.

Source: Neo4j Cypher manual 5, "Query options". Vendors add their own, with values in parentheses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graphmill.errors import Span

_SPACE = r"(?:\s|//[^\n]*\n|/\*.*?\*/)"
_VALUE = r"(?:[\w.-]+|\((?:[^()]|\([^()]*\))*\))"
_OPTIONS = re.compile(
    rf"(?P<before>{_SPACE}*)CYPHER(?P<options>(?:\s+(?:\d+(?:\.\d+)?\b|[A-Za-z_]\w*\s*=\s*{_VALUE}))+)\s",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Option:
    """The options as a clause, and the text with spaces in their place."""

    clause: ir.ServerOption
    rest: str


def server_option(text: str) -> Option | None:
    """The options that `text` begins with, if it has any."""
    if "cypher" not in text[:400].lower():
        return None
    match = _OPTIONS.match(text)
    if match is None:
        return None
    start = match.end("before")
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    blank = re.sub(r"[^\n]", " ", text[start : match.end("options")])
    options = re.sub(r"\s*=\s*", " = ", " ".join(match["options"].split()))
    clause = ir.ServerOption(options, span=Span(line, column))
    return Option(clause, text[:start] + blank + text[match.end("options") :])


def with_option(statement: ir.Statement, clause: ir.ServerOption) -> ir.Statement:
    """The statement with the options as its first clause."""
    if isinstance(statement, ir.Union):
        return replace(statement, left=with_option(statement.left, clause))
    return replace(statement, clauses=(clause, *statement.clauses))
