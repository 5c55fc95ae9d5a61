"""One way to say a restriction of a thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generators.questions.phrases.tree import Phrase

type Place = Literal["head", "pre", "post", "rel", "pred"]
type Form = Literal["explicit", "contracted", "search"]


@dataclass(frozen=True, slots=True)
class Option:
    """One way to say a restriction of a thing: where it stands, and what it costs."""

    place: Place
    phrase: Phrase
    cost: float = 0.0
