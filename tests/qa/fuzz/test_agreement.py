"""Random queries of fixed seeds mean the same in every language on every engine.

A disagreement fails with the shrunk query, its graph, both texts and both answers: it is a fault
of ours, or the engine's and to be declared beside it. `benchmarks/agreement_fuzz.py` goes on for
hours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from qa.agreement import engines_of
from qa.fuzz.search import Search
from tests.qa.fuzz.test_generation import SEEDS

pytestmark = pytest.mark.slow

NEO4J_SEEDS = range(5000, 5080)  # two graphs


def searched(
    seeds: Iterable[int],
    runs: tuple[str, ...],
    engines: Mapping[str, IsolatedEngine],
    folder: Path,
) -> Counter[str]:
    """What happened over these seeds; a finding fails the test with all that it is made of."""
    search = Search(engines, runs, folder, shrink_seconds=30)
    findings = [finding.text() for finding in search.findings(iter(seeds))]
    assert not findings, "\n\n".join(findings)
    return search.counts


def test_grafeo_and_duckdb_agree(tmp_path: Path) -> None:
    runs = ("sql", "cypher", "gql")
    with engines_of(runs, None) as engines:
        counts = searched(SEEDS, runs, engines, tmp_path)
    assert counts["compared"] > 0.4 * len(SEEDS)
    assert counts["cypher: same"] > 0.35 * len(SEEDS)
    assert counts["gql: same"] > 0.3 * len(SEEDS)
    assert counts["not empty"] > 0.35 * counts["compared"]


def test_neo4j_and_duckdb_agree(local_neo4j: IsolatedEngine, tmp_path: Path) -> None:
    runs = ("sql", "neo4j-cypher", "neo4j-gql")
    with engines_of(("sql",), None) as engines:
        counts = searched(NEO4J_SEEDS, runs, {**engines, "neo4j": local_neo4j}, tmp_path)
    assert counts["neo4j-cypher: same"] > 0.8 * len(NEO4J_SEEDS)
    assert counts["neo4j-gql: same"] > 0.7 * len(NEO4J_SEEDS)
