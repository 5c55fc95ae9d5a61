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
    assert started_anew(monkeypatch, engines, [mb]) == [anew]


# What a unit leaves, from the start of the engines on: 1,024 MB are the mark.
@pytest.mark.parametrize(
    ("taken", "anew"),
    [
        # A large graph is loaded once more, and then half as much again is the mark.
        ([1200] * 9, [True] + [False] * 8),
        ([1200, 300, 1200, 1700, 1900], [True, False, False, False, True]),
        # What has grown is started anew, each time.
        ([1100, *[300] * 8, 1100, *[300] * 8, 1100], [True, *[False] * 8] * 2 + [True]),
    ],
)
def test_a_large_graph_is_not_loaded_for_every_unit(
    monkeypatch: pytest.MonkeyPatch, taken: list[float], anew: list[bool]
) -> None:
    assert started_anew(monkeypatch, ("grafeo", "duckdb"), taken) == anew


def started_anew(
    monkeypatch: pytest.MonkeyPatch, engines: tuple[str, ...], taken: list[float]
) -> list[bool]:
    """Whether engines are started anew after each unit that leaves them with so many megabytes."""
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
    unit: Any = SimpleNamespace(work=lambda _desk: (None, ()))
    monkeypatch.setattr(units, "own_mb", lambda: own)
    anew = []
    for mb in taken:
        monkeypatch.setattr(units, "resident_mb", lambda mb=mb: own + mb)
        ended.clear()
        done = desk.do(unit)
        assert (done.mb, done.own_mb) == (own + mb, own)
        anew.append(bool(ended))
    return anew
