"""`graphmill check`: the checker of a language, from the translators or from a judge's process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphmill.errors import Diagnostic
from schemagraph.folder.serde import load_schema


@contextmanager
def opened(language: str, graph: Path | None) -> Iterator[Callable[[str], list[Diagnostic]]]:
    """The check of `language`, against the graph's schema where there is one.

    Raises:
        EngineUnavailable: a judge is asked for that cannot be started.
    """
    if language == "spanner":
        from engines.judges.process import Judge

        schema = load_schema(graph) if graph is not None else None
        with Judge("googlesql", schema) as judge:
            yield judge.check
        return
    from translators.service import checker

    yield checker(language, graph)
