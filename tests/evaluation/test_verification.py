"""Verification of what a query names against the graph (MA-4, MA-5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.answering.running import Runner
from evaluation.answering.verification import similarity, verify
from evaluation.base import Task
from evaluation.execution import Bench, Failure
from schemagraph.folder.serde import load_schema


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ("corlys velaryon", "Corlys Velaryon", 86.67),
        ("corlys velaryon", "Lucerys Velaryon", 77.42),
        ("corlys velaryon", "Jacaerys Velaryon", 75.0),
        ("daemon targaryen", "Daemon Targaryen", 87.5),
        ("daemon targaryen", "Aemon Targaryen", 83.87),
        ("daemon targaryen", "Aemond Targaryen", 81.25),
    ],
)
def test_ma_5_similarity_of_the_trace(left: str, right: str, told: float) -> None:
    """The six values of the paper's App. B, rounded."""
    assert similarity(left, right) == told


@pytest.fixture
def runner() -> Iterator[Runner]:
    """Runs Cypher."""
    own = Runner("cypher")
    yield own
    own.close()


def test_what_an_engine_says_has_no_place_of_this_machine(
    corpus: Path, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = corpus / "graphs" / "ferries"
    task = Task("t", "ferries", "?", "cypher", load_schema(graph), graph)
    failure = Failure("engine", f"Cannot read '{graph}/nodes/Port.parquet' at 0x7f3b5c0d12e0")
    monkeypatch.setattr(Bench, "answer", lambda *_, **__: failure)
    ran = runner.run(task, "MATCH (p:Port) RETURN p.name AS name")
    assert ran.message == "Error: Cannot read 'Port.parquet' at 0x…"


def test_ma_4_what_exists_what_is_near_what_a_model_ranks(corpus: Path, runner: Runner) -> None:
    graph = corpus / "graphs" / "ferries"
    task = Task("t", "ferries", "?", "cypher", load_schema(graph), graph)
    asked = []

    def rank(label: str, key: str, value: str, names: object) -> list[str]:
        asked.append((label, key, value, names))
        return ["Kiel", "Atlantis"]

    items = {
        "node_labels": ["Port", "Ports"],
        "node_property_values": [
            ["Port", "name", "Oslo"],
            ["Port", "name", "kiel"],
            ["Port", "nam", "Oslo"],
            "no list",
        ],
        "pairwise_relationships": ["(:Ship)-[:CALLS_AT]->(:Port)", "(:Port)-[:CALLS_AT]->(:Ship)"],
    }
    checks = verify(task, runner, items, rank)
    assert [check.exists for check in checks] == [True, False, True, False, False, True, False]
    assert checks[1].near[0] == ("Port", 88.89)
    assert checks[3].near[0][0] == "Kiel"
    assert checks[3].ranked == ("Kiel",)  # what is not in the graph is no candidate
    assert checks[4].near[0][0] == "name"
    assert asked == [("Port", "name", "kiel", ["Frederikshavn", "Göteborg", "Kiel", "Oslo"])]
