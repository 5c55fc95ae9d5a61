"""Where a text of Gremlin looks for the least or greatest of quotients: to TinkerPop's `max()` NaN,
which 0.0 / 0.0 is, is not the greatest of all, as it is in Cypher.

A text is followed step by step: which values may be such a quotient, or maps and lists with one.
What stands beside them (`project().by(quotient).by(max())`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\w+|[(),.]|[^\s]", re.DOTALL)
_FRESH = frozenset(
    {
        *("V", "E", "out", "in", "both", "outE", "inE", "bothE", "outV", "inV", "bothV", "otherV"),
        *("values", "valueMap", "elementMap", "id", "label", "constant", "count", "inject"),
        *("loops", "length"),
    }
)
"""Steps behind which there is nothing of what was before them."""
_TESTS = frozenset(
    {
        *(
            "where",
            "filter",
            "not",
            "and",
            "or",
            "is",
            "has",
            "hasNot",
            "hasLabel",
            "until",
            "emit",
        ),
        *("order", "dedup"),
    }
)
"""Steps that go on with what was before them, whatever is inside."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A step, or a word that is none; the traversals inside its parentheses."""

    name: str
    arguments: tuple[tuple[_Step, ...], ...]


def seeks_quotients(text: str) -> bool:
    """Whether `max()` or `min()` may be of such quotients; yes where the text cannot be followed.

    >>> seeks_quotients("g.V().sack(assign).by('a').sack(div).by('b').sack().max()")
    True
    >>> seeks_quotients(
    ...     "g.V().fold().project('q', 'm').by(sack(assign).by(unfold().values('a').sum())"
    ...     ".sack(div).by(count(local)).sack()).by(unfold().values('a').max())"
    ... )
    False
    """
    tokens = _TOKEN.findall(text)
    try:
        steps, place = _traversal(tokens, 0)
        return place < len(tokens) or _Follower().seeks(steps)
    except (IndexError, RecursionError):
        return True


def _traversal(tokens: Sequence[str], place: int) -> tuple[tuple[_Step, ...], int]:
    """The steps from a place up to the comma or parenthesis behind them."""
    steps: list[_Step] = []
    while place < len(tokens) and tokens[place] not in (",", ")"):
        name, place = tokens[place], place + 1
        if name == ".":
            continue
        arguments: list[tuple[_Step, ...]] = []
        if place < len(tokens) and tokens[place] == "(":
            while tokens[place] != ")":
                inner, place = _traversal(tokens, place + 1)
                arguments.append(inner)
            place += 1
        steps.append(_Step(name, tuple(arguments) if any(arguments) else ()))
    return tuple(steps), place


@dataclass(slots=True)
class _Follower:
    """What is known while a text is followed: the labels of such values, and whether one of them
    was asked for its greatest."""

    labels: set[str] = field(default_factory=set)
    sack: bool = False
    sought: bool = False

    def seeks(self, steps: Sequence[_Step]) -> bool:
        """Whether a whole traversal does."""
        self.after(steps, False)
        return self.sought

    def after(self, steps: Sequence[_Step], now: bool) -> bool:
        """Whether what comes out may be such a quotient, where `now` tells it of what goes in."""
        for step, modulators in _modulated(steps):
            now = self._behind(step, modulators, now)
        return now

    def _behind(self, step: _Step, modulators: Sequence[_Step], before: bool) -> bool:
        if step.name in ("max", "min"):
            self.sought |= before
        behind = [self.after(each, before) for each in step.arguments]
        if step.name == "repeat" and any(behind):
            self.after(step.arguments[0], True)
        sack = self.sack
        by = [
            self.after(argument, before)
            for each in modulators
            for argument in each.arguments or ((),)
        ]
        self.sack = sack  # what a modulator puts there is its own
        match step.name:
            case "sack":
                return self._of_sack(step, modulators, by, before)
            case "cap" | "path":
                return True  # of whatever was there before
            case "as" | "aggregate" | "store":
                self.labels |= {_word(each) for each in step.arguments if before}
            case "select":
                labels = {_word(each) for each in step.arguments}
                return before or bool(labels & self.labels) or any(by)
            case "project" | "group" | "groupCount":
                return any(by) or (before and not modulators)
            case name if name in _FRESH:
                return False
            case name if name not in _TESTS:
                return before or any(behind) or any(by)
        return before

    def _of_sack(
        self, step: _Step, modulators: Sequence[_Step], by: Sequence[bool], before: bool
    ) -> bool:
        if not step.arguments:
            return self.sack
        operation = _word(step.arguments[0])
        given = any(by) if modulators else before
        self.sack = given or (operation != "assign" and self.sack)
        self.sack |= operation == "div" and not _is_not_zero(modulators)
        return before


def _modulated(steps: Sequence[_Step]) -> Iterator[tuple[_Step, list[_Step]]]:
    """Each step with the `by()` behind it."""
    place = 0
    while place < len(steps):
        end = place + 1
        while end < len(steps) and steps[end].name == "by":
            end += 1
        yield steps[place], list(steps[place + 1 : end])
        place = end


def _word(steps: Sequence[_Step]) -> str:
    return steps[0].name if steps else ""


def _is_not_zero(modulators: Sequence[_Step]) -> bool:
    """Whether what is divided by is a constant other than 0."""
    match modulators:
        case [_Step(arguments=((_Step(name="constant", arguments=(value,)),),))]:
            digits = "".join(step.name for step in value)
            return re.fullmatch(r"-?[\d.]*[1-9]\w*", digits) is not None
    return False
