"""The pool of masked pairs that shows a model what is wanted: sixteen of our own, and it grows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from generators.masked.base import Language
from graphmill.errors import ConfigError, GraphmillError
from graphmill.files import data_folder, read_json_lines


@dataclass(frozen=True, slots=True)
class Shot:
    """A pair as a prompt shows it: the part of its schema, question and query with masks."""

    schema: str
    question: str
    cypher: str

    def __str__(self) -> str:
        return f"Schema:\n{self.schema}\nQuestion: {self.question}\nQuery: {self.cypher}"


class Pool:
    """Shots to draw from; pairs that were accepted join it."""

    def __init__(self, language: Language, path: Path | None = None) -> None:
        path = path or data_folder() / "masked" / "pool.jsonl"
        key = "question" if language == "en" else f"question_{language}"
        self.shots = []
        for number, line in read_json_lines(path):
            if isinstance(line, GraphmillError):
                raise ConfigError(f"{path} is no pool of masked pairs: {line}") from line
            names = ("schema", key, "cypher")
            given = [line.get(name) for name in names] if isinstance(line, dict) else [None]
            if not all(isinstance(text, str) for text in given):
                raise ConfigError(
                    f"{path} is no pool of masked pairs: line {number} is no object with the texts "
                    f"{', '.join(names)}."
                )
            self.shots.append(Shot(*map(str, given)))

    def draw(self, count: int, rng: Random) -> list[Shot]:
        """`count` different shots, or all."""
        return rng.sample(self.shots, min(count, len(self.shots)))

    def grow(self, shot: Shot) -> None:
        """Let an accepted pair join."""
        self.shots.append(shot)
