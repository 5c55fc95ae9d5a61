"""`graphmill check`: the checker of a language, from the translators or from a judge's process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphmill.errors import Diagnostic
from schemagraph.folder.serde import load_schema
from translators.language import checker, judge_of


@contextmanager
def opened(language: str, graph: Path | None) -> Iterator[Callable[[str], list[Diagnostic]]]:
    """The check of `language`, against the graph's schema where there is one.

    Raises:
        UnknownNameError: nothing of that name has a check.
        EngineUnavailable: a judge is asked for that cannot be started.
    """
    name = judge_of(language)
    schema = load_schema(graph) if graph is not None else None
    if not name:
        yield checker(language, schema)
        return
    from engines.judges.process import Judge

    with Judge(name, schema) as judge:
        yield judge.check
