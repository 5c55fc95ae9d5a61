"""Whether the three question levels keep what the query says, and say it at their level.

Text2GQL-Bench finds the logical and business levels weak where filter values are missing; so
every value of the query must be in the question, or in the external knowledge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from graph_ir import nodes as ir
from graph_ir.cypher import parse
from graph_ir.walk import find
from graphmill.record import Finding, Record

# Words that only a query language uses this way: capitals, or with their brackets and arrows.
_QUERY_TEXT = re.compile(
    r"\b(?:MATCH|WHERE|RETURN|ORDER BY|LIMIT|WITH|DISTINCT|UNWIND|EXISTS|COUNT)\b|\)-\[|\]->|\(\w*:"
)
_TOPOLOGY = re.compile(
    r"\b(?:nodes?|edges?|relationships?|labels?|vert(?:ex|ices)|hops?|patterns?)\b", re.IGNORECASE
)


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
    values = filter_values(parse(record.queries["cypher"]))
    for name, text in levels.items():
        said = _folded(f"{text} {record.external_knowledge}")
        lost = [value for value in values if not _mentions(said, value)]
        if lost:
            return _bad("value-lost", f"The {name} question loses {', '.join(map(repr, lost))}.")
    for name in ("logical", "business"):
        if found := _QUERY_TEXT.search(levels[name]):
            return _bad("level-mixed", f"The {name} question has query text: {found[0]!r}.")
    return Finding("levels", ok=True)


def filter_values(statement: ir.Statement) -> list[str | int | float]:
    """The constants of a query's conditions that a question has to carry, in order.

    Flags, numbers that only mark the side of a set operation, null tests and the plumbing of
    aggregates are no values of the question: what is left are texts, and numbers that stand in a
    comparison with something that is no constant.
    """
    found: list[str | int | float] = []
    for node in find(statement, ir.Compare, ir.Text, ir.In):
        for literal in _constants(node):
            value = literal.value
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                found.append(value)
    return list(dict.fromkeys(found))


def _constants(node: ir.Node) -> Iterable[ir.Literal]:
    sides: tuple[ir.Expr, ...]
    match node:
        case ir.Compare(_, left, right) | ir.Text(_, left, right):
            sides = (left, right)
        case ir.In(_, options):
            sides = options.items if isinstance(options, ir.ListOf) else ()
        case _:
            sides = ()
    for side in sides:
        if isinstance(side, ir.Literal):
            yield side
        elif isinstance(side, ir.Call) and len(side.args) == 1:
            yield from (arg for arg in side.args if isinstance(arg, ir.Literal))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _mentions(said: str, value: str | int | float) -> bool:
    """Whether `said` names the value as it is, as a word, or with thousands marked off."""
    if isinstance(value, str):
        return _folded(value) in said
    forms = {str(value), f"{value:,}", f"{value:g}"}
    if isinstance(value, int) and 0 <= value < len(_WORDS):
        forms.add(_WORDS[value])
    if value == 0:
        forms |= {"no ", "none", "without", "any", "positive", "negative"}
    if value == 1:
        forms |= {"once", "single", "only", "more than one", "several", "at least"}
    return any(form in said for form in forms)


_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


def _bad(code: str, detail: str) -> Finding:
    return Finding("levels", ok=False, code=code, detail=detail)
