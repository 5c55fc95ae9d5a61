"""Patterns that are matched too often are told from those that only look like it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generators.queries.evolution.width import exceeded
from graph_ir.cypher.reader import parse
from tests.generators.queries.stages import Stages, written


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    stages = Stages(written(tmp_path_factory.mktemp("stages")))
    yield stages
    stages.close()


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        # 40 actors and 40 plays: every further node that nothing joins makes 40 times as many.
        ("MATCH (a:Actor)-[:ACTS_IN]->(p:Play)", ""),
        ("MATCH (a:Actor), (b:Actor), (p:Play)", ""),
        ("MATCH (a:Actor), (b:Actor), (p:Play), (q:Play)", "100,000"),
        ("MATCH (a:Actor), (b:Actor) MATCH (p:Play), (q:Play)", "100,000"),
        # Conditions count, those with a subquery do not: it is run for every match.
        ("MATCH (a:Actor), (b:Actor), (p:Play), (q:Play) WHERE q.play_id = 1", ""),
        (
            "MATCH (a:Actor), (p:Play), (q:Play) WHERE EXISTS { (a)-[:ACTS_IN]->(p) }",
            "20,000",
        ),
        ("MATCH (a:Actor), (p:Play) WHERE EXISTS { (a)-[:ACTS_IN]->(p) }", ""),
        # What comes after the first answer is not looked at.
        ("MATCH (a:Actor), (b:Actor) WITH a LIMIT 1 MATCH (p:Play), (q:Play), (b:Actor)", ""),
    ],
)
def test_matches(ground: Stages, pattern: str, most: str) -> None:
    said = exceeded(parse(f"{pattern} RETURN count(a) AS x"), ground)
    assert said == (f"Its pattern has more than {most} matches." if most else "")
