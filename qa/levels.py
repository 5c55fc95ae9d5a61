"""Whether the three question levels keep what the query says, and say it at their level.

Text2GQL-Bench finds the logical and business levels weak where filter values are missing; so
every value of the query must be in the question, or in the external knowledge.
"""

from __future__ import annotations

import re

from graph_ir.cypher import parse
from graph_ir.values import lost
from graphmill.record import Finding, Record

# Words that only a query language uses this way: capitals, or with their brackets and arrows.
_QUERY_TEXT = re.compile(
    r"\b(?:MATCH|WHERE|RETURN|ORDER BY|LIMIT|WITH|DISTINCT|UNWIND|EXISTS|COUNT)\b|\)-\[|\]->|\(\w*:"
)
_QUOTED = re.compile(r'"[^"]*"')  # values are the data's words, whatever they are


def check_levels(record: Record) -> Finding:
    """Codes: `level-missing`, `value-lost`, `level-mixed`."""
    asked = record.questions
    levels = {
        "syntactic": asked.syntactic,
        "logical": asked.logical,
        "business": asked.business,
    }
    missing = [name for name, text in levels.items() if not text.strip()]
    if missing:
        return _bad("level-missing", f"There is no {' and no '.join(missing)} question.")
    statement = parse(record.queries["cypher"])
    for name, text in levels.items():
        if gone := lost(statement, f"{text} {record.external_knowledge}"):
            return _bad("value-lost", f"The {name} question loses {', '.join(map(repr, gone))}.")
    for name in ("logical", "business"):
        if found := _QUERY_TEXT.search(_QUOTED.sub("", levels[name])):
            return _bad("level-mixed", f"The {name} question has query text: {found[0]!r}.")
    return Finding("levels", ok=True)


def _bad(code: str, detail: str) -> Finding:
    return Finding("levels", ok=False, code=code, detail=detail)
