"""SQLite and the graph engines give one answer to every SQL of the fixtures, and to drawn ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.random_sql import Writer, shape_of
from benchmarks.sql_fuzz import fill
from benchmarks.sql_proof import RUNS, Outcome, Proof, prove
from engines.isolation import IsolatedEngine
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.test_pairs import CASES, Case

pytestmark = pytest.mark.slow


RUN = {name: RUNS[name] for name in ("cypher", "sql")}
TRANSLATED = [case for case in CASES if not case.expected.startswith("!")]


@pytest.fixture(scope="module")
def engines(library: Library) -> Iterator[dict[str, IsolatedEngine]]:
    """SQLite on the database, the graph engines on its graph."""
    found = {"sqlite": IsolatedEngine("sqlite", None, source=str(library.database))}
    for name in ("grafeo", "duckdb"):
        found[name] = IsolatedEngine(name, library.graph)
    yield found
    for engine in found.values():
        engine.close()


@pytest.mark.parametrize("case", TRANSLATED, ids=lambda case: case.place)
def test_fixture(case: Case, library: Library, engines: dict[str, IsolatedEngine]) -> None:
    """The Cypher of a fixture gives SQLite's answer, wherever an engine can run it."""
    outcome = Outcome("library", case.sql, "proven")
    statement = library.translator.translate(case.sql)
    prove(outcome, statement, library.schema, engines, RUN, timeout=30.0)
    if outcome.state in ("not rendered", "error"):
        pytest.skip(f"{outcome.code}: {outcome.detail}")
    assert outcome.state == "proven", outcome


@pytest.mark.parametrize("seed", [1, 2])
def test_drawn(seed: int, tmp_path: Path) -> None:
    """No drawn query is answered otherwise than by SQLite, and none crashes the translation."""
    rng = random.Random(seed)
    database = tmp_path / "drawn.sqlite"
    fill(database, rng)
    writer = Writer(rng, shape_of(database, rng))
    texts = list(dict.fromkeys(writer.query() for _ in range(60)))
    with Proof(RUN, 30.0) as proof:
        outcomes = list(proof.database(database, tmp_path / "graph", texts))
    wrong = [outcome for outcome in outcomes if outcome.state in ("disagrees", "crash")]
    assert not wrong
    assert sum(outcome.state == "proven" for outcome in outcomes) > len(texts) // 2
