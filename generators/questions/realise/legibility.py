"""How likely readers find a sentence clumsy, by traits that blind ratings were fitted to.

The cost of a wording ranks the ways to say one thing. Whether the best of them is good enough to be
released is another question, and the ratings of readers answer it: `legibility.toml` has what each
trait adds to the log-odds that its English, or that somebody would ask it, is rated below 4 of 5
(`benchmarks/legibility.py` fits it).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

from generators.questions.goals.model import (
    Against,
    Ask,
    Column,
    Either,
    Figure,
    Relation,
    Steps,
    Test,
    Thing,
)
from generators.questions.lexicon.model import Lexicon
from generators.questions.realise.realiser import Wording
from graphmill.english.lists import word_set
from graphmill.english.names import singular

_HERE = Path(__file__).parent
_WORDS = re.compile(r"[\w'-]+")
_SORT = re.compile(r"\bof (?:the )?(?:type|kind|category|class) ")
_IDS = re.compile(r"\b(?:IDs?|codes?|numbers)\b")
_MEASURES = frozenset({"sum", "avg", "min", "max"})
_SURE = 0.75  # up to here words of a property are guessed from its name alone
_SHORT = 3  # letters of words that nobody hears twice
_NEAR = 2  # relations in a row that are easy to follow


def risk(wordings: Iterable[Wording], ask: Ask, lexicon: Lexicon) -> float:
    """The probability, 0 to 1, that readers rate the worst of some wordings below 4 of 5, for its
    English or for what it asks."""
    return max(_risk(traits(each, ask, lexicon)) for each in wordings)


def is_taken(first: float, worst: float, relaxed: int, *, rare: bool) -> bool:
    """Whether growth takes a query by the risk of level 3 and that of its worst sentence.

    `relaxed` counts how often it found nothing else; a `rare` one is of a group that is missing.
    """
    figures = _figures()
    most = figures["at_most"]
    if worst <= min(figures["most"] + figures["slack"] * relaxed, most):
        return True
    return rare and first <= most and worst <= figures["rare_worst"]


def traits(wording: Wording, ask: Ask, lexicon: Lexicon) -> dict[str, float]:
    """What of a wording readers stumble over, and how often it has that."""
    text = wording.text
    words = [word.lower() for word in _WORDS.findall(text)]
    atoms = ask.atoms()
    tests = [atom for atom in atoms if isinstance(atom, Test)]
    shown = [atom for atom in atoms if isinstance(atom, Column | Figure) and atom.key]
    conditions = sum(isinstance(atom, Test | Either) for atom in atoms)
    own = sum(isinstance(atom, Against) and atom.of_group for atom in atoms)
    measured = {atom.how for atom in atoms if isinstance(atom, Figure)} & _MEASURES
    return {
        "cost": wording.cost,
        "of": max(0, words.count("of") - 1),
        "again": _repeated_words(text),
        "with": max(0, sum(word in ("with", "without") for word in words) - 1),
        "sort": len(_SORT.findall(text)),
        "steps": sum(isinstance(atom, Steps) and atom.most is not None for atom in atoms),
        "tests": max(0, conditions - 1),
        "chain": max(0, _chain(ask) - _NEAR),
        "guessed_test": sum(_is_guessed(lexicon, test) for test in tests),
        "guessed": sum(_is_guessed(lexicon, each) for each in shown),
        "narrow": conditions * bool(ask.figures and ask.goal != "count"),
        "extreme": not measured.isdisjoint(("min", "max")),
        "sum": "sum" in measured,
        "by_value": isinstance(ask.group, Column) and bool(measured),
        "own": own + (ask.goal == "best-of-each"),
        "optional": ask.goal == "with-or-without",
        "ids": bool(_IDS.search(text.split(" of ")[0])),
    }


def _risk(traits: Mapping[str, float]) -> float:
    weights = _figures()["weights"]
    odds = weights["all"] + sum(weights[name] * value for name, value in traits.items())
    return 1 / (1 + exp(-odds))


@cache
def _figures() -> Mapping[str, Any]:
    return tomllib.loads((_HERE / "legibility.toml").read_text("utf-8"))


def _repeated_words(text: str) -> int:
    """How many words stand there once more: "the land area of parcels of land"."""
    plain = word_set("said_often")
    content = (word for word in _WORDS.findall(text)[1:] if word.islower() and len(word) > _SHORT)
    counts = Counter(singular(word) for word in content if word not in plain)
    return sum(number - 1 for number in counts.values())


def _is_guessed(lexicon: Lexicon, atom: Test | Column | Figure) -> bool:
    words = lexicon.property(atom.owner, atom.key)
    return words is None or words.sure <= _SURE


def _chain(ask: Ask) -> int:
    """The most relations one behind the other."""
    ends = [ask.focus, ask.other, ask.group if isinstance(ask.group, Thing) else None]
    longest = max(_longest(end.relations) for end in ends if end is not None)
    if ask.relation is not None:
        longest = max(longest, _longest([ask.relation]))
    return longest if ask.second is None else max(longest, _chain(ask.second))


def _longest(relations: Iterable[Relation]) -> int:
    return max((1 + _longest(each.other.relations) for each in relations), default=0)
