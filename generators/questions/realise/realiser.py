"""Goals to sentences: every filling in every frame, the ledger of atoms, the cheapest wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from generators.questions.author import NoWording
from generators.questions.goals.model import Ask
from generators.questions.lexicon.model import Lexicon
from generators.questions.phrases.lineariser import Lineariser, text_of
from generators.questions.phrases.tree import atoms_of, depth_of
from generators.questions.realise.conditions.options import Form
from generators.questions.realise.frames import Frame, frames, weights
from generators.questions.realise.pieces import Slots
from generators.questions.realise.slots import Filling
from graphmill.english.inflection import is_plural

MOST_WORDS = 35  # of the contracted form
_LONG = 60  # of the explicit one
_EASY = 12  # words that cost nothing
_LATE = 8  # words up to "are there" that are read at once, these two included


type Openings = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence with what it costs; `plain` is the same with the opening of its frame."""

    text: str
    cost: float
    plain: str


@dataclass(frozen=True, slots=True)
class _Filled:
    """A frame with its slots, which says every atom of a goal once; `dear` is what the phrases in
    the slots cost, and `least` what no wording of it is below."""

    frame: Frame
    slots: Slots
    dear: float

    @property
    def least(self) -> float:
        return self.dear + self.frame.cost


def realise(ask: Ask, lexicon: Lexicon, form: Form, unlike: str = "") -> Wording:
    """The best wording of a goal in one form; `unlike` is a plain one that it must not be.

    Raises:
        NoWording: none says every atom once within the budget.
    """
    best: tuple[float, str, int, str] | None = None
    filled = list(enumerate(_filled(ask, lexicon, form)))
    for place, each in sorted(filled, key=lambda numbered: numbered[1].least):
        if best is not None and each.least > best[0]:
            break
        worded = _worded(each, form)
        if worded is None or (best is not None and worded[1] > best[0]):
            continue
        tokens, cost = worded
        plain = _finished(tokens, form)
        if plain != unlike:
            rival = cost, _finished(_begun(tokens, each.frame), form), place, plain
            best = rival if best is None else min(best, rival)
    if best is None:
        raise NoWording(ask.goal, f"No frame of the goal {ask.goal} says all of it.")
    cost, text, _, plain = best
    if form == "contracted" and cost > weights()["most"]:
        raise NoWording(ask.goal, "All wordings are clumsy.")
    return Wording(text, cost, plain)


def wordings(ask: Ask, lexicon: Lexicon, form: Form) -> Iterator[Wording]:
    """All wordings that say every atom of a goal exactly once and keep to the budget.

    Raises:
        NoWording: a part of it has no words.
    """
    for each in _filled(ask, lexicon, form):
        worded = _worded(each, form)
        if worded is not None:
            tokens, cost = worded
            text = _finished(_begun(tokens, each.frame), form)
            yield Wording(text, cost, _finished(tokens, form))


def _filled(ask: Ask, lexicon: Lexicon, form: Form) -> Iterator[_Filled]:
    wanted = {id(atom) for atom in ask.atoms()}
    for slots, cost in Filling(lexicon, form).of(ask):
        names, atoms = frozenset(slots), dict[str, set[int]]()
        for frame in frames(ask.goal, form):
            if frame.slots <= names and _is_exact(wanted, frame, slots, atoms):
                yield _Filled(frame, slots, cost)


def _is_exact(wanted: set[int], frame: Frame, slots: Slots, known: dict[str, set[int]]) -> bool:
    """The ledger: whether a filled frame says each atom once. `known` are the atoms of slots that
    were looked at before."""
    counts: Counter[int] = Counter()
    for name in frame.slots:
        if name not in known:
            known[name] = set(map(id, atoms_of(slots[name])))
        counts.update(known[name])
    return counts.keys() >= wanted and all(counts[each] == 1 for each in wanted)


def _worded(filled: _Filled, form: Form) -> tuple[list[str], float] | None:
    """The tokens of a filled frame with what they cost; None where it is beyond the budget."""
    frame, slots = filled.frame, filled.slots
    try:
        tokens = Lineariser().frame(frame.text, slots)
    except (AssertionError, KeyError):
        return None
    depth = max((depth_of(slots[name]) for name in frame.slots), default=0)
    if depth > 1:
        return None
    words = [token for token in tokens if token not in (",", ".", "?")]
    most = MOST_WORDS if form == "contracted" else _LONG
    if len(words) > most:
        return None
    return tokens, _cost(words, depth) + filled.dear + frame.cost


def _begun(tokens: list[str], frame: Frame) -> list[str]:
    """The tokens with the opening that what they say chooses."""
    if not frame.openings:
        return tokens
    own = frame.openings[0]
    rest = tokens[len(own) :]
    ways = _agreeing(frame.openings, rest)
    chosen = ways[crc32(" ".join(rest).encode()) % len(ways)]
    return [*chosen, *rest[:-1], "?" if chosen[0] == "what" else "."]


def _agreeing(openings: Openings, rest: list[str]) -> Openings:
    """The openings before what is shown: "give me" before several single ones, as "what are the ID
    and name" reads as if it did not agree."""
    shown = rest[: rest.index("of")] if "of" in rest else []
    first = shown[: min(map(shown.index, {",", "and"} & {*shown}), default=0)]
    if not first or is_plural(first[-1]):
        return openings
    return tuple(way for way in openings if way[-2:] != ("are", "the")) or openings


def _finished(tokens: list[str], form: Form) -> str:
    """The text: what ends in a mark has it, a search has none and no capital at its start."""
    text = text_of(tokens, "")
    if form != "search":
        return text
    first = next(token for token in tokens if token)
    return text if not first[:1].islower() else f"{text[:1].lower()}{text[1:]}"


def _cost(words: list[str], depth: int) -> float:
    weight = weights()
    there = [n for n in range(2, len(words)) if words[n - 1 : n + 1] == ["are", "there"]]
    late = max(0, there[0] + 1 - _LATE) if there else 0
    return (
        weight["word"] * max(0, len(words) - _EASY)
        + weight["relative"] * depth
        + weight["with"] * max(0, words.count("with") - 1)
        + weight["that"] * max(0, sum(words[1:].count(w) for w in ("that", "whose", "who")) - 1)
        + weight["late"] * late
        + weight["quote"] * sum('"' in word for word in words) / 2
    )
