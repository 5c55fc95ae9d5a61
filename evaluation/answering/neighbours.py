"""How alike a text is to each of some texts, by character trigrams or by an encoder's vectors.

The nearest of very many texts finds `graphmill.similarity.neighbours`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt

from graphmill.similarity.embeddings import encoder_named
from graphmill.similarity.texts import TRIGRAMS, trigrams


class Neighbours:
    """An index over `texts`: `cosines` of a new text with all of them.

    `encoder` is `trigrams`, or a name of `graphmill.similarity.embeddings.encoder_named`.

    >>> index = Neighbours(["Which ships call at Kiel?", "How many ports are there?"])
    >>> [round(c, 2) for c in index.cosines("which  ships call at kiel?")]
    [1.0, 0.0]

    Raises:
        ConfigError: the encoder cannot be had.
    """

    def __init__(self, texts: Sequence[str], encoder: str = TRIGRAMS) -> None:
        self._size = len(texts)
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[float] = []
        self._encoder = None if encoder == TRIGRAMS else encoder_named(encoder)
        self._vectors = None if self._encoder is None else self._encoder.encode(list(texts))
        if self._encoder is None:
            for place, text in enumerate(texts):
                self._add(place, text)

    def _add(self, place: int, text: str) -> None:
        own = trigrams(text)
        self._lengths.append(sqrt(sum(count * count for count in own.values())))
        for gram, count in own.items():
            self._postings[gram].append((place, count))

    def cosines(self, text: str) -> list[float]:
        """The cosine of `text` with each text, in their order."""
        if self._encoder is not None and self._vectors is not None:
            own = self._encoder.encode([text])[0]
            return [float(value) for value in self._vectors @ own]
        dots = [0] * self._size
        grams = trigrams(text)
        for gram, count in grams.items():
            for place, other in self._postings.get(gram, ()):
                dots[place] += count * other
        length = sqrt(sum(count * count for count in grams.values()))
        return [
            dot / (length * own) if length and own else 0.0
            for dot, own in zip(dots, self._lengths, strict=True)
        ]
