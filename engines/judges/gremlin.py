"""TinkerPop's own parser of Gremlin (`gremlin-lang`), which runs nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar, Self

from engines.base import Engine, Needs, Result, Unsound
from engines.jvm.java import ENVIRONMENT
from engines.jvm.tinkergraph import VERSION, Parser

COLUMNS = ("code", "message", "line", "column")
_PLACE = re.compile(r"at line (\d+), character position at (\d+)")


class GremlinJudge(Engine):
    """Findings about texts; it knows no schema."""

    name: ClassVar[str] = "gremlin"
    languages: ClassVar[tuple[str, ...]] = ("gremlin",)
    profiles: ClassVar[dict[str, str]] = {"gremlin": "gremlin"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs(environment=ENVIRONMENT, address_space=False, reloads=True)

    def __enter__(self) -> Self:
        self._parser = Parser()
        return self

    def __exit__(self, *exc: object) -> None:
        """The process ends, and the parser with it."""

    def version(self) -> str:
        """TinkerPop's version."""
        return VERSION

    def load(self, graph: Path) -> None:
        """The parser knows no schema."""

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """What is wrong with a text: one row of code, message, line and column, or none."""
        message = self._parser.check(text)
        if not message:
            return Result(COLUMNS, ())
        place = _PLACE.search(message)
        line, column = (int(place[1]), int(place[2]) + 1) if place else (1, 1)
        return Result(COLUMNS, (("syntax", message, line, column),))


JUDGE = GremlinJudge
