"""Nearest texts and pairs that are alike: what all comparisons one by one give."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from graphmill.similarity import neighbours
from graphmill.similarity.neighbours import NearestTexts, Sketches, alike, nearest_vectors
from graphmill.similarity.texts import Trigrams

WORDS = (
    *("which", "how", "many", "museums", "lend", "works", "to", "the"),
    *("of", "Oslo", "Bergen", "paintings", "older", "than", "average"),
)


def sentences(number: int, seed: int) -> list[str]:
    random = Random(seed)
    return [" ".join(random.choices(WORDS, k=random.randint(3, 9))) for _ in range(number)]


@pytest.fixture(params=["one block", "many blocks"])
def _blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "many blocks":
        monkeypatch.setattr(neighbours, "KNOWN", 17)
        monkeypatch.setattr(neighbours, "ASKED", 5)


@pytest.mark.usefixtures("_blocks")
def test_vectors_have_their_nearest_in_order() -> None:
    random = np.random.default_rng(3)
    known = random.standard_normal((90, 12)).astype(np.float32)
    asked = random.standard_normal((23, 12)).astype(np.float32)
    places, cosines = nearest_vectors(known, asked, 4)
    dots = asked @ known.T
    assert places.tolist() == np.argsort(-dots, axis=1, kind="stable")[:, :4].tolist()
    assert np.allclose(cosines, np.take_along_axis(dots, places, 1))


def test_fewer_are_known_than_are_asked_for() -> None:
    one = np.full((1, 4), 0.5, dtype=np.float32)
    places, cosines = nearest_vectors(one, one, 8)
    assert (places.tolist(), cosines.tolist()) == ([[0]], [[1.0]])


@pytest.mark.usefixtures("_blocks")
def test_the_nearest_text_is_that_of_all_comparisons() -> None:
    known, asked = sentences(150, 1), sentences(40, 2)
    trigrams = Trigrams()
    for text, (place, cosine) in zip(asked, NearestTexts(known).nearest(asked), strict=True):
        assert cosine == max(trigrams.of(text, each) for each in known)
        assert trigrams.of(text, known[place]) == cosine


def test_of_equal_texts_the_first_is_the_nearest() -> None:
    known = NearestTexts(["a museum", "", "Two museums", "two  museums"])
    assert known.nearest(["TWO MUSEUMS", "", " "]) == [(2, pytest.approx(1)), (-1, 0.0), (-1, 0.0)]
    assert NearestTexts(["", " "]).nearest(["two"]) == [(-1, 0.0)]


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.98])
def test_alike_texts_are_those_of_all_comparisons(threshold: float) -> None:
    texts = sentences(120, 4)
    texts += [f"{text} in 2024" for text in texts[::7]] + [texts[0].upper(), "", "\ud800"]
    trigrams = Trigrams()
    expected = {
        (one, two)
        for two in range(len(texts))
        for one in range(two)
        if trigrams.of(texts[one], texts[two]) >= threshold
    }
    assert {(one, two) for one, two, _ in alike(texts, threshold, Sketches())} == expected
    assert expected
