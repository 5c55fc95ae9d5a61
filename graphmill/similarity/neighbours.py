"""The most alike of many texts: exact, by blocks of matrix products.

`trigrams` are compared through sketches: each character trigram is a vector of 512 signs (the
bits of its hash), a text the sum of its trigrams' vectors. The cosine of two sketches is that of
the trigrams' counts with a standard deviation of 1/√512, and the nearer the two texts are, the less
(random projection: Johnson and Lindenstrauss 1984; with signs, Achlioptas 2003). What the
sketches find is confirmed by the counts themselves. An encoder's vectors are compared as they are.

An approximate index (HNSW, by usearch) was measured beside it: to build one takes more than half
as long as the whole search for 200,000 pairs, and its answers depend on the number of threads
(docs/measurements.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from graphmill.similarity.embeddings import Encoder, encoder_named
from graphmill.similarity.texts import TRIGRAMS, Trigrams, folded, trigrams

if TYPE_CHECKING:
    from graphmill.similarity.embeddings import Array

WIDTH = 512  # signs of a trigram: the bits of one hash
KNOWN, ASKED = 32_768, 256
"""Texts of a block: 32 MiB of cosines, which are sorted in four times as much."""
CONFIRMED = 32  # of the sketches' nearest are compared by their trigrams
DEVIATIONS = 6  # of a sketch's cosine that are taken into account
_BATCH = 256


class Sketches:
    """Texts to vectors of length 1 whose cosines are nearly those of their trigrams."""

    name = TRIGRAMS

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._signs = np.zeros((1_024, WIDTH), dtype=np.float32)

    def encode(self, texts: Sequence[str]) -> Array:
        """A float32 array of shape (texts, 512); zeros for a text without a letter."""
        made = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            self._batch(texts[start : start + _BATCH], made[start : start + _BATCH])
        return made

    def _batch(self, texts: Sequence[str], made: Array) -> None:
        counted = [trigrams(text) for text in texts]
        grams = list(dict.fromkeys(gram for each in counted for gram in each))
        column = {gram: number for number, gram in enumerate(grams)}
        counts = np.zeros((len(texts), len(grams)), dtype=np.float32)
        for row, each in enumerate(counted):
            counts[row, [column[gram] for gram in each]] = list(each.values())
        rows = [self._row(gram) for gram in grams]  # which may make the table longer
        sums = counts @ self._signs[rows]
        made[:] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)

    def _row(self, gram: str) -> int:
        row = self._rows.get(gram)
        if row is None:
            row = self._rows[gram] = len(self._rows)
            if row == len(self._signs):
                self._signs = np.concatenate([self._signs, np.zeros_like(self._signs)])
            bits = np.frombuffer(blake2b(gram.encode("utf-8", "surrogatepass")).digest(), np.uint8)
            self._signs[row] = np.unpackbits(bits).astype(np.float32) * 2 - 1
        return row


def encoder_of(similarity: str = TRIGRAMS) -> Encoder:
    """What makes vectors of texts: `trigrams`, or a name of `embeddings.encoder_named`.

    Raises:
        ConfigError: the encoder cannot be had.
    """
    return Sketches() if similarity == TRIGRAMS else encoder_named(similarity)


def nearest_vectors(known: Array, asked: Array, most: int = 1) -> tuple[Any, Array]:
    """The `most` nearest rows of `known` for each row of `asked`, by their dot products.

    Both are float32 of rows of length 1. Places (int64) and cosines, each of the shape
    (asked, most), the nearest first; equal ones by their places. With fewer rows in `known`, so
    many columns.
    """
    most = min(most, len(known))
    places = np.zeros((len(asked), most), dtype=np.int64)
    cosines = np.zeros((len(asked), most), dtype=np.float32)
    for start in range(0, len(asked), ASKED):
        rows = slice(start, start + ASKED)
        places[rows], cosines[rows] = _nearest(known, asked[rows], most)
    return places, cosines


def _nearest(known: Array, asked: Array, most: int) -> tuple[Any, Array]:
    """The same for one block of `asked`."""
    numbers = np.arange(len(asked))
    places = np.zeros((len(asked), most), dtype=np.int64)
    cosines = np.full((len(asked), most), -np.inf, dtype=np.float32)
    for first in range(0, len(known), KNOWN):
        dots = asked @ known[first : first + KNOWN].T
        if first == 0:
            few = min(most, dots.shape[1])
            column = np.argpartition(-dots, few - 1, axis=1)[:, :few].ravel()
            row = np.repeat(numbers, few)
        else:  # what is no nearer than all so far, which is nearly everything, is not sorted
            row, column = np.nonzero(dots > cosines[:, -1:])
        rows = np.concatenate([np.repeat(numbers, most), row])
        values = np.concatenate([cosines.ravel(), dots[row, column]])
        where = np.concatenate([places.ravel(), column + first])
        order = np.lexsort((where, -values, rows))
        starts = np.searchsorted(rows[order], numbers)
        best = order[starts[:, None] + np.arange(most)]
        places, cosines = where[best], values[best]
    return places, cosines


class NearestTexts:
    """Texts of which the one most alike to another is looked up.

    Raises:
        ConfigError: the encoder of `similarity` cannot be had.

    >>> known = NearestTexts(["Which ships call at Kiel?", "How many ports are there?"])
    >>> [(place, round(cosine, 2)) for place, cosine in known.nearest(["How many ports?"])]
    [(1, 0.69)]
    """

    def __init__(self, texts: Sequence[str], similarity: str = TRIGRAMS) -> None:
        first: dict[str, int] = {}
        for place, text in enumerate(texts):
            first.setdefault(folded(text), place)
        first.pop("", None)
        self._texts, self._places = list(first), list(first.values())
        self._encoder = encoder_of(similarity)
        self._vectors = self._encoder.encode(self._texts)
        self._exact = Trigrams() if similarity == TRIGRAMS else None

    def nearest(self, asked: Sequence[str]) -> list[tuple[int, float]]:
        """Place and cosine of the text most alike to each; -1 and 0 where there is none, or the
        text is empty. Of texts that are equally alike the first."""
        if not self._texts:
            return [(-1, 0.0)] * len(asked)
        clean = [folded(text) for text in asked]
        vectors = self._encoder.encode(clean)
        places, _ = nearest_vectors(self._vectors, vectors, CONFIRMED)
        return [
            self._best(text, vectors[row], places[row]) if text else (-1, 0.0)
            for row, text in enumerate(clean)
        ]

    def _best(self, text: str, vector: Array, places: Any) -> tuple[int, float]:
        cosines = (
            (self._places[place], self._cosine(text, vector, place)) for place in places.tolist()
        )
        return max(cosines, key=lambda each: (each[1], -each[0]))

    def _cosine(self, text: str, vector: Array, place: int) -> float:
        if self._exact is not None:
            return self._exact.of(text, self._texts[place])
        return round(float((self._vectors[place] * vector).sum(dtype=np.float64)), 6)


def alike(
    texts: Sequence[str], threshold: float, encoder: Encoder
) -> Iterator[tuple[int, int, float]]:
    """All pairs of texts that are as alike as `threshold`: the places of the earlier and of the
    later one, and the cosine of their trigrams or of the encoder's vectors."""
    vectors = encoder.encode([folded(text) for text in texts])
    yield from alike_vectors(vectors, texts, threshold, exact=encoder.name == TRIGRAMS)


def alike_vectors(
    vectors: Array, texts: Sequence[str], threshold: float, *, exact: bool
) -> Iterator[tuple[int, int, float]]:
    """The same of texts whose vectors are there; `exact`: they are sketches, so that the
    trigrams decide.

    The cosine c of two sketches has a standard deviation of (1 - c²)/√512.
    """
    trigram = Trigrams()
    margin = DEVIATIONS * (1 - threshold**2) / WIDTH**0.5 if exact else 0.0
    least = threshold - margin - 1e-5  # what 32 bits round
    for start in range(0, len(texts), ASKED):
        for first in range(0, start + ASKED, KNOWN):
            dots = vectors[start : start + ASKED] @ vectors[first : first + KNOWN].T
            for row, column in np.argwhere(dots >= least).tolist():
                later, earlier = row + start, column + first
                if earlier >= later or not texts[later].strip() or not texts[earlier].strip():
                    continue
                cosine = (
                    trigram.of(texts[earlier], texts[later])
                    if exact
                    else float((vectors[later] * vectors[earlier]).sum(dtype=np.float64))
                )
                if cosine >= threshold:
                    yield earlier, later, cosine
