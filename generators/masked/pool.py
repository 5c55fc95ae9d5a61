"""The pool of masked pairs that shows a model what is wanted: sixteen of our own, and it grows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from generators.masked.base import Language
from graphmill.errors import ConfigError
from graphmill.files import data_folder


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
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
            raw = [json.loads(line) for line in lines if line.strip()]
            self.shots = [Shot(each["schema"], each[key], each["cypher"]) for each in raw]
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise ConfigError(
                f"{path} is no pool of masked pairs, lines of "
                f'{{"schema", "{key}", "cypher"}}: {problem}.'
            ) from problem

    def draw(self, count: int, rng: Random) -> list[Shot]:
        """`count` different shots, or all."""
        return rng.sample(self.shots, min(count, len(self.shots)))

    def grow(self, shot: Shot) -> None:
        """Let an accepted pair join."""
        self.shots.append(shot)
