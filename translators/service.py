"""Translation of single texts, with their result as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_ir.bind.parameters import given
from graph_ir.temporal.utc import utc_moments
from graphmill.errors import QueryTextError, Refused
from schemagraph.folder.serde import load_schema
from translators.base import Caveat
from translators.language import DIALECTS, Origin, reader
from translators.render import render


@dataclass(frozen=True, slots=True)
class Translation:
    """A text that says the same in another language; as a text it is `text`.

    With `warnings` it means the same only if they hold, which nobody here can know. `columns` are
    the names of its result's columns.
    """

    text: str
    language: str
    columns: tuple[str, ...] = ()
    warnings: tuple[Caveat, ...] = ()

    def __str__(self) -> str:
        return self.text


class Translator:
    """From one language to another, over one graph or none."""

    def __init__(
        self, *, origin: str, to: str, graph: Path | None, dialect: str | None = None
    ) -> None:
        DIALECTS.get(to)  # an unknown target is an error before the first line
        self.origin, self.to = origin, to
        self.schema = load_schema(graph) if graph is not None else None
        self._read = reader(origin, Origin(graph, self.schema, dialect))

    def translation(self, text: str, parameters: Mapping[str, Any] | None = None) -> Translation:
        """The text in the target language, with the values of `parameters` in their places.

        Raises:
            Refused: the target cannot say exactly this.
            QueryTextError: the text is wrong.
        """
        try:
            read = self._read(text)
            statement = given(read, parameters or {}, self.schema)
            if self.origin == "spanner" and parameters:
                statement = utc_moments(statement, read)
            rendered = render(statement, self.to, self.schema)
        except OverflowError as problem:
            reason = "A moment of a parameter is before the year 1 or after 9999 in UTC."
            raise Refused("temporal-text", "parameter", reason) from problem
        except QueryTextError as problem:
            if problem.code != "normalized":
                raise
            reason = "Normal forms are not translated."
            raise Refused("normalized", "IS NORMALIZED", reason) from problem
        except RecursionError as problem:
            raise Refused("nesting", self.origin, "The query is nested too deeply.") from problem
        return Translation(rendered.text, self.to, rendered.columns, rendered.caveats)

    def result(self, text: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The `result` object of one line: a text, a refusal or an error.

        The values of `parameters` are put in the place of the query's parameters.
        """
        try:
            translation = self.translation(text, parameters)
        except Refused as problem:
            return {"ok": False, "refused": problem.as_json()}
        except QueryTextError as problem:
            return {"ok": False, "error": problem.as_json()}
        result: dict[str, Any] = {"ok": True, "text": translation.text}
        if translation.warnings:
            result["warnings"] = [caveat.as_json() for caveat in translation.warnings]
        return result
