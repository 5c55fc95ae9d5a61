"""What an engine is known to answer wrongly, told beside the answer to a user's own text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engines.base import Engine
from graph_ir.bind.statements import bound
from graphmill.errors import QueryTextError, Refused
from schemagraph.folder.serde import load_schema
from translators.language import Origin, readable, reader

type Faults = list[dict[str, str]]

UNREAD = "unread"


def faults_of(engine: type[Engine], language: str, folder: Path | None) -> Callable[[str], Faults]:
    """What lists the declared unsound constructs of a text in `language`: code and sentence each.

    A text that graphmill cannot read is listed as `unread`, as its faults are not known.
    """
    dialects = {language, engine.profiles.get(language, language)}
    declared = [fault for fault in engine.unsound if dialects & set(fault.dialects)]
    if not declared:
        return lambda _text: []
    schema = load_schema(folder) if folder is not None else None
    read = reader(language, Origin(folder, schema)) if language in readable() else None

    def faults(text: str) -> Faults:
        if read is None:
            return [_unread(engine, language)]
        try:
            statement = bound(read(text), schema).statement
        except (QueryTextError, Refused):
            return [_unread(engine, language)]
        return [
            {"code": fault.code, "message": f"{engine.name} answers this wrongly: {fault.why}"}
            for fault in declared
            if fault.applies(statement)
        ]

    return faults


def _unread(engine: type[Engine], language: str) -> dict[str, str]:
    message = (
        f"graphmill cannot read this {language}, so that what {engine.name} is known to answer "
        "wrongly was not looked for."
    )
    return {"code": UNREAD, "message": message}
