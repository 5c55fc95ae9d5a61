"""Who asks, and how: frames, politeness and the choice of words, drawn by the seed.

The sentence's meaning is the realisers'; here only the way of asking changes. Values in quotation
marks are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, partial
from random import Random

from generators.questions.plan.wording import MONTHS
from graphmill.english.inflection import is_plural
from graphmill.english.lists import word_texts, word_ways
from schemagraph.naming import singular

_QUOTED = re.compile(r'("[^"]*")')
_WORD = re.compile(r"[a-z]{5,}")
_DAY = re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?: (\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?![\w-])")
_VERBS = ("list", "show", "give", "find", "name")
_FRAMED = 0.35  # of the business questions say what they are for
_POLITE = 0.3  # of the logical questions are asked politely
_EACH = "For each of the "
_EVERY = (
    *("For each of the", "For each of the", "For every one of the", "Looking at each of the"),
    *("Taking each of the", "Considering each of the", "Going through each of the"),
)
_ARTICLED = re.compile(
    r"\b(in|or) (?=(?:United (?:States|Kingdom|Arab Emirates)|USA?|UK|Netherlands|Philippines"
    r"|Bahamas|(?:Czech|Dominican) Republic)\b)"
)
_BEFORE_VALUE = re.compile(r" \w+(?: \w+)? ")
_CALLED = ("called", "named", "known as", "by the name of")
_SWAPPED = 0.75  # of the phrases that have synonyms are said by one of them


def user(text: str, rng: Random) -> str:
    """A user's question: sometimes a request, sometimes what one wants to see."""
    if text.startswith(_EACH):
        return f"{rng.choice(_EVERY)} {text.removeprefix(_EACH)}"
    if rng.random() >= _POLITE:
        return text
    first, _, rest = text.partition(" ")
    verb = first.lower()
    if verb not in _VERBS or ". " in _QUOTED.sub("", text):
        return text
    rest = rest.removesuffix(".")
    ways = [f"Please {verb} {rest}.", f"Could you {verb} {rest}?", f"Can you {verb} {rest}?"]
    ways.append(f"{first} me {rest}." if verb in ("show", "give") else f"I want to {verb} {rest}.")
    ways.append(f"I would like to {'see' if verb in ('show', 'give') else verb} {rest}.")
    return rng.choice(ways)


def analyst(text: str, rng: Random, kept: Collection[str] = ()) -> str:
    """An analyst's question: other words for the common ones, days in words, what it is for.

    Phrases that are `kept` stay as they are, like values.
    """
    quoted = _QUOTED
    if kept:
        longest = sorted(kept, key=lambda phrase: (-len(phrase), phrase))
        quoted = re.compile(rf"(\"[^\"]*\"|(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w))")
    parts = quoted.split(text)
    for place in range(0, len(parts), 2):
        said = _ARTICLED.sub(r"\1 the ", _DAY.sub(_spelled, parts[place]))
        after = parts[place - 1] if place else ""
        said = _phrases().sub(partial(_other, rng=rng, after=after), said)
        named = said.endswith("called ") and parts[place + 1 : place + 2] != []
        if named and parts[place + 1].startswith('"'):
            said = f"{said.removesuffix('called ')}{rng.choice(_CALLED)} "
        parts[place] = said
    text = "".join(parts)
    roll = rng.random()
    if roll < _FRAMED:
        return f"{_frame(text, rng)}, {_lowered(text)}"
    first, _, rest = text.partition(" ")
    if roll < 2 * _FRAMED and first in ("Find", "List", "Name", "Show", "Identify"):
        wish = rng.choice(word_texts("wishes"))
        return f"{wish.format(first.lower())} {rest}"
    return text


def _frame(text: str, rng: Random) -> str:
    """What the question is for, of nothing that it asks about: no claim beside claims."""
    frames = word_texts("frames")
    asked = {singular(word) for word in _WORD.findall(_QUOTED.sub("", text).lower())}
    start = rng.randrange(len(frames))
    for place in range(len(frames)):
        frame = frames[(start + place) % len(frames)]
        if not any(singular(word) in asked for word in _WORD.findall(frame.lower())):
            return frame
    return frames[start]


def _lowered(text: str) -> str:
    return text if text[:2] == "I " else f"{text[:1].lower()}{text[1:]}"


def _spelled(found: re.Match[str]) -> str:
    """A day in words: 5 March 2021."""
    year, month, day, clock = found.groups()
    if not 1 <= int(month) <= 12:
        return found[0]
    said = f"{int(day)} {MONTHS[int(month) - 1]} {year}"
    return f"{clock} on {said}" if clock else said


def _other(found: re.Match[str], rng: Random, after: str) -> str:
    """The phrase, or another that says the same: not "in in excess of"."""
    phrase = found[0]
    if phrase.lower() == "the number of" and _BEFORE_VALUE.fullmatch(found.string[found.end() :]):
        return phrase  # the number of cores "8"
    if rng.random() >= _SWAPPED:
        return phrase
    ways = word_ways("synonyms")[phrase.lower()]
    if f"{after}{found.string[: found.start()]}".endswith("in "):
        ways = [way for way in ways if not way.startswith("in ")]
    before = found.string[: found.start()].split()
    if before and is_plural(before[-1]):
        ways = [way for way in ways if not way.startswith("that ")] or ways
    said = rng.choice(ways)
    return f"{said[:1].upper()}{said[1:]}" if phrase[:1].isupper() else said


@cache
def _phrases() -> re.Pattern[str]:
    """All phrases that have synonyms, the longest first."""
    known: list[str] = sorted(word_ways("synonyms"), key=lambda phrase: (-len(phrase), phrase))
    return re.compile(rf"(?<![\w-])(?i:{'|'.join(map(re.escape, known))})(?![\w-])")
