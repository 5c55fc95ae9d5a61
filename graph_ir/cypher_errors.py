"""Errors of the Cypher front end: line, column, a picture with a caret, and what was meant."""

from __future__ import annotations

from typing import Any

from graphmill.errors import QueryTextError


def error_at(text: str, offset: int, message: str, *, code: str) -> QueryTextError:
    """A syntax error at `offset`, with the line it stands in and a caret under it."""
    before = text[:offset]
    line = before.count("\n") + 1
    start = before.rfind("\n") + 1
    stop = text.find("\n", start)
    shown = text[start : stop if stop >= 0 else len(text)]
    return QueryTextError(
        f"{message} (line {line}, column {offset - start + 1})\n{picture(shown, offset - start)}",
        code=code,
        line=line,
        column=offset - start + 1,
    )


def picture(line: str, column: int, width: int = 100) -> str:
    """`line` with a caret under the 0-based `column`; long lines are cut around it.

    >>> print(picture("MATCH (n RETURN n", 9))
      MATCH (n RETURN n
               ^
    """
    first = max(0, column - width // 2) if len(line) > width else 0
    shown = line[first : first + width].expandtabs(1).rstrip()
    return f"  {shown}\n  {' ' * (column - first)}^"


def unexpected(text: str, problem: Any) -> QueryTextError:
    """The error for a token that the grammar does not allow there."""
    token = problem.token
    offset = len(text) if token.type == "$END" else token.start
    what = "the end of the text" if token.type == "$END" else repr(text[token.start : token.end])
    names = sorted(problem.expected)
    return error_at(
        text, offset, f"Unexpected {what}, expected {', '.join(names)}.", code="unexpected-token"
    )
