"""Errors of the Cypher front end: line, column and a picture of the place."""

from __future__ import annotations

from graphmill.errors import QueryTextError


def error_at(text: str, offset: int, message: str, *, code: str) -> QueryTextError:
    """A syntax error at `offset`, with the line it stands in and a caret under it."""
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    stop = text.find("\n", start)
    shown = text[start : stop if stop >= 0 else len(text)]
    column = offset - start + 1
    return QueryTextError(
        f"{message} (line {line}, column {column})\n{picture(shown, offset - start)}",
        code=code,
        line=line,
        column=column,
    )


def located(text: str, problem: QueryTextError) -> QueryTextError:
    """`problem` with the picture of its place, where it was found without the text at hand."""
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: problem.line - 1]) + problem.column - 1
    return error_at(text, offset, str(problem), code=problem.code)


def picture(line: str, column: int, width: int = 100) -> str:
    """`line` with a caret under the 0-based `column`; long lines are cut around it.

    >>> print(picture("MATCH (n RETURN n", 9))
      MATCH (n RETURN n
               ^
    """
    first = max(0, column - width // 2) if len(line) > width else 0
    shown = line[first : first + width].expandtabs(1).rstrip()
    return f"  {shown}\n  {' ' * (column - first)}^"
