"""Where TinkerPop's own strategies move a limit to a place where it changes the answer.

CountStrategy puts one before `count()` by the test right behind it, whether or not the number is
shown: `count().is(gt(3))` of seven is 4. What a test bounds from above is exact.
EarlyLimitStrategy makes one of two windows in a row, and overlooks the step behind them: a third
window is taken before it.
"""

from __future__ import annotations

import re

from graphmill.errors import QueryUnsound

_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PART = re.compile(
    r"(?P<tested>\bcount\(\)(?:\.as\([^()]*\))*\.(?=(?:is|where|filter|and)\())"
    r"|(?P<call>\w+)\(|(?P<end>[(),])"
)
_TESTING = frozenset({"where", "filter", "not", "and", "or", "until", "emit", "has"})
_PREDICATE = re.compile(r"(?:where|filter|and)\((?:__\.)?(?=is\()|(?=is\()")
_BOUNDED = re.compile(r"is\((?:P\.)?(?:[-+]?\d|(?:eq|lte?|between|inside|within)\()")
_CONJOINED = re.compile(r"\.and\((?:P\.)?(?:eq|lte?|between|inside|within)\(")
_WINDOW = r"\.(?:skip|limit|range)\(-?\d+L?(?:,-?\d+L?)?\)"
_MAPS = r"(?:\.(?:as|by|constant|id|identity|label|map|math|project|select)\([^()]*\))*"
_WINDOWS = re.compile(
    rf"{_WINDOW}{_MAPS}{_WINDOW}(?:\.as\([^()]*\))*\.(?:order|has|hasLabel|hasNot|where|filter|is|not"
    rf"|and|or|dedup|out|in|both|outE|inE|bothE|unfold|flatMap|union|repeat|values)\(.*{_WINDOW}"
)


def refuse_misplaced(text: str) -> None:
    """Refuse a text whose answer a strategy changes.

    Raises:
        QueryUnsound: TinkerPop answers it wrongly.
    """
    if shows_stopped_count(text):
        raise QueryUnsound(
            "TinkerPop counts no further than a test behind count() needs, though the number is "
            "shown: count().barrier() counts to the end."
        )
    if _WINDOWS.search(_bare(text)):
        raise QueryUnsound("Behind two windows in a row TinkerPop has a third before its place.")


def _bare(text: str) -> str:
    """The text without spaces, and with empty strings."""
    return "".join(_STRING.sub("''", text).split())


def shows_stopped_count(text: str) -> bool:
    """Whether a number is tested by what it is no less than, or is not, and shown.

    >>> shows_stopped_count("g.V().count().is(gt(3))")
    True
    >>> shows_stopped_count("g.V().where(out().count().is(gt(3))).count().is(lt(3))")
    False
    """
    seen = _bare(text)
    opened: list[tuple[str, int]] = []  # calls and which of their arguments is read
    for part in _PART.finditer(seen):
        if part["tested"]:
            if not any(_tests(*each) for each in opened) and not _is_bounded(seen[part.end() :]):
                return True
        elif part["call"] or part[0] == "(":
            opened.append((part["call"] or "", 0))
        elif part[0] == "," and opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
        elif part[0] == ")" and opened:
            opened.pop()
    return False


def _tests(call: str, argument: int) -> bool:
    """Whether an argument of a call only asks for a result, whatever it is."""
    return call in _TESTING or (call == "choose" and argument == 0)


def _is_bounded(behind: str) -> bool:
    """Whether the test that a text begins with lets through no number but those counted whole."""
    predicate = _PREDICATE.match(behind)
    if predicate is None:
        return True  # a test of something else
    own = _argument(behind[predicate.end() :])
    if re.search(r"\.(?:or|negate)\(", own):
        return False
    return bool(_BOUNDED.match(own) or _CONJOINED.search(own))


def _argument(text: str) -> str:
    """The call that a text begins with."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth == 0:
            return text[: place + 1]
    return text
