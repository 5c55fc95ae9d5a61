"""Translation of single texts, with their result as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graph_ir.bind.parameters import given
from graphmill.errors import QueryTextError, Refused
from schemagraph.folder.serde import load_schema
from translators.language import DIALECTS, Origin, reader
from translators.render import render


class Translator:
    """From one language to another, over one graph or none."""

    def __init__(
        self, *, origin: str, to: str, graph: Path | None, dialect: str | None = None
    ) -> None:
        DIALECTS.get(to)  # an unknown target is an error before the first line
        self.to = to
        self.schema = load_schema(graph) if graph is not None else None
        self._read = reader(origin, Origin(graph, self.schema, dialect))

    def result(self, text: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The `result` object of one line: a text, a refusal or an error.

        The values of `parameters` are put in the place of the query's parameters.
        """
        try:
            statement = given(self._read(text), parameters or {}, self.schema)
            found = render(statement, self.to, self.schema)
            result: dict[str, Any] = {"ok": True, "text": found.text}
            if found.caveats:
                result["warnings"] = [caveat.as_json() for caveat in found.caveats]
            return result
        except Refused as problem:
            return {"ok": False, "refused": problem.as_json()}
        except QueryTextError as problem:
            return {"ok": False, "error": problem.as_json()}
