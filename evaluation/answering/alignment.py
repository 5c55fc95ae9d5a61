"""Names of a question brought in line with the names of a graph (NS-11).

A dictionary holds the names of each node type. A name that is in it is that name. Else
locality-sensitive hashing (MinHash over character pairs, banded for a Jaccard similarity of 0.6)
gives candidates, and the one with the best cosine wins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from zlib import crc32

from evaluation.answering.neighbours import Neighbours
from evaluation.answering.values import Values, folded
from graphmill.similarity.texts import TRIGRAMS

# 13 bands of 5 rows: two names are candidates with a probability that rises around
# (1/13)^(1/5) = 0.599, which is the paper's γ = 0.6.
BANDS, ROWS = 13, 5
_PRIME = (1 << 61) - 1


class Hashing:
    """Banded MinHash of names; `candidates` are those that share a band with a text.

    >>> hashing = Hashing(["Frederikshavn", "Göteborg", "Kiel"])
    >>> hashing.candidates("frederikshaven")
    ['Frederikshavn']
    """

    def __init__(self, names: list[str], seed: int = 7) -> None:
        dice = Random(seed)  # noqa: S311 # hash functions, no secrets
        self._functions = [
            (dice.randrange(1, _PRIME), dice.randrange(_PRIME)) for _ in range(BANDS * ROWS)
        ]
        self._buckets: dict[tuple[int, ...], list[str]] = defaultdict(list)
        for name in names:
            for key in self._keys(name):
                self._buckets[key].append(name)

    def candidates(self, text: str) -> list[str]:
        """Names that are probably written like the text, sorted."""
        return sorted({name for key in self._keys(text) for name in self._buckets.get(key, ())})

    def _keys(self, text: str) -> Iterator[tuple[int, ...]]:
        flat = f" {folded(text)} "
        pairs = {crc32(flat[i : i + 2].encode()) for i in range(len(flat) - 1)}
        least = [min((a * x + b) % _PRIME for x in pairs) for a, b in self._functions]
        for band in range(BANDS):
            yield (band, *least[band * ROWS : (band + 1) * ROWS])


class Dictionary:
    """The names of each node type in one graph, with what finds near ones."""

    def __init__(self, values: Values, encoder: str = TRIGRAMS) -> None:
        self._values = values
        self._encoder = encoder
        self._hashing: dict[str, Hashing] = {}
        self._names: dict[str, list[str]] = defaultdict(list)
        for written in values.texts.values():
            for value, places in written.items():
                for owner in sorted({owner for owner, _ in places}):
                    self._names[owner].append(value)

    def aligned(self, name: str, owner: str) -> str | None:
        """The name in the graph that `name` stands for; None where no name is near."""
        known = self._values.named(name)
        exact = sorted(v for v, places in known.items() if any(o == owner for o, _ in places))
        if exact:
            return name if name in exact else exact[0]
        if owner not in self._hashing:
            self._hashing[owner] = Hashing(self._names[owner])
        candidates = self._hashing[owner].candidates(name)
        if not candidates:
            return None
        cosines = Neighbours(candidates, self._encoder).cosines(name)
        return max(zip(cosines, candidates, strict=True), key=lambda pair: (pair[0], pair[1]))[1]
