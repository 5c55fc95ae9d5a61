"""Whether the three question levels keep what the query says, and say it at their level.

Text2GQL-Bench finds the logical and business levels weak where filter values are missing; so
every value of the query must be in the question, or in the external knowledge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_ir.cypher import parse
from graph_ir.values import lost
from graphmill.record import Finding, Record

# Words that only a query language uses this way: capitals, or with their brackets and arrows.
_QUERY_TEXT = re.compile(
    r"\b(?:MATCH|WHERE|RETURN|ORDER BY|LIMIT|WITH|DISTINCT|UNWIND|EXISTS|COUNT)\b|\)-\[|\]->|\(\w*:"
)
_QUOTED = re.compile(r'"[^"]*"')  # values are the data's words, whatever they are


def check_levels(record: Record) -> Finding:
    """The first of `level_findings`, or that there is none."""
    return next(level_findings(record), Finding("levels", ok=True))


def level_findings(record: Record) -> Iterator[Finding]:
    """All that is wrong with the questions; the evidence names the `level`.

    Codes: `level-missing`, `value-lost`, `level-mixed`.
    """
    asked = record.questions
    levels = {
        "syntactic": asked.syntactic,
        "logical": asked.logical,
        "business": asked.business,
    }
    statement = parse(record.queries["cypher"])
    for name, text in levels.items():
        if not text.strip():
            yield _bad(name, "level-missing", f"There is no {name} question.")
        elif gone := lost(statement, f"{text} {record.external_knowledge}"):
            shown = ", ".join(map(repr, gone))
            yield _bad(name, "value-lost", f"The {name} question loses {shown}.")
    for name in ("logical", "business"):
        if found := _QUERY_TEXT.search(_QUOTED.sub("", levels[name])):
            detail = f"The {name} question has query text: {found[0]!r}."
            yield _bad(name, "level-mixed", detail)


def _bad(level: str, code: str, detail: str) -> Finding:
    return Finding("levels", ok=False, code=code, detail=detail, evidence={"level": level})
