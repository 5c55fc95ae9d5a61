"""What Neo4j is known to answer wrongly is declared, and nothing beside it."""

from __future__ import annotations

import gc
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from unittest.mock import Mock

import pytest

from engines.backends.neo4j import HAZARDS, Neo4j
from engines.base import Result
from engines.bolt import in_zone
from engines.hazards.stored import StoredValues, refuse_hazards
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryUnsound

A = ("A",)


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("MATCH p = ALL SHORTEST (n:A)-[:R]-+(n) RETURN length(p) AS l", True),
        ("MATCH p = SHORTEST 2 (n:A)-[:R]-+(n) RETURN length(p) AS l", True),
        ("MATCH p = SHORTEST 2 GROUPS (n:A)-[:R]-+(n) RETURN length(p) AS l", True),
        ("MATCH p = ANY SHORTEST (n:A)-[:R]-+(n) RETURN length(p) AS l", False),
        ("MATCH p = ALL SHORTEST (n:A)-[:R]->+(n) RETURN length(p) AS l", False),
        ("MATCH p = ALL SHORTEST (n:A)-[:R]-+(m:A) RETURN length(p) AS l", False),
    ],
)
def test_searches_both_ways_from_a_node_to_itself(text: str, declared: bool) -> None:
    """Two other engines find cycles of which Neo4j finds none."""
    fault = next(each for each in Neo4j.unsound if each.code == "closed-search")
    assert fault.applies(parse(text)) == declared


def test_means_of_wide_integers_of_both_signs() -> None:
    """Where they cancel, what is left is what was rounded away."""
    stored = StoredValues()
    for value in (2**62, -(2**62), 3):
        stored.see((A, "i"), value)
    stored.see((A, "k"), 3)
    for text in (
        "MATCH (n:A) RETURN avg(n.i) AS v",
        "MATCH (n:A) WITH n.i AS x RETURN avg(x) AS v",
    ):
        with pytest.raises(QueryUnsound):
            refuse_hazards(HAZARDS, stored, text)
    refuse_hazards(HAZARDS, stored, "MATCH (n:A) RETURN avg(n.k) AS v")
    refuse_hazards(HAZARDS, stored, "MATCH (n:A) RETURN sum(n.i) AS v")
    refuse_hazards(HAZARDS, stored, "UNWIND [{i: -1}] AS row RETURN avg(row.i) AS v")


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("MATCH (n:A) RETURN avg(DISTINCT n.k) AS v, sum(DISTINCT n.i) AS s", False),
        ("MATCH (n:A) WHERE n.i > -1 RETURN avg(n.`k`) AS v, n.i AS i", False),
        ("MATCH (n:A) RETURN avg(n.k) AS v, avg(n.i) AS w", True),
        ("MATCH (n:A) RETURN avg(n.k) AS v, avg(1 + n.i) AS w", True),
        ("MATCH (n:A) WITH n.i AS x RETURN avg(x) AS v", True),
        ("MATCH (n:A) WITH {k: n.i} AS m RETURN avg(m.k) AS v", True),
        ("MATCH (n:A) LET m = {k: n.i} RETURN avg(m.k) AS v", True),
        ("MATCH (n:A) UNWIND [{k: n.i}] AS m RETURN avg(m.k) AS v", True),
        ("MATCH (n:A) FOR m IN [{k: n.i}] RETURN avg(m.k) AS v", True),
    ],
)
def test_means_of_other_properties(
    text: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not averaged may be as wide as it likes."""
    engine = Neo4j("bolt://nowhere")
    for value in (2**62, -(2**62), 3):
        engine._stored.see((A, "i"), value)
    server = Mock()
    server.run.return_value = Result(("v",), ((0.5,),))
    monkeypatch.setattr(engine, "_bolt", server)
    if not refused:
        assert engine.run(text, language="cypher", timeout=1).rows == ((0.5,),)
        return
    with pytest.raises(QueryUnsound):
        engine.run(text, language="cypher", timeout=1)


def test_what_is_loaded_is_not_looked_through_again(
    graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """jpype collects Python's garbage whenever Java collects its own, dozens of times a build."""
    engine = Neo4j("bolt://nowhere")
    monkeypatch.setattr(engine, "_bolt", Mock())
    frozen = gc.get_freeze_count()
    engine.load(graph)
    assert gc.get_freeze_count() == frozen
    monkeypatch.setattr(engine, "_local", Mock(used=False))
    engine.load(graph)
    try:
        assert gc.get_freeze_count() > frozen
    finally:
        gc.unfreeze()


class _Named(tzinfo):
    """A zone of pytz, as the driver makes them: past 2037 without summer time."""

    zone = "America/New_York"

    def utcoffset(self, _moment: datetime | None) -> timedelta:
        return timedelta(hours=-5)

    def tzname(self, _moment: datetime | None) -> str:
        return "EST"

    def dst(self, _moment: datetime | None) -> timedelta:
        return timedelta(0)


def test_moments_are_of_their_zone() -> None:
    moment = datetime(2098, 8, 2, 5, tzinfo=_Named())
    assert in_zone(moment).isoformat() == "2098-08-02T06:00:00-04:00"
    other = datetime(2098, 8, 2, 5, tzinfo=timezone(timedelta(hours=2)))
    assert in_zone(other) is other
