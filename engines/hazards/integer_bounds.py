"""How far from 0 the expressions of a SPARQL text may come, operator by operator.

It reads texts without strings and the names of XSD's functions (`engines.sparql_integers`), in
which an operand may be missing. What it cannot read has no bound here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(r"\s*(?:([?$]\w+)|(\d+)|([A-Za-z_]\w*)|(\|\||&&|[!<>]?=|[-+*/<>!,;()]))")
_ADDED = ("SUM", "AVG")
_COUNTED = ("COUNT", "STRLEN")
_APART = ("||", "&&", "=", "!=", "<=", ">=", "<", ">", ",", ";")
WIDE = 10**80


class UnreadError(Exception):
    """A text that is no expression of those that are read."""


@dataclass(slots=True)
class Reader:
    """One expression: `reach` is the greatest that anything calculated in it may be."""

    text: str
    variables: Mapping[str, int]
    most: int  # what any other variable may be
    rows: int
    reach: int = 0
    _tokens: list[str] = field(default_factory=list)
    _place: int = 0

    def bound(self) -> int:
        """The greatest that its value may be.

        Raises:
            UnreadError: it is no expression.
        """
        self._tokens = _tokens(self.text)
        size = self._list()
        if self._place < len(self._tokens):
            raise UnreadError
        return size

    @property
    def _next(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next
        self._place += 1
        return token

    def _made(self, size: int) -> int:
        size = min(size, WIDE)
        self.reach = max(self.reach, size)
        return size

    def _list(self) -> int:
        """What stands beside one another, in a comparison or as arguments: the greatest."""
        size = self._sum()
        while self._next in _APART or self._next.upper() in ("IN", "AS"):
            self._take()
            size = max(size, self._sum())
        return size

    def _sum(self) -> int:
        size = self._product()
        while self._next in ("+", "-"):
            self._take()
            size = self._made(size + self._product())
        return size

    def _product(self) -> int:
        size = self._operand()
        while self._next in ("*", "/"):
            if self._take() == "*":
                size = self._made(size * self._operand())
            else:
                self._operand()
        return size

    def _operand(self) -> int:
        while self._next in ("-", "+", "!") or self._next.upper() in (
            "DISTINCT",
            "NOT",
            "SEPARATOR",
        ):
            self._take()
        token = self._next
        if token[:1] in ("?", "$"):
            self._take()
            return self.variables.get(token[1:], self.most)
        if token.isdigit():
            self._take()
            return int(token) if len(token) < 60 else WIDE
        name = ""
        if token[:1].isalpha():
            name = self._take().upper()
            if self._next != "(":
                return 0  # a word, as `true`
        if self._next != "(":
            return 0  # a text
        self._take()
        if name == "COUNT" and self._next == "*":
            self._take()
        size = self._list()
        if self._take() != ")":
            raise UnreadError
        if name in _ADDED:
            return self._made(size * self.rows)
        return self.rows if name in _COUNTED else size


def _tokens(text: str) -> list[str]:
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadError
        tokens.append(match[0].strip())
        place = match.end()
    return tokens


def greatest(expressions: Sequence[tuple[str, str]], most: int, rows: int) -> int | None:
    """The greatest that anything calculated may be in expressions, each with the name of the
    variable that it makes, if any; None where one is not read.

    >>> greatest([("(COUNT(*) - 7 * (SUM(?a) / 7) AS ?x)", "x")], 100, 10**9) < 2**63
    True
    >>> greatest([("(?n * ?n AS ?x)", "x"), ("(SUM(?a) AS ?n)", "n")], 100, 10**9) < 2**63
    False
    """
    variables: dict[str, int] = {}
    try:
        for _ in range(len(expressions) + 1):
            reach = 0
            before = dict(variables)
            for text, name in expressions:
                reader = Reader(text, before, most, rows)
                size = reader.bound()
                reach = max(reach, reader.reach)
                if name:
                    variables[name] = max(variables.get(name, 0), size)
            if variables == before:
                return reach
    except (UnreadError, RecursionError):
        return None
    return None
