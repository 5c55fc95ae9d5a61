"""From how many megabytes on a worker starts its engines anew."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from pipelines.jobs import units
from pipelines.jobs.units import Desk

ALL = ("duckdb", "grafeo", "oxigraph", "ladybug", "tinkergraph")


@pytest.mark.parametrize(
    ("engines", "mb", "anew"),
    [
        (("grafeo", "duckdb"), 1500, False),
        (("grafeo", "duckdb"), 1600, True),
        (ALL, 1600, False),  # what they take after their start
        (ALL, 2500, False),
        (ALL, 3100, True),
        ((*ALL, "neo4j"), 3100, False),
    ],
)
def test_engines_are_started_anew_beyond_what_they_take(
    monkeypatch: pytest.MonkeyPatch, engines: tuple[str, ...], mb: float, anew: bool
) -> None:
    ended: list[bool] = []
    database: Any = SimpleNamespace(
        site=SimpleNamespace(config=SimpleNamespace(certify=SimpleNamespace(engines=engines))),
        build=SimpleNamespace(
            database=SimpleNamespace(recycle=lambda: ended.append(True)), spent={}
        ),
    )
    desk = Desk()
    desk._open["museum"] = database, ExitStack()
    monkeypatch.setattr(units, "resident_mb", lambda: mb)
    unit: Any = SimpleNamespace(work=lambda _desk: (None, ()))
    assert desk.do(unit).mb == mb
    assert ended == [True] * anew
