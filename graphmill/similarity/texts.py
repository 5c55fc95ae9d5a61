"""How alike two texts are: by character trigrams, or by an encoder's embeddings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from graphmill.errors import ConfigError, did_you_mean
from graphmill.similarity.embeddings import MINILM, Encoder, encoder_named

if TYPE_CHECKING:
    from graphmill.similarity.embeddings import Array

TRIGRAMS = "trigrams"


class Similarity(Protocol):
    """A number up to 1, which two equal texts have; `name` says how it is found."""

    name: str

    def of(self, left: str, right: str) -> float:
        """How alike two texts are; case and spaces do not count."""
        ...


class Trigrams:
    """Cosine of the two texts' character trigrams, 0 to 1.

    >>> round(Trigrams().of("Which lines are there?", "which lines  are there?"), 3)
    1.0
    >>> Trigrams().of("Which lines are there?", "")
    0.0
    """

    name = TRIGRAMS

    def of(self, left: str, right: str) -> float:
        """How alike two texts are."""
        (a, first), (b, second) = _counted(left), _counted(right)
        if not a or not b:
            return 0.0
        dot = sum(count * b[gram] for gram, count in a.items() if gram in b)
        return float(dot / sqrt(first * second))


class Embedded:
    """Cosine of an encoder's vectors, -1 to 1; each text is encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self._encoder = encoder
        self._vectors: dict[str, Array] = {}

    def know(self, texts: Sequence[str]) -> None:
        """Encode texts together, which is quicker than one by one."""
        new = list(dict.fromkeys(folded(t) for t in texts if folded(t) not in self._vectors))
        if new:
            self._vectors.update(zip(new, self._encoder.encode(new), strict=True))

    def of(self, left: str, right: str) -> float:
        """How alike two texts are; an empty text is like no other."""
        a, b = folded(left), folded(right)
        if not a or not b:
            return 0.0
        self.know((a, b))
        return float(self._vectors[a] @ self._vectors[b])


def similarity_named(name: str = TRIGRAMS) -> Similarity:
    """`trigrams`, or the embeddings of an encoder (`embeddings.encoder_named`).

    Raises:
        ConfigError: the encoder cannot be had; the message says what to install.
    """
    if name == TRIGRAMS:
        return Trigrams()
    try:
        return Embedded(encoder_named(name))
    except ConfigError as problem:
        hint = did_you_mean(name, (TRIGRAMS, MINILM))
        if name == MINILM or Path(name).exists() or not hint.startswith(" Did you mean"):
            raise
        raise ConfigError(f"{problem}{hint}") from problem


def folded(text: str) -> str:
    """A text in one case, one space between its words: as it is compared."""
    return " ".join(text.casefold().split())


@lru_cache(4_096)
def _counted(text: str) -> tuple[Counter[str], int]:
    """The trigrams of a text, and the square of their length."""
    grams = trigrams(text)
    return grams, sum(count * count for count in grams.values())


def trigrams(text: str) -> Counter[str]:
    """The character trigrams of a text with how often each occurs; case and spaces do not count."""
    padded = f"  {folded(text)} "
    return Counter(padded[i : i + 3] for i in range(len(padded) - 2)) if text.strip() else Counter()
