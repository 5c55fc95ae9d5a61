"""The frames as data, and the weights of what a wording costs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from generators.questions.realise.conditions.options import Form

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence with slots, and what it costs beside its phrases."""

    text: str
    slots: frozenset[str]
    cost: float = 0.0
    openings: tuple[tuple[str, ...], ...] = ()  # the words it may begin with, its own first


@cache
def frames(goal: str, form: Form) -> tuple[Frame, ...]:
    """The frames of a goal in one form; none for a goal without."""
    entry = _goals().get(goal, {})
    entries = [entry, *(_goals()[name] for name in entry.get("same", ()))]
    return tuple(
        Frame(raw["text"], _slots(raw["text"]), raw.get("cost", 0.0), _openings(raw["text"], form))
        for each in entries
        for raw in each.get(form, ())
    )


def _openings(text: str, form: Form) -> tuple[tuple[str, ...], ...]:
    """The ways to begin a frame, its own first: of the longest opening that it has, if any; none
    of one that asks a second question ("…, and how many does each have?")."""
    if "~" in text:
        return ()
    groups: list[list[str]] = [
        group for group in _raw()["openings"][form] if text.startswith(f"{group[0]} ")
    ]
    longest = max(groups, key=lambda group: len(group[0]), default=[])
    return tuple(tuple(each.split()) for each in longest)


@cache
def _goals() -> Mapping[str, Mapping[str, Any]]:
    return {goal["name"]: goal for goal in _raw()["goal"]}


@cache
def _raw() -> Mapping[str, Any]:
    return tomllib.loads((_HERE / "frames.toml").read_text("utf-8"))


@cache
def weights() -> Mapping[str, float]:
    """What each trait of a wording costs."""
    return tomllib.loads((_HERE / "costs.toml").read_text("utf-8"))


def _slots(text: str) -> frozenset[str]:
    """The slots that a frame names: those in braces, and what they agree with."""
    slots = set()
    for piece in text.split():
        inner = piece.partition("{")[2].partition("}")[0]
        for name in inner.strip("<>").replace("~", "/").split("/"):
            if name and name not in ("be", "was", "do", "have", "their"):
                slots.add(name)
    return frozenset(slots)
