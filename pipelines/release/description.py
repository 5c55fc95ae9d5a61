"""What a corpus says of itself: configuration, graphs, and how its records came about.

The figures of the funnel lie beside the corpus (`funnel.json`), so that its report and card can be
written again from the folder alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphmill.errors import GraphmillError
from graphmill.json_lines import read_json

FUNNEL = "funnel.json"
type _Two = Annotated[list[int], Field(min_length=2, max_length=2)]
type _Three = Annotated[list[int], Field(min_length=3, max_length=3)]


class _Open(BaseModel):
    """A part of `funnel.json`; what is read of it is of these kinds, and there may be more."""

    model_config = ConfigDict(extra="allow")


class _Reason(_Open):
    stage: str
    code: str
    count: int


class _Grown(_Open):
    db: str
    tiers: dict[str, _Two]
    groups: dict[str, _Two]
    makers: dict[str, _Three]
    stopped: str = ""
    drafts: int = 0
    asks_absence: list[str] = []


class _Funnel(_Open):
    stages: dict[str, int] = {}
    rejects: list[_Reason] = []
    grown: list[_Grown] = []


@dataclass(frozen=True, slots=True)
class Description:
    """`config` and `graphs` are those of `corpus.lock`; `canary` tells an exported corpus in a
    model's training data; `funnel` is that of `funnel.json`."""

    config: dict[str, Any]
    graphs: dict[str, dict[str, str]]
    funnel: dict[str, Any] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)
    canary: str = ""

    @classmethod
    def of(cls, folder: Path, lock: dict[str, Any]) -> Self:
        """That of a finished corpus; one of before `funnel.json` has no funnel.

        Raises:
            GraphmillError: `funnel.json` is damaged.
        """
        path = folder / FUNNEL
        funnel: dict[str, Any] = {}
        if path.is_file():
            try:
                funnel = read_json(path)
                _Funnel.model_validate(funnel, strict=True)
            except ValidationError as problem:
                error = problem.errors()[0]
                place = ".".join(map(str, error["loc"]))
                why = f"{place}: {error['msg']}" if place else "it is no JSON object"
                raise GraphmillError(f"{path} is damaged: {why}.") from problem
        made, canary = lock.get("libraries", {}), lock.get("canary", "")
        return cls(lock.get("config", {}), lock["graphs"], funnel, made, canary)

    @property
    def name(self) -> str:
        """The corpus's name."""
        return str(self.config.get("corpus", {}).get("name", "corpus"))

    @property
    def question_language(self) -> str:
        """The language of the questions, as HTML and the Hub name it."""
        return str(self.config.get("masked", {}).get("language", "en"))

    @property
    def licence(self) -> str:
        """The corpus's licence; empty where none is stated."""
        licence = str(self.config.get("corpus", {}).get("licence", ""))
        return "" if licence == "not stated" else licence

    @property
    def goals(self) -> list[tuple[str, str, int, int]]:
        """What each database was to have of a tier or group of constructs, and has."""
        return [
            (grown["db"], name, *counts)
            for grown in self.funnel.get("grown", ())
            for kind in ("tiers", "groups")
            for name, counts in grown[kind].items()
        ]

    @property
    def makers(self) -> list[tuple[str, int, int, int]]:
        """Drafts, candidates and released records of each archetype and operator."""
        makers: dict[str, list[int]] = {}
        for grown in self.funnel.get("grown", ()):
            for name, counts in grown["makers"].items():
                known = makers.setdefault(name, [0, 0, 0])
                makers[name] = [a + b for a, b in zip(known, counts, strict=True)]
        ranked = sorted(makers.items(), key=lambda item: (-item[1][2], item[0]))
        return [(name, *counts) for name, counts in ranked]  # type: ignore[misc]  # three numbers
