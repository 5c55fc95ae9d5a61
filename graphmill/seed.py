"""Independent, reproducible random generators: one for each (run seed, maker, item)."""

from __future__ import annotations

import hashlib
from random import Random


def derive(seed: int, *parts: object) -> int:
    """A 64-bit seed that depends on all of `parts` and on nothing else (no hash randomisation)."""
    text = "\x1f".join([str(seed), *map(str, parts)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def rng(seed: int, *parts: object) -> Random:
    """A generator of its own for the item named by `parts`."""
    return Random(derive(seed, *parts))  # noqa: S311 - reproducibility, not secrecy
