"""GoogleSQL's analyser for SQL/PGQ: `SELECT … FROM GRAPH_TABLE (…)` of the standard.

GoogleSQL knows the standard's graph patterns, its COLUMNS and its SELECT, and spells some of them
in words of its own. A text is judged in that spelling, token for token: names in accents instead
of double quotes, backslashes in texts escaped, `LIMIT n OFFSET m`, FLOAT64. What stands where stays
so, but for what is longer or shorter on the same line.
"""

from __future__ import annotations

import re
from typing import ClassVar

from engines.base import Result
from engines.judges.googlesql import COLUMNS, GoogleSql

_TOKEN = re.compile(
    r"""(?P<string>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")*")|(?P<accent>`)"""
    r"""|(?P<rows>\bOFFSET\s+(?P<skip>\d+)\s+ROWS?\b(?:\s+FETCH\s+(?:FIRST|NEXT)\s+(?P<count>\d+)\s+"""
    r"""ROWS?\s+ONLY\b)?|\bFETCH\s+(?:FIRST|NEXT)\s+(?P<alone>\d+)\s+ROWS?\s+ONLY\b)"""
    r"""|(?P<double>\bDOUBLE\s+PRECISION\b)""",
    re.IGNORECASE,
)
_ALL = 2**63 - 1  # GoogleSQL has no OFFSET without LIMIT


class Pgq(GoogleSql):
    """Findings about texts of SQL/PGQ."""

    name: ClassVar[str] = "pgq"
    languages: ClassVar[tuple[str, ...]] = ("pgq",)
    profiles: ClassVar[dict[str, str]] = {"pgq": "pgq"}

    def __init__(self) -> None:
        super().__init__("full")

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """What is wrong with a text: one row of code, message, line and column, or none."""
        foreign = next((m for m in _TOKEN.finditer(text) if m["accent"]), None)
        if foreign is not None:
            before = text[: foreign.start()]
            line = before.count("\n") + 1
            place = foreign.start() - before.rfind("\n")
            message = "An accent is no quote of SQL: names stand in double quotes."
            return Result(COLUMNS, (("syntax", message, line, place),))
        return super().run(respelled(text), language=language, timeout=timeout)


def respelled(text: str) -> str:
    r"""A text of the standard as GoogleSQL spells it.

    >>> respelled("SELECT 'it''s' AS \"a.b\" FROM t OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY")
    "SELECT 'it\\'s' AS `a.b` FROM t LIMIT 2 OFFSET 1"
    """
    return _TOKEN.sub(_token, text)


def _token(match: re.Match[str]) -> str:
    if match["string"] is not None:
        inner = match["string"][1:-1].replace("''", "'")
        escaped = inner.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
        return f"'{escaped}'"
    if match["name"] is not None:
        inner = match["name"][1:-1].replace('""', '"')
        return "`" + inner.replace("\\", "\\\\").replace("`", "\\`") + "`"
    if match["double"] is not None:
        return "FLOAT64"
    if match["alone"] is not None:
        return f"LIMIT {match['alone']}"
    return f"LIMIT {match['count'] or _ALL} OFFSET {match['skip']}"


JUDGE = Pgq
