"""Whether a SPARQL text may calculate beyond 64 bits, where Cypher raises an error.

Oxigraph's integers have 64 bits and what is beyond them is unbound; Jena's have no end. In neither
is there an error, so a text that may get there on the loaded graph is refused. What it can reach is
bounded from above: by the greatest integers of the properties that it names, its constants, and
how often it multiplies and adds. Expressions that read no result of each other are bounded apart.
A text that is too long by that is looked at once more, operator by operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import prod

from engines.hazards.integer_bounds import greatest
from engines.sparql_guard import bare
from graphmill.errors import QueryError

LIMIT = 2**63
ROWS = 10**9
"""More rows than a query adds up within any limit of time."""
_WIDE = 40  # digits
_STORED = re.compile(r'<([^<>]*)> "([+-]?\d+)"\^\^<http://www\.w3\.org/2001/XMLSchema#integer> \.')
_NAME = re.compile(r"(?:<[^<>\s]*>|[\w-]*:[\w.%-]*)[*+?]?")  # also as a step of a path
_STAR = re.compile(r"\bSELECT\s+(?:DISTINCT\s+|REDUCED\s+)?\*", re.IGNORECASE)
_TIMES = re.compile(r"(?<=[\w)])\s*\*\s*(?=[?$\w(+-])")
_CONSTANT_TIMES = re.compile(
    r"(?<![\w.?$])(\d+)\s*\*(?=\s*[?$\w(+-])|(?<=[\w)])\s*\*\s*(\d+)(?![\w.])"
)
_PLUS = re.compile(r"[+-]|\bABS\s*\(", re.IGNORECASE)
# What is calculated with a constant with a point is no integer any more.
_FLOAT = r"\d*\.\d+(?:[eE][+-]?\d+)?(?![\w.])"
_FLOATS = re.compile(
    rf"(?<=[\w)])\s*[*+-]\s*-?{_FLOAT}|(?<![\w.?$:%)-]){_FLOAT}\s*\*(?=\s*[?$\w(])"
)
_TOTAL = re.compile(r"\b(?:SUM|AVG)\s*\(", re.IGNORECASE)
_COUNT = re.compile(r"\b(?:COUNT|STRLEN)\s*\(", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.?$:%-])\d+(?![\w.])")
_WRITTEN = re.compile(r'"[+-]?(\d+)"\^\^')
_PARENTHESES = re.compile(r"\w*\s*\(|\)|[^()\w]+|\w+")
_MADE = re.compile(r"\bAS\s+[?$](\w+)", re.IGNORECASE)
_VARIABLE = re.compile(r"[?$](\w+)")
_ANY_PREDICATE = re.compile(r"[?$]\w+\s+[?$]\w+\s+[?$\w\"<]")


def _size(digits: str) -> int:
    """A number without a sign; one that is far beyond 64 bits is as good as the least of those.

    >>> _size("0042"), _size("9" * 5000) == _size("8" * 6000) > LIMIT
    (42, True)
    """
    digits = digits.lstrip("0")
    return int(digits or "0") if len(digits) < _WIDE else 10**_WIDE


def _expressions(seen: str) -> tuple[str, list[str], list[str]]:
    """What stands outside of all parentheses, and the expressions inside, each with the name of its
    function; then what is bounded apart: these, or one expression of all, where one reads what
    another makes, or something is calculated outside, where there are none inside."""
    around: list[str] = []
    parts: list[list[str]] = []
    depth = 0
    for piece in _PARENTHESES.findall(seen):
        if piece.endswith("("):
            depth += 1
            if depth == 1:
                parts.append([])
        (parts[-1] if depth else around).append(piece)
        if piece == ")":
            depth = max(0, depth - 1)
    outside, inside = " ".join(around), ["".join(own) for own in parts]
    made = [name for own in inside for name in _MADE.findall(own)]
    reads = [name for own in inside for name in _VARIABLE.findall(_MADE.sub(" ", own))]
    if _TIMES.search(outside) or _PLUS.search(outside):
        return seen, [], [seen]
    if set(made) & set(reads):
        return seen, inside, [seen]
    return outside, inside, inside


def _reach(own: str, most: int) -> int:
    """How far from 0 an expression of integers up to `most` and its constants may come."""
    times, plus = len(_TIMES.findall(own)), len(_PLUS.findall(own))
    total = bool(_TOTAL.search(own))
    if not (times or plus or total):
        return 0
    most = max(most, ROWS if _COUNT.search(own) else 1, *map(_size, _NUMBER.findall(own)))
    factors = [_size(a or b) for a, b in _CONSTANT_TIMES.findall(own)]
    reach = most ** max(1, times + 1 - len(factors)) * prod(max(n, 1) for n in factors)
    return int(reach * 2**plus * (ROWS if total else 1))


def _is_bounded(inside: list[str], most: int) -> bool:
    """Whether expressions stay within 64 bits, operator by operator, which takes longer to see."""
    named = [(own, made[-1] if (made := _MADE.findall(own)) else "") for own in inside]
    reach = greatest(named, most, ROWS) if named else None
    return reach is not None and reach < LIMIT


class Integers:
    """The greatest integers of a graph, by predicate."""

    def __init__(self) -> None:
        self._greatest: dict[str, int] = {}

    def seen(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines of N-Triples as they are; their integers are remembered."""
        for line in lines:
            for predicate, digits in _STORED.findall(line):
                value = abs(int(digits))
                if value > self._greatest.get(predicate, 0):
                    self._greatest[predicate] = value
            yield line

    def refuse_overflow(self, text: str) -> None:
        """Refuse a text whose integers may have more than 64 bits.

        Raises:
            QueryError: they may.
        """
        seen = _FLOATS.sub(" ", _STAR.sub("SELECT", _NAME.sub(" ", bare(text))))
        around, inside, expressions = _expressions(seen)
        most = max((*self._values(text, seen), *map(_size, _NUMBER.findall(around))), default=1)
        if any(_reach(own, most) >= LIMIT for own in expressions) and not _is_bounded(inside, most):
            raise QueryError(
                "The integers of this graph may become longer than 64 bits here, which is an error "
                "in Cypher and none in SPARQL.",
                "overflow",
            )

    def _values(self, text: str, seen: str) -> Iterator[int]:
        """The integers that variables may be, from above."""
        yield from map(_size, _WRITTEN.findall(text))
        every = _ANY_PREDICATE.search(seen) is not None
        for predicate, value in self._greatest.items():
            local = re.escape(re.split(r"[/#]", predicate)[-1])
            if every or re.search(rf"[:/#]{local}(?![\w%-])", text):
                yield value
