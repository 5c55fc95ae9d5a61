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
        (("grafeo", "duckdb"), 1000, False),
        (("grafeo", "duckdb"), 1100, True),
        (ALL, 1100, False),  # what they take after their start
        (ALL, 2000, False),
        (ALL, 2600, True),
        ((*ALL, "neo4j"), 2600, False),
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
    # However much the worker itself has: engines that start anew give none of that back.
    own = 2000.0
    monkeypatch.setattr(units, "own_mb", lambda: own)
    monkeypatch.setattr(units, "resident_mb", lambda: own + mb)
    unit: Any = SimpleNamespace(work=lambda _desk: (None, ()))
    done = desk.do(unit)
    assert (done.mb, done.own_mb) == (own + mb, own)
    assert ended == [True] * anew
